"""A process that extracts pages of a batch: ``python -m scrapy_cetr.extraction.batch.worker``.

Standard input carries one ``Job`` and then records. Standard output carries one answer per record,
in the same order.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from scrapy_cetr import __version__
from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.batch.messages import ERROR, ROW, SKIPPED, Job, Record
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.file_types import binary_type
from scrapy_cetr.extraction.kind import ARTICLE
from scrapy_cetr.extraction.memory.evidence import PageEvidence
from scrapy_cetr.extraction.memory.site import SiteMemory
from scrapy_cetr.extraction.memory.store import CrawlMemory, site_of
from scrapy_cetr.extraction.messages import read_ahead, read_part, write_message
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.sites.applying import declared_url
from scrapy_cetr.extraction.sites.rules import PageRule, SiteRules
from scrapy_cetr.extraction.worker import run_worker


class PageError(Exception):
    """A page that cannot be read; the message says why."""


def answer(record: Record, job: Job) -> bytes:
    """Extract a page. Return one byte, ROW, ERROR or SKIPPED, and a row as JSON."""
    start = perf_counter()
    try:
        html, url = read_page(record)
        record = record._replace(html="", url=url)
        rule = page_rule(html, url, job)
        options = rule.with_options(job.options) if rule is not None else job.options
        if job.observes:
            return ROW + record.row(_observed(html, url, options))
        evidence = page_evidence(html, url, job)
        article = extract_article(html, url=url, options=options, rule=rule, evidence=evidence)
        reason = skip_reason(article, job)
        if reason is not None:
            return SKIPPED + record.row({"url": url, "skipped": reason})
        # The URL as well, because without a name to_dict would compute all attributes.
        held = (name for name in job.fields.values() if name in ATTRIBUTES)
        values = article.to_dict("url", *held)
    except PageError as error:
        problem = str(error)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    else:
        values |= _of_record(record, seconds=perf_counter() - start)
        row = {name: values[held] for name, held in job.fields.items()}
        if job.page_html is not None:
            row[job.page_html] = html
        return ROW + record.row(row)
    values = _of_record(record, seconds=perf_counter() - start)
    known = {name: values[held] for name, held in job.fields.items() if held in values}
    return ERROR + record.error_row(problem, known)


def _of_record(record: Record, *, seconds: float) -> dict[str, Any]:
    """Return the values of a row that are not those of the article."""
    return {
        "record_id": record.record_id,
        "warc_date": record.warc_date,
        "version": __version__,
        "seconds": round(seconds, 6),
    }


def read_page(record: Record) -> tuple[str, str | None]:
    """Return the HTML of a record and its URL; raise PageError if there is none."""
    html = record.html
    if record.error is not None:
        raise PageError(record.error)
    if isinstance(html, str):
        return _checked(html), record.url
    if record.form == "json":
        return _from_json(html)
    data = _read_file(html) if record.form == "file" else html
    if not data.strip():
        raise PageError("is empty")
    if (found := binary_type(data)) is not None:
        raise PageError(f"is not HTML but {found}")
    return decode(data, declared=record.charset), record.url


def page_rule(html: str, url: str | None, job: Job) -> PageRule | None:
    """Return what the rules of the job say about a page.

    The site of a stored page without a URL is that of the URL that it declares.
    """
    return _rules(job.sites).for_url(url or declared_url(html)) if job.sites else None


def _observed(html: str, url: str | None, options: Options) -> dict[str, Any]:
    """Return the site of a page, and what a memory can learn from it."""
    evidence = PageEvidence(SiteMemory())
    extract_article(html, url=url, options=options, evidence=evidence)
    return {"site": site_of(url or declared_url(html)), "seen": evidence.seen}


def page_evidence(html: str, url: str | None, job: Job) -> PageEvidence | None:
    """Return what the memory of the job knows about a page."""
    site = site_of(url or declared_url(html)) if job.site_memory else None
    return PageEvidence(_memory(job.site_memory).of(site)) if site is not None else None


@lru_cache(maxsize=1)
def _memory(path: str) -> CrawlMemory:
    """Read the memory of a job, once."""
    memory = CrawlMemory()
    memory.load(path)
    return memory


@lru_cache(maxsize=1)
def _rules(sites: str) -> SiteRules:
    """Read the rules of a job, once."""
    return SiteRules(json.loads(sites))


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
    """Answer records, one by one, until there are no more."""
    job = Job.from_json(read_part(requests))
    if job.memory is not None:
        _limit_memory(job.memory)
    for record in read_ahead(lambda: Record.read(requests)):
        write_message(answers, answer(record, job))


def _limit_memory(size: int) -> None:
    import resource  # not on Windows

    resource.setrlimit(resource.RLIMIT_AS, (size, size))


if __name__ == "__main__":
    run_worker(serve)
