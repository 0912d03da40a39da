"""The extraction library: HTML in, article out. It does not need Scrapy."""

from scrapy_cetr.extraction.article import Article, extract
from scrapy_cetr.extraction.joining import join_articles
from scrapy_cetr.extraction.methods import METHODS
from scrapy_cetr.extraction.options import Options

__all__ = ["METHODS", "Article", "Options", "extract", "join_articles"]
