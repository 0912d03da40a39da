# Sums and maxima between the bounds of consecutive parts of a column.


cdef int check(const int32_t[::1] bounds, Py_ssize_t size) except -1:
    """Check that nothing outside of a column would be read."""
    cdef Py_ssize_t index
    cdef int32_t last = 0
    for index in range(bounds.shape[0]):
        if bounds[index] < last:
            raise ValueError(f"{bounds[index]} comes after {last}")
        last = bounds[index]
    if last > size:
        raise ValueError(f"{last} is after the end of {size} elements")


def sums_between(weights, const int32_t[::1] bounds):
    cdef const uint8_t[::1] values = weights.view(np.uint8)
    check(bounds, values.shape[0])
    sums = np.empty(bounds.shape[0] - 1, np.int32)
    cdef int32_t[::1] found = sums
    cdef Py_ssize_t part, index
    cdef int32_t total
    for part in range(found.shape[0]):
        total = 0
        for index in range(bounds[part], bounds[part + 1]):
            total += values[index]
        found[part] = total
    return sums


def sums_before(codes, const int32_t[::1] bounds, const int64_t[::1] table):
    cdef const uint8_t[::1] values = codes.view(np.uint8)
    check(bounds, values.shape[0])
    sums = np.empty(bounds.shape[0], np.int64)
    cdef int64_t[::1] before = sums
    cdef const int64_t* amounts = &table[0]
    cdef Py_ssize_t part, index = 0
    cdef int64_t total = 0
    if table.shape[0] < 256:
        raise ValueError(f"{table.shape[0]} numbers in a table for 256 bytes")
    for part in range(bounds.shape[0]):
        while index < bounds[part]:
            total += amounts[values[index]]
            index += 1
        before[part] = total
    return sums


def strongest_between(const uint8_t[::1] strengths, const int32_t[::1] bounds):
    check(bounds, strengths.shape[0])
    strongest = np.empty(max(bounds.shape[0] - 1, 0), np.uint8)
    cdef uint8_t[::1] found = strongest
    cdef Py_ssize_t part, index
    cdef uint8_t most
    for part in range(found.shape[0]):
        most = 0
        for index in range(bounds[part], bounds[part + 1]):
            if strengths[index] > most:
                most = strengths[index]
        found[part] = most
    return strongest


def strongest_by_offset(const int32_t[::1] offset, const uint8_t[::1] strength):
    if offset.shape[0] != strength.shape[0]:
        raise ValueError(f"{strength.shape[0]} strengths at {offset.shape[0]} offsets")
    count = np.count_nonzero(strength)
    offsets, strongest = np.empty(count, np.int32), np.empty(count, np.uint8)
    cdef int32_t[::1] found = offsets
    cdef uint8_t[::1] strengths = strongest
    cdef Py_ssize_t index, last = -1
    for index in range(offset.shape[0]):
        if strength[index]:
            if last < 0 or found[last] != offset[index]:
                last += 1
                found[last], strengths[last] = offset[index], strength[index]
            elif strength[index] > strengths[last]:
                strengths[last] = strength[index]
    return offsets[: last + 1].copy(), strongest[: last + 1].copy()


def linked_between(
    weights,
    const int8_t[::1] tags,
    const int32_t[::1] offset,
    const int32_t[::1] bounds,
):
    cdef const uint8_t[::1] values = weights.view(np.uint8)
    check(bounds, values.shape[0])
    check(offset, values.shape[0])
    if offset.shape[0] != tags.shape[0]:
        raise ValueError(f"{tags.shape[0]} tags at {offset.shape[0]} offsets")
    counts = np.zeros(bounds.shape[0] - 1, np.int32)
    cdef int32_t[::1] found = counts
    cdef Py_ssize_t tag = 0, row = 0, rows = found.shape[0], index, end
    while tag < tags.shape[0]:
        if tags[tag] != LINK:
            tag += 1
            continue
        index = max(offset[tag], bounds[0])
        tag += 1
        while tag < tags.shape[0] and tags[tag] != LINK and tags[tag] != -LINK:
            tag += 1
        end = offset[tag] if tag < tags.shape[0] else values.shape[0]
        while index < end:
            while row < rows and bounds[row + 1] <= index:
                row += 1
            if row == rows:
                return counts
            found[row] += values[index]
            index += 1
    return counts


def second_breaks(
    const uint8_t[::1] kinds,
    const int8_t[::1] tags,
    const int32_t[::1] offset,
    const uint8_t[::1] strength,
    int line_break,
    uint8_t blank,
):
    check(offset, kinds.shape[0])
    if not tags.shape[0] == offset.shape[0] == strength.shape[0]:
        raise ValueError(f"{tags.shape[0]} tags at {offset.shape[0]} offsets")
    flags = np.zeros(tags.shape[0], np.bool_)
    cdef uint8_t[::1] is_second = flags.view(np.uint8)
    cdef Py_ssize_t tag, at, last = -1
    for tag in range(tags.shape[0]):
        if not strength[tag]:
            continue
        if tags[tag] == line_break and last >= 0 and tags[last] == line_break:
            at = offset[last]
            while at < offset[tag] and kinds[at] == blank:
                at += 1
            is_second[tag] = at == offset[tag]
        last = tag
    return flags


def part_links(
    const int8_t[::1] tags, const int32_t[::1] offset, uint8_t[::1] strength, uint8_t space
):
    if not tags.shape[0] == offset.shape[0] == strength.shape[0]:
        raise ValueError(f"{tags.shape[0]} tags at {offset.shape[0]} offsets")
    cdef Py_ssize_t tag, last = -1
    for tag in range(tags.shape[0]):
        if tags[tag] == LINK or tags[tag] == -LINK:
            if last >= 0 and tags[last] == -LINK and offset[last] == offset[tag]:
                strength[tag] = space
            last = tag
