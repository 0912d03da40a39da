"""Crawl the bundled site with scrapy-cetr, and print a line per page: ``make demo``."""

from __future__ import annotations

import io
import re
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from news.items import Article
from news.spiders.news import NewsSpider
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings
from serve import serve
from tqdm import tqdm

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.responses import page_html
from scrapy_cetr.summary import summary

OUTPUT = Path("demo-output")
_FEED = OUTPUT / "articles.jsonl"
_DATABASE = OUTPUT / "articles.sqlite"
_REPORT = OUTPUT / "report.html"
_LOG = OUTPUT / "crawl.log"
_SENTENCE_END = re.compile(r"(?<=\D[.!?؟]) |(?<=[。！？])|\n")
_MIN_SENTENCE = 20


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the table."""

    page: str
    words: int
    kept: int
    sentence: str


def main() -> int:
    """Crawl, print the table and the names of the files; return 1 if no page was found."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Characters that the terminal cannot encode are replaced, instead of raising an error.
        sys.stdout.reconfigure(errors="replace")
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir()
    with serve() as base:
        rows, stats = crawl(base)
    if not rows:
        print(f"The crawl found no pages; see {_LOG}.", file=sys.stderr)
        return 1
    for line in table(rows, width=shutil.get_terminal_size((100, 24)).columns):
        print(line)
    print(f"\n{summary(stats)}\nwritten to {_FEED} and {_DATABASE}; to look at: {_REPORT}")
    return 0


def crawl(site: str) -> tuple[list[Row], dict[str, Any]]:
    """Run ``scrapy crawl news -a site=...``; return a row per page and the statistics."""
    rows: list[Row] = []
    process = AsyncCrawlerProcess(_settings())
    crawler = process.create_crawler(NewsSpider)
    with tqdm(desc="crawling", unit=" pages", leave=False, disable=None) as progress:

        def add(item: Article, response: Response, spider: NewsSpider) -> None:
            rows.append(_row(item, response))
            progress.total = len(spider.found)
            progress.update()

        crawler.signals.connect(add, signals.item_scraped)
        process.crawl(crawler, site=site)
        process.start()
    return sorted(rows, key=lambda row: row.page), crawler.stats.get_stats()


def _settings() -> Settings:
    settings = Settings()
    settings.setmodule("news.settings", priority="project")
    changes = {
        "DOWNLOAD_DELAY": 0,
        "FEEDS": {str(_FEED): settings["FEEDS"]["articles.jsonl"]},
        "SQLITE_FILE": str(_DATABASE),
        "CETR_REPORT": str(_REPORT),
        "LOG_FILE": str(_LOG),
        "LOG_LEVEL": "WARNING",
    }
    settings.setdict(changes, priority="cmdline")
    return settings


def _row(item: Article, response: Response) -> Row:
    on_page = read(page_html(response), rows="blocks").words.sum()
    return Row(
        page=urlsplit(item.url).path,
        words=int(on_page),
        kept=item.words,
        sentence=_SENTENCE_END.split(item.article_text, maxsplit=1)[0],
    )


def table(rows: Sequence[Row], *, width: int) -> list[str]:
    """Format the rows; sentences are cut to fit the width."""
    longest = max(len("page"), *(len(row.page) for row in rows))
    head = f"{'page':{longest}}{'words':>7}{'kept':>7}  "
    left = max(width - len(head), _MIN_SENTENCE)
    lines = [
        f"{row.page:{longest}}{row.words:7}{row.kept:7}  {cut(row.sentence, left)}" for row in rows
    ]
    return [f"{head}first sentence", *lines]


def cut(text: str, columns: int) -> str:
    """Cut a text to a number of terminal columns; a CJK character takes two.

    >>> cut("中文 text", 6)
    '中文 …'
    """
    if sum(map(_columns, text)) <= columns:
        return text
    used = 0
    for index, char in enumerate(text):
        used += _columns(char)
        if used > columns - 1:
            return f"{text[:index]}…"
    return text


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


if __name__ == "__main__":
    sys.exit(main())
