"""CetrDownloaderMiddleware: which responses are extracted, and with which options."""

import gzip
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import article
from scrapy_cetr.carrier import response_article
from testkit.server import TEXT, Reply, Site, crawl, page, spider_of

GERMAN = "Größe für Köln, Bücher für Österreich und Grüße für Düsseldorf."


def yield_known_article(response: Response) -> Any:
    found = response_article(response)
    yield {"url": response.url, "before": None if found is None else found.text}


@deferred_f_from_coro_f
async def test_page_is_extracted_once_before_its_callback(site: Site) -> None:
    def parse(response: Response) -> Any:
        yield from yield_known_article(response)
        yield from yield_known_article(response)

    crawled = await crawl(spider_of(site.add("/1"), parse=parse))
    assert crawled.items == [{"url": f"{site.url}/1", "before": TEXT, "article_text": TEXT}] * 2
    assert crawled.cetr("pages", "extracted", "items") == (1, 1, 2)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(b"%PDF-1.4 \x00\x01 <p>text</p>", type="application/pdf"), "not_html"),
        (Reply(b'{"html": "<p>text</p>"}', type="application/json"), "not_html"),
        (Reply(b"\x89PNG\r\n\x1a\n\x00", type="image/png"), "not_html"),
        (Reply(b"words", type="text/plain"), "not_html"),
        (Reply(b"<rss></rss>", type="text/xml"), "not_html"),
        (Reply(b""), "no_body"),
    ],
)
@deferred_f_from_coro_f
async def test_response_without_html_is_skipped(site: Site, reply: Reply, reason: str) -> None:
    crawled = await crawl(spider_of(site.add("/1", reply)))
    assert crawled.items == [{"url": f"{site.url}/1"}]
    assert crawled.cetr("pages", "items", f"skipped/{reason}") == (None, None, 1)


@deferred_f_from_coro_f
async def test_missing_page_is_skipped(site: Site) -> None:
    crawled = await crawl(spider_of(f"{site.url}/nowhere"))
    assert crawled.items == []
    assert crawled.cetr("pages", "skipped/status") == (None, 1)


MIDDLEWARE_OFF: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {"scrapy_cetr.CetrDownloaderMiddleware": None}
}


def requesting_gone(site: Site, requested: object, **attributes: Any) -> type[Spider]:
    """Make a spider whose callback gets an error page."""
    url = site.add("/gone", Reply(status=410))

    async def start(spider: Spider) -> AsyncIterator[Any]:
        yield Request(url, meta={"cetr": requested, "handle_httpstatus_list": [410]})

    return spider_of(start=start, **attributes)


@pytest.mark.parametrize("settings", [{}, MIDDLEWARE_OFF])
@pytest.mark.parametrize("requested", [None, {}, {"method": "cetr"}, False])
@deferred_f_from_coro_f
async def test_item_of_an_error_page_has_no_article(
    site: Site, requested: object, settings: dict[str, Any]
) -> None:
    crawled = await crawl(requesting_gone(site, requested), **settings)
    assert crawled.items == [{"url": f"{site.url}/gone"}]
    assert crawled.cetr("pages", "items") == (None, None)


@deferred_f_from_coro_f
async def test_item_of_an_error_page_has_no_article_if_its_callback_used_it(site: Site) -> None:
    def parse(response: Response) -> Any:
        yield {"mine": article(response).text}

    crawled = await crawl(requesting_gone(site, None, parse=staticmethod(parse)))
    assert crawled.items == [{"mine": TEXT}]


@pytest.mark.parametrize("settings", [{}, MIDDLEWARE_OFF, {"CETR_WORKERS": 1}])
@deferred_f_from_coro_f
async def test_error_page_is_extracted_if_its_request_asks_for_it(
    site: Site, settings: dict[str, Any]
) -> None:
    crawled = await crawl(requesting_gone(site, True), **settings)
    assert crawled.items == [{"url": f"{site.url}/gone", "article_text": TEXT}]
    assert crawled.cetr("pages", "extracted", "skipped/status") == (1, 1, None)


@pytest.mark.parametrize("settings", [{}, MIDDLEWARE_OFF])
@deferred_f_from_coro_f
async def test_item_of_an_errback_has_no_article(site: Site, settings: dict[str, Any]) -> None:
    urls = [site.add("/gone", Reply(status=410)), "http://127.0.0.1:1/refused"]

    async def start(spider: Any) -> AsyncIterator[Any]:
        for url in urls:
            yield Request(url, errback=spider.failed)

    def failed(spider: Spider, failure: Any) -> Any:
        yield {"failed": failure.request.url}

    crawled = await crawl(spider_of(start=start, failed=failed), **settings)
    assert sorted(crawled.items, key=str) == [{"failed": url} for url in sorted(urls)]
    assert crawled.cetr("pages", "items") == (None, None)


@deferred_f_from_coro_f
async def test_response_to_a_head_request_is_skipped(site: Site) -> None:
    url = site.add("/1")

    async def start(spider: Spider) -> AsyncIterator[Any]:
        yield Request(url, method="HEAD")

    crawled = await crawl(spider_of(start=start))
    assert crawled.items == [{"url": url}]
    assert crawled.cetr("pages") == (None,)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@deferred_f_from_coro_f
async def test_only_the_target_of_a_redirect_is_extracted(site: Site, status: int) -> None:
    reply = Reply(page("Moved"), status=status, headers={"Location": "/2"})
    site.add("/2")
    crawled = await crawl(spider_of(site.add("/1", reply)))
    assert crawled.items == [{"url": f"{site.url}/2", "article_text": TEXT}]
    assert crawled.cetr("pages") == (1,)


@deferred_f_from_coro_f
async def test_only_the_target_of_a_meta_refresh_is_extracted(site: Site) -> None:
    reply = Reply(b'<meta http-equiv="refresh" content="0; url=/2">' + page("Moved"))
    site.add("/2")
    crawled = await crawl(spider_of(site.add("/1", reply)))
    assert crawled.items == [{"url": f"{site.url}/2", "article_text": TEXT}]
    assert crawled.cetr("pages") == (1,)


@deferred_f_from_coro_f
async def test_only_the_last_response_of_retries_is_extracted(site: Site) -> None:
    replies = [Reply(), Reply(page("Busy"), status=503)]
    url = site.add("/1", replies.pop)
    crawled = await crawl(spider_of(url))
    assert site.hits == ["/1", "/1"]
    assert crawled.items == [{"url": url, "article_text": TEXT}]
    assert crawled.cetr("pages") == (1,)


@deferred_f_from_coro_f
async def test_compressed_page_is_extracted(site: Site) -> None:
    reply = Reply(gzip.compress(page()), headers={"Content-Encoding": "gzip"})
    url = site.add("/1", reply)
    assert (await crawl(spider_of(url))).items == [{"url": url, "article_text": TEXT}]


@deferred_f_from_coro_f
async def test_robots_txt_is_skipped(site: Site) -> None:
    site.add("/robots.txt", Reply())  # as sites do that answer everything with a page
    crawled = await crawl(spider_of(site.add("/1")), ROBOTSTXT_OBEY=True)
    assert site.hits == ["/robots.txt", "/1"]
    assert crawled.cetr("pages", "skipped/no_callback") == (1, 1)
    assert crawled.items[0]["article_text"] == TEXT


@deferred_f_from_coro_f
async def test_files_of_media_pipelines_are_skipped(site: Site, tmp_path: Path) -> None:
    file = site.add("/file.html")

    def parse(response: Response) -> Any:
        yield {"url": response.url, "file_urls": [file]}

    crawled = await crawl(
        spider_of(site.add("/1"), parse=parse),
        ITEM_PIPELINES={"scrapy.pipelines.files.FilesPipeline": 1},
        FILES_STORE=str(tmp_path),
    )
    assert len(crawled.items[0]["files"]) == 1
    assert crawled.items[0]["article_text"] == TEXT
    assert crawled.cetr("pages", "skipped/no_callback") == (1, 1)


@deferred_f_from_coro_f
async def test_download_inside_a_callback_is_skipped(site: Site) -> None:
    other = site.add("/2")

    async def parse(spider: Any, response: Response) -> AsyncIterator[Any]:
        again = Request(other, callback=NO_CALLBACK)
        yield {"status": (await spider.crawler.engine.download_async(again)).status}

    crawled = await crawl(type("S", (spider_of(site.add("/1")),), {"parse": parse}))
    assert crawled.items == [{"status": 200, "article_text": TEXT}]
    assert crawled.cetr("pages", "skipped/no_callback") == (1, 1)


@pytest.mark.parametrize(
    ("body", "type_"),
    [
        (page(GERMAN), "text/html; charset=utf-8"),
        (page(GERMAN).decode().encode("latin-1"), "text/html; charset=iso-8859-1"),
        (
            b"<meta charset=utf-8>" + page(GERMAN).decode().encode("cp1252"),
            "text/html; charset=utf-8",
        ),
        (b"<meta charset=cp1252>" + page(GERMAN).decode().encode("cp1252"), "text/html"),
        (page(GERMAN), "text/html; charset=nonsense"),
    ],
)
@deferred_f_from_coro_f
async def test_page_is_decoded_despite_a_wrong_charset(site: Site, body: bytes, type_: str) -> None:
    crawled = await crawl(spider_of(site.add("/1", Reply(body, type=type_))))
    assert GERMAN in crawled.items[0]["article_text"]


@pytest.mark.parametrize("charset", ["hex", "idna", "rot13"])
@pytest.mark.parametrize(
    "settings",
    [{}, {"DOWNLOADER_MIDDLEWARES": {"scrapy_cetr.CetrDownloaderMiddleware": None}}],
)
@deferred_f_from_coro_f
async def test_charset_that_is_no_text_encoding_is_ignored(
    site: Site, settings: dict[str, Any], charset: str
) -> None:
    url = site.add("/1", Reply(type=f"text/html; charset={charset}"))
    # Scrapy's MetaRefreshMiddleware fails on such a page.
    crawled = await crawl(spider_of(url), METAREFRESH_ENABLED=False, **settings)
    assert crawled.items == [{"url": url, "article_text": TEXT}]
    assert crawled.cetr("pages", "errors") == (1, None)
