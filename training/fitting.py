"""The fitting of the network with torch, and the export of its weights for numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from scrapy_cetr.extraction.methods.learned.network import DISTANCES
from scrapy_cetr.extraction.options import FAVORS
from training.batches import CLIP, Batch, Scaling, find_scaling, make_batches
from training.examples import Example
from training.network import Net
from training.styles import FAVOR_THRESHOLDS, corpus_weights, styles_of, styles_of_favors

Arrays = dict[str, NDArray[np.float32]]

HIDDEN_UNITS, CHANNELS, EPOCHS = 48, 32, 16
# A page is not learned if a smaller share of its gold text is on it.
MIN_ALIGNED = 0.5
LEARNING_RATE = 3e-3
WEIGHT_DECAY = 1e-3
# In the second half of the training, a moving average of the weights is taken.
AVERAGING = 0.003
# The weight of the teachers' predictions against the gold text.
TEACHER_WEIGHT = 0.6
# The weight of the F1 of the page against the cross-entropy of its rows.
PAGE_WEIGHT = 0.5
# The most rows of a page. Later rows are not used in training.
PAGE_ROWS = 800
# In the style of articles, pages that are something else count less.
NOT_ARTICLE_WEIGHT = 0.6


@dataclass(frozen=True, kw_only=True)
class Fit:
    """A network that was fitted, with the scaling of its features and the names of its styles."""

    net: Net
    scaling: Scaling
    styles: tuple[str, ...]

    def predict(self, example: Example, style: str) -> NDArray[np.float32]:
        """Compute the probability of each row of a page to be content in a style."""
        if not len(example.words):
            return np.zeros(0, np.float32)
        batch = Batch(
            [example],
            self.scaling,
            styles=(example.corpus,),
            weights={example.corpus: 1.0},
            max_rows=len(example.words),
        )
        index = torch.tensor([self.styles.index(style)])
        with torch.no_grad():
            probabilities = torch.sigmoid(self.net(batch.rows, batch.mask, index))
        predicted: NDArray[np.float32] = probabilities[0].numpy()
        return predicted


def loss_of(net: Net, batch: Batch, generator: np.random.Generator) -> Tensor:
    """Compute the loss of a batch: the cross-entropy of rows, and the F1 of whole pages.

    A random half of the pages is scored in the style of articles, the last one, the others in the
    style of their corpus. The target of a row is its share of gold words, mixed with the teachers'
    predictions.
    """
    as_article = torch.from_numpy(generator.random(len(batch.style)) < 0.5)
    article = net.output.out_features - 2
    scores = net(batch.rows, batch.mask, torch.where(as_article, article, batch.style))
    is_learned = batch.mask * (1 - batch.ignored * as_article[:, None])
    is_content = is_learned * (1 - batch.comments * as_article[:, None])
    words = batch.words.clamp(min=1) * is_learned
    # The weight of a row grows with its length, but less than in proportion.
    roots = words.sqrt()
    weights = (_shares(words) + _shares(roots)) / 2
    shares = batch.matched / batch.words.clamp(min=1)
    if batch.teacher is not None:
        predicted = torch.where(as_article[:, None], batch.teacher[0], batch.teacher[1])
        shares = torch.lerp(shares, predicted, TEACHER_WEIGHT * (batch.emphasis == 0))
        weights = weights * (1 + batch.emphasis)
    matched = batch.matched * is_content
    gold = (batch.gold - (batch.matched - matched).sum(1)).clamp(min=1)
    by_row = functional.binary_cross_entropy_with_logits(
        scores, shares * is_content, reduction="none"
    )
    kept = torch.sigmoid(scores) * is_learned
    by_page = 1 - 2 * (kept * matched).sum(1) / ((kept * batch.words).sum(1) + gold)
    losses = (by_row * weights).sum(1) + PAGE_WEIGHT * by_page
    counts_less = as_article & ~batch.is_article
    return (losses * torch.where(counts_less, NOT_ARTICLE_WEIGHT, 1.0) * batch.weight).mean()


def _shares(rows: Tensor) -> Tensor:
    """Divide the numbers of rows by their sum over the page."""
    return rows / rows.sum(1, keepdim=True).clamp(min=1)


def fit(
    examples: Sequence[Example],
    *,
    seed: int,
    hidden_units: int = HIDDEN_UNITS,
    channels: int = CHANNELS,
    epochs: int = EPOCHS,
) -> Fit:
    """Fit a network; the same examples and the same seed give the same weights."""
    examples = [example for example in examples if _is_aligned(example)]
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    generator = np.random.default_rng(seed)
    scaling, styles = find_scaling(examples), styles_of(examples)
    net = Net(styles=len(styles), hidden_units=hidden_units, channels=channels)
    optimizer = torch.optim.AdamW(net.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    weights = corpus_weights(examples)
    made = make_batches(
        examples, scaling, styles=styles, weights=weights, max_rows=PAGE_ROWS, seed=seed
    )
    batches = list(made)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, LEARNING_RATE, total_steps=len(batches) * epochs, pct_start=0.15
    )
    averages = None
    for epoch in range(epochs):
        for index in generator.permutation(len(batches)).tolist():
            loss = loss_of(net, batches[index], generator)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            if epoch >= epochs // 2:
                averages = _average(averages, net)
    with torch.no_grad():
        for parameter, average in zip(net.parameters(), averages or (), strict=True):
            parameter.copy_(average)
    return Fit(net=net.eval(), scaling=scaling, styles=styles)


def _is_aligned(example: Example) -> bool:
    """Tell whether a page shows most of its gold text, of which there is some."""
    return bool(0 < MIN_ALIGNED * example.gold.sum() <= example.matched.sum())


def _average(averages: list[Tensor] | None, net: Net) -> list[Tensor]:
    with torch.no_grad():
        if averages is None:
            return [parameter.clone() for parameter in net.parameters()]
        return [
            old.lerp_(new, AVERAGING) for old, new in zip(averages, net.parameters(), strict=True)
        ]


def network_arrays(fitted: Fit, *, article: str | None = None) -> Arrays:
    """Return the weights by the names that ``learned.weights.Network`` has for them.

    The calibration weights are not among the arrays. ``article`` is another style for the favour
    for articles.
    """
    chosen = styles_of_favors(fitted.styles)
    if article is not None:
        chosen[FAVORS.index("article")] = fitted.styles.index(article)
    mean, scale = (torch.from_numpy(array) for array in (fitted.scaling.mean, fitted.scaling.scale))
    weights: dict[str, Tensor] = fitted.net.state_dict()

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
    thresholds = torch.tensor([FAVOR_THRESHOLDS[favor] for favor in FAVORS])
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
        "threshold": thresholds - (output_bias[chosen] + output_bias[-1]),
    }
    return {name: array.detach().numpy().astype(np.float32) for name, array in arrays.items()}
