"""The language of a text: the declared one, unless the text is clearly in another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from scrapy_cetr.extraction.metadata.function_words import KNOWN, likely_language, word_shares
from scrapy_cetr.extraction.metadata.sources import TEXT, Found

# Characters of the text that are examined.
_SAMPLE = 2000
_MIN_LETTERS = 20

# Scripts, their characters, and the languages written in them. The first language is the result
# if the page declares none of them; it is empty where the script alone does not decide.
_SCRIPTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("kana", "[\u3040-\u30ff]", ("ja",)),
    ("hangul", "[\uac00-\ud7a3]", ("ko",)),
    ("han", "[\u4e00-\u9fff]", ("zh", "ja", "yue", "wuu")),
    ("thai", "[\u0e00-\u0e7f]", ("th",)),
    ("greek", "[\u0370-\u03ff]", ("el",)),
    ("hebrew", "[\u0590-\u05ff]", ("he", "iw", "yi")),
    ("georgian", "[\u10a0-\u10ff]", ("ka",)),
    ("armenian", "[\u0530-\u058f]", ("hy",)),
    ("arabic", "[\u0600-\u06ff]", ("", "ar", "fa", "ur", "ps", "ku", "ckb", "sd", "ug")),
    (
        "cyrillic",
        "[\u0400-\u04ff]",
        ("", "ru", "uk", "bg", "sr", "mk", "be", "kk", "ky", "mn", "tg", "tt", "bs", "cnr", "sh"),
    ),
    ("devanagari", "[\u0900-\u097f]", ("", "hi", "mr", "ne", "sa")),
)
_PATTERNS = [(re.compile(pattern), languages) for _, pattern, languages in _SCRIPTS]
# Frequent characters that differ in traditional and in simplified Chinese.
_HANT = re.compile(
    "[這個們來時會說國對過還沒樣點為與學後從開見長問無間關發經將應體機當實種們動進產業東車門電話]"
)
_HANS = re.compile(
    "[这个们来时会说国对过还没样点为与学后从开见长问无间关发经将应体机当实种动进产业东车门电话]"
)
# Letters of Cyrillic script that one language has, and those before it do not; None is for others.
_LETTERS = tuple(
    (re.compile(f"[{letters}]"), language)
    for letters, language in (
        *(("ҚқҒғҰұӘәӨөҺһҢң", None), ("Ўў", "be"), ("ЂђЋћ", "sr"), ("ЃѓЌќЅѕ", "mk")),
        *(("ЇїЄєҐґІі", "uk"), ("ЫыЭэЁё", "ru"), ("Ъъ", "bg")),
    )
)
_MIN_OWN_LETTERS = 3
# Languages that are written much like another.
_SAME_WORDS = {"nb": "no", "nn": "no", "bs": "hr", "cnr": "hr", "sh": "hr", "ms": "id", "gl": "pt"}
# How much more frequent the words of another language are than those of the declared one.
_MIN_CONTRADICTION = 2.0
_LETTER = re.compile(r"[^\W\d_]")


def find_language(text: str, declared: Found | None) -> Found | None:
    """Return the language of a text as a tag of BCP 47 such as ``en-GB``, with its source.

    ``declared`` is the language that the page declares. It is ignored if the text is in a script
    of other languages, or if its most frequent words are those of another language.

    >>> find_language("Рыбаки вернулись в порт поздно вечером.", Found("uk", "html"))
    Found(value='uk', source='html')
    >>> find_language("渔民们在傍晚时分回到了港口天气很好大家高兴", Found("en", "html"))
    Found(value='zh', source='text')
    """
    sample = text[:_SAMPLE]
    languages = _script_languages(sample)
    shares = word_shares(sample)
    if declared and (languages is None or _primary_subtag(declared.value) in languages):
        other = _contradiction(_primary_subtag(declared.value), shares)
        return Found(other, TEXT) if other else declared
    if languages and languages[0]:
        return Found(_with_script(languages[0], sample), TEXT)
    detected = _by_letters(sample) or likely_language(shares) or _detect(sample)
    if detected:
        return Found(detected, TEXT)
    return declared if languages is None else None


def _by_letters(sample: str) -> str | None:
    """Return the language of a text by letters that only one language of its script has."""
    for letters, language in _LETTERS:
        if len(letters.findall(sample)) >= _MIN_OWN_LETTERS:
            return language
    return None


def _contradiction(declared: str, shares: Mapping[str, float]) -> str | None:
    """Return another language than the declared one if the words are clearly of that."""
    declared = _SAME_WORDS.get(declared, declared)
    if declared not in KNOWN:
        # Its words are not known, so that they cannot be missed.
        return None
    best = likely_language(shares)
    if best is None or best == declared:
        return None
    return best if shares[best] > _MIN_CONTRADICTION * shares.get(declared, 0.0) else None


def _with_script(language: str, sample: str) -> str:
    """Add the script to Chinese in traditional characters."""
    if language != "zh":
        return language
    traditional, simplified = (len(pattern.findall(sample)) for pattern in (_HANT, _HANS))
    return "zh-Hant" if traditional > 2 * simplified else language


def _primary_subtag(tag: str) -> str:
    return tag.lower().partition("-")[0]


def _script_languages(sample: str) -> tuple[str, ...] | None:
    """Return the languages of the main script of a text, or None for Latin and short texts."""
    # Texts in these scripts are mostly not ASCII.
    if 2 * len(sample.encode("ascii", "ignore")) > len(sample):
        return None
    letters = len(_LETTER.findall(sample))
    if letters < _MIN_LETTERS:
        return None
    for pattern, languages in _PATTERNS:
        # Japanese mixes kana with many ideographs.
        share = 0.1 if languages == ("ja",) else 0.5
        if len(pattern.findall(sample)) > share * letters:
            return languages
    return None


def _detect(sample: str) -> str | None:
    """Detect the language with py3langid; None if it is not installed or the text is short."""
    identifier = _identifier()
    if identifier is None or len(_LETTER.findall(sample)) < _MIN_LETTERS:
        return None
    return str(identifier.classify(sample)[0])


@cache
def _identifier() -> Any:
    try:
        return import_module("py3langid")
    except ImportError:
        return None
