"""The language of a text: what its page declares, unless the letters say otherwise."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

from scrapy_cetr.extraction.metadata.evidence import Found

# So much of a text shows its language.
_SAMPLE = 2000
_MIN_LETTERS = 20

# The letters of scripts that not all languages share, and the languages that are written in them;
# the first is meant where a page declares none of them.
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
    """Say what language a text is in, as a tag such as ``en-GB``.

    >>> find_language("Рыбаки вернулись в порт поздно вечером.", Found("uk", "html"))
    Found(value='uk', source='html')
    >>> find_language("渔民们在傍晚时分回到了港口天气很好大家高兴", Found("en", "html"))
    Found(value='zh', source='text')
    """
    sample = text[:_SAMPLE]
    languages = _languages_of(sample)
    if declared and (languages is None or _base(declared.value) in languages):
        return declared
    if languages and languages[0]:
        return Found(languages[0], "text")
    detected = _detected(sample)
    if detected:
        return Found(detected, "text")
    return declared if languages is None else None


def _base(tag: str) -> str:
    return tag.lower().partition("-")[0]


def _languages_of(sample: str) -> tuple[str, ...] | None:
    """Name the languages of the script that most of a text is in; None, if it tells nothing."""
    # Most of a text in another script is not ASCII.
    if 2 * len(sample.encode("ascii", "ignore")) > len(sample):
        return None
    letters = len(_LETTER.findall(sample))
    if letters < _MIN_LETTERS:
        return None
    for pattern, languages in _PATTERNS:
        # Japanese is written with a share of kana among many ideographs.
        share = 0.1 if languages == ("ja",) else 0.5
        if len(pattern.findall(sample)) > share * letters:
            return languages
    return None


def _detected(sample: str) -> str | None:
    """Ask py3langid, if it is there; a few words are no evidence."""
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
