"""Parse dates in the formats that pages use, and return them as ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

# Dates outside of these years are no publication dates: the web is not older.
FIRST_YEAR, LAST_YEAR = 1990, 2099
_MAX_LENGTH = 200

# The beginnings of month names in several languages, January first.
_MONTH_PREFIXES: tuple[str, ...] = (
    "jan gen янв sty ene oca январ",
    "feb fév fev fevr février лют feb лютий şub февр lut",
    "mar mär mrz mars mart mrt març märz мар mar",
    "apr avr abr avril апр kwi nis",
    "may mai maj mei mag май мая mayo maig",
    "jun jui juin giu июн cze haz",
    "jul juil juillet lug июл lip tem",
    "aug aoû aou août ago авг sie ağu",
    "sep set sept сен wrz eyl",
    "oct okt ott out окт paź eki",
    "nov ноя lis kas",
    "dec dez déc dic дек gru ara",
)
_MONTH_NUMBERS = {
    prefix: number
    for number, prefixes in enumerate(_MONTH_PREFIXES, start=1)
    for prefix in prefixes.split()
}
_MONTH = r"(?P<month>[^\W\d_]{3,12})"
_ISO = re.compile(
    r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)"
    r"(?:[T\s]+(?P<time>\d{1,2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?(?!\d))?)?",
    re.IGNORECASE,
)
_COMPACT = re.compile(r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?:T?\d{6}Z?)?$")
_IDEOGRAPHIC = re.compile(
    r"(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日일]"
)
_MONTH_FIRST = re.compile(
    rf"\b{_MONTH}\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?:,\s*)?(?P<year>\d{{4}})\b"
)
_DAY_FIRST = re.compile(
    rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º|er)?[\s\-]+(?:de\s+|of\s+)?{_MONTH}\.?,?[\s\-]+"
    r"(?:de\s+|del\s+)?(?P<year>\d{4})\b"
)
_YEAR_FIRST = re.compile(rf"(?<!\d)(?P<year>\d{{4}})[.,]?\s+{_MONTH}\.?\s+(?P<day>\d{{1,2}})(?!\d)")
_NUMERIC = re.compile(
    r"(?<![\d./-])(?P<first>\d{1,2})(?P<separator>[./-])(?P<second>\d{1,2})(?P=separator)(?P<year>\d{4})(?!\d)"
)
_PATTERNS = (_ISO, _MONTH_FIRST, _DAY_FIRST, _YEAR_FIRST, _IDEOGRAPHIC, _COMPACT, _NUMERIC)
_YEAR = re.compile(r"\d{4}")
_TIMESTAMP = re.compile(r"^1\d{9}(?:\d{3})?$")


def parse_date(written: str, *, month_first: bool = True) -> str | None:
    """Return the first date in a text as ISO 8601, with time and zone if the text has them.

    The result is ``YYYY-MM-DD``, ``YYYY-MM-DDTHH:MM:SS`` or ``YYYY-MM-DDTHH:MM:SS+HH:MM``.

    ``month_first`` says how to read ambiguous numeric dates such as 03/04/2025.

    >>> parse_date("Published on 19 December 2025")
    '2025-12-19'
    >>> parse_date("2025-12-19T10:30:00.000Z")
    '2025-12-19T10:30:00+00:00'
    """
    written = written.strip()[:_MAX_LENGTH]
    if _TIMESTAMP.match(written):
        moment = datetime.fromtimestamp(int(written[:10]), UTC)
        return moment.isoformat()
    if not _YEAR.search(written):
        return None
    matches = [match for match in (_ISO.match(written),) if match]
    matches = matches or [match for pattern in _PATTERNS if (match := pattern.search(written))]
    for match in sorted(matches, key=lambda match: match.start()):
        if parsed := _to_date(match, month_first=month_first):
            return parsed.isoformat() + _time_suffix(match)
    return _parse_mail_date(written) if not matches else None


def is_date(written: str) -> bool:
    """Return whether a text is a date and nothing else.

    >>> is_date("19 December 2025"), is_date("on 19 December 2025")
    (True, False)
    """
    return any(pattern.fullmatch(written) for pattern in _PATTERNS)


def _to_date(match: re.Match[str], *, month_first: bool) -> date | None:
    parts = match.groupdict()
    year = int(parts["year"])
    if "first" in parts:
        month, day = int(parts["first"]), int(parts["second"])
        # The month comes first only in dates with slashes.
        month_first = month_first and parts["separator"] == "/"
        if month > 12 or (not month_first and day <= 12):
            month, day = day, month
    else:
        name = parts["month"].lower()
        month = int(name) if name.isdecimal() else month_number(name)
        day = int(parts["day"])
    try:
        parsed = date(year, month, day)
    except ValueError:
        return None
    return parsed if FIRST_YEAR <= year <= LAST_YEAR else None


def month_number(name: str) -> int:
    """Return the number of a month, or 0 for an unknown name."""
    prefixes = (name[:size] for size in (5, 4, 3))
    return next((_MONTH_NUMBERS[prefix] for prefix in prefixes if prefix in _MONTH_NUMBERS), 0)


def _time_suffix(match: re.Match[str]) -> str:
    """Return the time and zone of a match in ISO 8601, or an empty string."""
    parts = match.groupdict()
    if not parts.get("time"):
        return ""
    hour, minute, *seconds = parts["time"].split(":")
    if int(hour) > 23 or int(minute) > 59 or int(seconds[0] if seconds else 0) > 59:
        return ""
    zone = (parts.get("zone") or "").upper().replace(":", "")
    if zone in ("Z", "UTC", "GMT"):
        zone = "+0000"
    # No zone is farther from Greenwich than 14 hours.
    zone = f"{zone[:3]}:{zone[3:] or '00'}" if zone and int(zone[1:3]) <= 14 else ""
    return f"T{hour:0>2}:{minute}:{seconds[0] if seconds else '00'}{zone}"


def _parse_mail_date(written: str) -> str | None:
    """Parse a date in the format of mail and HTTP headers (RFC 5322)."""
    try:
        moment = parsedate_to_datetime(written)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment.isoformat() if FIRST_YEAR <= moment.year <= LAST_YEAR else None
