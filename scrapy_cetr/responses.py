"""The articles of responses, remembered for as long as somebody holds the response."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any
from weakref import WeakKeyDictionary

from scrapy.http import Response, TextResponse
from w3lib.encoding import http_content_type_encoding, resolve_encoding

from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.options import Options, make_options
from scrapy_cetr.settings import request_options

_articles: WeakKeyDictionary[Response, Article] = WeakKeyDictionary()
_options: WeakKeyDictionary[Response, Options] = WeakKeyDictionary()


def article(response: Response, **options: Any) -> Article:
    """Give the article of a response, to a callback for example.

    The downloader middleware has extracted it before the callback. Where that is off, it is
    extracted here, with the options of the crawl, these, and those of the request.
    """
    known = remembered(response)
    if known is None:
        wish = response.request.meta.get("cetr") if response.request else None
        of_crawl = asdict(_options.get(response, Options()))
        chosen = request_options(wish, make_options({**of_crawl, **options}))
        known = extract_article(page_html(response), url=response.url, options=chosen)
        remember(response, known)
    return known


def remembered(response: Response) -> Article | None:
    """Give the article of a response if it was extracted before."""
    return _articles.get(response)


def remember(response: Response, found: Article) -> None:
    """Keep the article of a response."""
    _articles[response] = found


def expect(response: Response, options: Options) -> None:
    """Keep the options of a crawl for a response whose article somebody may ask for."""
    _options[response] = options


def page_html(response: Response) -> str:
    """Decode a page, by the charset in its header if there is one."""
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    declared = http_content_type_encoding(content_type)
    if declared is not None and isinstance(response, TextResponse):
        # An encoding that was given to the response is preferred to its header.
        return decode(response.body, declared=resolve_encoding(response.encoding))
    return decode(response.body)
