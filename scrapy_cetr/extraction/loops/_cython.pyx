# cython: boundscheck=False, wraparound=False
"""The loops, compiled. The docstrings are those of the same functions in ``_numpy``.

Unlike those, they check that nothing outside of a column would be read.
"""

import numpy as np

from cpython.array cimport array, resize_smart
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memchr, memcmp, memcpy

from turbohtml import tokenize, unescape

from scrapy_cetr.extraction import elements as html_elements
from scrapy_cetr.extraction.elements import (
    ARTICLE_BODY,
    ELEMENT_CODES,
    CUSTOM,
    END_OPTIONAL,
    HIDDEN_TEXTS,
    HIDDEN_TREES,
    IMAGES,
    JSON_LD,
    UNKNOWN,
    NOT_SEPARATING,
    PICTURE_TAGS,
)
from scrapy_cetr.extraction.loops.hiding import (
    ALWAYS_MARKED,
    MAX_MARKS,
    MAX_STYLE_CHARS,
    SCREEN_READER_NAMES,
    first_values,
    may_hide,
    selector_names,
    style_sheet,
)

from scrapy_cetr.extraction.loops.numbers import tag_numbers
from scrapy_cetr.extraction.loops.sources import first_token
from scrapy_cetr.extraction.loops.strings import count_words_of
from scrapy_cetr.extraction.loops.stamps import (
    NOT_RENDERED,
    StampColumns,
    page_size,
    stamp_numbers,
)
from scrapy_cetr.extraction.stamps import STAMP

cdef int LI = ELEMENT_CODES["li"], OL = ELEMENT_CODES["ol"]
cdef int HTML = ELEMENT_CODES["html"]
cdef int TD = ELEMENT_CODES["td"], TH = ELEMENT_CODES["th"]
cdef int FIRST_NAMED = html_elements.FIRST_NAMED
cdef int FIRST_CONTAINER = html_elements.FIRST_CONTAINER, LINK = html_elements.LINK

include "_texts.pxi"
include "_columns.pxi"
include "_characters.pxi"
include "_rows.pxi"
include "_nodes.pxi"
include "_learned.pxi"
include "_pieces.pxi"
include "_features.pxi"
include "_roles.pxi"
include "_elements.pxi"
include "_markup.pxi"
include "_references.pxi"
include "_hiding.pxi"
include "_pass.pxi"
include "_values.pxi"
include "_stamps.pxi"
include "_areas.pxi"
include "_outline.pxi"
include "_strings.pxi"
