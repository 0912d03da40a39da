"""Extraction of the bundled site: reading, recorded texts, and boilerplate."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import RowKind, read
from testkit.recorded import RECORD, bundled_pages, extracted

SITE = Path(__file__).parents[2] / "example_project" / "site"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SITE / "expected.json").read_text("utf-8"))

# Pages whose first or last phrase the default method is known to lose.
MISSES: set[str] = set()


def page_bytes(path: str) -> bytes:
    return (SITE / path.removeprefix("/")).read_bytes()


def one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("path", EXPECTED)
@pytest.mark.parametrize("rows", ["blocks", "lines"])
def test_bundled_page_is_decoded_and_read_to_its_end(path: str, rows: RowKind) -> None:
    html = decode(page_bytes(path))
    text = one_line(read(html, rows=rows).text)
    assert "\ufffd" not in html
    for phrase in (EXPECTED[path]["title"], EXPECTED[path]["first"], EXPECTED[path]["last"]):
        assert phrase in text


@pytest.mark.parametrize("path", EXPECTED)
def test_bundled_article_keeps_its_first_and_last_phrase(path: str) -> None:
    text = one_line(extract(page_bytes(path)).text)
    kept = EXPECTED[path]["first"] in text and EXPECTED[path]["last"] in text
    assert kept == (path not in MISSES)


RECORDED: dict[str, dict[str, Any]] = json.loads(RECORD.read_text("utf-8"))


@pytest.mark.parametrize("path", bundled_pages())
def test_bundled_page_gives_the_recorded_text_and_probability(path: str) -> None:
    found, recorded = extracted(path), RECORDED[path]
    assert found["text"] == recorded["text"]
    assert found["probability"] == pytest.approx(recorded["probability"], abs=2e-3)


@pytest.mark.parametrize("path", EXPECTED)
@pytest.mark.parametrize("method", METHODS)
def test_bundled_article_has_no_paragraph_twice(path: str, method: str) -> None:
    html = page_bytes(path)
    text, page = extract(html, method=method).text, one_line(read(decode(html), rows="blocks").text)
    for paragraph in text.split("\n\n"):
        if len(paragraph) > 60 and page.count(one_line(paragraph)) == 1:
            assert text.count(paragraph) == 1


def boilerplate_kept(method: str) -> float:
    """Return the share of phrases outside of the articles that is kept."""
    kept = total = 0
    for path, expected in EXPECTED.items():
        text = one_line(extract(page_bytes(path), method=method).text)
        kept += sum(phrase in text for phrase in expected["absent"])
        total += len(expected["absent"])
    return kept / total


@pytest.mark.parametrize("method", METHODS)
def test_each_method_drops_half_of_the_boilerplate_of_the_bundled_site(method: str) -> None:
    assert boilerplate_kept(method) < 0.5


def test_default_method_drops_nearly_all_boilerplate_of_the_bundled_site() -> None:
    assert boilerplate_kept(Options().method) < 0.05


def test_probability_is_high_for_nine_in_ten_bundled_articles() -> None:
    likely = [(extract(page_bytes(path)).probability or 0) > 0.5 for path in EXPECTED]
    assert sum(likely) >= 0.9 * len(likely)


@pytest.mark.parametrize(
    "path", sorted(SITE.rglob("index.html")), ids=lambda path: path.parent.name
)
def test_probability_is_low_for_bundled_lists_of_articles(path: Path) -> None:
    probability = extract(path.read_bytes()).probability
    assert probability is not None
    assert 0 <= probability < 0.5


# Words of the cookie notices of the site.
NOTICE = re.compile("advertising partners|[cC]ookie")


@pytest.mark.parametrize("path", sorted(SITE.rglob("*.html")), ids=lambda path: path.stem)
def test_no_bundled_page_keeps_its_cookie_notice(path: Path) -> None:
    text = extract(path.read_bytes()).text
    assert not NOTICE.search(text)


def test_bundled_site_has_several_languages_and_encodings() -> None:
    assert {page["language"] for page in EXPECTED.values()} >= {"en", "de", "zh", "ar", "ja", "ru"}
    assert any(path.startswith("/encodings/") for path in EXPECTED)


@pytest.mark.parametrize("path", sorted(str(path.relative_to(SITE)) for path in SITE.rglob("*.*")))
def test_extract_accepts_any_file_of_the_bundled_site(path: str) -> None:
    assert isinstance(extract(page_bytes(path)).text, str)


def test_kind_of_bundled_pages_tells_articles_from_others() -> None:
    for path in sorted(SITE.rglob("*.html")):
        name = f"/{path.relative_to(SITE).as_posix()}"
        article = extract(path.read_bytes(), url=f"http://127.0.0.1:8000{name}")
        assert (article.kind == "article") == (name in EXPECTED), name
