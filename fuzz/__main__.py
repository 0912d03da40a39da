"""Coverage-guided fuzzing of the extraction.

    pip install 'scrapy-cetr[fuzz]'
    python -m fuzz fuzz/corpus -max_total_time=3600

The first byte of an input selects the method and the kind of rows; the other bytes are the page. An
input that breaks an invariant of ``testkit/invariants.py`` is written to a file ``crash-…``;
``python -m fuzz crash-…`` runs it again. New inputs are written to the first folder;
``python -m fuzz.make_corpus`` writes the initial ones.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["scrapy_cetr"]):
    from scrapy_cetr.extraction import METHODS, extract

from testkit.invariants import check_bytes

NAMES = tuple(METHODS)
# Tables and caches are made once; they must not count as coverage of the first input.
extract("<p>One. 中文 é</p>")


def test_one_input(data: bytes) -> None:
    """Extract a page and check the invariants."""
    choice, page = (data or b"\0")[0], data[1:]
    rows = "lines" if choice & 128 else "blocks"
    check_bytes(page, method=NAMES[choice % 128 % len(NAMES)], rows=rows)


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
