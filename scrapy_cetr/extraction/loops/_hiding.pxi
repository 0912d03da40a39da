# The start tags that may hide their elements; see ``hiding``.


cdef class Marks:
    """Notes start tags that may hide their elements, and the style sheets that may."""

    cdef readonly list marks
    cdef readonly list styles
    cdef str html
    cdef set names  # of rules that may hide
    cdef dict known  # the attributes of marked tags, by their source
    # By the length of a name, the first characters that names of this length have.
    cdef uint64_t[64] first_chars

    def __init__(self, str html):
        self.html = html
        self.marks, self.styles, self.names, self.known = [], [], set(), {}
        self.first_chars = SCREEN_READER_CHARS

    cdef bint may_hide(self, const Char* chars, Markup* found) except -1:
        """See ``hiding``."""
        cdef const Tag* tag = &found.tag
        if tag.hidden or ALWAYS[tag.element.code] or (
            tag.aria_hidden and tag.element.code >= FIRST_CONTAINER
        ):
            return True
        if tag.style.begin >= 0 and style_may_hide(chars, tag.style):
            return True
        if tag.id.begin >= 0 and self.names and self.has_name(c"#", tag.id.begin, tag.id.end):
            return True
        return tag.class_.begin >= 0 and self.class_may_hide(chars, tag.class_)

    cdef bint class_may_hide(self, const Char* chars, Value value) except -1:
        cdef Py_ssize_t index = value.begin, begin
        while index < value.end:
            begin = index
            while index < value.end and not is_space(chars[index]):
                if chars[index] == c"&":
                    return True
                index += 1
            # Few names have the length and the first character of one that hides.
            if index > begin and self.first_chars[(index - begin) & 63] >> (chars[begin] & 63) & 1:
                if self.html[begin:index] in SCREEN_READER_NAMES or (
                    self.names and self.has_name(c".", begin, index)
                ):
                    return True
            index += 1
        return False

    cdef bint has_name(self, char kind, Py_ssize_t begin, Py_ssize_t end) except -1:
        return f"{chr(kind)}{self.html[begin:end]}" in self.names

    cdef int mark(self, Markup* found, Py_ssize_t tag) except -1:
        if len(self.marks) >= MAX_MARKS:
            return 0
        source = self.html[found.begin:found.end]
        values = self.known.get(source)
        if values is None:
            (token,) = tokenize(source)
            values = self.known[source] = first_values(token.attrs)
            # A value with references was not read, only noted.
            if "&" in source and not may_hide(found.tag.element.code, token.attrs, self.names):
                values = self.known[source] = {}
        if not values and not ALWAYS[found.tag.element.code]:
            return 0
        self.marks.append((tag, values))

    cdef int note_style(self, Markup* start, str css) except -1:
        names = selector_names(css)
        self.names |= names
        for name in names:
            note_first_char(self.first_chars, name[1:])
        (token,) = tokenize(self.html[start.begin:start.end])
        self.styles.append(style_sheet(css, token.attr("media")))


cdef int note_first_char(uint64_t* first_chars, str name) except -1:
    first_chars[len(name) & 63] |= <uint64_t> 1 << (<uint64_t> ord(name[0]) & 63)


cdef uint64_t[64] SCREEN_READER_CHARS
SCREEN_READER_CHARS[:] = [0] * 64
for each in SCREEN_READER_NAMES:
    note_first_char(SCREEN_READER_CHARS, each)
cdef bint[128] ALWAYS
ALWAYS[:] = [False] * 128
for each in ALWAYS_MARKED:
    ALWAYS[each] = True
