"""What the URL of a picture tells."""

import pytest

from scrapy_cetr.extraction.html.picture_urls import is_junk_url, is_site_picture, picture_key

SITE = "https://courier.example"


@pytest.mark.parametrize(
    "other",
    [
        f"{SITE}/2024/harbour-bridge-300x200.jpg",
        f"{SITE}/2024/harbour-bridge-1024x.jpg?quality=80",
        f"{SITE}/2024/Harbour-Bridge.webp",
        f"{SITE}/2024/harbour-bridge@2x.png",
        f"{SITE}/2024/harbour-bridge-scaled.jpg",
        "https://cdn.example/w_640/harbour-bridge_640w.jpeg",
        "https://img.example/fit?url=https%3A%2F%2Fcourier.example%2Fharbour-bridge.jpg&w=3",
        "https://img.example/640/https://courier.example/2024/harbour-bridge.jpg",
    ],
)
def test_picture_key_is_the_same_in_other_sizes_and_on_other_hosts(other: str) -> None:
    assert picture_key(other) == picture_key(f"{SITE}/2024/harbour-bridge.jpg")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/2024/harbour.jpg", "/2024/bridge.jpg"),
        ("/harbour/1.jpg", "/bridge/1.jpg"),
        ("/harbour/main.jpg", "/bridge/main.jpg"),
        ("/a1b2/640x480.jpg", "/c3d4/640x480.jpg"),
    ],
)
def test_picture_key_differs_for_other_pictures(one: str, other: str) -> None:
    assert picture_key(SITE + one) != picture_key(SITE + other)


@pytest.mark.parametrize(
    "path",
    [
        *("/img/logo.png", "/img/site_logo.jpg", "/theme/CourierLogo.png", "/avatars/ann.jpg"),
        *("/icons/mail.png", "/share/facebook.png", "/emoji/1f600.png", "/img/spacer.gif"),
        *("/map.svg", "/2024/boat-120x90.jpg", "/ads/300.jpg", "/favicon.ico"),
    ],
)
def test_junk_is_recognised_by_its_url(path: str) -> None:
    assert is_junk_url(SITE + path)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/2024/boat.jpg",
            "/2024/logon-screen.jpg",
            "/2024/iconic-building.jpg",
            "/2cc5e7ad-547.jpg",
        ),
        *("/2024/boat-640x480.jpg", "/silicon/valley.jpg", "/2024/shared-flat.jpg"),
    ],
)
def test_other_pictures_are_no_junk(path: str) -> None:
    assert not is_junk_url(SITE + path)


@pytest.mark.parametrize(
    "name",
    [
        "logo.png",
        "courier-logo-square.jpg",
        "og-image.png",
        "default.jpg",
        "social-share.jpg",
        "fb.png",
    ],
)
def test_picture_of_the_site_is_recognised(name: str) -> None:
    assert is_site_picture(f"{SITE}/static/{name}")


def test_picture_of_an_article_is_not_one_of_the_site() -> None:
    assert not is_site_picture(f"{SITE}/default/files/social/harbour-bridge.jpg")


@pytest.mark.parametrize(
    "url", ["", "https://[", "http://a.example", "x" * 10_000, "https://a.example/" * 999]
)
def test_any_string_has_a_key(url: str) -> None:
    assert isinstance(picture_key(url), str)
    assert isinstance(is_junk_url(url), bool)
    assert isinstance(is_site_picture(url), bool)
