"""article(response): in callbacks, with and without a crawl, and with which options."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import article
from testkit.server import TEXT, Site, crawl, page, spider_of

MIDDLEWARE_OFF: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {"scrapy_cetr.CetrDownloaderMiddleware": None}
}


def yield_article(response: Response) -> Any:
    yield {"text": article(response).text, "url": article(response).url}


@pytest.mark.parametrize("settings", [{}, MIDDLEWARE_OFF, {"addon": False}])
@deferred_f_from_coro_f
async def test_article_can_be_used_in_a_callback(site: Site, settings: dict[str, Any]) -> None:
    url = site.add("/1")
    crawled = await crawl(spider_of(url, parse=yield_article), **settings)
    assert [(item["text"], item["url"]) for item in crawled.items] == [(TEXT, url)]


@pytest.mark.parametrize("settings", [{}, MIDDLEWARE_OFF])
@deferred_f_from_coro_f
async def test_article_of_a_response_is_extracted_once(
    site: Site, settings: dict[str, Any]
) -> None:
    def parse(response: Response) -> Any:
        yield {"same": article(response) is article(response)}

    crawled = await crawl(spider_of(site.add("/1"), parse=parse), **settings)
    assert crawled.items[0]["same"]
    assert crawled.items[0]["article_text"] == TEXT


@pytest.mark.parametrize(
    ("body", "has_text"), [(b"", False), (b"\x00\xff\xfe", None), (b"<p>words</p>", True)]
)
def test_article_accepts_a_response_of_any_type(body: bytes, has_text: bool | None) -> None:
    for kind in (Response, TextResponse, HtmlResponse):
        found = article(kind("http://example.com", body=body))
        assert found.url == "http://example.com"
        if has_text is not None:
            assert bool(found.text) == has_text


def test_article_accepts_options_without_a_crawl() -> None:
    response = HtmlResponse("http://example.com", body=page())
    assert article(response, method="cetr-km").method == "cetr-km"
    other = HtmlResponse("http://example.com", body=page())
    with pytest.raises(TypeError, match="unknown option 'methods'"):
        article(other, methods="cetr")


def test_article_uses_the_options_in_meta() -> None:
    request = Request("http://example.com", meta={"cetr": {"method": "cetr-tm"}})
    response = HtmlResponse("http://example.com", body=page(), request=request)
    assert article(response).method == "cetr-tm"


@deferred_f_from_coro_f
async def test_article_uses_the_options_of_the_crawl(site: Site) -> None:
    async def start(spider: Spider) -> AsyncIterator[Any]:
        yield Request(site.add("/1"))
        yield Request(site.add("/2"), meta={"cetr": {"method": "cetr-tm"}})

    def parse(response: Response) -> Any:
        found = article(response)
        yield {"path": response.url.removeprefix(site.url), "by": (found.method, found.short)}

    crawled = await crawl(
        spider_of(start=start, parse=parse),
        **MIDDLEWARE_OFF,
        CETR_METHOD="cetr-km",
        CETR_MIN_WORDS=9999,
    )
    found = {item["path"]: item["by"] for item in crawled.items}
    assert found == {"/1": ("cetr-km", True), "/2": ("cetr-tm", True)}


@deferred_f_from_coro_f
async def test_article_in_a_callback_is_not_written_if_meta_is_false(
    site: Site,
) -> None:
    async def start(spider: Spider) -> AsyncIterator[Any]:
        yield Request(site.add("/1"), meta={"cetr": False})

    def parse(response: Response) -> Any:
        yield {"mine": article(response).text}

    assert (await crawl(spider_of(start=start, parse=parse))).items == [{"mine": TEXT}]


def test_article_is_extracted_on_demand_even_if_meta_is_false() -> None:
    request = Request("http://example.com", meta={"cetr": False})
    response = HtmlResponse("http://example.com", body=page(), request=request)
    assert article(response).text == TEXT


@pytest.mark.parametrize("headers", [{}, {"Content-Type": "text/html"}])
def test_article_is_decoded_as_the_encoding_given_to_the_response(headers: dict[str, str]) -> None:
    # What a browser or an API for pages returns: UTF-8, with the charset of the original page.
    html = page("Zürich, Łódź and 東京 sent help.").decode()
    body = f'<meta charset="windows-1251">{html}'.encode()
    response = HtmlResponse("http://x.example", body=body, encoding="utf-8", headers=headers)
    assert "Zürich, Łódź and 東京 sent help." in article(response).text


def test_article_is_decoded_as_the_page_declares() -> None:
    html = '<meta charset="windows-1251"><p>В воскресенье мост снова открыли для машин.</p>'
    response = HtmlResponse("http://x.example", body=html.encode("windows-1251"))
    assert article(response).text == "В воскресенье мост снова открыли для машин."
