"""The data in the scripts of a page, read without running them.

Many sites send the article as data, and let a script write it into the page: as JSON in a script of
its own, as JSON that is assigned to a variable, or in the formats of Nuxt (devalue) and of Next.js
(flight), which are JSON with references.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

# Parsed, data take several times the memory of their source. No article needs more.
_MAX_CHARS = 2_000_000
_MIN_SCRIPT_CHARS, _MIN_SPACES = 400, 40
# The depth and the number of values to which references are followed.
_MAX_DEPTH, _MAX_VALUES = 12, 50_000

_ASSIGNMENT = re.compile(
    r"(?:window|self|globalThis)(?:\.|\[\")[\w$]{1,60}(?:\"\])?\s{0,9}=\s{0,9}"
)
_MAX_ASSIGNMENTS = 8
_PARSED = "JSON.parse("
_FLIGHT, _NUXT_DATA = "__next_f.push(", "__NUXT_DATA__"
_FLIGHT_ROW = re.compile(r"([0-9a-f]{1,8}):(T([0-9a-f]{1,8}),)?")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"")
_KEY = re.compile(r"(\w{1,40})\"?\s?:$")
_MIN_STRING_CHARS, _MAX_UNCLOSED = 300, 20

_reader = json.JSONDecoder(strict=False)


def script_values(html: str) -> Iterator[Any]:
    """Yield the values in the scripts of a page: objects, arrays and long strings."""
    read = 0
    flight: list[str] = []
    for attributes, script in _scripts(html):
        if "ld+json" in attributes or not _may_have_prose(script):
            continue
        read += len(script)
        if read > _MAX_CHARS:
            break
        if "json" in attributes:
            value = _parsed(script)
            yield _revived(value) if _NUXT_DATA in attributes else value
        elif _FLIGHT in script:
            flight += _flight_texts(script)
        else:
            yield from _assigned(script)
    if flight:
        yield from _flight_values("".join(flight))


def _scripts(html: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes and the text of each script."""
    at = html.find("<script")
    while at >= 0:
        begin = html.find(">", at)
        end = html.find("</script", begin)
        if begin < 0 or end < 0:
            return
        yield html[at + 7 : begin], html[begin + 1 : end]
        at = html.find("<script", end)


def _may_have_prose(script: str) -> bool:
    """Tell whether a script is long enough, and may have the words of an article."""
    if len(script) < _MIN_SCRIPT_CHARS:
        return False
    return script.count(" ") >= _MIN_SPACES or not script.isascii() or "\\u" in script


def _parsed(source: str) -> Any:
    try:
        return _reader.decode(source.strip())
    except (ValueError, RecursionError):
        return None


def _parsed_at(source: str, index: int) -> tuple[Any, int]:
    """Read the value that begins at an index; return it and the index after it."""
    try:
        return _reader.raw_decode(source, index)
    except (ValueError, RecursionError):
        return None, index


def _assigned(script: str) -> Iterator[Any]:
    """Yield the values that a script assigns to variables of the page."""
    found = _ASSIGNMENT.search(script)
    for _ in range(_MAX_ASSIGNMENTS):
        if not found:
            return
        after = found.end()
        if script.startswith(_PARSED, after):
            value, end = _parsed_at(script, after + len(_PARSED))
            value = _parsed(value) if isinstance(value, str) else None
        else:
            value, end = _parsed_at(script, after)
        if value is not None:
            yield value
        elif script.startswith(("{", "[", "(function"), after):
            # An expression that only a program could evaluate: its long strings are readable.
            yield from _long_strings(script, after)
            return
        found = _ASSIGNMENT.search(script, max(end, after))


def _long_strings(script: str, index: int) -> Iterator[dict[str, str]]:
    """Yield the long strings of a script from an index on, each with its key."""
    unclosed = 0
    begin = script.find('"', index)
    while begin >= 0 and unclosed < _MAX_UNCLOSED:
        literal = _STRING.match(script, begin)
        end = literal.end() if literal else begin + 1
        unclosed += literal is None
        if end - begin >= _MIN_STRING_CHARS:
            text, _ = _parsed_at(script, begin)
            if isinstance(text, str):
                key = _KEY.search(script[max(begin - 44, 0) : begin])
                yield {key[1] if key else "content": text}
        begin = script.find('"', end)


def _revived(flat: Any) -> Any:
    """Resolve devalue's array, in which numbers inside of objects and arrays are indices.

    >>> _revived([{"body": 1}, [2], "One"])
    {'body': ['One']}
    """
    if not isinstance(flat, list) or not flat:
        return flat
    left = _MAX_VALUES

    def resolve(index: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        if not isinstance(index, int) or not 0 <= index < len(flat) or left < 0:
            return None
        value = flat[index]
        if depth > _MAX_DEPTH:
            return None
        if isinstance(value, dict):
            return {key: resolve(one, depth + 1) for key, one in value.items()}
        if isinstance(value, list):
            # ["Reactive", 7] wraps another value.
            if len(value) == 2 and isinstance(value[0], str):
                return resolve(value[1], depth + 1)
            return [resolve(one, depth + 1) for one in value]
        return value

    return resolve(0, 0)


def _flight_texts(script: str) -> Iterator[str]:
    """Yield the parts of the flight data that a script pushes."""
    at = script.find(_FLIGHT)
    while at >= 0:
        value, end = _parsed_at(script, at + len(_FLIGHT))
        if isinstance(value, list) and len(value) == 2 and isinstance(value[1], str):
            yield value[1]
        at = script.find(_FLIGHT, max(end, at + len(_FLIGHT)))


def _flight_values(stream: str) -> Iterator[Any]:
    """Yield the rows of flight data; "$1a" stands for the text of row 1a."""
    texts: dict[str, str] = {}
    values: list[Any] = []
    index = 0
    while index < len(stream):
        row = _FLIGHT_ROW.match(stream, index)
        if row and row[2]:
            # The length is in bytes.
            size = int(row[3], 16)
            text = stream[row.end() : row.end() + size].encode(errors="replace")[:size]
            texts[f"${row[1]}"] = decoded = text.decode(errors="ignore")
            index = row.end() + len(decoded)
            continue
        end = stream.find("\n", index)
        end = len(stream) if end < 0 else end
        if row and stream[row.end() : row.end() + 1] in ("[", "{"):
            values.append(_parsed_at(stream, row.end())[0])
        index = end + 1
    yield from (_with_texts(value, texts) for value in values)
    yield from ({"content": text} for text in texts.values())


def _with_texts(value: Any, texts: dict[str, str]) -> Any:
    """Replace references to texts inside of a value."""
    stack = [value]
    for _ in range(_MAX_VALUES):
        if not stack:
            break
        one = stack.pop()
        pairs = (
            one.items()
            if isinstance(one, dict)
            else enumerate(one)
            if isinstance(one, list)
            else ()
        )
        for key, inner in list(pairs):
            if isinstance(inner, str) and inner in texts:
                one[key] = texts[inner]
            elif isinstance(inner, dict | list):
                stack.append(inner)
    return value
