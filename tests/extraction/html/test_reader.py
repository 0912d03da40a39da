"""What the reader takes for text, for tags and for rows."""

import pytest

from scrapy_cetr.extraction.html.reader import BROKEN_LINE, RowKind, read

STORY = "It rained all day, and by night the river stood in the streets of the old town."


def text_of(html: str, rows: RowKind = "blocks") -> str:
    """Give the words of a page as they are in it, whatever breaks them."""
    return " ".join(read(html, rows=rows).text.split())


def row_texts(html: str, rows: RowKind = "lines") -> list[str]:
    page = read(html, rows=rows)
    bounds = zip(page.rows.start.tolist(), page.rows.end.tolist(), strict=True)
    return [page.text[start:end].strip() for start, end in bounds]


# Text


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("plain text", "plain text"),
        ("<p>one</p>", "one"),
        ("<P CLASS=x>one</P>", "one"),
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("caf&eacute; &#233; &#xe9; &copy;", "café é é ©"),
        ("AT&T, R&D, a & b, &unknown; &", "AT&T, R&D, a & b, &unknown; &"),
        ("5 < 6 <7 <", "5 < 6 <7 <"),
        ("<p title='a > b'>one", "one"),
        ("<p title=\"<b>bold</b> 'quoted'\">one", "one"),
        ("<b><i>mis</b>nested</i>", "misnested"),
        ("</p></div>stray</b>", "stray"),
        ("before<html><body>in</body></html>after", "beforeinafter"),
        ("<!doctype html><html><p>one", "one"),
        ("<?xml version='1.0'?><p>one", "one"),
        ("<?php echo 1; ?>one", "one"),
        ("<![CDATA[x]]>one", "one"),
        ("<p/>one<br/>two", "onetwo"),
        ("<o:p>one</o:p> <x>two", "one two"),
        ("one\r\ntwo\rthree", "one two three"),
        ("<form><label>Name</label><input value=hidden></form>", "Name"),
    ],
)
def test_the_text_of_a_page(html: str, text: str, rows: RowKind) -> None:
    assert text_of(html, rows) == text


@pytest.mark.parametrize(
    "text",
    [
        "الصيادون عادوا إلى الميناء قبل الفجر.",
        "渔民们在黎明前回到了港口。",
        "ชาวประมงกลับมาถึงท่าเรือก่อนรุ่งสาง",
        "Рыбаки вернулись в гавань до рассвета.",
        "👩‍👩‍👧 🇫🇷 👍🏽 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    ],
)
def test_text_of_any_script_stays_as_it_is(text: str) -> None:
    assert text_of(f"<p>{text}</p>") == text


# What is never shown

HIDDEN = (
    *("script", "style", "title", "noscript", "textarea", "iframe", "noembed", "noframes", "xmp"),
    *("select", "svg", "template", "audio", "video", "canvas", "object", "datalist"),
)


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize("name", HIDDEN)
def test_some_elements_are_never_shown(name: str, rows: RowKind) -> None:
    html = f"before <{name}>hidden <b>words</b></{name}> after"
    assert text_of(html, rows) == "before after"
    assert text_of(html.upper(), rows) == "BEFORE AFTER"


def test_hidden_elements_may_be_nested() -> None:
    assert text_of("a <svg><svg><text>x</text></svg>y</svg> b") == "a b"
    assert text_of("a <template><p>x<template>y</template>z</template> b") == "a b"
    assert text_of("a <object><video>x</video><select><option>y</select>z</object> b") == "a b"


def test_an_empty_element_of_svg_has_no_end_tag() -> None:
    assert text_of("a <svg width=9 /> b <svg><svg/>x</svg> c") == "a b c"


def test_comments_are_never_shown() -> None:
    assert text_of("a<!-- <p>x</p> -->b<!---->c<!-->d<!-- > -->e<!-- x --!>f") == "abcdef"


@pytest.mark.parametrize("name", ["script", "style", "textarea"])
def test_markup_in_a_script_is_no_markup(name: str) -> None:
    assert text_of(f"a <{name}> '</p><!--<b>' </{name}> b") == "a b"


# What is not closed


@pytest.mark.parametrize("rows", ["blocks", "lines"])
@pytest.mark.parametrize(
    "trap",
    [
        "<!-- ",
        "<!-- a -- > b",
        '<a href="',
        '<!-- a --><a href="',
        '<!----><a href="',
        '<!-- </html> --><a href="',
        "<a b='x' href=\"",
        '<p "',
        *(f"<{name}>" for name in HIDDEN),
        "<plaintext>",
        "<SCRIPT>var x = 1;",
        "<svg><style>",
        "<select><option>",
        '<title><textarea><style><!-- <a href="',
        "<svg><template><video><select>",
        "<b><i><u><em>",
        "</div></table></b>",
        "<div <div <div <p",
    ],
)
def test_what_follows_something_unclosed_is_still_there(trap: str, rows: RowKind) -> None:
    html = f"<p>Begin.</p>{trap}><p>{STORY}</p>\n<p>And <b>more</b>.</p>"
    assert text_of(html, rows).startswith("Begin.")
    assert STORY in text_of(html, rows)
    assert text_of(html, rows).endswith("And more.")


def test_what_follows_an_unclosed_single_quotation_mark_is_still_there() -> None:
    assert STORY in text_of(f"<p>Begin.</p><a href='><p>{STORY}")


def test_what_follows_a_script_that_only_seems_to_end_with_the_page_is_still_there() -> None:
    html = f"<p>Begin.</p></html><script>var x = 1;<p>{STORY}</p></html>"
    assert text_of(html) == f"Begin.{STORY}"


def test_an_unclosed_comment_may_hold_others() -> None:
    assert text_of(f"<!-- <!-- <!--><p>{STORY}") == STORY


def test_what_is_swallowed_is_read_once() -> None:
    for trap in ("<!-- ", '<a href="', "<title>", "<select>"):
        assert text_of(f"<p>Begin</p>{trap}><p>{STORY}</p>").count("It rained") == 1


@pytest.mark.parametrize("end", ["<", "<p", "<p class", "<p class=", "</p", "<!", "<!-", "<?", "&"])
def test_a_page_may_end_anywhere(end: str) -> None:
    assert text_of(f"<p>{STORY} {end}").removesuffix(end).strip() == STORY


# Lines


def test_a_row_is_a_line_of_the_source() -> None:
    html = "<ul>\n<li>one\n<li>two</ul>\nthree <b>four</b>\n"
    assert row_texts(html) == ["", "one", "two", "three four"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(end: str) -> None:
    page = read(end.join(("<p>one", "two", "", "<b>three</b>", "</p>")), rows="lines")
    assert page.rows.chars.tolist() == [3, 3, 5, 0]
    assert page.rows.tags.tolist() == [1, 0, 2, 1]


def test_a_line_end_inside_of_a_tag_ends_the_line_too() -> None:
    page = read("<p\nclass=x\n>one</p>\n<b>two", rows="lines")
    assert page.rows.chars.tolist() == [0, 3, 3]
    assert page.rows.tags.tolist() == [1, 1, 1]


def test_lines_are_counted_on_behind_scripts_and_comments() -> None:
    html = "<p>one\n<script>\n\n</script>two\n<!--\n\n-->three\n<style>\n</style>\nfour"
    assert row_texts(html) == ["one", "two", "three", "four"]


def test_the_lines_of_a_swallowed_part_are_rows_as_well() -> None:
    assert row_texts("<p>one</p>\n<!-- ><p>two</p>\n<p>three</p>")[-2:] == ["two", "three"]


# A page written on one line


def test_a_page_on_one_line_is_broken_after_65_characters() -> None:
    assert BROKEN_LINE == 65
    assert row_texts("<b>" + "a" * 61 + " " + "b" * 64 + " " + "c" * 9) == [
        "a" * 61 + " " + "b" * 64,
        "c" * 9,
    ]
    assert row_texts("<b>" + "a" * 62 + " " + "b" * 64 + " " + "c" * 9) == [
        "a" * 62,
        "b" * 64,
        "c" * 9,
    ]


def test_words_are_not_broken() -> None:
    rows = row_texts(f"<p>{STORY * 20}</p>")
    assert " ".join(rows).split() == f"{STORY * 20}".split()
    assert all(65 <= len(row) < 65 + 15 for row in rows[1:-1])


def test_ideographs_may_be_broken_anywhere() -> None:
    rows = row_texts("<p>" + "渔民们在黎明前回到了港口。" * 20)
    assert [len(row) for row in rows] == [62, 65, 65, 65, 3]


def test_a_tag_is_not_broken() -> None:
    # The 65th character is in the tag: the line ends right behind it.
    tag = f"<b title='{'t ' * 50}'>"
    assert row_texts(f"<p>one two {tag}three four five") == ["one two", "three four five"]


def test_a_page_of_two_lines_is_left_as_it_is() -> None:
    assert row_texts(f"<p>{STORY * 3}\n<p>two") == [STORY * 3, "two"]


def test_empty_lines_around_the_only_one_do_not_count() -> None:
    assert len(row_texts(f"<!doctype html>\n\n<p>{STORY * 3}</p>\n\n")) > 2


def test_a_short_page_on_one_line_is_one_row() -> None:
    assert row_texts("<p>one</p><p>two</p>") == ["onetwo"]


# Blocks


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        ("<p>one</p><p>two</p>", ["one", "two"]),
        ("<p>one<p>two", ["one", "two"]),
        ("one<div>two</div>three", ["one", "two", "three"]),
        ("<ul><li>one<li>two</ul>", ["", "one", "two"]),
        ("<table><tr><td>one<td>two<tr><th>three</table>", ["", "", "one", "two", "", "three"]),
        ("<dl><dt>one<dd>two</dl>", ["", "one", "two"]),
        ("<h1>one</h1>two", ["one", "two"]),
        ("one<br>two", ["onetwo"]),
        ("one<br><br>two", ["one", "two"]),
        ("one<br>\n &nbsp;<br>two", ["one", "two"]),
        ("one<br>two<br>three", ["onetwothree"]),
        ("one<hr>two", ["one", "two"]),
        ("a<b>b</b><a>c</a><span>d</span><img>e", ["abcde"]),
        ("one\n\ntwo\n\nthree", ["one\n\ntwo\n\nthree"]),
    ],
)
def test_a_block_is_what_stands_between_the_tags_of_blocks(html: str, rows: list[str]) -> None:
    assert row_texts(html, "blocks") == rows


def test_both_kinds_of_rows_have_the_same_text_and_tags() -> None:
    html = f"<div>\n<p>{STORY}\n<ul><li>one<li>two</ul><script>\n</script></div>\n\n<b>bold"
    blocks, lines = read(html, rows="blocks"), read(html, rows="lines")
    assert blocks.text == lines.text
    assert blocks.tags.tolist() == lines.tags.tolist()
    assert blocks.tag_offset.tolist() == lines.tag_offset.tolist()
    assert blocks.rows.tags.sum() == lines.rows.tags.sum() == len(lines.tags)


def test_a_page_is_read_in_parts_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    html = f"<p>one<script>x</script><li>two<select>\n<option>x</select>\n<p>{STORY}" * 5
    for rows in ("blocks", "lines"):
        whole = read(html, rows=rows)
        with monkeypatch.context() as patch:
            patch.setattr("scrapy_cetr.extraction.columns.CHUNK", 12)
            parts = read(html, rows=rows)
        assert parts.text == whole.text
        assert parts.rows.start.tolist() == whole.rows.start.tolist()
        assert parts.rows.tags.tolist() == whole.rows.tags.tolist()


def test_words_of_a_menu_on_one_line_do_not_keep_it_from_being_broken() -> None:
    html = "<ul>" + "<li><a href=/x>News</a></li>" * 50 + "</ul>"
    assert len(read(html, rows="lines").rows) > 10


def test_a_line_end_written_as_an_entity_splits_no_later_word() -> None:
    assert "word" in row_texts("x&#10;wo<b>rd</b>\n<p>y")


def test_a_page_that_shows_nothing_else_is_read_for_who_runs_no_scripts() -> None:
    story = "<p>" + "The ferry stays in the harbour. " * 30 + "</p>"
    html = f"<div id=app>Loading</div><noscript><h1>Ferry</h1>{story}</noscript>"
    assert read(html, rows="blocks").text.startswith("LoadingFerryThe ferry stays")


def test_a_notice_in_noscript_is_not_read() -> None:
    html = "<p>A short page.</p><noscript><p>Please enable scripts.</p></noscript>"
    assert read(html, rows="blocks").text == "A short page."


def test_noscript_is_not_read_beside_a_story() -> None:
    story = "<p>" + "The ferry stays in the harbour. " * 200 + "</p>"
    assert (
        read(f"{story}<noscript>{story * 9}</noscript>", rows="blocks").text.count("ferry") == 200
    )


def test_labels_are_read_beside_a_long_tag_but_not_beside_one_of_endless_attributes() -> None:
    picture = f"<div class=a><img src='data:image/png;base64,{'A' * 300_000}'></div>"
    assert read(picture, rows="blocks", with_class_names=True).class_names == [" ", "a "]
    endless = f"<div class=a><p {'b ' * 150_000}>One</div>"
    page = read(endless, rows="blocks", with_class_names=True)
    assert (page.text, page.class_names, len(page.class_name)) == ("One", [" "], 0)
