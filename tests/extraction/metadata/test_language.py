"""The language of a text: the declared one, unless the text is clearly in another."""

import pytest

from scrapy_cetr import extract
from scrapy_cetr.extraction.metadata import language as languages
from scrapy_cetr.extraction.metadata.language import find_language
from scrapy_cetr.extraction.metadata.language_tags import normalise_tag
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
# Long enough to tell languages with the same script apart.
LONG_TEXTS = {
    "en": "It rained all day, and by night the river stood in the streets of the old town."
    " Nobody who"
    " was there had seen that, and they said that it would not be the last time.",
    "de": "Es regnete den ganzen Tag, und nachts stand der Fluss in den Straßen der Altstadt."
    " Niemand,"
    " der dort war, hatte das gesehen, und sie sagten, dass es nicht das letzte Mal ist.",
    "fr": "Il a plu toute la journée, et la nuit le fleuve était dans les rues de la vieille"
    " ville. Les"
    " gens qui étaient là ne l'avaient pas vu, et ce n'est pas la dernière fois.",
    "es": "Llovió todo el día, y por la noche el río estaba en las calles de la ciudad vieja."
    " Los que"
    " estaban allí no lo habían visto, y dijeron que no sería la última vez.",
    "pt": "Choveu o dia todo, e à noite o rio estava nas ruas da cidade velha. As pessoas que"
    " estavam lá"
    " não tinham visto isso, e disseram que não seria a última vez.",
    "nl": "Het regende de hele dag, en in de nacht stond de rivier in de straten van de oude"
    " stad. Niemand"
    " die er was had dat gezien, en ze zeiden dat het niet de laatste keer is.",
    "no": "Det regnet hele dagen, og om natten sto elva i gatene i den gamle byen. Ingen som"
    " var der hadde"
    " sett noe slikt, og de sa at det ikke var siste gang, og hva som ble gjort av byen.",
    "pl": "Cały dzień padało, a w nocy rzeka stała na ulicach starego miasta. Nikt z tych,"
    " którzy tam byli,"
    " nie widział czegoś takiego, i to nie jest ostatni raz, jak się mówi.",
    "hr": "Kiša je padala cijeli dan, a noću je rijeka bila na ulicama starog grada. Nitko od"
    " onih koji su"
    " bili ondje nije to vidio, i rekli su da to ne bi bio zadnji put.",
    "id": "Hujan turun sepanjang hari, dan pada malam hari sungai itu ada di jalan kota tua."
    " Orang yang ada"
    " di sana tidak pernah melihat ini, dan itu tidak akan menjadi yang terakhir.",
    "ru": "Весь день шёл дождь, и к ночи река стояла на улицах старого города. Все, кто там"
    " был, не видели"
    " такого, и они сказали, что это было не в последний раз, как и все.",
    "uk": "Весь день йшов дощ, і до ночі річка стояла на вулицях старого міста. Ті, що там"
    " були, не бачили"
    " такого, і вони сказали, що це не востаннє, а також про те, як це було.",
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


@pytest.mark.parametrize("code", LONG_TEXTS)
@pytest.mark.parametrize("declared", ["en", "de", "fr", "ru"])
def test_language_is_detected_if_its_words_contradict_the_declaration(
    code: str, declared: str
) -> None:
    expected = Found(code, "html" if code == declared else "text")
    assert find_language(LONG_TEXTS[code], Found(declared, "html")) == expected


@pytest.mark.parametrize(
    ("code", "declared"),
    [
        ("no", "nb-NO"),
        ("no", "nn"),
        ("hr", "bs"),
        ("no", "da"),
        ("pt", "gl"),
        ("de", "lb"),
        ("id", "ms"),
    ],
)
def test_similar_and_unknown_languages_do_not_contradict_the_declaration(
    code: str, declared: str
) -> None:
    assert find_language(LONG_TEXTS[code], Found(declared, "html")) == Found(declared, "html")


@pytest.mark.parametrize("code", LONG_TEXTS)
def test_language_is_detected_without_py3langid(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "_identifier", lambda: None)
    assert find_language(LONG_TEXTS[code], None) == Found(code, "text")


def test_language_in_doubt_is_none_without_py3langid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "_identifier", lambda: None)
    assert find_language(TEXTS["zh"], None) == Found("zh", "text")
    assert find_language("Lorem ipsum dolor sit amet consectetur " * 9, None) is None


def test_traditional_chinese_is_told_apart() -> None:
    text = "整天都在下雨，到了晚上，河水來到老城的街道，沒有人說得出水什麼時候會退，這是個問題。"
    assert find_language(text, Found("en", "html")) == Found("zh-Hant", "text")
    assert find_language(text, Found("zh-TW", "html")) == Found("zh-TW", "html")


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("en_us", "en-US"),
        ("EN-gb", "en-GB"),
        ("zh-hant", "zh-Hant"),
        ("zh_HANT_tw", "zh-Hant-TW"),
        ("pt-br", "pt-BR"),
        ("sr-latn-rs", "sr-Latn-RS"),
        ("es-419", "es-419"),
        ("de_DE.UTF-8", "de-DE"),
        ("en, fr", "en"),
        ("eng", "en"),
        ("iw", "he"),
        ("English", "en"),
        ("x-default", None),
        ("", None),
        ("a b", None),
    ],
)
def test_language_tags_are_normalised(written: str, tag: str | None) -> None:
    assert normalise_tag(written) == tag


def test_article_has_a_language() -> None:
    assert extract(f"<html lang=de><p>{TEXTS['de']}").language == "de"
    assert extract(f"<html lang='x y'><p>{TEXTS['de']}").language == "de"
    assert extract(f"<meta property=og:locale content=en_GB><p>{TEXTS['en']}").language == "en-GB"
    assert extract("").language is None
