"""The texts of earlier pages, for ``scrapy cetr --deduplicate``."""

from __future__ import annotations

from typing import IO

import numpy as np

from scrapy_cetr.duplicates import SIZE, Memory, signature


class SeenTexts:
    """Remembers texts by their signatures, up to ``memory`` of them.

    With a ``file``, it starts with the signatures in it, and appends the new ones. ``size`` is the
    size of all signatures of the run in bytes.
    """

    def __init__(self, threshold: float, memory: int, *, file: IO[bytes] | None) -> None:
        self._threshold = threshold
        self._memory = Memory(memory)
        self._file = file
        self.size = 0
        while file is not None and len(found := file.read(SIZE)) == SIZE:
            self._memory.add(np.frombuffer(found, np.uint8), None)
            self.size += SIZE

    def add(self, text: str) -> bool:
        """Remember a text, and return whether no similar text came before."""
        new = signature(text)
        if new is None:
            return True
        if any(True for _ in self._memory.similar(new, threshold=self._threshold)):
            return False
        self._memory.add(new, None)
        if self._file is not None:
            self.size += self._file.write(new.tobytes())
        return True
