# The values of attributes, read again from the tags that they are asked of.

cdef enum:
    MOST_NAMES = 4

cdef struct Name:
    const uint8_t* letters
    Py_ssize_t size


cdef void find_values(
    const Char* chars, Py_ssize_t index, Py_ssize_t size, const Name* names, int count, Value* found
) noexcept nogil:
    """Find the first attribute with each of some names in a tag, given the index of its name.

    What is not there begins below 0.
    """
    cdef Py_ssize_t begin, end
    cdef Value value
    cdef int one
    for one in range(count):
        found[one].begin = -1
    while index < size and not ends_name(chars[index]):
        index += 1
    while True:
        while is_space(chars[index]) or chars[index] == c"/":
            index += 1
        if index >= size or chars[index] == c">":
            return
        begin = index
        index += 1
        while index < size and not ends_name(chars[index]) and chars[index] != c"=":
            index += 1
        end = index
        while is_space(chars[index]):
            index += 1
        value.begin = value.end = index
        if chars[index] == c"=":
            index = read_value(chars, index + 1, size, &value)
            if index < 0:
                return
        for one in range(count):
            if names[one].size == end - begin and found[one].begin < 0 and (
                spells(chars + begin, names[one].letters, names[one].size)
            ):
                found[one] = value


cdef list values_of(
    str html, const Char* chars, Py_ssize_t size, const int32_t[::1] sources, tuple names
):
    cdef list letters = [name.encode() for name in names]
    cdef Name[MOST_NAMES] wanted
    cdef Value[MOST_NAMES] found
    cdef Py_ssize_t index, begin
    cdef int one, count = len(names)
    cdef list values = [], of_tag
    if count > MOST_NAMES:
        raise ValueError(f"{count} names are more than {MOST_NAMES}")
    for one in range(count):
        wanted[one].letters, wanted[one].size = <const uint8_t*> (<bytes> letters[one]), len(names[one])
    for index in range(sources.shape[0]):
        begin = sources[index]
        if not 0 <= begin < size or chars[begin] != c"<":
            raise ValueError(f"no tag begins at {begin}")
        find_values(chars, begin + 1, size, wanted, count, found)
        of_tag = []
        for one in range(count):
            if found[one].begin < 0:
                of_tag.append(None)
            elif is_plain(chars, found[one].begin, found[one].end):
                of_tag.append(html[found[one].begin:found[one].end])
            else:
                of_tag.append(first_token(html, begin).attr(names[one]))
        values.append(tuple(of_tag))
    return values


def attribute_values(str html not None, const int32_t[::1] sources, tuple names not None):
    cdef const void* chars = PyUnicode_DATA(html)
    cdef int width = PyUnicode_KIND(html)
    if width == 1:
        return values_of(html, <const uint8_t*> chars, len(html), sources, names)
    if width == 2:
        return values_of(html, <const uint16_t*> chars, len(html), sources, names)
    return values_of(html, <const uint32_t*> chars, len(html), sources, names)
