"""Images that are read one by one: each is what it is among all."""

from itertools import combinations

import numpy as np
import pytest

from scrapy_cetr.extraction.html.details import read_details

PARTS = (
    "<p>Rain.</p><img src=a.jpg>",
    "<img src=data:,><noscript><img src=b.jpg></noscript>",
    "<picture><source srcset='c.webp 900w'><source srcset='d.webp 1200w'><img src=c.jpg></picture>",
    "<source srcset='e.webp 900w'><p>Far</p><p>from</p><p>an</p><p>image.</p>",
    "<noscript><img src=f.jpg></noscript><img src=g.jpg>",
    "<amp-img src=h.jpg></amp-img><p>One</p><p>two</p><p>three.</p>",
    "<img src=i.jpg width=1><noscript><img src=j.jpg></noscript>",
    "<p>Rain<!-- -->and<!-- -->rain<noscript><img src=k.jpg></noscript>.</p><xmp>",
)


@pytest.mark.parametrize("parts", [*combinations(PARTS, 2), PARTS, PARTS[::-1]])
def test_image_read_alone_is_that_read_among_all(parts: tuple[str, ...]) -> None:
    page = read_details("".join(parts))
    images = page.page_images
    everything = page.images
    for tag in images.tags:
        found = images.read(np.array([tag]))
        assert found == {one: image for one, image in everything.items() if one == tag}


def test_images_are_found_by_their_html() -> None:
    far = "<p>One</p><p>two</p><p>three.</p>"
    html = f"<img src=a.jpg>{far}<source srcset='b.webp 9w'><img src=b.jpg>{far}<img src=c.jpg>"
    images = read_details(html).page_images
    found = images.are_written_as(images.tags, lambda written: "b.webp" in written)
    assert found.tolist() == [False, True, False]


def test_page_without_images() -> None:
    images = read_details("<p>Rain.").page_images
    assert images.tags.tolist() == []
    assert images.read(images.tags) == {}
    assert images.are_written_as(images.tags, bool).tolist() == []
