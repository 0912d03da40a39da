"""Recognises files that are not HTML by their first bytes."""

from __future__ import annotations

# The first bytes of the formats that crawls and folders contain beside HTML.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file such as WebP"),
    (b"\x00\x00\x01\x00", "an icon"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a gzip file"),
    (b"BZh", "a bzip2 file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"\x7fELF", "a program"),
    (b"ID3", "an MP3 file"),
    (b"OggS", "an Ogg file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
)


def binary_type(data: bytes) -> str | None:
    """Return what the data are, if their first bytes are those of a known binary format.

    >>> binary_type(b"%PDF-1.7"), binary_type(b"<p>One")
    ('a PDF document', None)
    """
    for signature, name in _SIGNATURES:
        if data.startswith(signature):
            return name
    return "a video" if data[4:8] == b"ftyp" else None
