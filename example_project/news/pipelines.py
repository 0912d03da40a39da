"""A pipeline that stores items in SQLite."""

from __future__ import annotations

import sqlite3
from typing import Any, Self

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler

_TABLE = """
    CREATE TABLE IF NOT EXISTS articles (
        url TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        words INTEGER NOT NULL,
        article_text TEXT NOT NULL
    )
"""
_INSERT = "INSERT OR REPLACE INTO articles VALUES (:url, :title, :words, :article_text)"


class SqlitePipeline:
    """Stores each item immediately, so that an interrupted crawl loses none."""

    def __init__(self, file: str) -> None:
        self.file = file

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Read the name of the file from the settings."""
        return cls(crawler.settings["SQLITE_FILE"])

    def open_spider(self) -> None:
        """Open the file, and create the table if this is the first crawl."""
        self.connection = sqlite3.connect(self.file)
        # Safe if the crawl is killed, without waiting for the disk at every item.
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self.connection.execute(_TABLE)

    def close_spider(self) -> None:
        """Close the file."""
        self.connection.close()

    def process_item(self, item: Any) -> Any:
        """Store an item, and pass it on."""
        with self.connection:
            self.connection.execute(_INSERT, ItemAdapter(item).asdict())
        return item
