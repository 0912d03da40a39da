"""Where a page has text that no browser shows."""

import pytest

from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.html.style_rules import StyleRules, hides
from scrapy_cetr.extraction.page.hidden import without_hidden
from scrapy_cetr.extraction.page.page import Page

HIDDEN = [
    "<p hidden>secret</p>",
    "<p HIDDEN=hidden>secret</p>",
    "<div style='display:none'><p>secret</p></div>",
    "<div style='color:red; DISPLAY : None !important'><p>secret</p></div>",
    "<p style='visibility: hidden'>secret</p>",
    "<p style='font-size:0'>secret</p>",
    "<p style='font-size: 0px'>se<b>cret</b></p>",
    "<dialog>secret</dialog>",
    "<template><p>secret</p></template>",
    "<div class=modal aria-hidden=true>secret</div>",
    "<div role=dialog aria-hidden=true>secret</div>",
    "<span class='icon sr-only'>secret</span>",
    "<span class=visually-hidden>secret</span>",
    "<h2 class=screen-reader-text>secret</h2>",
    "<style>.offer{display:none}</style><p class='a offer'>secret</p>",
    "<style>#offer { color: red; visibility: hidden }</style><p id=offer>secret</p>",
    "<style>h1, p.offer, b {display: none}</style><p class=offer>secret</p>",
    "<style>.a.b{display:none}</style><p class='b a'>secret</p>",
    "<style>.a{display:none} .a.open{display:block}</style><p class=a>secret</p>",
    "<style>.a{display:none} .a:hover{display:block}</style><p class=a>secret</p>",
    "<style>.a{display:none!important} .b{display:block}</style><p class='a b'>secret</p>",
    "<style>/* .a{display:block} */ .a{display:none}</style><p class=a>secret</p>",
    "<style media=screen>.a{display:none}</style><p class=a>secret</p>",
    "<p class='sr&#45;only'>secret</p>",
    "<div style='bottom:0; Position : fixed'>secret</div>",
    "<style>.ck{position:fixed;bottom:0}</style><div class=ck id=ck><p>secret</div>",
    "<style>.ck{position: fixed} .ck{display:block}</style><div class=ck>secret</div>",
    "<style>.ck{position: fixed} .ck .b{position:static}</style><div class=ck>secret</div>",
]
SHOWN = [
    "<p hidden=until-found>secret</p>",
    "<div hidden id='S:1f'><p>secret</p></div>",
    "<p style='display:block'>secret</p>",
    "<p style='display:none;display:block'>secret</p>",
    "<p style='font-size:0.9em'>secret</p>",
    "<div style='font-size:0'><span class=a>secret</span></div>",
    "<dialog open>secret</dialog>",
    "<p aria-hidden=true>secret</p>",
    "<div class=intro aria-hidden=true>secret</div>",
    "<span class='sr-only not-sr-only'>secret</span>",
    "<div class=accordion-body style='display:none'>secret</div>",
    "<div role=tabpanel hidden>secret</div>",
    "<div data-testid=collapsible-text hidden>secret</div>",
    "<style media=print>.a{display:none}</style><p class=a>secret</p>",
    "<style>@media print{.a{display:none}}</style><p class=a>secret</p>",
    "<style>@media (max-width:600px){.a{display:none}}</style><p class=a>secret</p>",
    "<style>.a{display:none} @media (min-width:9px){.a{display:flex}}</style><p class=a>secret</p>",
    "<style>.a{display:none} .b{display:block}</style><p class='a b'>secret</p>",
    "<style>.a{display:none} .js .a{display:block}</style><p class=a>secret</p>",
    "<style>.js .a{display:none}</style><p class=a>secret</p>",
    "<style>.a p{display:none}</style><p class=a>secret</p>",
    "<style>.ab{display:none}</style><p class=a>secret</p>",
    "<style>div.a{display:none}</style><p class=a>secret</p>",
    "<style>@keyframes x{from{visibility:hidden}} .a{color:red}</style><p class=a>secret</p>",
    "<noscript><style>.a{display:none}</style></noscript><p class=a>secret</p>",
    "<div style='position:absolute'>secret</div>",
    "<div style='position:fixed;position:static'>secret</div>",
    "<style>.a{position:fixed} @media (width){.a{position:static}}</style><p class=a>secret",
    "<style>.a{display:none;} .a{display:block} .a{position:sticky}</style><p class=a>secret</p>",
    "<style>.b .a{position:fixed}</style><p class=a>secret</p>",
    "<section><div hidden></section><article>secret</article></div>",
    "<div hidden>secret",
]


def visible(html: str, *, with_class_names: bool = True) -> Page:
    page = read(f"<p>One</p>{html}<p>Two</p>", rows="blocks", with_class_names=with_class_names)
    return without_hidden(page)


@pytest.mark.parametrize("html", HIDDEN)
@pytest.mark.parametrize("with_class_names", [True, False])
def test_text_that_no_browser_shows_is_hidden(html: str, with_class_names: bool) -> None:
    page = visible(html, with_class_names=with_class_names)
    assert "secret" not in page.text
    assert "".join(page.text.replace("\xad", "").split()) == "OneTwo"


@pytest.mark.parametrize("html", SHOWN)
def test_text_that_a_browser_shows_or_opens_is_not_hidden(html: str) -> None:
    assert "secret" in visible(html).text


@pytest.mark.parametrize("html", HIDDEN + SHOWN)
def test_rows_of_lines_hide_the_same_text(html: str) -> None:
    lines = without_hidden(read(f"<p>One</p>\n{html}\n<p>Two</p>", rows="lines"))
    assert ("secret" in lines.text) == ("secret" in visible(html).text)


def test_hidden_text_inside_of_a_line_leaves_no_gap() -> None:
    page = without_hidden(
        read("<p>A map<span class=sr-only> (opens in a new window)</span>.</p>", rows="blocks")
    )
    assert page.text.replace("\xad", "") == "A map."


def test_page_without_hidden_markup_is_returned_as_it_is() -> None:
    page = read("<p class=a>One</p>", rows="blocks", with_class_names=True)
    assert without_hidden(page) is page


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>です", "漢字です"),
        ("<ruby>漢<rt>かん字<rt>じ</ruby>です", "漢です"),
        ("<p><ruby><rb>北<rt>ㄅㄟˇ</ruby>京<p>二", "北京二"),
        ("<ruby>東京<rtc>Tokyo</rtc></ruby>駅", "東京駅"),
    ],
)
def test_ruby_annotations_are_not_part_of_the_text(html: str, text: str) -> None:
    assert read(html, rows="blocks").text.replace("\xad", "") == text


# Rules


def test_last_declaration_of_a_property_counts() -> None:
    assert hides("visibility: hidden; display: block") == "visibility"
    assert hides("display: none; display: block") == ""
    assert hides("overflow: hidden; border: none; margin: 0") == ""


def test_rules_of_hostile_style_sheets_take_linear_time() -> None:
    for css in (
        "display:none" * 50_000,
        (".a{display:none}" + "b{color:red}" * 20) * 4000,
        "{" * 500_000 + ".a{display:none}",
        "/*" * 300_000 + ".a{display:none}",
        f".{'a' * 500_000}{{display:none}}",
    ):
        html = f"<style>{css}</style><p class=a>One</p>"
        assert len(read(html, rows="blocks", with_class_names=True).rows) >= 1


def test_rules_for_many_names_are_looked_up_in_linear_time() -> None:
    css = "".join(f".a{n}{{display:none}} .b .a{n}{{display:block}}" for n in range(400))
    elements = "".join(f"<p class='a{n} c{n}'>One</p>" for n in range(400))
    page = read(f"<style>{css}</style>{elements}", rows="blocks", with_class_names=True)
    assert not len(page.suspects.hidden())


def test_element_without_names_is_not_hidden_by_rules() -> None:
    assert not StyleRules(["p{display:none}"]).hide("p", "", "")


def test_page_of_many_hidden_elements_is_read_in_linear_time() -> None:
    for html in ("<div hidden>" * 90_000, "<p hidden>a</p>" * 50_000, "<rt>a" * 90_000):
        assert read(html, rows="blocks", with_class_names=True).text is not None
