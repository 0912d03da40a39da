# Rows that are blocks, and the tree of containers around them.


cdef int check_tags(
    const int8_t[::1] tags, const int32_t[::1] offset, const uint8_t[::1] strength
) except -1:
    if not tags.shape[0] == offset.shape[0] == strength.shape[0]:
        raise ValueError(f"{tags.shape[0]} tags at {offset.shape[0]} offsets")


def block_rows(
    const int8_t[::1] tags, const int32_t[::1] offset, const uint8_t[::1] strength, uint8_t least
):
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
    if tag_bounds.shape[0] != chars.shape[0] + 1:
        raise ValueError(f"{tag_bounds.shape[0]} bounds of {chars.shape[0]} rows")
    indices = np.empty(chars.shape[0], np.intp)
    cdef Py_ssize_t[::1] filled = indices
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
    return indices[:count]


def row_openers(
    const int8_t[::1] tags,
    const int32_t[::1] offset,
    const uint8_t[::1] strength,
    const int32_t[::1] start,
    const int32_t[::1] first_tag,
    uint8_t least,
):
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


def nest_containers(
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
    cdef Py_ssize_t depth = 0, named = -1, inner = 0, last = 0
    found[2, 0] = -1
    found[4, :] = rows
    for at in range(tags.shape[0]):
        while row < rows and openers[row] < at:
            of_row[row] = inner
            row += 1
        named += tags[at] >= FIRST_NAMED
        if not takes_part[<uint8_t> tags[at]] or not near[at]:
            continue
        if tags[at] > 0:
            depth += 1
            # Deeper elements are not containers, but their rows are in one.
            if depth <= deepest:
                last += 1
                found[0, last], found[1, last], found[2, last] = tags[at], inner, named
                found[3, last] = row
                inner = last
        elif depth:
            if depth <= deepest:
                found[4, inner] = row
                inner = found[1, inner]
            depth -= 1
    of_row[row:] = inner
    return columns[:, : last + 1], innermost


cdef bint[128] nests
for each in range(128):
    nests[each] = each >= FIRST_CONTAINER and each not in END_OPTIONAL


def closing_tags(const int8_t[::1] tags, const int32_t[::1] starts):
    check(starts, tags.shape[0])
    ends = np.full(tags.shape[0], -1, np.int32)
    cdef int32_t[::1] end = ends
    # The innermost open element of each code, and for each element the one of its code around it.
    cdef int32_t[::1] outer = np.empty(tags.shape[0], np.int32)
    cdef int32_t[::1] depth = np.empty(tags.shape[0], np.int32)
    cdef int32_t[128] innermost
    cdef Py_ssize_t tag
    cdef int code, level = 0
    cdef int32_t start
    for code in range(128):
        innermost[code] = -1
    for tag in range(tags.shape[0]):
        code = tags[tag]
        if code > 0:
            outer[tag], depth[tag] = innermost[code], level
            innermost[code] = tag
            level += nests[code]
        elif code < 0 and code > -128:
            level -= nests[-code]
            start = innermost[-code]
            if start >= 0:
                innermost[-code] = outer[start]
                if depth[start] == level:
                    end[start] = tag
    return ends[np.asarray(starts)]
