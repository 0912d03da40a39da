# The stamps of a browser; see ``stamps``.

cdef enum:
    # Of a box: four for its place, and area, characters, font, colour, and whether it is hidden.
    NUMBERS = 9


cdef class StampReader:
    """Reads the tags and the stamps of a page."""

    cdef array tag_codes
    cdef array boxes
    cdef list unseen
    cdef tuple size
    cdef str html
    cdef Py_ssize_t count  # of tags

    def __init__(self, str html not None):
        self.html = html
        self.tag_codes, self.boxes, self.unseen = array("b"), array("i"), []

    def columns(self):
        resize_smart(self.tag_codes, self.count)
        boxes = np.frombuffer(self.boxes, np.int32).reshape(-1, NUMBERS + 3)
        return StampColumns(np.frombuffer(self.tag_codes, np.int8), boxes, self.unseen, self.size)

    cdef int read(self, const Char* chars, Py_ssize_t size) except -1:
        cdef Py_ssize_t index = 0
        cdef Markup found
        while 0 <= index and find_markup(chars, index, size, &found):
            index = found.end
            if found.unclosed or found.kind == COMMENT or found.kind == OTHER:
                continue
            if found.kind == START and found.tag.stamp.begin >= 0:
                self.note_stamp(chars, &found)
            if found.kind == START and found.tag.element.insides != MARKUP:
                index = end_of_hidden(chars, size, &found)
            else:
                make_room(self.tag_codes, self.count)
                self.tag_codes.data.as_schars[self.count] = (
                    found.tag.element.code if found.kind == START else -found.tag.element.code
                )
                self.count += 1

    cdef int note_stamp(self, const Char* chars, Markup* found) except -1:
        cdef int32_t[NUMBERS] box
        cdef Value stamp = found.tag.stamp
        cdef bint is_box, is_unseen
        if is_plain(chars, stamp.begin, stamp.end):
            is_box = read_box(chars, stamp.begin, stamp.end, box)
            is_unseen = stamp.end - stamp.begin == 1 and chars[stamp.begin] == c"-"
        else:
            value = self.token(found).attr(STAMP)
            numbers = stamp_numbers(value)
            is_box, is_unseen = numbers is not None, value == NOT_RENDERED
            if is_box:
                for index in range(NUMBERS):
                    box[index] = numbers[index]
        if is_box:
            self.note_box(found, box)
            is_unseen = box[NUMBERS - 1]
        elif found.tag.element.code == HTML:
            self.size = page_size(self.token(found).attr(STAMP)) or self.size
        # What has no tag of its own would have that of the next element.
        if is_unseen and found.tag.element.insides == MARKUP:
            self.unseen.append((self.count, first_values(self.token(found).attrs)))

    cdef object token(self, Markup* found):
        (token,) = tokenize(self.html[found.begin:found.end])
        return token

    cdef int note_box(self, Markup* found, const int32_t* box) except -1:
        cdef Py_ssize_t size = len(self.boxes)
        cdef int* line
        resize_smart(self.boxes, size + NUMBERS + 3)
        line = self.boxes.data.as_ints + size
        line[0], line[1], line[2] = self.count, found.tag.element.code, found.tag.element.is_image
        memcpy(line + 3, box, NUMBERS * sizeof(int))


cdef bint read_box(
    const Char* chars, Py_ssize_t index, Py_ssize_t end, int32_t* box
) noexcept nogil:
    """Read the numbers of a stamp, and tell whether it is one."""
    cdef int one
    cdef bint is_negative
    for one in range(4):
        if one:
            if index == end or chars[index] != c" ":
                return False
            index += 1
        is_negative = one < 2 and index < end and chars[index] == c"-"
        index = read_digits(chars, index + is_negative, end, 8, &box[one])
        if index < 0:
            return False
        if is_negative:
            box[one] = -box[one]
    box[4] = box[5] = box[8] = 0
    box[6] = box[7] = -1
    if begins_part(chars, index, end, c"t"):
        index = read_digits(chars, index + 2, end, 9, &box[4])
    if begins_part(chars, index, end, c"n"):
        index = read_digits(chars, index + 2, end, 9, &box[5])
    if begins_part(chars, index, end, c"f"):
        index = read_tenths(chars, index + 2, end, &box[6])
    if begins_part(chars, index, end, c"c"):
        index = read_colour(chars, index + 2, end, &box[7])
    if begins_part(chars, index, end, c"h"):
        box[8] = 1
        index += 2
    return index == end


cdef inline bint begins_part(
    const Char* chars, Py_ssize_t index, Py_ssize_t end, uint8_t letter
) noexcept nogil:
    """Tell whether a part with a letter begins; -1 is after a part that was none."""
    return 0 <= index < end - 1 and chars[index] == c" " and chars[index + 1] == letter


cdef Py_ssize_t read_digits(
    const Char* chars, Py_ssize_t index, Py_ssize_t end, int most, int32_t* number
) noexcept nogil:
    """Read a number of at least one digit; return the index after it, or -1."""
    cdef Py_ssize_t begin = index
    number[0] = 0
    while index < end and c"0" <= chars[index] <= c"9":
        if index - begin == most:
            return -1
        number[0] = 10 * number[0] + <int32_t> (chars[index] - c"0")
        index += 1
    return index if index > begin else -1


cdef Py_ssize_t read_tenths(
    const Char* chars, Py_ssize_t index, Py_ssize_t end, int32_t* number
) noexcept nogil:
    index = read_digits(chars, index, end, 4, number)
    number[0] *= 10
    if 0 <= index < end - 1 and chars[index] == c"." and c"0" <= chars[index + 1] <= c"9":
        number[0] += <int32_t> (chars[index + 1] - c"0")
        return index + 2
    return index


cdef Py_ssize_t read_colour(
    const Char* chars, Py_ssize_t index, Py_ssize_t end, int32_t* number
) noexcept nogil:
    cdef Py_ssize_t after = index + 6
    number[0] = 0
    if after > end:
        return -1
    while index < after:
        number[0] *= 16
        if c"0" <= chars[index] <= c"9":
            number[0] += <int32_t> (chars[index] - c"0")
        elif c"a" <= chars[index] <= c"f":
            number[0] += <int32_t> (chars[index] - c"a") + 10
        else:
            return -1
        index += 1
    return after


def read_stamps(str html not None):
    reader = StampReader(html)
    cdef const void* chars = PyUnicode_DATA(html)
    cdef int width = PyUnicode_KIND(html)
    if width == 1:
        reader.read(<const uint8_t*> chars, len(html))
    elif width == 2:
        reader.read(<const uint16_t*> chars, len(html))
    else:
        reader.read(<const uint32_t*> chars, len(html))
    return reader.columns()


def numbers_from_parents(const int32_t[::1] numbers, const int32_t[::1] parent):
    if numbers.shape[0] != parent.shape[0]:
        raise ValueError(f"{numbers.shape[0]} numbers of {parent.shape[0]} nodes")
    filled = np.empty(numbers.shape[0], np.int32)
    cdef int32_t[::1] found = filled
    cdef Py_ssize_t node
    for node in range(numbers.shape[0]):
        if parent[node] >= node:
            raise ValueError(f"node {node} comes before its parent {parent[node]}")
        found[node] = (
            numbers[node] if numbers[node] != -1 else found[parent[node]] if parent[node] >= 0 else 0
        )
    return filled
