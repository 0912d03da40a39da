"""Servers for slow tests of the how-to guides: S3, Google's storage, Scrapyd, Zyte API."""

from __future__ import annotations

import base64
import importlib.util
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from testkit.documented_servers import DEADLINE, free_port, missing
from testkit.processes import wait_until
from testkit.server import Reply, Site


def need(*modules: str) -> None:
    """Skip a test unless modules of the extra cookbook are installed; fail it in CI."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            missing(module, install="pip install -e '.[cookbook]'")


# S3 returns objects to a known user only. The server of the tests knows everybody.
_SOMEBODY = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request"


def call(url: str, method: str = "GET") -> bytes:
    """Send a request to a server on loopback, and return the body of its response."""
    request = Request(url, method=method, headers={"Authorization": _SOMEBODY})  # noqa: S310
    with urlopen(request, timeout=DEADLINE) as response:  # noqa: S310
        found: bytes = response.read()
        return found


@contextmanager
def running(folder: Path, *arguments: str, port: int) -> Iterator[str]:
    """Run a Python module that serves a port on loopback; yield its address."""
    with (
        (folder / "server.log").open("wb") as log,
        subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", *arguments], cwd=folder, stdout=log, stderr=log
        ) as process,
    ):
        try:
            wait_until(lambda: process.poll() is not None or accepts(port))
            assert process.poll() is None, (folder / "server.log").read_text()
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                process.kill()


def accepts(port: int) -> bool:
    """Return whether a server listens on a port of loopback."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def s3(folder: Path) -> Iterator[str]:
    """Run moto's server of S3."""
    port = free_port()
    with running(folder, "moto.server", "-H", "127.0.0.1", "-p", str(port), port=port) as url:
        yield url


@contextmanager
def google_storage(folder: Path, *, bucket: str) -> Iterator[str]:
    """Run an emulator of Google Cloud Storage with one bucket."""
    port = free_port()
    options = ("--host", "127.0.0.1", "--port", str(port), "--in-memory")
    command = ("gcp_storage_emulator", "start", *options, "--default-bucket", bucket)
    with running(folder, *command, port=port) as url:
        yield url


@contextmanager
def scrapyd(folder: Path) -> Iterator[str]:
    """Run Scrapyd with its files in a folder, and items as JSON lines in its subfolder items."""
    port = free_port()
    (folder / "scrapyd.conf").write_text(
        f"[scrapyd]\nhttp_port = {port}\npoll_interval = 0.1\nitems_dir = items\n"
    )
    with running(folder, "scrapyd", port=port) as url:
        yield url


class ZyteApi:
    """A server that answers as Zyte API does, with the pages of a site; records the requests."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked: list[dict[str, Any]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _ZyteApiHandler)
        self._server.api = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1/"

    @contextmanager
    def serving(self) -> Iterator[ZyteApi]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request: HTML as a string, or the body in base64."""
        self.asked.append(dict(asked))
        made = self.site.pages.get(urlsplit(asked["url"]).path, Reply(b"", status=404))
        reply = made() if callable(made) else made
        answer: dict[str, Any] = {"url": asked["url"], "statusCode": reply.status}
        if asked.get("browserHtml"):
            answer["browserHtml"] = reply.body.decode()
        if asked.get("httpResponseBody"):
            answer["httpResponseBody"] = base64.b64encode(reply.body).decode()
        if asked.get("httpResponseHeaders"):
            answer["httpResponseHeaders"] = [{"name": "Content-Type", "value": reply.type}]
        if asked.get("article"):
            answer["article"] = {"url": asked["url"], "headline": "Extracted by Zyte"}
        return answer


class _ZyteApiHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        api: ZyteApi = self.server.api  # type: ignore[attr-defined]
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(api.answer(asked)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:  # noqa: ARG002
        return
