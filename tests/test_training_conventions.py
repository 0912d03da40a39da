"""What corpora count as content by convention, and the styles and weights of corpora."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.corpus import Page
from training.conventions import PARTS, compose, conventions_of, ignored_rows, in_comments
from training.examples import Example, make_example
from training.styles import ARTICLE, corpus_weights, styles_of, styles_of_favors

HTML = """<title>Rain at last</title><h1>Rain at last</h1>
<p>Rain fell on the town, after months without any of it.</p>
<figure><figcaption>A wet street</figcaption></figure>
<p>Nobody was out in the streets, and all shops were closed.</p>
<div class="comments"><div class="comment"><p>Ann Lee, 3 May 2024</p>
<p>It did. It did indeed, for all of the night.</p></div></div>"""
FIRST = "Rain fell on the town, after months without any of it."
LAST = "Nobody was out in the streets, and all shops were closed."
BODY = f"{FIRST} {LAST}"
COMMENTED = "Ann Lee, 3 May 2024 It did. It did indeed, for all of the night."
HEADLINE, CAPTION, COMMENT = map(PARTS.index, ("headline", "caption", "comment"))


def example(text: str, *, corpus: str = "tiny", html: str = HTML) -> Example:
    page = Page(id="7", url="https://example.com/rain", type="article", html=html, text=text)
    return make_example((corpus, page))


def test_parts_are_headline_caption_and_comments() -> None:
    made = example(BODY)
    assert made.features.texts[0] == "Rain at last"
    assert made.parts.tolist() == [HEADLINE, -1, CAPTION, -1, COMMENT, COMMENT]
    assert example("", html="").parts.tolist() == []


def test_headline_and_caption_are_ignored_in_the_style_of_articles() -> None:
    assert ignored_rows(example(BODY)).tolist() == [True, False, True, False, False, False]


def test_comments_are_no_part_of_an_article_unless_they_are_all_there_is() -> None:
    both = example(f"{BODY} {COMMENTED}")
    assert in_comments(both).tolist() == [False, False, False, False, True, True]
    thread = example(COMMENTED)
    assert in_comments(thread).tolist() == [False] * 6


def test_convention_of_a_corpus_follows_from_its_gold_texts() -> None:
    generous = f"Rain at last {FIRST} A wet street {LAST} {COMMENTED}"
    examples = [
        example(f"Rain at last {BODY}", corpus="headline"),
        example(BODY, corpus="strict"),
        example(generous, corpus="generous"),
    ]
    assert conventions_of(examples) == {
        "headline": {HEADLINE},
        "strict": frozenset(),
        "generous": {HEADLINE, CAPTION, COMMENT},
    }


def test_composed_text_has_the_parts_of_the_convention() -> None:
    made, keep = example(BODY), np.array([False, True, True, True, True, True])
    assert compose(made, keep, frozenset({HEADLINE})).tolist() == [
        *(True, True, False, True, False, False),
    ]
    assert compose(made, keep, frozenset({COMMENT})).tolist() == [
        *(False, True, False, True, True, True),
    ]
    # On a page of comments alone, the network decides.
    thread = example(COMMENTED)
    assert compose(thread, keep, frozenset())[-1]
    assert keep.tolist() == [False, True, True, True, True, True]


def test_styles_are_the_corpora_and_the_article() -> None:
    examples = [example(BODY, corpus=corpus) for corpus in ("b", "a", "b")]
    assert styles_of(examples) == ("a", "b", ARTICLE)


def test_favors_have_the_style_of_articles_where_their_corpus_is_missing() -> None:
    assert styles_of_favors(("a", ARTICLE)) == [1, 1, 1]
    assert styles_of_favors(("dragnet", ARTICLE)) == [1, 1, 0]


def test_pages_of_small_corpora_count_more() -> None:
    page = example(BODY)
    counts = {"large": 150, "small": 6, "medium": 54}
    weights = corpus_weights(
        [replace(page, corpus=name) for name in counts for _ in range(counts[name])]
    )
    # 70 pages on average: √(70 / 150), √(70 / 6) within the range, √(70 / 54).
    assert weights == pytest.approx({"large": 0.683, "small": 3, "medium": 1.139}, abs=1e-3)
