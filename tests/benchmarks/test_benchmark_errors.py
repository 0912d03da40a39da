"""Wrong arguments and files give an error of one line and exit code 2."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.peers import import_peer

PAGE = {"id": "1", "url": "http://example.com/", "type": "article", "html": "<p>a", "text": "a"}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.jsonl"
    pages = [PAGE, PAGE, {**PAGE, "type": "forum"}]
    path.write_text("".join(json.dumps(page) + "\n" for page in pages))
    return path


def expect_one_line(
    command: list[str], capsys: pytest.CaptureFixture[str], *fragments: str
) -> None:
    assert main(command) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("benchmarks: ")
    assert captured.err.count("\n") == 1
    for fragment in fragments:
        assert fragment in captured.err


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["--methods", "nosuch"], ["'nosuch'", "cetr, cetr-km, cetr-tm, coreex, qread, lineblock"]),
        (["--peers", "nosuch"], ["'nosuch'", "trafilatura", "all-text"]),
        (["--options", "lam"], ["'lam'", "key=value"]),
        (["--options", "nosuch=1"], ["nosuch"]),
        (["--methods", "cetr:nosuch=1"], ["nosuch"]),
        (["--methods"], ["nothing to measure", "cetr", "trafilatura"]),
        (["--type", "recipe"], ["'recipe'", "article (2)", "forum (1)"]),
        (["--limit", "0"], ["--limit", "'0' is given", "at least 1"]),
        (["--jobs", "many"], ["--jobs", "'many'", "at least 1"]),
        (["--nosuch"], ["--nosuch"]),
        (["--methods", "cetr", "--markdown", "/nosuch/table.md"], ["/nosuch/table.md"]),
    ],
)
def test_benchmark_with_a_wrong_argument_prints_one_line(
    corpus: Path,
    arguments: list[str],
    fragments: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    expect_one_line(["accuracy", str(corpus), *arguments], capsys, *fragments)


@pytest.mark.parametrize("command", [["nosuch"], [], ["growth", "--sizes", "-1"], ["accuracy"]])
def test_wrong_benchmark_command_prints_one_line(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    expect_one_line(command, capsys)


@pytest.mark.parametrize(
    ("content", "fragments"),
    [
        (b"", ["has no pages"]),
        (b"no json\n", ["line 1", "not JSON"]),
        (b"\n[1]\n", ["line 2", "object", "list"]),
        (b'{"id": "1", "html": "", "text": ""}\n', ["line 1", "lacks url, type", "id, url, type"]),
        (json.dumps({**PAGE, "html": None}).encode(), ["line 1", "'html'", "string", "NoneType"]),
        (b'{"id": "\xff"}\n', ["cannot be read", "UTF-8"]),
    ],
)
def test_corpus_with_a_wrong_line_prints_one_line(
    tmp_path: Path,
    content: bytes,
    fragments: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    expect_one_line(["speed", str(path)], capsys, str(path), *fragments)


# Without a time stamp: the content is in the name of the test, which has to be the same each run.
CUT = gzip.compress(b"{}" * 999, mtime=0)[:-9]


@pytest.mark.parametrize("content", [b"not gzipped", CUT, None])
def test_corpus_that_cannot_be_read_prints_one_line(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl.gz"
    if content is not None:
        path.write_bytes(content)
    expect_one_line(["accuracy", str(path)], capsys, str(path), "cannot be read", ".jsonl")


def test_missing_peer_prints_how_to_install_it(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    import_peer.cache_clear()
    command = ["accuracy", str(corpus), "--peers", "trafilatura"]
    expect_one_line(command, capsys, "trafilatura", "pip install 'scrapy-cetr[peers]'")
