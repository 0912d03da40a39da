"""Coverage-guided fuzzing of the extraction.

    pip install 'scrapy-cetr[fuzz]'
    python -m fuzz fuzz/corpus -max_total_time=3600

The first byte of an input chooses method and rows, the others are the page. What breaks a rule of
``testkit/invariants.py`` is written to a file ``crash-…``; ``python -m fuzz crash-…`` repeats
it. New inputs go into the first folder; ``python -m fuzz.make_corpus`` writes the kept ones.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["scrapy_cetr"]):
    from scrapy_cetr.extraction import METHODS, extract

from testkit.invariants import check_bytes

NAMES = tuple(METHODS)
# The tables and caches that are made once must not count as new paths of one input.
extract("<p>One. 中文 é</p>")


def test_one_input(data: bytes) -> None:
    """Extract a page and check what holds for all of them."""
    choice, page = (data or b"\0")[0], data[1:]
    rows = "lines" if choice & 128 else "blocks"
    check_bytes(page, method=NAMES[choice % 128 % len(NAMES)], rows=rows)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
