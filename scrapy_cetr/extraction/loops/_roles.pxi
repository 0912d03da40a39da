# What the roles of rows are derived from. ``roles.rows`` defines it, in steps of numpy.


def role_columns(source, tables, by_steps):
    tree = source.tree
    cdef const int8_t[::1] tags = source.tags, role_of_element = tables.role_of_element
    cdef const int32_t[::1] openers = source.openers, chars = source.chars
    cdef const Py_ssize_t[::1] code = tree.code, parent = tree.parent, of_row = tree.of_row
    cdef const Py_ssize_t[::1] first_row = tree.first_row, last_row = tree.last_row
    cdef Py_ssize_t rows = openers.shape[0], count = code.shape[0], row, one, level
    cdef Py_ssize_t levels = tables.levels, item = tables.item
    cdef int8_t no_role = tables.no_role, role
    cdef int64_t largest_element = tables.largest_element, size
    if not rows == chars.shape[0] == of_row.shape[0] or role_of_element.shape[0] < 128:
        raise ValueError("columns of other lengths")
    if not count == parent.shape[0] == first_row.shape[0] == last_row.shape[0]:
        raise ValueError("columns of other lengths")
    cdef int64_t[::1] before = np.zeros(rows + 1, np.int64), sizes = np.empty(count, np.int64)
    cdef int8_t[::1] role_of = np.empty(count, np.int8)
    for row in range(rows):
        before[row + 1] = before[row] + chars[row]
        if openers[row] >= tags.shape[0] or not 0 <= of_row[row] < count:
            raise ValueError(f"row {row} is not of this page")
    for one in range(count):
        if not (
            0 <= first_row[one] <= last_row[one] <= rows
            and 0 <= parent[one] <= one
            and 0 <= code[one] < 128
        ):
            raise ValueError(f"container {one} is not of this page")
        sizes[one] = before[last_row[one]] - before[first_row[one]]
        role_of[one] = no_role if sizes[one] > largest_element else role_of_element[code[one]]
    codes, roles = np.empty((2, rows), np.int8)
    are_items = np.empty(rows, np.bool_)
    cdef int8_t[::1] of_code = codes, of_role = roles
    cdef uint8_t[::1] is_item = are_items.view(np.uint8)
    for row in range(rows):
        one = of_row[row]
        of_code[row] = tags[openers[row]] if openers[row] >= 0 else 0
        if of_code[row] <= 0:
            of_code[row] = code[one]
        role = role_of_element[of_code[row]]
        is_item[row] = of_code[row] == item
        for level in range(levels):
            is_item[row] |= code[one] == item
            if role == no_role:
                role = role_of[one]
            one = parent[one]
        of_role[row] = role
    near, inside = np.zeros((2, rows), np.int64)
    if source.hints is not None:
        write_role_bits(source, tables, sizes, near, inside)
    return codes, roles, near, inside, are_items


cdef int write_role_bits(
    source, tables, const int64_t[::1] sizes, int64_t[::1] near, int64_t[::1] inside
) except -1:
    """Write the bits of class names near to each row, and those of all containers around it."""
    tree = source.tree
    cdef const int8_t[::1] tags = source.tags
    cdef const int32_t[::1] openers = source.openers, names = source.class_name
    cdef const int64_t[::1] hints = source.hints
    cdef const Py_ssize_t[::1] parent = tree.parent, of_row = tree.of_row
    cdef const Py_ssize_t[::1] class_name = tree.class_name
    cdef Py_ssize_t count = parent.shape[0], row, one, tag = 0, named = 0
    cdef int64_t largest_near = tables.largest_near, passed_down = tables.passed_down, bits
    cdef int64_t all_bits = tables.all_bits, vetoed = tables.vetoed, veto = tables.veto
    cdef int64_t[::1] own = np.zeros(count, np.int64), all_around = np.zeros(count, np.int64)
    if class_name.shape[0] != count:
        raise ValueError("columns of other lengths")
    for one in range(names.shape[0]):
        if not 0 <= names[one] < hints.shape[0]:
            raise ValueError(f"no class name {names[one]}")
    for one in range(1, count):
        if not 0 <= class_name[one] < names.shape[0]:
            raise ValueError(f"container {one} is not of this page")
        bits = hints[names[class_name[one]]] & all_bits
        bits &= ~vetoed if bits & veto else -1
        all_around[one] = all_around[parent[one]] | (bits & passed_down)
        own[one] = 0 if sizes[one] > largest_near else bits
    for row in range(openers.shape[0]):
        one, bits = of_row[row], 0
        if openers[row] >= 0 and tags[openers[row]] >= FIRST_NAMED:
            if openers[row] < tag:
                tag = named = 0
            while tag <= openers[row]:
                named += tags[tag] >= FIRST_NAMED
                tag += 1
            if named > names.shape[0]:
                raise ValueError(f"{names.shape[0]} class names are too few")
            bits = hints[names[named - 1]] & all_bits
            bits &= ~vetoed if bits & veto else -1
        near[row] = bits | own[one] | own[parent[one]]
        inside[row] = bits | all_around[one]
    return 0
