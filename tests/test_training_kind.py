"""training.kind: generated pages, the fit, and what it prints."""

import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.document import with_table
from scrapy_cetr.extraction.kind import KINDS
from scrapy_cetr.extraction.kind.features import FEATURE_NAMES
from scrapy_cetr.extraction.kind.model import load_model, shipped_model
from testkit.article_pages import article_page
from training.kind import __main__ as command
from training.kind.fitting import fit_kinds
from training.kind.generated import (
    TEST,
    TEST_LAYOUTS,
    TRAIN,
    TRAIN_LAYOUTS,
    generate,
    read_wordings,
)
from training.kind.pages import KindExample, f1, from_generated
from training.kind.results import confusion, figures
from training.kind.validation import choose_shift, folds_of_sites, shifted


def example(kind: str, number: int, *, site: str | None = "a.example") -> KindExample:
    """Return a page whose first features are those of its kind."""
    features = np.random.default_rng(number).normal(size=len(FEATURE_NAMES))
    features[KINDS.index(kind)] += 8
    return KindExample(
        corpus="wcxb", id=str(number), kind=kind, site=site, features=features, f1=0.9
    )


def test_wordings_of_test_and_training_share_no_sentence() -> None:
    train, test = read_wordings(TRAIN), read_wordings(TEST)
    sentences = {sentence for wording in train for sentence in wording.sentences}
    assert sentences.isdisjoint(sentence for wording in test for sentence in wording.sentences)
    assert {wording.kind for wording in train} <= set(KINDS)
    walls = [wording for wording in test if wording.kind in ("wall", "error")]
    assert len(walls) >= 20
    assert len({wording.language for wording in walls}) >= 8


def test_wordings_with_a_missing_column_are_refused(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("# comment\nerror missing en | Title | Heading\n")
    with pytest.raises(ValueError, match=r"w\.txt, line 2: 5 columns are expected"):
        read_wordings(tmp_path / "w.txt")


def test_generated_pages_are_always_the_same_and_contain_their_wording() -> None:
    pages = list(generate(TEST, TEST_LAYOUTS))
    assert pages == list(generate(TEST, TEST_LAYOUTS))
    assert len(pages) == len(read_wordings(TEST)) * len(TEST_LAYOUTS)
    german = next(page for page in pages if page.wording.language == "de")
    assert german.wording.sentences[0] in german.html
    assert {page.layout for page in generate(TRAIN, TRAIN_LAYOUTS)} == set(TRAIN_LAYOUTS)


def test_shipped_model_takes_no_generated_wall_or_error_of_the_test_for_an_article() -> None:
    model = shipped_model()
    for page in from_generated(generate(TEST, TEST_LAYOUTS)):
        told = KINDS[int(model.probabilities(page.features).argmax())]
        assert page.kind not in ("wall", "error") or told != "article", page.id


def test_fit_tells_kinds_that_differ_in_one_feature() -> None:
    seen = [example(kind, number) for number in range(8) for kind in KINDS]
    model = fit_kinds(seen)
    new = [example(kind, 99) for kind in KINDS]
    told = [KINDS[int(model.probabilities(one.features).argmax())] for one in new]
    assert told == list(KINDS)


def test_folds_of_sites_share_no_site() -> None:
    examples = [example("forum", number, site=f"{number % 9}.example") for number in range(40)]
    pairs = {(one.site, fold) for one, fold in zip(examples, folds_of_sites(examples), strict=True)}
    assert len(pairs) == 9


def test_shift_is_the_smallest_that_keeps_the_articles() -> None:
    examples = [example("article", number) for number in range(10)]
    probabilities = np.zeros((10, len(KINDS)))
    probabilities[:, 0], probabilities[:, 1] = 0.4, 0.6
    shift = choose_shift(examples, probabilities)
    assert shift == pytest.approx(np.log(0.6 / 0.4), abs=0.06)
    assert (shifted(probabilities, shift).argmax(1) == 0).all()
    probabilities[:, 0], probabilities[:, 1] = 0.6, 0.4
    assert choose_shift(examples, probabilities) == 0


def test_results_count_lost_and_dropped_pages() -> None:
    examples = [example(kind, 1) for kind in ("article", "article", "forum", "product")]
    probabilities = np.eye(len(KINDS))[[0, 1, 2, 0]]
    assert figures(examples, probabilities).splitlines()[2:5] == [
        "| accuracy on wcxb | 4 | 0.500 |",
        "| articles with F1 ≥ 0.8 that are lost | 2 | 0.500 |",
        "| other pages that are dropped | 2 | 0.500 |",
    ]
    assert "| product | 1 | 0 | 0 | 0 |" in confusion(examples, probabilities)


def test_f1_compares_bags_of_words() -> None:
    assert f1("rain fell", "rain fell") == 1
    assert f1("", "") == 1
    assert f1("rain", "sun") == 0


def test_command_writes_weights_and_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import json

    lines = [
        {"id": str(n), "url": f"https://{n}.example/{kind}", "type": kind, "html": html, "text": ""}
        for n in range(6)
        for kind, html in (("article", article_page()), ("listing", "<a href=/>News</a>" * 30))
    ]
    corpus = tmp_path / "wcxb.jsonl"
    corpus.write_text("\n".join(map(json.dumps, lines)))
    document = tmp_path / "kinds.md"
    names = ("figures", "confusion", "reliability", "generated")
    document.write_text("".join(f"<!-- {name} -->\n<!-- end of {name} -->\n" for name in names))
    arguments = [str(corpus), "--jobs", "1", "--output", str(tmp_path / "w.npz")]
    monkeypatch.setattr(sys, "argv", ["training.kind", *arguments, "--into", str(document)])
    command.main()
    with (tmp_path / "w.npz").open("rb") as file:
        assert load_model(file).weights.shape[1] == len(KINDS)
    assert "| accuracy on wcxb | 12 |" in capsys.readouterr().out
    written = document.read_text()
    assert "| annotated | article |" in written
    assert with_table(written, "figures", "x")
