"""Which rows of a page are kept, given the odds of each: rows are decided on together."""

from __future__ import annotations

from math import exp

import numpy as np

from scrapy_cetr.extraction.columns import Bools, Floats
from scrapy_cetr.extraction.methods.learned.feature_groups import Matrix
from scrapy_cetr.extraction.methods.learned.features import NAMES, Features
from scrapy_cetr.extraction.methods.learned.measurements import LINKED

# Among the text that holds the article, a paragraph of so many characters beside one that is kept
# is kept too, unless the odds are worse than this.
_PARAGRAPH_CHARS, _WORST_ODDS = 40, -1.0
# The end of an article is missed more than its length says: by so much of all that is kept. A text
# behind that, with at most one row between, is kept unless it is likely to be something else, or is
# of links and not among the text that holds the article.
_WORTH_OF_END, _WORST_END, _END_REACH, _MOSTLY_LINKED = 0.04, -2.0, 2, 0.6
# A row of so many characters, but no whole book, in sentences that have nearly all been kept before
# is the same text once more.
_REPEATED_CHARS, _BOOK_CHARS, _REPEATED_SHARE = 100, 500_000, 0.8
_SENTENCE_CHARS, _STOPS = 20, ".。 "
# Where the network would keep less of a page's text, the best rows are kept: those that score
# nearly as high as the best, unless even that is hopeless.
_LEAST, _NEARLY, _HOPELESS = 0.05, 2.0, -4.0
# A page with so many characters of text is like none that the network has learned from, and its
# doubts mean little: only what is hopeless is dropped.
_UNHEARD_OF_CHARS = 2_000_000
_LINKED, _IN_BEST, _IS_PARAGRAPH = map(NAMES.index, ("link share", "in best", "row of p"))


def group(features: Features, scores: Floats) -> Bools:
    """Decide on rows together: keep something of every page, and nothing of it twice."""
    chars = np.expm1(features.of_rows[0])
    all_chars = chars.sum()
    keep = scores > (0 if all_chars < _UNHEARD_OF_CHARS else _HOPELESS)
    if len(scores) and chars[keep].sum() < _LEAST * all_chars:
        keep = scores > max(min(0.0, scores.max() - _NEARLY), _HOPELESS)
    _fill(features, scores, chars, keep)
    _extend(features, scores, chars, keep)
    seen: set[str] = set()
    could_be_repeated = keep & (chars >= _REPEATED_CHARS) & (chars < _BOOK_CHARS)
    for place in np.flatnonzero(could_be_repeated).tolist():
        text = features.texts[place].rstrip(_STOPS)
        sentences = list(map(str.strip, text.split("。" if "。" in text else ". ")))
        if not seen.isdisjoint(sentences):
            again = [len(one) for one in sentences if len(one) >= _SENTENCE_CHARS and one in seen]
            keep[place] = sum(again) < _REPEATED_SHARE * len(text)
        seen.update(sentences)
    return keep


def _fill(features: Features, scores: Floats, chars: Matrix, keep: Bools) -> None:
    """Keep paragraphs that were nearly kept where those beside them are."""
    of_rows = features.of_rows
    nearly = (scores > _WORST_ODDS) & (chars >= _PARAGRAPH_CHARS) & (of_rows[_LINKED] < LINKED)
    paragraphs = nearly & ~keep & (of_rows[_IS_PARAGRAPH] > 0) & (of_rows[_IN_BEST] > 0)
    places = np.flatnonzero(paragraphs).tolist()
    for place in places:
        keep[place] = place > 0 and keep[place - 1]
    for place in reversed(places):
        keep[place] |= place + 1 < len(keep) and keep[place + 1]


def _extend(features: Features, scores: Floats, chars: Matrix, keep: Bools) -> None:
    """Keep what may be the end of the article, where losing that would cost more than keeping it.

    Kept in vain, a text costs its share of the article; dropped in vain, that and what an end is
    worth.
    """
    kept = np.flatnonzero(keep)
    if not len(kept):
        return
    last, all_chars = int(kept[-1]), float(chars[kept].sum())
    place = last + 1
    while place < min(last + _END_REACH + 1, len(keep)):
        share, score = float(chars[place]) / all_chars, float(scores[place])
        is_likely = score > _WORST_END and exp(min(score, 0)) * (share + _WORTH_OF_END) > share
        if is_likely and chars[place] >= _PARAGRAPH_CHARS:
            linked, in_best = features.of_rows[[_LINKED, _IN_BEST], place]
            if linked < _MOSTLY_LINKED or in_best:
                keep[place], last = True, place
        place += 1
