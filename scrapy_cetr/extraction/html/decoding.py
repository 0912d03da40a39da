"""Decode the bytes of a page, even if it declares a wrong charset or none."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from typing import NamedTuple

from turbohtml.detect import detect

# More than one undecodable character in this many means that the charset is wrong.
_MIN_CHARS_PER_ERROR = 200
_CHARSET_WORD = re.compile(rb"charset", re.IGNORECASE)
_LEGACY_CHARSET = re.compile(
    rb"charset\s{0,9}=\s{0,9}[\"']?((?:cp|ibm|mac)[\w-]{1,20})", re.IGNORECASE
)
_HEAD_BYTES = 1024
_ASCII = bytes(range(32, 127))
# UTF-32 first, as its little-endian mark begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF8, "utf-8"),
)


class EncodedPage(NamedTuple):
    """A page as it was received, and the charset that its HTTP header names."""

    data: bytes
    charset: str | None = None

    def decode(self) -> str:
        """Decode the page."""
        return decode(self.data, declared=self.charset)


def decode(data: bytes, *, declared: str | None = None) -> str:
    """Decode a page by its byte order mark, then its declared charset, then detection.

    ``declared`` is the charset of the HTTP header, which takes precedence over one declared in the
    page. A charset is not believed if too many characters cannot be decoded by it. Characters
    that cannot be decoded become U+FFFD.

    >>> decode("<meta charset=utf-8>Größe, Maß und Bücher für Köln".encode("cp1252"))[20:]
    'Größe, Maß und Bücher für Köln'
    """
    # In UTF-8, the bytes of UTF-16 are no errors, but letters with zeros between them.
    if codec := _utf16_without_mark(data):
        return data.decode(codec, "replace").removeprefix("\ufeff")
    if declared is not None and (text := _decode_as(data, declared)) is not None:
        return text
    text = _detect_and_decode(data, data)
    if _is_garbled(text):
        # The declaration is wrong: detect the charset with the word "charset" made unreadable.
        again = _detect_and_decode(data, _CHARSET_WORD.sub(b"chars3t", data))
        if again.count("\ufffd") < text.count("\ufffd"):
            return again
    return text


def _decode_as(data: bytes, codec: str) -> str | None:
    """Decode by a byte order mark or else a codec; None if that fails or garbles the text."""
    marks = (name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark))
    codec = next(marks, codec)
    with suppress(LookupError, UnicodeError):
        return data.decode(codec).removeprefix("\ufeff")
    with suppress(LookupError, UnicodeError):
        # Without a mark, the byte order on the web is big-endian.
        codec = f"{codec}-be" if codec in ("utf-16", "utf-32") else codec
        text = data.decode(codec, _errors(codec)).removeprefix("\ufeff")
        return None if _is_garbled(text) else text
    return None


def _errors(codec: str) -> str:
    """Return the error handler of a codec: in GB 18030, browsers read a lone 0x80 as the euro."""
    return "scrapy_cetr_gb18030" if codecs.lookup(codec).name == "gb18030" else "replace"


def _replace_in_gb18030(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)  # noqa: S101
    if error.object[error.start] == 0x80:
        return "€", error.start + 1
    return "\ufffd", error.end


codecs.register_error("scrapy_cetr_gb18030", _replace_in_gb18030)


def _is_garbled(text: str) -> bool:
    """Tell whether a text was decoded by the wrong charset, by its replacement characters."""
    # Most pages have none, and a search is quicker than a count.
    return "\ufffd" in text and text.count("\ufffd") * _MIN_CHARS_PER_ERROR > len(text)


def _detect_and_decode(data: bytes, evidence: bytes) -> str:
    """Decode by the charset that the evidence declares or looks like."""
    codec = _legacy_codec(evidence) or detect(evidence).codec
    text = data.decode(codec or "utf-8", "replace")
    return text.removeprefix("\ufeff")


def _legacy_codec(data: bytes) -> str | None:
    """Find a declared charset that browsers do not know, such as cp850."""
    declared = _LEGACY_CHARSET.search(data[:_HEAD_BYTES])
    if declared is None or detect(b"<meta charset=%s>\xe1\xff" % declared[1]).confidence == 1:
        return None
    try:
        codec = codecs.lookup(declared[1].decode()).name
        # The declaration was read as ASCII, so the charset has to agree with ASCII.
        return codec if _ASCII.decode(codec) == _ASCII.decode() else None
    except (LookupError, UnicodeError):
        return None


def _utf16_without_mark(data: bytes) -> str | None:
    """Recognise UTF-16 by the zero bytes of its ASCII characters; markup has many of them."""
    head = data[:1000]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > len(head) // 20 and not even:
        return "utf-16-le"
    if even > len(head) // 20 and not odd:
        return "utf-16-be"
    return None
