"""Stamps in real crawls with scrapy-playwright and Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f
from serve import SITE, serve

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.rendering.downloadermiddleware import CetrRenderedDownloaderMiddleware
from testkit.documented_servers import launch_options
from testkit.server import SENTENCES, TEXT, Crawled, Reply, Site, crawl, page

HANDLER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
STYLE = "<style>ul {float: left; width: 200px} div {margin-left: 220px}</style>"
EXPECTED: dict[str, dict[str, str]] = json.loads((SITE / "expected.json").read_text("utf-8"))
# A browser decodes pages as they declare, this one too.
MISLABELLED = "/encodings/latin1-declared-utf8.html"
HIDING = "<style>.offer {display: none}</style>"


def styled(marker: str = "") -> bytes:
    return page(marker).replace(b"<body>", b"<body>" + STYLE.encode())


def item_of(response: Response) -> Any:
    yield {"url": response.url, "html": response.text, "meta": {**response.meta}}


def browser_spider(
    *urls: str, parse: Callable[..., Any] = item_of, repeat: bool = True, **meta: Any
) -> type[Spider]:
    """Make a spider that requests pages with a browser, also those of an earlier run or not."""

    async def start(self: Spider) -> Any:
        for url in urls:
            yield scrapy.Request(url, meta={"playwright": True, **meta}, dont_filter=repeat)

    body = {"name": "pages", "start": start, "parse": staticmethod(parse)}
    return type("BrowserSpider", (Spider,), body)


async def browse(spider: type[Spider], **settings: Any) -> Crawled:
    return await crawl(
        spider,
        DOWNLOAD_HANDLERS={"http": HANDLER, "https": HANDLER},
        PLAYWRIGHT_LAUNCH_OPTIONS=launch_options(),
        **{"CETR_RENDERED": True, **settings},
    )


def layout_of(html: str) -> Any:
    return read(html, rows="blocks", with_stamps=True).layout


@deferred_f_from_coro_f
async def test_rendered_pages_are_stamped_and_extracted_by_both_methods(site: Site) -> None:
    urls = [site.add(f"/{number}", Reply(styled())) for number in range(2)]
    for method in ("learned", "clg"):
        crawled = await browse(browser_spider(*urls), CETR_METHOD=method)
        assert [item["article_text"] for item in crawled.items] == [TEXT, TEXT]
        assert crawled.cetr("rendered/stamped", "rendered/failed", "errors") == (2, None, None)
        for item in crawled.items:
            layout = layout_of(item["html"])
            assert layout.width == 1280
            assert "playwright_page_methods" not in item["meta"]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["learned", "clg"])
@deferred_f_from_coro_f
async def test_articles_of_the_bundled_site_are_stamped_and_extracted(method: str) -> None:
    with serve() as base:
        spider = browser_spider(*(base + path for path in EXPECTED))
        crawled = await browse(spider, CETR_METHOD=method, CONCURRENT_REQUESTS=2)
    assert crawled.cetr("rendered/stamped", "rendered/failed") == (len(EXPECTED), None)
    texts = {item["url"].removeprefix(base): item["article_text"] for item in crawled.items}
    assert texts.keys() == EXPECTED.keys()
    for path, expected in EXPECTED.items():
        if path == MISLABELLED:
            continue
        assert expected["first"] in texts[path], path
        assert expected["last"] in texts[path], path


@deferred_f_from_coro_f
async def test_page_without_the_setting_or_without_a_browser_is_not_stamped(site: Site) -> None:
    url = site.add("/plain")
    without = await browse(browser_spider(url), CETR_RENDERED=False)
    plain = await browse(browser_spider(url, playwright=False))
    for crawled in (without, plain):
        (item,) = crawled.items
        assert "data-cetr" not in item["html"]
        assert crawled.cetr("rendered/stamped", "rendered/failed") == (None, None)


LATE = f"""<script>setTimeout(() => {{
    for (const text of {list(SENTENCES)!r}) {{
        document.body.appendChild(document.createElement("p")).textContent = text;
    }}
    document.body.appendChild(document.createElement("i")).id = "done";
}}, 300)</script>"""


@deferred_f_from_coro_f
async def test_content_that_comes_late_is_stamped_after_the_methods_of_the_project(
    site: Site,
) -> None:
    from scrapy_playwright.page import PageMethod

    url = site.add("/late", Reply(f"<html><body>{LATE}</body></html>".encode()))
    waits = [PageMethod("wait_for_selector", "#done", state="attached")]
    crawled = await browse(browser_spider(url, playwright_page_methods=waits))
    (item,) = crawled.items
    assert item["article_text"] == TEXT
    assert int(layout_of(item["html"]).chars.sum()) == sum(
        len("".join(sentence.split())) for sentence in SENTENCES
    )
    assert item["meta"]["playwright_page_methods"] is waits


CSP = {"Content-Security-Policy": "default-src 'none'; require-trusted-types-for 'script'"}
THROWS = b"<script>window.getComputedStyle = () => { throw new Error('no styles') }</script>"
FROZEN = b"<script>Element.prototype.setAttribute = () => { throw new Error('no') }</script>"
REDIRECT = b"<script>location.replace('/target')</script>"


@pytest.mark.parametrize(
    ("reply", "counted"),
    [
        pytest.param(Reply(styled(), headers=CSP), ("stamped",), id="strict CSP"),
        pytest.param(
            Reply(page().replace(b"<body>", b"<body>" + THROWS)), ("failed",), id="throws"
        ),
        pytest.param(
            Reply(page().replace(b"<body>", b"<body>" + FROZEN)), ("failed",), id="frozen"
        ),
        pytest.param(
            Reply(page().replace(b"</div>", b"<i></i>" * 21_000 + b"</div>")),
            ("failed",),
            id="too many elements",
        ),
    ],
)
@deferred_f_from_coro_f
async def test_page_gives_its_response_whatever_it_does_to_the_script(
    site: Site, reply: Reply, counted: tuple[str, ...]
) -> None:
    crawled = await browse(browser_spider(site.add("/page", reply)), CETR_METHOD="clg")
    (item,) = crawled.items
    assert item["article_text"] == TEXT
    assert crawled.cetr(*(f"rendered/{name}" for name in counted)) == (1,)
    assert (layout_of(item["html"]) is not None) == (counted == ("stamped",))


@deferred_f_from_coro_f
async def test_page_that_redirects_by_script_gives_one_of_both_pages(site: Site) -> None:
    site.add("/target", Reply(styled()))
    url = site.add("/from", Reply(b"<html><body>" + REDIRECT + b"</body></html>"))
    crawled = await browse(browser_spider(url))
    (item,) = crawled.items
    assert item["article_text"] == TEXT


@deferred_f_from_coro_f
async def test_response_that_is_not_html_is_neither_stamped_nor_counted(site: Site) -> None:
    text = site.add("/text", Reply(b"Only text.", type="text/plain"))
    crawled = await browse(browser_spider(text))
    (item,) = crawled.items
    assert "data-cetr" not in item["html"]
    assert crawled.cetr("rendered/stamped", "rendered/failed") == (None, None)


@deferred_f_from_coro_f
async def test_page_that_a_callback_uses_again_is_stamped_again(site: Site) -> None:
    first, second = (site.add(f"/{name}", Reply(styled(name * 9))) for name in "ab")

    async def parse(response: Response) -> Any:
        browser_page = response.meta["playwright_page"]
        yield {"html": response.text}
        if response.url == first:
            yield response.follow(second, meta={**response.meta}, callback=parse)
        else:
            await browser_page.close()

    crawled = await browse(browser_spider(first, parse=parse, playwright_include_page=True))
    assert len(crawled.items) == 2
    assert all(layout_of(item["html"]) is not None for item in crawled.items)
    assert crawled.cetr("rendered/stamped") == (2,)


@deferred_f_from_coro_f
async def test_request_is_retried_as_the_project_made_it(site: Site) -> None:
    replies = [Reply(b"<p>busy", status=503), Reply(styled())]
    url = site.add("/busy", lambda: replies.pop(0))
    crawled = await browse(browser_spider(url))
    (item,) = crawled.items
    assert item["article_text"] == TEXT
    assert "playwright_page_methods" not in item["meta"]


@deferred_f_from_coro_f
async def test_stamps_survive_the_http_cache_and_a_job_folder(site: Site, tmp_path: Path) -> None:
    url = site.add("/cached", Reply(styled()))
    stored = {
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": str(tmp_path / "cache"),
        "CETR_METHOD": "clg",
    }
    first = await browse(browser_spider(url), JOBDIR=str(tmp_path / "job"), **stored)
    second = await browse(browser_spider(url), **stored)
    assert [one.items[0]["html"] for one in (first, second)] == [first.items[0]["html"]] * 2
    assert [one.items[0]["article_text"] for one in (first, second)] == [TEXT, TEXT]
    assert (first.cetr("rendered/stamped"), second.cetr("rendered/stamped")) == ((1,), (None,))


@deferred_f_from_coro_f
async def test_job_that_was_stopped_stamps_the_other_pages_when_it_goes_on(
    site: Site, tmp_path: Path
) -> None:
    urls = [site.add(f"/{number}", Reply(styled())) for number in range(4)]
    job = {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 1}
    runs = [
        await browse(browser_spider(*urls, repeat=False), **job, **stop)
        for stop in ({"CLOSESPIDER_ITEMCOUNT": 1}, {})
    ]
    items = [item for run in runs for item in run.items]
    assert 0 < len(runs[0].items) < len(urls)
    assert sorted(item["url"] for item in items) == sorted(urls)
    assert all(item["article_text"] == TEXT for item in items)
    assert all(layout_of(item["html"]) is not None for item in items)


@deferred_f_from_coro_f
async def test_text_that_the_style_sheet_hides_is_not_in_the_article(site: Site) -> None:
    offer = f'<p class="offer">{SENTENCES[0].replace("rained", "hailed")}</p>'
    body = page().replace(b"<div>", f"<div>{offer}".encode()).decode()
    sheet = site.add("/style.css", Reply(HIDING[7:-8].encode(), type="text/css"))
    body = body.replace("<html>", f'<html><head><link rel="stylesheet" href="{sheet}"></head>')
    url = site.add("/offer", Reply(body.encode()))
    for rendered, shown in ((True, False), (False, True)):
        crawled = await browse(browser_spider(url), CETR_RENDERED=rendered)
        assert ("hailed" in crawled.items[0]["article_text"]) == shown


@pytest.mark.parametrize("settings", [{}, {"CETR_RENDERED": True, "CETR_ENABLED": False}])
def test_middleware_is_disabled_without_its_setting(settings: dict[str, Any]) -> None:
    with pytest.raises(NotConfigured):
        CetrRenderedDownloaderMiddleware.from_crawler(Crawler(Spider, Settings(settings)))


def test_middleware_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_cetr.rendering.downloadermiddleware.version", lambda _: "0.0.41")
    crawler = Crawler(Spider, Settings({"CETR_RENDERED": True}))
    with pytest.raises(NotConfigured, match=r"pip install 'scrapy-cetr\[render\]'"):
        CetrRenderedDownloaderMiddleware.from_crawler(crawler)
