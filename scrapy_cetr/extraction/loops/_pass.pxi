# The pass over a page. It reads markup as turbohtml's tokenizer does, which is as the HTML standard
# says, but makes no tokens: tags become numbers, and texts are cut out of the page. Character
# references, which are few, are left to turbohtml.

cdef enum:
    # This number of pieces of text is joined, because many pieces take far more memory.
    PIECES = 1 << 13


cdef class Columns:
    """See ``MarkupColumns``."""

    cdef readonly list texts
    cdef readonly list json_ld_scripts
    cdef readonly str title
    cdef readonly str unclosed
    cdef readonly bint ends_with_comment
    cdef readonly str last_data
    cdef readonly Py_ssize_t length  # of the text

    cdef array tag_codes
    cdef array tag_offsets
    cdef array name_ids
    cdef array tag_numbers
    cdef str html
    cdef Marks hiding  # what may hide
    cdef frozenset hidden
    cdef Py_ssize_t count  # of tags
    cdef dict class_name_ids
    cdef int first_named
    cdef list pieces
    cdef Py_ssize_t name_count
    cdef bint with_marks
    cdef bint with_sources
    cdef Py_ssize_t text_count
    cdef array tag_sources
    cdef array picture_tags

    def __init__(
        self,
        str html not None,
        frozenset hidden not None,
        dict class_name_ids,
        Py_ssize_t before,
        bint with_marks,
        bint with_sources,
    ):
        self.html, self.hiding = html, Marks(html)
        self.hidden, self.class_name_ids = hidden, class_name_ids
        self.first_named = 128 if class_name_ids is None else FIRST_NAMED
        self.tag_codes, self.tag_offsets, self.name_ids = array("b"), array("i"), array("i")
        self.tag_numbers = array("i")
        self.texts, self.pieces, self.json_ld_scripts = [], [], []
        self.with_marks, self.with_sources = with_marks, with_sources
        self.tag_sources, self.picture_tags = array("i"), array("i")
        self.last_data = ""
        self.length = before

    @property
    def tags(self):
        return np.frombuffer(self.tag_codes, np.int8)

    @property
    def tag_offset(self):
        return np.frombuffer(self.tag_offsets, np.int32)

    @property
    def class_name(self):
        return np.frombuffer(self.name_ids, np.int32)

    @property
    def numbers(self):
        return np.frombuffer(self.tag_numbers, np.int32).reshape(-1, 3)

    @property
    def marks(self):
        return self.hiding.marks

    @property
    def styles(self):
        return self.hiding.styles

    @property
    def sources(self):
        return np.frombuffer(self.tag_sources, np.int32)

    @property
    def pictures(self):
        return np.frombuffer(self.picture_tags, np.int32).reshape(-1, 3)

    cdef int finish(self) except -1:
        """Free the memory that is not needed any more."""
        self.join_pieces()
        resize_smart(self.tag_codes, self.count)
        resize_smart(self.tag_offsets, self.count)
        resize_smart(self.name_ids, self.name_count)
        resize_smart(self.tag_sources, self.count if self.with_sources else 0)
        self.html = self.hiding.html = ""

    cdef int note(self, int code, Py_ssize_t source) except -1:
        make_room(self.tag_codes, self.count)
        make_room(self.tag_offsets, self.count)
        if self.with_sources:
            make_room(self.tag_sources, self.count)
            self.tag_sources.data.as_ints[self.count] = source
        self.tag_codes.data.as_schars[self.count] = code
        self.tag_offsets.data.as_ints[self.count] = self.length
        self.count += 1

    cdef int note_text(self, str text) except -1:
        self.length += len(text)
        self.text_count += 1
        self.pieces.append(text)
        if len(self.pieces) == PIECES:
            self.join_pieces()

    cdef int join_pieces(self) except -1:
        self.texts.append("".join(self.pieces))
        self.pieces.clear()

    cdef str value(self, const Char* chars, Value value, Markup* found, str name):
        """Give the value of an attribute of a tag, "" if it has none."""
        if value.begin < 0 or value.begin == value.end:
            return ""
        if is_plain(chars, value.begin, value.end):
            return self.html[value.begin:value.end]
        # References mean other things in values than in texts.
        (token,) = tokenize(self.html[found.begin:found.end])
        return token.attr(name)

    cdef bint is_json_ld(self, const Char* chars, Markup* found):
        return self.value(chars, found.tag.type, found, "type").lower().startswith(JSON_LD)

    cdef int note_class_name(self, const Char* chars, Markup* found) except -1:
        of_class = self.value(chars, found.tag.class_, found, "class")
        of_id = self.value(chars, found.tag.id, found, "id")
        cdef dict ids = self.class_name_ids
        make_room(self.name_ids, self.name_count)
        self.name_ids.data.as_ints[self.name_count] = ids.setdefault(
            f"{of_class} {of_id}", len(ids)
        )
        self.name_count += 1

    cdef int note_picture(self, Py_ssize_t source) except -1:
        self.picture_tags.extend(array("i", (self.count, self.count + self.text_count, source)))

    cdef int note_numbers(self, const Char* chars, Markup* found) except -1:
        """Note the numbers in the tag of a list, item or cell, which few have."""
        cdef Tag* tag = &found.tag
        cdef int code = tag.element.code
        if code == LI:
            if tag.value.begin >= 0:
                self.add_numbers(code, self.value(chars, tag.value, found, "value"), "")
        elif code == OL:
            if tag.start.begin >= 0 or tag.reversed.begin >= 0:
                start = self.value(chars, tag.start, found, "start")
                self.add_numbers(code, start, "1" if tag.reversed.begin >= 0 else "")
        elif (code == TD or code == TH) and (tag.colspan.begin >= 0 or tag.rowspan.begin >= 0):
            columns = self.value(chars, tag.colspan, found, "colspan")
            self.add_numbers(code, columns, self.value(chars, tag.rowspan, found, "rowspan"))

    cdef int add_numbers(self, int code, str first, str second) except -1:
        numbers = tag_numbers(code, first, second)
        if numbers is not None:
            self.tag_numbers.extend(array("i", (self.count - 1, *numbers)))

    cdef int read(self, const Char* chars, Py_ssize_t size) except -1:
        cdef Py_ssize_t index = 0
        cdef Markup found
        while find_markup(chars, index, size, &found):
            if found.begin > index:
                self.note_text(self.text_between(chars, index, found.begin))
            self.ends_with_comment = False
            index = found.end
            if found.kind == COMMENT:
                self.ends_with_comment = True
                if index == size:
                    self.last_data = not_between_tags(self.html[found.comment.begin:found.comment.end])
            elif found.unclosed or found.kind == OTHER:
                pass
            elif found.kind == END:
                self.note(-found.tag.element.code, found.begin)
            elif self.hides(found.tag.element):
                index = self.skip(chars, size, &found)
            else:
                if self.with_marks and self.hiding.may_hide(chars, &found):
                    self.hiding.mark(&found, self.count)
                if found.tag.element.is_picture and self.with_sources:
                    self.note_picture(found.begin)
                self.note(found.tag.element.code, found.begin)
                if found.tag.element.code >= self.first_named:
                    self.note_class_name(chars, &found)
                if self.first_named < 128:
                    self.note_numbers(chars, &found)
        if index < size:
            self.note_text(self.text_between(chars, index, size))
            self.ends_with_comment = False
        self.finish()

    cdef str text_between(self, const Char* chars, Py_ssize_t begin, Py_ssize_t end):
        cdef str text = self.html[begin:end]
        # Most texts are as they stand there.
        if find(chars, begin, end, c"&") < end or find(chars, begin, end, c"\r") < end:
            return decoded(text)
        return text

    cdef bint hides(self, const Element* element):
        return element.insides == TEXT or (
            element.insides == TREE and name_of(element) in self.hidden
        )

    cdef Py_ssize_t skip(self, const Char* chars, Py_ssize_t size, Markup* start) except -1:
        """Find the end of a hidden element; where there is none, the end of the page."""
        cdef const Element* element = start.tag.element
        cdef Py_ssize_t end
        name = name_of(element)
        if name not in NOT_SEPARATING:
            self.note_text(" ")
        if element.insides == TEXT:
            end = self.skip_text(chars, size, start)
        elif start.tag.self_closing:
            end = start.end
        else:
            end = end_of_tree(chars, start.end, size, element)
        if end < 0:
            self.unclosed = name
            return size
        return end

    cdef Py_ssize_t skip_text(self, const Char* chars, Py_ssize_t size, Markup* start) except -2:
        """Find the end of an element whose inside is text, and note what this says."""
        cdef const Element* element = start.tag.element
        cdef Py_ssize_t end = end_of_text(chars, start.end, size, element)
        cdef Tag tag
        cdef Py_ssize_t after = read_tag(chars, end + 2, size, &tag) if end < size else -1
        # A title that the page ends with before anything is in it is none.
        if element is title_element and self.title is None and (start.end < end or after >= 0):
            self.title = decoded_in(self.html[start.end:end], "title")
        elif element is style_element and self.with_marks:
            if 0 < end - start.end <= MAX_STYLE_CHARS:
                self.hiding.note_style(start, not_between_tags(self.html[start.end:end]))
        elif element is script_element and self.class_name_ids is not None and (
            self.is_json_ld(chars, start)
        ):
            text = self.html[start.end:end]
            if ARTICLE_BODY in text:
                self.json_ld_scripts.append(not_between_tags(text))
        elif element is noscript_element and self.with_sources and start.end < end:
            self.note_picture(-start.end)
        if after < 0:
            text = self.html[start.end:end]
            self.last_data = decoded_in(text, name_of(element)) if element.has_references else (
                not_between_tags(text)
            )
        return after


cdef inline int make_room(array column, Py_ssize_t count) except -1:
    """Let a column have more elements than that."""
    if count == len(column):
        resize_smart(column, 2 * count + 1024)


cdef str name_of(const Element* element):
    return element.name[:element.size].decode()


def read_columns(
    str html not None,
    *,
    frozenset hidden not None,
    dict class_name_ids,
    Py_ssize_t before,
    bint with_marks=False,
    bint with_sources=False,
) -> Columns:
    columns = Columns(html, hidden, class_name_ids, before, with_marks, with_sources)
    cdef const void* chars = PyUnicode_DATA(html)
    cdef Py_ssize_t size = len(html)
    cdef int width = PyUnicode_KIND(html)
    if width == 1:
        columns.read(<const uint8_t*> chars, size)
    elif width == 2:
        columns.read(<const uint16_t*> chars, size)
    else:
        columns.read(<const uint32_t*> chars, size)
    return columns
