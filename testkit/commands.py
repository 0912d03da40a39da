"""The command ``scrapy cetr`` in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testkit.processes import DEADLINE


def scrapy(
    *words: str, folder: Path, path: str = "", stdin: bytes = b""
) -> subprocess.CompletedProcess[str]:
    """Run Scrapy in a folder; ``path`` is the PYTHONPATH."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "scrapy", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        input=stdin,
        capture_output=True,
        timeout=DEADLINE,
        check=False,
    )
    out, err = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


@contextmanager
def start_scrapy(*words: str, folder: Path, path: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """Start Scrapy in a folder, in a process group of its own, with standard error in a pipe."""
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "scrapy", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()
