"""The selection of rows: scores are turned into decisions, with regard to neighbouring rows."""

from __future__ import annotations

from math import exp

import numpy as np

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Floats, Indices
from scrapy_cetr.extraction.methods.learned.feature_groups import Matrix
from scrapy_cetr.extraction.methods.learned.features import NAMES, Features
from scrapy_cetr.extraction.methods.learned.measurements import LINKED

# In the container with the most long text, a paragraph of at least this many characters next to a
# kept one is kept too, unless its score is lower than this.
_PARAGRAPH_CHARS, _WORST_SCORE = 40, -1.0
# Losing the end of an article is worse than its length says: by this share of all kept text. Text
# after the last kept row, with at most one row between them, is kept unless its score is lower than
# this, or it consists of links outside of the container with the most long text.
_WORTH_OF_END, _WORST_END, _END_REACH, _MOSTLY_LINKED = 0.04, -2.0, 2, 0.6
# A row of this length, if it is not a whole book, is a repetition if at least this share of it is
# in sentences that were kept before.
_REPEATED_CHARS, _BOOK_CHARS, _REPEATED_SHARE = 100, 500_000, 0.8
_SENTENCE_CHARS, _STOPS = 20, ".。 "
# Paragraphs that a text repeats on purpose make up at most this share of it. If an article is on
# the page twice, half of it is repeated.
_MOST_REFRAINS = 0.34
# From this share of dropped long rows on, the article is on the page twice.
_COPIED_SHARE = 0.4
# If the network would keep a smaller share of the page's text, the rows near the highest score are
# kept, unless even that is hopeless.
_LEAST_SHARE, _NEAR, _HOPELESS = 0.05, 2.0, -4.0
# No page in the training corpora has this many characters, so low scores mean little here: only
# hopeless rows are dropped.
_UNSEEN_CHARS = 2_000_000
_CHARS, _LINK_SHARE, _IN_BEST, _IS_PARAGRAPH = map(
    NAMES.index, ("chars", "link share", "in best", "row of p")
)


def select_rows(features: Features, scores: Floats) -> Bools:
    """Decide which rows are kept: something of every page, and no text twice."""
    chars = row_chars(features)
    keep = keep_by_score(scores, chars)
    fill_gaps(features, scores, chars, keep)
    extend_end(features, scores, chars, keep)
    drop_repetitions(features, chars, keep)
    return keep


def row_chars(features: Features) -> Matrix:
    """Return the number of characters of each row."""
    chars: Matrix = np.expm1(features.of_rows[_CHARS])
    return chars


def keep_by_score(scores: Floats, chars: Matrix) -> Bools:
    """Keep the rows with scores above zero, or above a lower limit if these are too few."""
    all_chars = chars.sum()
    keep: Bools = scores > (0 if all_chars < _UNSEEN_CHARS else _HOPELESS)
    if len(scores) and chars[keep].sum() < _LEAST_SHARE * all_chars:
        keep = scores > max(min(0.0, scores.max() - _NEAR), _HOPELESS)
    return keep


def fill_gaps(features: Features, scores: Floats, chars: Matrix, keep: Bools) -> None:
    """Keep paragraphs that were nearly kept and stand next to a kept row."""
    of_rows = features.of_rows
    nearly = (scores > _WORST_SCORE) & (chars >= _PARAGRAPH_CHARS) & (of_rows[_LINK_SHARE] < LINKED)
    paragraphs = nearly & ~keep & (of_rows[_IS_PARAGRAPH] > 0) & (of_rows[_IN_BEST] > 0)
    rows = np.flatnonzero(paragraphs).tolist()
    for row in rows:
        keep[row] = row > 0 and keep[row - 1]
    for row in reversed(rows):
        keep[row] |= row + 1 < len(keep) and keep[row + 1]


def extend_end(features: Features, scores: Floats, chars: Matrix, keep: Bools) -> None:
    """Keep rows that may be the end of the article, if losing them would cost more.

    A row that is kept wrongly costs its share of the article. A row that is dropped wrongly costs
    that share and the worth of an end.
    """
    kept = np.flatnonzero(keep)
    if not len(kept):
        return
    last, all_chars = int(kept[-1]), float(chars[kept].sum())
    row = last + 1
    while row < min(last + _END_REACH + 1, len(keep)):
        share, score = float(chars[row]) / all_chars, float(scores[row])
        is_likely = score > _WORST_END and exp(min(score, 0)) * (share + _WORTH_OF_END) > share
        if is_likely and chars[row] >= _PARAGRAPH_CHARS:
            link_share, in_best = features.of_rows[[_LINK_SHARE, _IN_BEST], row]
            if link_share < _MOSTLY_LINKED or in_best:
                keep[row], last = True, row
        row += 1


def drop_repetitions(features: Features, chars: Matrix, keep: Bools) -> None:
    """Drop rows whose sentences were nearly all kept before, unless they are a refrain."""
    seen: set[str] = set()
    could_be_repeated = keep & (chars >= _REPEATED_CHARS) & (chars < _BOOK_CHARS)
    rows = np.flatnonzero(could_be_repeated).tolist()
    # Most pages repeat nothing.
    begins, ends = features.texts.bounds(rows)
    if not loops.may_repeat_sentences(features.texts.text, begins, ends, _SENTENCE_CHARS):
        return
    texts = [features.texts[row].rstrip(_STOPS) for row in rows]
    refrains = _find_refrains(features, chars, rows)
    for row, text in zip(rows, texts, strict=True):
        if row in refrains:
            continue
        sentences = list(map(str.strip, text.split("。" if "。" in text else ". ")))
        if not seen.isdisjoint(sentences):
            again = [len(one) for one in sentences if len(one) >= _SENTENCE_CHARS and one in seen]
            keep[row] = sum(again) < _REPEATED_SHARE * len(text)
        seen.update(sentences)
    # Labels are repeated for good reasons, unless the whole article is.
    if np.count_nonzero(~keep[rows]) >= _COPIED_SHARE * max(len(rows), 1):
        _drop_short_copies(features, keep, np.array(rows))


def _drop_short_copies(features: Features, keep: Bools, long: Indices) -> None:
    """Drop short rows next to dropped long ones that were kept before: headings of a copy."""
    is_long = np.zeros(len(keep), np.bool_)
    is_long[long] = True
    short = np.flatnonzero(keep & ~is_long)
    after = np.searchsorted(long, short)
    dropped = np.append(~keep[long], False)
    is_next = dropped[after] | dropped[after - 1]
    seen: set[str] = set()
    for row, is_near in zip(short.tolist(), is_next.tolist(), strict=True):
        text = features.texts[row]
        keep[row] = not (is_near and text in seen)
        seen.add(text)


def _find_refrains(features: Features, chars: Matrix, rows: list[int]) -> set[int]:
    """Return the rows that repeat an earlier one of the same container, with others in between.

    A copy of the article is in a container of its own, or most of the container is repeated.
    """
    first: dict[str, int] = {}
    again: list[int] = []
    containers, texts = features.containers, features.texts
    before = -1
    for row in rows:
        earlier = first.setdefault(texts[row], row)
        if before > earlier and containers[row] == containers[earlier]:
            again.append(row)
        before = row
    refrains: set[int] = set()
    if not again:
        return refrains
    for container in np.unique(containers[again]).tolist():
        repeated = [row for row in again if containers[row] == container]
        inside = np.array(rows)[containers[rows] == container]
        if chars[repeated].sum() <= _MOST_REFRAINS * chars[inside].sum():
            refrains.update(repeated)
    return refrains
