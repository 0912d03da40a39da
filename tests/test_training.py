"""How weights are made, as far as it needs no torch: examples, folds, F1 and certainty."""

import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from benchmarks.corpus import Page
from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.learned.network import probability
from training.certainty import fit_certainty, held_out, reliability_diagram
from training.examples import (
    Example,
    boundaries,
    ends_kept,
    f1,
    folds_by_site,
    in_comments,
    make_example,
    site_of,
)

HTML = """<ul><li>The sun and town</li></ul><p>Rain fell on the town.</p><hr>
<p>The town slept, and rain fell.</p><p>More rain</p>"""
GOLD = "Rain fell on the town. The town slept, and rain fell."
PAGE = Page(id="7", url="https://news.example.co.uk/rain", type="article", html=HTML, text=GOLD)


def example(page: Page = PAGE) -> Example:
    return make_example(("tiny", page))


# Examples


def test_an_example_knows_how_many_words_of_each_row_are_gold() -> None:
    made = example()
    assert (made.corpus, made.id, made.type, made.site) == ("tiny", "7", "article", "example.co.uk")
    assert made.features.texts[0] == "The sun and town"
    assert made.words.tolist() == [4, 5, 6, 2]
    # The words of menus are in the gold text too, but not in their order.
    assert made.matched.tolist() == [0, 5, 6, 0]


def test_its_words_are_numbered_by_row() -> None:
    made = example()
    assert made.word_rows.tolist() == [0] * 4 + [1] * 5 + [2] * 6 + [3] * 2
    # the sun and town / rain fell on the town / the town slept and rain fell / more rain
    assert made.word_ids.tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 3, 0, 3, 7, 2, 4, 5, 8, 4]
    # the, town, rain and fell are there twice; sun and more are not.
    assert made.gold.tolist() == [2, 0, 1, 2, 2, 2, 1, 1, 0]


def test_chinese_is_aligned_by_characters() -> None:
    made = example(replace(PAGE, html="<p>天气<p>渔民出海。", text="渔民出海。"))
    assert (made.words.tolist(), made.matched.tolist()) == ([2, 4], [0, 4])


@pytest.mark.parametrize(("html", "text"), [("", ""), ("", "gold"), ("<p>one", "")])
def test_a_page_with_nothing_to_learn_from_is_no_trouble(html: str, text: str) -> None:
    made = example(replace(PAGE, html=html, text=text))
    assert made.matched.sum() == 0
    assert len(made.words) == len(made.features.rows)


def test_f1_is_that_of_the_words_of_kept_rows() -> None:
    made = example()

    def score(*keep: bool) -> float:
        return f1(made, np.array(keep))

    assert score(False, True, True, False) == 1
    assert score(False, False, False, False) == 0
    # 5 words of 5 and of 11: P = 1, R = 5 / 11.
    assert score(False, True, False, False) == pytest.approx(2 * 5 / (5 + 11))
    # 11 of 17 and of 11.
    assert score(True, True, True, True) == pytest.approx(2 * 11 / (17 + 11))
    assert f1(example(replace(PAGE, html="", text="")), np.zeros(0, np.bool_)) == 1


def test_what_is_kept_of_both_ends_counts_words_in_a_row() -> None:
    first, last = "a b c d e f g h i j", "k l m n o p q r s t"
    html = f"<p>{first}<p>a c b<p>{last} u"
    made = example(replace(PAGE, html=html, text=f"Headline\n{first}\nx\n{last}"))
    assert ends_kept(made, np.array([True, True, False])) == (1, 0)
    assert ends_kept(made, np.array([False, True, True])) == (0, 1)
    assert ends_kept(example(), np.ones(4, np.bool_)) == (1, 1)
    assert ends_kept(example(replace(PAGE, text="Too short.")), np.ones(4, np.bool_)) == ()


def test_where_the_gold_text_begins_and_ends_is_told_by_its_paragraphs() -> None:
    first, middle, last = (" ".join(f"{letter}{place}" for place in range(10)) for letter in "abc")
    around = "one two three four five"
    rows = (around, "Menu", "Headline", first, around, middle, last, "By line", f"{around} six")
    html = "".join(f"<p>{row}</p>" for row in rows)
    made = example(replace(PAGE, html=html, text=f"Headline\n{first}\n{middle}\n{last}"))
    # A headline is no paragraph, and four words or fewer are no text beyond it.
    assert boundaries(made) == ([3, 6], [0, 8])
    assert boundaries(example(replace(PAGE, html=html, text=last))) == ([6, 6], [5, 8])
    assert boundaries(example(replace(PAGE, html=html, text="Headline"))) == ([], [])
    # Of row 8 others are sure that it is content, of row 0 they are not: the gold text ends early.
    lesson = np.zeros((2, len(made.words)), np.float32)
    lesson[0, [0, 8]] = 0.7, 0.9
    assert boundaries(replace(made, lesson=lesson)) == ([3, 6], [0])


def test_comments_are_told_by_their_labels_if_there_is_an_article_too() -> None:
    html = "<p>Rain fell on the town.</p><div class=comments><p>It did. It did indeed.</p></div>"
    both = example(replace(PAGE, html=html, text="Rain fell on the town. It did. It did indeed."))
    assert in_comments(both).tolist() == [False, True]
    forum = example(replace(PAGE, html=html, text="It did. It did indeed."))
    assert in_comments(forum).tolist() == [False, False]


# Sites


@pytest.mark.parametrize(
    ("url", "html", "site"),
    [
        ("https://www.news.example.com/a", "", "example.com"),
        (None, "<a href='https://blog.paper.org/1'><a href=http://paper.org/2>", "paper.org"),
        (None, "<a href=https://facebook.com/x>" * 3 + "<a href=https://a.net/>", "a.net"),
        (None, "<a href=/relative>", "7"),
    ],
)
def test_the_site_of_a_page_is_that_of_its_address_or_most_of_its_links(
    url: str | None, html: str, site: str
) -> None:
    assert site_of(replace(PAGE, url=url, html=html)) == site


def test_folds_share_no_site() -> None:
    examples = [replace(example(), site=f"{number % 13}.example") for number in range(60)]
    folds = folds_by_site(examples, 4, seed=0)
    assert set(folds.tolist()) == {0, 1, 2, 3}
    pairs = {(one.site, fold) for one, fold in zip(examples, folds.tolist(), strict=True)}
    assert len(pairs) == 13
    assert folds_by_site(examples, 4, seed=0).tolist() == folds.tolist()
    assert folds_by_site(examples, 4, seed=1).tolist() != folds.tolist()


# Certainty


def made_up(count: int = 4000) -> tuple[Floats, Bools]:
    """Make up signs, of which the first two tell as much as the log-odds 2a - b + 0.5 do."""
    random = np.random.default_rng(3)
    signs = random.normal(size=(count, 3)) * (1, 2, 5)
    chance = probability(2 * signs[:, 0] - signs[:, 1] + 0.5)
    return signs, random.random(count) < chance


def test_certainty_finds_the_weights_that_signs_were_made_with() -> None:
    assert fit_certainty(*made_up()) == pytest.approx([2, -1, 0, 0.5], abs=0.2)


def test_it_is_calibrated_on_what_it_has_not_seen() -> None:
    signs, right = made_up()
    chance = held_out(signs, right, np.arange(len(signs)) % 4)
    for low in (0.0, 0.25, 0.5, 0.75):
        inside = (chance >= low) & (chance < low + 0.25)
        assert right[inside].mean() == pytest.approx(chance[inside].mean(), abs=0.06)


def test_a_sign_that_never_changes_and_one_that_tells_all_are_no_trouble() -> None:
    right = np.arange(40) % 2 == 0
    weights = fit_certainty(np.column_stack((np.ones(40), right)).astype(np.float64), right)
    assert np.isfinite(weights).all()
    assert probability(float(weights @ (1, 1, 1))) > 0.9
    assert probability(float(weights @ (1, 0, 1))) < 0.1


def test_the_diagram_is_a_drawing_with_a_dot_for_each_tenth() -> None:
    signs, right = made_up()
    folds = np.arange(len(signs)) % 4
    drawn = ET.fromstring(reliability_diagram(signs, right, folds))  # noqa: S314
    name = "{http://www.w3.org/2000/svg}"
    assert drawn.tag == f"{name}svg"
    titles = [title.text or "" for title in drawn.iter(f"{name}title")]
    assert len(titles) == len(list(drawn.iter(f"{name}circle"))) == 10
    assert sum(int(title.split()[0]) for title in titles) == len(signs)
    (error,) = re.findall(r"mean calibration error ([\d.]+)", ET.tostring(drawn, "unicode"))
    assert float(error) < 0.03


# The package


def test_none_of_it_is_needed_to_extract() -> None:
    code = (
        "import sys, scrapy_cetr; scrapy_cetr.extract('<p>Rain');"
        "print({'torch', 'rapidfuzz', 'training', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")
