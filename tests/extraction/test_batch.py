"""Many pages in worker processes: one answer each, in order, whatever a page does."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction import Options
from scrapy_cetr.extraction.batch import BatchError, Record
from scrapy_cetr.extraction.batch.messages import ERROR, ROW, SKIPPED, Answer, Job
from scrapy_cetr.extraction.batch.run import PAGES_AHEAD, answers
from testkit.processes import wait_until, workers_of
from testkit.server import TEXT, page

pytestmark = pytest.mark.usefixtures("leaves_nothing")
JOB = Job(fields={"text": "text", "url": "url"})


def record(number: int, html: str = "<p>Page {}") -> Record:
    return Record(html.format(number).encode(), url=f"http://x.example/{number}")


def run(*records: Record, job: Job = JOB, jobs: int = 2, timeout: float = 30) -> list[Answer]:
    return list(answers(records, job, jobs=jobs, timeout=timeout))


@pytest.mark.parametrize("jobs", [0, 1, 3])
def test_answers_come_in_the_order_of_records(jobs: int) -> None:
    found = run(*map(record, range(300)), jobs=jobs)
    assert [answer.status for answer in found] == [ROW] * 300
    assert [answer.row["text"] for answer in found] == [f"Page {n}" for n in range(300)]


def test_answer_has_the_fields_of_the_job_and_the_source() -> None:
    job = Job(fields={"body": "text", "n": "words"}, options=Options(method="cetr-tm"))
    (found,) = run(Record(page(), source_file="a.warc", source_offset=7), job=job)
    article = extract(page(), method="cetr-tm")
    fields = {"body": article.text, "n": article.words}
    assert found.row == {"source_file": "a.warc", "source_offset": 7, **fields}


def test_answer_is_skipped_for_language_kind_and_probability() -> None:
    german = "<html lang=de><p>" + "Der Fluss steht in den Straßen der alten Stadt. " * 9
    (found,) = run(Record(german), job=Job(fields={}, languages=("en",)))
    assert found.status == SKIPPED
    assert found.row["skipped"] == "language de is not one of en"
    wall = b"<title>Log in</title><form><input type=password></form><p>Please log in."
    (found,) = run(Record(wall), job=Job(fields={}, only_articles=True))
    assert found.status == SKIPPED
    assert found.row["skipped"] == "the kind of the page is wall"
    (found,) = run(Record(page()), job=Job(fields={}, min_probability=1.01))
    assert found.status == SKIPPED
    assert "is below 1.01" in found.row["skipped"]


@pytest.mark.parametrize(
    ("html", "error"),
    [
        ("FAIL", "ZeroDivisionError: a page that fails"),
        ("DIE", "the worker process ended unexpectedly"),
        ("HANG", "took more than 5 seconds"),
        ("EAT", "MemoryError: "),
    ],
)
@pytest.mark.usefixtures("traps")
def test_bad_page_costs_one_answer(html: str, error: str) -> None:
    records = [record(n, html if n in (0, 7, 8, 19) else "<p>Page {}") for n in range(20)]
    found = run(*records, timeout=5)
    assert len(found) == 20
    for number, answer in enumerate(found):
        assert answer.row["url"] == f"http://x.example/{number}"
        if number in (0, 7, 8, 19):
            assert (answer.status, answer.row["error"]) == (ERROR, error)
        else:
            assert (answer.status, answer.row["text"]) == (ROW, f"Page {number}")


def test_memory_limit_makes_a_large_page_fail_alone() -> None:
    job = Job(fields={"text": "text"}, memory=1 << 30)
    large = Record(b"<p>word " * 100_000_000)
    first, failed, last = run(record(0), large, record(2), job=job, jobs=1, timeout=60)
    assert (first.row["text"], last.row["text"]) == ("Page 0", "Page 2")
    assert failed.row["error"] == "the worker process ended unexpectedly"


def test_worker_that_is_killed_from_outside_costs_nothing() -> None:
    def records() -> Iterator[Record]:
        for number in range(400):
            if number in (150, 300):
                for worker in wait_until(lambda: workers_of(os.getpid())):
                    os.kill(worker, signal.SIGKILL)
            yield record(number)

    found = list(answers(records(), JOB, jobs=2, timeout=30))
    assert [answer.row.get("text") for answer in found] == [f"Page {n}" for n in range(400)]


def test_worker_is_replaced_after_pages_per_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_cetr.extraction.batch.run.PAGES_PER_WORKER", 10)
    seen = set()
    found = []
    for answer in answers(map(record, range(35)), JOB, jobs=1, timeout=30):
        seen.update(workers_of(os.getpid()))
        found.append(answer.row["text"])
    assert found == [f"Page {n}" for n in range(35)]
    assert len(seen) >= 2


def test_workers_that_cannot_start_raise_batch_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os; os._exit(3)")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(BatchError, match="worker processes cannot be started"):
        run(*map(record, range(1000)))


def test_system_that_starts_no_processes_raises_batch_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/none/python")
    with pytest.raises(BatchError, match=r"cannot be started: .*No such file or directory"):
        run(*map(record, range(1000)))


def test_iterator_that_raises_ends_the_run_after_its_requests() -> None:
    def records() -> Iterator[Record]:
        yield from map(record, range(5))
        raise ValueError("no more")

    found = answers(records(), JOB, jobs=2, timeout=30)
    assert [next(found).row["text"] for _ in range(5)] == [f"Page {n}" for n in range(5)]
    with pytest.raises(ValueError, match="no more"):
        next(found)


def test_slow_input_does_not_delay_answers_or_time_them_out() -> None:
    wait = threading.Event()

    def records() -> Iterator[Record]:
        yield record(0)
        wait.wait(60)
        yield record(1)

    with closing(answers(records(), JOB, jobs=2, timeout=2)) as found:
        assert next(found).row["text"] == "Page 0"
        wait.set()
        assert next(found).row["text"] == "Page 1"


def test_closing_early_does_not_wait_for_the_input() -> None:
    wait = threading.Event()

    def records() -> Iterator[Record]:
        yield record(0)
        wait.wait(600)

    with closing(answers(records(), JOB, jobs=2, timeout=30)) as found:
        next(found)
    assert workers_of(os.getpid()) == []
    wait.set()


@pytest.mark.usefixtures("traps")
def test_closing_early_kills_workers_in_the_middle_of_a_page() -> None:
    records = (record(n, "HANG" if n else "<p>Good") for n in range(1000))
    with closing(answers(records, JOB, jobs=2, timeout=600)) as found:
        assert next(found).row["text"] == "Good"


def test_records_are_read_no_further_than_pages_ahead() -> None:
    read = 0

    def records() -> Iterator[Record]:
        nonlocal read
        for number in range(1000):
            read += 1
            yield record(number)

    with closing(answers(records(), JOB, jobs=2, timeout=30)) as found:
        for _ in range(10):
            next(found)
        wait_until(lambda: read >= 2 * PAGES_AHEAD)
        assert read <= 10 + 2 * PAGES_AHEAD + 1


def test_large_records_and_answers_do_not_block_each_other() -> None:
    large = "<p>" + "word " * 200_000
    found = run(*(record(n, large) for n in range(12)), jobs=2)
    assert {len(answer.row["text"]) for answer in found} == {999_999}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (Record(error="cannot be read"), "cannot be read"),
        (Record(b" \n"), "is empty"),
        (Record(""), "is empty"),
        (Record(b"\x89PNG\r\n\x1a\n"), "is not HTML but a PNG image"),
        (Record(b"none.html", form="file"), "cannot be read: No such file or directory"),
        (Record(b"{", form="json"), "is not JSON: "),
        (Record(b"[]", form="json"), "must be a JSON object with the string 'html'"),
        (Record(b'{"html": 1}', form="json"), "must be a JSON object with the string 'html'"),
        (Record(b'{"html": ""}', form="json"), "is empty"),
    ],
)
def test_unreadable_page_is_an_error(given: Record, expected: str) -> None:
    (found,) = run(given._replace(url="http://x.example/"), jobs=0)
    assert found.status == ERROR
    assert found.row["error"].startswith(expected)
    assert found.row["url"] == "http://x.example/"


@pytest.mark.parametrize("value", ["a\ud800b", "\\\ud800", "漢字 🙂", "\x00"])
def test_row_holds_any_text_as_valid_json(value: str) -> None:
    (found,) = run(Record(f"<p>{value}"))
    found.data.decode()
    assert found.row["text"] == extract(f"<p>{value}").text


def test_file_is_read_by_the_worker(tmp_path: Path) -> None:
    file = tmp_path / "pagé.html"
    file.write_bytes(page())
    found: Any = run(Record(os.fsencode(file), form="file"))[0].row
    assert found["text"] == TEXT
