"""Tuning: exact gradients, weights that learn a convention, and files that cannot be used."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.corpus import Page
from scrapy_cetr.extraction.article import extract
from scrapy_cetr.extraction.methods.learned.calibration import sigmoid
from scrapy_cetr.extraction.methods.learned.network import log_odds
from scrapy_cetr.extraction.methods.learned.weights import (
    WeightsError,
    load_model,
    save_network,
    shipped_network,
)
from scrapy_cetr.extraction.tuning.curvature import curvature_for, flat, unflat
from scrapy_cetr.extraction.tuning.fitting import (
    gold_sample,
    known_sample,
    mean_f1,
    row_weights,
    tune,
)
from scrapy_cetr.extraction.tuning.gold import GoldPage, bundled_pages, make_gold_page
from scrapy_cetr.extraction.tuning.gradients import Pass, Style, project, style_of
from scrapy_cetr.tune import main
from training.bundled import bundled_lines
from training.curvature import curvature_of
from training.examples import make_example

NOUNS = ("ferry", "bridge", "library", "market", "regatta", "storm", "school", "organ")


def own_page(noun: str) -> tuple[str, str]:
    """Return a page whose gold text has a list of links that the shipped weights drop."""
    story = [
        f"The {noun} was the talk of the town for {day} days, and a crowd stood at it."
        for day in range(2, 6)
    ]
    links = [f"More about the {noun} {number}" for number in range(9)]
    html = "<h1>{}</h1>{}<ul class=links>{}</ul>".format(
        noun,
        "".join(f"<p>{text}</p>" for text in story),
        "".join(f"<li><a href=/{number}>{text}</a>" for number, text in enumerate(links)),
    )
    return html, "\n".join((*story, *links))


@pytest.fixture(scope="module")
def pages() -> list[GoldPage]:
    return [make_gold_page(*own_page(noun), name=noun, site=noun) for noun in NOUNS]


def test_forward_pass_is_that_of_the_method(pages: list[GoldPage]) -> None:
    network = shipped_network()
    done = Pass(gold_sample(pages[0], network).projected, network, style_of(network, 0))
    assert np.allclose(done.scores, log_odds(pages[0].features, network, 0), atol=1e-4)


def test_gradient_is_that_of_small_differences(pages: list[GoldPage]) -> None:
    network = shipped_network()
    sample, style = gold_sample(pages[0], network), style_of(network, 0)
    weights = np.random.default_rng(0).normal(size=len(pages[0].words))
    gradient = Pass(sample.projected, network, style).gradient(weights)
    for part in range(3):
        for index in np.ndindex(style[part].shape):
            if sum(index) % 17:
                continue
            sums = []
            for step in (1e-6, -1e-6):
                moved = Style(*(array.copy() for array in style))
                moved[part][index] += step
                sums.append(weights @ Pass(sample.projected, network, moved).scores)
            assert (sums[0] - sums[1]) / 2e-6 == pytest.approx(gradient[part][index], abs=1e-3)


def test_tuned_weights_learn_and_keep_what_they_knew(pages: list[GoldPage]) -> None:
    network, bundled = shipped_network(), bundled_pages()
    known = [known_sample(page, network) for page in bundled]
    tuned = tune(network, [gold_sample(page, network) for page in pages[:6]], known)
    assert mean_f1(pages[6:], tuned) > mean_f1(pages[6:], network) + 0.05
    assert mean_f1(bundled, tuned) > mean_f1(bundled, network) - 0.02


def test_packaged_curvature_is_that_of_the_packaged_weights() -> None:
    network = shipped_network()
    matrix = curvature_for(network)
    assert matrix is not None, "compute it again: python -m training.curvature CORPORA"
    assert matrix.shape == (flat(style_of(network, 0)).size,) * 2
    assert np.linalg.eigvalsh(matrix).min() > -1e-6
    other = replace(network, hidden_weights=network.hidden_weights * 2)
    assert curvature_for(other) is None
    # Tuned weights differ in what is adapted, and in nothing else.
    tuned = replace(network, output_weights=network.output_weights * 2)
    assert curvature_for(tuned) is matrix


def test_curvature_pulls_where_pages_depend_on_a_weight(pages: list[GoldPage]) -> None:
    network = shipped_network()
    samples = [gold_sample(page, network) for page in pages]
    start = flat(style_of(network, 0))
    held = np.zeros((len(start),) * 2)
    held[-1, -1] = 1e6
    moved = flat(style_of(tune(network, samples, [], curvature=held), 0)) - start
    assert abs(moved[-1]) < 0.1 * np.abs(moved[:-1]).max()


def test_curvature_is_that_of_the_probabilities() -> None:
    network = shipped_network()
    html, text = own_page("ferry")
    example = make_example(("own", Page(id="1", url=None, type=None, html=html, text=text)))
    matrix = curvature_of([example] * 200, network)
    style = style_of(network, 0)
    change = 1e-3 * np.random.default_rng(0).normal(size=len(matrix))
    projected = project(example.features, network)
    before, after = (
        sigmoid(Pass(projected, network, unflat(flat(style) + step, style)).scores)
        for step in (0 * change, change)
    )
    # The distance of two probabilities is half of the quadratic form.
    lost = before * np.log(before / after) + (1 - before) * np.log((1 - before) / (1 - after))
    lost = (row_weights(example.words.astype(float)) * lost).sum()
    assert change @ matrix @ change / 2 == pytest.approx(lost, rel=0.25)


def test_packaged_pages_are_those_of_the_bundled_site() -> None:
    assert len(bundled_pages()) == len(bundled_lines().splitlines())
    assert [page.name for page in bundled_pages()] == [
        json.loads(line)["url"] for line in bundled_lines().splitlines()
    ]


def test_row_is_gold_by_runs_of_words() -> None:
    html = "<p>It rained all day in the harbour<p>Yes<p>all day in a bar of iron<ul><li>day</ul>"
    page = make_gold_page(html, "It rained all day in the harbour. Yes.", name="", site="")
    assert page.matched.tolist() == [7, 1, 3, 0]
    assert page.f1(np.array([True, True, False, False])) == 1


@pytest.mark.slow
def test_command_writes_weights_that_a_crawl_can_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, model = tmp_path / "gold.jsonl", tmp_path / "my.npz"
    lines = [dict(zip(("html", "text"), own_page(noun), strict=True)) for noun in NOUNS]
    gold.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main([str(gold), "-o", str(model)]) == 0
    printed = capsys.readouterr().out
    assert "cross-validated F1: " in printed
    assert "bundled pages: " in printed
    html, _ = own_page("harbour")
    parts = ("paragraph", "list")
    assert len(extract(html, model=str(model), parts=parts).text) > len(
        extract(html, parts=parts).text
    )


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("", "has no pages"),
        ("{", "line 1: is not JSON"),
        ('{"html": "<p>x"}', "line 1: must be a JSON object with the strings 'html' and 'text'"),
        ('{"html": "<p>x", "text": "x"}', "has 1 pages; at least 4 are needed"),
        (None, "cannot be read: No such file"),
    ],
)
def test_gold_file_that_cannot_be_used_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None, error: str
) -> None:
    gold = tmp_path / "gold.jsonl"
    if content is not None:
        gold.write_text(content, encoding="utf-8")
    assert main([str(gold), "-o", str(tmp_path / "my.npz")]) == 2
    assert error in capsys.readouterr().err
    assert not (tmp_path / "my.npz").exists()


def test_forged_models_are_refused(tmp_path: Path) -> None:
    network = shipped_network()
    good = tmp_path / "good.npz"
    with good.open("wb") as file:
        save_network(file, network)
    data = good.read_bytes()
    forged = {
        "truncated.npz": data[: len(data) // 2],
        "text.npz": b"not a model",
        "pickle.npz": b"\x80\x04.",
        "empty.npz": b"",
    }
    for name, content in forged.items():
        (tmp_path / name).write_bytes(content)
    for name, changed in {
        "shape.npz": replace(network, threshold=np.zeros(9, np.float32)),
        "nan.npz": replace(network, threshold=network.threshold * np.float32("nan")),
        "type.npz": replace(network, threshold=network.threshold.astype(np.float64)),
    }.items():
        with (tmp_path / name).open("wb") as file:
            save_network(file, changed)
    for name in (*forged, "shape.npz", "nan.npz", "type.npz", "missing.npz"):
        with pytest.raises(WeightsError, match=name):
            load_model(str(tmp_path / name))
    with pytest.raises(WeightsError, match=r"missing.npz: cannot be read"):
        extract("<p>It rained.</p>", model=str(tmp_path / "missing.npz"))


def test_model_with_pickled_arrays_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "pickle.npz"
    np.savez(path, threshold=np.array([{"a": 1}], object))
    with pytest.raises(WeightsError, match="weights have other arrays"):
        load_model(str(path))
