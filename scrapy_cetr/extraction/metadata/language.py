"""The language of a text: the declared one, unless the text is in another script."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

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
_LETTER = re.compile(r"[^\W\d_]")


def find_language(text: str, declared: Found | None) -> Found | None:
    """Return the language of a text as a tag such as ``en-GB``, with its source.

    ``declared`` is the language that the page declares. It is ignored if the text is in a script
    of other languages.

    >>> find_language("Рыбаки вернулись в порт поздно вечером.", Found("uk", "html"))
    Found(value='uk', source='html')
    >>> find_language("渔民们在傍晚时分回到了港口天气很好大家高兴", Found("en", "html"))
    Found(value='zh', source='text')
    """
    sample = text[:_SAMPLE]
    languages = _script_languages(sample)
    if declared and (languages is None or _primary_subtag(declared.value) in languages):
        return declared
    if languages and languages[0]:
        return Found(languages[0], TEXT)
    detected = _detect(sample)
    if detected:
        return Found(detected, TEXT)
    return declared if languages is None else None


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
