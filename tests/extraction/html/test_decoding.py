"""Bytes in, characters out."""

import codecs

import pytest

from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.html.decoding import decode

GERMAN = "Die Bücher für Köln kosten fünf Euro, und die Größe ist überall außer bei Jürgen gleich."
RUSSIAN = "Рыбаки вернулись в гавань до рассвета. Ночью был шторм, но никто не пострадал. " * 3
JAPANESE = (
    "漁師たちは夜明け前に港へ戻ってきました。夜の嵐にもかかわらず、けが人はいませんでした。" * 3
)
CHINESE = "渔民们在黎明前回到了港口。昨夜有暴风雨，但没有人受伤，所有的船都完好无损。" * 3

DECLARED = {
    "utf-8": "Grüße, 你好, привет, שלום",
    "iso-8859-1": GERMAN,
    "windows-1252": f"“{GERMAN}” – €",
    "iso-8859-2": "Zażółć gęślą jaźń, řeka a město",
    "windows-1251": RUSSIAN,
    "koi8-r": RUSSIAN,
    "iso-8859-7": "Οι ψαράδες γύρισαν στο λιμάνι πριν από την αυγή",
    "windows-1255": "הדייגים חזרו לנמל לפני עלות השחר",
    "windows-1256": "عاد الصيادون إلى الميناء قبل الفجر",
    "windows-1254": "Balıkçılar şafaktan önce limana döndü, ğüşiöç İ",
    "tis-620": "ชาวประมงกลับมาถึงท่าเรือก่อนรุ่งสาง",
    "shift_jis": JAPANESE,
    "euc-jp": JAPANESE,
    "gb2312": CHINESE,
    "gb18030": CHINESE,
    "big5": "漁民們在黎明前回到了港口。昨夜有暴風雨，但沒有人受傷。",
    "euc-kr": "어부들은 동이 트기 전에 항구로 돌아왔다.",
}


@pytest.mark.parametrize("charset", DECLARED)
@pytest.mark.parametrize(
    "declaration",
    [
        "<meta charset={}>",
        '<META http-equiv="Content-Type" content="text/html; charset={}">',
    ],
)
def test_a_declared_charset_is_believed(charset: str, declaration: str) -> None:
    html = f"<html><head>{declaration.format(charset)}</head><p>{DECLARED[charset]}</p>"
    assert decode(html.encode(charset)) == html


def test_a_declaration_of_xml_is_believed() -> None:
    html = f'<?xml version="1.0" encoding="windows-1251"?><p>{RUSSIAN}</p>'
    assert decode(html.encode("windows-1251")) == html


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("utf-8", GERMAN),
        ("utf-8", CHINESE),
        ("utf-8", "Only one é."),
        ("shift_jis", JAPANESE),
        ("gb18030", CHINESE),
        ("windows-1251", RUSSIAN),
        ("windows-1252", GERMAN),
        ("ascii", "Nothing but ASCII."),
    ],
)
def test_an_undeclared_charset_is_detected(charset: str, text: str) -> None:
    html = f"<html><head><title>x</title></head><body><p>{text}</p></body></html>"
    assert decode(html.encode(charset)) == html


def test_the_byte_order_mark_of_utf_8_is_no_text_and_overrules_the_declaration() -> None:
    html = f"<meta charset=windows-1252><p>{RUSSIAN}"
    assert decode(codecs.BOM_UTF8 + html.encode()) == html


@pytest.mark.parametrize(
    ("mark", "codec"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")]
)
@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, CHINESE])
def test_a_byte_order_mark_of_utf_16_overrules_the_declaration(
    mark: bytes, codec: str, text: str
) -> None:
    html = f"<meta charset=utf-8><p>{text}"
    decoded = decode(mark + html.encode(codec))
    assert decoded.removeprefix("\ufeff") == html
    assert extract(mark + html.encode(codec)).text == " ".join(text.split())


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [GERMAN, RUSSIAN, CHINESE])
def test_utf_16_without_a_mark_is_recognised_even_if_declared_as_utf_8(
    codec: str, text: str
) -> None:
    head = "<meta charset=utf-8>" + "<link rel=stylesheet href=/style.css>" * 20
    html = f"<html><head>{head}</head><body><p>{text}</p></body></html>"
    assert decode(html.encode(codec)) == html


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("windows-1252", GERMAN),
        ("windows-1251", RUSSIAN),
        ("shift_jis", JAPANESE),
        ("gb18030", CHINESE),
    ],
)
def test_a_false_declaration_of_utf_8_is_not_believed(charset: str, text: str) -> None:
    html = f"<meta charset=utf-8><p>{text}</p>"
    assert decode(html.encode(charset)) == html


def test_a_few_broken_characters_do_not_refute_a_declaration() -> None:
    html = f"<meta charset=utf-8><p>{RUSSIAN * 5}".encode() + b"\xff"
    assert decode(html) == f"<meta charset=utf-8><p>{RUSSIAN * 5}\ufffd"


@pytest.mark.parametrize("charset", ["x-klingon", "", "utf8mb4", "none", "'"])
def test_an_unknown_charset_is_as_good_as_none(charset: str) -> None:
    html = f'<meta charset="{charset}"><p>{GERMAN}</p>'
    assert decode(html.encode()) == html


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\x00", b"\xff", b"\xff\xfe", b"\xfe\xff\x00", b"\xef\xbb\xbf", b"\x00" * 999),
        *(bytes(range(256)) * 9, b"\xff" * 5000, b"<meta charset=utf-16>", b"<meta charset=utf-7>"),
    ],
)
def test_any_bytes_are_decoded_somehow(data: bytes) -> None:
    assert isinstance(decode(data), str)


def test_the_byte_order_mark_of_utf_16_is_no_text() -> None:
    html = "<p>Hello, this is it"
    assert decode(codecs.BOM_UTF16_LE + html.encode("utf-16-le")) == html


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_a_short_page_in_utf_16_is_recognised_without_a_mark(codec: str) -> None:
    html = f"<html><head><meta charset=utf-8></head><body><p>{CHINESE}"
    assert decode(html.encode(codec)) == html


# With the charset of the HTTP header


def test_charset_of_the_header_overrules_that_of_the_page() -> None:
    html = f"<meta charset=koi8-r><p>{RUSSIAN}"
    assert decode(html.encode("windows-1251"), declared="windows-1251") == html


def test_byte_order_mark_overrules_the_charset_of_the_header() -> None:
    html = f"<p>{CHINESE}"
    assert decode(codecs.BOM_UTF16_LE + html.encode("utf-16-le"), declared="utf-8") == html
    assert decode(codecs.BOM_UTF8 + html.encode(), declared="gb18030") == html


def test_utf_16_is_recognised_even_if_the_header_declares_utf_8() -> None:
    html = f"<html><head><title>x</title></head><body><p>{GERMAN}"
    assert decode(html.encode("utf-16-le"), declared="utf-8") == html


@pytest.mark.parametrize("declared", ["utf-8", "x-klingon", "hex", ""])
def test_wrong_charset_of_the_header_is_not_believed(declared: str) -> None:
    html = f"<meta charset=windows-1251><p>{RUSSIAN}"
    assert decode(html.encode("windows-1251"), declared=declared) == html


def test_few_broken_characters_do_not_refute_the_charset_of_the_header() -> None:
    html = f"<p>{RUSSIAN * 5}"
    assert decode(html.encode() + b"\xff", declared="utf-8") == f"{html}\ufffd"


def test_lone_0x80_is_the_euro_sign_in_gb18030_as_in_browsers() -> None:
    html = f"<p>{CHINESE}".encode("gb18030")
    assert decode(html + b"\x80 5", declared="gb18030") == f"<p>{CHINESE}€ 5"
