"""What ``batch`` and its worker processes send each other: a job, requests and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import IO, Any, NamedTuple

from scrapy_cetr.extraction.messages import read_part, write_message
from scrapy_cetr.extraction.options import Options

# The first byte of an answer.
ROW, ERROR, SKIPPED = b"+", b"!", b"-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a run makes of each page.

    ``fields`` maps the names of a row to attributes of the article. A page in none of the
    ``languages``, a page below ``min_probability``, and with ``only_articles`` a page of another
    kind is skipped; unknown values never skip a page.
    ``memory`` limits the address space of the process, in bytes.
    """

    fields: Mapping[str, str]
    options: Options = field(default_factory=Options)
    languages: tuple[str, ...] = ()
    only_articles: bool = False
    min_probability: float = 0
    memory: int | None = None

    def to_json(self) -> bytes:
        """Write the job as JSON, for the worker process."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps({**values, "options": asdict(self.options)}).encode()

    @classmethod
    def from_json(cls, data: bytes) -> Job:
        """Read a job from JSON."""
        values = json.loads(data)
        values["languages"] = tuple(values["languages"])
        return cls(**{**values, "options": Options(**values["options"])})


class Request(NamedTuple):
    """A page to extract, and where it comes from.

    ``body`` depends on ``kind``: "html" is the HTML as it came, "text" decoded HTML as UTF-8,
    "json" a JSON object with ``html`` and ``url``, "file" the path of a file with HTML, and "error"
    the reason why a page is unreadable.
    """

    kind: str
    body: bytes
    url: str | None = None
    charset: str | None = None
    source_file: str | None = None
    source_offset: int | None = None

    def write(self, stream: IO[bytes]) -> None:
        """Send the request to a worker."""
        header = (self.kind, self.url, self.charset, self.source_file, self.source_offset)
        write_message(stream, json.dumps(header).encode(), self.body)

    @classmethod
    def read(cls, stream: IO[bytes]) -> Request:
        """Receive a request; raise EOFError at the end of the stream."""
        kind, *others = json.loads(read_part(stream))
        return cls(kind, read_part(stream), *others)

    def row(self, values: Mapping[str, Any]) -> bytes:
        """Return a row as JSON: where the page comes from, and some values."""
        source = {"source_file": self.source_file, "source_offset": self.source_offset}
        text = json.dumps({**source, **values}, ensure_ascii=False)
        # Lone surrogates cannot be encoded; their escapes are the same in JSON.
        return text.encode("utf-8", "backslashreplace")

    def error_row(self, error: str) -> bytes:
        """Return the row of a page that could not be extracted."""
        return self.row({"url": self.url, "error": error})


class Answer(NamedTuple):
    """What became of a page: ``status`` is ROW, ERROR or SKIPPED, ``data`` a row as JSON."""

    status: bytes
    data: bytes

    @property
    def row(self) -> dict[str, Any]:
        """The row: the fields of a page, or its ``url`` with ``error`` or ``skipped``."""
        found: dict[str, Any] = json.loads(self.data)
        return found
