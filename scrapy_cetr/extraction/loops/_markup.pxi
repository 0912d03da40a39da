# Tags, comments and texts that are no markup, as the standard has them. What reads some gives the
# place behind it, or -1 if the page ends before.

include "_elements.pxi"

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
