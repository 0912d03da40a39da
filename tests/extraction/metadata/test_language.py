"""The language of a text: the declared one, unless the text is in another script."""

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.metadata import language as languages
from scrapy_cetr.extraction.metadata.language import find_language
from scrapy_cetr.extraction.metadata.sources import Found

TEXTS = {
    "en": "It rained all day, and by night the river stood in the streets of the old town.",
    "de": "Es regnete den ganzen Tag, und nachts stand der Fluss in den Straßen der Altstadt.",
    "ru": "Весь день шёл дождь, и к ночи река стояла на улицах старого города.",
    "ja": "一日中雨が降り、夜には川の水が古い町の通りにあふれていました。誰も帰れません。",
    "zh": "整天都在下雨，到了晚上，河水漫进了老城的街道，没有人能说水什么时候会退。",
    "ko": "하루 종일 비가 내렸고 밤이 되자 강물이 구시가지의 거리에 들어찼습니다.",
    "ar": "هطل المطر طوال اليوم، وفي الليل وصل النهر إلى شوارع المدينة القديمة.",
    "th": "ฝนตกทั้งวันและในตอนกลางคืนแม่น้ำก็ท่วมถนนในเมืองเก่า",
}


@pytest.mark.parametrize("code", TEXTS)
def test_language_is_the_declared_one_if_the_script_fits(code: str) -> None:
    assert find_language(TEXTS[code], Found(code, "html")) == Found(code, "html")
    assert find_language(TEXTS[code], Found(f"{code}-XX", "meta")) == Found(f"{code}-XX", "meta")


@pytest.mark.parametrize("code", TEXTS)
def test_language_is_detected_without_a_declaration(code: str) -> None:
    assert find_language(TEXTS[code], None) == Found(code, "text")


@pytest.mark.parametrize("code", ["ru", "ja", "zh", "ko", "ar", "th"])
def test_language_is_detected_if_the_script_contradicts_the_declaration(code: str) -> None:
    assert find_language(TEXTS[code], Found("en", "html")) == Found(code, "text")


def test_language_is_not_detected_in_short_texts() -> None:
    assert find_language("OK", None) is None
    assert find_language("", Found("en", "html")) == Found("en", "html")


def test_language_is_detected_by_script_without_py3langid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "_identifier", lambda: None)
    assert find_language(TEXTS["zh"], None) == Found("zh", "text")
    assert find_language(TEXTS["de"], None) is None
    assert find_language(TEXTS["ru"], Found("en", "html")) is None


def test_article_has_a_language() -> None:
    assert extract(f"<html lang=de><p>{TEXTS['de']}").language == "de"
    assert extract(f"<html lang='x y'><p>{TEXTS['de']}").language == "de"
    assert extract(f"<meta property=og:locale content=en_GB><p>{TEXTS['en']}").language == "en-GB"
    assert extract("").language is None
