"""The pass of ``scan`` over a page, compiled: the same columns in a quarter of the time.

It reads markup as turbohtml's tokenizer does, which is as the standard for HTML has it, but makes
no tokens: tags become numbers, and texts are cut out of the page. Character references, which are
few, are left to turbohtml. tests/test_block_scan.py holds both passes to each other.
"""

from cpython.array cimport array, resize_smart
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy

from turbohtml import tokenize, unescape

from scrapy_cetr.extraction.markup import (
    CODES,
    CUSTOM,
    FIRST_CONTAINER,
    HIDDEN_TEXTS,
    HIDDEN_TREES,
    UNKNOWN,
)
from scrapy_cetr.extraction.scan import JSON_LD, STATING, UNNOTICED

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)

# How Python holds the characters of a text: each in as many bytes as the largest of them needs.
# Behind the last is a 0, so that behind every character of a page is one that can be looked at.
ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    LONGEST_NAME = 12
    SLOTS = 512
    # So many pieces of text are held apart, to bound the memory that they take.
    PIECES = 1 << 16

cdef enum Insides:
    MARKUP
    TEXT  # one piece of text up to the end tag
    TREE  # markup, of which nothing is shown

cdef struct Element:
    uint8_t[LONGEST_NAME] name
    int size
    signed char code
    Insides insides
    bint has_references

cdef struct Value:
    Py_ssize_t begin
    Py_ssize_t end

cdef struct Tag:
    const Element* element
    bint self_closing
    Value class_
    Value id
    Value type

cdef enum Kind:
    START
    END
    COMMENT
    OTHER

cdef struct Markup:
    Kind kind
    Py_ssize_t begin
    Py_ssize_t end  # that of the page, where it is never closed
    bint unclosed
    Tag tag
    Value comment

# Elements are in the slot of their name, or in the next that was free.
cdef Element[SLOTS] elements
cdef Element unknown, custom
cdef const Element* script_element
cdef const Element* title_element
cdef const Element* plaintext_element


# Characters


cdef inline bint is_letter(uint32_t char) noexcept nogil:
    return c"a" <= (char | 32) <= c"z"


cdef inline bint is_space(uint32_t char) noexcept nogil:
    return char == c" " or char == c"\n" or char == c"\t" or char == c"\r" or char == c"\f"


cdef inline bint ends_name(uint32_t char) noexcept nogil:
    return is_space(char) or char == c"/" or char == c">"


cdef inline Py_ssize_t find(
    const Char* chars, Py_ssize_t place, Py_ssize_t size, uint8_t wanted
) noexcept nogil:
    """Give the next place of a character, or the end."""
    cdef const void* found
    # A byte that is the same may be part of another character.
    while place < size:
        found = memchr(chars + place, wanted, (size - place) * sizeof(Char))
        if found is NULL:
            return size
        place = (<const uint8_t*> found - <const uint8_t*> chars) // <Py_ssize_t> sizeof(Char)
        if chars[place] == wanted:
            return place
        place += 1
    return size


cdef bint is_plain(const Char* chars, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Tell whether a value is what stands there, as most are."""
    cdef Py_ssize_t place
    for place in range(begin, end):
        if chars[place] == c"&" or chars[place] == c"\r" or chars[place] == 0:
            return False
    return True


cdef bint spells(const Char* chars, const uint8_t* word, Py_ssize_t size) noexcept nogil:
    """Tell whether characters are those of a word in lower case."""
    cdef Py_ssize_t place
    for place in range(size):
        if (chars[place] | 32 if is_letter(chars[place]) else chars[place]) != word[place]:
            return False
    return True


# Names


cdef inline uint32_t next_slot(uint32_t slot, uint32_t letter) noexcept nogil:
    return (slot * 31 + letter) % SLOTS


cdef const Element* element_of(const Char* name, Py_ssize_t size) noexcept nogil:
    cdef uint8_t[LONGEST_NAME] letters
    cdef uint32_t slot = 0
    cdef Py_ssize_t place
    cdef uint32_t char
    cdef const Element* element
    if size <= LONGEST_NAME:
        for place in range(size):
            char = name[place]
            if char > 127:
                break
            letters[place] = char | 32 if is_letter(char) else char
            slot = next_slot(slot, letters[place])
        else:
            element = &elements[slot]
            while element.size:
                if element.size == size and not memcmp(element.name, letters, size):
                    return element
                slot = (slot + 1) % SLOTS
                element = &elements[slot]
    for place in range(size):
        if name[place] == c"-":
            return &custom
    return &unknown


cdef int add_element(str name) except -1:
    letters = name.encode()
    cdef uint32_t slot = 0
    cdef uint8_t letter
    for letter in letters:
        slot = next_slot(slot, letter)
    while elements[slot].size:
        slot = (slot + 1) % SLOTS
    cdef Element* element = &elements[slot]
    memcpy(element.name, <const uint8_t*> letters, len(letters))
    element.size = len(letters)
    element.code = CODES[name]
    element.insides = TEXT if name in HIDDEN_TEXTS else TREE if name in HIDDEN_TREES else MARKUP
    element.has_references = name in ("textarea", "title")


for each in CODES:
    add_element(each)
unknown.code, custom.code = UNKNOWN, CUSTOM
script_element = element_of(<const uint8_t*> b"script", 6)
title_element = element_of(<const uint8_t*> b"title", 5)
plaintext_element = element_of(<const uint8_t*> b"plaintext", 9)


# Markup: functions that read some give the place behind it, or -1 if the page ends before.


cdef bint find_markup(
    const Char* chars, Py_ssize_t place, Py_ssize_t size, Markup* found
) noexcept nogil:
    """Find the next tag, comment or other declaration; tell if there is one."""
    cdef Py_ssize_t end
    cdef uint32_t next_char
    while True:
        place = find(chars, place, size, c"<")
        if place == size:
            return False
        next_char = chars[place + 1]
        if is_letter(next_char):
            found.kind = START
            end = read_tag(chars, place + 1, size, &found.tag)
        elif next_char == c"/" and is_letter(chars[place + 2]):
            found.kind = END
            end = read_tag(chars, place + 2, size, &found.tag)
        elif next_char == c"!" or next_char == c"?" or (next_char == c"/" and place + 2 < size):
            end = read_declaration(chars, place, size, found)
        else:
            place += 1
            continue
        found.begin, found.unclosed, found.end = place, end < 0, size if end < 0 else end
        return True


cdef Py_ssize_t read_tag(
    const Char* chars, Py_ssize_t place, Py_ssize_t size, Tag* tag
) noexcept nogil:
    """Read a tag from the first letter of its name on."""
    cdef Py_ssize_t begin = place, end
    cdef Value value
    while place < size and not ends_name(chars[place]):
        place += 1
    tag.element = element_of(chars + begin, place - begin)
    tag.class_.begin = tag.id.begin = tag.type.begin = -1
    while True:
        tag.self_closing = False
        while is_space(chars[place]) or chars[place] == c"/":
            tag.self_closing = chars[place] == c"/"
            place += 1
        if place == size:
            return -1
        if chars[place] == c">":
            return place + 1
        # What a name begins with is part of it, even if it is an equals sign.
        begin = place
        place += 1
        while place < size and not ends_name(chars[place]) and chars[place] != c"=":
            place += 1
        end = place
        while is_space(chars[place]):
            place += 1
        value.begin = value.end = place
        if chars[place] == c"=":
            place = read_value(chars, place + 1, size, &value)
            if place < 0:
                return -1
        keep_value(chars + begin, end - begin, value, tag)


cdef Py_ssize_t read_value(
    const Char* chars, Py_ssize_t place, Py_ssize_t size, Value* value
) noexcept nogil:
    while is_space(chars[place]):
        place += 1
    if chars[place] == c'"' or chars[place] == c"'":
        value.begin = place + 1
        value.end = find(chars, place + 1, size, chars[place])
        return value.end + 1 if value.end < size else -1
    value.begin = place
    while place < size and not is_space(chars[place]) and chars[place] != c">":
        place += 1
    value.end = place
    return place


cdef void keep_value(
    const Char* name, Py_ssize_t size, Value value, Tag* tag
) noexcept nogil:
    """Note the value of an attribute that is asked for; of several with one name, the first."""
    if size == 5 and tag.class_.begin < 0 and spells(name, <const uint8_t*> b"class", 5):
        tag.class_ = value
    elif size == 2 and tag.id.begin < 0 and spells(name, <const uint8_t*> b"id", 2):
        tag.id = value
    elif size == 4 and tag.type.begin < 0 and spells(name, <const uint8_t*> b"type", 4):
        tag.type = value


cdef Py_ssize_t read_declaration(
    const Char* chars, Py_ssize_t place, Py_ssize_t size, Markup* found
) noexcept nogil:
    """Read what begins like a declaration or an end tag; most that are neither are comments."""
    cdef Py_ssize_t end
    found.kind = COMMENT
    if chars[place + 1] == c"!" and chars[place + 2] == c"-" and chars[place + 3] == c"-":
        return read_comment(chars, place + 4, size, &found.comment)
    if chars[place + 1] == c"?" or (chars[place + 1] == c"/" and chars[place + 2] == c">") or (
        spells(chars + place + 2, <const uint8_t*> b"doctype", 7)
    ):
        found.kind = OTHER
    end = find(chars, place + 2, size, c">")
    found.comment.begin, found.comment.end = place + 2, end
    return -1 if end == size else end + 1


cdef Py_ssize_t read_comment(
    const Char* chars, Py_ssize_t begin, Py_ssize_t size, Value* comment
) noexcept nogil:
    """Read a comment from behind its first two dashes on."""
    cdef Py_ssize_t place = begin, end
    comment.begin = comment.end = begin
    if chars[begin] == c">":
        return begin + 1
    if chars[begin] == c"-" and chars[begin + 1] == c">":
        return begin + 2
    while True:
        place = find(chars, place, size, c">")
        if place == size:
            comment.end = size
            return -1
        end = place - (place > begin and chars[place - 1] == c"!")
        if end - begin >= 2 and chars[end - 1] == c"-" and chars[end - 2] == c"-":
            comment.end = end - 2
            return place + 1
        place += 1


cdef Py_ssize_t end_of_text(
    const Char* chars, Py_ssize_t place, Py_ssize_t size, const Element* element
) noexcept nogil:
    """Find the end tag of an element whose inside is text."""
    if element is plaintext_element:
        return size
    while True:
        place = find(chars, place, size, c"<")
        if place == size:
            return size
        if is_tag_of(chars + place, element, closing=True):
            return place
        if element is script_element and chars[place + 1] == c"!" and (
            chars[place + 2] == c"-" and chars[place + 3] == c"-"
        ):
            # The dashes may be those that end it, too.
            place = end_of_escaped(chars, place + 2, size)
            if place == size or chars[place] == c"<":
                return place
        place += 1


cdef Py_ssize_t end_of_escaped(
    const Char* chars, Py_ssize_t place, Py_ssize_t size
) noexcept nogil:
    """Find where a comment in a script ends, or the script in it: an inner one is part of it."""
    cdef bint is_inner = False
    while place < size:
        if chars[place] == c"<":
            if not is_inner:
                if is_tag_of(chars + place, script_element, closing=True):
                    return place
                is_inner = is_tag_of(chars + place, script_element, closing=False)
            elif is_tag_of(chars + place, script_element, closing=True):
                is_inner = False
        elif chars[place] == c"-" and chars[place + 1] == c"-" and chars[place + 2] == c">":
            return place + 2
        place += 1
    return size


cdef bint is_tag_of(const Char* chars, const Element* element, bint closing) noexcept nogil:
    """Tell whether a tag of an element begins with a less-than sign."""
    cdef const Char* name = chars + 1
    if closing:
        if chars[1] != c"/":
            return False
        name += 1
    return spells(name, element.name, element.size) and ends_name(name[element.size])


cdef Py_ssize_t end_of_tree(
    const Char* chars, Py_ssize_t place, Py_ssize_t size, const Element* element
) noexcept nogil:
    """Find the end of an element whose inside is markup."""
    cdef Py_ssize_t depth = 1
    cdef Markup found
    cdef Tag tag
    while find_markup(chars, place, size, &found) and not found.unclosed:
        place = found.end
        if found.kind == END and found.tag.element is element:
            depth -= 1
            if not depth:
                return place
        elif found.kind == START and found.tag.element is element:
            depth += not found.tag.self_closing
        elif found.kind == START and found.tag.element.insides == TEXT:
            place = end_of_text(chars, place, size, found.tag.element)
            if place < size:
                place = read_tag(chars, place + 2, size, &tag)
            if place < 0:
                return -1
    return -1


# The pass


cdef class Columns:
    """What a pass notes: see ``page.Page``, whose columns they become, and ``scan.Scan``."""

    cdef readonly array tags
    cdef readonly array tag_offset
    cdef readonly list texts
    cdef readonly array labels
    cdef readonly list statements
    cdef readonly str title
    cdef readonly str unclosed
    cdef readonly bint ends_with_comment
    cdef readonly str last
    cdef readonly Py_ssize_t length  # of the text

    cdef str html
    cdef frozenset hidden
    cdef dict label_numbers
    cdef int first_labelled
    cdef list pieces
    cdef Py_ssize_t count  # of tags
    cdef Py_ssize_t label_count

    def __init__(
        self, str html not None, frozenset hidden not None, dict label_numbers, Py_ssize_t before
    ):
        self.html, self.hidden, self.label_numbers = html, hidden, label_numbers
        self.first_labelled = 128 if label_numbers is None else FIRST_CONTAINER
        self.tags, self.tag_offset, self.labels = array("b"), array("i"), array("i")
        self.texts, self.pieces, self.statements = [], [], []
        self.last = ""
        self.length = before

    cdef int finish(self) except -1:
        """Let go of what is not needed any more."""
        self.join_pieces()
        resize_smart(self.tags, self.count)
        resize_smart(self.tag_offset, self.count)
        resize_smart(self.labels, self.label_count)
        self.html = ""

    cdef int note(self, int code) except -1:
        make_room(self.tags, self.count)
        make_room(self.tag_offset, self.count)
        self.tags.data.as_schars[self.count] = code
        self.tag_offset.data.as_ints[self.count] = self.length
        self.count += 1

    cdef int note_text(self, str text) except -1:
        self.length += len(text)
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

    cdef int label(self, const Char* chars, Markup* found) except -1:
        of_class = self.value(chars, found.tag.class_, found, "class")
        of_id = self.value(chars, found.tag.id, found, "id")
        cdef dict numbers = self.label_numbers
        make_room(self.labels, self.label_count)
        self.labels.data.as_ints[self.label_count] = numbers.setdefault(
            f"{of_class} {of_id}", len(numbers)
        )
        self.label_count += 1

    cdef int read(self, const Char* chars, Py_ssize_t size) except -1:
        cdef Py_ssize_t place = 0
        cdef Markup found
        while find_markup(chars, place, size, &found):
            if found.begin > place:
                self.note_text(self.text_between(chars, place, found.begin))
            self.ends_with_comment = False
            place = found.end
            if found.kind == COMMENT:
                self.ends_with_comment = True
                if place == size:
                    self.last = not_between_tags(self.html[found.comment.begin:found.comment.end])
            elif found.unclosed or found.kind == OTHER:
                pass
            elif found.kind == END:
                self.note(-found.tag.element.code)
            elif self.hides(found.tag.element):
                place = self.skip(chars, size, &found)
            else:
                self.note(found.tag.element.code)
                if found.tag.element.code >= self.first_labelled:
                    self.label(chars, &found)
        if place < size:
            self.note_text(self.text_between(chars, place, size))
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
        if name not in UNNOTICED:
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
        if element is title_element and self.title is None:
            self.title = decoded_in(self.html[start.end:end], "title")
        elif element is script_element and self.label_numbers is not None and (
            self.is_json_ld(chars, start)
        ):
            text = self.html[start.end:end]
            if STATING in text:
                self.statements.append(not_between_tags(text))
        behind = read_tag(chars, end + 2, size, &tag) if end < size else -1
        if behind < 0:
            text = self.html[start.end:end]
            self.last = decoded_in(text, name_of(element)) if element.has_references else (
                not_between_tags(text)
            )
        return behind


cdef inline int make_room(array column, Py_ssize_t count) except -1:
    """Let a column have more elements than that."""
    if count == len(column):
        resize_smart(column, 2 * count + 1024)


cdef str name_of(const Element* element):
    return element.name[:element.size].decode()


cdef str with_line_feeds(str text):
    """End all lines as the standard has it."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


cdef str not_between_tags(str text):
    """Give a text as the standard has it in values, comments and elements that have no markup."""
    text = with_line_feeds(text)
    return text.replace("\0", "\ufffd") if "\0" in text else text


cdef str decoded_in(str text, str name):
    """Resolve the character references in an element that has no other markup."""
    text = not_between_tags(text)
    if "&" not in text:
        return text
    _, token = tokenize(f"<{name}>{text}")
    return token.data


cdef str decoded(str text):
    """Resolve the character references of a text between tags."""
    text = with_line_feeds(text)
    if "&#" not in text:
        return unescape(text)
    # By number, there are characters that only a tokenizer leaves in.
    (token,) = tokenize(text)
    return token.data


def read_columns(
    str html not None, *, frozenset hidden not None, dict label_numbers, Py_ssize_t before
) -> Columns:
    """Read a page behind as much text; of elements with markup inside, ``hidden`` are skipped.

    Without numbers for them, no labels are read, and no statements.
    """
    columns = Columns(html, hidden, label_numbers, before)
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
