"""A process that extracts pages for another process: ``python -m scrapy_cetr.extraction.worker``.

It reads requests from standard input and writes answers to standard output, as ``messages``. It
ends when its input ends, or its parent process dies.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from time import perf_counter, sleep
from typing import IO, Any

from scrapy_cetr.extraction.article import LAZY, STORED, Article, extract_article
from scrapy_cetr.extraction.html.decoding import EncodedPage, decode
from scrapy_cetr.extraction.html.details import Image
from scrapy_cetr.extraction.lazy import LazyValues
from scrapy_cetr.extraction.memory.evidence import PageEvidence
from scrapy_cetr.extraction.memory.site import Observation, SiteMemory
from scrapy_cetr.extraction.messages import READY, read_ahead, read_part, write_message
from scrapy_cetr.extraction.metadata import Breadcrumb
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.output.blocks import ArticleBlock, Link
from scrapy_cetr.extraction.output.comments import Comment
from scrapy_cetr.extraction.sites.rules import PageRule

# The parts of a message to a worker: an order as JSON, and the page.
Request = tuple[bytes, bytes]


def _block(*, links: Sequence[Any], image: Mapping[str, Any] | None, **values: Any) -> ArticleBlock:
    """Make a block of what to_dict made of it."""
    return ArticleBlock(
        **values,
        links=tuple(Link(**link) for link in links),
        image=Image(**image) if image else None,
    )


# What makes the types that to_dict turns into dicts, by the attribute that holds a tuple of them.
_ITEM_TYPES: Mapping[str, Callable[..., Any]] = {
    "blocks": _block,
    "links": Link,
    "images": Image,
    "breadcrumbs": Breadcrumb,
    "comments": Comment,
}


def as_record(article: Article, names: Iterable[str]) -> dict[str, Any]:
    """Return the stored attributes of an article and some lazy ones as JSON can hold them."""
    return article.to_dict(*STORED, *(name for name in names if name in LAZY))


def from_record(record: Mapping[str, Any]) -> Article:
    """Make an article of a record that was sent as JSON."""
    values = {name: _restored(name, value) for name, value in record.items() if name in LAZY}
    stored = {name: _restored(name, record[name]) for name in STORED}
    return Article(**stored, _lazy=LazyValues.known(values))


def _restored(name: str, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    item_type = _ITEM_TYPES.get(name)
    return tuple(item_type(**item) for item in value) if item_type else tuple(value)


def make_request(
    page: str | EncodedPage,
    *,
    url: str | None,
    options: Options,
    attributes: Sequence[str] = (),
    rule: PageRule | None = None,
    site: bytes | None = None,
) -> Request:
    """Make the message that asks a worker for the article of a page and some lazy attributes.

    ``site`` is the memory of its site. An encoded page is decoded by the worker.
    """
    is_decoded = isinstance(page, str)
    if isinstance(page, str):
        page = EncodedPage(page.encode("utf-8", "surrogatepass"))
    order = {
        "url": url,
        "is_decoded": is_decoded,
        "charset": page.charset,
        "options": _to_json(options),
        "attributes": attributes,
        "rule": rule.to_json() if rule is not None else None,
        "site": b64encode(site).decode() if site is not None else None,
    }
    return json.dumps(order).encode(), page.data


@lru_cache(maxsize=64)
def _to_json(options: Options) -> str:
    return json.dumps(asdict(options))


@lru_cache(maxsize=64)
def _from_json(options: str) -> Options:
    return Options(**json.loads(options))


def read_answer(stream: IO[bytes]) -> tuple[Article, float, Observation | None]:
    """Read an article, the seconds it took, and what a memory can learn from the page.

    Raise RuntimeError if the extraction failed.
    """
    answer = json.loads(read_part(stream))
    if "error" in answer:
        raise RuntimeError(answer["error"])
    seen = answer["seen"]
    learnt = Observation(*seen) if seen is not None else None
    return from_record(answer["article"]), answer["seconds"], learnt


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until the input ends."""
    for order, data in read_ahead(lambda: (read_part(requests), read_part(requests))):
        write_message(answers, json.dumps(_answer(data, **json.loads(order))).encode())


def _answer(
    data: bytes,
    *,
    url: str | None,
    is_decoded: bool,
    charset: str | None,
    options: str,
    attributes: Sequence[str],
    rule: Mapping[str, Any] | None,
    site: str | None,
) -> dict[str, Any]:
    start = perf_counter()
    try:
        html = (
            data.decode("utf-8", "surrogatepass") if is_decoded else decode(data, declared=charset)
        )
        chosen = PageRule.from_json(rule) if rule is not None else None
        evidence = None
        if site is not None:
            evidence = PageEvidence(SiteMemory.from_bytes(b64decode(site)))
        found = extract_article(
            html, url=url, options=_from_json(options), rule=chosen, evidence=evidence
        )
        record = as_record(found, attributes)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    seen = evidence.seen if evidence is not None else None
    return {"article": record, "seconds": perf_counter() - start, "seen": seen}


def run_worker(serve: Callable[[IO[bytes], IO[bytes]], None]) -> None:
    """Serve on the standard streams; redirect other output to standard error."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        answers.write(READY)
        answers.flush()
        try:
            serve(sys.stdin.buffer, answers)
        except BrokenPipeError:
            # The parent has ended. So does this process, without a traceback on the terminal.
            os._exit(1)


def _end_with(parent: int) -> None:
    """End the process when its parent is gone, even in the middle of a page."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)


if __name__ == "__main__":
    run_worker(serve)
