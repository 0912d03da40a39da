"""The loops over the characters, tags and rows of a page: compiled, or in steps of numpy.

Both modules have the same functions with the same signatures, and this import decides between
them. The compiled one is missing where there was no compiler when the package was installed.
Call them as ``loops.f()``, so that tests can run with either.
"""

from scrapy_cetr.extraction.loops._tokens import TokenPass
from scrapy_cetr.extraction.loops.features import FeatureTables, RoleTables
from scrapy_cetr.extraction.loops.markup_columns import Mark, MarkupColumns
from scrapy_cetr.extraction.loops.sources import first_token
from scrapy_cetr.extraction.loops.stamps import StampColumns
from scrapy_cetr.extraction.loops.stems import Stems
from scrapy_cetr.extraction.loops.strings import Strings

try:
    from scrapy_cetr.extraction.loops._cython import (
        add_rectified,
        attribute_values,
        bits_in_parts,
        block_rows,
        character_kinds,
        class_hints,
        clipped,
        closing_tags,
        count_chars,
        count_kinds,
        count_strings,
        filled_rows,
        first_copies,
        inherit,
        kept_pieces,
        letters,
        linked_between,
        may_repeat_sentences,
        nest_containers,
        numbers_from_parents,
        outline,
        pair_tags,
        read_columns,
        read_stamps,
        rectify,
        role_columns,
        row_features,
        row_openers,
        shared_words,
        strongest_between,
        strongest_by_offset,
        summary,
        sums_before,
        sums_between,
        tidy_pieces,
        trimmed,
        union_area,
    )
except ImportError:
    from scrapy_cetr.extraction.loops._numpy import (
        add_rectified,
        attribute_values,
        bits_in_parts,
        block_rows,
        character_kinds,
        class_hints,
        clipped,
        closing_tags,
        count_chars,
        count_kinds,
        count_strings,
        filled_rows,
        first_copies,
        inherit,
        kept_pieces,
        letters,
        linked_between,
        may_repeat_sentences,
        nest_containers,
        numbers_from_parents,
        outline,
        pair_tags,
        read_columns,
        read_stamps,
        rectify,
        role_columns,
        row_features,
        row_openers,
        shared_words,
        strongest_between,
        strongest_by_offset,
        summary,
        sums_before,
        sums_between,
        tidy_pieces,
        trimmed,
        union_area,
    )

    IMPLEMENTATION = "numpy"
else:
    IMPLEMENTATION = "cython"
# Whether the pass notes the offsets of tags in the HTML without taking longer.
NOTES_SOURCES = IMPLEMENTATION == "cython"

__all__ = [
    "IMPLEMENTATION",
    "NOTES_SOURCES",
    "FeatureTables",
    "Mark",
    "MarkupColumns",
    "RoleTables",
    "StampColumns",
    "Stems",
    "Strings",
    "TokenPass",
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
    "first_token",
    "inherit",
    "kept_pieces",
    "letters",
    "linked_between",
    "may_repeat_sentences",
    "nest_containers",
    "numbers_from_parents",
    "outline",
    "pair_tags",
    "read_columns",
    "read_stamps",
    "rectify",
    "role_columns",
    "row_features",
    "row_openers",
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
