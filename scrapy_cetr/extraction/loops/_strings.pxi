# The search for many strings in a text, equal parts of it, and its letters.

from cpython.mem cimport PyMem_Free, PyMem_Malloc

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(uint32_t char) noexcept nogil
    bint Py_UNICODE_ISSPACE(uint32_t char) noexcept nogil
    uint32_t Py_UNICODE_TOLOWER(uint32_t char) noexcept nogil
    object PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)

cdef enum:
    SHORT_TEXT = 512
    IDEOGRAPHIC_STOP = 0x3002


# Few places of a text begin like one of the strings.
cdef void count_in(
    const Char* chars,
    Py_ssize_t size,
    const uint8_t[::1] is_filled,
    const int32_t[::1] first,
    const int32_t[::1] following,
    const uint32_t[::1] codes,
    const int32_t[::1] bounds,
    int shift,
    int32_t[::1] counts,
) noexcept nogil:
    cdef Py_ssize_t place, at, length
    cdef uint32_t slot
    cdef int32_t string
    for place in range(size - 2):
        slot = (
            <uint32_t> chars[place] * <uint32_t> 0x9E3779B1
            + <uint32_t> chars[place + 1] * <uint32_t> 0x85EBCA77
            + <uint32_t> chars[place + 2] * <uint32_t> 0xC2B2AE3D
        ) >> shift
        if not is_filled[slot >> 3] >> (slot & 7) & 1:
            continue
        string = first[slot]
        while string >= 0:
            length = bounds[string + 1] - bounds[string]
            if length <= size - place:
                at = 0
                while at < length and chars[place + at] == codes[bounds[string] + at]:
                    at += 1
                counts[string] += at == length
            string = following[string]


def count_strings(str text not None, strings) -> list:
    found = np.zeros(len(strings.strings), np.int32)
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    cdef const uint8_t[::1] filled = strings.is_filled
    cdef const int32_t[::1] first = strings.first, following = strings.following
    cdef const int32_t[::1] bounds = strings.bounds
    cdef const uint32_t[::1] codes = strings.codes
    cdef int32_t[::1] counts = found
    cdef int shift = strings.shift
    if width == 1:
        count_in(
            <const uint8_t*> chars, len(text), filled, first, following, codes, bounds, shift, counts
        )
    elif width == 2:
        count_in(
            <const uint16_t*> chars, len(text), filled, first, following, codes, bounds, shift, counts
        )
    else:
        count_in(
            <const uint32_t*> chars, len(text), filled, first, following, codes, bounds, shift, counts
        )
    for index in strings.short:
        found[index] = text.count(strings.strings[index])
    return found.tolist()


cdef uint32_t take_lowered(const Char* chars, Py_ssize_t size, uint32_t* lowered) noexcept nogil:
    """Change characters to lower case, and return the highest of them."""
    cdef Py_ssize_t at
    cdef uint32_t char, highest = 0
    for at in range(size):
        char = chars[at]
        if char < 128:
            char += 32 * (c"A" <= char <= c"Z")
        else:
            char = Py_UNICODE_TOLOWER(char)
        lowered[at] = char
        highest = max(highest, char)
    return highest


cdef class BitsOfStrings:
    """Finds which strings are in a part of a text."""

    cdef const uint8_t[::1] is_filled, bits
    cdef const int32_t[::1] first, following, bounds, short
    cdef const uint32_t[::1] codes
    cdef int shift

    def __init__(self, strings, bits):
        self.is_filled, self.first = strings.is_filled, strings.first
        self.following, self.bounds = strings.following, strings.bounds
        self.codes, self.shift = strings.codes, strings.shift
        self.short, self.bits = np.array(strings.short, np.int32), bits
        if self.bits.shape[0] != self.following.shape[0]:
            raise ValueError(f"{self.bits.shape[0]} bits of {self.following.shape[0]} strings")

    cdef bint is_at(self, int32_t string, const uint32_t* chars, Py_ssize_t size) noexcept nogil:
        cdef Py_ssize_t at = 0, length = self.bounds[string + 1] - self.bounds[string]
        if length > size:
            return False
        while at < length and chars[at] == self.codes[self.bounds[string] + at]:
            at += 1
        return at == length

    cdef uint8_t of(self, const uint32_t* chars, Py_ssize_t size, uint32_t highest) noexcept nogil:
        cdef Py_ssize_t place, index
        cdef uint32_t slot
        cdef int32_t string
        cdef uint8_t found = 0
        for place in range(size - 2):
            slot = (
                chars[place] * <uint32_t> 0x9E3779B1
                + chars[place + 1] * <uint32_t> 0x85EBCA77
                + chars[place + 2] * <uint32_t> 0xC2B2AE3D
            ) >> self.shift
            if not self.is_filled[slot >> 3] >> (slot & 7) & 1:
                continue
            string = self.first[slot]
            while string >= 0:
                if self.is_at(string, &chars[place], size - place):
                    found |= self.bits[string]
                string = self.following[string]
        for index in range(self.short.shape[0]):
            string = self.short[index]
            if self.bounds[string] == self.bounds[string + 1]:
                found |= self.bits[string]
            elif self.codes[self.bounds[string]] <= highest:
                for place in range(size):
                    if self.is_at(string, &chars[place], size - place):
                        found |= self.bits[string]
                        break
        return found


def bits_in_parts(
    str text not None, const int32_t[::1] begins, const int32_t[::1] ends, strings, bits
):
    cdef BitsOfStrings searched = BitsOfStrings(strings, bits)
    cdef Py_ssize_t part, size, longest = 0, count = begins.shape[0]
    if ends.shape[0] != count:
        raise ValueError(f"{count} begins of {ends.shape[0]} parts")
    for part in range(count):
        if not 0 <= begins[part] <= ends[part] <= len(text):
            raise ValueError(f"part {part} is not in a text of {len(text)} characters")
        longest = max(longest, ends[part] - begins[part])
    of_parts = np.empty(count, np.uint8)
    cdef uint8_t[::1] found = of_parts
    cdef uint32_t[::1] lowered = np.empty(longest + 1, np.uint32)
    cdef uint32_t highest
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    for part in range(count):
        size = ends[part] - begins[part]
        if width == 1:
            highest = take_lowered(<const uint8_t*> chars + begins[part], size, &lowered[0])
        elif width == 2:
            highest = take_lowered(<const uint16_t*> chars + begins[part], size, &lowered[0])
        else:
            highest = take_lowered(<const uint32_t*> chars + begins[part], size, &lowered[0])
        found[part] = searched.of(&lowered[0], size, highest)
    return of_parts


cdef uint64_t hash_of(const Char* chars, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef const char* bytes_ = <const char*> &chars[begin]
    cdef Py_ssize_t at = 0, size = (end - begin) * sizeof(Char)
    cdef uint64_t mixed = <uint64_t> size, next_
    while at + 8 <= size:
        memcpy(&next_, &bytes_[at], 8)
        mixed = (mixed ^ next_) * <uint64_t> 0x9E3779B97F4A7C15
        mixed ^= mixed >> 32
        at += 8
    if at < size:
        next_ = 0
        memcpy(&next_, &bytes_[at], size - at)
        mixed = (mixed ^ next_) * <uint64_t> 0x9E3779B97F4A7C15
        mixed ^= mixed >> 32
    return mixed


cdef void find_copies(
    const Char* chars,
    const int32_t[::1] begins,
    const int32_t[::1] ends,
    int32_t[::1] table,
    uint64_t[::1] hashes,
    int32_t[::1] first,
) noexcept nogil:
    cdef Py_ssize_t part, slot, last = table.shape[0] - 1
    cdef int32_t earlier
    cdef Py_ssize_t size
    for part in range(begins.shape[0]):
        hashes[part] = hash_of(chars, begins[part], ends[part])
        size = ends[part] - begins[part]
        slot = hashes[part] & last
        while True:
            earlier = table[slot]
            if earlier < 0:
                table[slot] = first[part] = part
                break
            if (
                hashes[earlier] == hashes[part]
                and ends[earlier] - begins[earlier] == size
                and not memcmp(&chars[begins[earlier]], &chars[begins[part]], size * sizeof(Char))
            ):
                first[part] = earlier
                break
            slot = (slot + 1) & last


def first_copies(str text not None, const int32_t[::1] begins, const int32_t[::1] ends):
    cdef Py_ssize_t part, slots = 16, count = begins.shape[0]
    if ends.shape[0] != count:
        raise ValueError(f"{count} begins of {ends.shape[0]} parts")
    for part in range(count):
        if not 0 <= begins[part] <= ends[part] <= len(text):
            raise ValueError(f"part {part} is not in a text of {len(text)} characters")
    while slots < 2 * count:
        slots *= 2
    found = np.empty(count, np.int32)
    cdef int32_t[::1] first = found, table = np.full(slots, -1, np.int32)
    cdef uint64_t[::1] hashes = np.empty(count, np.uint64)
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    if width == 1:
        find_copies(<const uint8_t*> chars, begins, ends, table, hashes, first)
    elif width == 2:
        find_copies(<const uint16_t*> chars, begins, ends, table, hashes, first)
    else:
        find_copies(<const uint32_t*> chars, begins, ends, table, hashes, first)
    return found


cdef Py_ssize_t take_letters(const Char* chars, Py_ssize_t size, uint32_t* found) noexcept nogil:
    cdef Py_ssize_t at, count = 0
    for at in range(size):
        if Py_UNICODE_ISALNUM(chars[at]):
            found[count] = chars[at]
            count += 1
    return count


def letters(str text not None):
    cdef str lowered = text.lower()
    cdef const void* chars = PyUnicode_DATA(lowered)
    cdef int width = PyUnicode_KIND(lowered)
    cdef Py_ssize_t count, size = len(lowered)
    cdef uint32_t[SHORT_TEXT] few
    cdef uint32_t* found = few
    if size > SHORT_TEXT:
        found = <uint32_t*> PyMem_Malloc(size * sizeof(uint32_t))
        if found is NULL:
            raise MemoryError
    if width == 1:
        count = take_letters(<const uint8_t*> chars, size, found)
    elif width == 2:
        count = take_letters(<const uint16_t*> chars, size, found)
    else:
        count = take_letters(<const uint32_t*> chars, size, found)
    taken = PyUnicode_FromKindAndData(4, found, count)
    if found is not few:
        PyMem_Free(found)
    return taken


cdef bint is_in(uint64_t mixed, uint64_t* table, uint64_t last) noexcept nogil:
    """Tell whether a hash is in a table, and add it; 0 stands for an empty slot."""
    cdef uint64_t slot = mixed & last
    while table[slot]:
        if table[slot] == mixed:
            return True
        slot = (slot + 1) & last
    table[slot] = mixed
    return False


cdef Py_ssize_t sentence_end(
    const Char* chars, Py_ssize_t at, Py_ssize_t end, bint is_ideographic
) noexcept nogil:
    """Return where the sentence ends that goes on at a place."""
    cdef const void* stop
    if Char is uint8_t:
        while at < end:
            stop = memchr(&chars[at], c".", end - at)
            if stop is NULL:
                return end
            at = <const uint8_t*> stop - chars
            if at + 1 < end and chars[at + 1] == c" ":
                return at
            at += 1
        return end
    while at < end:
        if is_ideographic:
            if chars[at] == IDEOGRAPHIC_STOP:
                return at
        elif chars[at] == c"." and at + 1 < end and chars[at + 1] == c" ":
            return at
        at += 1
    return end


cdef bint repeats_sentences(
    const Char* chars,
    Py_ssize_t begin,
    Py_ssize_t end,
    Py_ssize_t least,
    uint64_t* table,
    uint64_t last,
) noexcept nogil:
    """Tell whether a sentence of a part of a text is in a table, and add those that are not."""
    cdef Py_ssize_t at, first, after
    cdef bint is_ideographic = False
    while begin < end and (
        chars[end - 1] == c"." or chars[end - 1] == c" " or chars[end - 1] == IDEOGRAPHIC_STOP
    ):
        end -= 1
    if Char is not uint8_t:
        for at in range(begin, end):
            is_ideographic |= chars[at] == IDEOGRAPHIC_STOP
    while begin <= end:
        at = sentence_end(chars, begin, end, is_ideographic)
        first, after = begin, at
        while first < after and Py_UNICODE_ISSPACE(chars[first]):
            first += 1
        while first < after and Py_UNICODE_ISSPACE(chars[after - 1]):
            after -= 1
        if after - first >= least and is_in(hash_of(chars, first, after) | 1, table, last):
            return True
        begin = at + (1 if is_ideographic else 2)
    return False


def may_repeat_sentences(
    str text not None, list begins not None, list ends not None, Py_ssize_t least
) -> bool:
    cdef Py_ssize_t part, begin, end, most = 0, slots = 16
    if len(ends) != len(begins):
        raise ValueError(f"{len(begins)} begins of {len(ends)} parts")
    for part in range(len(begins)):
        begin, end = begins[part], ends[part]
        if not 0 <= begin <= end <= len(text):
            raise ValueError(f"part {part} is not in a text of {len(text)} characters")
        # A sentence and its end take at least so many characters.
        most += (end - begin) // (least + 1) + 1
    while slots < 2 * most:
        slots *= 2
    cdef uint64_t[::1] table = np.zeros(slots, np.uint64)
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    cdef bint found = False
    for part in range(len(begins)):
        begin, end = begins[part], ends[part]
        if width == 1:
            found = repeats_sentences(
                <const uint8_t*> chars, begin, end, least, &table[0], slots - 1
            )
        elif width == 2:
            found = repeats_sentences(
                <const uint16_t*> chars, begin, end, least, &table[0], slots - 1
            )
        else:
            found = repeats_sentences(
                <const uint32_t*> chars, begin, end, least, &table[0], slots - 1
            )
        if found:
            return True
    return False


cdef enum:
    # In lower case, these depend on other characters, or become two.
    SIGMA = 0x03A3
    DOTTED_I = 0x0130


cdef inline uint32_t lowered_char(uint32_t char) noexcept nogil:
    if char < 128:
        return char + 32 * (c"A" <= char <= c"Z")
    return Py_UNICODE_TOLOWER(char)


cdef class WordTable:
    """A hash table of words in lower case."""

    cdef uint32_t[::1] codes
    cdef int32_t[::1] bounds, slots
    # The part that has each word, by the number of the last such part.
    cdef int32_t[::1] last_part
    cdef uint32_t last, seed

    def __init__(self, list words):
        cdef Py_ssize_t word, place, size = 16
        cdef uint32_t slot
        cdef str joined = "".join(words)
        while size < 2 * len(words):
            size *= 2
        self.last = size - 1
        # Other in each process, so that no page is written to fill one place of the table.
        self.seed = hash("words") & 0xFFFFFFFF
        self.codes = np.empty(len(joined) + 1, np.uint32)
        for place in range(len(joined)):
            self.codes[place] = joined[place]
        self.bounds = np.zeros(len(words) + 1, np.int32)
        self.slots, self.last_part = np.full(size, -1, np.int32), np.full(len(words), -1, np.int32)
        for word in range(len(words)):
            self.bounds[word + 1] = self.bounds[word] + len(words[word])
            slot = self.seed
            for place in range(self.bounds[word], self.bounds[word + 1]):
                slot = self.mixed(slot, self.codes[place])
            slot = self.slot_of(slot)
            while self.slots[slot] >= 0:
                slot = (slot + 1) & self.last
            self.slots[slot] = word

    cdef inline uint32_t mixed(self, uint32_t before, uint32_t char) noexcept nogil:
        return (before ^ char) * <uint32_t> 0x01000193

    cdef inline uint32_t slot_of(self, uint32_t mixed) noexcept nogil:
        return (mixed ^ mixed >> 15) & self.last

    cdef int32_t find(
        self, const Char* chars, Py_ssize_t begin, Py_ssize_t end, uint32_t mixed
    ) noexcept nogil:
        """Return the number of a word, -1 for one that is not in the table."""
        cdef uint32_t slot = self.slot_of(mixed)
        cdef int32_t word = self.slots[slot]
        cdef Py_ssize_t at, first
        while word >= 0:
            first = self.bounds[word]
            if self.bounds[word + 1] - first == end - begin:
                at = begin
                while at < end and lowered_char(chars[at]) == self.codes[first + at - begin]:
                    at += 1
                if at == end:
                    return word
            slot = (slot + 1) & self.last
            word = self.slots[slot]
        return -1


cdef bint count_shared(
    const Char* chars,
    Py_ssize_t begin,
    Py_ssize_t end,
    WordTable table,
    bint of_chars,
    int32_t part,
    int32_t* shared,
    int32_t* total,
) noexcept nogil:
    """Count the words of a part of a text; False if its lower case is not that of characters."""
    cdef Py_ssize_t at = begin, first
    cdef uint32_t mixed
    cdef int32_t word
    for at in range(begin, end if Char is not uint8_t else begin):
        if chars[at] == SIGMA or chars[at] == DOTTED_I:
            return False
    shared[0] = total[0] = 0
    at = begin
    while at < end:
        first, mixed = at, table.seed
        if of_chars:
            mixed = table.mixed(mixed, lowered_char(chars[at]))
            at += 1
        else:
            while at < end and not Py_UNICODE_ISSPACE(chars[at]):
                mixed = table.mixed(mixed, lowered_char(chars[at]))
                at += 1
            if at == first:
                at += 1
                continue
        total[0] += 1
        word = table.find(chars, first, at, mixed)
        if word >= 0 and table.last_part[word] != part:
            table.last_part[word] = part
            shared[0] += 1
    return True


def shared_words(
    str text not None,
    const int32_t[::1] begins,
    const int32_t[::1] ends,
    list words not None,
    bint of_chars,
):
    cdef WordTable table = WordTable(words)
    cdef Py_ssize_t part, count = begins.shape[0]
    if ends.shape[0] != count:
        raise ValueError(f"{count} begins of {ends.shape[0]} parts")
    for part in range(count):
        if not 0 <= begins[part] <= ends[part] <= len(text):
            raise ValueError(f"part {part} is not in a text of {len(text)} characters")
    counts = np.empty((2, count), np.int32)
    cdef int32_t[:, ::1] found = counts
    cdef const void* chars = PyUnicode_DATA(text)
    cdef int width = PyUnicode_KIND(text)
    cdef bint done
    for part in range(count):
        if width == 1:
            done = count_shared(
                <const uint8_t*> chars, begins[part], ends[part], table, of_chars, part,
                &found[0, part], &found[1, part],
            )
        elif width == 2:
            done = count_shared(
                <const uint16_t*> chars, begins[part], ends[part], table, of_chars, part,
                &found[0, part], &found[1, part],
            )
        else:
            done = count_shared(
                <const uint32_t*> chars, begins[part], ends[part], table, of_chars, part,
                &found[0, part], &found[1, part],
            )
        if not done:
            found[0, part], found[1, part] = count_words_of(
                text[begins[part]:ends[part]], frozenset(words), of_chars
            )
    return counts
