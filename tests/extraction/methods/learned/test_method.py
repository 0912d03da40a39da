"""The learned method: what it keeps of hand-made pages, and properties that hold for any page."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.methods.learned.weights import shipped_network
from scrapy_cetr.extraction.options import DEFAULT_PARTS, FAVORS, ROLES, Favor
from scrapy_cetr.extraction.page.page import MAX_MEASURED
from testkit.article_pages import (
    COMMENTS,
    COPYRIGHT,
    INDEX,
    SECTIONS,
    STORY,
    article_page,
    comments,
    paragraphs,
)
from testkit.hostile import TRAPS
from testkit.timing import grows_linearly


def judge(html: str, *, rows: RowKind = "blocks", favor: str = "article") -> Verdict:
    page = read(html, rows=rows, with_class_names=True)
    options = Options(rows=rows, favor="recall" if favor == "recall" else "article")
    return METHODS["learned"](page, options)


# Kept text


def test_learned_is_the_default_method() -> None:
    assert extract(article_page()).method == Options().method == "learned"


def test_article_is_kept_without_menus_comments_and_footer() -> None:
    article = extract(article_page(after=comments()))
    assert article.text == "\n\n".join(STORY)


@pytest.mark.parametrize("favor", FAVORS)
def test_article_is_kept_with_every_favour(favor: Favor) -> None:
    text = extract(article_page(), favor=favor).text
    assert text == "\n\n".join(STORY)


def test_article_is_kept_if_rows_are_lines() -> None:
    text = extract(article_page(), rows="lines").text
    assert all(paragraph in text for paragraph in STORY)
    assert not any(section in text for section in (*SECTIONS, COPYRIGHT))


@pytest.mark.parametrize("favor", FAVORS)
def test_comments_are_in_the_text_only_if_they_are_among_the_parts(favor: Favor) -> None:
    html = article_page(after=comments())
    for parts, count in ((DEFAULT_PARTS, 0), (ROLES, 3)):
        text = extract(html, favor=favor, parts=parts).text
        assert sum(comment in text for comment in COMMENTS) == count


def test_questions_and_answers_at_the_end_are_kept() -> None:
    asked = {
        "When does the bridge open again?": "Not before the winter, says the harbour master.",
        "Who pays for the repair?": "Both counties do, in equal parts, as they have since 1911.",
        "How do I get across until then?": "The ferry runs every half an hour, also at night.",
    }
    items = (
        f"<div class=accordion-item><h3>{question}</h3><div><p>{answer}</p></div></div>"
        for question, answer in asked.items()
    )
    story = f"{paragraphs(*STORY)}<div class=faq><h2>Questions</h2>{''.join(items)}</div>"
    text = extract(article_page(story=story)).text
    assert all(part in text for both in asked.items() for part in both)


def test_repeated_text_is_kept_once() -> None:
    # Some pages have the text a second time for printing or for narrow screens.
    twice = extract(article_page(after=f"<article>{paragraphs(*STORY)}</article>")).text
    assert [twice.count(paragraph) for paragraph in STORY] == [1] * len(STORY)


def test_repeated_short_line_is_kept_each_time() -> None:
    refrain = "“Nobody has ever asked us.”"
    story = paragraphs(STORY[0], STORY[1], refrain, STORY[2], STORY[3], refrain, STORY[4])
    assert extract(article_page(story=story)).text.count(refrain) == 2


@pytest.mark.parametrize(
    "html",
    [
        "<p>Rain.",
        "<div>One<div>two",
        "<p>" + "<br>".join(STORY),
        "".join(f"<div>{text}</div>" for text in STORY),
        "<table><tr><td>" + "<td>".join(STORY),
        "<ul><li>" + "<li>".join(STORY),
    ],
)
def test_page_with_text_is_never_empty(html: str) -> None:
    assert extract(html).text


# Scores and probabilities


@pytest.mark.parametrize("rows", ["blocks", "lines"])
def test_kept_rows_score_zero_or_more_and_dropped_rows_less(rows: RowKind) -> None:
    for html in (article_page(after=comments() + paragraphs(*STORY)), INDEX, "<p>a<p>b"):
        verdict = judge(html, rows=rows)
        assert (verdict.score[verdict.keep] >= 0).all()
        assert (verdict.score[~verdict.keep] < 0).all()


def test_article_is_more_probable_than_a_list_of_links() -> None:
    article, index = extract(article_page()).probability, extract(INDEX).probability
    assert article is not None
    assert index is not None
    assert 0 <= index < 0.3
    assert 0.7 < article <= 1


@pytest.mark.parametrize("html", ["", "<p>", "<br>" * 9, "Plain text.", "<title>a</title>"])
def test_nearly_empty_page_is_improbable(html: str) -> None:
    probability = extract(html).probability
    assert probability is not None
    assert 0 <= probability < 0.5


# Any page

PIECES = st.sampled_from(
    [
        *("one", " Two.", "渔民出海。", "3", "\n", "<p>", "</p>", "<br>", "<a href=/>", "</a>"),
        *("<li>", "<div class=comment>", "</div>", "<h1>", "<title>one</title>", "\x00", STORY[0]),
    ]
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(html=st.lists(PIECES, max_size=40).map("".join), rows=st.sampled_from(["blocks", "lines"]))
def test_verdict_of_any_page_is_finite_and_deterministic(html: str, rows: RowKind) -> None:
    first, second = judge(html, rows=rows), judge(html, rows=rows)
    assert np.isfinite(first.score).all()
    assert first.score.tolist() == second.score.tolist()
    assert first.keep.tolist() == second.keep.tolist()
    assert first.probability == second.probability
    assert first.probability is not None
    assert 0 <= first.probability <= 1


def test_threads_get_the_same_articles() -> None:
    pages = [article_page(), INDEX, article_page(after=comments()), "<p>Rain.", ""] * 8
    alone = [extract(html) for html in pages]
    shipped_network.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(extract, pages)) == alone


@pytest.mark.parametrize("trap", ["short p", "list of links", "tables in cells", "menus"])
def test_time_grows_linearly_with_the_page(trap: str) -> None:
    pages = {size: TRAPS[trap](size) for size in (100_000, 400_000)}
    assert grows_linearly(lambda size: extract(pages[size]), size=100_000, short=0.1)


def test_all_paragraphs_of_a_very_long_page_are_kept() -> None:
    count = MAX_MEASURED + 5000
    words = "the ferry sails, and nobody knows whereto."
    paragraphs = (f"<p>In chapter {n:06}, {words}" for n in range(count))
    text = extract("<h1>Book</h1>" + "".join(paragraphs)).text
    assert text.count("nobody knows whereto") >= count - 2


def test_threshold_is_the_probability_from_which_rows_are_kept() -> None:
    page = read(article_page(), rows="blocks", with_class_names=True)
    found = METHODS["learned"](page, Options())
    kept = []
    for threshold in (0.05, 0.5, 0.95):
        verdict = METHODS["learned"](page, Options(threshold=threshold))
        assert np.array_equal(verdict.trace["probability"], found.trace["probability"])
        assert (verdict.score[verdict.keep] >= 0).all()
        kept.append(verdict.keep)
    assert (kept[0] >= kept[1]).all()
    assert (kept[1] >= kept[2]).all()
    assert kept[0].sum() > kept[2].sum()
    assert np.array_equal(kept[1], found.keep)
