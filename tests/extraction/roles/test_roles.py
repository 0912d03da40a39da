"""Each row of an article has a role, and the text is composed of those among the parts."""

from __future__ import annotations

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.options import DEFAULT_PARTS, METHOD_NAMES, ROLES
from scrapy_cetr.extraction.roles.roles import find_roles

PARAGRAPHS = [
    f"<p>The {place} was closed on Monday, and the council said that it would stay so, because the"
    f" water had not fallen as fast as everyone had hoped.</p>"
    for place in ("bridge", "harbour", "market", "station", "theatre", "school")
]
BEFORE, AFTER = "".join(PARAGRAPHS[:3]), "".join(PARAGRAPHS[3:])


def article(inside: str, *, above: str = "") -> Article:
    """Extract an article with some markup amid its paragraphs, and some above them."""
    return extract(
        f"<title>Flood</title><article><h1>Flood</h1>{above}{BEFORE}{inside}{AFTER}</article>",
        url="http://news.example/flood",
    )


def role_of(found: Article, text: str) -> str | None:
    """Return the role of the block with a text, None if there is none."""
    return next((block.role for block in found.blocks if text in block.text), None)


def roles_of_all(html: str) -> dict[str, str | None]:
    """Return the role of each row by its text, as if the method had kept all rows."""
    page = read(html, rows="blocks", with_class_names=True)
    roles = find_roles(page, page.rows.chars > 0).tolist()
    texts = [
        page.text[begin:end].strip()
        for begin, end in zip(page.rows.start, page.rows.end, strict=True)
    ]
    pairs = zip(texts, roles, strict=True)
    return {text: ROLES[role] if role >= 0 else None for text, role in pairs if text}


@pytest.mark.parametrize(
    ("inside", "role"),
    [
        ("<h2>The night of the storm</h2>", "heading"),
        ("<ul><li>The night of the storm was long for all of us.</li></ul>", "list"),
        ("<dl><dt>The night of the storm</dt><dd>It was long for all of us.</dd></dl>", "list"),
        ("<blockquote>The night of the storm was long for all of us.</blockquote>", "quote"),
        ("<div class=pull-quote>The night of the storm was long for all of us.</div>", "quote"),
        (
            "<table><tr><th>Night<th>Metres<tr><td>The night of the storm<td>4.2</table>",
            "table",
        ),
        ("<pre>The night of the storm = 4.2</pre>", "code"),
        (
            "<figure><img src=a.jpg><figcaption>The night of the storm.</figcaption></figure>",
            "caption",
        ),
        (
            "<div class=image><img src=a.jpg><p class=caption>The night of the storm</p></div>",
            "caption",
        ),
        (
            "<blockquote class=twitter-tweet><p>The night of the storm.</p></blockquote>",
            "embed",
        ),
        (
            "<p class=correction>The night of the storm was the fourth, not the fifth of May.</p>",
            "note",
        ),
    ],
)
def test_role_comes_from_elements_and_class_names(inside: str, role: str) -> None:
    roles = roles_of_all(f"<article><h1>Flood</h1>{BEFORE}{inside}{AFTER}</article>")
    assert next(roles[text] for text in roles if "The night of the storm" in text) == role


@pytest.mark.parametrize(
    "line",
    [
        "<p>By Ann Lee</p>",
        "<p class=byline>Ann Lee, Harbour correspondent</p>",
        "<div class=post-meta><span>Ann Lee</span> <time>yesterday</time></div>",
        "<p>3 May 2024</p>",
        "<p>Von Ann Lee, 03.05.2024</p>",
        "<p>By Ann Lee in Washington, D.C.</p>",
        "<p>作者：李安</p>",
        "<p>2024年5月3日</p>",
        "<p>Автор: Анна Ли</p>",
        "<p>5 hours ago</p>",
    ],
)
def test_byline_is_not_in_the_text_by_default(line: str) -> None:
    found = article("", above=line)
    assert found.text.startswith("The bridge was closed")
    assert [block.role for block in found.blocks[:2]] == ["headline", "byline"]


@pytest.mark.parametrize(
    "line",
    [
        "<p>By then, the water had risen to the roofs of the houses.</p>",
        "<p>The storm of 1953.</p>",
    ],
)
def test_short_sentence_is_no_byline(line: str) -> None:
    assert line[3:-4] in article(line).text


def test_lead_is_in_the_text() -> None:
    found = article("", above="<p class=standfirst>The water fell too slowly for the council.</p>")
    assert found.text.startswith("The water fell too slowly")
    assert role_of(found, "too slowly") == "lead"


@pytest.mark.parametrize(
    "box",
    [
        "<div class=author-bio>Ann Lee has written about rivers and harbours for ten years.</div>",
        "<div class=newsletter-signup>Get the best of the Courier every morning, for free.</div>",
        "<div class='share-buttons'>Share this story with all of your friends today.</div>",
    ],
)
def test_boxes_are_no_part_of_the_article(box: str) -> None:
    found = article(box)
    text = box.partition(">")[2].rpartition("<")[0]
    assert text not in found.text
    assert role_of(found, text) is None


def test_captions_that_are_most_of_the_page_are_its_text() -> None:
    pictures = "".join(
        f"<figure><img src={place}.jpg><figcaption>The {place} after the storm, photographed by a"
        f" resident who had seen the water rise to the roof of the {place}.</figcaption></figure>"
        for place in (
            "bridge",
            "harbour",
            "market",
            "station",
            "theatre",
            "school",
            "church",
            "inn",
        )
    )
    roles = roles_of_all(f"<title>Flood in pictures</title><h1>Flood in pictures</h1>{pictures}")
    assert list(roles.values()) == ["headline", *["paragraph"] * 8]


def test_class_name_of_most_of_the_article_is_not_believed() -> None:
    inside = "".join(f"<div class=newsletter>{paragraph}</div>" for paragraph in PARAGRAPHS)
    assert extract(f"<h1>Flood</h1>{inside}").text.count("was closed on Monday") == 6


def test_comments_are_not_in_the_text() -> None:
    comments = "".join(
        f"<li class=comment><p>Reader {n} thinks that the council should have closed the bridge"
        f" much earlier than it did, and says so.</p></li>"
        for n in range(3)
    )
    found = extract(
        f"<h1>Flood</h1><article>{BEFORE}{AFTER}</article><ol class=comment-list>{comments}</ol>",
        favor="recall",
    )
    assert "Reader" not in found.text
    assert role_of(found, "Reader 1") == "comment"


def test_caption_and_picture_are_one_block() -> None:
    found = article(
        "<figure><img src=/a.jpg alt='A bridge'><figcaption>The bridge.</figcaption></figure>"
    )
    (figure,) = [block for block in found.blocks if block.role == "caption"]
    assert (figure.text, figure.image and figure.image.url) == (
        "The bridge.",
        "http://news.example/a.jpg",
    )


def test_blocks_carry_links_and_levels() -> None:
    found = article(
        "<h3>Maps of the river</h3><p>The council has printed these maps of the flooded streets:"
        "</p><ul><li>See <a href=/map>the map</a> of the river and of all streets that were"
        " closed on Monday.</li></ul>"
    )
    heading, item = (block for block in found.blocks if block.role in ("heading", "list"))
    assert heading.level == 3
    assert (item.level, item.links[0].text, item.links[0].url) == (
        1,
        "the map",
        "http://news.example/map",
    )


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_all_formats_have_the_words_of_the_parts(method: str) -> None:
    html = (
        f"<title>Flood</title><h1>Flood</h1><p>By Ann Lee</p>{BEFORE}<figure><img src=a.jpg>"
        f"<figcaption>The bridge on the day after.</figcaption></figure>{AFTER}"
    )
    for parts in (DEFAULT_PARTS, ROLES, ("paragraph",)):
        found = extract(html, method=method, parts=parts)
        words = found.text.split()
        assert "".join(found.markdown.replace("![](a.jpg)", "").split("#")).split() == words


def test_parts_must_be_roles() -> None:
    with pytest.raises(ValueError, match=r"parts must be a list of some of 'headline'.*'title'"):
        extract("<p>x", parts=("title",))
    with pytest.raises(ValueError, match="parts must be a list"):
        extract("<p>x", parts="headline")


def test_blocks_of_a_page_without_an_article_are_empty() -> None:
    assert extract("").blocks == ()
    assert extract("<nav><a href=/>Home</a></nav>").blocks is not None
