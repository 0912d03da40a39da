"""The report of a page in a real browser: plots, clicks, keys, sliders, and hostile pages."""

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
from scrapy_cetr.reports.crawl_report import write_survey
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


def judged(html: str | bytes | None = None, **options: Any) -> Explanation:
    source = STORY.read_bytes() if html is None else html
    chosen = make_options({"method": "cetr", **options})
    return explain(source, url="https://news.example/bridge", options=chosen)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write the report of a news page by cetr."""
    return write(tmp_path, judged())


def write(folder: Path, of: Explanation) -> Path:
    file = folder / "report.html"
    file.write_text(page_report(of), encoding="utf-8")
    return file


def marks(page: Page, figure: str) -> int:
    """Count the bars or points of a figure, each of which begins with a move of the pen."""
    drawn = f"#{figure} path:is(.bars, .points)"
    return sum(
        path.count("M")
        for path in page.eval_on_selector_all(
            drawn, "paths => paths.map(path => path.getAttribute('d'))"
        )
    )


def kept(page: Page) -> list[int]:
    """Give the rows that are marked as kept."""
    found: list[int] = page.eval_on_selector_all(
        "#rows .kept", "rows => rows.map(row => Number(row.id.slice(1)))"
    )
    return found


def slide(page: Page, slider: str, value: float) -> None:
    """Move a slider as a hand would, and wait for the page to follow."""
    page.eval_on_selector(
        f"#{slider}",
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }",
        value,
    )
    page.evaluate("() => new Promise(requestAnimationFrame)")


def focused(page: Page) -> str:
    found: str = page.evaluate("document.activeElement.id || document.activeElement.parentNode.id")
    return found


def test_each_row_has_a_bar_in_each_strip_and_a_point(window: Window, file: Path) -> None:
    count = len(judged().page.rows)

    def act(page: Page) -> None:
        assert {figure: marks(page, figure) for figure in (*STRIPS, "scatter")} == dict.fromkeys(
            (*STRIPS, "scatter"), count
        )
        assert page.locator("#scatter .centroid").count() == 3
        assert page.locator("#rows > li").count() == count

    window.show(file, act)


def test_the_kept_rows_are_those_of_the_verdict(window: Window, file: Path) -> None:
    of = judged()

    def act(page: Page) -> None:
        assert kept(page) == np.flatnonzero(of.keep).tolist()
        would = f"{of.keep.sum()} rows, {of.article.words} words kept"
        assert page.inner_text("#would") == would

    window.show(file, act)


def test_a_click_on_a_bar_goes_to_its_row_and_a_click_on_a_row_back(
    window: Window, file: Path
) -> None:
    row = int(np.flatnonzero(judged().keep)[-1])

    def act(page: Page) -> None:
        place = page.evaluate("row => plots.smoothed.place(row)", row)
        page.locator("#smoothed svg").click(position={"x": place["x1"], "y": 30})
        assert focused(page) == f"r{row}"
        assert page.evaluate("row => items[row].getBoundingClientRect().top < innerHeight", row)
        assert page.inner_text("#why .which").startswith(f"Row {row + 1} · kept")

        page.locator(f"#r{row + 2}").click()
        x = float(page.get_attribute("#ratio .cursor:not(.over)", "x1") or 0)
        assert x == pytest.approx(page.evaluate("row => plots.ratio.place(row).x1", row + 2))
        assert page.evaluate("at('plots').getBoundingClientRect().top < innerHeight")

    window.show(file, act)


def test_a_click_on_a_point_goes_to_its_row(window: Window, file: Path) -> None:
    row = int(judged().cetr.trace["smoothed"].argmax())

    def act(page: Page) -> None:
        place = page.evaluate("row => plots.scatter.place(row)", row)
        page.locator("#scatter svg").click(position={"x": place["cx"], "y": place["cy"]})
        assert focused(page) == f"r{row}"

    window.show(file, act)


def test_on_a_phone_a_button_leads_from_a_row_to_the_plots(window: Window, file: Path) -> None:
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


def test_pointing_at_a_row_shows_its_figures_and_why(window: Window, file: Path) -> None:
    of = judged()
    row = int(np.flatnonzero(of.page.rows.chars)[0])

    def act(page: Page) -> None:
        page.locator(f"#r{row}").hover()
        told = page.inner_text("#why")
        assert f"Row {row + 1} · dropped" in told
        assert "is nearest to the origin, where boilerplate is" in told
        assert f"characters\n{of.page.rows.chars[row]}" in told.replace("\n\n", "\n")

    window.show(file, act)


def test_everything_can_be_done_with_the_keyboard(window: Window, file: Path) -> None:
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


def test_the_threshold_shows_which_rows_would_be_kept(window: Window, file: Path) -> None:
    of = judged()
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
def test_other_options_show_what_they_would_keep(
    window: Window, tmp_path: Path, method: str, slider: str, value: float
) -> None:
    before, after = judged(method=method), judged(None, method=method, **{slider: value})
    assert before.keep.tolist() != after.keep.tolist()

    def act(page: Page) -> None:
        assert page.locator("#lam").is_visible() == (method == "cetr-tm")
        slide(page, slider, value)
        assert kept(page) == np.flatnonzero(after.keep).tolist()
        page.locator("#reset").click()
        assert kept(page) == np.flatnonzero(before.keep).tolist()

    window.show(write(tmp_path, before), act)


@pytest.mark.parametrize("path", ["news/ferry.html", "news/storm-live.html", "index.html"])
def test_the_page_computes_what_python_computes(window: Window, tmp_path: Path, path: str) -> None:
    of = judged((SITE / path).read_bytes())

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


def test_probabilities_and_features_of_a_learned_method_are_shown(
    window: Window, tmp_path: Path
) -> None:
    of = learned(judged())

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
def test_a_page_full_of_scripts_and_quotes_does_no_harm(
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


def test_even_what_got_into_the_page_could_neither_run_nor_send(
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


def test_five_thousand_rows_follow_a_slider(window: Window, tmp_path: Path) -> None:
    story = range(2000, 3000)
    html = "".join(f"<p>{'word ' * (40 if row in story else row % 5)}x" for row in range(5000))
    of = judged(html)
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
def test_pages_with_next_to_nothing_have_a_report_too(
    window: Window, tmp_path: Path, method: str
) -> None:
    for html in ("", "<p>", "<p>One word", "no tags at all", "<br>" * 50):
        of = judged(html, method=method)
        assert window.show(write(tmp_path, of), kept) == np.flatnonzero(of.keep).tolist()


def test_light_and_dark(window: Window, file: Path) -> None:
    def lightness(page: Page) -> int:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return int(colour.split("(")[1].split(",")[0])

    assert window.show(file, lightness) > 200
    assert window.show(file, lightness, dark=True) < 50


def test_the_report_of_many_pages_leads_to_those_of_the_suspicious(
    window: Window, tmp_path: Path
) -> None:
    survey, options = Survey(), make_options({})
    for number in range(40):
        html = f"<title>{HOSTILE}</title>" + "<p>It rained all day. " * 20 if number else ""
        url = f'https://x.example/{number}?"><script>window.harm = 1</script>'
        survey.add(extract(html, url=url), html, options=options)
    file = tmp_path / "crawl.html"
    write_survey(survey, file, title="Crawl of <script>window.harm = 2</script>")

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


def test_the_pictures_of_the_documents_can_be_taken_anew(window: Window, tmp_path: Path) -> None:
    subprocess.run(  # noqa: S603
        [sys.executable, DOCS / "screenshots.py", tmp_path], check=True, timeout=60
    )
    taken = {file.name: png_size(file) for file in tmp_path.glob("*.png")}
    assert taken == {file.name: png_size(file) for file in (DOCS / "images").glob("*.png")}


def png_size(file: Path) -> tuple[int, int]:
    """Read width and height, which stand at the same place in every PNG."""
    width, height = struct.unpack(">II", file.read_bytes()[16:24])
    return width, height
