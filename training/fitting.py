"""The network of the learned method in torch, how it is fitted, and its weights for numpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from scrapy_cetr.extraction.methods.learned.features import NAMES, PAGE_NAMES
from scrapy_cetr.extraction.methods.learned.network import DISTANCES
from training.examples import NOT_ARTICLES, Example, boundaries, in_comments

FEATURES = len(NAMES) + len(PAGE_NAMES)
FINDINGS, CHANNELS, EPOCHS = 64, 32, 16
RATE = 3e-3
WEIGHT_DECAY = 1e-3
# Features count for no more than as many standard deviations.
CLIP = 4.0
DROPPED_INPUTS, DROPPED_CHANNELS = 0.03, 0.12
# From the middle of the training on, weights are averaged over the steps.
AVERAGING = 0.003
# How much the lessons of other networks count against the gold text.
TRUST = 0.6
# Where the gold text begins and ends it alone counts, and rows count for more: its first and its
# last paragraph by as much, and the text beyond these by half as much.
EMPHASIS = 3.0
# Rows of a batch, and rows of a page at the most: what is behind them is left out in training.
BATCH_ROWS, PAGE_ROWS = 6000, 800

# Each corpus has its own idea of content, a style; the last style is what all but one agree on.
STYLES = ("cleaneval", "cleanportal", "dragnet", "l3s-gn1", "wcxb", "zh", "article")
ARTICLE = STYLES.index("article")
# How much a page counts for the style of its corpus: the small corpora more than the others.
OWN_WEIGHT = {"cleanportal": 3.0, "zh": 3.0, "l3s-gn1": 1.2}
# And for the style of articles: Dragnet's gold text has comments in it. Who learns from lessons
# takes the rows that are labelled as comments for none of the article, if there are others; and
# pages that are no articles count for less.
COMMENTED = "dragnet"
ARTICLE_WEIGHT = {**OWN_WEIGHT, "cleanportal": 6.0, "l3s-gn1": 2.0, "wcxb": 1.3, COMMENTED: 0.08}
TAUGHT_ARTICLE_WEIGHT = {**ARTICLE_WEIGHT, "wcxb": 1.7, COMMENTED: 0.3}
NOT_ARTICLE_WEIGHT = 0.6


class Net(nn.Module):
    """Rows in, log-odds out; see ``learned.Network`` for what is computed."""

    def __init__(self, findings: int, channels: int) -> None:
        super().__init__()
        self.find = nn.Linear(FEATURES, findings)
        self.enter = nn.Linear(findings, channels)
        self.convolve = nn.ModuleList(nn.Linear(3 * channels, channels) for _ in DISTANCES)
        self.survey = nn.ModuleList(
            nn.Linear(2 * channels, channels, bias=False) for _ in DISTANCES
        )
        self.styles = nn.ModuleList(
            nn.Embedding(len(STYLES), channels) for _ in range(len(DISTANCES) + 1)
        )
        self.leave = nn.Linear(channels, len(STYLES) + 1)
        self.drop_inputs = nn.Dropout(DROPPED_INPUTS)
        self.drop_channels = nn.Dropout(DROPPED_CHANNELS)
        for style in self.styles:
            nn.init.zeros_(style.weight)

    def forward(self, rows: Tensor, mask: Tensor, style: Tensor) -> Tensor:
        """Score rows, an array of pages × rows × features, of which the mask tells the filled."""
        shown = mask.unsqueeze(2)
        count = shown.sum(1).clamp(min=1)
        found = torch.relu(self.find(self.drop_inputs(rows)))
        state = self.enter(found) + self.styles[0](style)[:, None]
        state = torch.relu(state) * shown
        for place, distance in enumerate(DISTANCES):
            size = state.shape[1]
            padded = functional.pad(state, (0, 0, distance, distance))
            near = torch.cat((padded[:, :size], state, padded[:, 2 * distance :]), 2)
            whole = torch.cat((state.sum(1) / count, state.amax(1)), 1)
            bias = self.survey[place](whole) + self.styles[place + 1](style)
            change = torch.relu(self.convolve[place](near) + bias[:, None])
            state = (state + self.drop_channels(change)) * shown
        scores = self.leave(state)
        own = scores.gather(2, style[:, None, None].expand(-1, scores.shape[1], 1)).squeeze(2)
        return own + scores[:, :, -1]


@dataclass(frozen=True, kw_only=True)
class Scaling:
    """The mean of each feature, and what brings its deviations to about one."""

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]


def find_scaling(examples: Sequence[Example]) -> Scaling:
    """Measure the features of all rows."""
    rows = np.concatenate([_inputs(example) for example in examples])
    return Scaling(mean=rows.mean(0), scale=1 / (rows.std(0) + 1e-3))


def _inputs(example: Example) -> NDArray[np.float32]:
    of_rows = example.features.of_rows.T
    return np.hstack((of_rows, np.tile(example.features.of_page, (len(of_rows), 1))))


class Batch:
    """Pages of about the same length, side by side."""

    def __init__(self, examples: Sequence[Example], scaling: Scaling, *, most: int) -> None:
        size = max(min(len(example.words), most) for example in examples)
        shape = (len(examples), size)
        self.rows = torch.zeros((*shape, FEATURES))
        self.mask, self.words, self.matched = (torch.zeros(shape) for _ in range(3))
        self.emphasis, self.comments = (torch.zeros(shape) for _ in range(2))
        self.lessons = torch.zeros((2, *shape)) if examples[0].lesson is not None else None
        self.gold = torch.zeros(len(examples))
        for place, example in enumerate(examples):
            count = min(len(example.words), most)
            scaled = (_inputs(example)[:count] - scaling.mean) * scaling.scale
            self.rows[place, :count] = torch.from_numpy(scaled.clip(-CLIP, CLIP))
            self.mask[place, :count] = 1
            self.words[place, :count] = torch.from_numpy(example.words[:count])
            self.matched[place, :count] = torch.from_numpy(example.matched[:count])
            at_ends, beyond = boundaries(example)
            self.emphasis[place, [row for row in at_ends if row < count]] = EMPHASIS
            self.emphasis[place, [row for row in beyond if row < count]] = EMPHASIS / 2
            if example.corpus == COMMENTED:
                self.comments[place, :count] = torch.from_numpy(in_comments(example)[:count])
            self.gold[place] = max(int(example.gold.sum()), 1)
            if self.lessons is not None and example.lesson is not None:
                self.lessons[:, place, :count] = torch.from_numpy(example.lesson[:, :count])
        self.style = torch.tensor([STYLES.index(example.corpus) for example in examples])
        self.is_article = torch.tensor([example.type not in NOT_ARTICLES for example in examples])


def make_batches(
    examples: Sequence[Example], scaling: Scaling, *, most: int, seed: int
) -> Iterator[Batch]:
    """Put pages of about the same length together."""
    jitter = np.random.default_rng(seed).random(len(examples)) * 30
    lengths = np.array([min(len(example.words), most) for example in examples])
    batch: list[Example] = []
    for place in np.argsort(lengths + jitter, kind="stable").tolist():
        if not lengths[place]:
            continue
        if batch and (len(batch) + 1) * lengths[place] > BATCH_ROWS:
            yield Batch(batch, scaling, most=most)
            batch = []
        batch.append(examples[place])
    if batch:
        yield Batch(batch, scaling, most=most)


def loss_of(net: Net, batch: Batch, generator: np.random.Generator) -> Tensor:
    """Compare scores with the gold text: row by row, and as F1 of the whole page.

    Every other page is judged in the style of articles instead of that of its corpus. Lessons have
    a say in what is right for a row.
    """
    as_article = torch.from_numpy(generator.random(len(batch.style)) < 0.5)
    scores = net(batch.rows, batch.mask, torch.where(as_article, ARTICLE, batch.style))
    words = batch.words.clamp(min=1) * batch.mask
    # Long rows count for more, but not for all.
    weights = words / words.sum(1, keepdim=True)
    roots = words.sqrt()
    weights = (weights + roots / roots.sum(1, keepdim=True)) / 2
    matched, gold = batch.matched, batch.gold
    shares = matched / batch.words.clamp(min=1)
    if batch.lessons is not None:
        lesson = torch.where(as_article[:, None], *batch.lessons)
        shares = torch.lerp(shares, lesson, TRUST * (batch.emphasis == 0))
        weights = weights * (1 + batch.emphasis)
        left = 1 - batch.comments * as_article[:, None]
        gold = (gold - (matched * (1 - left)).sum(1)).clamp(min=1)
        shares, matched = shares * left, matched * left
    by_row = functional.binary_cross_entropy_with_logits(scores, shares, reduction="none")
    chances = torch.sigmoid(scores) * batch.mask
    by_page = 1 - 2 * (chances * matched).sum(1) / ((chances * batch.words).sum(1) + gold)
    losses = (by_row * weights).sum(1) + 0.5 * by_page
    return (losses * _page_weights(batch, as_article)).mean()


def _page_weights(batch: Batch, as_article: Tensor) -> Tensor:
    """Say how much each page counts."""
    corpora = [STYLES[style] for style in batch.style.tolist()]
    of_articles = ARTICLE_WEIGHT if batch.lessons is None else TAUGHT_ARTICLE_WEIGHT
    own = torch.tensor([OWN_WEIGHT.get(corpus, 1.0) for corpus in corpora])
    article = torch.tensor([of_articles.get(corpus, 1.0) for corpus in corpora])
    if batch.lessons is not None:
        article = torch.where(batch.is_article, article, article * NOT_ARTICLE_WEIGHT)
    return torch.where(as_article, article, own)


def fit(
    examples: Sequence[Example],
    scaling: Scaling,
    *,
    seed: int,
    findings: int = FINDINGS,
    channels: int = CHANNELS,
) -> Net:
    """Fit a network; the same examples and the same seed give the same weights."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    generator = np.random.default_rng(seed)
    net = Net(findings, channels)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY)
    batches = list(make_batches(examples, scaling, most=PAGE_ROWS, seed=seed))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=len(batches) * EPOCHS, pct_start=0.15
    )
    averages = None
    for epoch in range(EPOCHS):
        for place in generator.permutation(len(batches)).tolist():
            loss = loss_of(net, batches[place], generator)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            if epoch >= EPOCHS // 2:
                averages = _average(averages, net)
    with torch.no_grad():
        for parameter, average in zip(net.parameters(), averages or (), strict=True):
            parameter.copy_(average)
    return net.eval()


def _average(averages: list[Tensor] | None, net: Net) -> list[Tensor]:
    with torch.no_grad():
        if averages is None:
            return [parameter.clone() for parameter in net.parameters()]
        return [
            old.lerp_(new, AVERAGING) for old, new in zip(averages, net.parameters(), strict=True)
        ]


def chances_of(net: Net, scaling: Scaling, example: Example, style: int) -> NDArray[np.float32]:
    """Say how likely a network finds each row of a page to be content."""
    if not len(example.words):
        return np.zeros(0, np.float32)
    batch = Batch([example], scaling, most=len(example.words))
    with torch.no_grad():
        chances = torch.sigmoid(net(batch.rows, batch.mask, torch.tensor([style])))
    found: NDArray[np.float32] = chances[0].numpy()
    return found


def weights_of(
    net: Net, scaling: Scaling, *, styles: Sequence[str]
) -> dict[str, NDArray[np.float32]]:
    """Collect the weights as ``learned.Network`` has them; the k-th favour is the k-th style."""
    chosen = [STYLES.index(style) for style in styles]
    mean, scale = torch.from_numpy(scaling.mean), torch.from_numpy(scaling.scale)
    # What the network sees scaled, the method sees as it is.
    find = net.find.weight * scale
    layers = (net.enter.bias, *(layer.bias for layer in net.convolve))
    arrays = {
        "low": mean - CLIP / scale,
        "high": mean + CLIP / scale,
        "find": find,
        "find_bias": net.find.bias - find @ mean,
        "enter": net.enter.weight,
        "convolve": torch.stack([layer.weight for layer in net.convolve]),
        "survey": torch.stack([layer.weight for layer in net.survey]),
        "bias": torch.stack(
            [bias + style.weight[chosen] for bias, style in zip(layers, net.styles, strict=True)], 1
        ),
        "leave": net.leave.weight[chosen] + net.leave.weight[-1],
        "threshold": -(net.leave.bias[chosen] + net.leave.bias[-1]),
    }
    return {name: array.detach().numpy().astype(np.float32) for name, array in arrays.items()}
