"""The pass that most pages are read in: compiled where that could be done, else by tokens."""

from __future__ import annotations

from array import array

import numpy as np

from scrapy_cetr.extraction.columns import Codes, Ints
from scrapy_cetr.extraction.html.scan import Last, Scan

try:
    from scrapy_cetr.extraction.loops._scanning import read_columns
except ImportError:
    # There was no compiler where the package was installed.
    COMPILED = False
else:
    COMPILED = True


class CompiledScan(Scan):
    """A pass into rows that are blocks, which never sees a token."""

    def __init__(self, *, hidden: frozenset[str], with_class_names: bool) -> None:
        super().__init__(hidden=hidden, with_class_names=with_class_names)
        self.tags, self.tag_offset = array("b"), array("i")
        self.length = 0

    def take(self, source: str) -> Last:
        found = read_columns(
            source,
            hidden=self.hidden,
            class_name_ids=self.class_name_ids if self.with_class_names else None,
            before=self.length,
        )
        self.tags += found.tags
        self.tag_offset += found.tag_offset
        self.length = found.length
        self.texts += found.texts
        self.labels += found.labels
        self.statements += found.statements
        self.title = found.title if self.title is None else self.title
        self.unclosed = found.unclosed
        return Last(found.ends_with_comment, found.last)

    def last_tag(self) -> int:
        return self.tags[-1] if self.tags else 0

    def tag_columns(self) -> tuple[Codes, Ints]:
        return np.frombuffer(self.tags, np.int8), np.frombuffer(self.tag_offset, np.int32)


BlockScan = CompiledScan if COMPILED else Scan
