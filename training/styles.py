"""Styles: what each corpus takes for content, and how much its pages count in training.

Each corpus has its own idea of content, its style. The style ARTICLE is what they agree on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

from scrapy_cetr.extraction.options import FAVORS
from training.examples import Example

ARTICLE = "article"
# The pages of a small corpus count more than others, those of a large one less, within this range.
# In proportion to the square root, because few pages repeated often are learned by heart.
LEAST_WEIGHT, MOST_WEIGHT = 0.5, 3.0
# The style that each favour stands for, and its threshold on the log-odds of a row. A favour whose
# corpus is not among those given has the style of articles.
FAVOR_STYLES = {"article": ARTICLE, "precision": ARTICLE, "recall": "dragnet"}
FAVOR_THRESHOLDS = {"article": 0.0, "precision": 1.0, "recall": 0.0}


def styles_of(examples: Sequence[Example]) -> tuple[str, ...]:
    """Return the names of the corpora, and ARTICLE as the last style."""
    return (*sorted({example.corpus for example in examples}), ARTICLE)


def corpus_weights(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weight of a page of each corpus."""
    counts = Counter(example.corpus for example in examples)
    mean = len(examples) / max(len(counts), 1)
    return {
        corpus: min(max(sqrt(mean / count), LEAST_WEIGHT), MOST_WEIGHT)
        for corpus, count in counts.items()
    }


def styles_of_favors(styles: Sequence[str]) -> list[int]:
    """Return the index of the style of each of FAVORS."""
    names = [FAVOR_STYLES[favor] for favor in FAVORS]
    return [styles.index(name if name in styles else ARTICLE) for name in names]
