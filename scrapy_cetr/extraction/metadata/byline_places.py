"""Remove from a byline what follows a name: the place that the author writes from, and the date."""

from __future__ import annotations

import re

from scrapy_cetr.extraction.metadata.date_parsing import month_number

_MAX_LENGTH = 800
# "in Paris", "à Lyon", "w Warszawie": a preposition and one to three words with a capital letter.
_PLACE = re.compile(
    r"(?<=\w)\s(?:in|aus|à|en|w|we|v|в|из|i|från|fra|из-под|te|op)\s"
    r"[^\W\d_a-zа-яё][\w.’'-]{1,30}(?:\s[^\W\d_a-zа-яё][\w.’'-]{1,30}){0,2}"
    r"(?=\s?(?:$|[,;|·•–—(]|and\s|und\s|et\s|y\s|e\s|en\s|&|i\s|и\s))"
)
_DIGIT = re.compile(r"(?<!\w)\d")
_WEEKDAY = re.compile(
    r"^(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?$|^(?:mon|diens|donners|frei|sams|sonn)tag$|^mittwoch$"
    r"|^(?:lun|mar|mercre|jeu|vendre|same)di$|^dimanche$|^(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)$"
    r"|^(?:on|at|am|le|el|de|den|of|date|posted|published|updated|vom|um|uhr)$",
    re.IGNORECASE,
)
_EDGE = " \t\n,;:|·•–—-("
# Towns whose names look like those of people.
_TOWNS = frozenset(
    re.findall(
        r"[^|]+",
        "new york|los angeles|san francisco|san diego|san jose|las vegas|new delhi"
        "|new orleans|hong kong|tel aviv|mexico city|cape town|abu dhabi|kuala lumpur"
        "|st petersburg|st louis|den haag|the hague|buenos aires|são paulo|sao paulo"
        "|rio de janeiro|santiago de chile|frankfurt am main|santa fe|washington dc"
        "|washington d.c|salt lake city|kansas city|east jerusalem|addis ababa|port au prince"
        "|ciudad de méxico|la habana|la paz|le havre|saint-denis|nowy jork|санкт-петербург",
    )
)


def without_place_and_date(byline: str) -> str:
    """Return a byline without places after names, and without the date at its end.

    >>> without_place_and_date("Ann Lee in Paris and Bo Chen in New York, 3 May 2024")
    'Ann Lee and Bo Chen'
    >>> without_place_and_date("Ann Lee, Friday, May 3")
    'Ann Lee'
    """
    text = _PLACE.sub("", " ".join(byline[:_MAX_LENGTH].split()))
    digit = _DIGIT.search(text, 2)
    if digit is None:
        return text
    # Before the digits there may be a month or a day of the week.
    words = text[: digit.start()].split()
    while len(words) > 1 and _is_of_date(words[-1].strip(_EDGE + ".")):
        words.pop()
    return " ".join(words).rstrip(_EDGE)


def _is_of_date(word: str) -> bool:
    return not word or bool(_WEEKDAY.match(word)) or month_number(word.lower()) > 0


def is_place(part: str) -> bool:
    """Tell whether a part of a byline after a name is a place or an agency, and no other name.

    >>> [is_place(part) for part in ("London", "New York", "Bo Chen")]
    [True, True, False]
    """
    return len(part.split()) == 1 or part.lower().rstrip(".") in _TOWNS
