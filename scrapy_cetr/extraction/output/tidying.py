"""Tidy the parts of a block: spaces at the ends of lines, and runs that are one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapy_cetr.extraction.html.details import Image
from scrapy_cetr.extraction.output.blocks import Break, Part, Run

_SPACES = re.compile("  +")


def tidied_parts(parts: Sequence[Part]) -> list[Part]:
    """Strip lines, and join runs with the same marks and link."""
    tidied: list[Part] = []
    texts: list[str] = []  # of runs that become one
    last: Run | None = None
    before: Part | None = None
    for part in parts:
        is_repeated = isinstance(part, Break) and isinstance(before, Break)
        before = part
        if isinstance(part, Run):
            if last is not None and (part.link != last.link or part.marks != last.marks):
                _add_run(tidied, texts, last)
            texts.append(part.text)
            last = part
            continue
        if last is not None:
            _add_run(tidied, texts, last)
            last = None
        if isinstance(part, Image):
            tidied.append(part)
        elif not is_repeated:
            _strip_end(tidied)
            if tidied:
                tidied.append(part)
    if last is not None:
        _add_run(tidied, texts, last)
    _strip_end(tidied)
    while tidied and isinstance(tidied[-1], Break):
        tidied.pop()
        _strip_end(tidied)
    return tidied


def _add_run(parts: list[Part], texts: list[str], run: Run) -> None:
    """Add a run of some texts, which are removed, with the marks and the link of another."""
    text = _SPACES.sub(" ", "".join(texts))
    texts.clear()
    if not parts or _ends_with_space(parts[-1]):
        text = text.lstrip(" ")
    if text:
        parts.append(Run(text, run.marks, run.link))


def _ends_with_space(part: Part) -> bool:
    return isinstance(part, Break) or (isinstance(part, Run) and part.text.endswith(" "))


def _strip_end(parts: list[Part]) -> None:
    while parts and isinstance(last := parts[-1], Run):
        text = last.text.rstrip(" ")
        if text:
            if len(text) < len(last.text):
                parts[-1] = last._replace(text=text)
            break
        parts.pop()
