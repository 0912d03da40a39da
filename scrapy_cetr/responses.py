"""Responses: decoding their HTML, and getting their article in a callback."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from scrapy.http import Response, TextResponse
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    resolve_encoding,
)

from scrapy_cetr.carrier import response_article, response_options, set_response_article
from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.html.decoding import EncodedPage
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.settings import request_options


def article(response: Response, **options: Any) -> Article:
    """Return the article of a response, for example in a callback.

    Usually, the downloader middleware has extracted it before the callback. Otherwise, it is
    extracted here, with the options of the crawl, overridden by ``options``, overridden by those
    in ``request.meta["cetr"]``.
    """
    known = response_article(response)
    if known is None:
        requested = response.request.meta.get("cetr") if response.request else None
        crawl_options, rule = response_options(response)
        chosen = request_options(requested, make_options({**asdict(crawl_options), **options}))
        html = page_html(response)
        known = extract_article(html, url=response.url, options=chosen, rule=rule)
        set_response_article(response, known)
    return known


def page_html(response: Response) -> str:
    """Decode a page, by the encoding given to the response or the charset in its header."""
    return encoded_page(response).decode()


def encoded_page(response: Response) -> EncodedPage:
    """Return a page with the encoding given to the response or the charset in its header."""
    if not isinstance(response, TextResponse):
        return EncodedPage(response.body)
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    in_header = http_content_type_encoding(content_type)
    in_page = html_body_declared_encoding(response.body)
    encoding = resolve_encoding(response.encoding) if in_header or in_page else None
    # Without a header, Scrapy believes the page. Another encoding was given to the response: a
    # browser writes UTF-8, and leaves the charset in the page as it was.
    if in_header or in_page != encoding:
        return EncodedPage(response.body, encoding)
    return EncodedPage(response.body)
