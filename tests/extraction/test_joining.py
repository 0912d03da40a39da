"""join_articles(): one article of several pages."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_cetr import Article, extract, join_articles
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.joining import _key
from scrapy_cetr.extraction.options import DEFAULT_PARTS

HEAD = "<h1>The flood in the old town{mark}</h1><p><em>All that is known so far, in one place.</em>"
NOTE = "<p>Ann Lee reports from the north for this paper since 2019.</p>"
DAYS = ("Monday", "Tuesday", "Wednesday")


def sentence(day: str, n: int) -> str:
    return f"On {day} the water rose by {n} metres, and the mayor closed another of the bridges."


def part(number: int, *, mark: str = "") -> str:
    """Make one of three pages with the same head and the same note at the end."""
    day = DAYS[number - 1]
    body = "".join(f"<p>{sentence(day, n)}</p>" for n in range(1, 6))
    return (
        f'<html lang="en"><meta name="author" content="Ann Lee"><body><article>{HEAD}{body}'
        f'<p>See <a href="/map/{number}">the map</a> of {day}. <img src="/{number}.jpg"></p>'
        f"<ul><li>First of {day}</li><li>Second of {day}</li></ul>{NOTE}</article></body></html>"
    ).replace("{mark}", mark)


def pages(*numbers: int, mark: str = "") -> list[Article]:
    return [
        extract(
            part(n, mark=mark and mark.format(n)),
            url=f"http://x.example/story/{n}",
            parts=("headline", *DEFAULT_PARTS),
        )
        for n in numbers
    ]


@pytest.mark.parametrize("mark", ["", " (page {} of 3)", " – Seite {}", " {}/3"])
def test_joined_text_has_every_page_and_no_repetition(mark: str) -> None:
    text = join_articles(pages(1, 2, 3, mark=mark)).text
    paragraphs = text.split("\n\n")
    assert text.count("The flood in the old town") == 1
    assert text.count("All that is known so far") == 1
    assert [p for p in paragraphs if p.startswith("On ")] == [
        sentence(day, n) for day in DAYS for n in range(1, 6)
    ]
    assert paragraphs[0].startswith("The flood")
    assert text.count("Ann Lee reports") == 1
    assert paragraphs[-1].startswith("Ann Lee reports")


@pytest.mark.parametrize("attribute", ["markdown", "html"])
def test_joined_formats_have_the_words_of_the_text(attribute: str) -> None:
    joined = join_articles(pages(1, 2, 3))
    written = getattr(joined, attribute)
    assert written.count("The flood in the old town") == 1
    assert written.count("Ann Lee reports") == 1
    for day in DAYS:
        assert [written.count(sentence(day, n)) for n in range(1, 6)] == [1] * 5
        assert written.count(f"First of {day}") == 1
    if attribute == "html":
        # The list of one page does not continue that of another.
        assert (written.count("<ul>"), written.count("</ul>")) == (3, 3)


def test_joined_article_has_the_links_and_images_of_every_page_in_order() -> None:
    joined = join_articles(pages(1, 2, 3))
    assert [link.url for link in joined.links] == [f"http://x.example/map/{n}" for n in (1, 2, 3)]
    assert [image.url for image in joined.images] == [
        f"http://x.example/{n}.jpg" for n in (1, 2, 3)
    ]


def test_joined_blocks_have_the_headline_once_and_every_page() -> None:
    blocks = join_articles(pages(1, 2, 3)).blocks
    assert [block.role for block in blocks].count("headline") == 1
    texts = [block.text for block in blocks]
    assert all(sentence(day, 1) in texts for day in DAYS)


def test_joined_article_has_the_metadata_of_the_first_page() -> None:
    first, *others = pages(1, 2, 3)
    joined = join_articles([first, *others])
    assert (joined.url, joined.title, joined.authors) == (first.url, first.title, ("Ann Lee",))
    assert joined.page_chars == sum(page.page_chars for page in (first, *others))
    assert joined.sources == first.sources


def test_joined_article_of_one_page_is_that_page() -> None:
    (only,) = pages(1)
    assert join_articles([only]) is only


def test_joined_article_of_no_page_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one article"):
        join_articles([])


@pytest.mark.parametrize("numbers", [(1, 1), (1, 2, 1), (1, 2, 2)])
def test_page_that_is_served_again_adds_nothing(numbers: tuple[int, ...]) -> None:
    unique = join_articles(pages(*dict.fromkeys(numbers)))
    joined = join_articles(pages(*numbers))
    assert joined.text == unique.text
    assert joined.markdown == unique.markdown


def test_page_without_text_adds_nothing() -> None:
    (only,) = pages(1)
    empty = extract("<html></html>")
    assert join_articles([only, empty]).text == only.text
    assert join_articles([empty, only]).text == only.text


def test_joined_article_survives_pickle_and_to_dict() -> None:
    joined = join_articles(pages(1, 2))
    again = pickle.loads(pickle.dumps(joined))  # noqa: S301
    assert again.to_dict() == joined.to_dict()
    assert set(again.to_dict()) == {*ATTRIBUTES}


def test_joined_article_keeps_settled_attributes() -> None:
    joined = join_articles(pages(1, 2))
    settled = joined.settled(["markdown", "title"])
    assert (settled.markdown, settled.title) == (joined.markdown, joined.title)
    assert settled.html == ""


def test_settled_articles_are_joined_by_their_text() -> None:
    settled = [page.settled(["title"]) for page in pages(1, 2)]
    joined = join_articles(settled)
    assert joined.text == join_articles(pages(1, 2)).text
    assert sentence("Tuesday", 3) in joined.markdown
    assert joined.markdown.count("The flood in the old town") == 1


@pytest.mark.parametrize("paragraph", ["Page 2 of 3", "2/3", "Seite 2", "— page 2 —".strip("— ")])
def test_page_number_is_no_paragraph(paragraph: str) -> None:
    assert _key(paragraph) == ""


@given(st.lists(st.lists(st.sampled_from(["a b", "c", "d e f", "g 1/2", "h"])), min_size=1))
def test_joining_never_loses_a_paragraph(texts: list[list[str]]) -> None:
    parts = [Article(text="\n\n".join(paragraphs), method="cetr") for paragraphs in texts]
    joined = join_articles(parts).text.split("\n\n")
    assert {_key(p) for p in joined} >= {_key(p) for text in texts for p in text} - {""}


def test_page_numbers_are_found_in_linear_time() -> None:
    assert _key("- (" * 500_000 + "x")
