"""Page reports for tests, and what a browser shows of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page

from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.explanation import Explanation, explain
from scrapy_cetr.reports.page_report import page_report
from testkit.recorded import SITE

STORY = SITE / "news/harbour-bridge.html"
HOSTILE = """\
<title></title></title><script>window.harm = 1</script></title>
<p>&lt;script&gt;window.harm = 2&lt;/script&gt; a paragraph that is as long as any other here
<p>&lt;/script&gt;&lt;img src=x onerror="window.harm=3"&gt; "quoted" 'twice' `once` ${harm = 4}
<p>{{data}} {{script}} &lt;!--&lt;script&gt; ]]&gt; &amp;lt;b&amp;gt; \u2028 \u2029 and so on
<p>&lt;svg onload=window.harm=5&gt;&lt;style&gt;*{display:none}&lt;/style&gt; to the end of the page
"""


def explained(html: str | bytes | None = None, **options: Any) -> Explanation:
    """Explain a page, by default a news page, extracted with cetr."""
    source = STORY.read_bytes() if html is None else html
    chosen = make_options({"method": "cetr", **options})
    return explain(source, url="https://news.example/bridge", options=chosen)


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


def write(folder: Path, of: Explanation) -> Path:
    """Write the report of a page into a folder."""
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
    """Return the id of the element that has the focus, or of its parent."""
    found: str = page.evaluate("document.activeElement.id || document.activeElement.parentNode.id")
    return found
