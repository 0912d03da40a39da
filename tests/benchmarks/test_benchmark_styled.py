"""The bundled site with other style sheets: hidden texts, and the measure."""

from __future__ import annotations

import json
from urllib.request import urlopen

from benchmarks.styled import COLUMNS, HIDDEN, HIDING, f1, served, with_hidden_texts
from scrapy_cetr.extraction.html.decoding import decode
from testkit.recorded import RECORD, SITE


def test_hidden_texts_are_inside_of_the_article() -> None:
    (path, recorded), *_ = json.loads(RECORD.read_text("utf-8")).items()
    html = decode((SITE / path.removeprefix("/")).read_bytes())
    lines = ["A short line.", "x" * 80, *(f"{'y' * 70} {n}" for n in range(9))]
    made = "".join(f"<p>{line}</p>" for line in lines)
    found = with_hidden_texts(made, lines)
    assert all(f'<p class="v{n}">{text}</p>' in found for n, text in enumerate(HIDDEN))
    assert found.startswith(f'<p>A short line.</p><p>{"x" * 80}</p><p class="v0">')
    assert with_hidden_texts(html, recorded["text"]) != html


def test_rules_follow_those_of_the_site() -> None:
    with served(COLUMNS + HIDING) as base, urlopen(f"{base}/assets/courier.css") as reply:  # noqa: S310
        sheet = reply.read().decode()
    assert sheet == (SITE / "assets/courier.css").read_text("utf-8") + COLUMNS + HIDING


def test_measure_counts_words() -> None:
    assert f1("One two two", "two three, TWO") == 4 / 6
    assert f1("", "") == 0
