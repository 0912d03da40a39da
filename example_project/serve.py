"""Serve the bundled news site on this machine: ``python example_project/serve.py``."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Self
from urllib.parse import unquote, urlsplit

HOST = "127.0.0.1"
SITE = Path(__file__).parent / "site"
RULES = "server.json"
# These files describe the site and are not served.
_PRIVATE = ("/server.json", "/expected.json")
# Listed here, as the tables of operating systems differ.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
}


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A response of the server."""

    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Site:
    """A folder of files, and the rules in its server.json."""

    folder: Path
    redirects: Mapping[str, str] = field(default_factory=dict)
    gzip: Sequence[str] = ()
    content_types: Mapping[str, str] = field(default_factory=dict)
    not_found: Sequence[str] = ()
    base_placeholder: Sequence[str] = ()

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the rules of a folder, if it has any."""
        rules = folder / RULES
        return cls(folder=folder, **(json.loads(rules.read_bytes()) if rules.exists() else {}))

    def reply(self, path: str, *, base: str, gzip_accepted: bool) -> Reply:
        """Answer the request for a path."""
        if path in self.redirects:
            headers = {"Location": self.redirects[path]}
            return Reply(status=HTTPStatus.MOVED_PERMANENTLY, headers=headers)
        path = f"{path}index.html" if path.endswith("/") else path
        file = self._file(path)
        if file is None:
            headers = {"Content-Type": "text/html; charset=utf-8"}
            body = b"<!doctype html><title>Not found</title><p>There is no such page."
            return Reply(status=HTTPStatus.NOT_FOUND, headers=headers, body=body)
        body = file.read_bytes()
        if path in self.base_placeholder:
            body = body.replace(b"{base}", base.encode())
        default = _TYPES.get(file.suffix, "application/octet-stream")
        headers = {"Content-Type": self.content_types.get(path, default)}
        if path in self.gzip:
            headers["Vary"] = "Accept-Encoding"
            if gzip_accepted:
                headers["Content-Encoding"] = "gzip"
                body = gzip.compress(body)
        return Reply(headers=headers, body=body)

    def _file(self, path: str) -> Path | None:
        """Return the file of a path, or None if it is private, missing or outside of the folder."""
        folder = self.folder.resolve()
        file = (folder / path.lstrip("/")).resolve()
        public = path not in (*self.not_found, *_PRIVATE) and file.is_relative_to(folder)
        return file if public and file.is_file() else None


class SiteServer(ThreadingHTTPServer):
    """Serves a site, without log messages."""

    # With the default of five waiting connections, others are tried again a second later.
    request_queue_size = 128

    def __init__(self, site: Site, *, port: int) -> None:
        super().__init__((HOST, port), _Handler)
        self.site = site
        self.base = f"http://{HOST}:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: SiteServer
    protocol_version = "HTTP/1.1"
    # Buffered, so that headers and body are sent together.
    wbufsize = -1

    def do_GET(self) -> None:
        reply = self._reply()
        self.wfile.write(reply.body)

    def do_HEAD(self) -> None:
        self._reply()

    def _reply(self) -> Reply:
        """Send the headers of a reply, and return the reply."""
        reply = self.server.site.reply(
            unquote(urlsplit(self.path).path),
            base=self.server.base,
            gzip_accepted="gzip" in self.headers.get("Accept-Encoding", ""),
        )
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        return reply

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def serve(folder: Path = SITE, *, port: int = 0) -> Iterator[str]:
    """Serve a folder in a thread, by default on a free port; yield the URL."""
    with SiteServer(Site.load(folder), port=port) as server:
        # Shorter than the default, so that the server stops quickly.
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server.base
        finally:
            server.shutdown()
            thread.join()


def main() -> None:
    """Serve the bundled site until Ctrl-C."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "--port", type=int, default=8000, help="port number, 0 for a free one (default: 8000)"
    )
    with SiteServer(Site.load(SITE), port=parser.parse_args().port) as server:
        print(f"{server.base}/ (Ctrl-C stops it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
