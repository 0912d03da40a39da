"""The CETR_ settings, checked at start-up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from numbers import Integral, Real
from os import PathLike
from typing import Any, Literal

from scrapy.settings import BaseSettings

from scrapy_cetr import zyte
from scrapy_cetr.extraction.article import ATTRIBUTES
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
    "languages": Rule(_are_languages, "a list of codes such as 'en' and 'de'"),
    "duplicates": one_of("flag", "drop"),
    "duplicates_field": Rule(lambda value: isinstance(value, str), "the name of an item field"),
    "duplicates_threshold": number(Real, 0.1, 1, words="a number"),
    "duplicates_memory": number(Integral, 1, 10_000_000, words="a whole number"),
    "workers": number(Integral, 0, 1000, words="a whole number"),
    "timeout": number(Real, 0.1, 86_400, words="a number of seconds"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """What the settings of a crawl say: options of the library, and what the plugin does."""

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
        """The attributes of an article that the crawl needs."""
        needed = (*self.fields.values(), *(["language"] if self.languages else []))
        return tuple(dict.fromkeys(needed))

    @property
    def shapes(self) -> Mapping[str, Callable[[Any], Any]] | None:
        """What the fields of a preset are made to look like; None for fields of one's own."""
        return zyte.SHAPES if self.fields is zyte.FIELDS else None


DEFAULTS: Mapping[str, Any] = {
    "fields": {"article_text": "text"},
    "html_field": None,
    "short": "keep",
    "report": None,
    "not_article": "keep",
    "min_probability": 0.5,
    "languages": (),
    "duplicates": "flag",
    "duplicates_field": "duplicate_of",
    "duplicates_threshold": 0.8,
    "duplicates_memory": 20_000,
    "workers": 0,
    "timeout": 30.0,
}


def read_settings(settings: BaseSettings) -> CrawlSettings:
    """Read and check all CETR_ settings; a ValueError names the first that is wrong."""
    try:
        settings.getbool("CETR_ENABLED", True)
    except ValueError:
        value = settings["CETR_ENABLED"]
        raise ValueError(f"CETR_ENABLED must be True or False, not {value!r}") from None
    known = {f"CETR_{name.upper()}": name for name in (*RULES, *CRAWL_RULES)}
    for key in settings:
        if str(key).startswith("CETR_") and key not in (*known, "CETR_ENABLED"):
            raise ValueError(f"unknown setting {key}; there are CETR_ENABLED, {', '.join(known)}")
    given = {
        name: _checked(key, settings[key], {**RULES, **CRAWL_RULES}[name])
        for key, name in known.items()
        if settings.get(key) is not None
    }
    options = Options(**{name: given[name] for name in RULES if name in given})
    crawl = {name: given.get(name, default) for name, default in DEFAULTS.items()}
    return CrawlSettings(options=options, **crawl)


def _checked(key: str, value: Any, rule: Rule) -> Any:
    if isinstance(value, str) and not rule.accepts(value):
        value = from_command_line(value)
    if not rule.accepts(value):
        raise ValueError(f"{key} must be {rule.legal}, not {value!r}")
    return value


def from_command_line(written: str) -> Any:
    """Read what ``-s`` can only give as a string: a preset, a number, a dict or a list."""
    if written in PRESETS:
        return PRESETS[written]
    try:
        return json.loads(written)
    except ValueError:
        return written


def request_options(wish: object, options: Options) -> Options:
    """Apply ``request.meta["cetr"]``, a dict of options; True and None stand for no wish."""
    if wish is None or isinstance(wish, bool):
        return options
    if not isinstance(wish, Mapping):
        raise TypeError(f"meta['cetr'] must be False or a dict of options, not {wish!r}")
    return make_options({**asdict(options), **wish})
