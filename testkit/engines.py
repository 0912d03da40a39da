"""Archives with faults for the tests of engines, and what has to come out of them."""

from __future__ import annotations

import gzip
import importlib.util
import os
import re
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testkit.archives import warc_response
from testkit.documented_servers import missing
from testkit.processes import wait_until
from testkit.server import page

FILES, PAGES = 4, 60
RECORDS = FILES * PAGES
# Seconds and bytes that a page has.
TIMEOUT, MEMORY = 5.0, 1_000_000_000
_HTML = "Content-Type: text/html; charset=utf-8"

# What a page does, and the error of its row.
PAGE_FAULTS = {
    "HANG": "took more than 5 seconds",
    "DIE": "the worker process ended unexpectedly",
    "GROW": "MemoryError: ",
    "FAIL": "ZeroDivisionError: a page that fails",
}
# What is wrong with an archive, and the number of rows with an error.
ARCHIVE_FAULTS = {"truncated": 1, "corrupt": 1, "wrong length": 0, "no type": 0}
FAULTS = (*PAGE_FAULTS, *ARCHIVE_FAULTS)


@dataclass(frozen=True, kw_only=True)
class Archives:
    """Archives of 4 x 60 pages, and the errors that are expected."""

    folder: Path
    errors: Sequence[str]

    @property
    def paths(self) -> list[str]:
        return sorted(str(path) for path in self.folder.glob("*.warc.gz"))

    def check(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Check that each record has one row, with its text or its error."""
        assert len(rows) == RECORDS
        keys = {(row["source_file"], row["source_offset"]) for row in rows}
        assert len(keys) == RECORDS
        assert {os.path.realpath(file) for file, _ in keys} == {*map(os.path.realpath, self.paths)}
        errors = sorted(row["error"] for row in rows if row["error"] is not None)
        assert len(errors) == len(self.errors), errors
        for error, expected in zip(errors, sorted(self.errors), strict=True):
            assert expected in error
        texts = [row["text"] for row in rows if row["error"] is None]
        numbers = {match[0] for text in texts if (match := re.search(r"report \d+ of \d", text))}
        assert len(numbers) == len(texts) == RECORDS - len(errors)


def write_archives(folder: Path, fault: str | None = None, *, slow: bool = False) -> Archives:
    """Write four archives, the first of which has a fault."""
    folder.mkdir(parents=True)
    for file in range(FILES):
        records = [_record(file, number, slow=slow) for number in range(PAGES)]
        if not file and fault in PAGE_FAULTS:
            records[7] = _record(file, 7, trap=str(fault))
        if not file and fault in ("wrong length", "no type"):
            records[7] = _changed(records[7], str(fault))
        data = [gzip.compress(record, 1) for record in records]
        if not file and fault == "truncated":
            data[-1] = data[-1][: len(data[-1]) // 2]
        if not file and fault == "corrupt":
            middle = len(data[7]) // 2
            data[7] = data[7][:middle] + bytes(40) + data[7][middle + 40 :]
        (folder / f"{file}.warc.gz").write_bytes(b"".join(data))
    errors = [PAGE_FAULTS[fault]] if fault in PAGE_FAULTS else []
    if fault is not None and ARCHIVE_FAULTS.get(fault):
        errors = ["lost"]
    return Archives(folder=folder, errors=errors)


def _record(file: int, number: int, *, trap: str = "", slow: bool = False) -> bytes:
    # Words that no other page has, so that the text compresses badly and differs.
    words = " ".join(f"{hash((file, number, n)) % 99991}" for n in range(200))
    sentence = f"This is the report {number} of {file} about the harbour and its people."
    marks = f"<!-- {trap} {'SLOW' if slow else ''} -->".encode()
    html = page(f"{sentence} The numbers of the day were {words}.")
    return warc_response(f"https://news.example/{file}/{number}", marks + html, _HTML)


def _changed(record: bytes, fault: str) -> bytes:
    if fault == "no type":
        return re.sub(rb"Content-Type: text/html[^\r]*\r\n", b"", record)
    return re.sub(
        rb"Content-Length: (\d+)",
        lambda match: b"Content-Length: %d" % (int(match[1]) - 99),
        record,
    )


def need_engine(module: str, *programs: str) -> None:
    """Skip a test unless a module and programs are installed; fail it in CI."""
    if importlib.util.find_spec(module) is None:
        missing(module, install="make .venv/engines")
    for program in programs:
        if shutil.which(program) is None:
            missing(program, install=f"apt-get install {_PACKAGES[program]}")


_PACKAGES = {
    "java": "openjdk-17-jre-headless",
    "redis-server": "redis-server",
    "ip": "iproute2",
    "unshare": "util-linux",
}


def processes(*words: str, environment: str = "") -> list[int]:
    """Return the processes whose command line has all words, and whose environment has one."""
    return [pid for pid in _pids() if _matches(pid, words, environment)]


def _pids() -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        yield int(folder.name)


def _matches(pid: int, words: Sequence[str], environment: str) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
        variables = Path(f"/proc/{pid}/environ").read_bytes().decode("utf-8", "replace")
    except OSError:
        return False
    return (
        pid != os.getpid() and all(word in command for word in words) and environment in variables
    )


def kill_one(*words: str, environment: str) -> int:
    """Wait for a process, and kill it."""
    found: list[int] = wait_until(lambda: processes(*words, environment=environment))
    os.kill(found[0], signal.SIGKILL)
    return found[0]


def wait_for_no_workers(environment: str) -> None:
    """Wait until all worker processes have ended that have something in their environment."""
    wait_until(lambda: not processes("scrapy_cetr.extraction", environment=environment))
