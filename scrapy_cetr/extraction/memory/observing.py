"""What a memory notes of a page: hashes of its rows, and of the class names around them."""

from __future__ import annotations

from zlib import crc32

import numpy as np

from scrapy_cetr.extraction.columns import Floats, Indices
from scrapy_cetr.extraction.memory.site import SKETCH_ROWS, Observation
from scrapy_cetr.extraction.methods.learned.features import NAMES, Features
from scrapy_cetr.extraction.page.page import Page

# Rows with lower log-odds are dropped, whatever a memory says. They need not be remembered.
LEAST_SCORE = -3.0
# Rows of an article with at least this many characters tell it from others.
_LONG_CHARS = np.log1p(60)
_CHARS = NAMES.index("chars")
# The class path of a row has the class names of this many elements around it.
_LEVELS = 4
# Numbers in class names and ids are often those of the article, and numbers in boxes change.
_DIGITS = b"0123456789"


def observe(page: Page, features: Features, scores: Floats) -> tuple[Indices, Observation]:
    """Note rows of a page, and which of them the network keeps by itself.

    Returns the indices of these rows among those with features, and what is noted. The key of a row
    is a hash of its text and of its class path: the title of an article as a link to it is another
    row than its headline.
    """
    chosen = (scores > LEAST_SCORE).nonzero()[0]
    paths = _path_keys(page, features, chosen)
    kept: list[bool] = (scores[chosen] > 0).tolist()
    is_long: list[bool] = (features.of_rows[_CHARS, chosen] >= _LONG_CHARS).tolist()
    texts = features.texts
    rows = [
        crc32(texts[row].encode("utf-8", "replace").translate(None, _DIGITS), path)
        for row, path in zip(chosen.tolist(), paths, strict=True)
    ]
    of_article = {
        row for row, keeps, long in zip(rows, kept, is_long, strict=True) if keeps and long
    }
    title = crc32(page.title.encode("utf-8", "replace"))
    sketch = [title, *sorted(of_article)[:SKETCH_ROWS]]
    return chosen, Observation(rows, paths, kept, sketch)


def _path_keys(page: Page, features: Features, rows: Indices) -> list[int]:
    """Hash the elements and class names around some rows."""
    tag = page.tags.item
    elements: dict[int, tuple[bytes, int]] = {}
    around: dict[int, int] = {}
    keys = []
    openers: list[int] = page.rows.opener[features.rows[rows]].tolist()
    containers: list[int] = features.containers[rows].tolist()
    # Rows of one container stand next to each other, and these in few others.
    for opener, container in zip(openers, containers, strict=True):
        key = around.get(container)
        if key is None:
            key = around[container] = _path_key(page, container, elements)
        keys.append(key ^ (tag(opener) & 0xFF) if opener >= 0 else key)
    return keys


def _path_key(page: Page, container: int, elements: dict[int, tuple[bytes, int]]) -> int:
    """Hash a container and those around it; ``elements`` are those described so far."""
    described = []
    for _ in range(_LEVELS):
        found = elements.get(container)
        if found is None:
            found = elements[container] = _element(page, container)
        described.append(found[0])
        container = found[1]
    return crc32(b"\0".join(described))


def _element(page: Page, container: int) -> tuple[bytes, int]:
    """Return the element of a container with its class names, and the container around it."""
    tree, names = page.containers, page.class_names
    index = tree.class_name.item(container)
    # There is no name without a tag, or if the page was read without class names.
    number = page.class_name.item(index) if index >= 0 and names else 0
    text = names[number].encode("utf-8", "replace").translate(None, _DIGITS) if number else b""
    return text + bytes((tree.code.item(container) & 0xFF,)), tree.parent.item(container)
