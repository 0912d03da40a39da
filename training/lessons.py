"""What networks that have not seen the site of a page make of it, for others to learn from.

Gold texts have faults, and rows of which one cannot know: a network that has learned a page by
heart repeats them, one that has not seen it shows where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from training.examples import Example, folds_by_site
from training.fitting import ARTICLE, STYLES, chances_of, find_scaling, fit

# Sites are dealt into as many parts, as often, anew each time; each time one network for each
# part is fitted to the others. These networks are larger than the one that learns from them.
PARTS, ROUNDS = 4, 2
FINDINGS, CHANNELS = 96, 40


def add_lessons(examples: Sequence[Example], *, seed: int) -> list[Example]:
    """Say of all rows how likely they are content, as articles and in the style of their corpus."""
    said = [np.zeros((2, len(example.words)), np.float32) for example in examples]
    for deal in range(seed, seed + ROUNDS):
        parts = folds_by_site(list(examples), PARTS, seed=deal)
        for part in range(PARTS):
            learnt = [examples[place] for place in np.flatnonzero(parts != part).tolist()]
            scaling = find_scaling(learnt)
            net = fit(learnt, scaling, seed=10 * deal + part, findings=FINDINGS, channels=CHANNELS)
            for place in np.flatnonzero(parts == part).tolist():
                example = examples[place]
                for line, style in enumerate((ARTICLE, STYLES.index(example.corpus))):
                    said[place][line] += chances_of(net, scaling, example, style) / ROUNDS
    return [replace(one, lesson=lesson) for one, lesson in zip(examples, said, strict=True)]
