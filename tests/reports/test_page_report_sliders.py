"""The sliders and the filter of the page report in a real browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from scrapy_cetr.extraction import METHODS
from scrapy_cetr.extraction.options import make_options
from testkit.browser import Window
from testkit.recorded import SITE
from testkit.report_pages import explained, focused, kept, marks, slide, write


def test_threshold_slider_shows_which_rows_it_would_keep(window: Window, file: Path) -> None:
    of = explained()
    has_text = of.page.rows.chars > 0

    def act(page: Page) -> None:
        first, last = page.evaluate("[0, sliders.threshold.max]")
        slide(page, "threshold", first)
        assert kept(page) == np.flatnonzero(has_text).tolist()
        slide(page, "threshold", last)
        assert kept(page) == []
        slide(page, "threshold", 40)
        limit = page.evaluate("state.threshold")
        expected = np.flatnonzero(has_text & (of.verdict.score >= limit - 1e-3))
        assert kept(page) == expected.tolist()
        changed = set(expected.tolist()) ^ set(np.flatnonzero(of.keep).tolist())
        assert page.locator("#rows .changed").count() == len(changed) > 0
        page.locator("#reset").click()
        assert kept(page) == np.flatnonzero(of.keep).tolist()
        assert page.locator("#reset").is_disabled()

    window.show(file, act)


@pytest.mark.parametrize(
    ("method", "slider", "value"),
    [
        ("cetr", "sigma", 2),
        ("cetr-km", "sigma", 1.5),
        ("cetr-tm", "sigma", 1),
        ("cetr-tm", "lam", 1.5),
    ],
)
def test_option_sliders_show_which_rows_they_would_keep(
    window: Window, tmp_path: Path, method: str, slider: str, value: float
) -> None:
    before, after = explained(method=method), explained(None, method=method, **{slider: value})
    assert before.keep.tolist() != after.keep.tolist()

    def act(page: Page) -> None:
        assert page.locator("#lam").is_visible() == (method == "cetr-tm")
        slide(page, slider, value)
        assert kept(page) == np.flatnonzero(after.keep).tolist()
        page.locator("#reset").click()
        assert kept(page) == np.flatnonzero(before.keep).tolist()

    window.show(write(tmp_path, before), act)


@pytest.mark.parametrize("path", ["news/ferry.html", "news/storm-live.html", "index.html"])
def test_javascript_computes_the_same_scores_as_python(
    window: Window, tmp_path: Path, path: str
) -> None:
    of = explained((SITE / path).read_bytes())

    def act(page: Page) -> None:
        for method in ("cetr", "cetr-km", "cetr-tm"):
            for sigma in (0, 1, 2.5, len(of.page.rows) / 10):
                options = make_options({"method": method, "sigma": sigma, "alpha": 2, "k": 4})
                verdict = METHODS[method](of.page, options)
                found = page.evaluate(
                    "([method, options]) => cetr(method, clipped, options)",
                    [method, {"sigma": sigma, "alpha": 2, "k": 4, "lam": options.lam}],
                )
                np.testing.assert_allclose(found["score"], verdict.score, rtol=1e-9, atol=1e-7)
                np.testing.assert_allclose(found["smoothed"], verdict.trace["smoothed"], atol=1e-9)
                if method == "cetr":
                    assert found["cluster"] == verdict.trace["cluster"].tolist()

    window.show(write(tmp_path, of), act)


def test_sliders_are_quick_with_five_thousand_rows(window: Window, tmp_path: Path) -> None:
    story = range(2000, 3000)
    html = "".join(f"<p>{'word ' * (40 if row in story else row % 5)}x" for row in range(5000))
    of = explained(html)
    assert len(of.page.rows) == 5000

    def act(page: Page) -> None:
        assert marks(page, "ratio") == 5000
        times = page.evaluate(
            """() => [1000, 1500, 2000, 2500, 3000].map((value, turn) => {
                const start = performance.now();
                sliders.threshold.value = value % sliders.threshold.max;
                update();
                document.body.offsetHeight;
                return performance.now() - start;
            })"""
        )
        assert min(times) < 150
        slide(page, "sigma", 3)
        page.evaluate("toRow(4321)")
        assert page.evaluate("items[4321].getBoundingClientRect().top < innerHeight")

    window.show(write(tmp_path, of), act)


def test_threshold_slider_maps_to_a_setting(window: Window, tmp_path: Path) -> None:
    of = explained(method="learned")

    def act(page: Page) -> tuple[float, list[int]]:
        assert page.inner_text("#setting") == "CETR_THRESHOLD = 0.5"
        slide(page, "threshold", page.evaluate("Number(sliders.threshold.value) - 2"))
        return float(page.inner_text("#setting").removeprefix("CETR_THRESHOLD = ")), kept(page)

    threshold, rows = window.show(write(tmp_path, of), act)
    assert 0 < threshold < 0.5
    assert len(rows) == of.keep.sum() + 2
    assert np.flatnonzero(of.verdict.trace["probability"] >= threshold).tolist() == rows
    # With the setting, rules after scoring may keep more.
    assert set(rows) <= set(
        np.flatnonzero(explained(None, threshold=threshold, method="learned").keep)
    )


def test_option_sliders_show_the_line_for_settings(window: Window, file: Path) -> None:
    def act(page: Page) -> None:
        assert not page.locator("#setting").is_visible()
        slide(page, "sigma", 2)
        assert page.inner_text("#setting") == "CETR_SIGMA = 2"

    window.show(file, act)


def test_filter_shows_kept_dropped_or_doubtful_rows(window: Window, tmp_path: Path) -> None:
    of = explained(method="learned")
    probability = of.verdict.trace["probability"]
    doubtful = np.flatnonzero((np.abs(probability - 0.5) < 0.25) & (of.page.rows.chars > 0))

    def shown(page: Page) -> list[int]:
        rows: list[int] = page.eval_on_selector_all(
            "#rows > li", "all => all.flatMap((one, row) => one.offsetHeight ? [row] : [])"
        )
        return rows

    def act(page: Page) -> None:
        page.locator("#filter input").first.focus()
        page.keyboard.press("ArrowRight")
        assert shown(page) == np.flatnonzero(of.keep).tolist()
        page.evaluate("toRow(52)")
        page.keyboard.press("ArrowUp")
        assert focused(page) == f"r{np.flatnonzero(of.keep[:52])[-1]}"
        page.locator("#filter input[value=doubtful]").check()
        assert shown(page) == doubtful.tolist()
        page.locator("#filter input[value=dropped]").check()
        assert set(shown(page)).isdisjoint(np.flatnonzero(of.keep).tolist())

    window.show(write(tmp_path, of), act)
