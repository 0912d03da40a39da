# The kinds of characters, and parts of a text.

cdef extern from "Python.h":
    bint Py_UNICODE_ISPRINTABLE(uint32_t char) noexcept nogil


cdef void look_up(const Char* chars, const uint8_t[::1] table, uint8_t[::1] found) noexcept:
    cdef Py_ssize_t index, last = table.shape[0] - 1
    for index in range(found.shape[0]):
        found[index] = table[min(<Py_ssize_t> chars[index], last)]


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


def trimmed(
    const uint8_t[::1] kinds, const int32_t[::1] begins, const int32_t[::1] ends, uint8_t blank
):
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
    cdef Py_ssize_t index
    cdef uint32_t char, before = 0
    for index in range(begin, end):
        char = chars[index]
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
    cdef Py_ssize_t part, index, group
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
            for index in range(begins[part], ends[part]):
                total += (kinds[index] >= first) & (kinds[index] <= last)
            found[group, part] = total
    return counts


def count_chars(const uint8_t[::1] kinds, const int32_t[::1] bounds, uint8_t last_unseen):
    check(bounds, kinds.shape[0])
    chars = np.zeros(bounds.shape[0] - 1, np.int32)
    cdef int32_t[::1] found = chars
    cdef Py_ssize_t part, index, begin
    cdef int32_t total
    for part in range(found.shape[0]):
        begin = bounds[part]
        if begin == bounds[part + 1]:
            continue
        total = kinds[begin] > last_unseen
        if not total or begin == 0 or kinds[begin - 1] <= last_unseen:
            # The row does not go on with a word, so no white space before its text counts.
            total -= 1 - total
        for index in range(begin + 1, bounds[part + 1]):
            total += kinds[index] > last_unseen
            total += (kinds[index] > last_unseen) & (kinds[index - 1] <= last_unseen)
        found[part] = max(total, 0)
    return chars
