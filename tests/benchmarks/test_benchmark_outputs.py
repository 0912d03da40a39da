"""The benchmark command "outputs": hashes of everything extracted, recorded and compared."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from benchmarks.__main__ import main
from benchmarks.outputs import VARIANTS, digest, hash_fields, load_record
from scrapy_cetr.extraction import METHODS
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.options import FAVORS

STORY = "<p>It rained all day, and by night the river stood in the streets.</p>" * 5


def write_corpus(path: Path, *titles: str) -> str:
    """Write a corpus of pages that differ only in their titles."""
    page = {"id": "same", "url": "http://example.com/", "type": None, "text": "x"}
    pages = [{**page, "html": f"<h1>{title}</h1>{STORY}"} for title in titles]
    path.write_text("".join(json.dumps(page) + "\n" for page in pages))
    return str(path)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Record the outputs of three pages with the same id."""
    corpus = write_corpus(tmp_path / "tiny.jsonl", "One", "Two", "Three")
    path = tmp_path / "record.json.gz"
    assert main(["outputs", corpus, "--record", str(path), "--jobs", "1"]) == 0
    return path


def compare(record: Path, *arguments: str) -> int:
    corpus = str(record.with_name("tiny.jsonl"))
    return main(["outputs", corpus, "--compare", str(record), "--jobs", "1", *arguments])


def test_outputs_record_has_all_methods_favors_and_attributes(record: Path) -> None:
    assert {options["method"] for options in VARIANTS.values()} == set(METHODS)
    assert {options.get("favor", "article") for options in VARIANTS.values()} == set(FAVORS)
    recorded = load_record(record).pages
    assert list(recorded) == ["tiny/0/same", "tiny/1/same", "tiny/2/same"]
    for hashes in recorded.values():
        assert hashes.keys() == VARIANTS.keys()
        assert all(tuple(fields) == ATTRIBUTES for fields in hashes.values())


def test_outputs_command_prints_the_number_of_recorded_pages(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = str(record.with_name("tiny.jsonl"))
    assert main(["outputs", corpus, "--record", str(record), "--jobs", "1", "--every", "3"]) == 0
    hashes = str(len(VARIANTS) * len(ATTRIBUTES))
    assert capsys.readouterr().out.splitlines()[-1].split() == ["tiny", "1", hashes]


@pytest.mark.parametrize("arguments", [(), ("--every", "2"), ("--limit", "1")])
def test_outputs_of_the_same_pages_have_no_differences(
    record: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(record, *arguments) == 0
    assert " pages, 0 differences" in capsys.readouterr().out


def test_outputs_differences_are_counted_by_method_and_field(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_corpus(record.with_name("tiny.jsonl"), "One", "Zwei", "Drei")
    capsys.readouterr()
    assert compare(record) == 1
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:-1]]
    assert ["cetr", "title", "tiny/1/same", "2"] in rows
    assert ["learned,", "recall", "title", "tiny/1/same", "2"] in rows
    assert not any("date_published" in row for row in rows)


def test_outputs_of_a_page_that_was_not_recorded_are_an_error(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_corpus(record.with_name("tiny.jsonl"), "One", "Two", "Three", "Four")
    assert compare(record) == 2
    assert "page tiny/3/same is not in the record" in capsys.readouterr().err


def test_outputs_attribute_that_only_one_version_has_is_named_and_not_compared(
    record: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.outputs.ATTRIBUTES", (*ATTRIBUTES, "mood"))
    assert compare(record) == 0
    assert "only one version has them: mood\n" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"not gzipped", b"\x1f\x8b\x08"])
def test_outputs_file_that_is_no_record_is_an_error(
    record: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    record.write_bytes(content)
    assert compare(record) == 2
    assert "a file written by --record is expected" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [(), ("--record", "a", "--compare", "b")])
def test_outputs_command_either_records_or_compares(
    tmp_path: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["outputs", write_corpus(tmp_path / "tiny.jsonl", "One"), *arguments]) == 2
    assert "--compare" in capsys.readouterr().err


class Pair(NamedTuple):
    """A value as articles have them in links and images."""

    one: str
    two: str


def test_digest_does_not_depend_on_names_of_types_or_order_of_keys() -> None:
    assert digest((Pair("a", "b"),)) == digest([["a", "b"]])
    reordered: Mapping[str, int] = MappingProxyType({"b": 2, "a": 1})
    assert digest(reordered) == digest({"a": 1, "b": 2})
    assert digest("a\ud800") != digest("a")


def test_exceptions_are_hashed_in_place_of_values() -> None:
    class Failing:
        text = "x"

        @property
        def title(self) -> str:
            raise ValueError("no title")

    fields = ("text", "title")
    assert hash_fields(Failing, fields) == {
        "text": digest("x"),
        "title": digest(["ValueError", "no title"]),
    }

    def fail() -> Failing:
        raise ValueError("no title")

    assert hash_fields(fail, fields) == dict.fromkeys(fields, digest(["ValueError", "no title"]))
