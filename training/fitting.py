"""The fitting of the network with torch, and the export of its weights for numpy."""

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
HIDDEN_UNITS, CHANNELS, EPOCHS = 64, 32, 16
LEARNING_RATE = 3e-3
WEIGHT_DECAY = 1e-3
# Features are clipped at this many standard deviations.
CLIP = 4.0
INPUT_DROPOUT, CHANNEL_DROPOUT = 0.03, 0.12
# In the second half of the training, a moving average of the weights is taken.
AVERAGING = 0.003
# The weight of the teachers' predictions against the gold text.
TEACHER_WEIGHT = 0.6
# The first and the last gold paragraph get this additional weight, and the text beyond them half of
# it. The gold text alone counts there, without the teachers' predictions.
EMPHASIS = 3.0
# The rows of a batch, and the most rows of a page. Later rows are not used in training.
BATCH_ROWS, PAGE_ROWS = 6000, 800

# Each corpus has its own idea of content, a style. The last style is what most of them agree on.
STYLES = ("cleaneval", "cleanportal", "dragnet", "l3s-gn1", "wcxb", "zh", "article")
ARTICLE = STYLES.index("article")
# The weight of a page in the style of its corpus. Small corpora get more.
OWN_WEIGHT = {"cleanportal": 3.0, "zh": 3.0, "l3s-gn1": 1.2}
# The weight of a page in the style of articles. The gold text of this corpus includes comments.
# With teachers, rows in comments are not content of an article if the page has other gold text,
# and pages that are not articles get less weight.
COMMENTED = "dragnet"
ARTICLE_WEIGHT = {**OWN_WEIGHT, "cleanportal": 6.0, "l3s-gn1": 2.0, "wcxb": 1.3, COMMENTED: 0.08}
DISTILLED_ARTICLE_WEIGHT = {**ARTICLE_WEIGHT, "wcxb": 1.7, COMMENTED: 0.3}
NOT_ARTICLE_WEIGHT = 0.6


class Net(nn.Module):
    """The network in torch; ``learned.weights.Network`` describes its shape."""

    def __init__(self, hidden_units: int, channels: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(FEATURES, hidden_units)
        self.projection = nn.Linear(hidden_units, channels)
        self.convolutions = nn.ModuleList(nn.Linear(3 * channels, channels) for _ in DISTANCES)
        self.pooling = nn.ModuleList(
            nn.Linear(2 * channels, channels, bias=False) for _ in DISTANCES
        )
        self.styles = nn.ModuleList(
            nn.Embedding(len(STYLES), channels) for _ in range(len(DISTANCES) + 1)
        )
        self.output = nn.Linear(channels, len(STYLES) + 1)
        self.input_dropout = nn.Dropout(INPUT_DROPOUT)
        self.channel_dropout = nn.Dropout(CHANNEL_DROPOUT)
        for style in self.styles.parameters():
            nn.init.zeros_(style)

    def forward(self, rows: Tensor, mask: Tensor, style: Tensor) -> Tensor:
        """Return the log-odds of rows: pages × rows.

        ``rows`` is pages × rows × features. ``mask``, pages × rows, is one for rows and zero for
        padding. ``style`` has the index of each page's style.
        """
        is_row = mask.unsqueeze(2)
        count = is_row.sum(1).clamp(min=1)
        hidden = torch.relu(self.hidden(self.input_dropout(rows)))
        state = self.projection(hidden) + self.styles[0](style)[:, None]
        state = torch.relu(state) * is_row
        for layer, distance in enumerate(DISTANCES):
            size = state.shape[1]
            padded = functional.pad(state, (0, 0, distance, distance))
            neighbors = torch.cat((padded[:, :size], state, padded[:, 2 * distance :]), 2)
            pooled = torch.cat((state.sum(1) / count, state.amax(1)), 1)
            bias = self.pooling[layer](pooled) + self.styles[layer + 1](style)
            change = torch.relu(self.convolutions[layer](neighbors) + bias[:, None])
            state = (state + self.channel_dropout(change)) * is_row
        scores = self.output(state)
        own = scores.gather(2, style[:, None, None].expand(-1, scores.shape[1], 1)).squeeze(2)
        return own + scores[:, :, -1]


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
    """Pages of about the same length, padded to the longest, at most ``max_rows`` of each."""

    def __init__(self, examples: Sequence[Example], scaling: Scaling, *, max_rows: int) -> None:
        size = max(min(len(example.words), max_rows) for example in examples)
        shape = (len(examples), size)
        self.rows = torch.zeros((*shape, FEATURES))
        self.mask, self.words, self.matched = (torch.zeros(shape) for _ in range(3))
        self.emphasis, self.comments = (torch.zeros(shape) for _ in range(2))
        self.teacher = torch.zeros((2, *shape)) if examples[0].teacher is not None else None
        self.gold = torch.zeros(len(examples))
        for page, example in enumerate(examples):
            count = min(len(example.words), max_rows)
            scaled = (_inputs(example)[:count] - scaling.mean) * scaling.scale
            self.rows[page, :count] = torch.from_numpy(scaled.clip(-CLIP, CLIP))
            self.mask[page, :count] = 1
            self.words[page, :count] = torch.from_numpy(example.words[:count])
            self.matched[page, :count] = torch.from_numpy(example.matched[:count])
            at_ends, beyond = boundaries(example)
            self.emphasis[page, [row for row in at_ends if row < count]] = EMPHASIS
            self.emphasis[page, [row for row in beyond if row < count]] = EMPHASIS / 2
            if example.corpus == COMMENTED:
                self.comments[page, :count] = torch.from_numpy(in_comments(example)[:count])
            self.gold[page] = max(int(example.gold.sum()), 1)
            if self.teacher is not None and example.teacher is not None:
                self.teacher[:, page, :count] = torch.from_numpy(example.teacher[:, :count])
        self.style = torch.tensor([STYLES.index(example.corpus) for example in examples])
        self.is_article = torch.tensor([example.type not in NOT_ARTICLES for example in examples])


def make_batches(
    examples: Sequence[Example], scaling: Scaling, *, max_rows: int, seed: int
) -> Iterator[Batch]:
    """Yield batches of pages of about the same length."""
    jitter = np.random.default_rng(seed).random(len(examples)) * 30
    lengths = np.array([min(len(example.words), max_rows) for example in examples])
    batch: list[Example] = []
    for index in np.argsort(lengths + jitter, kind="stable").tolist():
        if not lengths[index]:
            continue
        if batch and (len(batch) + 1) * lengths[index] > BATCH_ROWS:
            yield Batch(batch, scaling, max_rows=max_rows)
            batch = []
        batch.append(examples[index])
    if batch:
        yield Batch(batch, scaling, max_rows=max_rows)


def loss_of(net: Net, batch: Batch, generator: np.random.Generator) -> Tensor:
    """Compute the loss of a batch: the cross-entropy of rows, and the F1 of whole pages.

    A random half of the pages is scored in the style of articles, the others in the style of their
    corpus. The target of a row is its share of gold words, mixed with the teachers' predictions.
    """
    as_article = torch.from_numpy(generator.random(len(batch.style)) < 0.5)
    scores = net(batch.rows, batch.mask, torch.where(as_article, ARTICLE, batch.style))
    words = batch.words.clamp(min=1) * batch.mask
    # The weight of a row grows with its length, but less than in proportion.
    weights = words / words.sum(1, keepdim=True)
    roots = words.sqrt()
    weights = (weights + roots / roots.sum(1, keepdim=True)) / 2
    matched, gold = batch.matched, batch.gold
    shares = matched / batch.words.clamp(min=1)
    if batch.teacher is not None:
        predicted = torch.where(as_article[:, None], batch.teacher[0], batch.teacher[1])
        shares = torch.lerp(shares, predicted, TEACHER_WEIGHT * (batch.emphasis == 0))
        weights = weights * (1 + batch.emphasis)
        is_content = 1 - batch.comments * as_article[:, None]
        gold = (gold - (matched * (1 - is_content)).sum(1)).clamp(min=1)
        shares, matched = shares * is_content, matched * is_content
    by_row = functional.binary_cross_entropy_with_logits(scores, shares, reduction="none")
    kept = torch.sigmoid(scores) * batch.mask
    by_page = 1 - 2 * (kept * matched).sum(1) / ((kept * batch.words).sum(1) + gold)
    losses = (by_row * weights).sum(1) + 0.5 * by_page
    return (losses * _page_weights(batch, as_article)).mean()


def _page_weights(batch: Batch, as_article: Tensor) -> Tensor:
    """Return the weight of each page."""
    corpora = [STYLES[style] for style in batch.style.tolist()]
    of_articles = ARTICLE_WEIGHT if batch.teacher is None else DISTILLED_ARTICLE_WEIGHT
    own = torch.tensor([OWN_WEIGHT.get(corpus, 1.0) for corpus in corpora])
    article = torch.tensor([of_articles.get(corpus, 1.0) for corpus in corpora])
    if batch.teacher is not None:
        article = torch.where(batch.is_article, article, article * NOT_ARTICLE_WEIGHT)
    return torch.where(as_article, article, own)


def fit(
    examples: Sequence[Example],
    scaling: Scaling,
    *,
    seed: int,
    hidden_units: int = HIDDEN_UNITS,
    channels: int = CHANNELS,
) -> Net:
    """Fit a network; the same examples and the same seed give the same weights."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    generator = np.random.default_rng(seed)
    net = Net(hidden_units, channels)
    optimizer = torch.optim.AdamW(net.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    batches = list(make_batches(examples, scaling, max_rows=PAGE_ROWS, seed=seed))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, LEARNING_RATE, total_steps=len(batches) * EPOCHS, pct_start=0.15
    )
    averages = None
    for epoch in range(EPOCHS):
        for index in generator.permutation(len(batches)).tolist():
            loss = loss_of(net, batches[index], generator)
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


def predict(net: Net, scaling: Scaling, example: Example, style: int) -> NDArray[np.float32]:
    """Compute the probability of each row of a page to be content in a style."""
    if not len(example.words):
        return np.zeros(0, np.float32)
    batch = Batch([example], scaling, max_rows=len(example.words))
    with torch.no_grad():
        probabilities = torch.sigmoid(net(batch.rows, batch.mask, torch.tensor([style])))
    predicted: NDArray[np.float32] = probabilities[0].numpy()
    return predicted


def network_arrays(
    net: Net, scaling: Scaling, *, styles: Sequence[str]
) -> dict[str, NDArray[np.float32]]:
    """Return the weights by the names that ``learned.weights.Network`` has for them.

    The k-th favour is the k-th of the styles. The calibration weights are not among the arrays.
    """
    chosen = [STYLES.index(style) for style in styles]
    mean, scale = torch.from_numpy(scaling.mean), torch.from_numpy(scaling.scale)
    weights: dict[str, Tensor] = net.state_dict()

    def stacked(layers: str) -> Tensor:
        names = [f"{layers}.{layer}.weight" for layer in range(len(DISTANCES))]
        return torch.stack([weights[name] for name in names])

    # The method does not scale the features, so the weights are scaled instead.
    hidden_weights = weights["hidden.weight"] * scale
    biases = (
        weights["projection.bias"],
        *(weights[f"convolutions.{layer}.bias"] for layer in range(len(DISTANCES))),
    )
    channel_bias = [
        bias + weights[f"styles.{layer}.weight"][chosen] for layer, bias in enumerate(biases)
    ]
    output_weights, output_bias = weights["output.weight"], weights["output.bias"]
    arrays = {
        "feature_min": mean - CLIP / scale,
        "feature_max": mean + CLIP / scale,
        "hidden_weights": hidden_weights,
        "hidden_bias": weights["hidden.bias"] - hidden_weights @ mean,
        "projection_weights": weights["projection.weight"],
        "convolution_weights": stacked("convolutions"),
        "pooling_weights": stacked("pooling"),
        "channel_bias": torch.stack(channel_bias, 1),
        "output_weights": output_weights[chosen] + output_weights[-1],
        "threshold": -(output_bias[chosen] + output_bias[-1]),
    }
    return {name: array.detach().numpy().astype(np.float32) for name, array in arrays.items()}
