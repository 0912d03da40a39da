"""The lines of the matrix that ``loops.outline`` returns."""

KIND, PARENT, TAG, ORDINAL, END, SIZE, COUNT, WIDE, LONGEST, DIVISIONS, TABLES, HEADERS = range(12)
LINES = 12
