# cython: boundscheck=False, wraparound=False
"""Loops over columns, compiled: each for the function of the same name, which has none.

What these functions say holds here as well; tests/test_loops.py holds them to each other.
"""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from scrapy_cetr.extraction import markup

cdef int FIRST_CONTAINER = markup.FIRST_CONTAINER, LINK = markup.LINK
END_OPTIONAL = markup.END_OPTIONAL


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)

# How Python holds the characters of a text: each in as many bytes as the largest of them needs.
ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t


cdef void look_up(const Char* chars, const uint8_t[::1] table, uint8_t[::1] found) noexcept:
    cdef Py_ssize_t place, last = table.shape[0] - 1
    for place in range(found.shape[0]):
        found[place] = table[min(<Py_ssize_t> chars[place], last)]


def character_kinds(str text not None, const uint8_t[::1] table):
    kinds = np.empty(len(text), np.uint8)
    cdef uint8_t[::1] found = kinds
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    if width == 1:
        look_up(<const uint8_t*> chars, table, found)
    elif width == 2:
        look_up(<const uint16_t*> chars, table, found)
    else:
        look_up(<const uint32_t*> chars, table, found)
    return kinds


cdef int check(const int32_t[::1] bounds, Py_ssize_t size) except -1:
    """Let nothing be read that is not there."""
    cdef Py_ssize_t place
    cdef int32_t last = 0
    for place in range(bounds.shape[0]):
        if bounds[place] < last:
            raise ValueError(f"{bounds[place]} comes behind {last}")
        last = bounds[place]
    if last > size:
        raise ValueError(f"{last} is behind the end of {size} elements")


def sums_between(const uint8_t[::1] weights, const int32_t[::1] bounds):
    check(bounds, weights.shape[0])
    sums = np.empty(bounds.shape[0] - 1, np.int32)
    cdef int32_t[::1] found = sums
    cdef Py_ssize_t part, place
    cdef int32_t total
    for part in range(found.shape[0]):
        total = 0
        for place in range(bounds[part], bounds[part + 1]):
            total += weights[place]
        found[part] = total
    return sums


def strongest_in(const uint8_t[::1] kinds, const int32_t[::1] edges):
    check(edges, kinds.shape[0])
    strongest = np.empty(max(edges.shape[0] - 1, 0), np.uint8)
    cdef uint8_t[::1] found = strongest
    cdef Py_ssize_t part, place
    cdef uint8_t most
    for part in range(found.shape[0]):
        most = 0
        for place in range(edges[part], edges[part + 1]):
            if kinds[place] > most:
                most = kinds[place]
        found[part] = most
    return strongest


def sum_before(const uint8_t[::1] weights, const int32_t[::1] places, const int64_t[::1] table):
    check(places, weights.shape[0])
    sums = np.empty(places.shape[0], np.int64)
    cdef int64_t[::1] before = sums
    cdef const int64_t* amounts = &table[0]
    cdef Py_ssize_t part, place = 0
    cdef int64_t total = 0
    if table.shape[0] < 256:
        raise ValueError(f"{table.shape[0]} weights, and not one for every byte")
    for part in range(places.shape[0]):
        while place < places[part]:
            total += amounts[weights[place]]
            place += 1
        before[part] = total
    return sums


def linked_between(
    const uint8_t[::1] weights,
    const int8_t[::1] tags,
    const int32_t[::1] offset,
    const int32_t[::1] bounds,
):
    check(bounds, weights.shape[0])
    check(offset, weights.shape[0])
    if offset.shape[0] != tags.shape[0]:
        raise ValueError(f"{tags.shape[0]} tags in {offset.shape[0]} places")
    counts = np.zeros(bounds.shape[0] - 1, np.int32)
    cdef int32_t[::1] found = counts
    cdef Py_ssize_t tag = 0, row = 0, rows = found.shape[0], place, end
    while tag < tags.shape[0]:
        if tags[tag] != LINK:
            tag += 1
            continue
        place = max(offset[tag], bounds[0])
        tag += 1
        while tag < tags.shape[0] and tags[tag] != LINK and tags[tag] != -LINK:
            tag += 1
        end = offset[tag] if tag < tags.shape[0] else weights.shape[0]
        while place < end:
            while row < rows and bounds[row + 1] <= place:
                row += 1
            if row == rows:
                return counts
            found[row] += weights[place]
            place += 1
    return counts


def nest(
    const int8_t[::1] tags, near_text, const int32_t[::1] openers, Py_ssize_t deepest
):
    cdef const uint8_t[::1] near = near_text.view(np.uint8)
    if near.shape[0] != tags.shape[0]:
        raise ValueError(f"{near.shape[0]} flags for {tags.shape[0]} tags")
    cdef Py_ssize_t[256] count = [0] * 256
    cdef bint[256] takes_part = [0] * 256
    cdef Py_ssize_t at, code, rows = openers.shape[0], row = 0
    for at in range(tags.shape[0]):
        count[<uint8_t> tags[at]] += near[at]
    cdef Py_ssize_t containers = 1
    for code in range(FIRST_CONTAINER, 128):
        if code not in END_OPTIONAL or count[code] == count[256 - code]:
            takes_part[code] = takes_part[256 - code] = True
            containers += count[code]
    columns, innermost = np.zeros((5, containers), np.intp), np.empty(rows, np.intp)
    cdef Py_ssize_t[:, ::1] found = columns
    cdef Py_ssize_t[::1] of_row = innermost
    cdef Py_ssize_t depth = 0, label = -1, inner = 0, last = 0
    found[2, 0] = -1
    found[4, :] = rows
    for at in range(tags.shape[0]):
        while row < rows and openers[row] < at:
            of_row[row] = inner
            row += 1
        label += tags[at] >= FIRST_CONTAINER
        if not takes_part[<uint8_t> tags[at]] or not near[at]:
            continue
        if tags[at] > 0:
            depth += 1
            # What is deeper is no container, but in one.
            if depth <= deepest:
                last += 1
                found[0, last], found[1, last], found[2, last] = tags[at], inner, label
                found[3, last] = row
                inner = last
        elif depth:
            if depth <= deepest:
                found[4, inner] = row
                inner = found[1, inner]
            depth -= 1
    of_row[row:] = inner
    return columns[:, : last + 1], innermost


def hints_of(list labels, stems, bytes letters, Py_ssize_t longest):
    cdef const uint32_t[::1] begins = stems.begin
    cdef const uint64_t[:, ::1] rests = stems.rest, masks = stems.mask
    cdef const int64_t[:, ::1] hints = stems.hints
    cdef uint32_t factor = stems.factor, begin, slot
    cdef int shift = stems.shift
    cdef uint64_t rest
    cdef int64_t found
    cdef Py_ssize_t number, place, size, rank
    cdef const uint8_t* letter_of = letters
    cdef Py_UCS4 char
    cdef str label
    # The label between two marks, and as many of them that no stem ends behind.
    cdef uint8_t[256 + 16] text
    if longest > 256 or len(letters) < 256 or begins.shape[0] < 1 << (32 - shift):
        raise ValueError("other tables than those of hints")
    of_labels = np.empty(len(labels), np.int64)
    cdef int64_t[::1] filled = of_labels
    for number in range(len(labels)):
        label = labels[number]
        size = min(len(label), longest)
        text[0] = c"-"
        for place in range(size):
            char = label[place]
            text[place + 1] = letter_of[char] if char < 256 else c"-"
        for place in range(size + 1, size + 14):
            text[place] = c"-"
        found = 0
        for place in range(size + 1):
            memcpy(&begin, &text[place], 4)
            slot = (begin * factor) >> shift
            if begins[slot] == begin:
                memcpy(&rest, &text[place + 4], 8)
                for rank in range(rests.shape[0]):
                    if rest & masks[rank, slot] == rests[rank, slot]:
                        found |= hints[rank, slot]
        filled[number] = found
    return of_labels
