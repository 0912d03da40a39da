"""Bytes in, characters out, whatever the page says of itself."""

from __future__ import annotations

import codecs
import re

from turbohtml.detect import detect

# A page of another encoding than declared shows it by characters that cannot be decoded: more
# of them than in one of so many characters is no slip of the pen.
_WRONG = 200
_DECLARATION = re.compile(rb"charset", re.IGNORECASE)
_OLD = re.compile(rb"charset\s{0,9}=\s{0,9}[\"']?((?:cp|ibm|mac)[\w-]{1,20})", re.IGNORECASE)
_HEAD = 1024
_ASCII = bytes(range(32, 127))


def decode(data: bytes) -> str:
    """Decode by byte order mark, then declaration, then what the bytes look like.

    >>> decode("<meta charset=utf-8>Größe, Maß und Bücher für Köln".encode("cp1252"))[20:]
    'Größe, Maß und Bücher für Köln'
    """
    if codec := utf16_without_mark(data):
        return data.decode(codec, "replace").removeprefix("\ufeff")
    text = _decode(data, data)
    if is_garbled(text):
        # The declaration lies: look at the bytes with the word for it made unreadable.
        again = _decode(data, _DECLARATION.sub(b"chars3t", data))
        if again.count("\ufffd") < text.count("\ufffd"):
            return again
    return text


def is_garbled(text: str) -> bool:
    """Tell whether a text was decoded by the wrong table, by its replacement characters."""
    return text.count("\ufffd") * _WRONG > len(text)


def _decode(data: bytes, evidence: bytes) -> str:
    codec = _old_codec(evidence) or detect(evidence).codec
    text = data.decode(codec or "utf-8", "replace")
    return text.removeprefix("\ufeff")


def _old_codec(data: bytes) -> str | None:
    """Find a declared charset of old systems, such as cp850, which browsers do not know."""
    declared = _OLD.search(data[:_HEAD])
    if declared is None or detect(b"<meta charset=%s>\xe1\xff" % declared[1]).confidence == 1:
        return None
    try:
        codec = codecs.lookup(declared[1].decode()).name
        # The page could be read so far, so what has other letters than ASCII was not meant.
        return codec if _ASCII.decode(codec) == _ASCII.decode() else None
    except (LookupError, UnicodeError):
        return None


def utf16_without_mark(data: bytes) -> str | None:
    """Recognise UTF-16 by the zero bytes of its ASCII characters, of which markup has many."""
    head = data[:1000]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > len(head) // 20 and not even:
        return "utf-16-le"
    if even > len(head) // 20 and not odd:
        return "utf-16-be"
    return None
