"""All regular expressions of the package take linear time on any text."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import deque
from collections.abc import Callable, Iterator
from time import process_time

import pytest

import scrapy_cetr
from testkit.hostile import TRAPS

SIZE = 20_000
EXTRA: dict[str, Callable[[int], str]] = {
    "letters": lambda size: "a" * size,
    "spaces": lambda size: " " * size + "x",
    "equals signs": lambda size: "= " * (size // 2),
    "charsets": lambda size: "charset" * (size // 7),
    "digits": lambda size: "20" * (size // 2),
    "quotation marks": lambda size: "\"'" * (size // 2),
    "tag names": lambda size: "<a" * (size // 2),
}
# The modules for engines need packages of extras.
NOT_IMPORTED = ("__main__", ".datatrove", ".ray", ".spark", ".spark_job")
PAGES = {**{name: TRAPS[name] for name in TRAPS if not name.startswith("random")}, **EXTRA}


def patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    """Yield the names and patterns of all regular expressions at module level."""
    for found in pkgutil.walk_packages(scrapy_cetr.__path__, "scrapy_cetr."):
        if not found.name.endswith(NOT_IMPORTED):
            for name, value in vars(importlib.import_module(found.name)).items():
                if isinstance(value, re.Pattern):
                    yield f"{found.name.removeprefix('scrapy_cetr.')}.{name}", value


PATTERNS = dict(patterns())


def test_regular_expressions_are_found() -> None:
    assert len(PATTERNS) >= 4


@pytest.mark.parametrize("name", PATTERNS)
def test_regular_expression_takes_linear_time(name: str) -> None:
    for page, make in PAGES.items():
        small, large = (seconds(PATTERNS[name], make(size)) for size in (SIZE // 4, SIZE))
        # Quadratic time would be 16 times as long. Short times are not measured exactly enough.
        if large > 8 * small and large > 0.002:
            small, large = (best_time(PATTERNS[name], make(size)) for size in (SIZE, 4 * SIZE))
            assert large <= 8 * small, page


def best_time(pattern: re.Pattern[str] | re.Pattern[bytes], text: str) -> float:
    return min(seconds(pattern, text) for _ in range(3))


def seconds(pattern: re.Pattern[str] | re.Pattern[bytes], text: str) -> float:
    """Return the CPU time to find all matches."""
    start = process_time()
    if isinstance(pattern.pattern, bytes):
        deque(re.finditer(pattern, text.encode("utf-8", "replace")), maxlen=0)
    else:
        deque(re.finditer(pattern, text), maxlen=0)
    return process_time() - start
