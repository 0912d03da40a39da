"""Articles in special forms: live blogs with the times of their entries, and AMP pages."""

from __future__ import annotations

import pytest

from scrapy_cetr import extract

SENTENCE = "The water reached the {} of the old town, and the council told all people to leave. "
PLACES = ("bridge", "harbour", "market", "station", "theatre", "school")


@pytest.mark.parametrize(
    "entry",
    [
        "<article><time datetime=2024-05-03T{hour}:15>{hour}:15</time><p>{text}</p></article>",
        "<div class=entry><h3>{hour}:15</h3><p>{text}</p></div>",
        "<div class=post><p><b>{hour}:15</b> {text}</p></div>",
    ],
)
def test_entries_of_a_live_blog_have_their_times(entry: str) -> None:
    entries = [
        entry.format(hour=hour, text=SENTENCE.format(place) * 2)
        for hour, place in enumerate(PLACES, 10)
    ]
    html = f"<title>Flood: live</title><main><h1>Flood: live</h1>{''.join(entries)}</main>"
    lines = " ".join(extract(html).text.split())
    offsets = []
    for hour, place in enumerate(PLACES, 10):
        time, text = lines.find(f"{hour}:15"), lines.find(SENTENCE.format(place).strip())
        assert 0 <= time < text
        offsets += [time, text]
    assert offsets == sorted(offsets)


AMP = (
    "<!doctype html><html ⚡><head><meta charset=utf-8><title>Flood closes the bridge</title>"
    '<link rel=canonical href="https://news.example/flood">'
    "<style amp-boilerplate>body{visibility:hidden}</style>"
    "<script async src=https://cdn.ampproject.org/v0.js></script></head><body>"
    "<amp-sidebar id=menu layout=nodisplay><ul><li><a href=/>Home</a></ul></amp-sidebar>"
    "<article><h1>Flood closes the bridge</h1>"
    '<amp-img src="/flood.jpg" width=1200 height=800 layout=responsive alt="The flood"></amp-img>'
    + "".join(f"<p>{SENTENCE.format(place) * 2}</p>" for place in PLACES)
    + "<amp-ad width=300 height=250 type=a9></amp-ad></article></body></html>"
)


def test_amp_page_gives_its_article() -> None:
    article = extract(AMP, url="https://news.example/flood.amp")
    paragraphs = [(SENTENCE.format(place) * 2).strip() for place in PLACES]
    assert article.text == "\n\n".join(paragraphs)
    assert article.title == "Flood closes the bridge"


def test_amp_images_are_among_the_images() -> None:
    article = extract(AMP, url="https://news.example/flood.amp")
    assert [(image.url, image.alt) for image in article.images] == [
        ("https://news.example/flood.jpg", "The flood")
    ]
    assert "https://news.example/flood.jpg" in article.markdown
