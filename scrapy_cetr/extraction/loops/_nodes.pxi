# The elements of a page, made from its tags as browsers make them.

cdef enum:
    # The element that a start tag closes is searched among this number of open elements.
    NEAR = 64

cdef struct Closing:
    bint is_implied
    bint[128] closes
    bint[128] barriers

cdef Closing[128] closings
cdef bint[128] is_void, is_block
for each in range(128):
    is_void[each] = each in html_elements.VOID
    is_block[each] = each < len(html_elements.BREAK_STRENGTHS) and (
        html_elements.BREAK_STRENGTHS[each] == html_elements.BLOCK
    )
    closings[each].is_implied = each in html_elements.IMPLIED_ENDS
    for other in range(128):
        closings[each].closes[other] = other in html_elements.IMPLIED_ENDS.get(each, ((), ()))[0]
        closings[each].barriers[other] = other in html_elements.IMPLIED_ENDS.get(each, ((), ()))[1]
cdef int PARAGRAPH = ELEMENT_CODES["p"]


cdef int implied_end(
    const Closing* closing, const uint8_t* open_codes, Py_ssize_t depth
) noexcept nogil:
    """Find the open element that a start tag closes, as <li> does another <li>, or 0."""
    cdef Py_ssize_t level
    for level in range(depth - 1, max(depth - 1 - NEAR, -1), -1):
        if closing.closes[open_codes[level]]:
            return open_codes[level]
        if closing.barriers[open_codes[level]]:
            return 0
    return 0


def pair_tags(const int8_t[::1] tags, near_text, bint rooted, Py_ssize_t deepest):
    cdef const uint8_t[::1] near = near_text.view(np.uint8)
    if near.shape[0] != tags.shape[0]:
        raise ValueError(f"{near.shape[0]} flags for {tags.shape[0]} tags")
    cdef Py_ssize_t index, size = rooted
    for index in range(tags.shape[0]):
        size += near[index] and tags[index] > 0
    columns = np.zeros((3, size), np.int32)
    cdef int32_t[:, ::1] found = columns
    cdef uint8_t[::1] open_codes = np.empty(deepest + 1, np.uint8)
    cdef int32_t[::1] open_nodes = np.empty(deepest + 1, np.int32)
    cdef int32_t[128] still_open
    cdef Py_ssize_t depth = 0, count = rooted, too_deep = 0
    cdef int code, ended
    for code in range(128):
        still_open[code] = 0
    for index in range(tags.shape[0]):
        code = tags[index]
        if not near[index] or code == -128 or (code < 0 and is_void[-code]):
            continue
        ended = 0
        if code < 0:
            if too_deep:
                too_deep -= 1
            elif still_open[-code]:
                ended = -code
        elif is_void[code] and not is_block[code]:
            continue
        elif depth >= deepest:
            too_deep += not is_void[code]
            continue
        elif still_open[PARAGRAPH] and is_block[code]:
            ended = PARAGRAPH
        elif closings[code].is_implied:
            ended = implied_end(&closings[code], &open_codes[0], depth)
        # Elements that are open inside of it end with it.
        while ended:
            depth -= 1
            still_open[open_codes[depth]] -= 1
            found[1, open_nodes[depth]] = index
            if open_codes[depth] == ended:
                break
        if code > 0 and not is_void[code]:
            found[0, count] = index
            found[2, count] = open_nodes[depth - 1] if depth else rooted - 1
            open_codes[depth], open_nodes[depth] = code, count
            still_open[code] += 1
            depth += 1
            count += 1
    return columns[0, :count], columns[1, :count], columns[2, :count]
