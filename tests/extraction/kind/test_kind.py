"""article.kind: what it is, when it is known, and how it travels."""

import io
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from scrapy_cetr import extract, join_articles
from scrapy_cetr.extraction import METHODS
from scrapy_cetr.extraction.article import LAZY, Article
from scrapy_cetr.extraction.kind import KINDS
from scrapy_cetr.extraction.kind.features import FEATURE_NAMES
from scrapy_cetr.extraction.kind.model import (
    KindWeightsError,
    load_model,
    save_model,
    shipped_model,
)
from scrapy_cetr.extraction.worker import as_record, from_record
from testkit.hostile import TRAPS

RAIN = "It rained all day, and by night the river stood in the streets of the old town. "
STORY = "".join(f"<p>{RAIN} Nobody was hurt in street {n}, said the mayor.</p>" for n in range(12))
PAGE = f"<html><title>Flood</title><body><article><h1>Flood</h1>{STORY}</article></body></html>"
URL = "https://courier.example/2024/05/flood-in-the-old-town.html"
LISTING = "<title>News</title><main>" + "".join(
    f"<div class=card><a href=/{n}><h3>Headline number {n} of the day</h3></a></div>"
    for n in range(60)
)
THREAD = "<title>Pump is loud - Garden Forum</title><h1>Pump is loud</h1>" + "".join(
    f"<div class='post message'><div class=user-avatar><a href=/u/{n}>member{n}</a></div>"
    f"<div class=post-body><p>My pump has been loud since {n} weeks, did you try to clean it?</p>"
    f"</div><div class=signature>Joined 2011</div><a href=#>Reply</a> <a href=#>Quote</a></div>"
    for n in range(12)
)
PRODUCT = (
    "<title>Garden pump 40 W</title><script type='application/ld+json'>"
    '{"@type": "Product", "name": "Garden pump", "offers": {"@type": "Offer", "price": "49.90"}}'
    "</script><div class=product><h1>Garden pump 40 W</h1><span class=price>€ 49.90</span>"
    "<form class=add-to-cart><input name=quantity><button>Add to cart</button></form>"
    "<ul class=product-specs><li>40 W</li><li>1.2 kg</li><li>10 m cable</li></ul>"
    "<p>A small pump for ponds of up to two cubic metres.</p></div>"
    "<div class=product-grid>"
    + "<div class=product-card><a href=/p>Pump</a><span class=price>€ 19</span></div>" * 8
    + "</div>"
)


def test_kind_of_typical_pages() -> None:
    assert extract(PAGE, url=URL).kind == "article"
    assert extract(LISTING, url="https://courier.example/news/").kind == "listing"
    assert extract(THREAD, url="https://garden.example/forum/viewtopic.php?t=7").kind == "forum"
    assert extract(PRODUCT, url="https://shop.example/products/garden-pump").kind == "product"


def test_kind_has_a_probability_of_its_own() -> None:
    article = extract(PAGE, url=URL)
    assert article.kind_probability is not None
    assert 1 / len(KINDS) < article.kind_probability <= 1
    assert article.probability != article.kind_probability


@pytest.mark.parametrize("html", ["", "<p></p>", "<title>Only a title</title>", " \n "])
def test_kind_of_a_page_without_text_is_other(html: str) -> None:
    article = extract(html)
    assert (article.kind, article.kind_probability) == ("other", 1.0)
    assert not article.is_article


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("learned", "clg")])
def test_kind_is_unknown_for_other_methods(method: str) -> None:
    article = extract(PAGE, url=URL, method=method)
    assert (article.kind, article.kind_probability) == (None, None)
    # Unknown kinds are never dropped.
    assert article.is_article


def test_kind_survives_pickling_records_and_settling() -> None:
    article = extract(LISTING)
    expected = (article.kind, article.kind_probability)
    fresh = pickle.loads(pickle.dumps(extract(LISTING)))  # noqa: S301
    assert (fresh.kind, fresh.kind_probability) == expected
    record = as_record(extract(LISTING), ("kind", "kind_probability"))
    assert (record["kind"], record["kind_probability"]) == expected
    assert from_record(record).kind == expected[0]
    settled = extract(LISTING).settled(("kind",))
    assert (settled.kind, settled.kind_probability) == (expected[0], None)
    assert {"kind", "kind_probability"} <= set(LAZY)


def test_kind_of_a_joined_article_is_that_of_its_first_page() -> None:
    assert join_articles([extract(PAGE, url=URL), extract(LISTING)]).kind == "article"


def test_article_needs_text_and_kind() -> None:
    assert not Article(method="learned").is_article
    assert Article(text="Rain.", method="cetr").is_article
    assert not replace(extract(LISTING, url="https://courier.example/news/"), text="x").is_article


def test_kind_without_a_url_or_with_an_invalid_one_is_told_nevertheless() -> None:
    for url in (None, "", "http://[", "x" * 100_000):
        assert extract(PAGE, url=url).kind == "article"


@pytest.mark.parametrize("name", TRAPS)
def test_kind_of_a_hostile_page_is_told(name: str) -> None:
    article = extract(TRAPS[name](100_000) + PAGE)
    assert article.kind in KINDS
    assert np.isfinite(article.kind_probability or np.nan)


def test_stub_is_paywalled_unless_the_page_declares_otherwise() -> None:
    stub = (
        "<title>The last lamplighter</title><h1>The last lamplighter</h1><p>Every evening at dusk,"
        " Tom Reed walks from lamp to lamp with a ladder on his shoulder.</p><div class=paywall>"
        "<p>This article is exclusive to subscribers. Subscribe to continue reading.</p>"
        "<a href=/s>Subscribe now</a> <a href=/l>Already a subscriber? Log in</a></div>"
    )
    article = extract(stub, url=URL)
    assert (article.kind, article.paywalled) == ("stub", True)
    assert article.sources["paywalled"] == "page"
    free = "<meta property=article:content_tier content=free>"
    assert extract(free + stub, url=URL).paywalled is False
    assert extract(PAGE, url=URL).paywalled is None


# Weights


def test_weights_are_the_same_after_saving_and_loading() -> None:
    file = io.BytesIO()
    save_model(file, shipped_model())
    file.seek(0)
    loaded = load_model(file)
    values = np.ones(len(FEATURE_NAMES))
    assert loaded.probabilities(values).sum() == pytest.approx(1)
    assert (loaded.probabilities(values) == shipped_model().probabilities(values)).all()


def test_weights_with_an_unknown_feature_are_refused() -> None:
    file = io.BytesIO()
    arrays = {"kinds": np.array(KINDS), "feature_names": np.array(["length of shadow"])}
    np.savez(file, **arrays)  # type: ignore[arg-type]
    file.seek(0)
    with pytest.raises(KindWeightsError, match=r"'length of shadow'; train the weights again"):
        load_model(file)


def test_weights_are_loaded_only_when_a_kind_is_asked_for() -> None:
    code = (
        "import scrapy_cetr; from scrapy_cetr.extraction.kind import model;"
        "article = scrapy_cetr.extract('<p>Rain'); article.text;"
        "print(model.shipped_model.cache_info().currsize);"
        "article.kind; print(model.shipped_model.cache_info().currsize)"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("0\n1\n", "")
