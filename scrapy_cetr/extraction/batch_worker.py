"""A process that extracts pages for ``batch``: ``python -m scrapy_cetr.extraction.batch_worker``.

Standard input carries one ``Job`` and then requests. Standard output carries one answer per
request, in the same order.
"""

from __future__ import annotations

import gzip
import json
import os
import threading
import zlib
from pathlib import Path
from queue import SimpleQueue
from typing import IO

from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.batch_messages import ERROR, ROW, SKIPPED, Job, Request
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.file_types import binary_type
from scrapy_cetr.extraction.kind import ARTICLE
from scrapy_cetr.extraction.messages import read_part, write_message
from scrapy_cetr.extraction.worker import run_worker


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
