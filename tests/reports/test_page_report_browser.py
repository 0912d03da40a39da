"""The page report in a real browser: plots, clicks, keys, sliders, and hostile pages."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from scrapy_cetr.extraction import METHODS, extract
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.explanation import Explanation, explain
from scrapy_cetr.reports.page_report import page_report
from scrapy_cetr.reports.survey import Survey
from testkit.browser import Window, chromium
from testkit.server import Site

SITE = Path(__file__).parents[2] / "example_project/site"
DOCS = Path(__file__).parents[2] / "docs"
STORY = SITE / "news/harbour-bridge.html"
STRIPS = ("ratio", "smoothed", "slope", "score")


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with chromium() as started:
        yield started


def explained(html: str | bytes | None = None, **options: Any) -> Explanation:
    source = STORY.read_bytes() if html is None else html
    chosen = make_options({"method": "cetr", **options})
    return explain(source, url="https://news.example/bridge", options=chosen)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write the report of a news page, extracted with cetr."""
    return write(tmp_path, explained())


def write(folder: Path, of: Explanation) -> Path:
    file = folder / "report.html"
    file.write_text(page_report(of), encoding="utf-8")
    return file


def marks(page: Page, figure: str) -> int:
    """Count the bars or points of a figure: each starts with a move command of its path."""
    drawn = f"#{figure} path:is(.bars, .points)"
    return sum(
        path.count("M")
        for path in page.eval_on_selector_all(
            drawn, "paths => paths.map(path => path.getAttribute('d'))"
        )
    )


def kept(page: Page) -> list[int]:
    """Return the indices of the rows that are marked as kept."""
    found: list[int] = page.eval_on_selector_all(
        "#rows .kept", "rows => rows.map(row => Number(row.id.slice(1)))"
    )
    return found


def slide(page: Page, slider: str, value: float) -> None:
    """Move a slider as a user would, and wait for the page to follow."""
    page.eval_on_selector(
        f"#{slider}",
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }",
        value,
    )
    page.evaluate("() => new Promise(requestAnimationFrame)")


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.id || document.activeElement.parentNode.id")
    return found


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
        would = f"{of.keep.sum()} rows, {of.article.words} words kept"
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
        ("cetr-km", "sigma", 4.5),
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


def learned(of: Explanation) -> Explanation:
    """Give a verdict the trace of a learned method: a probability and features for each row."""
    count = len(of.page.rows)
    features = np.zeros((count, 3))
    features[:, 0] = np.arange(count)
    features[7, 1] = 1.0
    trace = {
        "probability": np.linspace(0, 1, count),
        "features": features,
        "feature_names": ("position", "is seventh", "nothing"),
        "label": np.array(["body"] * count),
    }
    score = np.linspace(-0.5, 0.5, count)
    verdict = Verdict(score, (score >= 0) & (of.page.rows.chars > 0), trace)
    return replace(
        of, verdict=verdict, keep=verdict.keep, options=replace(of.options, method="cetr-km")
    )


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


HOSTILE = """\
<title></title></title><script>window.harm = 1</script></title>
<p>&lt;script&gt;window.harm = 2&lt;/script&gt; a paragraph that is as long as any other here
<p>&lt;/script&gt;&lt;img src=x onerror="window.harm=3"&gt; "quoted" 'twice' `once` ${harm = 4}
<p>{{data}} {{script}} &lt;!--&lt;script&gt; ]]&gt; &amp;lt;b&amp;gt; \u2028 \u2029 and so on
<p>&lt;svg onload=window.harm=5&gt;&lt;style&gt;*{display:none}&lt;/style&gt; to the end of the page
"""
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


def test_crawl_report_leads_to_the_page_reports_of_suspects(window: Window, tmp_path: Path) -> None:
    survey, options = Survey(), make_options({})
    for number in range(40):
        html = f"<title>{HOSTILE}</title>" + "<p>It rained all day. " * 20 if number else ""
        url = f'https://x.example/{number}?"><script>window.harm = 1</script>'
        survey.add(extract(html, url=url), html, options=options)
    file = tmp_path / "crawl.html"
    write_crawl_report(survey, file, title="Crawl of <script>window.harm = 2</script>")

    def act(page: Page) -> str:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator("#plot-pages circle").count() == 39
        assert page.locator("#suspects tbody tr").count() == len(survey.suspects()) > 0
        assert page.evaluate("typeof window.harm") == "undefined"
        return page.get_attribute("#suspects .why", "href") or ""

    address = window.show(file, act, width=360, dark=True)
    assert address == "crawl-pages/1.html"
    assert window.show(tmp_path / address, lambda page: page.inner_text(".url")).startswith(
        "https://x.example/"
    )


@pytest.mark.slow
def test_screenshots_of_the_documentation_can_be_taken(window: Window, tmp_path: Path) -> None:
    subprocess.run(  # noqa: S603
        [sys.executable, DOCS / "screenshots.py", tmp_path], check=True, timeout=60
    )
    taken = {file.name: png_size(file) for file in tmp_path.glob("*.png")}
    assert taken == {file.name: png_size(file) for file in (DOCS / "images").glob("*.png")}


def png_size(file: Path) -> tuple[int, int]:
    """Read width and height, which have the same offset in every PNG."""
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    return width, height


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


def test_page_report_shows_metadata_with_their_sources(window: Window, file: Path) -> None:
    def act(page: Page) -> None:
        page.locator("#metadata summary").click()
        table = page.inner_text("#metadata table")
        assert "authors\tImogen Tranter\tjson-ld" in table
        assert "breadcrumbs\tHome, News\tlayout" in table

    window.show(file, act)
