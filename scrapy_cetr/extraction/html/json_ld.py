"""JSON-LD: what a page says of itself to search engines, also where its JSON is broken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any

Thing = Mapping[str, Any]

# So many things are looked at, whatever a page holds; the first are about the page itself.
MAX_THINGS = 1000
# How long a reference to another thing is followed.
_MAX_STEPS = 4

_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_LONE_BACKSLASH = re.compile(r"\\(?![\"\\/bfnrtu])")


def read_things(scripts: Iterable[str]) -> list[Thing]:
    """Collect all things in some scripts, those that are not inside of others first.

    >>> [thing["@type"] for thing in read_things(['[{"@type": "A", "b": {"@type": "C"}},]'])]
    ['A', 'C']
    """
    level: list[Any] = [found for script in scripts for found in _parse(script)]
    things: list[Thing] = []
    while level and len(things) < MAX_THINGS:
        inner: list[Any] = []
        for value in level[:MAX_THINGS]:
            if isinstance(value, list):
                inner += value[:MAX_THINGS]
            elif isinstance(value, dict):
                things.append(value)
                inner += [part for part in value.values() if isinstance(part, dict | list)]
        level = inner
    return things[:MAX_THINGS]


def _parse(script: str) -> Iterator[Any]:
    """Parse a script; if it is broken, mend it, and take at least what stands before the break."""
    reader = json.JSONDecoder(strict=False)
    try:
        yield reader.decode(script)
        return
    except (ValueError, RecursionError):
        pass
    script = _WRAPPING.sub("", script).strip().removesuffix(";")
    mended = _LONE_BACKSLASH.sub(r"\\\\", _TRAILING_COMMA.sub("", script))
    for _ in range(_MAX_STEPS):
        try:
            value, end = reader.raw_decode(mended)
        except (ValueError, RecursionError):
            return
        yield value
        mended = mended[end:].lstrip(" \t\r\n;,")


def by_id(things: Iterable[Thing]) -> dict[str, Thing]:
    """Index things by their @id; of several parts of one, the fullest counts."""
    known: dict[str, Thing] = {}
    for thing in things:
        key = thing.get("@id")
        if isinstance(key, str) and len(thing) > len(known.get(key, ())):
            known[key] = thing
    return known


def types_of(thing: Thing) -> list[str]:
    """Name the types of a thing, without where they are defined.

    >>> types_of({"@type": ["https://schema.org/NewsArticle", "Thing"]})
    ['NewsArticle', 'Thing']
    """
    types = thing.get("@type")
    types = types if isinstance(types, list) else [types]
    return [name.rpartition("/")[2].rpartition(":")[2] for name in types if isinstance(name, str)]


def resolve(value: Any, known: Mapping[str, Thing]) -> Any:
    """Follow a reference such as ``{"@id": "#author"}`` to the thing it means."""
    for _ in range(_MAX_STEPS):
        key = value.get("@id") if isinstance(value, dict) else None
        if not isinstance(key, str) or key not in known or len(known[key]) <= len(value):
            break
        value = known[key]
    return value


def texts_of(value: Any, known: Mapping[str, Thing], *, key: str = "name") -> list[str]:
    """Read a value as strings, however a page wrote it: one, several, or things with names.

    >>> texts_of([{"@type": "Person", "name": "Ann &amp; Bo"}, "Cy"], {})
    ['Ann & Bo', 'Cy']
    """
    values = value if isinstance(value, list) else [value]
    texts: list[str] = []
    for one in values[:MAX_THINGS]:
        one = resolve(one, known)
        if isinstance(one, dict):
            one = one.get(key) or one.get("@value")
            one = one[0] if isinstance(one, list) and one else one
        if isinstance(one, int | float) and not isinstance(one, bool):
            one = str(one)
        if isinstance(one, str) and (text := " ".join(unescape(one).split())):
            texts.append(text)
    return texts
