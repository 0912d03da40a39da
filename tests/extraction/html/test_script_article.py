"""Articles in the data of scripts."""

import json
from typing import Any

import pytest

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.html.script_article import find_article
from scrapy_cetr.extraction.output.text import write_text
from testkit.timing import in_time

STORY = [
    (
        "The bridge over the harbour reopens on Monday after two years of work, the city said, and "
        "the first buses run at six."
    ),
    (
        "Nobody who worked on it went home before the last stone was in its place, and the mayor "
        "thanked all of them in a speech."
    ),
    (
        "Ships that wait in the bay for the tide can see the new lamps from far away, as pilots "
        "told this newspaper on Sunday night."
    ),
    (
        "The old bridge was closed in spring, when divers found cracks in two of its pillars that "
        "nobody had noticed for years."
    ),
]
TITLE = "Bridge reopens on Monday"
HTML = "".join(f"<p>{text}</p>" for text in STORY)


def json_script(data: Any, attributes: str = "") -> str:
    return f'<script type="application/json" {attributes}>{json.dumps(data)}</script>'


def assigned(name: str, source: str) -> str:
    return f"<script>window.{name} = {source};\nstart()</script>"


def flight(*rows: str) -> str:
    parts = (f"self.__next_f.push([1,{json.dumps(row)}])" for row in rows)
    return "".join(f"<script>{part}</script>" for part in parts)


def apollo() -> str:
    references = [{"__ref": f"Paragraph:{number}"} for number in range(len(STORY))]
    state: dict[str, Any] = {
        "Post:1": {"title": TITLE, "content": {"bodyModel": {"paragraphs": references}}}
    }
    for number, text in enumerate(STORY):
        state[f"Paragraph:{number}"] = {"__typename": "Paragraph", "type": "P", "text": text}
    return assigned("__APOLLO_STATE__", json.dumps(state))


def devalue() -> str:
    flat: list[Any] = [["Reactive", 1], {"data": 2}, {"title": 3, "body": 4}, TITLE, [5, 6, 7, 8]]
    flat += [{"type": 9, "text": 10 + number} for number in range(4)]
    return json_script([*flat, "paragraph", *STORY], 'id="__NUXT_DATA__"')


def blocks(text: str) -> dict[str, Any]:
    """Return a paragraph of Portable Text, with a part of it in italics."""
    spans = [{"_type": "span", "text": text[:9]}, {"_type": "span", "text": text[9:], "marks": []}]
    return {"_type": "block", "style": "normal", "children": spans}


PAGES = {
    "next": json_script({"props": {"post": {"title": TITLE, "content": {"rendered": HTML}}}}),
    "flight": flight(
        f"1a:T{len(HTML):x},{HTML}", f'2:{{"post":{{"title":"{TITLE}","body":"$1a"}}}}\n'
    ),
    "devalue": devalue(),
    "nuxt": assigned("__NUXT__", f"(function(a,b){{return {{content:{json.dumps(HTML)}}}}}(1,2))"),
    "apollo": apollo(),
    "portable text": json_script({"doc": {"headline": TITLE, "body": list(map(blocks, STORY))}}),
    "lines": assigned("__INITIAL_STATE__", json.dumps({"articleText": "\n".join(STORY)})),
    "parsed": assigned("__STATE__", f"JSON.parse({json.dumps(json.dumps({'html': HTML}))})"),
    "escaped": json_script({"body": HTML.replace("<", "&lt;").replace(">", "&gt;")}),
}


def text_of(html: str, title: str = f"{TITLE} - The Courier") -> list[str]:
    page = read(find_article(html, title), rows="blocks")
    return [part for part in write_text(page, page.rows.chars > 0).split("\n\n") if part]


@pytest.mark.parametrize("name", PAGES)
def test_article_is_found_in_script_data(name: str) -> None:
    assert text_of(PAGES[name]) == STORY


def test_article_with_the_title_of_the_page_is_chosen() -> None:
    other = {"title": "Other news of the day", "body": HTML.replace("bridge", "tower") * 3}
    html = json_script({"posts": [other, {"title": TITLE, "body": HTML}]})
    assert text_of(html) == STORY
    assert text_of(html, "Courier") == text_of(json_script({"a": other}), "Courier")


def test_no_article_is_chosen_among_several_without_a_title() -> None:
    others = [{"body": HTML}, {"body": HTML.replace("bridge", "tower")}]
    assert find_article(json_script({"posts": others}), "Courier") == ""


@pytest.mark.parametrize(
    "data",
    [
        {"comments": [{"body": HTML}]},
        {"cookieConsent": {"text": HTML}},
        {"body": "short text"},
        {"body": "function(){a=1;b={c:2};}" * 100},
        {"items": [{"title": text, "url": "/a", "text": text} for text in STORY]},
        {"content": [{"title": text, "url": "/a", "text": text} for text in STORY]},
        {"body": "QUJD" * 1000},
        [1, None, True, "text " * 200],
        7,
    ],
)
def test_other_data_are_no_article(data: Any) -> None:
    assert find_article(json_script(data) + json_script("x" * 500), TITLE) == ""


def test_headings_lists_and_quotations_of_blocks_are_kept() -> None:
    body = [
        {"type": "heading", "text": "A new bridge"},
        *({"type": "paragraph", "text": text} for text in STORY),
        {"type": "quote", "text": "It was a long day."},
        {"type": "image", "text": "A picture of it"},
        {"type": "list", "items": [{"type": "list-item", "text": "One thing"}]},
    ]
    html = find_article(json_script({"article": {"title": TITLE, "body": body}}), TITLE)
    assert html.startswith("<h2>A new bridge</h2><p>The bridge")
    assert "<blockquote>It was a long day.</blockquote>" in html
    assert "<ul><li><p>One thing</p></li></ul>" in html
    assert "picture" not in html


@pytest.mark.parametrize(
    "source",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        json.dumps({"body": "<" * 2_000_000}),
        json.dumps({"body": "a " * 1_000_000}),
        json.dumps({"body": [{"text": "a b"}] * 300_000}),
        json.dumps([{"body": HTML}] * 4000),
        '{"body": "' + "\\u0041" * 300_000,
        "x" * 10_000_000,
        "(function(){" + '\\"' * 300_000,
    ],
)
@pytest.mark.parametrize("form", ["json", "assigned", "nuxt", "flight"])
def test_hostile_data_are_read_in_bounded_time(source: str, form: str) -> None:
    html = {
        "json": f'<script type="application/json">{source}</script>',
        "assigned": f"<script>window.a={source}</script>",
        "nuxt": f'<script type="application/json" id="__NUXT_DATA__">{source}</script>',
        "flight": f"<script>self.__next_f.push([1,{json.dumps(source[:1_000_000])}])</script>",
    }[form]
    in_time(5, lambda: find_article(html, TITLE))
