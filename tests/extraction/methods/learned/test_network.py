"""The learned method: what it keeps of hand-made pages, and what holds for any page."""

from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from time import process_time, thread_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_cetr.extraction import METHODS, Options, extract
from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.methods.learned.features import (
    NAMES,
    PAGE_NAMES,
    Block,
    Features,
    find_features,
)
from scrapy_cetr.extraction.methods.learned.measurements import MAX_ROWS
from scrapy_cetr.extraction.methods.learned.network import (
    DISTANCES,
    WEIGHTS,
    article_signs,
    probability,
    row_scores,
    shipped_network,
)
from scrapy_cetr.extraction.options import FAVORS, Favor
from testkit.hostile import TRAPS

HEADLINE = "Bridge closed for repair"
STORY = (
    (
        "The harbour master of Tarnmouth closed the old lifting bridge on Monday morning, after"
        " divers had found cracks in its northern pier."
    ),
    (
        "Nobody in the town could say how long the repair would take, or who was going to pay for"
        " it, as the bridge belongs to two counties."
    ),
    (
        "Shopkeepers on the eastern bank expect to lose a third of their customers until the"
        " winter, and some have begun to look for rooms elsewhere."
    ),
    (
        "The council met for six hours, heard eleven speakers, and put off its decision until a"
        " second report has been written by the engineers."
    ),
    (
        "A ferry will carry pedestrians and bicycles for as long as the weather allows it to sail,"
        " said the owner of the only boat that is left."
    ),
    (
        "Until then, lorries have to drive round by the stone bridge at Oxcombe, which is narrow,"
        " and takes them another forty minutes each way."
    ),
)
COMMENTS = (
    "I have crossed that bridge every day for forty years, and nobody has ever painted it.",
    "Why not build a tunnel? Other towns have done so, and they have never looked back.",
    "My grandfather helped to build it, and he always said that it stood on sand.",
)
SECTIONS = ("News", "Sport", "Weather", "Culture", "Travel")
COPYRIGHT = "© 2024 The Courier. All rights reserved."


def menu() -> str:
    return "".join(f"<li><a href=/{name}>{name}</a></li>" for name in SECTIONS)


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>\n" for text in texts)


def article_page(*, story: str = paragraphs(*STORY), behind: str = "") -> str:
    return f"""<!doctype html><html><head><title>{HEADLINE} - The Courier</title></head><body>
<header><nav class=menu><ul>{menu()}</ul></nav></header>
<main><article><h1>{HEADLINE}</h1>
{story}</article>
{behind}</main>
<footer class=footer><ul>{menu()}</ul><p>{COPYRIGHT}</p></footer></body></html>"""


def comments() -> str:
    posts = "".join(
        f"<li class=comment><div class=comment-author>Reader {number}</div>"
        f"<div class=comment-body><p>{text}</p></div><a href=#>Reply</a></li>\n"
        for number, text in enumerate(COMMENTS)
    )
    return f"<section id=comments class=comments><h3>3 comments</h3><ol>{posts}</ol></section>"


INDEX = article_page(
    story="".join(
        f"<div class=teaser><h3><a href=/{number}>Story number {number} of the day</a></h3></div>\n"
        for number in range(30)
    )
)


def judge(html: str, *, rows: RowKind = "blocks", favor: str = "article") -> Verdict:
    page = read(html, rows=rows, with_class_names=True)
    options = Options(rows=rows, favor="recall" if favor == "recall" else "article")
    return METHODS["learned"](page, options)


def blocks(html: str) -> Features:
    return find_features(read(html, rows="blocks", with_class_names=True))


# What is kept


def test_it_is_what_pages_are_judged_by_unless_another_method_is_asked_for() -> None:
    assert extract(article_page()).method == Options().method == "learned"


def test_an_article_is_kept_and_what_is_around_it_is_not() -> None:
    article = extract(article_page(behind=comments()))
    assert article.text == "\n\n".join((HEADLINE, *STORY))


@pytest.mark.parametrize("favor", FAVORS)
def test_so_it_is_whatever_is_favoured(favor: Favor) -> None:
    text = extract(article_page(), favor=favor).text
    assert text == "\n\n".join((HEADLINE, *STORY))


def test_lines_are_judged_as_blocks_are() -> None:
    text = extract(article_page(), rows="lines").text
    assert all(paragraph in text for paragraph in STORY)
    assert not any(section in text for section in (*SECTIONS, COPYRIGHT))


def test_favouring_recall_keeps_comments() -> None:
    html = article_page(behind=comments())
    kept = {
        favor: sum(text in extract(html, favor=favor).text for text in COMMENTS) for favor in FAVORS
    }
    assert kept == {"article": 0, "precision": 0, "recall": 3}


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


def test_the_same_text_is_kept_once() -> None:
    # As a page for printing, or a box for narrow screens, has it.
    twice = extract(article_page(behind=f"<article>{paragraphs(*STORY)}</article>")).text
    assert [twice.count(paragraph) for paragraph in STORY] == [1] * len(STORY)


def test_a_short_line_may_come_again() -> None:
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
def test_something_is_kept_of_a_page_with_text(html: str) -> None:
    assert extract(html).text


# Scores and probabilities


@pytest.mark.parametrize("rows", ["blocks", "lines"])
def test_kept_rows_score_zero_or_more_and_others_less(rows: RowKind) -> None:
    for html in (article_page(behind=comments() + paragraphs(*STORY)), INDEX, "<p>a<p>b"):
        verdict = judge(html, rows=rows)
        assert (verdict.score[verdict.keep] >= 0).all()
        assert (verdict.score[~verdict.keep] < 0).all()


def test_an_article_is_more_likely_one_than_a_list_of_links() -> None:
    article, index = extract(article_page()).probability, extract(INDEX).probability
    assert article is not None
    assert index is not None
    assert 0 <= index < 0.3
    assert 0.7 < article <= 1


@pytest.mark.parametrize("html", ["", "<p>", "<br>" * 9, "Plain text.", "<title>a</title>"])
def test_pages_with_next_to_nothing_are_hardly_articles(html: str) -> None:
    chance = extract(html).probability
    assert chance is not None
    assert 0 <= chance < 0.5


def test_probabilities_are_finite_however_large_the_odds() -> None:
    assert probability(np.array((-1e300, 0, 1e300))).tolist() == pytest.approx([0, 0.5, 1])


def test_signs_are_as_many_as_their_weights() -> None:
    features = blocks(article_page())
    scores = row_scores(features, shipped_network(), 0)
    signs = article_signs(features, probability(scores), scores > 0)
    assert len(signs) + 1 == len(shipped_network().certainty)
    assert np.isfinite(signs).all()


# The weights


def test_the_weights_are_small_and_are_numbers_alone() -> None:
    file = files("scrapy_cetr.extraction.methods.learned") / WEIGHTS
    assert len(file.read_bytes()) < 1_000_000
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
        assert all(np.isfinite(arrays[name]).all() for name in arrays.files)


def test_they_fit_the_features() -> None:
    network = shipped_network()
    inputs = len(NAMES) + len(PAGE_NAMES)
    channels, findings = network.enter.shape
    assert network.low.shape == network.high.shape == (inputs,)
    assert (network.low < network.high).all()
    assert network.find.shape == (findings, inputs)
    assert network.find_bias.shape == (findings,)
    assert network.convolve.shape == (len(DISTANCES), channels, 3 * channels)
    assert network.survey.shape == (len(DISTANCES), channels, 2 * channels)
    assert network.bias.shape == (len(FAVORS), len(DISTANCES) + 1, channels)
    assert network.leave.shape == (len(FAVORS), channels)
    assert network.threshold.shape == (len(FAVORS),)


@pytest.mark.parametrize("size", [1, 4, 11])
def test_rows_are_weighed_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    features = blocks(article_page(behind=comments()))
    whole = row_scores(features, shipped_network(), 0)
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 64 * size)
    # Products of other sizes may differ in the last digits.
    assert np.allclose(row_scores(features, shipped_network(), 0), whole, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("favor", range(len(FAVORS)))
def test_rows_are_weighed_as_the_weights_say(favor: int) -> None:
    html = article_page(story=paragraphs(*(f"{text} {n}" for n in range(20) for text in STORY)))
    features = blocks(html)
    scores = row_scores(features, shipped_network(), favor)
    assert scores == pytest.approx(by_hand(features.of_rows, features.of_page, favor), abs=1e-3)


def by_hand(of_rows: Block, of_page: Block, favor: int) -> Floats:
    """Compute what the network is said to compute, one row after the other."""
    net = shipped_network()
    count = of_rows.shape[1]
    inputs = np.concatenate((of_rows.T, np.tile(of_page, (count, 1))), axis=1)
    found = np.maximum(inputs.clip(net.low, net.high) @ net.find.T + net.find_bias, 0)
    state = np.maximum(found @ net.enter.T + net.bias[favor, 0], 0)
    for place, distance in enumerate(DISTANCES):
        whole = net.survey[place] @ np.append(state.mean(0), state.max(0))
        zero = np.zeros(state.shape[1], np.float32)
        change = []
        for row in range(count):
            before = state[row - distance] if row >= distance else zero
            behind = state[row + distance] if row + distance < count else zero
            near = np.concatenate((before, state[row], behind))
            change.append(net.convolve[place] @ near + whole)
        state = state + np.maximum(np.array(change) + net.bias[favor, place + 1], 0)
    return np.array(state @ net.leave[favor] - net.threshold[favor], np.float64)


# Any page

PIECES = st.sampled_from(
    [
        *("one", " Two.", "渔民出海。", "3", "\n", "<p>", "</p>", "<br>", "<a href=/>", "</a>"),
        *("<li>", "<div class=comment>", "</div>", "<h1>", "<title>one</title>", "\x00", STORY[0]),
    ]
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(html=st.lists(PIECES, max_size=40).map("".join), rows=st.sampled_from(["blocks", "lines"]))
def test_any_page_is_judged_and_always_alike(html: str, rows: RowKind) -> None:
    first, second = judge(html, rows=rows), judge(html, rows=rows)
    assert np.isfinite(first.score).all()
    assert first.score.tolist() == second.score.tolist()
    assert first.keep.tolist() == second.keep.tolist()
    assert first.probability == second.probability
    assert first.probability is not None
    assert 0 <= first.probability <= 1


def test_the_network_takes_one_thread_and_leaves_the_others_to_the_crawl() -> None:
    features = blocks(article_page() * 50)
    network = shipped_network()
    excess = []
    for _ in range(5):
        everywhere, here = process_time(), thread_time()
        for _ in range(50):
            row_scores(features, network, 0)
        excess.append((process_time() - everywhere) / (thread_time() - here))
    # What tests before this one have let wait may take time of the first rounds.
    assert min(excess) < 1.2


def test_threads_do_not_disturb_each_other() -> None:
    pages = [article_page(), INDEX, article_page(behind=comments()), "<p>Rain.", ""] * 8
    alone = [extract(html) for html in pages]
    shipped_network.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(extract, pages)) == alone


@pytest.mark.parametrize("trap", ["short p", "list of links", "tables in cells", "menus"])
def test_time_grows_with_the_page_and_not_with_its_square(trap: str) -> None:
    small, large = (best_time(TRAPS[trap](size)) for size in (50_000, 400_000))
    assert large <= 16 * small or large <= 0.1


def best_time(html: str) -> float:
    times = []
    for _ in range(3):
        start = process_time()
        extract(html)
        times.append(process_time() - start)
    return min(times)


def test_of_a_book_on_one_page_every_paragraph_is_kept() -> None:
    count = MAX_ROWS + 5000
    words = "the ferry sails, and nobody knows whereto."
    paragraphs = (f"<p>In chapter {n:06}, {words}" for n in range(count))
    text = extract("<h1>Book</h1>" + "".join(paragraphs)).text
    assert text.count("nobody knows whereto") >= count - 2
