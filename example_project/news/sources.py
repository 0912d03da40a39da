"""Lists of a site's pages: robots.txt, sitemaps, feeds and links."""

from __future__ import annotations

import re
import zlib

from scrapy.http import HtmlResponse, Response, XmlResponse
from scrapy.linkextractors import IGNORED_EXTENSIONS, LinkExtractor

_ROBOTS_SITEMAP = re.compile(rb"^\s*sitemap:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_GZIP_START = b"\x1f\x8b"
# The protocol allows sitemaps of 50 MB.
_MAX_SITEMAP = 50 * 1024 * 1024
_FEED_LINKS = """
    //head/link[contains(concat(" ", normalize-space(@rel), " "), " alternate ")]
        [@type="application/rss+xml" or @type="application/atom+xml"]/@href
"""
_RSS_PAGES = '//*[local-name()="item"]/*[local-name()="link"]/text()'
_ATOM_PAGES = """
    //*[local-name()="entry"]/*[local-name()="link"][not(@rel) or @rel="alternate"]/@href
"""
_DATA_EXTENSIONS = ("atom", "csv", "gz", "ics", "js", "json", "rdf", "rss", "txt", "xml")
_LINKS = LinkExtractor(deny_extensions=[*IGNORED_EXTENSIONS, *_DATA_EXTENSIONS])


def sitemaps_in_robots(response: Response) -> list[str]:
    """List the sitemaps that a robots.txt names."""
    found = _ROBOTS_SITEMAP.findall(response.body)
    return [response.urljoin(url.decode("utf-8", "replace")) for url in found]


def sitemaps_in_index(response: Response) -> list[str]:
    """List the sitemaps that a sitemap index names; none if it is a sitemap itself."""
    return _locations(response, "sitemap")


def pages_in_sitemap(response: Response) -> list[str]:
    """List the pages of a sitemap."""
    return _locations(response, "url")


def feeds_in_page(response: Response) -> list[str]:
    """List the feeds that a page declares in its head."""
    if not isinstance(response, HtmlResponse):
        return []
    return [response.urljoin(href.strip()) for href in response.xpath(_FEED_LINKS).getall()]


def pages_in_feed(response: Response) -> list[str]:
    """List the pages of an RSS or Atom feed."""
    found = _xml(response).xpath(f"{_RSS_PAGES} | {_ATOM_PAGES}").getall()
    return [response.urljoin(url.strip()) for url in found]


def links_in_page(response: HtmlResponse) -> list[str]:
    """List the links of a page, except those with extensions of other files."""
    return [link.url for link in _LINKS.extract_links(response)]


def _locations(response: Response, parent: str) -> list[str]:
    query = f'//*[local-name()="{parent}"]/*[local-name()="loc"]/text()'
    return [response.urljoin(url.strip()) for url in _xml(response).xpath(query).getall()]


def _xml(response: Response) -> XmlResponse:
    """Read a response of any content type as XML, decompressing gzip."""
    body = response.body
    if body.startswith(_GZIP_START):
        try:
            body = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, _MAX_SITEMAP)
        except zlib.error:
            body = b""
    return XmlResponse(response.url, body=body)
