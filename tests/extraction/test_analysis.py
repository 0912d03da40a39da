"""The steps from HTML to the text of an article, and how often they read the page."""

import gc
import json
import tracemalloc
import weakref
from collections import Counter
from typing import Any

import pytest

from scrapy_cetr.extraction import METHODS, extract, loops
from scrapy_cetr.extraction import analysis as analysis_module
from scrapy_cetr.extraction.analysis import analyse, is_hidden, judge, read_page
from scrapy_cetr.extraction.html import json_ld
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.metadata import parsed_page
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.options import Options

SENTENCES = [
    f"It rained for {n} days, and the river stood in the streets of town {n}." for n in range(9)
]
BODY = "\n\n".join(SENTENCES)
DECLARED = json.dumps({"@type": "Article", "headline": "Flood", "articleBody": BODY})
HEAD = f'<title>Flood</title><script type="application/ld+json">{DECLARED}</script>'
SHOWN = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
PAGE = f"<html><head>{HEAD}</head><body><h1>Flood</h1>{SHOWN}</body></html>"

METADATA = ("title", "authors", "date_published", "language", "sources")
# Without compiled loops, the page is read again for links and images.
AGAIN = 0 if loops.NOTES_SOURCES else 1
BODY_FORMATS = ("markdown", "html", "links", "images", "captions", "comments")


# How often a page is read: passes over its tokens, trees parsed, and JSON-LD scripts parsed


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counts: Counter[str] = Counter()

    def counting(owner: Any, name: str, kind: str) -> None:
        function = getattr(owner, name)

        def counted(*arguments: Any, **options: Any) -> Any:
            counts[kind] += 1
            return function(*arguments, **options)

        monkeypatch.setattr(owner, name, counted)

    counting(Scan, "feed", "passes")
    counting(parsed_page, "parse", "trees")
    counting(json_ld, "_parse", "scripts")
    return counts


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("text",), {"passes": 1, "scripts": 1}),
        (("text", *METADATA), {"passes": 1, "trees": 1, "scripts": 2}),
        # The main image among the images is read with the metadata.
        (("text", *BODY_FORMATS), {"passes": 1 + AGAIN, "trees": 1, "scripts": 2 + AGAIN}),
        (
            ("text", *METADATA, *BODY_FORMATS),
            {"passes": 1 + AGAIN, "trees": 1, "scripts": 2 + AGAIN},
        ),
    ],
    ids=["text", "text and metadata", "text and formats", "everything"],
)
def test_page_is_read_once_for_each_purpose(
    readings: Counter[str], names: tuple[str, ...], expected: dict[str, int]
) -> None:
    article = extract(PAGE, url="https://x.example/flood")
    for name in names * 2:
        getattr(article, name)
    assert readings == expected


# Memory


def test_verdict_is_let_go_before_the_text_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    scores: list[weakref.ref[Any]] = []

    def judged(*arguments: Any, **options: Any) -> Verdict:
        verdict = judge(*arguments, **options)
        scores.append(weakref.ref(verdict.score))
        return verdict

    write = analysis_module.conclude
    alive: list[bool] = []

    def conclude(*arguments: Any, **options: Any) -> Any:
        gc.collect()
        alive.append(scores[0]() is not None)
        return write(*arguments, **options)

    monkeypatch.setattr(analysis_module, "judge", judged)
    monkeypatch.setattr(analysis_module, "conclude", conclude)
    assert extract(PAGE).text
    assert alive == [False]


# Rows and text


@pytest.mark.parametrize("method", METHODS)
def test_row_of_broken_characters_is_never_kept(method: str) -> None:
    options = Options(method=method)
    html = f"<p>{'�' * 200}</p>{SHOWN}"
    page = read_page(html, options=options)
    assert page.rows.broken.any()
    assert not judge(page, options=options).keep[page.rows.broken].any()
    assert "�" not in analyse(html, options=options).text


def test_class_names_are_read_only_for_methods_that_use_them() -> None:
    html = "<div class=story><p>One"
    for method in METHODS:
        page = read_page(html, options=Options(method=method))
        assert (len(page.class_names) > 1) == (method in ("learned", "qread", "clg"))
    page = read_page(html, options=Options(method="cetr"), with_class_names=True)
    assert len(page.class_names) > 1


# Declared text that the page does not show


def hidden_page() -> str:
    return f"<html><head>{HEAD}</head><body><h1>Flood</h1><p>Subscribe now.</p></body></html>"


def test_declared_text_replaces_the_rows_of_a_page_that_hides_it() -> None:
    found = analyse(hidden_page(), options=Options())
    assert (found.is_declared, found.text) == (True, BODY)
    assert not analyse(PAGE, options=Options()).is_declared


@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("learned", "clg")])
def test_declared_text_is_not_used_by_methods_of_papers(method: str) -> None:
    assert not analyse(hidden_page(), options=Options(method=method)).is_declared


def test_text_is_hidden_unless_most_of_its_words_are_visible() -> None:
    assert is_hidden(BODY, "Subscribe to read on")
    assert not is_hidden(BODY, BODY.upper())


def test_is_hidden_takes_little_memory_for_a_long_page() -> None:
    visible = "ab cd ef " * 20_000
    tracemalloc.start()
    assert is_hidden(BODY, visible)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * len(visible)
