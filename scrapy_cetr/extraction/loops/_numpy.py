"""The loops in steps of numpy, with docstrings that hold for the compiled functions too."""

from scrapy_cetr.extraction.loops._numpy_characters import (
    character_kinds,
    count_chars,
    count_kinds,
    tidy_pieces,
    trimmed,
)
from scrapy_cetr.extraction.loops._numpy_columns import (
    linked_between,
    strongest_between,
    strongest_by_offset,
    sums_before,
    sums_between,
)
from scrapy_cetr.extraction.loops._numpy_learned import class_hints, clipped, rectify
from scrapy_cetr.extraction.loops._numpy_outline import outline
from scrapy_cetr.extraction.loops._numpy_rows import (
    block_rows,
    closing_tags,
    filled_rows,
    nest_containers,
    row_openers,
)
from scrapy_cetr.extraction.loops._tokens import read_columns

__all__ = [
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
