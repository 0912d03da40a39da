"""Rows that say who wrote an article, when and where."""

from __future__ import annotations

import re

# The longest row with an author or a date that has nothing else in it. An ideograph is as long as
# three letters and more.
LONGEST_BYLINE, _IDEOGRAPH = 100, 3.5
_MOST_WORDS = 14
_IDEOGRAPHS = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_YEAR = re.compile(r"(?<!\d)(?:19[89]\d|20[0-4]\d|25[56]\d|1[34]\d\d)(?!\d)")
_DATE = re.compile(
    r"(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:\d{2}){1,2}(?!\d)|\d{4}[./-]\d{1,2}[./-]\d{1,2}"
    r"|\d{4} ?年|\d{1,2} ?月 ?\d{1,2} ?日|\d{4} ?년|(?<!\d)\d{1,2}:\d{2}(?!\d)"
)
_AGO = re.compile(
    r"\b\d{1,4} (?:min(?:ute)?s?|hours?|days?|weeks?|months?|years?) ago\b|\bvor \d{1,4} \w+$"
    r"|\bil y a \d{1,4} \w+|\bhace \d{1,4} \w+|\bhá \d{1,4} \w+|\d{1,4} ?(?:分|小时|時間|天|日)前"
    r"|\b\d{1,4}[- ]min(?:ute)? read\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"(?:by|written by|posted by|reported by|reporting by|words by|story by|text by|author|authors"
    r"|von|par|por|di|door|av|af|przez|autor|autorin|auteur|autore|forfatter|tekst|text|redaktion"
    r"|автор|источник|fuente|quelle|作者|記者|记者|来源|來源|文|撰文|編集|기자|글)\b"
    # A name begins with a capital, or is written in a script that has none.
    r" ?[:：|・／]?\s*(?-i:[^\W\d_a-zß-öø-ÿа-яёα-ω])",
    re.IGNORECASE,
)
_TIME_OF_DAY = re.compile(
    r"\d{1,2}[:.h]\d{2}(?: ?(?:[ap]\.?m\.?|uhr|h|[a-z]{2,4}))?", re.IGNORECASE
)
# Neither an abbreviated place, as in "Washington, D.C.", nor "Jr." ends a sentence.
_SENTENCE_END = re.compile(r"(?<!\.[A-Z])(?<!\bJr)[.!?。！？…]['\"”»’)]*$")


def is_byline(text: str) -> bool:
    """Tell whether a short text at the top of an article names its author or its date.

    >>> is_byline("By Ann Lee, 3 May 2024"), is_byline("By then, the bridge was closed.")
    (True, False)
    """
    if len(text) > LONGEST_BYLINE or text.count(" ") >= _MOST_WORDS or _SENTENCE_END.search(text):
        return False
    if not text.isascii() and len(_IDEOGRAPHS.findall(text)) * _IDEOGRAPH > LONGEST_BYLINE:
        return False
    return any(find(text) for find in (_DATE.search, _AGO.search, _YEAR.search, _BY.match))


def is_time_of_day(text: str) -> bool:
    """Tell whether a text is a time of day alone.

    >>> is_time_of_day("10.15 Uhr"), is_time_of_day("10:15 The bridge is closed")
    (True, False)
    """
    return bool(_TIME_OF_DAY.fullmatch(text))
