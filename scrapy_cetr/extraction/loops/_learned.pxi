# Class hints, what containers inherit, and the elementwise steps of the network.


def class_hints(list class_names, stems, bytes letters, Py_ssize_t longest):
    cdef const uint32_t[::1] begins = stems.begin
    cdef const uint8_t[::1] is_filled = stems.is_filled
    cdef const int32_t[::1] first = stems.first
    cdef const uint64_t[::1] rests = stems.rest, masks = stems.mask
    cdef const int64_t[::1] bits = stems.bits
    cdef uint32_t factor = stems.factor, begin, slot
    cdef int shift = stems.shift
    cdef uint8_t mark = ord(stems.mark)
    cdef uint64_t rest
    cdef int64_t found
    cdef Py_ssize_t number, index, size, stem
    cdef const uint8_t* letter_of = letters
    cdef Py_UCS4 char
    cdef str name
    cdef const uint8_t* chars
    # The name between marks, with enough of them at the end to read a whole stem there.
    cdef uint8_t[256 + 16] text
    if longest > 256 or len(letters) < 256 or begins.shape[0] < 1 << (32 - shift) or (
        is_filled.shape[0] < begins.shape[0] // 8 or first.shape[0] <= begins.shape[0]
    ) or not (masks.shape[0] == bits.shape[0] == rests.shape[0] == first[begins.shape[0]]):
        raise ValueError("tables of other sizes")
    of_names = np.empty(len(class_names), np.int64)
    cdef int64_t[::1] filled = of_names
    for number in range(len(class_names)):
        name = class_names[number]
        size = min(len(name), longest)
        text[0] = mark
        if PyUnicode_KIND(name) == 1:
            chars = <const uint8_t*> PyUnicode_DATA(name)
            for index in range(size):
                text[index + 1] = letter_of[chars[index]]
        else:
            for index in range(size):
                char = name[index]
                text[index + 1] = letter_of[char] if char < 256 else mark
        for index in range(size + 1, size + 14):
            text[index] = mark
        found = 0
        for index in range(size + 1):
            memcpy(&begin, &text[index], 4)
            slot = (begin * factor) >> shift
            if is_filled[slot >> 3] >> (slot & 7) & 1 and begins[slot] == begin:
                memcpy(&rest, &text[index + 4], 8)
                for stem in range(first[slot], first[slot + 1]):
                    if rest & masks[stem] == rests[stem]:
                        found |= bits[stem]
        filled[number] = found
    return of_names


def inherit(const Py_ssize_t[::1] parent, const int64_t[::1] bits, stops):
    cdef const uint8_t[::1] is_stop = stops.view(np.uint8)
    cdef Py_ssize_t count = parent.shape[0], index, above
    if bits.shape[0] != count or is_stop.shape[0] != count:
        raise ValueError("columns of other lengths")
    inherited = np.array(bits)
    depth, branch = np.zeros(count, np.intp), np.zeros(count, np.intp)
    cdef int64_t[::1] all_bits = inherited
    cdef Py_ssize_t[::1] depths = depth, branches = branch
    for index in range(1, count):
        above = parent[index]
        if above < 0 or above >= index:
            raise ValueError("a parent does not come before its child")
        all_bits[index] |= all_bits[above]
        depths[index] = depths[above] + 1
        branches[index] = index if is_stop[index] or is_stop[above] else branches[above]
    return inherited, depth, branch


def clipped(const float[:, :] matrix, const float[::1] low, const float[::1] high):
    check_lines(matrix, low.shape[0])
    check_lines(matrix, high.shape[0])
    taken = np.empty((matrix.shape[0], matrix.shape[1]), np.float32)
    cdef float[:, ::1] found = taken
    cdef const float* values
    cdef float value, least, most
    cdef Py_ssize_t line, index
    for line in range(matrix.shape[0] if matrix.shape[1] else 0):
        values, least, most = &matrix[line, 0], low[line], high[line]
        for index in range(matrix.shape[1]):
            value = values[index] if values[index] < most else most
            found[line, index] = value if value > least else least
    return taken


def rectify(float[:, :] matrix, const float[::1] bias):
    check_lines(matrix, bias.shape[0])
    cdef float* values
    cdef float value, added
    cdef Py_ssize_t line, index
    for line in range(matrix.shape[0] if matrix.shape[1] else 0):
        values, added = &matrix[line, 0], bias[line]
        for index in range(matrix.shape[1]):
            value = values[index] + added
            values[index] = value if value > 0 else 0


def summary(const float[:, :] matrix):
    check_lines(matrix, matrix.shape[0])
    found = np.zeros(2 * matrix.shape[0], np.float32)
    cdef float[::1] values = found
    cdef const float* line
    cdef Py_ssize_t lines = matrix.shape[0], count = matrix.shape[1], number, index
    cdef float most
    cdef double total
    if not count:
        raise ValueError("no columns")
    for number in range(lines):
        line, total, most = &matrix[number, 0], 0, matrix[number, 0]
        for index in range(count):
            total += line[index]
            most = line[index] if line[index] > most else most
        values[number], values[lines + number] = <float> (total / count), most
    return found


def add_rectified(float[:, :] matrix, const float[:, :] change, const float[::1] bias):
    check_lines(matrix, bias.shape[0])
    check_lines(change, bias.shape[0])
    if matrix.shape[1] != change.shape[1]:
        raise ValueError(f"{change.shape[1]} columns for {matrix.shape[1]}")
    cdef float* values
    cdef const float* added
    cdef float value, constant
    cdef Py_ssize_t line, index
    for line in range(matrix.shape[0] if matrix.shape[1] else 0):
        values, added, constant = &matrix[line, 0], &change[line, 0], bias[line]
        for index in range(matrix.shape[1]):
            value = added[index] + constant
            values[index] += value if value > 0 else 0


cdef int check_lines(const float[:, :] matrix, Py_ssize_t count) except -1:
    """Check the shape; lines may be apart in memory, but not the elements of a line."""
    if matrix.shape[0] != count:
        raise ValueError(f"{count} values for {matrix.shape[0]} lines")
    if matrix.shape[1] > 1 and matrix.strides[1] != sizeof(float):
        raise ValueError("the elements of a line are apart")
