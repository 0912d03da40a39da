# The features of rows, written line by line. ``methods.learned`` defines them, in steps of numpy.

from libc.math cimport log1p

cdef enum:
    SMALL = 1024
    CONTAINER_FEATURES = 11

# Most numbers whose logarithm is taken are small counts.
cdef double[SMALL] SMALL_LOGS
SMALL_LOGS[:] = np.log1p(np.arange(SMALL)).tolist()


cdef inline double log1p_of(double number) noexcept nogil:
    cdef Py_ssize_t whole = <Py_ssize_t> number
    if 0 <= whole < SMALL and whole == number:
        return SMALL_LOGS[whole]
    return log1p(number)


cdef class RowFeatures:
    """Writes the features of the rows of a page into the lines of a matrix."""

    cdef float[:, ::1] out
    cdef Py_ssize_t line, count
    # The measurements of rows; see ``RowMeasurements``.
    cdef const Py_ssize_t[::1] rows, code, of_row
    cdef const Py_ssize_t[:, ::1] around
    cdef const uint8_t[:, ::1] ends
    cdef const double[::1] chars, link_share, plain_chars, long_chars
    cdef const int32_t[::1] link_chars, marks, digits, ideographs, first_copy
    cdef const uint16_t[:, :] tags
    cdef const double[:, ::1] ratios, title_shares
    cdef Py_ssize_t title_row
    cdef double all_long_chars
    cdef Py_ssize_t long_rows
    # Those of containers.
    cdef const Py_ssize_t[::1] class_name, depth, parent, first_row, last_row
    cdef const int64_t[::1] hints, inherited
    cdef const uint8_t[::1] holds_best
    cdef const double[::1] own_long_chars
    cdef Py_ssize_t best
    # The tables.
    cdef object tables
    cdef Py_ssize_t far

    def __init__(self, measured, tables, out):
        tree = measured.tree
        self.out, self.line, self.count = out, 0, len(measured)
        self.rows, self.code, self.of_row = measured.rows, measured.code, tree.of_row
        self.around, self.ends = measured.around, measured.ends
        self.chars, self.link_share = measured.chars, measured.link_share
        self.plain_chars, self.long_chars = measured.plain_chars, measured.long_chars
        self.link_chars, self.marks = measured.link_chars, measured.marks
        self.digits, self.ideographs = measured.digits, measured.ideographs
        self.first_copy, self.tags = measured.first_copy, measured.tags
        self.ratios, self.title_shares = measured.ratios, measured.title_shares
        self.title_row = measured.title_row
        self.all_long_chars = np.add.reduce(measured.long_chars)
        self.long_rows = np.count_nonzero(measured.long_chars)
        self.class_name, self.depth = measured.class_name, measured.depth
        self.parent, self.first_row, self.last_row = tree.parent, tree.first_row, tree.last_row
        self.hints, self.inherited = measured.class_hints, measured.inherited
        self.holds_best = measured.holds_best.view(np.uint8)
        self.own_long_chars, self.best = measured.own_long_chars, measured.best_container
        self.tables, self.far = tables, tables.far

    cdef float* next(self) except NULL:
        """Return the next line."""
        if self.line == self.out.shape[0]:
            raise ValueError(f"{self.line} lines are too few")
        self.line += 1
        return &self.out[self.line - 1, 0]

    cdef int write(self) except -1:
        cdef Py_ssize_t line
        self.write_characters()
        self.write_texts()
        for line in range(self.ratios.shape[0]):
            self.copy(self.ratios[line])
        self.write_positions()
        self.write_kinds()
        self.write_headings()
        self.write_best()
        self.write_elements()
        self.write_surroundings()
        self.write_containers()
        self.write_apart()
        self.write_branches()
        self.write_first_text()
        if self.line != self.out.shape[0]:
            raise ValueError(f"{self.line} features for {self.out.shape[0]} lines")

    cdef int copy(self, const double[::1] values) except -1:
        cdef Py_ssize_t count = self.count
        cdef float* line = self.next()
        cdef Py_ssize_t row
        for row in range(count):
            line[row] = <float> values[row]

    cdef int write_characters(self) except -1:
        cdef const double[::1] of_chars = self.chars
        cdef const int32_t[::1] of_link_chars = self.link_chars
        cdef const uint16_t[:, :] of_tags = self.tags
        cdef const int32_t[::1] of_marks = self.marks
        cdef const int32_t[::1] of_digits = self.digits
        cdef const int32_t[::1] of_ideographs = self.ideographs
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, tag
        cdef float* chars = self.next()
        cdef float* link_length = self.next()
        cdef float* marks = self.next()
        cdef float* digits = self.next()
        cdef float* line
        for row in range(count):
            chars[row] = <float> log1p_of(of_chars[row])
            link_length[row] = <float> log1p_of(of_link_chars[row] / <double> max(of_tags[0, row], 1))
            marks[row] = <float> log1p_of(of_marks[row])
            digits[row] = <float> log1p_of(of_digits[row])
        for tag in range(self.tags.shape[0]):
            line = self.next()
            for row in range(count):
                line[row] = <float> log1p_of(of_tags[tag, row])
        marks, digits = self.next(), self.next()
        line = self.next()
        for row in range(count):
            marks[row] = <float> (of_marks[row] / of_chars[row])
            digits[row] = <float> (of_digits[row] / of_chars[row])
            line[row] = <float> (of_ideographs[row] / of_chars[row])
        self.copy(self.link_share)

    cdef int write_texts(self) except -1:
        cdef const int32_t[::1] of_first_copy = self.first_copy
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row
        cdef int32_t[::1] copies = np.zeros(count, np.int32)
        self.write_equal(self.ends[0], self.tables.beginnings)
        self.write_equal(self.ends[1], self.tables.endings)
        cdef float* repeats = self.next()
        cdef float* repeated = self.next()
        for row in range(count):
            copies[of_first_copy[row]] += 1
        for row in range(count):
            repeats[row] = of_first_copy[row] != row
            repeated[row] = <float> log1p_of(copies[of_first_copy[row]] - 1)
        self.copy(self.title_shares[0])
        self.copy(self.title_shares[1])

    cdef int write_equal(self, const uint8_t[::1] kinds, const uint8_t[::1] wanted) except -1:
        """Write a line for each of some kinds: whether a row is of it."""
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t kind, row
        cdef float* line
        for kind in range(wanted.shape[0]):
            line = self.next()
            for row in range(count):
                line[row] = kinds[row] == wanted[kind]

    cdef int write_positions(self) except -1:
        cdef const Py_ssize_t[::1] of_rows = self.rows
        cdef const double[::1] of_long_chars = self.long_chars
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, near, last = count - 1, far = self.far
        cdef double before = 0
        cdef float* empty = self.next()
        cdef float* rows_before = self.next()
        cdef float* rows_after = self.next()
        cdef float* from_long = self.next()
        cdef float* to_long = self.next()
        cdef float* position = self.next()
        cdef float* text_before = self.next()
        near = -far
        for row in range(count):
            empty[row] = <float> log1p_of(of_rows[row] - (of_rows[row - 1] + 1 if row else 0))
            rows_before[row], rows_after[row] = <float> log1p_of(row), log1p_of(last - row)
            from_long[row] = <float> log1p_of(min(row - near, far))
            if of_long_chars[row] > 0:
                near = row
            position[row] = <float> (row / <double> count)
            before += of_long_chars[row]
            text_before[row] = <float> (
                (before - of_long_chars[row] / 2) / (self.all_long_chars + 1)
            )
        near = count + far
        for row in range(last, -1, -1):
            to_long[row] = <float> log1p_of(min(near - row, far))
            if of_long_chars[row] > 0:
                near = row

    cdef int write_kinds(self) except -1:
        cdef const Py_ssize_t[::1] of_class_name = self.class_name
        cdef const Py_ssize_t[:, ::1] of_around = self.around
        cdef const Py_ssize_t[::1] of_code = self.code
        cdef const double[::1] of_plain_chars = self.plain_chars
        cdef const double[::1] of_long_chars = self.long_chars
        cdef const double[::1] of_chars = self.chars
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, kind, kinds = self.tables.element_kinds
        cdef const Py_ssize_t[::1] element_kind = self.tables.element_kind
        cdef Py_ssize_t names = 1 + np.max(self.class_name)
        # Of each kind: rows, plain characters, those of long rows, and all characters.
        cdef double[:, ::1] sums = np.zeros((names * kinds, 4))
        cdef Py_ssize_t[::1] kind_of = np.empty(count, np.intp)
        cdef float* rows = self.next()
        cdef float* chars = self.next()
        cdef float* text = self.next()
        cdef float* linked = self.next()
        for row in range(count):
            kind = of_class_name[of_around[0, row]] * kinds + element_kind[of_code[row]]
            kind_of[row] = kind
            sums[kind, 0] += 1
            sums[kind, 1] += of_plain_chars[row]
            sums[kind, 2] += of_long_chars[row]
            sums[kind, 3] += of_chars[row]
        for row in range(count):
            kind = kind_of[row]
            rows[row] = <float> log1p_of(sums[kind, 0] - 1)
            chars[row] = <float> log1p_of(sums[kind, 1] / sums[kind, 0])
            text[row] = <float> (sums[kind, 2] / (self.all_long_chars + 1))
            linked[row] = <float> (1 - sums[kind, 1] / max(sums[kind, 3], 1))

    cdef int write_headings(self) except -1:
        cdef const Py_ssize_t[::1] of_code = self.code
        cdef const Py_ssize_t[:, ::1] of_around = self.around
        cdef const Py_ssize_t[::1] of_first_row = self.first_row
        cdef const Py_ssize_t[::1] of_last_row = self.last_row
        cdef const double[::1] of_plain_chars = self.plain_chars
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, level, container, heading = -self.far, title = self.title_row
        cdef Py_ssize_t levels = self.tables.title_levels, held, h1 = self.tables.h1
        cdef bint after = False
        cdef float* from_heading = self.next()
        cdef float* after_h1 = self.next()
        cdef float* from_title = self.next()
        cdef float* level_of_title = self.next()
        cdef float* beside = self.next()
        cdef double mean = log1p(self.all_long_chars / max(self.long_rows, 1))
        for row in range(count):
            if h1 <= of_code[row] <= h1 + 5:
                heading = row
                after = after or of_code[row] == h1
            from_heading[row] = <float> log1p_of(min(row - heading, self.far))
            after_h1[row] = after
            from_title[row] = <float> (
                log1p_of(row - title) if row >= title else -log1p_of(title - row)
            )
            held = 0
            for level in range(levels):
                container = of_around[level, row]
                held += of_first_row[container] <= title < of_last_row[container]
            level_of_title[row] = levels - held
            beside[row] = <float> (log1p(of_plain_chars[row]) - mean)

    cdef int write_best(self) except -1:
        cdef const Py_ssize_t[::1] of_first_row = self.first_row
        cdef const Py_ssize_t[::1] of_last_row = self.last_row
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, first = of_first_row[self.best], last = of_last_row[self.best]
        cdef float* from_best = self.next()
        for row in range(count):
            from_best[row] = <float> (
                log1p_of(max(row - last + 1, 0)) - log1p_of(max(first - row, 0))
            )
        self.write_inside(self.best)

    cdef int write_inside(self, Py_ssize_t container) except -1:
        """Write whether a row is inside of a container, of its parent and of the parent of that."""
        cdef const Py_ssize_t[::1] of_first_row = self.first_row
        cdef const Py_ssize_t[::1] of_last_row = self.last_row
        cdef const Py_ssize_t[::1] of_parent = self.parent
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, around
        cdef float* line
        for around in range(3):
            line = self.next()
            for row in range(count):
                line[row] = of_first_row[container] <= row < of_last_row[container]
            container = of_parent[container]

    cdef int write_elements(self) except -1:
        cdef const Py_ssize_t[::1] of_code = self.code
        cdef Py_ssize_t count = self.count
        cdef const Py_ssize_t[::1] elements = self.tables.elements
        cdef Py_ssize_t element, row
        cdef float* line
        for element in range(elements.shape[0]):
            line = self.next()
            for row in range(count):
                line[row] = of_code[row] == elements[element]

    cdef int write_bits(self, const int64_t[::1] bits, int width) except -1:
        """Write a line for each of the lowest bits."""
        cdef Py_ssize_t row, count = self.count
        cdef int bit
        cdef float* line
        for bit in range(width):
            line = self.next()
            for row in range(count):
                line[row] = bits[row] >> bit & 1

    cdef int write_surroundings(self) except -1:
        cdef const int64_t[::1] of_inherited = self.inherited
        cdef const Py_ssize_t[:, ::1] of_around = self.around
        cdef const int64_t[::1] of_hints = self.hints
        cdef Py_ssize_t count = self.count
        cdef int64_t[::1] bits = np.empty(count, np.int64)
        cdef Py_ssize_t row
        for row in range(count):
            bits[row] = of_inherited[of_around[0, row]]
        self.write_bits(bits, self.tables.hints + self.tables.surroundings)
        for row in range(count):
            bits[row] = of_hints[of_around[0, row]] | of_hints[of_around[1, row]]
        self.write_bits(bits, self.tables.hints)

    cdef int write_apart(self) except -1:
        cdef const int64_t[::1] of_inherited = self.inherited
        cdef const Py_ssize_t[:, ::1] of_around = self.around
        cdef Py_ssize_t count = self.count
        cdef int64_t[::1] bits = np.empty(count, np.int64)
        cdef int64_t of_best = of_inherited[self.best]
        cdef Py_ssize_t row
        for row in range(count):
            bits[row] = of_inherited[of_around[0, row]] & ~of_best
        self.write_bits(bits, self.tables.hints + self.tables.surroundings)

    cdef int write_containers(self) except -1:
        cdef const Py_ssize_t[:, ::1] of_around = self.around
        cdef Py_ssize_t count = self.count
        cdef const Py_ssize_t[::1] levels = self.tables.levels
        cdef Py_ssize_t feature, level, row
        cdef float* line
        described = np.empty((self.first_row.shape[0], CONTAINER_FEATURES), np.float32)
        cdef float[:, ::1] values = described
        self.describe_containers(values)
        for feature in range(CONTAINER_FEATURES):
            for level in range(levels.shape[0]):
                line = self.next()
                for row in range(count):
                    line[row] = values[of_around[levels[level], row], feature]

    cdef int describe_containers(self, float[:, ::1] values) except -1:
        cdef const double[::1] of_plain_chars = self.plain_chars
        cdef const double[::1] of_long_chars = self.long_chars
        cdef const double[::1] of_chars = self.chars
        cdef const int32_t[::1] of_marks = self.marks
        cdef const Py_ssize_t[::1] of_code = self.code
        cdef const Py_ssize_t[::1] of_class_name = self.class_name
        cdef const Py_ssize_t[::1] of_last_row = self.last_row
        cdef const Py_ssize_t[::1] of_first_row = self.first_row
        cdef const double[::1] of_own_long_chars = self.own_long_chars
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t container, row, h1 = self.tables.h1, paragraph = self.tables.paragraph
        # The sums of the rows before each: plain, long and all characters, marks, paragraphs,
        # headings, long rows.
        cdef double[:, ::1] sums = np.zeros((count + 1, 7))
        cdef double[7] inside
        cdef double rows, some_rows, chars
        cdef Py_ssize_t part
        for row in range(count):
            sums[row + 1, 0] = sums[row, 0] + of_plain_chars[row]
            sums[row + 1, 1] = sums[row, 1] + of_long_chars[row]
            sums[row + 1, 2] = sums[row, 2] + of_chars[row]
            sums[row + 1, 3] = sums[row, 3] + of_marks[row]
            sums[row + 1, 4] = sums[row, 4] + (of_code[row] == paragraph)
            sums[row + 1, 5] = sums[row, 5] + (h1 <= of_code[row] <= h1 + 5)
            sums[row + 1, 6] = sums[row, 6] + (of_long_chars[row] > 0)
        cdef double page_plain = sums[count, 0] + 1, page_long = sums[count, 1] + 1
        cdef int32_t[::1] named = np.zeros(1 + np.max(self.class_name), np.int32)
        for container in range(values.shape[0]):
            named[of_class_name[container]] += 1
        for container in range(values.shape[0]):
            for part in range(7):
                inside[part] = (
                    sums[of_last_row[container], part] - sums[of_first_row[container], part]
                )
            rows = of_last_row[container] - of_first_row[container]
            some_rows, chars = max(rows, 1), max(inside[2], 1)
            values[container, 0] = <float> (inside[0] / page_plain)
            values[container, 1] = <float> (inside[1] / page_long)
            values[container, 2] = <float> (1 - inside[0] / chars)
            values[container, 3] = <float> log1p_of(rows)
            values[container, 4] = <float> log1p_of(named[of_class_name[container]] - 1) * (
                of_class_name[container] > 0
            )
            values[container, 5] = <float> (of_own_long_chars[container] / page_long)
            values[container, 6] = <float> log1p_of(inside[0] / some_rows)
            values[container, 7] = <float> (30 * inside[3] / chars)
            values[container, 8] = <float> (inside[4] / some_rows)
            values[container, 9] = <float> (inside[5] / some_rows)
            values[container, 10] = <float> (inside[6] / some_rows)

    cdef int write_branches(self) except -1:
        cdef const Py_ssize_t[:, ::1] of_around = self.around
        cdef const uint8_t[::1] of_holds_best = self.holds_best
        cdef const Py_ssize_t[::1] of_parent = self.parent
        cdef const Py_ssize_t[::1] of_depth = self.depth
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, own, branch, common, last = self.around.shape[0] - 1
        cdef float* from_best = self.next()
        cdef float* in_branch = self.next()
        cdef float* around_best = self.next()
        for row in range(count):
            own, branch = of_around[0, row], of_around[last, row]
            common = own if of_holds_best[own] else of_parent[branch]
            from_best[row] = <float> log1p_of(of_depth[self.best] - of_depth[common])
            in_branch[row] = <float> log1p_of(of_depth[own] - of_depth[branch])
            around_best[row] = of_holds_best[own]

    cdef int write_first_text(self) except -1:
        cdef const Py_ssize_t[::1] of_of_row = self.of_row
        cdef const double[::1] of_own_long_chars = self.own_long_chars
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row, first = self.first_text()
        cdef Py_ssize_t container = of_of_row[first]
        cdef float* from_first = self.next()
        for row in range(count):
            from_first[row] = <float> (
                log1p_of(row - first) if row >= first else -log1p_of(first - row)
            )
        self.write_inside(container)
        cdef float* is_best = self.next()
        cdef float* against_best = self.next()
        cdef double difference = log1p(of_own_long_chars[container]) - log1p(
            of_own_long_chars[self.best]
        )
        for row in range(count):
            is_best[row] = container == self.best
            against_best[row] = <float> difference

    cdef Py_ssize_t first_text(self) noexcept:
        """Return the first long row after the title, or before it, or the first row."""
        cdef const double[::1] of_long_chars = self.long_chars
        cdef Py_ssize_t count = self.count
        cdef Py_ssize_t row
        for row in range(self.title_row + 1, count):
            if of_long_chars[row] > 0:
                return row
        for row in range(self.title_row + 1):
            if of_long_chars[row] > 0:
                return row
        return 0


def row_features(measured, tables, out, by_groups) -> None:
    RowFeatures(measured, tables, out).write()
