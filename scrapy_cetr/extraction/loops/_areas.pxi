# The area that rectangles cover together: a line sweeps down the page, as in ``_numpy_areas``.

cdef struct Edge:
    double y
    int step  # 1 where a rectangle begins, -1 where it ends
    Py_ssize_t first  # the parts of the line that it covers, up to the last
    Py_ssize_t last

# A line divided at some columns, as a segment tree: node 1 is the whole line, and nodes 2 i and
# 2 i + 1 are the halves of node i.
cdef struct Line:
    const double* columns
    int32_t* count  # how often each node is covered as a whole
    double* length  # how much of each node is covered


cdef int by_number(const void* one, const void* other) noexcept nogil:
    cdef double first = (<const double*> one)[0], second = (<const double*> other)[0]
    return (first > second) - (first < second)


cdef int by_y(const void* one, const void* other) noexcept nogil:
    cdef double first = (<const Edge*> one).y, second = (<const Edge*> other).y
    return (first > second) - (first < second)


cdef void cover(
    Line* line, Py_ssize_t node, Py_ssize_t begin, Py_ssize_t end, const Edge* edge
) noexcept nogil:
    """Cover the parts of an edge once more, or once less, below a node with some parts."""
    cdef Py_ssize_t middle
    if edge.first <= begin and end <= edge.last:
        line.count[node] += edge.step
    else:
        middle = (begin + end) // 2
        if edge.first < middle:
            cover(line, 2 * node, begin, middle, edge)
        if middle < edge.last:
            cover(line, 2 * node + 1, middle, end, edge)
    if line.count[node]:
        line.length[node] = line.columns[end] - line.columns[begin]
    elif end - begin == 1:
        line.length[node] = 0
    else:
        line.length[node] = line.length[2 * node] + line.length[2 * node + 1]


cdef Py_ssize_t index_of(const double* columns, Py_ssize_t count, double wanted) noexcept nogil:
    """Find a number in a sorted column that has it."""
    cdef Py_ssize_t low = 0, high = count - 1, middle
    while low < high:
        middle = (low + high) // 2
        if columns[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


cdef Py_ssize_t without_copies(double* columns, Py_ssize_t count) noexcept nogil:
    """Leave each number of a sorted column once; return their count."""
    cdef Py_ssize_t index, kept = 0
    for index in range(count):
        if not kept or columns[index] != columns[kept - 1]:
            columns[kept] = columns[index]
            kept += 1
    return kept


cdef double sweep(Edge* edges, Py_ssize_t count, Line* line, Py_ssize_t parts) noexcept nogil:
    cdef Py_ssize_t index
    cdef double area = 0
    for index in range(count - 1):
        cover(line, 1, 0, parts, &edges[index])
        area += line.length[1] * (edges[index + 1].y - edges[index].y)
    return area


cdef double swept(Edge* edges, double[::1] ends, Py_ssize_t count) except -1:
    """Sweep over the edges of rectangles, given the ends of each on the line."""
    cdef double[::1] columns = ends[:count].copy()
    cdef double[::1] lengths
    cdef int32_t[::1] counts
    cdef Line line
    cdef Py_ssize_t parts, index
    qsort(&columns[0], count, sizeof(double), by_number)
    parts = without_copies(&columns[0], count) - 1
    for index in range(0, count, 2):
        edges[index].first = index_of(&columns[0], parts + 1, ends[index])
        edges[index].last = index_of(&columns[0], parts + 1, ends[index + 1])
        edges[index + 1].first, edges[index + 1].last = edges[index].first, edges[index].last
    qsort(edges, count, sizeof(Edge), by_y)
    lengths, counts = np.zeros(4 * parts, np.float64), np.zeros(4 * parts, np.int32)
    line.columns, line.length, line.count = &columns[0], &lengths[0], &counts[0]
    return sweep(edges, count, &line, parts)


def union_area(const double[:, :] corners):
    if corners.shape[0] != 4:
        raise ValueError(f"{corners.shape[0]} sides of rectangles")
    cdef Py_ssize_t size = corners.shape[1], count = 0, index
    cdef double[::1] ends = np.empty(2 * size, np.float64)
    cdef Edge* edges = <Edge*> malloc(2 * size * sizeof(Edge) + 1)
    if edges is NULL:
        raise MemoryError
    try:
        for index in range(size):
            if corners[0, index] < corners[2, index] and corners[1, index] < corners[3, index]:
                ends[count], ends[count + 1] = corners[0, index], corners[2, index]
                edges[count].y, edges[count + 1].y = corners[1, index], corners[3, index]
                edges[count].step, edges[count + 1].step = 1, -1
                count += 2
        return swept(edges, ends, count) if count else 0.0
    finally:
        free(edges)
