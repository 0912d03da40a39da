"""The server of the bundled site."""

import gzip
import json
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import pytest
from serve import SITE, serve

RULES: dict[str, Any] = json.loads((SITE / "server.json").read_bytes())


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with serve() as url:
        yield url


def fetch(
    base: str, path: str, *, method: str = "GET", accept: str = ""
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(urlsplit(base).netloc)
    with closing(connection):
        connection.request(method, path, headers={"Accept-Encoding": accept})
        reply = connection.getresponse()
        return reply, reply.read()


@pytest.mark.parametrize(("source", "target"), RULES["redirects"].items())
def test_server_redirects(base: str, source: str, target: str) -> None:
    reply, body = fetch(base, source)
    assert (reply.status, reply.headers["Location"], body) == (301, target, b"")


@pytest.mark.parametrize("path", RULES["gzip"])
def test_server_compresses_only_if_the_client_accepts_it(base: str, path: str) -> None:
    content = (SITE / path[1:]).read_bytes()
    reply, body = fetch(base, path, accept="deflate, gzip")
    assert (reply.headers["Content-Encoding"], gzip.decompress(body)) == ("gzip", content)
    reply, body = fetch(base, path)
    assert (reply.headers["Content-Encoding"], body) == (None, content)


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        *RULES["content_types"].items(),
        ("/news/index.html", "text/html; charset=utf-8"),
        ("/files/report.pdf", "application/pdf"),
        ("/api/latest.json", "application/json"),
        ("/images/harbour.png", "image/png"),
        ("/sitemap.xml", "application/xml"),
    ],
)
def test_server_sends_content_types(base: str, path: str, content_type: str) -> None:
    reply, body = fetch(base, path, method="HEAD")
    assert (reply.status, reply.headers["Content-Type"], body) == (200, content_type, b"")


@pytest.mark.parametrize(
    "path",
    [*RULES["not_found"], "/nothing.html", "/news", "/server.json", "/../serve.py", "/%2e%2e/x"],
)
def test_server_answers_404_for_missing_and_private_files(base: str, path: str) -> None:
    assert fetch(base, path)[0].status == 404


@pytest.mark.parametrize("path", RULES["base_placeholder"])
def test_server_replaces_the_base_placeholder_by_its_url(base: str, path: str) -> None:
    content = (SITE / path[1:]).read_bytes()
    assert fetch(base, path)[1] == content.replace(b"{base}", base.encode())


def test_server_sends_index_html_for_a_folder(base: str) -> None:
    assert fetch(base, "/?from=feed")[1] == (SITE / "index.html").read_bytes()
    assert fetch(base, "/news/")[1] == (SITE / "news/index.html").read_bytes()
