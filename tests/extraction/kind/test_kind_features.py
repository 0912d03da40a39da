"""The features of kinds: markers, wordings and clues."""

from collections.abc import Sequence

import numpy as np
import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.kind.features import FEATURE_NAMES, kind_features
from scrapy_cetr.extraction.kind.markers import MARKER_NAMES, markers
from scrapy_cetr.extraction.kind.wordings import WORDINGS, count_wordings


def found(html: str = "", url: str | None = None, class_names: Sequence[str] = ()) -> set[str]:
    """Return the names of the markers that are not zero."""
    values = markers(html, url=url, class_names=class_names)
    return {name for name, value in zip(MARKER_NAMES, values, strict=True) if value}


def test_features_have_different_names_and_finite_values() -> None:
    assert len(set(FEATURE_NAMES)) == len(FEATURE_NAMES)
    lazy = extract("<h1>Rain</h1><p>It rained.")._lazy
    assert lazy is not None
    assert lazy._clues is not None
    values = kind_features(lazy._clues, "<h1>Rain</h1><p>It rained.", url="https://a.example/b")
    assert values.shape == (len(FEATURE_NAMES),)
    assert np.isfinite(values).all()


@pytest.mark.parametrize(
    ("url", "marker"),
    [
        ("https://a.example/docs/api/install", "URL of documentation"),
        ("https://a.example/forum/viewtopic.php?t=1", "URL of forum"),
        ("https://a.example/product/7", "URL of product"),
        ("https://a.example/category/rain", "URL of listing"),
        ("https://a.example/services/roofs", "URL of service"),
        ("https://a.example/2024/05/rain", "URL of date"),
        ("https://a.example/", "URL of a home page"),
    ],
)
def test_url_has_markers(url: str, marker: str) -> None:
    assert marker in found(url=url)
    assert marker not in found(url="https://a.example/rain-on-monday")


def test_head_has_markers_up_to_the_body() -> None:
    page = "<meta property=og:type content='article'><body><p>vbulletin</p>"
    assert "head: og:type article" in found(page)
    assert "head: forum software" not in found(page)
    assert "head: forum software" in found("<meta name=generator content=vBulletin><body>")


def test_json_ld_types_are_markers_wherever_the_script_is() -> None:
    script = '<script type="application/ld+json">{"@graph": [{"@type": ["Product"]}]}</script>'
    assert "schema: product" in found("<body><p>x</p>" + script)
    assert "schema: product" not in found('<p>"@type": "Product"</p>')


def test_class_names_have_markers() -> None:
    assert "class names: cart" in found(class_names=["btn add-to-cart"])
    assert "class names: thread" in found(class_names=["thread-reply"])


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Seite NICHT gefunden", "missing"),
        ("サーバーエラー", "failure"),
        ("Accès refusé", "denied"),
        ("Подтвердите, что вы не робот", "robot"),
        ("同意", "consent"),
        ("Wachtwoord vergeten", "login"),
        ("Réservé aux abonnés", "paywall"),
    ],
)
def test_wordings_are_counted_by_topic_whatever_their_case(text: str, topic: str) -> None:
    counts = dict(zip(WORDINGS, count_wordings(text), strict=True))
    assert max(counts, key=lambda name: counts[name]) == topic


def test_wordings_are_lower_case_and_not_empty() -> None:
    for wordings in WORDINGS.values():
        assert all(wording and wording == wording.lower() for wording in wordings)
    assert count_wordings("") == [0] * len(WORDINGS)
