# The search for many strings in a text. Few places of it begin like one of them.

cdef void count_in(
    const Char* chars,
    Py_ssize_t size,
    const int32_t[::1] first,
    const int32_t[::1] following,
    const uint32_t[::1] codes,
    const int32_t[::1] bounds,
    int shift,
    int32_t[::1] counts,
) noexcept nogil:
    cdef Py_ssize_t place, at, length
    cdef uint32_t slot
    cdef int32_t string
    for place in range(size - 2):
        slot = (
            <uint32_t> chars[place] * <uint32_t> 0x9E3779B1
            + <uint32_t> chars[place + 1] * <uint32_t> 0x85EBCA77
            + <uint32_t> chars[place + 2] * <uint32_t> 0xC2B2AE3D
        ) >> shift
        string = first[slot]
        while string >= 0:
            length = bounds[string + 1] - bounds[string]
            if length <= size - place:
                at = 0
                while at < length and chars[place + at] == codes[bounds[string] + at]:
                    at += 1
                counts[string] += at == length
            string = following[string]


def count_strings(str text not None, strings) -> list:
    found = np.zeros(len(strings.strings), np.int32)
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    cdef const int32_t[::1] first = strings.first, following = strings.following
    cdef const int32_t[::1] bounds = strings.bounds
    cdef const uint32_t[::1] codes = strings.codes
    cdef int32_t[::1] counts = found
    cdef int shift = strings.shift
    if width == 1:
        count_in(<const uint8_t*> chars, len(text), first, following, codes, bounds, shift, counts)
    elif width == 2:
        count_in(<const uint16_t*> chars, len(text), first, following, codes, bounds, shift, counts)
    else:
        count_in(<const uint32_t*> chars, len(text), first, following, codes, bounds, shift, counts)
    for index in strings.short:
        found[index] = text.count(strings.strings[index])
    return found.tolist()
