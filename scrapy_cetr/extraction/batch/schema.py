"""The columns of rows, the same for the command and for all engines.

A row has one value per column; unknown values are null. ``source_file`` and ``source_offset``
together are the key of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrapy_cetr.extraction.attributes import ATTRIBUTES

KEY = ("source_file", "source_offset")
COLUMNS = (
    *KEY,
    *("record_id", "url", "warc_date", "text", "title", "authors", "date_published"),
    *("date_modified", "language", "kind", "markdown", "words", "probability", "truncated"),
    *("method", "version", "error", "seconds"),
)
# What a column can hold beside the attributes of articles.
OF_RECORDS = ("record_id", "warc_date")
OF_RUNS = ("version", "seconds")
NAMES = (*ATTRIBUTES, *OF_RECORDS, *OF_RUNS)
# Columns that every row has, so that no field can have their names.
RESERVED = (*KEY, "error")
FIELDS: Mapping[str, str] = {name: name for name in COLUMNS if name not in RESERVED}


def make_fields(given: Mapping[str, str] | Sequence[str] | None) -> Mapping[str, str]:
    """Return the fields of rows, each with what it holds; raise ValueError for a wrong name.

    >>> make_fields(["title", "text"]), make_fields({"body": "text"})
    ({'title': 'title', 'text': 'text'}, {'body': 'text'})
    """
    if given is None:
        return FIELDS
    if isinstance(given, str):
        raise ValueError(f"fields must be a list or a dict of names, not {given!r}")
    fields = dict(given) if isinstance(given, Mapping) else {name: name for name in given}
    unknown = [name for name in fields.values() if name not in NAMES]
    if unknown or not fields:
        wrong = f"{unknown[0]!r}" if unknown else "no name"
        raise ValueError(f"fields must be some of {', '.join(NAMES)}, not {wrong}")
    taken = [name for name in fields if name in RESERVED]
    if taken or fields.get("url", "url") != "url":
        raise ValueError(
            f"no field can have the name {(taken or ['url'])[0]!r}, which has another meaning"
        )
    return fields


def columns_of(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of rows with these fields, in order, each with what it holds.

    >>> list(columns_of({"title": "title", "seconds": "seconds"}))
    ['source_file', 'source_offset', 'url', 'title', 'error', 'seconds']
    """
    names = [*fields] if "url" in fields else ["url", *fields]
    names.insert(len(names) - (names[-1] == "seconds"), "error")
    return {name: fields.get(name, name) for name in (*KEY, *names)}
