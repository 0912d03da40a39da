"""The CETR_ settings, and their validation at start-up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from os import PathLike
from typing import Any, Literal

from scrapy.settings import BaseSettings

from scrapy_cetr import zyte
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.options import RULES, Options, Rule, make_options, number, one_of

PRESETS: Mapping[str, Mapping[str, str]] = {"zyte": zyte.FIELDS}
_LANGUAGE = re.compile(r"^[a-z]{2,3}$")


def _maps_fields(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    return all(isinstance(key, str) and name in ATTRIBUTES for key, name in value.items())


def _are_languages(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(code, str) and _LANGUAGE.match(code) for code in value
    )


CRAWL_RULES: Mapping[str, Rule] = {
    "fields": Rule(
        _maps_fields, f"'zyte', or a dict of item fields to one of {', '.join(ATTRIBUTES)}"
    ),
    "html_field": Rule(lambda value: isinstance(value, str), "the name of an item field"),
    "short": one_of("keep", "drop"),
    "report": Rule(
        lambda value: isinstance(value, (str, PathLike)) and bool(str(value)), "the name of a file"
    ),
    "not_article": one_of("keep", "drop"),
    "min_probability": number(Real, 0, 1, words="a number"),
    "languages": Rule(_are_languages, "a list of codes such as 'en' and 'de'", is_list=True),
    "duplicates": one_of("flag", "drop"),
    "duplicates_field": Rule(lambda value: isinstance(value, str), "the name of an item field"),
    "duplicates_threshold": number(Real, 0.1, 1, words="a number"),
    "duplicates_memory": number(Integral, 1, 10_000_000, words="a whole number"),
    "workers": number(Integral, 0, 1000, words="a whole number"),
    "timeout": number(Real, 0.1, 86_400, words="a number of seconds"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """The settings of a crawl: ``options`` of the library, and those of the plugin."""

    options: Options
    fields: Mapping[str, str]
    html_field: str | None
    short: Literal["keep", "drop"]
    report: str | PathLike[str] | None
    not_article: Literal["keep", "drop"]
    min_probability: float
    languages: Sequence[str]
    duplicates: Literal["flag", "drop"]
    duplicates_field: str
    duplicates_threshold: float
    duplicates_memory: int
    workers: int
    timeout: float

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes of Article that the crawl uses."""
        # Kinds are counted.
        always = ("kind", "kind_probability")
        needed = (*self.fields.values(), *always, *(["language"] if self.languages else []))
        return tuple(dict.fromkeys(needed))

    @property
    def shapes(self) -> Mapping[str, Callable[[Any], Any]] | None:
        """Converters of attributes by item field for the preset ``zyte``; None for other fields."""
        return zyte.SHAPES if self.fields is zyte.FIELDS else None


DEFAULTS: Mapping[str, Any] = {
    "fields": {"article_text": "text"},
    "html_field": None,
    "short": "keep",
    "report": None,
    "not_article": "keep",
    "min_probability": 0,
    "languages": (),
    "duplicates": "flag",
    "duplicates_field": "duplicate_of",
    "duplicates_threshold": 0.8,
    "duplicates_memory": 20_000,
    "workers": 0,
    "timeout": 30.0,
}


def read_settings(settings: BaseSettings) -> CrawlSettings:
    """Read and validate all CETR_ settings; raise a ValueError for the first invalid one."""
    try:
        settings.getbool("CETR_ENABLED", True)
    except ValueError:
        value = settings["CETR_ENABLED"]
        raise ValueError(f"CETR_ENABLED must be True or False, not {value!r}") from None
    known = {f"CETR_{name.upper()}": name for name in (*RULES, *CRAWL_RULES)}
    for key in settings:
        if str(key).startswith("CETR_") and key not in (*known, "CETR_ENABLED"):
            raise ValueError(_unknown(str(key), ["CETR_ENABLED", *known]))
    given = {
        name: _checked(key, settings[key], {**RULES, **CRAWL_RULES}[name])
        for key, name in known.items()
        if settings.get(key) is not None
    }
    options = Options(**{name: given[name] for name in RULES if name in given})
    crawl = {name: given.get(name, default) for name, default in DEFAULTS.items()}
    return CrawlSettings(options=options, **crawl)


def _unknown(key: str, known: list[str]) -> str:
    """Say that a setting is unknown, and which one may be meant."""
    # Without the prefix, which makes all names similar.
    names = [name.removeprefix("CETR_") for name in known]
    close = get_close_matches(key.upper().removeprefix("CETR_"), names, n=1, cutoff=0.7)
    if close:
        return f"unknown setting {key}; did you mean CETR_{close[0]}?"
    return f"unknown setting {key}; known are {', '.join(known)}"


def _checked(key: str, value: Any, rule: Rule) -> Any:
    if isinstance(value, str):
        value = from_command_line(value, rule)
    if not rule.accepts(value):
        raise ValueError(f"{key} must be {rule.legal}, not {value!r}")
    return value


def from_command_line(text: str, rule: Rule) -> Any:
    """Convert a string from the command line to the preset, number, dict or list that it names."""
    if rule.accepts(text):
        return text
    if text in PRESETS:
        return PRESETS[text]
    try:
        return json.loads(text)
    except ValueError:
        return [word.strip() for word in text.split(",") if word.strip()] if rule.is_list else text


def request_options(requested: object, options: Options) -> Options:
    """Return ``options``, overridden by ``requested``: the value of ``request.meta["cetr"]``.

    That is a dict of options. None and booleans override nothing.
    """
    if requested is None or isinstance(requested, bool):
        return options
    if not isinstance(requested, Mapping):
        raise TypeError(f"meta['cetr'] must be a boolean or a dict of options, not {requested!r}")
    return make_options({**asdict(options), **requested})
