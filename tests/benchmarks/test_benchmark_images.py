"""python -m benchmarks images: main images that are found, and junk."""

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.images import JudgedImages, has_picture, images_failure_table, images_row, is_junk

SENTENCE = "It rained all day, and by night the river stood in the streets of the old town. "
STORY = "".join(f"<p>{n} {SENTENCE * n}</p>" for n in range(2, 7))


def judged(main: str | None, images: list[str], shown: list[str]) -> JudgedImages:
    return JudgedImages(id="1", main=main, images=images, shown=shown)


def test_images_command_prints_a_row_per_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "<meta property=og:image content=https://courier.example/boat.jpg>"
    html = head + STORY.replace("<p>4 ", "<div><img src=/boat-300x200.jpg></div><p>4 ")
    page = {"id": "1", "url": "https://courier.example/", "type": None, "html": html, "text": "x"}
    corpus = tmp_path / "pages.jsonl"
    corpus.write_text(json.dumps(page) + "\n")
    assert main(["images", str(corpus), "--failures"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[2].split() == ["pages", "1", "1", "1.000", "1.000", "0.000", "1.0"]


@pytest.mark.parametrize(
    "url",
    ["https://a.example/logo.png", "https://a.example/icons/x.jpg", "https://a.example/x.svg"],
)
def test_junk_is_recognised_by_its_url(url: str) -> None:
    assert is_junk(url)


def test_main_image_counts_in_any_size() -> None:
    assert has_picture(["https://a.example/boat-300x200.jpg"], "https://b.example/boat.jpg")
    assert not has_picture(["https://a.example/bridge.jpg"], "https://b.example/boat.jpg")
    assert not has_picture([], None)


def test_row_and_failures_name_what_is_missing() -> None:
    boat, logo = "https://a.example/boat.jpg", "https://a.example/logo.png"
    pages = [judged(boat, [boat, logo], []), judged(None, [], [])]
    assert images_row("all", pages) == ["all", "2", "1", "1.000", "0.000", "0.500", "1.0"]
    failures = [list(row[1:]) for row in images_failure_table(pages).rows]
    assert failures == [["junk", logo], ["not shown", boat]]
