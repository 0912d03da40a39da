# cython: boundscheck=False, wraparound=False
"""Loops over columns, compiled: each does what another function does in steps of numpy.

That function tells what this is; tests/test_loops.py holds them to each other.
"""

import numpy as np

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from scrapy_cetr.extraction import elements as markup

include "_texts.pxi"

cdef int FIRST_CONTAINER = markup.FIRST_CONTAINER, LINK = markup.LINK
END_OPTIONAL = markup.END_OPTIONAL

cdef extern from "Python.h":
    bint Py_UNICODE_ISPRINTABLE(uint32_t char) noexcept nogil


cdef void look_up(const Char* chars, const uint8_t[::1] table, uint8_t[::1] found) noexcept:
    cdef Py_ssize_t place, last = table.shape[0] - 1
    for place in range(found.shape[0]):
        found[place] = table[min(<Py_ssize_t> chars[place], last)]


def character_kinds(str text not None, const uint8_t[::1] table):
    """See ``characters.character_kinds``."""
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


def trimmed(
    const uint8_t[::1] kinds, const int32_t[::1] begins, const int32_t[::1] ends, uint8_t blank
):
    """See ``characters.trimmed``."""
    cdef Py_ssize_t part
    cdef int32_t begin, end
    if begins.shape[0] != ends.shape[0]:
        raise ValueError(f"{begins.shape[0]} begins of {ends.shape[0]} parts")
    bounds = np.empty((2, begins.shape[0]), np.int32)
    cdef int32_t[:, ::1] found = bounds
    for part in range(begins.shape[0]):
        begin, end = begins[part], ends[part]
        if not 0 <= begin <= end <= kinds.shape[0]:
            raise ValueError(f"{begin} to {end} is not in a text of {kinds.shape[0]} characters")
        while begin < end and kinds[begin] == blank:
            begin += 1
        while begin < end and kinds[end - 1] == blank:
            end -= 1
        found[0, part], found[1, part] = begin, end
    return bounds


cdef bint is_tidy(const Char* chars, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Tell whether a text is printable, without two spaces in a row."""
    cdef Py_ssize_t place
    cdef uint32_t char, before = 0
    for place in range(begin, end):
        char = chars[place]
        if char == c" ":
            if before == c" ":
                return False
        elif char < 127:
            if char < 32:
                return False
        elif not Py_UNICODE_ISPRINTABLE(char):
            return False
        before = char
    return True


cdef list cut_pieces(
    str text, const Char* chars, const int32_t[::1] begins, const int32_t[::1] ends, single_spaced
):
    cdef Py_ssize_t part
    cdef list pieces = []
    for part in range(begins.shape[0]):
        if not 0 <= begins[part] <= ends[part] <= len(text):
            raise ValueError(f"part {part} is not in a text of {len(text)} characters")
        piece = text[begins[part]:ends[part]]
        tidy = is_tidy(chars, begins[part], ends[part])
        pieces.append(piece if tidy else single_spaced(piece))
    return pieces


def tidy_pieces(
    str text not None, const int32_t[::1] begins, const int32_t[::1] ends, single_spaced
):
    """See ``render._tidy_pieces``."""
    if begins.shape[0] != ends.shape[0]:
        raise ValueError(f"{begins.shape[0]} begins of {ends.shape[0]} parts")
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    if width == 1:
        return cut_pieces(text, <const uint8_t*> chars, begins, ends, single_spaced)
    if width == 2:
        return cut_pieces(text, <const uint16_t*> chars, begins, ends, single_spaced)
    return cut_pieces(text, <const uint32_t*> chars, begins, ends, single_spaced)


def count_kinds(
    const uint8_t[::1] kinds,
    const int32_t[::1] begins,
    const int32_t[::1] ends,
    const uint8_t[:, ::1] groups,
):
    """See ``view._count_characters``: a group is all kinds from one to another."""
    cdef Py_ssize_t part, place, group
    cdef int32_t total
    cdef uint8_t first, last
    if begins.shape[0] != ends.shape[0] or groups.shape[1] != 2:
        raise ValueError(f"{begins.shape[0]} begins of {ends.shape[0]} parts")
    counts = np.empty((groups.shape[0], begins.shape[0]), np.int32)
    cdef int32_t[:, ::1] found = counts
    for part in range(begins.shape[0]):
        if not 0 <= begins[part] <= ends[part] <= kinds.shape[0]:
            raise ValueError(f"part {part} is not in a text of {kinds.shape[0]} characters")
        for group in range(groups.shape[0]):
            first, last, total = groups[group, 0], groups[group, 1], 0
            for place in range(begins[part], ends[part]):
                total += (kinds[place] >= first) & (kinds[place] <= last)
            found[group, part] = total
    return counts


def sums_between(const uint8_t[::1] weights, const int32_t[::1] bounds):
    """See ``columns.sums_between``."""
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


def count_chars(const uint8_t[::1] kinds, const int32_t[::1] bounds, uint8_t last_unseen):
    """See ``page._count_chars``."""
    check(bounds, kinds.shape[0])
    chars = np.zeros(bounds.shape[0] - 1, np.int32)
    cdef int32_t[::1] found = chars
    cdef Py_ssize_t part, place, begin
    cdef int32_t total
    for part in range(found.shape[0]):
        begin = bounds[part]
        if begin == bounds[part + 1]:
            continue
        total = kinds[begin] > last_unseen
        if not total or begin == 0 or kinds[begin - 1] <= last_unseen:
            # The row does not go on with a word, so no white space before its text counts.
            total -= 1 - total
        for place in range(begin + 1, bounds[part + 1]):
            total += kinds[place] > last_unseen
            total += (kinds[place] > last_unseen) & (kinds[place - 1] <= last_unseen)
        found[part] = max(total, 0)
    return chars


def block_rows(
    const int8_t[::1] tags, const int32_t[::1] offset, const uint8_t[::1] strength, uint8_t least
):
    """See ``page._block_rows``."""
    check_tags(tags, offset, strength)
    cdef Py_ssize_t tag, row = 1
    for tag in range(tags.shape[0]):
        row += strength[tag] >= least
    starts, first_tags = np.zeros((2, row), np.int32)
    cdef int32_t[::1] start = starts, first = first_tags
    row = 1
    for tag in range(tags.shape[0]):
        if strength[tag] >= least:
            start[row], first[row] = offset[tag], tag + (tags[tag] < 0)
            row += 1
    return starts, first_tags


def filled_rows(const int32_t[::1] chars, const int32_t[::1] tag_bounds, Py_ssize_t most_empty):
    """See ``page._filled_rows``; there may be any number of empty ones, if it is negative."""
    if tag_bounds.shape[0] != chars.shape[0] + 1:
        raise ValueError(f"{tag_bounds.shape[0]} bounds of {chars.shape[0]} rows")
    places = np.empty(chars.shape[0], np.intp)
    cdef Py_ssize_t[::1] filled = places
    cdef Py_ssize_t row, count = 0, empty = 0
    for row in range(chars.shape[0]):
        if chars[row]:
            empty = 0
        elif tag_bounds[row] == tag_bounds[row + 1]:
            continue
        else:
            empty += 1
            if 0 <= most_empty < empty:
                continue
        filled[count] = row
        count += 1
    return places[:count]


def openers(
    const int8_t[::1] tags,
    const int32_t[::1] offset,
    const uint8_t[::1] strength,
    const int32_t[::1] start,
    const int32_t[::1] first_tag,
    uint8_t least,
):
    """See ``page._openers``."""
    check_tags(tags, offset, strength)
    check(first_tag, tags.shape[0])
    if start.shape[0] != first_tag.shape[0]:
        raise ValueError(f"{start.shape[0]} starts of {first_tag.shape[0]} rows")
    found = np.empty(start.shape[0], np.int32)
    cdef int32_t[::1] opener = found
    cdef Py_ssize_t row
    cdef int32_t tag
    for row in range(start.shape[0]):
        tag = first_tag[row]
        opener[row] = tag - 1
        if tag < tags.shape[0] and tags[tag] > 0 and strength[tag] >= least and (
            offset[tag] == start[row]
        ):
            opener[row] = tag
    return found


cdef int check_tags(
    const int8_t[::1] tags, const int32_t[::1] offset, const uint8_t[::1] strength
) except -1:
    if not tags.shape[0] == offset.shape[0] == strength.shape[0]:
        raise ValueError(f"{tags.shape[0]} tags in {offset.shape[0]} places")


def strongest_in(const uint8_t[::1] kinds, const int32_t[::1] edges):
    """See ``columns.strongest_in``."""
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
    """See ``columns.sum_before``."""
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
    """See ``page.Page.link_chars``."""
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


def strongest_by_place(const int32_t[::1] offset, const uint8_t[::1] strength):
    """See ``breaks._strongest_by_place``."""
    if offset.shape[0] != strength.shape[0]:
        raise ValueError(f"{strength.shape[0]} strengths in {offset.shape[0]} places")
    count = np.count_nonzero(strength)
    places, strongest = np.empty(count, np.int32), np.empty(count, np.uint8)
    cdef int32_t[::1] found = places
    cdef uint8_t[::1] strengths = strongest
    cdef Py_ssize_t place, last = -1
    for place in range(offset.shape[0]):
        if strength[place]:
            if last < 0 or found[last] != offset[place]:
                last += 1
                found[last], strengths[last] = offset[place], strength[place]
            elif strength[place] > strengths[last]:
                strengths[last] = strength[place]
    return places[: last + 1].copy(), strongest[: last + 1].copy()


def nest(
    const int8_t[::1] tags, near_text, const int32_t[::1] openers, Py_ssize_t deepest
):
    """See ``containers._nest``."""
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
    """See ``hints.hints_of``."""
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


def between(const float[:, :] block, const float[::1] low, const float[::1] high):
    """See ``learned._between``."""
    check_lines(block, low.shape[0])
    check_lines(block, high.shape[0])
    taken = np.empty((block.shape[0], block.shape[1]), np.float32)
    cdef float[:, ::1] found = taken
    cdef const float* values
    cdef float value, least, most
    cdef Py_ssize_t line, place
    for line in range(block.shape[0] if block.shape[1] else 0):
        values, least, most = &block[line, 0], low[line], high[line]
        for place in range(block.shape[1]):
            value = values[place] if values[place] < most else most
            found[line, place] = value if value > least else least
    return taken


def rectify(float[:, :] block, const float[::1] bias):
    """See ``learned._rectified``."""
    check_lines(block, bias.shape[0])
    cdef float* values
    cdef float value, added
    cdef Py_ssize_t line, place
    for line in range(block.shape[0] if block.shape[1] else 0):
        values, added = &block[line, 0], bias[line]
        for place in range(block.shape[1]):
            value = values[place] + added
            values[place] = value if value > 0 else 0


cdef int check_lines(const float[:, :] block, Py_ssize_t count) except -1:
    """Let nothing be read that is not there: lines may be apart, their elements may not."""
    if block.shape[0] != count:
        raise ValueError(f"{count} values for {block.shape[0]} lines")
    if block.shape[1] > 1 and block.strides[1] != sizeof(float):
        raise ValueError("the elements of a line are apart")
