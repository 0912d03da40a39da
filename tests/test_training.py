"""The training of weights, as far as it needs no torch."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from benchmarks.corpus import Page
from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.learned.calibration import CALIBRATION_NAMES, sigmoid
from training import progress as progress_module
from training.calibration import fit_calibration, held_out_probabilities, reliability_diagram
from training.examples import (
    Example,
    boundaries,
    ends_kept,
    f1,
    folds_by_site,
    make_example,
    site_of,
)
from training.progress import progress
from training.results import Result, by_corpus, result_table

HTML = """<ul><li>The sun and town</li></ul><p>Rain fell on the town.</p><hr>
<p>The town slept, and rain fell.</p><p>More rain</p>"""
GOLD = "Rain fell on the town. The town slept, and rain fell."
PAGE = Page(id="7", url="https://news.example.co.uk/rain", type="article", html=HTML, text=GOLD)


def example(page: Page = PAGE) -> Example:
    return make_example(("tiny", page))


# Examples


def test_example_counts_the_gold_words_of_each_row() -> None:
    made = example()
    assert (made.corpus, made.id, made.type, made.site) == ("tiny", "7", "article", "example.co.uk")
    assert made.features.texts[0] == "The sun and town"
    assert made.words.tolist() == [4, 5, 6, 2]
    # The words of the menu are in the gold text too, but in another order.
    assert made.matched.tolist() == [0, 5, 6, 0]


def test_words_of_an_example_are_numbered_by_row() -> None:
    made = example()
    assert made.word_rows.tolist() == [0] * 4 + [1] * 5 + [2] * 6 + [3] * 2
    # the sun and town / rain fell on the town / the town slept and rain fell / more rain
    assert made.word_ids.tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 3, 0, 3, 7, 2, 4, 5, 8, 4]
    # The gold text has the, town, rain and fell twice, and neither sun nor more.
    assert made.gold.tolist() == [2, 0, 1, 2, 2, 2, 1, 1, 0]


def test_chinese_text_is_aligned_by_characters() -> None:
    made = example(replace(PAGE, html="<p>天气<p>渔民出海。", text="渔民出海。"))
    assert (made.words.tolist(), made.matched.tolist()) == ([2, 4], [0, 4])


@pytest.mark.parametrize(("html", "text"), [("", ""), ("", "gold"), ("<p>one", "")])
def test_example_of_an_empty_page_or_gold_text_is_made(html: str, text: str) -> None:
    made = example(replace(PAGE, html=html, text=text))
    assert made.matched.sum() == 0
    assert len(made.words) == len(made.features.rows)


def test_f1_compares_the_words_of_kept_rows_with_the_gold_text() -> None:
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


def test_ends_kept_counts_words_in_their_order() -> None:
    first, last = "a b c d e f g h i j", "k l m n o p q r s t"
    html = f"<p>{first}<p>a c b<p>{last} u"
    made = example(replace(PAGE, html=html, text=f"Headline\n{first}\nx\n{last}"))
    assert ends_kept(made, np.array([True, True, False])) == (1, 0)
    assert ends_kept(made, np.array([False, True, True])) == (0, 1)
    assert ends_kept(example(), np.ones(4, np.bool_)) == (1, 1)
    assert ends_kept(example(replace(PAGE, text="Too short.")), np.ones(4, np.bool_)) == ()


def test_boundaries_are_the_first_and_last_gold_paragraph_and_text_beyond() -> None:
    first, middle, last = (
        " ".join(f"{letter}{number}" for number in range(10)) for letter in "abc"
    )
    around = "one two three four five"
    rows = (around, "Menu", "Headline", first, around, middle, last, "By line", f"{around} six")
    html = "".join(f"<p>{row}</p>" for row in rows)
    made = example(replace(PAGE, html=html, text=f"Headline\n{first}\n{middle}\n{last}"))
    # A headline is not a paragraph, and rows of four words or fewer are not text.
    assert boundaries(made) == ([3, 6], [0, 8])
    assert boundaries(example(replace(PAGE, html=html, text=last))) == ([6, 6], [5, 8])
    assert boundaries(example(replace(PAGE, html=html, text="Headline"))) == ([], [])
    # The teachers are sure that row 8 is content: the gold text ends too early. Row 0 is not.
    teacher = np.zeros((2, len(made.words)), np.float32)
    teacher[0, [0, 8]] = 0.7, 0.9
    assert boundaries(replace(made, teacher=teacher)) == ([3, 6], [0])


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
def test_site_is_that_of_the_url_or_of_most_links(url: str | None, html: str, site: str) -> None:
    assert site_of(replace(PAGE, url=url, html=html)) == site


def test_folds_share_no_site() -> None:
    examples = [replace(example(), site=f"{number % 13}.example") for number in range(60)]
    folds = folds_by_site(examples, 4, seed=0)
    assert set(folds.tolist()) == {0, 1, 2, 3}
    pairs = {(one.site, fold) for one, fold in zip(examples, folds.tolist(), strict=True)}
    assert len(pairs) == 13
    assert folds_by_site(examples, 4, seed=0).tolist() == folds.tolist()
    assert folds_by_site(examples, 4, seed=1).tolist() != folds.tolist()


# Calibration


def random_pages(count: int = 4000) -> tuple[Floats, Bools]:
    """Return random features and outcomes, with log-odds of 2a - b + 0.5 for features a, b, c."""
    random = np.random.default_rng(3)
    features = random.normal(size=(count, 3)) * (1, 2, 5)
    predicted = sigmoid(2 * features[:, 0] - features[:, 1] + 0.5)
    return features, random.random(count) < predicted


def test_calibration_finds_the_weights_of_the_outcomes() -> None:
    assert fit_calibration(*random_pages()) == pytest.approx([2, -1, 0, 0.5], abs=0.2)


def test_held_out_probabilities_are_calibrated() -> None:
    features, right = random_pages()
    predicted = held_out_probabilities(features, right, np.arange(len(features)) % 4)
    for low in (0.0, 0.25, 0.5, 0.75):
        inside = (predicted >= low) & (predicted < low + 0.25)
        assert right[inside].mean() == pytest.approx(predicted[inside].mean(), abs=0.06)


def test_calibration_with_a_constant_and_a_perfect_feature_is_finite() -> None:
    right = np.arange(40) % 2 == 0
    weights = fit_calibration(np.column_stack((np.ones(40), right)).astype(np.float64), right)
    assert np.isfinite(weights).all()
    assert sigmoid(float(weights @ (1, 1, 1))) > 0.9
    assert sigmoid(float(weights @ (1, 0, 1))) < 0.1


def test_reliability_diagram_has_a_dot_for_each_tenth() -> None:
    features, right = random_pages()
    folds = np.arange(len(features)) % 4
    drawn = ET.fromstring(reliability_diagram(features, right, folds))  # noqa: S314
    name = "{http://www.w3.org/2000/svg}"
    assert drawn.tag == f"{name}svg"
    titles = [title.text or "" for title in drawn.iter(f"{name}title")]
    assert len(titles) == len(list(drawn.iter(f"{name}circle"))) == 10
    assert sum(int(title.split()[0]) for title in titles) == len(features)
    (error,) = re.findall(r"mean calibration error ([\d.]+)", ET.tostring(drawn, "unicode"))
    assert float(error) < 0.03


# Results


def result(
    corpus: str,
    f1: float,
    *ends_kept: float,
    type: str = "article",  # noqa: A002
) -> Result:
    return Result(
        corpus=corpus,
        id="7",
        type=type,
        f1=(f1, f1 / 2, 1),
        parts_f1=f1 / 4,
        ends_kept=ends_kept,
        calibration_features=np.zeros(len(CALIBRATION_NAMES)),
    )


def test_result_table_has_means_by_corpus() -> None:
    results = [
        result("b", 0.9, 1, 0.5),
        result("a", 0.5, 1, 0),
        result("a", 0.7, 0, 0),
        result("a", 0.2, type="forum"),
    ]
    assert result_table(results).splitlines()[2:] == [
        "| a | 3 | 0.1167 | 0.4667 | 0.2333 | 1.0000 | 0.5000 | 0.0000 |",
        "| a, articles | 2 | 0.1500 | 0.6000 | 0.3000 | 1.0000 | 0.5000 | 0.0000 |",
        "| b | 1 | 0.2250 | 0.9000 | 0.4500 | 1.0000 | 1.0000 | 0.5000 |",
    ]


def test_result_table_has_dashes_for_a_corpus_without_long_paragraphs() -> None:
    header, _, *lines = result_table([result("a", 1), result("b", 0.5, 1, 0)]).splitlines()
    names = ("corpus", "pages", "with its parts", "article", "precision", "recall")
    assert header == f"| {' | '.join((*names, 'first ¶', 'last ¶'))} |"
    assert lines == [
        "| a | 1 | 0.2500 | 1.0000 | 0.5000 | 1.0000 | – | – |",
        "| b | 1 | 0.1250 | 0.5000 | 0.2500 | 1.0000 | 1.0000 | 0.0000 |",
    ]


def test_result_table_has_dashes_for_a_corpus_without_articles() -> None:
    forum = [result("a", 0.5, 1, 1, type="forum")]
    assert result_table(forum).splitlines()[-1] == "| a, articles | 0 | – | – | – | – | – | – |"
    assert list(by_corpus(forum)) == [("a", [0]), ("a, articles", [])]


def test_result_is_right_if_it_is_an_article_with_a_high_f1() -> None:
    assert result("a", 0.8).is_right
    assert not result("a", 0.79).is_right
    assert not result("a", 1, type="forum").is_right


# Progress


def test_progress_without_a_terminal_writes_plain_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter([0, 10, 20, 31, 40, 50.4])
    monkeypatch.setattr(progress_module, "monotonic", lambda: next(seconds))

    def steps() -> Iterator[str]:
        yield from "abcde"

    assert list(progress(steps(), total=5, name="fits")) == list("abcde")
    # One line after half a minute, and one at the end.
    assert capsys.readouterr().err == "fits: 3 of 5, 31 s\nfits: 5 of 5, 50 s\n"


# The package


def test_extraction_imports_nothing_of_the_training() -> None:
    code = (
        "import sys, scrapy_cetr; scrapy_cetr.extract('<p>Rain');"
        "print({'torch', 'rapidfuzz', 'training', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")
