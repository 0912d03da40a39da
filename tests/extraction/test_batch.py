"""Many pages in worker processes: one answer per request, in order, whatever a page does."""

import json
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction import batch
from scrapy_cetr.extraction.batch import Answer, answers
from scrapy_cetr.extraction.batch_worker import ERROR, ROW, SKIPPED, Job, Request, answer
from scrapy_cetr.extraction.options import Options
from testkit.processes import workers_of
from testkit.server import TEXT, page

JOB = Job(fields={"text": "text"})


def requests(*marks: str) -> list[Request]:
    """Make a request per mark; the marks HANG, DIE and FAIL do what they say in a worker."""
    return [
        Request("html", page(mark), url=f"https://x.example/{index}", source_offset=index)
        for index, mark in enumerate(marks)
    ]


def run(*marks: str, jobs: int = 2, timeout: float = 30, job: Job = JOB) -> list[Answer]:
    return list(answers(requests(*marks), job, jobs=jobs, timeout=timeout))


def offsets(found: list[Answer]) -> list[Any]:
    return [each.row["source_offset"] for each in found]


@pytest.mark.parametrize("jobs", [0, 1, 3])
@pytest.mark.usefixtures("leaves_nothing")
def test_answers_are_in_the_order_of_the_requests(jobs: int) -> None:
    found = run(*["good"] * 40, jobs=jobs)
    assert offsets(found) == list(range(40))
    assert {each.status for each in found} == {ROW}
    assert found[0].row["text"] == extract(page("good")).text


@pytest.mark.parametrize(
    ("mark", "error"),
    [
        ("HANG", "took more than 1 seconds"),
        ("DIE", "the worker process ended unexpectedly"),
        ("FAIL", "ZeroDivisionError: a page that fails"),
    ],
)
@pytest.mark.usefixtures("leaves_nothing", "traps")
def test_bad_page_costs_one_answer(mark: str, error: str) -> None:
    found = run("good", mark, "good", "good", mark, "good", timeout=1)
    assert offsets(found) == list(range(6))
    assert [each.status for each in found] == [ROW, ERROR, ROW, ROW, ERROR, ROW]
    wanted = {"source_file": None, "source_offset": 1, "url": "https://x.example/1", "error": error}
    assert found[1].row == wanted


@pytest.mark.usefixtures("leaves_nothing")
def test_worker_killed_by_another_program_costs_nothing() -> None:
    found = []
    for each in answers(requests(*["good"] * 300), JOB, jobs=2, timeout=30):
        found.append(each)
        if len(found) in (1, 50, 100):
            os.kill(workers_of(os.getpid())[0], 9)
    assert offsets(found) == list(range(300))
    assert {each.status for each in found} == {ROW}


@pytest.mark.usefixtures("leaves_nothing")
def test_worker_is_replaced_after_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "PAGES_PER_WORKER", 3)
    assert offsets(run(*["good"] * 10, jobs=1)) == list(range(10))


@pytest.mark.usefixtures("leaves_nothing")
def test_page_beyond_the_memory_limit_costs_one_answer() -> None:
    large = Request("text", b"<p>a</p>" * 30_000_000, source_offset=0)
    job = Job(fields={"text": "text"}, memory=1 << 30)
    found = list(answers([large, *requests("good")], job, jobs=1, timeout=60))
    assert [each.status for each in found] == [ERROR, ROW]


@pytest.mark.usefixtures("leaves_nothing")
def test_failing_requests_are_raised_after_the_answers_before() -> None:
    def failing() -> Iterator[Request]:
        yield from requests("good", "good")
        raise RuntimeError("the input is broken")

    found = answers(failing(), JOB, jobs=2, timeout=30)
    assert offsets([next(found), next(found)]) == [0, 1]
    with pytest.raises(RuntimeError, match="the input is broken"):
        next(found)


@pytest.mark.usefixtures("leaves_nothing")
def test_few_pages_are_read_ahead_and_closing_ends_all_workers() -> None:
    drawn = count()
    source = (request for request in requests("good") * 100_000 if next(drawn) >= 0)
    found = answers(source, JOB, jobs=2, timeout=30)
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert next(drawn) < 2 * batch.PAGES_AHEAD + 10


def test_rows_have_the_fields_of_the_job() -> None:
    job = Job(fields={"headline": "title", "n": "words"}, options=Options(method="cetr"))
    message = answer(Request("html", page(), source_file="a.html", source_offset=7), job)
    assert message[:1] == ROW
    assert list(json.loads(message[1:])) == ["source_file", "source_offset", "headline", "n"]
    assert json.loads(message[1:])["n"] == extract(page(), method="cetr").words


def test_unwanted_pages_are_skipped_and_unknown_values_never_skip() -> None:
    english = Request("html", b"<html lang=en>" + page())
    assert answer(english, Job(fields={}, languages=("de",)))[:1] == SKIPPED
    assert answer(english, Job(fields={"text": "text"}, languages=("de", "en")))[:1] == ROW
    index = Request("html", b"<ul>" + b"<li><a href=x>Teaser</a></li>" * 30)
    assert answer(index, Job(fields={}, min_probability=0.5))[:1] == SKIPPED
    papers = Job(fields={"text": "text"}, min_probability=0.5, options=Options(method="cetr"))
    assert answer(index, papers)[:1] == ROW


def test_job_is_the_same_after_a_journey_as_json() -> None:
    job = Job(
        fields={"a": "text"}, options=Options(k=4), languages=("en",), min_probability=0.3, memory=9
    )
    assert Job.from_json(job.to_json()) == job


def test_lone_surrogates_are_escaped_in_rows() -> None:
    row = Request("text", b"", url="https://x\ud800").row({"a": "\udfff"})
    assert json.loads(row)["a"] == "\udfff"


@pytest.mark.skipif(sys.platform == "win32", reason="os.fsencode keeps any name on POSIX only")
def test_file_names_may_have_any_bytes(tmp_path: Path) -> None:
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.html"))
    file.write_bytes(page())
    message = answer(Request("file", os.fsencode(file)), JOB)
    assert (message[:1], json.loads(message[1:])["text"]) == (ROW, TEXT)
