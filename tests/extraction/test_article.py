"""Articles of pages, and properties that hold for any page."""

import json
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scrapy_cetr
from scrapy_cetr.extraction import METHODS, Article, extract
from scrapy_cetr.extraction.article import LAZY, STORED
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.html.reader import RowKind, read
from scrapy_cetr.extraction.output.text import write_text
from testkit.invariants import (
    check_bytes,
    check_clean,
    check_page,
    is_invisible,
    is_subsequence,
    squeeze,
    without_markers,
)

TOWNS = ("Ash", "Beck", "Cove", "Dale", "Elm", "Ford", "Glen", "Hill")
DAYS = ("Monday", "Tuesday", "Thursday", "Sunday")
RAIN = "It rained all day, and by night the river stood in the streets of"
END = "By the end of the week the water should be gone, and with it most of the harvest of"
MENU = "".join(f"<li><a href='/{n}'>Entry {n}</a></li>\n" for n in range(40))
STORY = "\n".join(
    f"<p>{RAIN} {town}. Nobody was hurt there, said the mayor of {town}. {END} {town}.</p>"
    for town in TOWNS
)
LIST = f"<div>\n<div>\n<ul>\n{MENU}</ul>\n</div>\n</div>\n"
PAGE = f"<html><body>{LIST}<div>\n<h1>Flood</h1>\n{STORY}\n</div>\n{LIST}</body></html>"


# The article


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", METHODS)
def test_extract_keeps_the_story_and_drops_the_menu(method: str, rows: RowKind) -> None:
    article = extract(PAGE, method=method, rows=rows, sigma=2)
    assert article.text.count(RAIN) == len(TOWNS)
    assert article.text.endswith(f"{END} {TOWNS[-1]}.") or "Entry" in article.text[-40:]
    assert article.text.count("Entry") < 20


def test_article_has_url_method_and_page_chars() -> None:
    article = extract("<p>one two</p>", url="http://example.com/", method="cetr-km")
    assert article.url == "http://example.com/"
    assert article.method == "cetr-km"
    assert article.page_chars == 7
    assert extract("").url is None


def test_words_counts_words_and_ideographs() -> None:
    assert extract("one two, three").words == 3
    assert extract("日本語 text").words == 4
    assert extract("").words == 0


def test_article_with_fewer_words_than_min_words_is_short() -> None:
    assert not extract("one two").short
    assert extract("one two", min_words=3).short
    assert not extract("one two", min_words=2).short


def test_page_longer_than_max_size_is_truncated() -> None:
    article = extract("one two three", max_size=7)
    assert (article.text, article.truncated) == ("one two", True)
    assert not extract("one two", max_size=7).truncated


def test_article_is_comparable_hashable_picklable_and_frozen() -> None:
    article = extract(PAGE)
    assert article == extract(PAGE)
    assert pickle.loads(pickle.dumps(article)) == article  # noqa: S301
    assert len({article, extract(PAGE)}) == 1
    with pytest.raises(FrozenInstanceError):
        article.text = ""  # type: ignore[misc]


# As a dict

RICH = f"""<html lang=en><head><title>Flood | Courier</title>
<meta name=author content="Ann Lee"><meta property=og:site_name content=Courier>
<meta property=article:published_time content=2024-03-05></head>
<body><nav class=breadcrumb><a href=/>Home</a><a href=/news>News</a></nav>{LIST}
<h1>Flood</h1>{STORY}<p><img src=/b.png alt="A boat">See <a href=/map>the map</a>.</p>{STORY}
</body></html>"""


def test_attributes_are_those_of_the_class() -> None:
    assert (*STORED, "words", *LAZY) == ATTRIBUTES


def test_to_dict_has_all_attributes_and_survives_json() -> None:
    article = extract(RICH, url="https://courier.example/flood")
    values = article.to_dict()
    assert tuple(values) == ATTRIBUTES
    assert json.loads(json.dumps(values)) == values
    assert (values["title"], values["authors"]) == ("Flood", ["Ann Lee"])
    assert (values["date_published"], values["language"]) == ("2024-03-05", "en")
    assert (values["site_name"], values["words"]) == ("Courier", article.words)
    assert values["links"] == [{"text": "the map", "url": "https://courier.example/map"}]
    assert values["images"] == [
        {"url": "https://courier.example/b.png", "alt": "A boat", "caption": ""}
    ]
    assert values["breadcrumbs"][0] == {"name": "Home", "url": "https://courier.example/"}
    assert values["sources"]["title"]
    assert values["markdown"] == article.markdown


def test_to_dict_has_every_public_attribute_of_an_article() -> None:
    methods = {"is_article", "to_dict", "settled", "reviving"}
    public = {name for name in dir(Article) if not name.startswith("_")} - methods
    assert set(Article(method="cetr").to_dict()) == public


def test_to_dict_has_only_the_named_attributes_in_that_order() -> None:
    article = extract(RICH)
    assert [*article.to_dict("words", "title").items()] == [
        ("words", article.words),
        ("title", "Flood"),
    ]


def test_to_dict_refuses_an_unknown_attribute_and_lists_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"^unknown attribute 'author'; the attributes are text, "):
        extract("").to_dict("title", "author")


# Bad input


@pytest.mark.parametrize(
    ("html", "name"),
    [
        (None, "NoneType"),
        (7, "int"),
        (["<p>"], "list"),
        (bytearray(b"<p>"), "bytearray"),
        (memoryview(b"<p>"), "memoryview"),
        (object(), "object"),
    ],
)
def test_extract_refuses_anything_but_str_and_bytes(html: Any, name: str) -> None:
    with pytest.raises(TypeError, match=f"^html must be str or bytes, not {name}$"):
        extract(html)


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "html",
    ["", b"", " \n ", "\x00", "\ufeff", b"\xef\xbb\xbf", b"\xff\xfe", "<p></p>", "<!-- x -->"],
)
def test_article_of_an_empty_page_is_empty(html: str | bytes, method: str, rows: RowKind) -> None:
    article = extract(html, method=method, rows=rows)
    # Without the stamps of a browser, "clg" is "learned".
    used = "learned" if method == "clg" else method
    assert replace(article, probability=None) == Article(method=used)
    assert (article.probability or 0) < 0.01


NOISE = random.Random(1).randbytes(20_000)


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "data",
    [
        NOISE,
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + NOISE,
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Type/Catalog>>stream\n" + NOISE + b"\nendstream",
        b"\xff" * 1000,
        b"\x80\x81<p>\xfe\xff</p>\xc3",
        b"\x00\x01\x02" * 1000,
    ],
    ids=["noise", "png", "pdf", "ff", "broken", "controls"],
)
def test_extract_accepts_binary_data(data: bytes, method: str, rows: RowKind) -> None:
    text = extract(data, method=method, rows=rows).text
    assert not any(char in text for char in "\x00\x07\x7f\xad\ufeff")


def test_text_has_no_lone_surrogates() -> None:
    assert extract("<p>a\ud800b \udfff c").text.encode() == b"ab c"


# Determinism and threads


def test_extract_is_deterministic() -> None:
    for method in METHODS:
        assert extract(PAGE, method=method) == extract(PAGE, method=method)


def test_extract_is_thread_safe() -> None:
    pages = [PAGE.replace("river", f"river {n}") * (n % 3 + 1) for n in range(24)]
    alone = [extract(page) for page in pages]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(extract, pages * 3)) == alone * 3


@pytest.mark.parametrize("module", ["scrapy_cetr.extraction", "scrapy_cetr"])
def test_extract_does_not_import_scrapy(module: str) -> None:
    code = (
        f"import sys, {module}; {module}.extract('<p>x'); "
        "sys.exit(any(name.partition('.')[0] in ('scrapy', 'twisted') for name in sys.modules))"
    )
    folder = scrapy_cetr.__path__[0].rpartition("/")[0]
    assert subprocess.run([sys.executable, "-c", code], cwd=folder).returncode == 0  # noqa: S603


# Properties of any page

TAGS = (
    "<p> </p> <P> <div> </div> <br> <BR/> <li> </li> <ul> </ul> <td> <tr> <table> </table> <b> </b>"
    " <i> </i> <a> </a> <span> </span> <img> <h1> </h1> <pre> </pre> <x> </x> <x-y> <hr> <wbr>"
    " <script> </script> <style> </style> <title> </title> <textarea> </textarea> <select> <option>"
    " </select> <form> </form> <div/class=nav> <svg> </svg> <svg/> <template>"
    " </template> <noscript> </noscript> <plaintext>"
)
BROKEN = "<!-- --> <!--> <!> <!x> <?x ?> <![CDATA[ ]]> < > </ <p <a/ \" ' = =\" =' <a/b=\" <a/b='"
ENTITIES = "& &amp; &lt; &gt; &nbsp; &shy; &#0; &#10; &#x41; &#xD800; &bogus; &#"
WORDS = "one two Three é 中文 かな ไทย שלום 👍 . , x1 long-word it's"
SPACES = (" ", "\n", "\r\n", "\t", "\n\n", "\xa0", "\xad", "\x00", "\u200b", "\u3000", "\ufeff")
PIECES = (
    st.sampled_from(TAGS.split())
    | st.sampled_from(BROKEN.split())
    | st.sampled_from(ENTITIES.split())
    | st.sampled_from(SPACES)
    | st.sampled_from(WORDS.split())
)
SOUP = st.lists(PIECES, max_size=60).map("".join)
OPTIONS = st.fixed_dictionaries(
    {
        "rows": st.sampled_from(["blocks", "lines"]),
        "method": st.sampled_from(sorted(METHODS)),
        "sigma": st.sampled_from(["std", 0, 0.5, 2, 7.0]),
        "k": st.sampled_from([2, 3, 10]),
        "lam": st.sampled_from([0, 0.75, 2]),
    }
)
anything = settings(max_examples=300, deadline=None, derandomize=True, database=None)


@anything
@given(html=SOUP, options=OPTIONS)
def test_text_is_a_subsequence_of_the_page(html: str, options: dict[str, Any]) -> None:
    text = extract(html, **options).text
    assert is_subsequence(squeeze(text), squeeze(read(html, rows=options["rows"]).text))


@anything
@given(html=SOUP, options=OPTIONS)
def test_words_of_the_text_are_words_of_the_page(html: str, options: dict[str, Any]) -> None:
    page = read(html, rows="blocks")
    words = iter(write_text(page, np.ones(len(page.rows), np.bool_)).split())
    if options["rows"] == "blocks":
        assert all(word in words for word in extract(html, **options).text.split())


@anything
@given(html=SOUP, rows=st.sampled_from(["blocks", "lines"]))
def test_write_text_of_all_rows_writes_everything_once(html: str, rows: RowKind) -> None:
    page = read(html, rows=rows)
    text = write_text(page, np.ones(len(page.rows), np.bool_))
    assert is_subsequence(squeeze(page.text), squeeze(text))
    assert is_subsequence(squeeze(without_markers(text)), squeeze(page.text))


@anything
@given(html=SOUP)
def test_text_has_single_blank_lines_and_no_space_at_line_ends(html: str) -> None:
    page = read(html, rows="blocks")
    check_clean(write_text(page, np.ones(len(page.rows), np.bool_)))


@anything
@given(html=SOUP)
def test_block_and_line_rows_give_the_same_text(html: str) -> None:
    blocks, lines = read(html, rows="blocks"), read(html, rows="lines")
    assert blocks.text == lines.text
    everything = [write_text(page, np.ones(len(page.rows), np.bool_)) for page in (blocks, lines)]
    assert everything[0] == everything[1]


@anything
@given(html=SOUP, rows=st.sampled_from(["blocks", "lines"]))
def test_rows_are_in_order_and_cover_the_visible_text(html: str, rows: RowKind) -> None:
    page = read(html, rows=rows)
    starts, ends = page.rows.start.tolist(), page.rows.end.tolist()
    assert starts == sorted(starts)
    assert ends == [*starts[1:], len(page.text)][: len(starts)]
    assert not squeeze(page.text[: starts[0] if starts else None])
    for start, end, chars in zip(starts, ends, page.rows.chars.tolist(), strict=True):
        if not any(map(is_invisible, page.text[start:end])):
            assert chars == len(" ".join(page.text[start:end].split()))


@anything
@given(html=SOUP)
def test_words_link_chars_and_nodes_are_consistent(html: str) -> None:
    page = read(html, rows="blocks")
    assert len(page.words) == len(page.link_chars) == len(page.rows)
    assert (page.link_chars <= page.rows.chars).all()
    nodes = page.nodes
    assert (nodes.parent < np.arange(len(nodes))).all()
    assert (nodes.start <= nodes.end).all()


@anything
@given(html=SOUP, options=OPTIONS)
def test_bytes_and_str_give_the_same_article(html: str, options: dict[str, Any]) -> None:
    html = f"<meta charset=utf-8>{html}"
    assert extract(html.encode(), **options) == extract(html, **options)


@anything
@given(data=st.binary(max_size=200))
def test_extract_accepts_any_bytes(data: bytes) -> None:
    check_bytes(data)


@anything
@given(html=st.text(max_size=200))
def test_extract_accepts_any_str(html: str) -> None:
    text = check_page(html).text
    assert text.encode().decode() == text


@pytest.mark.parametrize("method", METHODS)
def test_binary_data_is_dropped_and_hides_no_text(method: str) -> None:
    noise = random.Random(1).randbytes(50_000)
    stories = [
        " ".join(f"The boats of {town} came back on {day}, and all were there." for day in DAYS)
        for town in TOWNS[:3]
    ]
    assert extract(b"\x89PNG\r\n" + noise, method=method).text == ""
    page = noise + f"><p>{'</p><p>'.join(stories)}</p>".encode()
    assert extract(page, method=method).text.count("boats") == 12
