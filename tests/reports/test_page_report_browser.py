"""The page report in a real browser: plots, clicks, keys, sliders, and hostile pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from scrapy_cetr.extraction import METHODS
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.explanation import explain
from testkit.browser import Window
from testkit.report_pages import HOSTILE, explained, focused, kept, learned, marks, write
from testkit.server import Site

STRIPS = ("ratio", "smoothed", "slope", "score")


def test_page_report_plots_each_row(window: Window, file: Path) -> None:
    count = len(explained().page.rows)

    def act(page: Page) -> None:
        assert {figure: marks(page, figure) for figure in (*STRIPS, "scatter")} == dict.fromkeys(
            (*STRIPS, "scatter"), count
        )
        assert page.locator("#scatter .centroid").count() == 3
        assert page.locator("#rows > li").count() == count

    window.show(file, act)


def test_page_report_marks_the_kept_rows(window: Window, file: Path) -> None:
    of = explained()

    def act(page: Page) -> None:
        assert kept(page) == np.flatnonzero(of.keep).tolist()
        would = f"{of.keep.sum()} rows, {of.page.words[of.keep].sum()} words kept"
        assert page.inner_text("#would") == would

    window.show(file, act)


def test_click_on_a_bar_goes_to_its_row_and_back(window: Window, file: Path) -> None:
    row = int(np.flatnonzero(explained().keep)[-1])

    def act(page: Page) -> None:
        position = page.evaluate("row => plots.smoothed.position(row)", row)
        page.locator("#smoothed svg").click(position={"x": position["x1"], "y": 30})
        assert focused(page) == f"r{row}"
        assert page.evaluate("row => items[row].getBoundingClientRect().top < innerHeight", row)
        assert page.inner_text("#why .which").startswith(f"Row {row + 1} · kept")

        page.locator(f"#r{row + 2}").click()
        x = float(page.get_attribute("#ratio .cursor:not(.over)", "x1") or 0)
        assert x == pytest.approx(page.evaluate("row => plots.ratio.position(row).x1", row + 2))
        assert page.evaluate("at('plots').getBoundingClientRect().top < innerHeight")

    window.show(file, act)


def test_click_on_a_point_goes_to_its_row(window: Window, file: Path) -> None:
    row = int(explained().cetr.trace["smoothed"].argmax())

    def act(page: Page) -> None:
        position = page.evaluate("row => plots.scatter.position(row)", row)
        page.locator("#scatter svg").click(position={"x": position["cx"], "y": position["cy"]})
        assert focused(page) == f"r{row}"

    window.show(file, act)


def test_button_leads_from_a_row_to_the_plots_on_a_phone(window: Window, file: Path) -> None:
    def act(page: Page) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert not page.locator("#why").is_visible()
        page.locator("#r60").click()
        page.locator("#why >> text=Show in the plots").click()
        assert focused(page) == "ratio"
        assert page.evaluate("scrollY <= at('plots').getBoundingClientRect().bottom + scrollY")
        assert page.locator("#ratio svg").bounding_box()["y"] < 740  # type: ignore[index]
        page.locator("#why >> text=Close").click()
        assert not page.locator("#why").is_visible()

    window.show(file, act, width=360, height=740)


def test_pointing_at_a_row_explains_it(window: Window, file: Path) -> None:
    of = explained()
    row = int(np.flatnonzero(of.page.rows.chars)[0])

    def act(page: Page) -> None:
        page.locator(f"#r{row}").hover()
        shown = page.inner_text("#why")
        assert f"Row {row + 1} · dropped" in shown
        assert "is nearest to the origin, where boilerplate is" in shown
        assert f"characters\n{of.page.rows.chars[row]}" in shown.replace("\n\n", "\n")

    window.show(file, act)


def test_page_report_can_be_used_with_the_keyboard(window: Window, file: Path) -> None:
    def act(page: Page) -> None:
        page.locator("#ratio svg").focus()
        page.keyboard.press("Home")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert focused(page) == "r3"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert focused(page) == "r5"
        page.keyboard.press("End")
        assert focused(page) == f"r{page.locator('#rows > li').count() - 1}"
        page.keyboard.press("Enter")
        assert focused(page) == "ratio"
        page.locator("#threshold").focus()
        before = len(kept(page))
        page.keyboard.press("ArrowRight")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        page.keyboard.press("ArrowRight")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert len(kept(page)) == before - 1

    window.show(file, act)


def test_page_report_shows_probabilities_and_features(window: Window, tmp_path: Path) -> None:
    of = learned(explained())

    def act(page: Page) -> None:
        assert marks(page, "probability") == len(of.page.rows)
        page.evaluate("toRow(7)")
        striking = page.locator("#why .features dt").all_inner_texts()
        assert striking[0] == "is seventh"
        assert sorted(striking) == ["is seventh", "nothing", "position"]
        assert "label\nbody" in page.inner_text("#why").replace("\n\n", "\n")

    window.show(write(tmp_path, of), act)


BAD_URLS = [
    "javascript:window.harm=6",
    'https://x.example/"onmouseover="window.harm=7',
    "data:text/html,<script>window.harm=8</script>",
    "https://[bad",
]


@pytest.mark.parametrize("url", BAD_URLS)
def test_page_report_does_not_run_scripts_of_the_page(
    window: Window, tmp_path: Path, url: str
) -> None:
    of = explain(HOSTILE * 5, url=url, options=make_options({}))

    def act(page: Page) -> None:
        for row in range(4):
            page.locator(f"#r{row}").click()
        if page.locator(".url a").count():
            page.locator(".url a").hover()
        assert page.evaluate("typeof window.harm") == "undefined"
        texts = page.locator("#rows .t").all_text_contents()
        assert texts[0].startswith("<script>window.harm = 2</script> a paragraph")
        assert texts[2].startswith("{{data}} {{script}} <!--<script> ]]> &lt;b&gt;")
        assert page.inner_text(".url") == url
        assert page.locator("script").count() == 2
        assert not page.locator(":is(a, img, svg)[href^='javascript:'], [onload]").count()

    window.show(write(tmp_path, of), act)


ATTEMPTS = """async (site) => {
    const blocked = [];
    addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
    const put = (name, fields) => document.body.append(
        Object.assign(document.createElement(name), fields));
    put("script", { textContent: "window.harm = 1" });
    put("style", { textContent: "* { display: none }" });
    put("img", { src: `${site}/x.png` });
    put("iframe", { src: site });
    put("script", { src: `${site}/x.js` });
    await fetch(site).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    return blocked.sort();
}"""


def test_page_report_policy_blocks_injected_code_and_requests(
    window: Window, file: Path, site: Site
) -> None:
    def act(page: Page) -> None:
        assert page.evaluate(ATTEMPTS, site.url) == [
            *("connect-src", "frame-src", "img-src"),
            *("script-src-elem", "script-src-elem", "style-src-elem"),
        ]
        assert page.evaluate("typeof window.harm") == "undefined"

    window.show(file, act, errors=True)
    assert site.hits == []


@pytest.mark.parametrize("method", METHODS)
def test_page_report_of_nearly_empty_pages(window: Window, tmp_path: Path, method: str) -> None:
    for html in ("", "<p>", "<p>One word", "no tags at all", "<br>" * 50):
        of = explained(html, method=method)
        assert window.show(write(tmp_path, of), kept) == np.flatnonzero(of.keep).tolist()


def test_page_report_follows_light_and_dark_mode(window: Window, file: Path) -> None:
    def lightness(page: Page) -> int:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return int(colour.split("(")[1].split(",")[0])

    assert window.show(file, lightness) > 200
    assert window.show(file, lightness, dark=True) < 50


def test_page_report_plots_cetr_only_where_it_decides(window: Window, tmp_path: Path) -> None:
    def figures(page: Page) -> list[str]:
        found: list[str] = page.eval_on_selector_all("figure", "all => all.map(one => one.id)")
        return found

    learned_plots = window.show(write(tmp_path, explained(method="learned")), figures)
    assert learned_plots == ["score", "probability"]
    assert window.show(write(tmp_path, explained(method="coreex")), figures) == ["score"]
    assert window.show(write(tmp_path, explained()), figures) == [*STRIPS, "scatter"]


def test_page_report_says_in_words_why_a_row_was_dropped(window: Window, tmp_path: Path) -> None:
    def act(page: Page) -> None:
        page.evaluate("toRow(57)")
        reason = page.inner_text("#why .reason")
        assert reason.startswith("Probability 0.0")
        assert "nside an element named “letter” or similar" in reason

    window.show(write(tmp_path, explained(method="learned")), act)


def test_page_report_shows_metadata_with_their_sources(window: Window, file: Path) -> None:
    def act(page: Page) -> None:
        page.locator("#metadata summary").click()
        table = page.inner_text("#metadata table")
        assert "authors\tImogen Tranter\tjson-ld" in table
        assert "breadcrumbs\tHome, News\tlayout" in table

    window.show(file, act)
