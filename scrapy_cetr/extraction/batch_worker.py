"""A process that extracts pages for ``batch``: ``python -m scrapy_cetr.extraction.batch_worker``.

Standard input carries one ``Job`` and then requests. Standard output carries one answer per
request, in the same order. Each part of a message is preceded by its size in bytes.
"""

from __future__ import annotations

import gzip
import json
import os
import threading
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple

from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.file_types import binary_type
from scrapy_cetr.extraction.kind import ARTICLE
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.worker import read_part, run_worker, write_message

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


class PageError(Exception):
    """A page that cannot be read; the message says why."""


def answer(request: Request, job: Job) -> bytes:
    """Extract a page. Return one byte, ROW, ERROR or SKIPPED, and a row as JSON."""
    try:
        html, url = read_page(request)
        request = request._replace(url=url)
        article = extract_article(html, url=url, options=job.options)
        reason = skip_reason(article, job)
        if reason is not None:
            return SKIPPED + request.row({"url": url, "skipped": reason})
        values = article.to_dict(*job.fields.values())
    except PageError as error:
        return ERROR + request.error_row(str(error))
    except Exception as error:
        return ERROR + request.error_row(f"{type(error).__name__}: {error}")
    return ROW + request.row({name: values[attr] for name, attr in job.fields.items()})


def read_page(request: Request) -> tuple[str, str | None]:
    """Return the HTML of a request and its URL; raise PageError if there is none."""
    if request.kind == "error":
        raise PageError(request.body.decode())
    if request.kind == "json":
        return _from_json(request.body)
    if request.kind == "text":
        return _checked(request.body.decode("utf-8", "surrogatepass")), request.url
    data = _read_file(request.body) if request.kind == "file" else request.body
    if not data.strip():
        raise PageError("is empty")
    if (found := binary_type(data)) is not None:
        raise PageError(f"is not HTML but {found}")
    return decode(data, declared=request.charset), request.url


def _read_file(name: bytes) -> bytes:
    try:
        data = Path(os.fsdecode(name)).read_bytes()
        return gzip.decompress(data) if name.endswith(b".gz") else data
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise PageError(f"cannot be read: {reason}") from error


def _from_json(line: bytes) -> tuple[str, str | None]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise PageError(f"is not JSON: {error}") from error
    html = record.get("html") if isinstance(record, dict) else None
    if not isinstance(html, str):
        raise PageError(
            "must be a JSON object with the string 'html' and, optionally, the string 'url'"
        )
    url = record.get("url")
    return _checked(html), url if isinstance(url, str) else None


def _checked(html: str) -> str:
    if not html or html.isspace():
        raise PageError("is empty")
    return html


def skip_reason(article: Article, job: Job) -> str | None:
    """Return why a page is not wanted, or None; unknown values never skip a page."""
    kind = article.kind if job.only_articles else None
    if kind not in (None, ARTICLE):
        return f"the kind of the page is {kind}"
    probability, least = article.probability, job.min_probability
    if probability is not None and probability < least:
        return f"probability {probability:.2f} is below {least:g}"
    language = article.language if job.languages else None
    if language and language.partition("-")[0].lower() not in job.languages:
        return f"language {language} is not one of {', '.join(job.languages)}"
    return None


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests, one by one, until there are no more."""
    job = Job.from_json(read_part(requests))
    if job.memory is not None:
        _limit_memory(job.memory)
    # A thread empties the pipe while a page is extracted: the other side never has to wait for
    # its requests to be read, so both can never wait for each other.
    queue: SimpleQueue[Request | None] = SimpleQueue()
    threading.Thread(target=_receive, args=(requests, queue), daemon=True).start()
    while (request := queue.get()) is not None:
        write_message(answers, answer(request, job))


def _receive(requests: IO[bytes], queue: SimpleQueue[Request | None]) -> None:
    try:
        while True:
            queue.put(Request.read(requests))
    except (EOFError, MemoryError):
        # Without memory for a request, the process ends once it has answered the earlier ones.
        queue.put(None)


def _limit_memory(size: int) -> None:
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    run_worker(serve)
