"""The command ``scrapy cetr``: the articles of pages, and why they are what they are.

Scrapy imports this for every command, so nothing here may fail or take long: what the command
needs is imported when it runs.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, cast

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import Settings

FORMATS = ("text", "markdown", "html", "json")
# The pages are downloaded as by any crawl of the project, but nothing else of it happens.
_ONLY_DOWNLOADS = {"CETR_ENABLED": False, "FEEDS": {}, "ITEM_PIPELINES": {}, "JOBDIR": None}


class Command(ScrapyCommand):
    """Prints articles, compares methods, writes reports."""

    # Failures are told in one line each; -s LOG_ENABLED=1 tells all.
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012

    def syntax(self) -> str:
        return "[options] URL_OR_FILE..."

    def short_desc(self) -> str:
        return "Print the article of pages, or show why it is what it is"

    def long_desc(self) -> str:
        return (
            "Print the article of live URLs, of HTML files, of folders of them, and of the pages"
            " in JSON-lines (fields html and url) and WARC files. Options that are not given are"
            " those of the CETR_ settings. The exit code is 1 if a page could not be read, and 2"
            " if the command was wrong."
        )

    def add_options(self, parser: ArgumentParser) -> None:
        from scrapy_cetr.extraction.options import RULES

        super().add_options(parser)
        group = parser.add_argument_group(title="Articles")
        group.add_argument("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}")
        group.add_argument("--compare", action="store_true", help="show all methods side by side")
        group.add_argument("--report", metavar="FILE", help="write an HTML page that shows why")
        for name, rule in RULES.items():
            flag, legal = f"--{name.replace('_', '-')}", rule.legal.replace("%", "%%")
            group.add_argument(flag, dest=f"cetr_{name}", metavar="VALUE", help=legal)

    def process_options(self, args: list[str], opts: Namespace) -> None:
        super().process_options(args, opts)
        cast("Settings", self.settings).setdict(_ONLY_DOWNLOADS, priority="cmdline")

    def run(self, args: list[str], opts: Namespace) -> None:
        from scrapy_cetr.commands.run import run

        self.exitcode = run(
            args,
            opts,
            settings=cast("Settings", self.settings),
            process=cast("CrawlerProcessBase", self.crawler_process),
        )
