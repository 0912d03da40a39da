"""CetrPipeline: article attributes in item fields, the Zyte preset, dropped items."""

import json
from dataclasses import replace
from typing import Any

import pytest
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse, Response
from scrapy.statscollectors import StatsCollector
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

import scrapy_cetr
from scrapy_cetr import Article, CetrPipeline, extract
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.lazy import LazyValues
from scrapy_cetr.extraction.worker import as_record, from_record
from testkit.server import Reply, Site, crawl, spider_of

STORY = (
    (
        "It rained all day, and by night the river stood in the streets of the old town, up to the"
        " steps of the church and the doors of the school."
    ),
    (
        "Nobody was hurt, said the mayor, who had been on her feet since the rain began, and who"
        " went from house to house with a lamp and a rope."
    ),
    (
        "By the end of the week the water should be gone, and with it most of the harvest, for"
        " which the farmers of the valley had worked since spring."
    ),
)
SCRIPT = """{"@context": "https://schema.org", "@graph": [
 {"@type": "NewsArticle", "headline": "Flood", "author": [{"@type": "Person", "name": "Ann Lee"}],
  "datePublished": "2025-03-01", "dateModified": "2025-03-02T10:00:00+01:00",
  "description": "A flood.", "isAccessibleForFree": true},
 {"@type": "BreadcrumbList", "itemListElement": [
  {"@type": "ListItem", "name": "News", "item": "/news"}]}]}"""
PAGE = f"""<html lang="en-GB"><head><title>Flood | The Courier</title>
<meta property="og:image" content="/flood.jpg"><meta property="og:site_name" content="The Courier">
<link rel="canonical" href="/flood"><script type="application/ld+json">{SCRIPT}</script></head>
<body><h1>Flood</h1><p>{STORY[0]}</p>
<p><img src="/boat.jpg" alt="A boat">See <a href="/map">the map</a> of the <b>town</b>.
{STORY[1]}</p>
<p>{STORY[2]}</p></body></html>"""


def add_page(site: Site) -> str:
    return site.add("/flood", Reply(PAGE.encode()))


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_every_article_attribute_can_be_written(site: Site, workers: int) -> None:
    url = add_page(site)
    fields = {name: name for name in ATTRIBUTES}
    crawled = await crawl(spider_of(url), CETR_FIELDS=fields, CETR_WORKERS=workers)
    (item,) = crawled.items
    expected = extract(PAGE, url=url)
    assert item["title"] == expected.title == "Flood"
    assert item["authors"] == ["Ann Lee"]
    assert item["breadcrumbs"] == [{"name": "News", "url": f"{site.url}/news"}]
    assert item["links"] == [{"text": "the map", "url": f"{site.url}/map"}]
    assert item["images"] == [
        {"url": f"{site.url}/flood.jpg", "alt": "", "caption": ""},
        {"url": f"{site.url}/boat.jpg", "alt": "A boat", "caption": ""},
    ]
    assert item["sources"]["title"] == "layout"
    assert item["paywalled"] is False
    for name in ("text", "markdown", "html", "language", "date_modified", "words", "probability"):
        assert item[name] == getattr(expected, name)


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_zyte_preset_writes_all_fields(site: Site, workers: int) -> None:
    url = add_page(site)
    crawled = await crawl(spider_of(url), CETR_FIELDS="zyte", CETR_WORKERS=workers)
    (item,) = crawled.items
    article = extract(PAGE, url=url)
    assert item == {
        "url": url,
        "canonicalUrl": url,
        "headline": "Flood",
        "datePublished": "2025-03-01T00:00:00",
        "datePublishedRaw": "2025-03-01",
        "dateModified": "2025-03-02T10:00:00+01:00",
        "dateModifiedRaw": "2025-03-02T10:00:00+01:00",
        "authors": [{"name": "Ann Lee", "nameRaw": "Ann Lee"}],
        "inLanguage": "en",
        "breadcrumbs": [{"name": "News", "url": f"{site.url}/news"}],
        "mainImage": {"url": f"{site.url}/flood.jpg"},
        "images": [{"url": f"{site.url}/flood.jpg"}, {"url": f"{site.url}/boat.jpg"}],
        "description": "A flood.",
        "articleBody": article.text,
        "articleBodyHtml": article.html,
        "metadata": {"probability": article.probability},
    }


def test_zyte_preset_writes_the_probability_as_metadata() -> None:
    item = written(replace(extract(PAGE), probability=0.875), CETR_FIELDS="zyte")
    assert item["metadata"] == {"probability": 0.875}


def pipeline(**settings: Any) -> CetrPipeline:
    crawler = get_crawler(settings_dict=settings)
    crawler.stats = StatsCollector(crawler)
    return CetrPipeline.from_crawler(crawler)


def written(article: Article, **settings: Any) -> dict[str, Any]:
    """Return an item after the pipeline has written an article into it."""
    found = pipeline(**settings)
    item: dict[str, Any] = {}
    response = HtmlResponse("http://example.com")
    found.carrier.load(item, found.extractor.settle(article), response)
    coroutine = found.process_item(item)
    with pytest.raises(StopIteration) as finished:
        coroutine.send(None)
    return dict(finished.value.value)


# Dropped items


@pytest.mark.parametrize(
    ("probability", "settings", "kept"),
    [
        (0.2, {}, True),
        (0.2, {"CETR_MIN_PROBABILITY": 0.5}, False),
        (0.6, {"CETR_MIN_PROBABILITY": 0.5}, True),
        (None, {"CETR_MIN_PROBABILITY": 1}, True),
    ],
)
def test_item_with_a_low_probability_is_dropped(
    probability: float | None, settings: dict[str, Any], kept: bool
) -> None:
    article = replace(extract(PAGE), probability=probability)
    if kept:
        assert written(article, **settings)["article_text"] == article.text
    else:
        with pytest.raises(DropItem, match="CETR_MIN_PROBABILITY"):
            written(article, **settings)


@pytest.mark.parametrize(
    ("kind", "settings", "kept"),
    [
        ("listing", {}, True),
        ("listing", {"CETR_NOT_ARTICLE": "drop"}, False),
        ("stub", {"CETR_NOT_ARTICLE": "drop"}, False),
        ("article", {"CETR_NOT_ARTICLE": "drop"}, True),
        (None, {"CETR_NOT_ARTICLE": "drop"}, True),
    ],
)
def test_item_of_another_kind_is_dropped(
    kind: str | None, settings: dict[str, Any], kept: bool
) -> None:
    article = replace(extract(PAGE), _lazy=LazyValues.known({"kind": kind}))
    if kept:
        assert written(article, **settings)["article_text"] == article.text
    else:
        with pytest.raises(DropItem, match=f"^the kind of the page is {kind}, and CETR_NOT"):
            written(article, **settings)


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_item_in_another_language_is_dropped(site: Site, workers: int) -> None:
    sentence = (
        "Es hat in der Nacht so viel geregnet, dass der Fluss in den Straßen der Stadt stand. "
    )
    german = f"<html lang=de><h1>Die Flut</h1><p>{sentence * 4}"
    unknown = b"<html><body><p>1 2 3 4</p></body></html>"
    urls = [add_page(site), site.add("/de", Reply(german.encode())), site.add("/x", Reply(unknown))]
    crawled = await crawl(spider_of(*urls), CETR_LANGUAGES=["en"], CETR_WORKERS=workers)
    assert sorted(item["url"] for item in crawled.items) == sorted([urls[0], urls[2]])
    assert crawled.stats["item_dropped_count"] == 1


# Short articles


@pytest.mark.parametrize(("short", "kept"), [("keep", 2), ("drop", 1)])
@deferred_f_from_coro_f
async def test_short_article_is_flagged_or_dropped(site: Site, short: str, kept: int) -> None:
    urls = [site.add("/long"), site.add("/short", Reply(b"<p>Only four words here.</p>"))]
    crawled = await crawl(
        spider_of(*urls),
        CETR_MIN_WORDS=10,
        CETR_SHORT=short,
        CETR_FIELDS={"short": "short"},
    )
    flags = {item["url"].rpartition("/")[2]: item["short"] for item in crawled.items}
    assert flags == ({"long": False, "short": True} if kept == 2 else {"long": False})
    assert len(crawled.dropped) == 2 - kept
    assert crawled.cetr("short", "pages") == (1, 2)


@deferred_f_from_coro_f
async def test_no_article_is_short_without_cetr_min_words(site: Site) -> None:
    url = site.add("/1", Reply(b"<p>word</p>"))
    crawled = await crawl(spider_of(url), CETR_SHORT="drop")
    assert crawled.items == [{"url": url, "article_text": "word"}]


@deferred_f_from_coro_f
async def test_failed_article_is_not_short(site: Site, failing_extraction: None) -> None:
    url = site.add("/1")
    crawled = await crawl(spider_of(url), CETR_MIN_WORDS=5, CETR_SHORT="drop")
    assert crawled.items == [{"url": url, "article_text": ""}]
    assert crawled.cetr("errors", "short") == (1, None)


# Callbacks


@pytest.mark.parametrize("workers", [0, 1])
@deferred_f_from_coro_f
async def test_callback_can_use_attributes_that_no_field_uses(site: Site, workers: int) -> None:
    def parse(response: Response) -> Any:
        article = scrapy_cetr.article(response)
        yield {"heading": article.title, "by": article.authors, "size": len(article.markdown)}

    crawled = await crawl(spider_of(add_page(site), parse=parse), CETR_WORKERS=workers)
    (item,) = crawled.items
    assert (item["heading"], item["by"]) == ("Flood", ("Ann Lee",))
    assert item["size"] > sum(map(len, STORY))
    assert crawled.stats["cetr/pages"] == 1


# Messages of workers


def test_article_record_survives_json() -> None:
    article = extract(PAGE, url="http://example.com/")
    again = from_record(json.loads(json.dumps(as_record(article, ATTRIBUTES))))
    assert again == article
    for name in ATTRIBUTES:
        assert getattr(again, name) == getattr(article, name)
