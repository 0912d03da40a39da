"""The command ``scrapy cetr``: prints articles, and shows why their text was kept.

Scrapy imports this module for every command. To be quick and never break another command, it
imports everything that it needs only when it runs.
"""

from __future__ import annotations

import atexit
import gc
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, cast

from scrapy.commands import ScrapyCommand

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import Settings

# Pages are downloaded with the settings of the project, but no item is stored and no job resumed.
_DOWNLOAD_SETTINGS = {"CETR_ENABLED": False, "FEEDS": {}, "ITEM_PIPELINES": {}, "JOBDIR": None}


class Command(ScrapyCommand):
    """Prints articles, compares methods, writes reports."""

    # Each error is printed in one line; -s LOG_ENABLED=1 shows the log as well.
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012

    def syntax(self) -> str:
        return "[options] URL_OR_FILE..."

    def short_desc(self) -> str:
        return "Extract the articles of pages, or show why their text was kept"

    def long_desc(self) -> str:
        return (
            "Extract the articles of URLs, HTML files, JSON-lines files (with the fields html and"
            " url), WARC files, Parquet files, folders and glob patterns of such files, and"
            " standard input (-). Exit codes: 0 if all pages were extracted, 1 if some could not"
            " be read or written, 2 if the arguments are invalid, 130 if interrupted."
        )

    def add_options(self, parser: ArgumentParser) -> None:
        from scrapy_cetr.commands.options import add_options

        super().add_options(parser)
        add_options(parser)

    def process_options(self, args: list[str], opts: Namespace) -> None:
        super().process_options(args, opts)
        cast("Settings", self.settings).setdict(_DOWNLOAD_SETTINGS, priority="cmdline")

    def run(self, args: list[str], opts: Namespace) -> None:
        from scrapy_cetr.commands.run import run

        # At its end, Python searches all modules for garbage, which takes longer than many pages.
        atexit.register(gc.freeze)
        self.exitcode = run(
            args,
            opts,
            settings=cast("Settings", self.settings),
            process=cast("CrawlerProcessBase", self.crawler_process),
        )
