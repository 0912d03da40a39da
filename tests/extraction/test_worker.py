"""The worker process: its messages and its loop."""

import io
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_cetr.extraction import Options
from scrapy_cetr.extraction.messages import READY, read_part, write_message
from scrapy_cetr.extraction.worker import (
    make_request,
    read_answer,
    serve,
)
from testkit.server import (
    page,
)


def test_message_is_read_as_written() -> None:
    stream = io.BytesIO()
    write_message(stream, b"", b"one", b"\x00" * 100_000)
    stream.seek(0)
    assert [read_part(stream) for _ in range(3)] == [b"", b"one", b"\x00" * 100_000]


@pytest.mark.parametrize("cut", [b"", b"\x00\x00", struct.pack(">Q", 5) + b"four"])
def test_truncated_message_raises_eof_error(cut: bytes) -> None:
    with pytest.raises(EOFError):
        read_part(io.BytesIO(cut))


def test_serve_answers_requests_until_they_end() -> None:
    requests, answers = io.BytesIO(), io.BytesIO()
    for method in ("cetr", "cetr-km"):
        write_message(
            requests, *make_request(page().decode(), url=None, options=Options(method=method))
        )
    write_message(requests, *make_request("<p>", url=None, options=Options()))
    requests.truncate(len(requests.getvalue()) - 1)
    requests.seek(0)
    serve(requests, answers)
    answers.seek(0)
    assert [read_answer(answers)[0].method for _ in range(2)] == ["cetr", "cetr-km"]
    assert answers.read() == b""


def test_output_of_a_library_does_not_disturb_answers(tmp_path: Path) -> None:
    code = (
        "from scrapy_cetr.extraction import article, worker\n"
        "real = worker.extract_article\n"
        "def loud(html, **o):\n    print('loud')\n    return real(html, **o)\n"
        "worker.extract_article = loud\n"
        "worker.run_worker(worker.serve)"
    )
    request = io.BytesIO()
    write_message(request, *make_request("<p>words", url=None, options=Options()))
    run = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], input=request.getvalue(), capture_output=True, check=True
    )
    answers = io.BytesIO(run.stdout)
    assert answers.readline() == READY
    assert read_answer(answers)[0].text == "words"
    assert answers.read() == b""
    assert run.stderr == b"loud\n"


def test_worker_ends_without_a_traceback_if_its_answers_cannot_be_written() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "scrapy_cetr.extraction.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == READY
        process.stdout.close()
        write_message(process.stdin, *make_request("<p>words", url=None, options=Options()))
        assert process.stderr.read() == b""
        assert process.wait() == 1
