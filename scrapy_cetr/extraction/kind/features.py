"""The features of a page that its kind is told from, one number each."""

from __future__ import annotations

from math import log1p

import numpy as np
from numpy.typing import NDArray

from scrapy_cetr.extraction.kind.clues import COUNTED, Clues
from scrapy_cetr.extraction.kind.markers import MARKER_NAMES, markers
from scrapy_cetr.extraction.kind.wordings import WORDINGS, count_wordings
from scrapy_cetr.extraction.methods.learned.calibration import CALIBRATION_NAMES

# Steps of the length of short pages: hardly any article is as short as the first of them.
_LENGTHS = (250, 500, 1000, 1500)
_TEXT_NAMES = (
    *("short page", "length of short page", "length of title", "prices", "share of questions"),
    *(f"at most {length} characters" for length in _LENGTHS),
    *(f"{topic} in title" for topic in WORDINGS),
    *(f"{topic} in short page" for topic in WORDINGS),
    *(f"share of {topic} in short page" for topic in WORDINGS),
    *(f"{topic} in article" for topic in WORDINGS),
)
FEATURE_NAMES = (
    *CALIBRATION_NAMES,
    *(f"<{name}>" for name in COUNTED),
    *(f"share of <{name}>" for name in COUNTED),
    *MARKER_NAMES,
    *_TEXT_NAMES,
)
_CURRENCIES = "$€£¥₹₽"
# The share of wordings is that of so many characters.
_CHARS = 200
# The first of the characters that count twice, as one of them says as much as two others.
_FIRST_WIDE = 0x2E80


def kind_features(clues: Clues, html: str, *, url: str | None) -> NDArray[np.float64]:
    """Compute one number for each of FEATURE_NAMES."""
    tags = clues.tags.astype(np.float64)
    return np.concatenate(
        (
            clues.calibration,
            np.log1p(tags),
            tags / max(tags.sum(), 1),
            markers(html, url=url, class_names=clues.class_names),
            _text_features(clues),
        )
    )


def _text_features(clues: Clues) -> list[float]:
    text, is_short = clues.excerpt, clues.is_short
    found = [log1p(count) for count in count_wordings(text)]
    nothing = [0.0] * len(found)
    length = _length(text)
    return [
        float(is_short),
        log1p(length) if is_short else 0.0,
        log1p(len(clues.title)),
        log1p(sum(map(text.count, _CURRENCIES))),
        _CHARS * (text.count("?") + text.count("？")) / length,
        *(float(is_short and length <= longest) for longest in _LENGTHS),
        *map(log1p, count_wordings(clues.title)),
        *(found if is_short else nothing),
        *([_CHARS * count / (length + _CHARS) for count in found] if is_short else nothing),
        *(nothing if is_short else found),
    ]


def _length(text: str) -> int:
    """Return the number of characters, at least one; those of East Asian scripts count twice."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return max(len(codes) + int(np.count_nonzero(codes >= _FIRST_WIDE)), 1)
