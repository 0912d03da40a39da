"""Frequent complaints about article extractors, with a page for each."""

import pytest

from scrapy_cetr import extract

LEAD = "The river rose in the night, and by the morning the old town stood under water again."
BODY = [
    "Nobody was hurt, said the mayor, who had been on her feet since the rain began to fall.",
    "By the end of the week the water should be gone, and with it most of the harvest here.",
    "Engineers had warned of it in spring, when a diver went down to look at the old pier.",
]
LAST = "And so the last boat of the evening left the quay without a single passenger on it."
STORY = "".join(f"<p>{text}</p>" for text in (LEAD, *BODY, LAST))


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_lead_and_last_paragraph_are_kept(name: str) -> None:
    written = getattr(extract(f"<h1>Flood</h1>{STORY}"), name)
    assert LEAD in written
    assert LAST in written


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_article_in_several_containers_is_kept_whole(name: str) -> None:
    parts = "".join(f"<section><div><p>{text}</p></div></section>" for text in (LEAD, *BODY, LAST))
    written = getattr(extract(f"<h1>Flood</h1>{parts}"), name)
    assert all(text in written for text in (LEAD, *BODY, LAST))


def test_lists_tables_and_headings_keep_their_structure() -> None:
    html = (
        f"<h1>Flood</h1>{STORY}<h2>Levels</h2>"
        "<table><tr><th>Town on the river</th><th>Level in the morning</th></tr>"
        "<tr><td>Tarnmouth harbour</td><td>four metres and ten</td></tr></table>"
        f"<ul><li>{BODY[0]}</li><li>{BODY[1]}</li></ul>{STORY}"
    )
    article = extract(html, method="cetr-tm", lam=0.25)
    assert "## Levels" in article.markdown
    assert "| Tarnmouth harbour | four metres and ten |" in article.markdown
    assert f"- {BODY[0]}\n- {BODY[1]}" in article.markdown
    assert "<th>Town on the river</th>" in article.html


def test_words_are_separated_at_block_tags_and_br_is_a_line_break() -> None:
    rain = "It rained in the hills, and it rained in the valley, for as long as anyone can think"
    html = f"<p>{rain},<br>by day.</p><div>{rain} back.</div><p>{rain} a<b>hea</b>d.</p>{STORY}"
    article = extract(html)
    assert article.text.startswith(f"{rain},\nby day.\n\n{rain} back.\n\n{rain} ahead.\n\n")
    assert article.markdown.startswith(
        f"{rain},\\\nby day.\n\n{rain} back.\n\n{rain} a**hea**d.\n\n"
    )
    assert article.html.startswith(
        f"<p>{rain},<br>by day.</p>\n<p>{rain} back.</p>\n<p>{rain} a<strong>hea</strong>d.</p>"
    )


def test_captions_are_available_separately() -> None:
    figure = "<figure><img src=/a.png><figcaption>A boat, photographed by Bo</figcaption></figure>"
    article = extract(f"{STORY}{figure}{STORY}", url="http://example.com/")
    assert article.captions == ("A boat, photographed by Bo",)


def test_comments_are_available_separately() -> None:
    html = f'{STORY}<div id="comments"><p>{"I have never seen so much water here. " * 4}</p></div>'
    assert "never seen" in extract(html).comments[0].text


def test_title_of_a_page_with_a_wrong_charset_is_decoded() -> None:
    page = f"<meta charset=utf-8><title>Müller: Größe</title><h1>Müller: Größe</h1>{STORY}"
    noise = "<p>" + "äöü " * 200 + "</p>"
    assert extract((page + noise).encode("cp1252")).title == "Müller: Größe"


@pytest.mark.parametrize(
    ("title", "text", "author", "byline"),
    [
        (
            "渔民回到港口",
            "渔民们在傍晚时分回到了港口，天气很好，风也不大，大家都很高兴。",
            "王小明",
            "作者：王小明",
        ),
        (
            "عودة الصيادين",
            "عاد الصيادون إلى الميناء في وقت متأخر من المساء بعد يوم طويل.",
            None,
            "",
        ),
        ("ชาวประมงกลับ", "ชาวประมงกลับมาถึงท่าเรือในช่วงเย็นหลังจากวันที่ยาวนาน", None, ""),
    ],
)
def test_pages_in_chinese_arabic_and_thai_are_extracted(
    title: str, text: str, author: str | None, byline: str
) -> None:
    html = f"<meta name=author content='{byline}'><h1>{title}</h1>" + f"<p>{text * 3}</p>" * 5
    article = extract(html)
    assert article.title == title
    assert article.authors == ((author,) if author else ())
    assert text in article.markdown
    assert text in article.html


def test_date_of_an_update_is_not_the_date_of_publication() -> None:
    html = f"<h1>Flood</h1><p>Published March 1, 2025</p><p>Updated March 9, 2025</p>{STORY}"
    article = extract(html)
    assert (article.date_published, article.date_modified) == ("2025-03-01", "2025-03-09")


@pytest.mark.parametrize(
    "junk",
    [
        '<span class="author">View all posts by</span>',
        '<meta name="author" content="https://www.facebook.com/courier">',
        '<div class="author-bio">She has written about rivers for years, and lives there.</div>',
        '<span class="author">Share</span>',
        '<p class="byline">By</p>',
    ],
)
def test_text_that_is_no_name_is_no_author(junk: str) -> None:
    assert extract(f"<h1>Flood</h1>{junk}{STORY}").authors == ()
