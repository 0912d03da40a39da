"""Attach the article of each crawled page to its items; importing this does not import Scrapy."""

from scrapy_cetr.extraction import Article, extract

__all__ = ["Article", "__version__", "extract"]

__version__ = "0.1.0"
