"""Evidence: what stood on other pages of the site is dropped, and articles are not."""

from __future__ import annotations

import pytest

from scrapy_cetr.extraction.article import extract_article
from scrapy_cetr.extraction.memory.evidence import PageEvidence
from scrapy_cetr.extraction.memory.site import SiteMemory
from scrapy_cetr.extraction.options import Options

BOX = (
    "Subscribers read the harbour letter every Sunday, with a look behind the scenes of the port.",
    "It is written by our editors on the quay, who talk to captains, pilots and fishermen.",
)
SUBJECTS = ("ferry", "bridge", "library", "market", "regatta", "storm")


def page_of(subject: str) -> str:
    """Return a page with an article, and a box that stands on all pages of the site."""
    story = "".join(
        f"<p>The {subject} was the talk of the town on day {day} of the {subject}, and a crowd"
        f" stood at the {subject} until the {('morning', 'noon', 'night')[day]}.</p>"
        for day in range(3)
    )
    box = "".join(f"<p>{text}</p>" for text in BOX)
    return f"<title>The {subject}</title><h1>The {subject}</h1><div>{story}</div><div>{box}</div>"


def extracted(html: str, memory: SiteMemory, *, learns: bool = True) -> str:
    evidence = PageEvidence(memory)
    text = extract_article(html, url=None, options=Options(), evidence=evidence).text
    if learns and evidence.seen is not None:
        memory.learn(evidence.seen)
    return text


def test_box_on_several_pages_is_dropped_and_articles_stay() -> None:
    memory = SiteMemory()
    texts = [extracted(page_of(subject), memory) for subject in SUBJECTS]
    assert BOX[0] in texts[0]
    for subject, text in zip(SUBJECTS, texts, strict=True):
        assert text.count("until the") == 3, subject
    assert BOX[0] not in texts[-1]
    # With a warm memory, the first page profits too.
    assert BOX[0] not in extracted(page_of(SUBJECTS[0]), memory)


def test_article_under_several_urls_is_no_template() -> None:
    memory = SiteMemory()
    first = extracted(page_of("ferry"), memory)
    assert [extracted(page_of("ferry"), memory) for _ in range(5)] == [first] * 5
    assert memory.pages == 1


@pytest.mark.parametrize("html", ["", "<p>", "text", "<p>one</p>" * 3])
def test_pages_without_rows_are_no_problem(html: str) -> None:
    memory = SiteMemory()
    for _ in range(3):
        extracted(html, memory)
    assert memory.pages <= 3
