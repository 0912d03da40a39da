# The lists, tables, quotations and code around pieces of a text.

cdef enum:
    DEEPEST = 64
    SCOPE_KINDS = 16
    LINES = 12

cdef struct Open:
    int kind
    int32_t tag
    int32_t ordinal
    int32_t begin
    int32_t number  # in the result, or -1
    int32_t count
    int32_t filled
    int32_t wide
    int32_t longest
    int32_t divisions
    int32_t tables
    int32_t headers


cdef class Outline:
    """The open elements, and those around a piece of text, which are the result."""

    cdef int deepest
    cdef int depth
    cdef Py_ssize_t too_deep
    cdef int32_t offset, visible  # of the tag that is read
    cdef Open[DEEPEST] stack
    # How many elements of each kind are open, in each open table and outside of all.
    cdef int[DEEPEST + 1][SCOPE_KINDS] still_open
    cdef int scope
    cdef array columns
    cdef Py_ssize_t count

    def __init__(self, int deepest):
        self.deepest = min(deepest, DEEPEST)
        self.columns = array("i")

    cdef int start(self, int kind, int32_t tag, int code) except -1:
        cdef int last
        if self.too_deep:
            self.too_deep += is_counted(kind)
        elif kind >= DIVISION:
            if self.depth and (kind == DIVISION or self.stack[self.depth - 1].kind == CELL):
                self.stack[self.depth - 1].divisions += 1
        elif kind == TABLE_ROW or kind == CELL:
            if self.scope:
                self.start_in_table(kind, tag, code)
        else:
            last = self.stack[self.depth - 1].kind if self.depth else 0
            if (kind == LIST_ITEM and last == LIST_ITEM) or (
                (kind == TERM or kind == DEFINITION) and (last == TERM or last == DEFINITION)
            ):
                self.pop()
            self.push(kind, tag)

    cdef int start_in_table(self, int kind, int32_t tag, int code) except -1:
        cdef bint in_row = kind == CELL and self.still_open[self.scope][TABLE_ROW]
        while self.stack[self.depth - 1].kind != (TABLE_ROW if in_row else TABLE):
            self.pop()
        if kind == CELL and not in_row:
            self.push(TABLE_ROW, tag)
        self.push(kind, tag)
        if code == HEADER_CELL and self.stack[self.depth - 1].kind == CELL:
            self.stack[self.depth - 3].headers += 1

    cdef int push(self, int kind, int32_t tag) except -1:
        if self.depth == self.deepest:
            self.too_deep += is_counted(kind)
            return 0
        cdef Open* element = &self.stack[self.depth]
        cdef Open* outer = &self.stack[self.depth - 1] if self.depth else NULL
        element.kind, element.tag, element.begin, element.number = kind, tag, self.visible, -1
        element.ordinal = element.count = element.filled = element.wide = element.longest = 0
        element.divisions = element.tables = element.headers = 0
        if outer is not NULL and (
            (kind == LIST_ITEM and (outer.kind == BULLETS or outer.kind == NUMBERED))
            or ((kind == TERM or kind == DEFINITION) and outer.kind == DEFINITIONS)
            or (kind == TABLE_ROW and outer.kind == TABLE)
            or (kind == CELL and outer.kind == TABLE_ROW)
        ):
            element.ordinal = outer.count
            outer.count += 1
        self.depth += 1
        cdef int each
        if kind == TABLE:
            self.scope += 1
            for each in range(SCOPE_KINDS):
                self.still_open[self.scope][each] = 0
        self.still_open[self.scope][kind] += 1

    cdef int end(self, int kind) except -1:
        if self.too_deep:
            self.too_deep -= is_counted(kind)
        elif kind == LIST_ITEM or kind == TERM or kind == DEFINITION:
            if self.depth and self.stack[self.depth - 1].kind == kind:
                self.pop()
        elif kind < DIVISION and self.still_open[self.scope][kind]:
            while self.pop() != kind:
                pass

    cdef int pop(self) except -1:
        self.depth -= 1
        cdef Open* last = &self.stack[self.depth]
        cdef Open* outer = &self.stack[self.depth - 1] if self.depth else NULL
        cdef int32_t size = self.visible - last.begin
        cdef int* column
        self.still_open[self.scope][last.kind] -= 1
        if last.kind == TABLE:
            self.scope -= 1
        if outer is not NULL:
            outer.divisions += last.divisions
            outer.tables += last.tables + (last.kind == TABLE)
            if last.kind == CELL:
                outer.filled += size > 0
                outer.longest = max(outer.longest, size)
            elif last.kind == TABLE_ROW:
                outer.wide += last.filled > 1
                outer.longest = max(outer.longest, last.longest)
        if last.number >= 0:
            column = self.columns.data.as_ints + last.number * LINES
            column[4], column[5], column[6], column[7] = self.offset, size, last.count, last.wide
            column[8], column[9] = last.longest, last.divisions
            column[10], column[11] = last.tables, last.headers
        return last.kind

    cdef int32_t innermost(self) except -2:
        cdef int32_t parent = -1
        cdef int level
        cdef int* column
        if not self.depth:
            return -1
        if self.stack[self.depth - 1].number < 0:
            for level in range(self.depth):
                if self.stack[level].number < 0:
                    self.stack[level].number = self.count
                    if (self.count + 1) * LINES > len(self.columns):
                        resize_smart(self.columns, 2 * LINES * (self.count + 32))
                    column = self.columns.data.as_ints + self.count * LINES
                    column[0], column[1] = self.stack[level].kind, parent
                    column[2], column[3] = self.stack[level].tag, self.stack[level].ordinal
                    self.count += 1
                parent = self.stack[level].number
        return self.stack[self.depth - 1].number


cdef inline bint is_counted(int kind) noexcept nogil:
    return kind == BULLETS or kind == NUMBERED or kind == TABLE


def outline(
    const int8_t[::1] tags,
    const int32_t[::1] offset,
    int32_t length,
    const int32_t[::1] row_start,
    const int32_t[::1] row_chars,
    const int32_t[::1] pieces,
    int deepest,
):
    if offset.shape[0] != tags.shape[0]:
        raise ValueError(f"{offset.shape[0]} offsets of {tags.shape[0]} tags")
    if row_chars.shape[0] != row_start.shape[0]:
        raise ValueError(f"{row_chars.shape[0]} sizes of {row_start.shape[0]} rows")
    innermost = np.empty(pieces.shape[0], np.int32)
    cdef int32_t[::1] of_piece = innermost
    found = Outline(deepest)
    cdef Py_ssize_t tag, row = 0, piece = 0
    cdef int code, kind
    for tag in range(tags.shape[0]):
        code = tags[tag]
        kind = structure_kinds[(-code if code < 0 else code) & 127]
        if not kind:
            continue
        while piece < pieces.shape[0] and pieces[piece] < offset[tag]:
            of_piece[piece] = found.innermost()
            piece += 1
        if piece == pieces.shape[0] and not (found.depth and found.stack[0].number >= 0):
            break
        while row < row_start.shape[0] and row_start[row] < offset[tag]:
            found.visible += row_chars[row]
            row += 1
        found.offset = offset[tag]
        if code > 0:
            found.start(kind, tag, code)
        else:
            found.end(kind)
    while piece < pieces.shape[0]:
        of_piece[piece] = found.innermost()
        piece += 1
    if found.depth:
        for row in range(row, row_start.shape[0]):
            found.visible += row_chars[row]
        found.offset = length
    while found.depth:
        found.pop()
    columns = np.frombuffer(found.columns, np.int32) if found.count else np.zeros(0, np.int32)
    return innermost, columns[: found.count * LINES].reshape(found.count, LINES).T


cdef uint8_t[128] structure_kinds
for each_code in range(128):
    structure_kinds[each_code] = html_elements.STRUCTURE_KINDS[each_code]
cdef int BULLETS = html_elements.BULLETS, NUMBERED = html_elements.NUMBERED
cdef int LIST_ITEM = html_elements.LIST_ITEM, TERM = html_elements.TERM
cdef int DEFINITIONS = html_elements.DEFINITIONS, DEFINITION = html_elements.DEFINITION
cdef int DIVISION = html_elements.DIVISION
cdef int TABLE = html_elements.TABLE, TABLE_ROW = html_elements.TABLE_ROW
cdef int CELL = html_elements.CELL, HEADER_CELL = html_elements.HEADER_CELL
