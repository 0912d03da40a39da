"""The example project: its spider on several sites, and the demonstration."""

import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from demo import Row, cut, table
from news.arguments import Arguments
from news.sources import (
    links_in_page,
    pages_in_feed,
    pages_in_sitemap,
    sitemaps_in_index,
    sitemaps_in_robots,
)
from scrapy.http import HtmlResponse, Response
from serve import SITE, serve

PROJECT = SITE.parent
EXPECTED: dict[str, dict[str, Any]] = json.loads((SITE / "expected.json").read_bytes())
FEED_PAGES = set(re.findall(r"<link>\{base\}(.+?)</link>\s*<guid", (SITE / "feed.xml").read_text()))
SITEMAP_PAGES = set(re.findall(r"<loc>\{base\}(.+?)</loc>", (SITE / "sitemap.xml").read_text()))
PAGE = "<!doctype html><title>{0}</title><h1>{0}</h1><p>{1}</p>{2}"
STORY = "The river rose again in the night, and the people of the valley left their houses. " * 5


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with serve() as url:
        yield url


@dataclass(frozen=True, kw_only=True)
class Crawled:
    """The output of a crawl; the log holds warnings and errors."""

    articles: list[dict[str, Any]]
    stored: list[tuple[Any, ...]]
    log: str

    @property
    def paths(self) -> list[str]:
        return [urlsplit(page["url"]).path for page in self.articles]


def run(*command: str | Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-W", "error", *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1", **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def crawl(folder: Path, **arguments: str) -> Crawled:
    """Run the spider in a folder, where it writes its files."""
    given = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    options = ("-L", "WARNING", "-s", "DOWNLOAD_DELAY=0")
    command = ("-m", "scrapy", "crawl", "news", *options, *given)
    done = run(*command, folder=folder, SCRAPY_SETTINGS_MODULE="news.settings")
    assert (done.returncode, done.stdout) == (0, "")
    feed = folder / "articles.jsonl"
    lines = feed.read_text("utf-8").splitlines() if feed.exists() else []
    with closing(sqlite3.connect(folder / "articles.sqlite")) as database:
        stored = database.execute("SELECT url, title, words, article_text FROM articles").fetchall()
    return Crawled(articles=[json.loads(line) for line in lines], stored=stored, log=done.stderr)


@pytest.fixture(scope="module")
def by_sitemap(base: str, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawl(tmp_path_factory.mktemp("sitemap"), site=base)


def test_spider_follows_the_sitemap(by_sitemap: Crawled) -> None:
    assert by_sitemap.log == ""
    assert sorted(by_sitemap.paths) == sorted(SITEMAP_PAGES)
    assert set(EXPECTED) < SITEMAP_PAGES


def test_spider_items_are_stored_in_the_feed_and_in_sqlite(by_sitemap: Crawled) -> None:
    fields = ("url", "title", "words", "article_text")
    rows = [tuple(page[name] for name in fields) for page in by_sitemap.articles]
    assert sorted(by_sitemap.stored) == sorted(rows)
    assert all(page["article_text"] and page["words"] > 0 for page in by_sitemap.articles)


def test_spider_titles_are_those_of_the_site(by_sitemap: Crawled) -> None:
    titles = {urlsplit(page["url"]).path: page["title"] for page in by_sitemap.articles}
    # Some pages have the name of the newspaper before the title.
    assert all(titles[path].endswith(page["title"]) for path, page in EXPECTED.items())


@pytest.mark.parametrize("path", [path for path in EXPECTED if path.startswith("/encodings/")])
def test_spider_decodes_pages_in_other_encodings(by_sitemap: Crawled, path: str) -> None:
    page = by_sitemap.articles[by_sitemap.paths.index(path)]
    assert EXPECTED[path]["first"] in " ".join(page["article_text"].split())


def test_spider_follows_the_feed(base: str, tmp_path: Path) -> None:
    crawled = crawl(tmp_path, site=base, follow="feed")
    assert crawled.log == ""
    assert sorted(crawled.paths) == sorted(FEED_PAGES)


def test_spider_follows_links(base: str, tmp_path: Path) -> None:
    crawled = crawl(tmp_path, site=base, follow="links")
    assert crawled.log == ""
    assert sorted(crawled.paths) == sorted({*SITEMAP_PAGES, ""})


@pytest.mark.parametrize(("follow", "pages"), [("sitemap", 3), ("links", 1)])
def test_spider_stops_at_the_limit(base: str, tmp_path: Path, follow: str, pages: int) -> None:
    assert len(crawl(tmp_path, site=base, follow=follow, pages=str(pages)).articles) == pages


def write_site(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    rules = {"base_placeholder": [f"/{name}" for name in files if not name.endswith(".gz")]}
    (folder / "server.json").write_text(json.dumps(rules))
    return folder


def story(title: str, *links: str) -> str:
    return PAGE.format(title, STORY, "".join(f"<a href='{link}'>More</a>" for link in links))


def test_spider_reads_a_gzipped_sitemap_of_an_index_and_skips_other_files(
    tmp_path: Path,
) -> None:
    names = ("one.html", "a.pdf", "a.json", "missing.html", "empty.html", "private.html")
    pages = "".join(f"<url><loc>/{name}</loc></url>" for name in names)
    elsewhere = "<url><loc>http://elsewhere.invalid/</loc></url>"
    index = "".join(
        f"<sitemap><loc>{{base}}/{name}</loc></sitemap>"
        for name in ("index.xml", "missing.xml", "broken.xml.gz", "pages.xml.gz")
    )
    files: dict[str, str | bytes] = {
        "robots.txt": "User-agent: *\nDisallow: /private\nSITEMAP: {base}/index.xml\n",
        "index.xml": f"<sitemapindex>{index}</sitemapindex>",
        "broken.xml.gz": b"\x1f\x8bbroken",
        "pages.xml.gz": gzip.compress(f"<urlset>{pages}{elsewhere}</urlset>".encode()),
        "one.html": story("One"),
        "private.html": story("Private"),
        "a.pdf": (SITE / "files/report.pdf").read_bytes(),
        "a.json": "[1]",
        "empty.html": "<html><body></body></html>",
    }
    with serve(write_site(tmp_path, files)) as base:
        crawled = crawl(tmp_path, site=base, follow="sitemap")
    assert (crawled.paths, crawled.log) == (["/one.html"], "")


def test_spider_falls_back_to_an_atom_feed(tmp_path: Path) -> None:
    entries = (
        '<entry><link rel="self" href="/no.html"/><link href="{base}/one.html"/></entry>'
        '<entry><link rel="alternate" href="two.html"/></entry>'
    )
    files: dict[str, str | bytes] = {
        "index.html": '<head><link rel=alternate type="application/atom+xml" href=/news.xml>',
        "news.xml": f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>',
        "one.html": story("One", "/three.html"),
        "two.html": story("Two"),
        "three.html": story("Three"),
    }
    with serve(write_site(tmp_path, files)) as base:
        crawled = crawl(tmp_path, site=base)
    assert (sorted(crawled.paths), crawled.log) == (["/one.html", "/two.html"], "")


def test_spider_falls_back_to_links_and_never_loops(tmp_path: Path) -> None:
    outside = (
        "http://elsewhere.invalid/",
        "mailto:a@b.invalid",
        "http://[",
        "report.pdf",
        "a.json",
    )
    files: dict[str, str | bytes] = {
        "index.html": story("Front", "one.html", "#top", "/", *outside),
        "one.html": story("One", "two.html#comments", "one.html", "/"),
        "two.html": story("Two", "one.html?", "/"),
        "a.json": "{}",
    }
    with serve(write_site(tmp_path, files)) as base:
        crawled = crawl(tmp_path, site=f"{base}/")
    assert (sorted(crawled.paths), crawled.log) == (["/", "/one.html", "/two.html"], "")


def test_spider_logs_an_error_if_a_site_has_no_pages(tmp_path: Path) -> None:
    with serve(tmp_path) as base:
        log = crawl(tmp_path, site=base, follow="feed").log
    assert log.endswith(f"ERROR: no page of {base} found by feed\n")
    assert log.count("\n") == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "site must be a URL such as https://example.org, not ''"),
        ({"site": "example.org"}, "site must be a URL such as"),
        ({"site": "https://example.org:harbour"}, "site must be a URL such as"),
        ({"follow": "rss"}, "follow must be auto, sitemap, feed or links, not 'rss'"),
        ({"pages": "0"}, "pages must be a whole number from 1, not '0'"),
        ({"pages": "many"}, "pages must be a whole number from 1, not 'many'"),
        ({"sites": "x"}, "unknown argument 'sites'; the arguments are site, follow and pages"),
    ],
)
def test_spider_arguments_that_are_wrong_raise_an_error(
    given: dict[str, str], message: str
) -> None:
    site = {"site": "https://example.org"} if given and "site" not in given else {}
    with pytest.raises(ValueError, match=re.escape(message)):
        Arguments.read(**site, **given)


def test_spider_with_a_wrong_argument_logs_one_line_and_keeps_older_articles(
    tmp_path: Path,
) -> None:
    (tmp_path / "articles.jsonl").write_text('{"url": "https://example.org/older"}\n')
    crawled = crawl(tmp_path, site="https://example.org", pages="-1")
    assert crawled.log.endswith("[news] ERROR: pages must be a whole number from 1, not '-1'\n")
    assert (crawled.log.count("\n"), crawled.paths) == (1, ["/older"])


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.org/a", True),
        ("http://WWW.example.org:8080", True),
        ("https://blog.example.org/", True),
        ("https://badexample.org/", False),
        ("https://example.org.invalid/", False),
        ("ftp://example.org/", False),
        ("//example.org/", False),
        ("http://[", False),
    ],
)
def test_on_site_includes_subdomains(url: str, inside: bool) -> None:
    assert Arguments.read(site="https://www.example.org/news").on_site(url) is inside


@pytest.mark.parametrize("body", [b"", b"no XML", b"<html><p>Not found", b"\x1f\x8b", b"\xff\x00"])
def test_sources_find_no_pages_in_other_files(body: bytes) -> None:
    response = Response("https://example.org/x", body=body)
    for pages in (pages_in_sitemap, sitemaps_in_index, pages_in_feed, sitemaps_in_robots):
        assert pages(response) == []


def test_links_in_page_skips_links_to_other_files() -> None:
    names = ("a.pdf", "b.json", "/feed.xml", "c.html", "d.JPG?size=2", "/e/", "mailto:f@g.invalid")
    page = HtmlResponse("https://example.org/x/", body=story("Links", *names).encode())
    assert links_in_page(page) == ["https://example.org/x/c.html", "https://example.org/e/"]


def test_scrapy_finds_the_project_by_its_configuration() -> None:
    assert run("-m", "scrapy", "list", folder=PROJECT).stdout == "news\n"


def test_demo_prints_a_line_per_page(tmp_path: Path) -> None:
    older = tmp_path / "demo-output" / "older.txt"
    older.parent.mkdir()
    older.touch()
    done = run(PROJECT / "demo.py", folder=tmp_path, COLUMNS="100", PYTHONPATH="")
    assert (done.returncode, done.stderr) == (0, "")
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["page", "words", "kept", "first", "sentence"]
    pages, (_, summary, files) = lines[:-3], lines[-3:]
    assert [line.split()[0] for line in pages] == sorted(SITEMAP_PAGES)
    assert all(0 < int(line.split()[2]) <= int(line.split()[1]) for line in pages)
    assert re.match(rf"Extracted \d+ articles from {len(pages)} pages", summary)
    assert files == (
        "written to demo-output/articles.jsonl and demo-output/articles.sqlite;"
        " to look at: demo-output/report.html"
    )
    assert "<dt>pages</dt>" in (tmp_path / "demo-output/report.html").read_text(encoding="utf-8")
    names = sorted(path.name for path in older.parent.iterdir() if path.is_file())
    assert names == ["articles.jsonl", "articles.sqlite", "crawl.log", "report.html"]


def test_demo_table_cuts_sentences_to_terminal_columns() -> None:
    rows = [Row(page="/a", words=10, kept=5, sentence="文" * 30)]
    assert table(rows, width=40)[1] == "/a       10      5  " + "文" * 9 + "…"
    assert cut("e\u0301a" * 3, 6) == "e\u0301a" * 3
