"""The loops over the characters, tags and rows of a page: compiled, or in steps of numpy.

Both modules have the same functions with the same signatures, and this import decides between
them. The compiled one is missing where there was no compiler when the package was installed.
Call them as ``loops.f()``, so that tests can run with either.
"""

from scrapy_cetr.extraction.loops._tokens import Mark, MarkupColumns, TokenPass
from scrapy_cetr.extraction.loops.stems import Stems

try:
    from scrapy_cetr.extraction.loops._cython import (
        block_rows,
        character_kinds,
        class_hints,
        clipped,
        closing_tags,
        count_chars,
        count_kinds,
        filled_rows,
        linked_between,
        nest_containers,
        outline,
        read_columns,
        rectify,
        row_openers,
        strongest_between,
        strongest_by_offset,
        sums_before,
        sums_between,
        tidy_pieces,
        trimmed,
    )
except ImportError:
    from scrapy_cetr.extraction.loops._numpy import (
        block_rows,
        character_kinds,
        class_hints,
        clipped,
        closing_tags,
        count_chars,
        count_kinds,
        filled_rows,
        linked_between,
        nest_containers,
        outline,
        read_columns,
        rectify,
        row_openers,
        strongest_between,
        strongest_by_offset,
        sums_before,
        sums_between,
        tidy_pieces,
        trimmed,
    )

    IMPLEMENTATION = "numpy"
else:
    IMPLEMENTATION = "cython"

__all__ = [
    "IMPLEMENTATION",
    "Mark",
    "MarkupColumns",
    "Stems",
    "TokenPass",
    "block_rows",
    "character_kinds",
    "class_hints",
    "clipped",
    "closing_tags",
    "count_chars",
    "count_kinds",
    "filled_rows",
    "linked_between",
    "nest_containers",
    "outline",
    "read_columns",
    "rectify",
    "row_openers",
    "strongest_between",
    "strongest_by_offset",
    "sums_before",
    "sums_between",
    "tidy_pieces",
    "trimmed",
]
