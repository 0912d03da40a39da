"""What a batch and its worker processes send each other: a job, records and answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import IO, Any, Literal, NamedTuple

from scrapy_cetr.extraction.messages import read_part, write_message
from scrapy_cetr.extraction.options import Options

# The first byte of an answer.
ROW, ERROR, SKIPPED = b"+", b"!", b"-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a run makes of each page.

    ``fields`` maps the names of a row to what they hold, see ``schema``. A page in none of the
    ``languages``, a page below ``min_probability``, and with ``only_articles`` a page of another
    kind is skipped; unknown values never skip a page.
    ``page_html`` is the field of a row for the HTML of the page, None for none.
    ``memory`` limits the address space of the process, in bytes. ``sites`` are the rules
    for single sites as JSON, empty for none. ``site_memory`` is the path of a memory of sites. If a
    run ``observes``, it returns what a memory can learn from each page instead of its article.
    """

    fields: Mapping[str, str]
    options: Options = field(default_factory=Options)
    languages: tuple[str, ...] = ()
    only_articles: bool = False
    min_probability: float = 0
    memory: int | None = None
    sites: str = ""
    site_memory: str = ""
    observes: bool = False
    page_html: str | None = None

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


class Record(NamedTuple):
    """A page to extract, and where it comes from.

    ``html`` is decoded HTML, or bytes as they came, with the ``charset`` that HTTP declared.
    ``source_file`` and ``source_offset`` are the key of its row. With an ``error``, the record
    stands for something that could not be read, and the error becomes that of its row.

    ``form`` tells what the HTML is inside of, so that the worker unpacks it: "html" nothing,
    "json" a JSON object with ``html`` and ``url``, "file" a file, whose path it is.
    """

    html: bytes | str = b""
    url: str | None = None
    source_file: str | None = None
    source_offset: int | None = None
    record_id: str | None = None
    warc_date: str | None = None
    charset: str | None = None
    error: str | None = None
    form: Literal["html", "json", "file"] = "html"

    def write(self, stream: IO[bytes]) -> None:
        """Send the record to a worker."""
        if isinstance(self.html, str):
            body, is_text = self.html.encode("utf-8", "surrogatepass"), True
        else:
            body, is_text = self.html, False
        write_message(stream, json.dumps((is_text, *self[1:])).encode(), body)

    @classmethod
    def read(cls, stream: IO[bytes]) -> Record:
        """Receive a record; raise EOFError at the end of the stream."""
        is_text, *others = json.loads(read_part(stream))
        body = read_part(stream)
        return cls(body.decode("utf-8", "surrogatepass") if is_text else body, *others)

    def row(self, values: Mapping[str, Any]) -> bytes:
        """Return a row as JSON: the key of the record, and some values."""
        source = {"source_file": self.source_file, "source_offset": self.source_offset}
        text = json.dumps({**source, **values}, ensure_ascii=False)
        # Lone surrogates cannot be encoded; their escapes are the same in JSON.
        return text.encode("utf-8", "backslashreplace")

    def error_row(self, error: str, values: Mapping[str, Any] | None = None) -> bytes:
        """Return the row of a page that could not be extracted."""
        known = {"record_id": self.record_id, "url": self.url, "warc_date": self.warc_date}
        given = {name: value for name, value in known.items() if value or name == "url"}
        return self.row({**given, **(values or {}), "error": error})


class Answer(NamedTuple):
    """What became of a page: ``status`` is ROW, ERROR or SKIPPED, ``data`` a row as JSON."""

    status: bytes
    data: bytes

    @property
    def row(self) -> dict[str, Any]:
        """The row: the fields of a page, or its ``url`` with ``error`` or ``skipped``."""
        found: dict[str, Any] = json.loads(self.data)
        return found
