"""The fitting of the network, which needs torch."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.corpus import Page
from scrapy_cetr.extraction.methods.learned.network import log_odds
from training.examples import Example, make_example
from training.styles import ARTICLE

pytest.importorskip("torch")
from training import fitting
from training.distillation import add_teacher_predictions
from training.validation import extract_as_taught, extract_page, fit_all, uncalibrated

MENU = "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(9))
TEXT = "The rain fell on the town for days, and nobody of the {} was out in the streets. "


def page(number: int) -> Page:
    body = "\n".join(TEXT.format(f"{number} {line}") for line in range(6))
    paragraphs = "".join(f"<p>{line}</p>" for line in body.splitlines())
    html = f"<ul>{MENU}</ul><article>{paragraphs}</article><ul>{MENU}</ul>"
    return Page(
        id=str(number),
        url=f"https://site{number}.com/",
        type="article",
        html=html,
        text=body,
    )


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    corpora = ("dragnet", "other")
    return [make_example((corpora[number % 2], page(number))) for number in range(12)]


@pytest.fixture(autouse=True)
def short_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "EPOCHS", 20)
    monkeypatch.setattr("training.batches.BATCH_ROWS", 60)
    monkeypatch.setattr("training.distillation.FOLDS", 2)
    monkeypatch.setattr("training.distillation.ROUNDS", 1)


def test_exported_weights_score_as_the_fit_does(examples: list[Example]) -> None:
    fitted = fitting.fit(examples, seed=1)
    assert fitted.styles == ("dragnet", "other", ARTICLE)
    network = uncalibrated(fitting.network_arrays(fitted))
    for favor, (style, threshold) in enumerate(((ARTICLE, 0), (ARTICLE, 1), ("dragnet", 0))):
        predicted = fitted.predict(examples[0], style)
        scores = log_odds(examples[0].features, network, favor) + threshold
        assert 1 / (1 + np.exp(-scores)) == pytest.approx(predicted, abs=1e-4)


def test_fit_finds_the_article_of_a_page_it_has_not_seen(examples: list[Example]) -> None:
    network = uncalibrated(fitting.network_arrays(fitting.fit(examples[1:], seed=1)))
    result = extract_page(examples[0], network, frozenset())
    assert result.f1[0] == pytest.approx(1)
    assert result.parts_f1 == pytest.approx(1)


def test_same_examples_and_seed_give_the_same_weights(examples: list[Example]) -> None:
    one, other = (fitting.network_arrays(fitting.fit(examples, seed=3)) for _ in range(2))
    for name in one:
        assert np.array_equal(one[name], other[name])


def test_teachers_predict_every_row_in_three_styles(examples: list[Example]) -> None:
    taught = add_teacher_predictions([*examples, replace(examples[0], corpus="alone")], seed=1)
    for example in taught:
        assert example.teacher is not None
        assert example.teacher.shape == (3, len(example.words))
        assert ((example.teacher >= 0) & (example.teacher <= 1)).all()
    assert fitting.fit(taught, seed=1).styles == ("alone", "dragnet", "other", ARTICLE)


def test_page_without_teachers_cannot_be_judged_by_them(examples: list[Example]) -> None:
    with pytest.raises(ValueError, match="page 0 has no predictions"):
        extract_as_taught(examples[0], frozenset())


def test_fit_to_all_pages_is_judged_by_the_teachers(examples: list[Example]) -> None:
    results, arrays = fit_all(examples, jobs=1)
    assert [result.id for result in results] == [example.id for example in examples]
    assert np.mean([result.f1[0] for result in results]) > 0.9
    kept = extract_page(examples[0], uncalibrated(arrays[-1]), frozenset())
    assert kept.f1[0] == pytest.approx(1)
