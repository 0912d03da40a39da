"""Threads are comments below an article, and the content of a forum."""

from __future__ import annotations

import pytest

from scrapy_cetr.extraction import extract

ARTICLE = (
    "<p>The council has closed the old bridge over the harbour for the whole of the winter, because"
    " two of its piers have cracks.</p>"
    "<p>Engineers will look at the piers in March, and the mayor expects the work to take a year,"
    " at a cost that nobody has named.</p>"
)


def remark(number: int) -> str:
    """Return a text that no other comment has."""
    return (
        f"I have walked over this bridge {number} times in thirty years, and nobody ever told me"
        f" that pier {number} was about to fall down, so the {number} people who are responsible"
        " for this should be ashamed."
    )


def comments(count: int) -> str:
    """Return comments that are longer than the article, without class names that say so."""
    return "".join(
        f'<div class="opBox" id="{number}"><div class="opHd"><span>Ann{number}</span>'
        f" <span>[2012-01-04 07:{number + 10}]</span></div>"
        f"<div class='opText'><p>{remark(number)}</p><p><a href='#{number}'>Reply</a></p></div>"
        "</div>"
        for number in range(count)
    )


@pytest.mark.parametrize("count", [3, 30])
def test_long_threads_below_an_article_are_not_in_its_text(count: int) -> None:
    html = f"<title>Bridge closed</title><h1>Bridge closed</h1>{ARTICLE}{comments(count)}"
    article = extract(html)
    assert "two of its piers have cracks" in article.text
    assert "should be ashamed" not in article.text
    assert len(article.comments) == count


def test_posts_of_a_forum_are_its_text() -> None:
    html = f"<title>Bridge - Harbour Forum</title><h1>Bridge</h1>{ARTICLE}{comments(30)}"
    text = extract(html).text
    assert "two of its piers have cracks" in text
    assert text.count("should be ashamed") == 30


def test_thread_without_an_article_is_the_text() -> None:
    html = f"<title>Bridge</title><h1>Bridge</h1><div>{comments(30)}</div>"
    assert extract(html).text.count("should be ashamed") == 30
