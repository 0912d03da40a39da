"""Language tags of BCP 47, from what pages write."""

from __future__ import annotations

import re

_TAG = re.compile(r"^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$", re.IGNORECASE)
_MAX_SUBTAGS = 4
# Tags that are replaced by others: deprecated ones, and those of ISO 639-2.
_REPLACED = {
    "iw": "he",
    "in": "id",
    "ji": "yi",
    "mo": "ro",
    "jw": "jv",
    "cmn": "zh",
    "nb": "nb",
    "eng": "en",
    "deu": "de",
    "ger": "de",
    "fra": "fr",
    "fre": "fr",
    "spa": "es",
    "ita": "it",
    "por": "pt",
    "nld": "nl",
    "dut": "nl",
    "swe": "sv",
    "nor": "no",
    "dan": "da",
    "fin": "fi",
    "pol": "pl",
    "ces": "cs",
    "cze": "cs",
    "rus": "ru",
    "ukr": "uk",
    "ell": "el",
    "gre": "el",
    "tur": "tr",
    "ara": "ar",
    "heb": "he",
    "hin": "hi",
    "jpn": "ja",
    "kor": "ko",
    "zho": "zh",
    "chi": "zh",
    "hun": "hu",
    "ron": "ro",
    "rum": "ro",
    "bul": "bg",
    "tha": "th",
    "vie": "vi",
}
# Countries and other codes that are written in place of a language.
_MISTAKEN = {"cn": "zh", "jp": "ja", "kr": "ko", "gr": "el", "dk": "da", "cz": "cs", "ua": "uk"}
_NAMES = {
    "english": "en",
    "german": "de",
    "deutsch": "de",
    "french": "fr",
    "français": "fr",
    "spanish": "es",
    "español": "es",
    "italian": "it",
    "italiano": "it",
    "portuguese": "pt",
    "dutch": "nl",
    "russian": "ru",
    "chinese": "zh",
    "japanese": "ja",
    "korean": "ko",
    "polish": "pl",
    "greek": "el",
    "turkish": "tr",
    "arabic": "ar",
    "swedish": "sv",
}


def normalise_tag(written: str) -> str | None:
    """Return a language tag in the form of BCP 47, or None if it is none.

    >>> [normalise_tag(tag) for tag in ("en_us", "ZH-HANT-tw", "pt_BR.UTF-8", "english", "x y")]
    ['en-US', 'zh-Hant-TW', 'pt-BR', 'en', None]
    """
    tag = written[:100].partition(",")[0].partition(".")[0].strip().replace("_", "-")
    tag = _NAMES.get(tag.lower(), tag)
    if not _TAG.match(tag):
        return None
    language, *others = tag.split("-")[:_MAX_SUBTAGS]
    language = language.lower()
    language = _MISTAKEN.get(_REPLACED.get(language, language), _REPLACED.get(language, language))
    return "-".join((language, *map(_subtag, others)))


def _subtag(subtag: str) -> str:
    """Write a region in upper case, a script with a capital letter, and others in lower case."""
    if len(subtag) == 2:
        return subtag.upper()
    return subtag.title() if len(subtag) == 4 and subtag.isalpha() else subtag.lower()
