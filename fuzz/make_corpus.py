"""Writes the inputs that the fuzzer begins with: ``python -m fuzz.make_corpus``.

UInt8s hostile pages, small encoded pages, and one of everything the reader knows.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from scrapy_cetr.extraction.elements import ELEMENT_CODES
from testkit.hostile import TRAPS

HERE = Path(__file__).resolve().parent
SIZE = 120
ENCODED = "<meta charset={0}><title>Größe</title><p>Größe, 中文, привет, שלום und e\u0301.</p>"
CODECS = ("utf-8", "utf-16", "windows-1252", "gb18030", "shift_jis", "koi8-r")


def inputs() -> list[bytes]:
    """Make all inputs; the first byte of each is the choice of method and rows."""
    pages = [f"{trap(SIZE)}<p>One two." for trap in TRAPS.values()]
    elements = [f"<{name} class=a>One<{name}>two</{name}>" for name in ELEMENT_CODES]
    pages += ["".join(elements[first : first + 8]) for first in range(0, len(elements), 8)]
    encoded = [page.encode("utf-8", "replace") for page in pages]
    encoded += [ENCODED.format(codec).encode(codec, "replace") for codec in CODECS]
    return [bytes((number % 256,)) + page for number, page in enumerate(encoded)]


def main() -> None:
    """Write each input to a file named by its content."""
    folder = HERE / "corpus"
    folder.mkdir(exist_ok=True)
    for data in inputs():
        (folder / sha256(data).hexdigest()[:16]).write_bytes(data)


if __name__ == "__main__":
    main()
