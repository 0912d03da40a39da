"""row_reasons: why rows were kept or dropped, in words that the network and the rules justify."""

from time import process_time
from typing import Any

import numpy as np

from scrapy_cetr.extraction.methods.learned.features import find_features
from scrapy_cetr.extraction.methods.learned.method import row_scores
from scrapy_cetr.extraction.methods.learned.weights import shipped_network
from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.explanation import explain
from scrapy_cetr.reports.reasons import MAX_EXPLAINED, row_reasons
from scrapy_cetr.reports.rows import row_texts
from testkit.article_pages import COMMENTS, COPYRIGHT, STORY, article_page, comments


def reasons_of(html: str, **options: Any) -> dict[str, str]:
    """Return the reasons by the text of the row."""
    explained = explain(html, url=None, options=make_options(options))
    texts = row_texts(explained.page, longest=10_000)
    found = row_reasons(explained.page, explained.keep, explained.options)
    return {text: reason for text, reason in zip(texts, found, strict=False) if text}


def test_reasons_name_the_elements_around_dropped_rows() -> None:
    found = reasons_of(article_page(after=comments()))
    assert "nside an element named “comment”" in found[COMMENTS[0]]
    assert "nside <footer>" in found[COPYRIGHT]


def test_reasons_of_kept_rows_speak_of_long_text() -> None:
    found = reasons_of(article_page())
    assert all("long text" in found[text] or "rows around" in found[text] for text in STORY)
    assert all(found[text].endswith(".") for text in STORY)


def test_reasons_say_that_a_rule_dropped_repeated_text() -> None:
    story = "".join(f"<p>{text}</p>" for text in STORY)
    html = article_page(story=f"<div class=desktop>{story}</div><div class=mobile>{story}</div>")
    explained = explain(html, url=None, options=make_options({}))
    found = row_reasons(explained.page, explained.keep, explained.options)
    assert sum(text.startswith("Dropped by rule: it repeats text") for text in found) >= 1


def test_reasons_by_rule_are_those_of_rows_decided_against_their_score() -> None:
    html = article_page(after=comments())
    for threshold in (0.2, 0.5, 0.98):
        explained = explain(html, url=None, options=make_options({"threshold": threshold}))
        features = find_features(explained.page)
        odds = np.log(threshold / (1 - threshold))
        above = row_scores(features, shipped_network(), 0) > odds
        found = row_reasons(explained.page, explained.keep, explained.options)
        against = above != explained.keep[features.rows]
        by_rule = [" by rule: " in found[row] for row in features.rows.tolist()]
        assert by_rule == against.tolist()


def test_reasons_take_little_time_on_large_pages() -> None:
    explained = explain("<p class=comment>word" * 50_000, url=None, options=make_options({}))
    start = process_time()
    assert len(row_reasons(explained.page, explained.keep, explained.options)) == MAX_EXPLAINED
    assert process_time() - start < 3


def test_reasons_of_a_page_without_text() -> None:
    assert reasons_of("<p><br>") == {}
