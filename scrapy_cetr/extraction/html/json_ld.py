"""Read JSON-LD, in which pages describe themselves to search engines, even if it is broken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import Any

JsonObject = Mapping[str, Any]

# The first objects describe the page itself; a hostile page can have any number of others.
MAX_OBJECTS = 1000
# How many references are followed, and how many values are read from a broken script.
_MAX_STEPS = 4

_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_LONE_BACKSLASH = re.compile(r"\\(?![\"\\/bfnrtu])")


def read_objects(scripts: Iterable[str]) -> list[JsonObject]:
    """Return all objects in some scripts, outer ones before those nested in them.

    >>> [found["@type"] for found in read_objects(['[{"@type": "A", "b": {"@type": "C"}},]'])]
    ['A', 'C']
    """
    level: list[Any] = [found for script in scripts for found in _parse(script)]
    objects: list[JsonObject] = []
    while level and len(objects) < MAX_OBJECTS:
        inner: list[Any] = []
        for value in level[:MAX_OBJECTS]:
            if isinstance(value, list):
                inner += value[:MAX_OBJECTS]
            elif isinstance(value, dict):
                objects.append(value)
                inner += [part for part in value.values() if isinstance(part, dict | list)]
        level = inner
    return objects[:MAX_OBJECTS]


def _parse(script: str) -> Iterator[Any]:
    """Yield the values of a script; if it is broken, repair it, or stop at the error."""
    reader = json.JSONDecoder(strict=False)
    try:
        yield reader.decode(script)
        return
    except (ValueError, RecursionError):
        pass
    script = _WRAPPING.sub("", script).strip().removesuffix(";")
    repaired = _LONE_BACKSLASH.sub(r"\\\\", _TRAILING_COMMA.sub("", script))
    for _ in range(_MAX_STEPS):
        try:
            value, end = reader.raw_decode(repaired)
        except (ValueError, RecursionError):
            return
        yield value
        repaired = repaired[end:].lstrip(" \t\r\n;,")


def by_id(objects: Iterable[JsonObject]) -> dict[str, JsonObject]:
    """Index objects by their @id; of several with the same @id, take that with most keys."""
    known: dict[str, JsonObject] = {}
    for one in objects:
        key = one.get("@id")
        if isinstance(key, str) and len(one) > len(known.get(key, ())):
            known[key] = one
    return known


def types_of(json_object: JsonObject) -> list[str]:
    """Return the types of an object, without the URL of their vocabulary.

    >>> types_of({"@type": ["https://schema.org/NewsArticle", "Thing"]})
    ['NewsArticle', 'Thing']
    """
    types = json_object.get("@type")
    types = types if isinstance(types, list) else [types]
    return [name.rpartition("/")[2].rpartition(":")[2] for name in types if isinstance(name, str)]


def resolve(value: Any, known: Mapping[str, JsonObject]) -> Any:
    """Follow a reference such as ``{"@id": "#author"}`` to the object with that @id."""
    for _ in range(_MAX_STEPS):
        key = value.get("@id") if isinstance(value, dict) else None
        if not isinstance(key, str) or key not in known or len(known[key]) <= len(value):
            break
        value = known[key]
    return value


def texts_of(value: Any, known: Mapping[str, JsonObject], *, key: str = "name") -> list[str]:
    """Return a value as strings; it can be a string, a number, an object with a name, or a list.

    >>> texts_of([{"@type": "Person", "name": "Ann &amp; Bo"}, "Cy"], {})
    ['Ann & Bo', 'Cy']
    """
    values = value if isinstance(value, list) else [value]
    texts: list[str] = []
    for one in values[:MAX_OBJECTS]:
        one = resolve(one, known)
        if isinstance(one, dict):
            one = one.get(key) or one.get("@value")
            one = one[0] if isinstance(one, list) and one else one
        if isinstance(one, int | float) and not isinstance(one, bool):
            one = str(one)
        if isinstance(one, str) and (text := " ".join(unescape(one).split())):
            texts.append(text)
    return texts
