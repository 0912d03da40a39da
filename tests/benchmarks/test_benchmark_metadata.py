"""The benchmark commands "metadata" and "whole"."""

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.metadata import is_same, outcome

STORY = "<p>It rained all day, and by night the river stood in the streets.</p>" * 5


@pytest.mark.parametrize(
    ("field", "given", "found", "same"),
    [
        ("title", "The Harbour’s Master", "the harbours master!", True),
        ("title", "Bridge closed until May", "Bridge closed", False),
        (
            "title",
            "One two three four five six seven eight nine ten",
            "one two three four five six seven eight nine",
            True,
        ),
        ("author", "Ann Lee & Bo Chen", "Bo Chen, Ann Lee", True),
        ("author", "Ann Lee", "Ann Lee, Bo Chen", False),
        ("date", "2025-03-01", "2025-03-01T10:00:00+01:00", True),
        ("date", "2025-03", "2025-03-01", True),
        ("date", "2025-03-01", "2025-03-02", False),
    ],
)
def test_metadata_value_matches_the_gold_value(
    field: str, given: str, found: str, same: bool
) -> None:
    assert is_same(field, given, found) is same


@pytest.mark.parametrize(
    ("given", "found", "expected"),
    [
        ("Ann Lee", "Ann Lee", "right"),
        ("Ann Lee", "Bo Chen", "wrong"),
        ("Ann Lee", None, "missing"),
        ("Ann Lee", "", "missing"),
        (None, "Ann Lee", "invented"),
        ("", "Ann Lee", "invented"),
        (None, None, "rightly none"),
    ],
)
def test_metadata_outcome_of_gold_and_found_value(
    given: str | None, found: str | None, expected: str
) -> None:
    assert outcome("author", given, found) == expected


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Write two pages with the same HTML; the gold values of the second do not match it."""
    html = f"<h1>Bridge closed</h1><p>By Ann Lee</p><p>March 1, 2025</p>{STORY}"
    page = {"id": "1", "url": None, "type": "article", "html": html, "text": "x"}
    right = {**page, "title": "Bridge closed", "author": "Ann Lee", "date": "2025-03-01"}
    wrong = {**page, "id": "2", "title": "Something else", "author": None, "date": "2024-01-01"}
    path = tmp_path / "tiny.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in (right, wrong)))
    return path


def test_metadata_command_counts_outcomes(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metadata", str(corpus), "--failures", "title"]) == 0
    output = capsys.readouterr().out
    rows = [line.split()[1:-1] for line in output.split("\n\n")[0].splitlines()[2:]]
    assert rows == [
        ["title", "scrapy-cetr", "0.500", "1", "1", "0", "0", "0"],
        ["author", "scrapy-cetr", "1.000", "1", "0", "0", "1", "0"],
        ["date", "scrapy-cetr", "0.500", "1", "1", "0", "0", "0"],
    ]
    assert output.splitlines()[-1].split() == [
        "2",
        "wrong",
        *["Something", "else", "Bridge", "closed"],
    ]


def test_metadata_command_refuses_a_corpus_without_metadata(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bare.jsonl"
    path.write_text(json.dumps({"id": "1", "url": None, "type": None, "html": "x", "text": "x"}))
    assert main(["metadata", str(path)]) == 2
    assert "gives no title, author, date" in capsys.readouterr().err


def test_metadata_command_names_an_unknown_peer(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["metadata", str(corpus), "--peers", "magic"]) == 2
    assert "unknown peer 'magic'; accepted: trafilatura, htmldate" in capsys.readouterr().err


def test_metadata_command_refuses_a_date_that_is_no_string(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus.write_text(corpus.read_text().replace('"2025-03-01"', "5"))
    assert main(["metadata", str(corpus)]) == 2
    assert "'date' has to be a string, not int" in capsys.readouterr().err


def test_whole_command_compares_the_time_with_that_of_the_text(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["whole", str(corpus), "--repeat", "1"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert rows[0][-1] == "1.00"
    assert len(rows) == 5
    assert all(float(row[-2]) > 0 for row in rows)
