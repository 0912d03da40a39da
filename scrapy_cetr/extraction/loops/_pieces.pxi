# The pieces of the kept text.


def kept_pieces(
    const uint8_t[::1] kinds,
    const int32_t[::1] edges,
    const uint8_t[::1] strengths,
    const int32_t[::1] starts,
    const int32_t[::1] ends,
    uint8_t gap,
    uint8_t last_unseen,
):
    check(edges, kinds.shape[0])
    cdef Py_ssize_t count = edges.shape[0], dropped = starts.shape[0], row
    if strengths.shape[0] != count or ends.shape[0] != dropped or not count:
        raise ValueError("columns of other lengths")
    cdef int32_t before = edges[0], edge, following
    for row in range(dropped):
        if not before <= starts[row] <= ends[row] <= edges[count - 1]:
            raise ValueError(f"row {row} is not between the edges")
        before = ends[row]
    # Rows may begin and end between edges.
    pieces = np.empty((2, count + 2 * dropped + 1), np.int32)
    breaks = np.empty(count + 2 * dropped + 1, np.uint8)
    cdef int32_t[:, ::1] bounds = pieces
    cdef uint8_t[::1] strongest_after = breaks
    cdef Py_ssize_t index = 0, found = 0, begun = 0, ended = 0, at
    cdef uint8_t strongest = 0
    cdef bint is_filled
    bounds[0, 0] = bounds[1, 0] = edge = edges[0]
    while True:
        # All edges at this place, and the dropped rows that begin or end here.
        while begun < dropped and starts[begun] == edge:
            begun += 1
            strongest = gap if gap > strongest else strongest
        while ended < dropped and ends[ended] == edge:
            ended += 1
            strongest = gap if gap > strongest else strongest
        while index < count and edges[index] == edge:
            strongest = strengths[index] if strengths[index] > strongest else strongest
            index += 1
        if index == count:
            break
        following = edges[index]
        if begun < dropped and starts[begun] < following:
            following = starts[begun]
        if ended < dropped and ends[ended] < following:
            following = ends[ended]
        is_filled = False
        if begun == ended:
            for at in range(edge, following):
                if kinds[at] > last_unseen:
                    is_filled = True
                    break
        if is_filled:
            strongest_after[found] = strongest
            strongest = 0
            found += 1
            bounds[0, found], bounds[1, found] = edge, following
        edge = following
    strongest_after[found] = strongest
    return pieces[0, : found + 1], pieces[1, : found + 1], breaks[: found + 1]
