"""What is stored of a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(kw_only=True)
class Article:
    """One article; article_text is left empty by the spider and filled by scrapy-cetr."""

    url: str
    title: str
    words: int
    article_text: str = ""
