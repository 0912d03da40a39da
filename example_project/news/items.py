"""The item of a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(kw_only=True)
class Article:
    """An article; scrapy-cetr fills article_text, which the spider leaves empty."""

    url: str
    title: str
    words: int
    article_text: str = ""
