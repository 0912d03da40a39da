"""An explanation: the article of a page with the page and the verdicts that led to it."""

from pathlib import Path

import numpy as np
import pytest

from scrapy_cetr.extraction import METHODS, extract
from scrapy_cetr.extraction.html.scan import Scan
from scrapy_cetr.extraction.options import METHOD_NAMES, make_options
from scrapy_cetr.extraction.output.text import write_text
from scrapy_cetr.extraction.page.characters import count_words
from scrapy_cetr.reports.explanation import explain, explain_methods
from testkit.hostile import TRAPS
from testkit.invariants import without_markers

SITE = Path(__file__).parents[2] / "example_project/site"
PAGES = sorted(SITE.glob("news/*.html"))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_explanation_has_the_article_of_extract_and_its_rows(file: Path, method: str) -> None:
    html = file.read_bytes()
    found = explain(html, url="https://x.example", options=make_options({"method": method}))
    assert found.article == extract(html, url="https://x.example", method=method)
    assert write_text(found.page, found.written) == found.article.text
    # The text also has the numbers of list items.
    kept = int(found.page.words[found.written].sum())
    assert count_words(without_markers(found.article.text)) <= kept <= found.article.words


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("trap", TRAPS)
def test_hostile_page_has_the_same_cetr_verdict_for_every_method(trap: str, rows: str) -> None:
    html, options = TRAPS[trap](5_000), make_options({"rows": rows})
    learned, cetr = explain_methods(html, url=None, options=options, methods=["learned", "cetr"])
    assert len(learned.keep) == len(learned.page.rows)
    assert cetr.cetr is cetr.verdict
    assert np.array_equal(learned.cetr.score, cetr.verdict.score)


def test_methods_are_compared_on_one_reading_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    html = PAGES[0].read_bytes()
    separate = [extract(html, method=method) for method in METHOD_NAMES]
    passes: list[str] = []
    feed = Scan.feed

    def counted(scan: Scan, html: str) -> None:
        passes.append(html)
        feed(scan, html)

    monkeypatch.setattr(Scan, "feed", counted)
    together = explain_methods(html, url=None, options=make_options({}), methods=METHOD_NAMES)
    assert [found.article for found in together] == separate
    assert len(passes) == 1
