"""The extraction library inside the plugin: a page in, its article out, without Scrapy."""

from scrapy_cetr.extraction.article import Article, extract
from scrapy_cetr.extraction.methods import METHODS
from scrapy_cetr.extraction.options import Options

__all__ = ["METHODS", "Article", "Options", "extract"]
