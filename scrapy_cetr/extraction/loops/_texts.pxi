# How Python stores the characters of a text: each in as many bytes as the largest of them needs.
# After the last is a 0, so that the character after any other can be read.

from libc.stdint cimport uint8_t, uint16_t, uint32_t

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t
