# Characters of markup, and the elements that it knows by their names.

cdef enum:
    LONGEST_NAME = 12
    SLOTS = 512

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
    bint is_picture
    bint is_image

# Elements are in the slot of their name, or in the next that was free.
cdef Element[SLOTS] elements
cdef Element unknown, custom
cdef const Element* script_element
cdef const Element* style_element
cdef const Element* title_element
cdef const Element* plaintext_element
cdef const Element* noscript_element


# Characters


cdef inline bint is_letter(uint32_t char) noexcept nogil:
    return c"a" <= (char | 32) <= c"z"


cdef inline bint is_space(uint32_t char) noexcept nogil:
    return char == c" " or char == c"\n" or char == c"\t" or char == c"\r" or char == c"\f"


cdef inline bint ends_name(uint32_t char) noexcept nogil:
    return is_space(char) or char == c"/" or char == c">"


cdef inline Py_ssize_t find(
    const Char* chars, Py_ssize_t index, Py_ssize_t size, uint8_t wanted
) noexcept nogil:
    """Return the next index of a character, or the end."""
    cdef const void* found
    # A byte that is the same may be part of another character.
    while index < size:
        found = memchr(chars + index, wanted, (size - index) * sizeof(Char))
        if found is NULL:
            return size
        index = (<const uint8_t*> found - <const uint8_t*> chars) // <Py_ssize_t> sizeof(Char)
        if chars[index] == wanted:
            return index
        index += 1
    return size


cdef bint is_plain(const Char* chars, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Tell whether a value can be taken as it is written, as most can."""
    cdef Py_ssize_t index
    for index in range(begin, end):
        if chars[index] == c"&" or chars[index] == c"\r" or chars[index] == 0:
            return False
    return True


cdef bint spells(const Char* chars, const uint8_t* word, Py_ssize_t size) noexcept nogil:
    """Tell whether characters are those of a word in lower case."""
    cdef Py_ssize_t index
    for index in range(size):
        if (chars[index] | 32 if is_letter(chars[index]) else chars[index]) != word[index]:
            return False
    return True


# Names


cdef inline uint32_t next_slot(uint32_t slot, uint32_t letter) noexcept nogil:
    return (slot * 31 + letter) % SLOTS


cdef const Element* element_of(const Char* name, Py_ssize_t size) noexcept nogil:
    cdef uint8_t[LONGEST_NAME] letters
    cdef uint32_t slot = 0
    cdef Py_ssize_t index
    cdef uint32_t char
    cdef const Element* element
    if size <= LONGEST_NAME:
        for index in range(size):
            char = name[index]
            if char > 127:
                break
            letters[index] = char | 32 if is_letter(char) else char
            slot = next_slot(slot, letters[index])
        else:
            element = &elements[slot]
            while element.size:
                if element.size == size and not memcmp(element.name, letters, size):
                    return element
                slot = (slot + 1) % SLOTS
                element = &elements[slot]
    for index in range(size):
        if name[index] == c"-":
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
    # The others are no elements of HTML, or say nothing about text.
    element.code = ELEMENT_CODES.get(name, CUSTOM if "-" in name else UNKNOWN)
    element.insides = TEXT if name in HIDDEN_TEXTS else TREE if name in HIDDEN_TREES else MARKUP
    element.has_references = name in ("textarea", "title")
    element.is_picture = name in PICTURE_TAGS
    element.is_image = name in IMAGES


for each in {*ELEMENT_CODES, *PICTURE_TAGS, *IMAGES}:
    add_element(each)
unknown.code, custom.code = UNKNOWN, CUSTOM
script_element = element_of(<const uint8_t*> b"script", 6)
style_element = element_of(<const uint8_t*> b"style", 5)
title_element = element_of(<const uint8_t*> b"title", 5)
plaintext_element = element_of(<const uint8_t*> b"plaintext", 9)
noscript_element = element_of(<const uint8_t*> b"noscript", 8)
