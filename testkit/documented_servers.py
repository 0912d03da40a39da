"""The servers that the how-to guides need: PostgreSQL and a browser."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

CHROMIUM = "/usr/bin/chromium"
# The sandbox does not work for root. Chromium must request nothing but the pages of the test.
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DEADLINE = 30.0


def missing(what: str, *, install: str) -> None:
    """Skip a test that needs something that is not installed; fail it in CI."""
    message = f"{what} is missing: {install}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def launch_options() -> dict[str, object]:
    """Return the options for Playwright to start Debian's Chromium."""
    if not Path(CHROMIUM).exists():
        missing(CHROMIUM, install="apt-get install chromium")
    return {"executable_path": CHROMIUM, "args": list(CHROMIUM_ARGUMENTS)}


@contextmanager
def postgresql(address: str) -> Iterator[str]:
    """Run a new server for an address on localhost; yield the address with its port."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if not programs and on_path is None:
        missing("A PostgreSQL server", install="apt-get install postgresql")
    binaries = (programs[-1] if programs else Path(str(on_path))).parent
    known = psycopg.conninfo.conninfo_to_dict(address)
    # Not in tmp_path, which only its owner can enter: the server does not run as root.
    with tempfile.TemporaryDirectory(prefix="scrapy-cetr-") as name:
        folder = Path(name)
        (folder / "password").write_text(str(known["password"]))
        server = _Server(binaries, folder)
        server.make(user=str(known["user"]))
        with server.running() as port:
            administered = psycopg.conninfo.make_conninfo(address, port=port, dbname="postgres")
            with psycopg.connect(administered, autocommit=True) as connection:
                database = psycopg.sql.Identifier(str(known["dbname"]))
                connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(database))
            yield address.replace("@localhost/", f"@localhost:{port}/")


class _Server:
    """A temporary cluster, owned by an unprivileged user if the tests run as root."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self._binaries = binaries
        self._folder = folder
        self._user: int | None = None
        self._group: int | None = None
        if os.geteuid() == 0:
            names = {entry.pw_name: entry for entry in pwd.getpwall()}
            account = names.get("postgres") or names["nobody"]
            self._user, self._group = account.pw_uid, account.pw_gid
            for path in (folder, folder / "password"):
                os.chown(path, self._user, self._group)

    def make(self, *, user: str) -> None:
        with self._start(
            *("initdb", "--pgdata=data", f"--username={user}", "--pwfile=password"),
            *("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"),
        ) as process:
            assert process.wait(DEADLINE) == 0, self._log

    @contextmanager
    def running(self) -> Iterator[int]:
        port = free_port()
        with self._start(
            *("postgres", "-D", "data", "-k", str(self._folder), "-p", str(port)),
            *("-c", "listen_addresses=localhost", "-c", "fsync=off"),
        ) as process:
            try:
                end = time.monotonic() + DEADLINE
                while "ready to accept connections" not in self._log:
                    assert process.poll() is None, self._log
                    assert time.monotonic() < end, self._log
                    time.sleep(0.02)
                yield port
            finally:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(DEADLINE)
                except subprocess.TimeoutExpired:
                    process.kill()

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603
                [str(self._binaries / program), *arguments],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._user,
                group=self._group,
                extra_groups=None if self._user is None else [],
                env={"LC_ALL": "C", "PATH": os.environ["PATH"]},
            )

    @property
    def _log(self) -> str:
        return (self._folder / "log").read_text(errors="replace")


def free_port() -> int:
    """Return a port on loopback that no server uses."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port
