"""The loops in steps of numpy, with docstrings that hold for the compiled functions too."""

from scrapy_cetr.extraction.loops._numpy_areas import union_area
from scrapy_cetr.extraction.loops._numpy_characters import (
    character_kinds,
    count_chars,
    count_kinds,
    tidy_pieces,
    trimmed,
)
from scrapy_cetr.extraction.loops._numpy_columns import (
    linked_between,
    part_links,
    second_breaks,
    strongest_between,
    strongest_by_offset,
    sums_before,
    sums_between,
)
from scrapy_cetr.extraction.loops._numpy_features import role_columns, row_features
from scrapy_cetr.extraction.loops._numpy_learned import (
    add_rectified,
    class_hints,
    clipped,
    inherit,
    rectify,
    summary,
)
from scrapy_cetr.extraction.loops._numpy_nodes import pair_tags
from scrapy_cetr.extraction.loops._numpy_outline import outline
from scrapy_cetr.extraction.loops._numpy_pieces import kept_pieces
from scrapy_cetr.extraction.loops._numpy_rows import (
    block_rows,
    closing_tags,
    filled_rows,
    nest_containers,
    row_openers,
)
from scrapy_cetr.extraction.loops._numpy_stamps import numbers_from_parents, read_stamps
from scrapy_cetr.extraction.loops._numpy_strings import (
    bits_in_parts,
    count_strings,
    first_copies,
    letters,
    may_repeat_sentences,
    shared_words,
)
from scrapy_cetr.extraction.loops._tokens import read_columns
from scrapy_cetr.extraction.loops.sources import attribute_values

__all__ = [
    "add_rectified",
    "attribute_values",
    "bits_in_parts",
    "block_rows",
    "character_kinds",
    "class_hints",
    "clipped",
    "closing_tags",
    "count_chars",
    "count_kinds",
    "count_strings",
    "filled_rows",
    "first_copies",
    "inherit",
    "kept_pieces",
    "letters",
    "linked_between",
    "may_repeat_sentences",
    "nest_containers",
    "numbers_from_parents",
    "outline",
    "pair_tags",
    "part_links",
    "read_columns",
    "read_stamps",
    "rectify",
    "role_columns",
    "row_features",
    "row_openers",
    "second_breaks",
    "shared_words",
    "strongest_between",
    "strongest_by_offset",
    "summary",
    "sums_before",
    "sums_between",
    "tidy_pieces",
    "trimmed",
    "union_area",
]
