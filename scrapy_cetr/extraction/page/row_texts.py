"""The texts of rows, cut out of the text of the page where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload


class RowTexts(Sequence[str]):
    """The texts between some offsets of a page's text; most of them are never asked for.

    >>> RowTexts("One Two", [0, 4], [3, 7])[1]
    'Two'
    """

    __slots__ = ("begin", "end", "text")

    def __init__(self, text: str, begin: list[int], end: list[int]) -> None:
        self.text, self.begin, self.end = text, begin, end

    def __len__(self) -> int:
        return len(self.begin)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[index] for index in range(*row.indices(len(self)))]
        return self.text[self.begin[row] : self.end[row]]

    def bounds(self, rows: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return where the texts of some rows begin and end."""
        begin, end = self.begin, self.end
        return [begin[row] for row in rows], [end[row] for row in rows]
