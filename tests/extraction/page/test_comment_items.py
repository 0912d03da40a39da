"""Comments are recognised by the shape of their thread, for roles and the list alike."""

from __future__ import annotations

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.extraction.roles.roles import find_roles

SENTENCE = "It rained all day, and by night the river stood in the streets of the old town. "
STORY = "<article>" + "".join(f"<p>{n} {SENTENCE * n}</p>" for n in range(2, 7)) + "</article>"
OPINIONS = (
    ("Ann Lee", "I have lived here for forty years and have never seen so much water."),
    ("bo_chen", "We went home by boat, and so did all of our neighbours."),
    ("Cy", "The council should have told us."),
)


def thread(item: str) -> str:
    """Return the markup of a thread: an item for each opinion."""
    return "".join(
        item.format(author=author, text=text, day=day)
        for day, (author, text) in enumerate(OPINIONS, 1)
    )


def listed(article: Article) -> list[tuple[str | None, str]]:
    return [(comment.author, comment.text) for comment in article.comments]


@pytest.mark.parametrize(
    "item",
    [
        "<div>{author}, 0{day}.05.2024 10:15<p>{text}</p><a href=#r>Reply</a></div>",
        "<li><p>{text}</p><p>{author} | May {day}, 2024</p><p>Report</p></li>",
        "<div><p>Zgłoś +18 / -16</p><p>{author}, 0{day}.05.12, 12:53:49</p><p>{text}</p></div>",
    ],
)
def test_thread_with_controls_is_recognised_without_class_names(item: str) -> None:
    article = extract(f"{STORY}<section>{thread(item)}</section>")
    assert listed(article) == list(OPINIONS)


@pytest.mark.parametrize(
    "item",
    [
        "<div class=comment><b>{author}</b><p>{text}</p></div>",
        "<dt>{author} said...</dt><dd>{text}</dd><dd>May {day}, 2024 10:15 PM</dd>",
        "<div class=item><p>{author}</p><p>{day}d</p><p>{text}</p><p>Reply Upvote</p></div>",
    ],
)
def test_thread_in_a_container_of_comments_has_names_and_texts(item: str) -> None:
    article = extract(f"{STORY}<div id=comments><h3>3 comments</h3>{thread(item)}</div>")
    assert listed(article) == list(OPINIONS)


@pytest.mark.parametrize(
    "around", ["<div id=comments><h2>Opinions</h2>{}<p>Log in to comment</p></div>", "<ul>{}</ul>"]
)
def test_rows_with_the_role_are_those_of_the_list(around: str) -> None:
    item = "<li><b>{author}</b> 0{day}.05.2024<p>{text}</p><a href=#r>Reply</a></li>"
    article = extract(STORY + around.format(thread(item)))
    rows = [block.text for block in article.blocks if block.role == "comment"]
    for author, text in listed(article):
        assert text in rows
        assert any(str(author) in row for row in rows)
    assert len(rows) == 2 * len(article.comments) == 2 * len(OPINIONS)


def test_thread_that_a_method_keeps_has_the_role_comment() -> None:
    item = "<div>{author}, 0{day}.05.2024 10:15<p>{text}</p><a href=#r>Reply</a></div>"
    page = read(f"{STORY}<section>{thread(item)}</section>", rows="blocks", with_class_names=True)
    roles = find_roles(page, page.rows.chars > 0)
    of_text = {page.row_text(row): int(role) for row, role in enumerate(roles)}
    assert all(ROLES[of_text[text]] == "comment" for _, text in OPINIONS)


def test_posts_of_a_forum_are_its_text() -> None:
    item = (
        "<div class=comment><b class=author>{author}</b> 0{day}.05.2024<p>{text} "
        + SENTENCE * 3
        + "</p><a href=#r>Reply</a></div>"
    )
    html = f"<h1>So much water</h1><p>What do you think?</p><div id=comments>{thread(item)}</div>"
    page = read(html, rows="blocks", with_class_names=True)
    roles = find_roles(page, page.rows.chars > 0)
    assert ROLES.index("comment") not in roles


def test_entries_of_a_live_blog_are_no_comments() -> None:
    entries = "".join(
        f"<div><time>{hour}:15</time><p>{SENTENCE}{SENTENCE}</p></div>" for hour in range(10, 20)
    )
    assert extract(f"<h1>Flood</h1><p>{SENTENCE * 3}</p><main>{entries}</main>").comments == ()


@pytest.mark.parametrize(
    "inside",
    [
        "<p>Title of comment *</p><p>2000 characters left for your words, use them well</p>",
        "<p>Share:</p><p>Tweet</p>",
        "<form><p>Ann Lee</p><p>May 3, 2024</p><p>Write what you think about it here</p></form>",
        "<ul><li><a href=/1>The longest title of another article of this site</a> May 3, 2024</ul>",
        "<h3>1 Response to “The flood and what came after it in the old town”</h3>",
    ],
)
def test_rows_around_a_form_are_no_comments(inside: str) -> None:
    article = extract(f"{STORY}<div class=comments>{inside}</div>")
    assert article.comments == ()
    assert all(block.role != "comment" for block in article.blocks)


@pytest.mark.parametrize(
    "item",
    [
        "<dt>{day} {author} 03.05.2024 at 10:15</dt><dd><p>{text}</p><p>Reply</p></dd>",
        "<li>{day}. {author} Says: May {day}, 2024 at 10:15 pm<div><p>{text}</p></div></li>",
        (
            "<div class=comment-header>https://a.example/u {author}</div>"
            "<div class=comment-body><p>{text}</p></div>"
        ),
        (
            "<div class=a><p>{text}</p><p>Add your comment | Report this comment</p></div>"
            "<div class=b><p>{author}</p><p>Monday, May {day}, 2024</p></div>"
        ),
    ],
    ids=["terms", "spoken", "named heads", "names below"],
)
def test_rows_that_name_the_writer_divide_a_thread_without_containers(item: str) -> None:
    # The element with the last name can be a part of its comment by its class name alone.
    item = item.replace("class=b", "class=comment-data").replace("class=a", "class=comment-detail")
    article = extract(f"{STORY}<div id=comments><h3>3 comments</h3>{thread(item)}</div>")
    assert listed(article) == list(OPINIONS)


def test_depth_of_comments_without_containers_is_that_of_their_lists() -> None:
    (ann, water), (bo, boats), _ = OPINIONS
    reply = f"<dl><dt>{bo} 4 May 2024</dt><dd><p>{boats}</p></dd></dl>"
    answer = f"<dt>Cy Day 5 May 2024</dt><dd><p>{SENTENCE}</p></dd>"
    items = f"<dt>{ann} 3 May 2024</dt><dd><p>{water}</p>{reply}</dd>{answer}"
    found = extract(f"{STORY}<div id=comments><dl>{items}</dl></div>").comments
    assert [(comment.author, comment.depth) for comment in found] == [
        (ann, 0),
        (bo, 1),
        ("Cy Day", 0),
    ]


@pytest.mark.parametrize(
    "row",
    [
        "Score: +8 [9]",
        "Report this comment (Comment number 9)",
        "Link to this comment",
        "Rate this",
    ],
)
def test_controls_and_ratings_are_no_text_of_a_comment(row: str) -> None:
    item = (
        f"<li class=comment><b>{{author}}</b> 0{{day}}.05.2024<p>{row}</p><p>{{text}}</p>"
        f"<p><a href=#x>{row}</a></p></li>"
    )
    article = extract(f"{STORY}<ol id=comments>{thread(item)}</ol>")
    assert listed(article) == list(OPINIONS)


@pytest.mark.parametrize(
    "html",
    [
        (
            "<div class='latest comments'><ul class=comments>"
            "<li>Never seen so much water by Bo</li>"
            "<li>We went home by boat as well by Ann</li></ul></div>"
        ),
        (
            "<div class=comments><div class=menu><h2>Blogs</h2><a href=/a>Around</a><br>"
            "<a href=/b>Sidelines</a></div><div class=menu><h2>Teams</h2><a href=/c>East</a><br>"
            "<a href=/d>West</a></div></div>"
        ),
        (
            "<div class=discussion><p>Jump to discussion</p>"
            "<p>The river stood in the streets of town</p></div>"
        ),
    ],
    ids=["on other pages", "menu", "title"],
)
def test_lists_around_comments_are_none(html: str) -> None:
    title = "<title>The river stood in the streets of town</title>"
    assert extract(f"{title}{STORY}{html}").comments == ()
