"""Image tags: the best URL that a tag offers."""

import pytest

from scrapy_cetr.extraction.html.details import read_details
from scrapy_cetr.extraction.html.image_tags import read_srcset


def urls(html: str) -> list[str]:
    return [image.url for image in read_details(html).images.values()]


@pytest.mark.parametrize(
    ("attributes", "url"),
    [
        ("src=a.jpg", "a.jpg"),
        ("src=a.jpg srcset='b.jpg 320w, c.jpg 1024w, d.jpg 640w'", "c.jpg"),
        ("src=a.jpg srcset='b.jpg 1x, c.jpg 2x'", "c.jpg"),
        ("src=a.jpg srcset='b.jpg'", "a.jpg"),
        ("srcset='b.jpg'", "b.jpg"),
        ("src=data:image/gif;base64,R0 data-src=b.jpg", "b.jpg"),
        ("src=small.jpg data-src=b.jpg", "b.jpg"),
        ("src=/img/spacer.gif data-original=b.jpg", "b.jpg"),
        ("src=/img/blank.gif data-lazy-src=b.jpg", "b.jpg"),
        ("data-srcset='b.jpg 300w, c.jpg 900w' src=data:,", "c.jpg"),
        ("data-src='https://cdn.example/{width}/b.jpg' src=a.jpg", "a.jpg"),
        (
            "srcset='https://cdn.example/w_300,h_200/b.jpg 300w'",
            "https://cdn.example/w_300,h_200/b.jpg",
        ),
        ("src=''", ""),
        ("src=/placeholder.png", ""),
        ("src='data:image/svg+xml,x'", ""),
    ],
)
def test_image_url_is_the_best_one_of_its_tag(attributes: str, url: str) -> None:
    assert urls(f"<p>Rain.<img {attributes}>") == [url]


@pytest.mark.parametrize(
    "attributes",
    [
        "width=1 height=1",
        "height=0",
        "width=2px",
        "style='width: 1px; height:1px'",
        "style=display:none",
    ],
)
def test_tracking_pixel_is_no_image(attributes: str) -> None:
    assert urls(f"<p>Rain.<img src=p.jpg {attributes}>") == []


def test_image_of_a_picture_has_the_url_of_its_widest_source() -> None:
    html = (
        "<picture><source media='(min-width: 9px)' srcset='wide.webp 1600w'>"
        "<source srcset='narrow.webp 400w'><img src=small.jpg></picture><img src=other.jpg>"
    )
    assert urls(html) == ["wide.webp", "other.jpg"]


def test_image_without_a_url_gets_that_of_its_copy_in_noscript() -> None:
    html = "<p>Rain.<img src=data:, alt=Boat><noscript><img src=boat.jpg></noscript>"
    (image,) = read_details(html).images.values()
    assert (image.url, image.alt) == ("boat.jpg", "Boat")


def test_copy_in_noscript_is_no_second_image() -> None:
    assert urls("<img data-src=boat.jpg><noscript><img src=boat-2.jpg></noscript>") == ["boat.jpg"]


def test_image_only_in_noscript_is_read() -> None:
    html = "<img src=a.jpg><p>One<p>Two<p>Three<noscript><img src=boat.jpg></noscript>"
    assert urls(html) == ["a.jpg", "boat.jpg"]


def test_image_has_its_size_and_names() -> None:
    (image,) = read_details(
        "<img src=a.jpg class=hero id=x width=640px height='100%'>"
    ).images.values()
    assert (image.names, image.width, image.height) == ("hero x", 640, None)


@pytest.mark.parametrize(
    "value", ["," * 20_000, " " * 20_000, "a " * 10_000, "1w," * 7_000, "a 1w," * 4_000]
)
def test_srcset_takes_linear_time(value: str) -> None:
    assert len(read_srcset(value)) <= 20_000
