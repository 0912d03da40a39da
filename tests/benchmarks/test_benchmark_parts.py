"""The conventions of corpora, and the command that shows what articles consist of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.contenders import Contender
from benchmarks.conventions import ADDED, parts_of, with_parts
from scrapy_cetr.extraction.options import DEFAULT_PARTS, ROLES

SENTENCE = "The river rose in the night, and the people of the {} left their houses for the hills."
HTML = (
    "<title>A flood | News</title><h1>A flood</h1>"
    + "".join(f"<p>{SENTENCE.format(place)}</p>" for place in ("valley", "village", "town"))
    + "<figure><img src=a.jpg><figcaption>The old mill.</figcaption></figure>"
    + "".join(f"<p>{SENTENCE.format(place)}</p>" for place in ("harbour", "island", "city"))
)
PLACES = ("valley", "village", "town", "harbour", "island", "city")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus whose name is that of one with headlines."""
    text = "\n".join(["A flood", *map(SENTENCE.format, PLACES)])
    page = {"id": "1", "url": None, "type": "article", "html": HTML, "text": text}
    path = tmp_path / "waddle.jsonl"
    path.write_text(json.dumps(page) + "\n", encoding="utf-8")
    return path


def test_parts_command_shows_roles_and_where_headline_and_caption_are(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parts", str(corpus), "--jobs", "1"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if "waddle" in line]
    shares = dict(zip(ROLES, lines[0][2:], strict=True))
    # Two words of the headline, 3 of the caption, and 6 sentences of 18 words.
    assert (shares["headline"], shares["caption"], shares["paragraph"]) == ("1.8%", "2.7%", "95.6%")
    assert lines[1:] == [
        ["waddle", "headline", "1", "0.0%", "100.0%"],
        ["waddle", "caption", "1", "0.0%", "100.0%"],
    ]


@pytest.mark.parametrize(("parts", "recall"), [("corpus", "1.0000"), ("default", "0.9818")])
def test_accuracy_is_measured_with_the_parts_of_the_corpus(
    parts: str, recall: str, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["accuracy", str(corpus), "--methods", "learned", "--parts", parts, "--jobs", "1"]
    assert main(command) == 0
    # The headline has 2 of 110 words.
    assert capsys.readouterr().out.splitlines()[-1].split()[2:4] == ["1.0000", recall]


def test_conventions_add_known_parts_to_our_methods_only() -> None:
    assert {part for parts in ADDED.values() for part in parts} <= set(ROLES) - set(DEFAULT_PARTS)
    ours, peer = Contender("cetr", (("k", 4),)), Contender("trafilatura", is_peer=True)
    assert with_parts([ours, peer], "waddle") == [
        Contender("cetr", (("parts", (*DEFAULT_PARTS, "headline")), ("k", 4))),
        peer,
    ]
    assert parts_of("another") == DEFAULT_PARTS
