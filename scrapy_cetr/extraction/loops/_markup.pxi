# Tags, comments and texts without markup, as the HTML standard defines them. A function that reads
# one returns the index after it, or -1 if the page ends before.

cdef struct Value:
    Py_ssize_t begin
    Py_ssize_t end

cdef struct Tag:
    const Element* element
    bint self_closing
    Value class_
    Value id
    Value type
    # Of lists and cells.
    Value start
    Value value
    Value reversed
    Value colspan
    Value rowspan
    Value style
    Value stamp
    bint hidden  # it has this attribute, and the next
    bint aria_hidden

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
    const Char* chars, Py_ssize_t index, Py_ssize_t size, Markup* found
) noexcept nogil:
    """Find the next tag, comment or other declaration; tell if there is one."""
    cdef Py_ssize_t end
    cdef uint32_t next_char
    while True:
        index = find(chars, index, size, c"<")
        if index == size:
            return False
        next_char = chars[index + 1]
        if is_letter(next_char):
            found.kind = START
            end = read_tag(chars, index + 1, size, &found.tag)
        elif next_char == c"/" and is_letter(chars[index + 2]):
            found.kind = END
            end = read_tag(chars, index + 2, size, &found.tag)
        elif next_char == c"!" or next_char == c"?" or (next_char == c"/" and index + 2 < size):
            end = read_declaration(chars, index, size, found)
        else:
            index += 1
            continue
        found.begin, found.unclosed, found.end = index, end < 0, size if end < 0 else end
        return True


cdef Py_ssize_t read_tag(
    const Char* chars, Py_ssize_t index, Py_ssize_t size, Tag* tag
) noexcept nogil:
    """Read a tag from the first letter of its name on."""
    cdef Py_ssize_t begin = index, end
    cdef Value value
    while index < size and not ends_name(chars[index]):
        index += 1
    tag.element = element_of(chars + begin, index - begin)
    tag.class_.begin = tag.id.begin = tag.type.begin = tag.start.begin = tag.value.begin = -1
    tag.reversed.begin = tag.colspan.begin = tag.rowspan.begin = tag.style.begin = -1
    tag.stamp.begin = -1
    tag.hidden = tag.aria_hidden = False
    while True:
        tag.self_closing = False
        while is_space(chars[index]) or chars[index] == c"/":
            tag.self_closing = chars[index] == c"/"
            index += 1
        if index == size:
            return -1
        if chars[index] == c">":
            return index + 1
        # What a name begins with is part of it, even if it is an equals sign.
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
                return -1
        keep_value(chars + begin, end - begin, value, tag)


cdef Py_ssize_t read_value(
    const Char* chars, Py_ssize_t index, Py_ssize_t size, Value* value
) noexcept nogil:
    while is_space(chars[index]):
        index += 1
    if chars[index] == c'"' or chars[index] == c"'":
        value.begin = index + 1
        value.end = find(chars, index + 1, size, chars[index])
        return value.end + 1 if value.end < size else -1
    value.begin = index
    while index < size and not is_space(chars[index]) and chars[index] != c">":
        index += 1
    value.end = index
    return index


cdef void keep_value(
    const Char* name, Py_ssize_t size, Value value, Tag* tag
) noexcept nogil:
    """Note the value of an attribute that is asked for; of several with one name, the first."""
    if size == 5:
        if tag.class_.begin < 0 and spells(name, <const uint8_t*> b"class", 5):
            tag.class_ = value
        elif tag.style.begin < 0 and spells(name, <const uint8_t*> b"style", 5):
            tag.style = value
        elif tag.value.begin < 0 and spells(name, <const uint8_t*> b"value", 5):
            tag.value = value
        elif tag.start.begin < 0 and spells(name, <const uint8_t*> b"start", 5):
            tag.start = value
    elif size == 2 and tag.id.begin < 0 and spells(name, <const uint8_t*> b"id", 2):
        tag.id = value
    elif size == 4 and tag.type.begin < 0 and spells(name, <const uint8_t*> b"type", 4):
        tag.type = value
    elif size == 6 and spells(name, <const uint8_t*> b"hidden", 6):
        tag.hidden = True
    elif size == 7:
        if tag.colspan.begin < 0 and spells(name, <const uint8_t*> b"colspan", 7):
            tag.colspan = value
        elif tag.rowspan.begin < 0 and spells(name, <const uint8_t*> b"rowspan", 7):
            tag.rowspan = value
    elif size == 8 and tag.reversed.begin < 0 and spells(name, <const uint8_t*> b"reversed", 8):
        tag.reversed = value
    elif size == 9 and tag.stamp.begin < 0 and spells(name, <const uint8_t*> b"data-cetr", 9):
        tag.stamp = value
    elif size == 11 and spells(name, <const uint8_t*> b"aria-hidden", 11):
        tag.aria_hidden = True


cdef Py_ssize_t read_declaration(
    const Char* chars, Py_ssize_t index, Py_ssize_t size, Markup* found
) noexcept nogil:
    """Read what begins like a declaration or an end tag; most that are neither are comments."""
    cdef Py_ssize_t end
    found.kind = COMMENT
    if chars[index + 1] == c"!" and chars[index + 2] == c"-" and chars[index + 3] == c"-":
        return read_comment(chars, index + 4, size, &found.comment)
    if chars[index + 1] == c"?" or (chars[index + 1] == c"/" and chars[index + 2] == c">") or (
        spells(chars + index + 2, <const uint8_t*> b"doctype", 7)
    ):
        found.kind = OTHER
    end = find(chars, index + 2, size, c">")
    found.comment.begin, found.comment.end = index + 2, end
    return -1 if end == size else end + 1


cdef Py_ssize_t read_comment(
    const Char* chars, Py_ssize_t begin, Py_ssize_t size, Value* comment
) noexcept nogil:
    """Read a comment from the index after its first two dashes."""
    cdef Py_ssize_t index = begin, end
    comment.begin = comment.end = begin
    if chars[begin] == c">":
        return begin + 1
    if chars[begin] == c"-" and chars[begin + 1] == c">":
        return begin + 2
    while True:
        index = find(chars, index, size, c">")
        if index == size:
            comment.end = size
            return -1
        end = index - (index > begin and chars[index - 1] == c"!")
        if end - begin >= 2 and chars[end - 1] == c"-" and chars[end - 2] == c"-":
            comment.end = end - 2
            return index + 1
        index += 1


cdef Py_ssize_t end_of_text(
    const Char* chars, Py_ssize_t index, Py_ssize_t size, const Element* element
) noexcept nogil:
    """Find the end tag of an element whose inside is text."""
    if element is plaintext_element:
        return size
    while True:
        index = find(chars, index, size, c"<")
        if index == size:
            return size
        if is_tag_of(chars + index, element, closing=True):
            return index
        if element is script_element and chars[index + 1] == c"!" and (
            chars[index + 2] == c"-" and chars[index + 3] == c"-"
        ):
            # The dashes may be those that end it, too.
            index = end_of_escaped(chars, index + 2, size)
            if index == size or chars[index] == c"<":
                return index
        index += 1


cdef Py_ssize_t end_of_escaped(
    const Char* chars, Py_ssize_t index, Py_ssize_t size
) noexcept nogil:
    """Find where a comment in a script ends, or the script in it: an inner one is part of it."""
    cdef bint is_inner = False
    while index < size:
        if chars[index] == c"<":
            if not is_inner:
                if is_tag_of(chars + index, script_element, closing=True):
                    return index
                is_inner = is_tag_of(chars + index, script_element, closing=False)
            elif is_tag_of(chars + index, script_element, closing=True):
                is_inner = False
        elif chars[index] == c"-" and chars[index + 1] == c"-" and chars[index + 2] == c">":
            return index + 2
        index += 1
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
    const Char* chars, Py_ssize_t index, Py_ssize_t size, const Element* element
) noexcept nogil:
    """Find the end of an element whose inside is markup."""
    cdef Py_ssize_t depth = 1
    cdef Markup found
    cdef Tag tag
    while find_markup(chars, index, size, &found) and not found.unclosed:
        index = found.end
        if found.kind == END and found.tag.element is element:
            depth -= 1
            if not depth:
                return index
        elif found.kind == START and found.tag.element is element:
            depth += not found.tag.self_closing
        elif found.kind == START and found.tag.element.insides == TEXT:
            index = end_of_text(chars, index, size, found.tag.element)
            if index < size:
                index = read_tag(chars, index + 2, size, &tag)
            if index < 0:
                return -1
    return -1


cdef Py_ssize_t end_of_hidden(const Char* chars, Py_ssize_t size, const Markup* start) noexcept nogil:
    """Find the end of an element whose inside is no markup that is shown."""
    cdef const Element* element = start.tag.element
    cdef Py_ssize_t end
    cdef Tag tag
    if element.insides == TEXT:
        end = end_of_text(chars, start.end, size, element)
        return read_tag(chars, end + 2, size, &tag) if end < size else -1
    return start.end if start.tag.self_closing else end_of_tree(chars, start.end, size, element)


cdef bint style_may_hide(const Char* chars, Value style) noexcept nogil:
    """Tell whether a style may set a property to a value that hides: see ``hiding``.

    It may, too, if it has character references.
    """
    cdef Py_ssize_t index, before, after
    for index in range(style.begin, style.end):
        if chars[index] == c"&":
            return True
        if chars[index] != c":":
            continue
        before, after = index - 1, index + 1
        while before > style.begin and is_space(chars[before]):
            before -= 1
        while after < style.end and is_space(chars[after]):
            after += 1
        if before < style.begin or after == style.end:
            continue
        # The last letter of display, visibility, position and font-size.
        if (chars[before] | 32) == c"y":
            if style.end - after >= 4 and spells(chars + after, <const uint8_t*> b"none", 4):
                return True
            if style.end - after >= 6 and spells(chars + after, <const uint8_t*> b"hidden", 6):
                return True
            if style.end - after >= 8 and spells(chars + after, <const uint8_t*> b"collapse", 8):
                return True
        elif (chars[before] | 32) == c"n":
            if style.end - after >= 5 and spells(chars + after, <const uint8_t*> b"fixed", 5):
                return True
        elif (chars[before] | 32) == c"e" and chars[after] == c"0" and (
            before - style.begin >= 3 and spells(chars + before - 3, <const uint8_t*> b"size", 4)
        ):
            return True
    return False
