"""The comments of readers, each with its author, date, text and depth."""

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.html.details import read_details
from scrapy_cetr.extraction.output.comments import Comment, find_comments
from testkit.timing import grows_linearly

SENTENCE = "It rained all day, and by night the river stood in the streets of the old town. "
STORY = "<article>" + "".join(f"<p>{n} {SENTENCE * n}</p>" for n in range(2, 7)) + "</article>"
WATER = "I have lived here for forty years and have never seen so much water."
BOATS = "We went home by boat."


def wordpress(text: str, author: str, date: str, depth: int, replies: str = "") -> str:
    return (
        f'<li class="comment even depth-{depth}" id=comment-9><article class=comment-body>'
        f"<footer class=comment-meta><div class='comment-author vcard'><b class=fn>{author}</b>"
        f" <span class=says>says:</span></div><a href=#c><time"
        f" datetime='{date}'>then</time></a></footer>"
        f"<div class=comment-content><p>{text}</p></div><div class=reply><a href=#r>Reply</a></div>"
        f"</article>{replies}</li>"
    )


def test_comments_of_a_common_theme_have_author_date_text_and_depth() -> None:
    reply = wordpress(BOATS, "Bo Chen", "2024-05-04T10:00:00+00:00", 2)
    first = wordpress(WATER, "Ann Lee", "2024-05-03", 1, f"<ol class=children>{reply}</ol>")
    html = f"{STORY}<div id=comments><h2>2 thoughts</h2><ol class=comment-list>{first}</ol></div>"
    assert extract(html).comments == (
        Comment("Ann Lee", "2024-05-03", WATER, 0),
        Comment("Bo Chen", "2024-05-04T10:00:00+00:00", BOATS, 1),
    )


@pytest.mark.parametrize(
    ("heading", "names", "texts", "dates"),
    [
        (
            "Kommentare",
            ["Jürgen", "Änne"],
            ["Das Wasser steht hoch.", "Wir fuhren Boot."],
            "03.05.2024 10:15",
        ),
        (
            "Комментарии",
            ["Иван", "Ольга"],
            ["Вода очень высокая.", "Мы плыли на лодке."],
            "03.05.2024",
        ),
        (
            "评论",
            ["小明", "李雷"],
            ["我从来没见过这么多水。", "我们是坐船回家的。"],
            "2024年5月3日",
        ),
        (
            "Σχόλια",
            ["Νίκος", "Ελένη"],
            ["Το νερό είναι πολύ ψηλά.", "Πήγαμε με βάρκα."],
            "2024-05-03",
        ),
        (
            "Comments",
            ["ann_lee", "Bo"],
            ["Never seen so much water.", "We went by boat."],
            "May 3, 2024",
        ),
    ],
)
def test_thread_is_recognised_without_class_names(
    heading: str, names: list[str], texts: list[str], dates: str
) -> None:
    items = "".join(
        f"<li><b>{name}</b> <i>{dates}</i><p>{text}</p></li>"
        for name, text in zip(names, texts, strict=True)
    )
    page = read_details(f"{STORY}<h3>{heading}</h3><ul>{items}</ul>")
    found = find_comments(page, page.rows.chars > len(SENTENCE))
    expected = [(name, dates, text) for name, text in zip(names, texts, strict=True)]
    assert [(one.author, one.date, one.text) for one in found] == expected


def test_teasers_after_the_article_are_no_thread() -> None:
    items = "".join(
        f"<li><span>Ann Lee</span> <time>2024-05-0{n}</time>"
        f"<p><a href=/{n}>The bridge number {n} is open for all cars again</a></p><p>It is"
        f" long.</p></li>"
        for n in range(1, 6)
    )
    assert extract(f"{STORY}<ul>{items}</ul>").comments == ()


def test_depth_of_nested_elements_is_counted() -> None:
    def item(name: str, inner: str = "") -> str:
        return (
            f"<div class=comment><span class=author>{name}</span><time datetime=2024-05-03></time>"
            f"<p>{name} has seen the water.</p>{inner}</div>"
        )

    thread = item("Ann", item("Bo", item("Cy"))) + item("Di")
    html = f"{STORY}<section class=comments>{thread}</section>"
    assert [(one.author, one.depth) for one in extract(html).comments] == [
        *(("Ann", 0), ("Bo", 1), ("Cy", 2), ("Di", 0))
    ]


@pytest.mark.parametrize(
    "form",
    [
        "<h3>Leave a comment</h3><form><p>Your e-mail address will not be shown.</p></form>",
        "<p>You must be logged in to post a comment on this article of ours.</p>",
        "<p>Bitte melden Sie sich an. Jetzt anmelden und einen Kommentar schreiben oder lesen.</p>",
        "<p>Soyez le premier à laisser un commentaire sur cet article du journal.</p>",
        "<p>登录后发表评论，请遵守法律法规，文明上网，理性发言。</p>",
        "<h3>3 comments</h3>",
        "",
    ],
)
def test_comments_are_empty_where_there_is_only_a_form(form: str) -> None:
    assert extract(f"{STORY}<div id=comments class=comments-area>{form}</div>").comments == ()


@pytest.mark.parametrize(
    "container",
    [
        '<div id="comments">{}</div>',
        '<section class="comment-list">{}</section>',
        '<ol class="commentlist"><li>{}</li></ol>',
        '<div id="disqus_thread">{}</div>',
        '<div class="post-comments"><div class="comment">{}</div></div>',
        '<div class="kommentare">{}</div>',
    ],
)
def test_comments_without_names_are_found_by_class_names(container: str) -> None:
    article = extract(STORY + container.format(f"<p>{WATER}</p>") + "<div>Imprint</div>")
    assert article.comments == (Comment(None, None, WATER, 0),)


@pytest.mark.parametrize(
    "html",
    [
        '<a class="comments-link" href="#c">5 comments</a>',
        '<div class="comment-count">5 comments</div>',
        f'<div class="commentary">A commentary on the flood. {WATER}</div>',
        f'<div class="recent-comments">{WATER}</div>',
        '<body class="comments-open"><p>It rained.</p>',
    ],
)
def test_counts_links_and_other_words_are_not_comments(html: str) -> None:
    assert extract(html + STORY).comments == ()


@pytest.mark.parametrize("favor", ["article", "precision", "recall"])
def test_comments_are_never_also_in_the_text(favor: str) -> None:
    items = "".join(
        wordpress(f"{n} {WATER} {SENTENCE * n}", "Ann", "2024-05-03", 1) for n in (1, 2, 3)
    )
    article = extract(f"{STORY}<div id=comments><ol>{items}</ol></div>", favor=favor)  # type: ignore[arg-type]
    for comment in article.comments:
        assert comment.text not in article.text
    assert article.comments or favor == "recall"


def test_comments_are_dicts_in_json() -> None:
    html = f"{STORY}<div id=comments>{wordpress(WATER, 'Ann Lee', '2024-05-03', 1)}</div>"
    assert extract(html).to_dict("comments") == {
        "comments": [{"author": "Ann Lee", "date": "2024-05-03", "text": WATER, "depth": 0}]
    }


@pytest.mark.parametrize(
    "part",
    [
        "<div class=comment>x",
        "<div class=comment>x</div>",
        "<div class=comment><b class=author>Ann</b><time>2024-05-03</time><p>x y z</div>",
        "<li><b>Ann</b> 10:15<p>It was high.</li>",
    ],
)
def test_comments_of_a_large_page_take_linear_time(part: str) -> None:
    def find(count: int) -> None:
        assert extract(STORY + part * count).comments is not None

    assert grows_linearly(find, size=2_000, short=0.8)
