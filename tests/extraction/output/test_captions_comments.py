"""Captions and comments, which belong to an article but not to its body."""

import pytest

from scrapy_cetr import extract

STORY = "<p>It rained all day, and by night the river stood in the streets of the old town.</p>" * 6
COMMENT = "<p>I have lived here for forty years and have never seen so much water.</p>"


def test_captions_are_found_between_beginning_and_end_of_the_article() -> None:
    figure = (
        "<figure><img src=/{0}.png><figcaption>A {0}, <b>seen</b> from above</figcaption></figure>"
    )
    html = f"{STORY}{figure.format('boat')}{STORY}{figure.format('bridge')}{STORY}"
    assert extract(html).captions == ("A boat, seen from above", "A bridge, seen from above")
    assert extract(STORY).captions == ()


@pytest.mark.parametrize(
    "container",
    [
        '<div id="comments">{}</div>',
        '<section class="comment-list">{}</section>',
        '<ol class="commentlist"><li>{}</li></ol>',
        '<div id="disqus_thread">{}</div>',
        '<div class="post-comments"><div class="comment">{}</div></div>',
    ],
)
def test_comments_are_found_by_class_names(container: str) -> None:
    article = extract(STORY + container.format(COMMENT * 2) + "<div>Imprint</div>")
    assert article.comments.count("forty years") == 2
    assert "rained" not in article.comments
    assert "Imprint" not in article.comments


@pytest.mark.parametrize(
    "html",
    [
        '<a class="comments-link" href="#c">5 comments</a>',
        '<div class="comment-count">5 comments</div>',
        '<div class="commentary">A commentary on the flood</div>',
        '<body class="comments-open"><p>It rained.</p>',
    ],
)
def test_counts_links_and_other_words_are_not_comments(html: str) -> None:
    assert extract(html + STORY).comments == ""


def test_nested_comment_elements_are_read_once() -> None:
    inner = f'<div class="comment"><div class="comment-body">{COMMENT}</div></div>'
    html = f'{STORY}<div class="comments">{inner}{inner}</div>'
    assert extract(html).comments.count("forty years") == 2
