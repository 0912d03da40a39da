"""Pages of a hand-made site on which the default method keeps a box that does not belong."""

from __future__ import annotations

from pathlib import Path

STORIES = {
    "harbour": (
        "It was a long day at the harbour, and nobody went home before the last boat had come in.",
        "The weather was as bad as it had been forecast, and the ferry stayed in port until dusk.",
    ),
    "bridge": (
        "The lifting bridge will close for eleven weeks, because cracks were found in its arm.",
        "Lorries have to take the road along the river, which is an hour longer in the morning.",
    ),
    "library": (
        "The library opens on Sundays from May on, as a trial that the council pays for one year.",
        "Volunteers will lend the books, and a bus from the station will stop in front of it.",
    ),
}
BOX = (
    "Another long text about something that is related to this story, but is not a part of it.",
    "And a second one, which is as long as the first one, about a dog that found its way home.",
)


def story_page(name: str) -> str:
    """Return the page of a story, with a box of related texts after it."""
    paragraphs = "".join(f"<p>{text}</p>" for text in STORIES[name])
    box = "".join(f"<p>{text} ({name})</p>" for text in BOX)
    return (
        f"<html><head><title>The {name}</title>"
        f'<link rel="canonical" href="https://www.courier.example/{name}.html"></head><body>'
        f'<div class="page"><h1 class="head">The {name}</h1><div class="story">{paragraphs}</div>'
        f'<div class="box-text more post-17">{box}</div></div></body></html>'
    )


def write_site(folder: Path) -> list[Path]:
    """Write all pages of the site into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name in STORIES:
        file = folder / f"{name}.html"
        file.write_text(story_page(name), encoding="utf-8")
        files.append(file)
    return files
