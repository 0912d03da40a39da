"""Batches: pages of about the same length, as tensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.conventions import ignored_rows, in_comments
from training.examples import NOT_ARTICLES, Example, boundaries
from training.network import FEATURES

# Features are clipped at this many standard deviations.
CLIP = 4.0
# The first and the last gold paragraph get this additional weight, and the text beyond them half of
# it. The gold text alone counts there, without the teachers' predictions.
EMPHASIS = 3.0
# The rows of a batch.
BATCH_ROWS = 6000


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """The mean of each feature, and the factor that brings its standard deviation to one."""

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]


def find_scaling(examples: Sequence[Example]) -> Scaling:
    """Compute the scaling of the features of all rows."""
    rows = np.concatenate([_inputs(example) for example in examples])
    return Scaling(mean=rows.mean(0), scale=1 / (rows.std(0) + 1e-3))


def _inputs(example: Example) -> NDArray[np.float32]:
    of_rows = example.features.of_rows.T
    return np.hstack((of_rows, np.tile(example.features.of_page, (len(of_rows), 1))))


class Batch:
    """Pages of about the same length, padded to the longest, at most ``max_rows`` of each.

    ``ignored`` marks the rows that the style of articles does not learn, ``comments`` those that it
    drops, whatever the gold text of the corpus does. ``weight`` is the weight of each page.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        scaling: Scaling,
        *,
        styles: Sequence[str],
        max_rows: int,
        weights: Mapping[str, float],
    ) -> None:
        size = max(min(len(example.words), max_rows) for example in examples)
        shape = (len(examples), size)
        self.rows = torch.zeros((*shape, FEATURES))
        self.mask, self.words, self.matched = (torch.zeros(shape) for _ in range(3))
        self.emphasis, self.ignored, self.comments = (torch.zeros(shape) for _ in range(3))
        self.teacher = torch.zeros((2, *shape)) if examples[0].teacher is not None else None
        self.gold = torch.zeros(len(examples))
        for page, example in enumerate(examples):
            self._add(page, example, scaling, min(len(example.words), max_rows))
        self.style = torch.tensor([styles.index(example.corpus) for example in examples])
        self.weight = torch.tensor([weights[example.corpus] for example in examples])
        self.is_article = torch.tensor([example.type not in NOT_ARTICLES for example in examples])

    def _add(self, page: int, example: Example, scaling: Scaling, count: int) -> None:
        scaled = (_inputs(example)[:count] - scaling.mean) * scaling.scale
        self.rows[page, :count] = torch.from_numpy(scaled.clip(-CLIP, CLIP))
        self.mask[page, :count] = 1
        self.words[page, :count] = torch.from_numpy(example.words[:count])
        self.matched[page, :count] = torch.from_numpy(example.matched[:count])
        self.ignored[page, :count] = torch.from_numpy(ignored_rows(example)[:count])
        self.comments[page, :count] = torch.from_numpy(in_comments(example)[:count])
        at_ends, beyond = boundaries(example)
        self.emphasis[page, [row for row in at_ends if row < count]] = EMPHASIS
        self.emphasis[page, [row for row in beyond if row < count]] = EMPHASIS / 2
        self.gold[page] = max(int(example.gold.sum()), 1)
        if self.teacher is not None and example.teacher is not None:
            self.teacher[:, page, :count] = torch.from_numpy(example.teacher[:2, :count])


def make_batches(
    examples: Sequence[Example],
    scaling: Scaling,
    *,
    styles: Sequence[str],
    weights: Mapping[str, float],
    max_rows: int,
    seed: int,
) -> Iterator[Batch]:
    """Yield batches of pages of about the same length."""
    jitter = np.random.default_rng(seed).random(len(examples)) * 30
    lengths = np.array([min(len(example.words), max_rows) for example in examples])
    batch: list[Example] = []

    def made() -> Batch:
        return Batch(batch, scaling, styles=styles, max_rows=max_rows, weights=weights)

    for index in np.argsort(lengths + jitter, kind="stable").tolist():
        if not lengths[index]:
            continue
        if batch and (len(batch) + 1) * lengths[index] > BATCH_ROWS:
            yield made()
            batch = []
        batch.append(examples[index])
    if batch:
        yield made()
