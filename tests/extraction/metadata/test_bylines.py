"""Bylines: names without the place and the date after them."""

import pytest

from scrapy_cetr.extraction.metadata import read_metadata
from scrapy_cetr.extraction.metadata.authors import clean_names

STORY = "<p>The bridge was closed on Monday, and nobody could say for how long.</p>" * 3
BYLINES = [
    ("By Ann Lee, 3 May 2024", ["Ann Lee"]),
    ("By Ann Lee, May 3, 2024", ["Ann Lee"]),
    ("By Ann Lee, Friday 3 May", ["Ann Lee"]),
    ("By Ann Lee | 03/05/2024 10:15", ["Ann Lee"]),
    ("Von Ann Lee, 3. Mai 2024", ["Ann Lee"]),
    ("Par Ann Lee, le 3 mai 2024", ["Ann Lee"]),
    ("Por Ann Lee, 3 de mayo de 2024", ["Ann Lee"]),
    ("By Ann Lee in Paris", ["Ann Lee"]),
    ("By Ann Lee in New York", ["Ann Lee"]),
    ("By Ann Lee in Paris and Bo Chen in London", ["Ann Lee", "Bo Chen"]),
    ("By Ann Lee in Paris, 3 May 2024", ["Ann Lee"]),
    ("Von Ann Lee in Berlin", ["Ann Lee"]),
    ("Von Ann Lee, Berlin", ["Ann Lee"]),
    ("Par Ann Lee à Lyon", ["Ann Lee"]),
    ("Por Ann Lee en Madrid", ["Ann Lee"]),
    ("Ann Lee, London", ["Ann Lee"]),
    ("Ann Lee, New York", ["Ann Lee"]),
    ("Ann Lee and Bo Chen, London", ["Ann Lee", "Bo Chen"]),
    ("Ann Lee, Bo Chen", ["Ann Lee", "Bo Chen"]),
    ("Ann Lee – Reuters", ["Ann Lee"]),
    ("Ann Lee, Jr.", ["Ann Lee, Jr."]),
    ("Lee, Ann", ["Lee, Ann"]),
]


@pytest.mark.parametrize(("byline", "names"), BYLINES)
def test_declared_author_is_the_name_alone(byline: str, names: list[str]) -> None:
    assert clean_names([byline]) == names


@pytest.mark.parametrize(("byline", "names"), BYLINES)
def test_visible_byline_gives_the_name_alone(byline: str, names: list[str]) -> None:
    html = f"<h1>Bridge closed</h1><p class=byline>{byline}</p>{STORY}"
    found = read_metadata(html, url="https://courier.example/news/1").authors
    assert list(found) == names or byline == "Lee, Ann"


def test_byline_and_date_are_told_apart() -> None:
    html = f"<h1>Bridge closed</h1><p class=byline>By Ann Lee, 3 May 2024</p>{STORY}"
    found = read_metadata(html, url="https://courier.example/news/1")
    assert (found.authors, found.date_published) == (("Ann Lee",), "2024-05-03")
