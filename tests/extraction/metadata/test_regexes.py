"""All regular expressions of the package take linear time on any text."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache

import pytest

import scrapy_cetr
from testkit.hostile import TRAPS
from testkit.timing import grows_linearly

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
        search = searches(PATTERNS[name], make)
        # A short page may lack what a pattern has to try in vain.
        assert grows_linearly(search, size=SIZE // 4) or grows_linearly(search, size=SIZE), page


def searches(
    pattern: re.Pattern[str] | re.Pattern[bytes], make: Callable[[int], str]
) -> Callable[[int], None]:
    """Return a call that finds all matches in a page of a size; each page is made once."""
    made = cache(make)

    def search(size: int) -> None:
        if isinstance(pattern.pattern, bytes):
            deque(re.finditer(pattern, made(size).encode("utf-8", "replace")), maxlen=0)
        else:
            deque(re.finditer(pattern, made(size)), maxlen=0)

    return search
