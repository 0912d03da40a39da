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
from scrapy_cetr.extraction.options import RULES, Options, Rule, flag, make_options, number, one_of
from scrapy_cetr.extraction.sites.rules import SiteRules, load_sites

PRESETS: Mapping[str, Mapping[str, str]] = {"zyte": zyte.FIELDS}
# What the URLs of Redis begin with.
REDIS = ("redis://", "rediss://", "unix://")
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
    "sites": Rule(
        lambda value: (
            isinstance(value, Mapping) or (isinstance(value, (str, PathLike)) and bool(str(value)))
        ),
        "a dict of sites, or the path of a TOML or JSON file",
    ),
    "memory": Rule(
        lambda value: (
            isinstance(value, bool) or (isinstance(value, (str, PathLike)) and bool(str(value)))
        ),
        "True, False, the path of a file, or the URL of Redis",
    ),
    "not_article": one_of("keep", "drop"),
    "min_probability": number(Real, 0, 1, words="a number"),
    "languages": Rule(_are_languages, "a list of codes such as 'en' and 'de'", is_list=True),
    "duplicates": one_of("flag", "drop"),
    "duplicates_field": Rule(lambda value: isinstance(value, str), "the name of an item field"),
    "duplicates_threshold": number(Real, 0.1, 1, words="a number"),
    "duplicates_memory": number(Integral, 1, 10_000_000, words="a whole number"),
    "duplicates_redis": Rule(
        lambda value: (
            isinstance(value, str) and value.startswith(("redis://", "rediss://", "unix://"))
        ),
        "the URL of a server such as 'redis://localhost:6379/0'",
    ),
    "duplicates_key": Rule(
        lambda value: isinstance(value, str) and bool(value), "the beginning of the names of keys"
    ),
    "duplicates_expire": number(Integral, 1, 315_360_000, words="a whole number of seconds"),
    "workers": number(Integral, 0, 1000, words="a whole number"),
    "timeout": number(Real, 0.1, 86_400, words="a number of seconds"),
    "rendered": flag(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """The settings of a crawl: ``options`` of the library, and those of the plugin."""

    options: Options
    fields: Mapping[str, str]
    html_field: str | None
    short: Literal["keep", "drop"]
    report: str | PathLike[str] | None
    sites: SiteRules
    memory: bool | str
    not_article: Literal["keep", "drop"]
    min_probability: float
    languages: Sequence[str]
    duplicates: Literal["flag", "drop"]
    duplicates_field: str
    duplicates_threshold: float
    duplicates_memory: int
    duplicates_redis: str | None
    duplicates_key: str
    duplicates_expire: int
    workers: int
    timeout: float
    rendered: bool

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
    "sites": {},
    "memory": False,
    "not_article": "keep",
    "min_probability": 0,
    "languages": (),
    "duplicates": "flag",
    "duplicates_field": "duplicate_of",
    "duplicates_threshold": 0.8,
    "duplicates_memory": 20_000,
    "duplicates_redis": None,
    "duplicates_key": "cetr:duplicates",
    "duplicates_expire": 2_592_000,
    "workers": 0,
    "timeout": 30.0,
    "rendered": False,
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
    crawl["sites"] = read_sites(crawl["sites"])
    crawl["memory"] = _memory(crawl["memory"])
    if options.model:
        check_model(options.model)
    check_models(crawl["sites"])
    return CrawlSettings(options=options, **crawl)


def _memory(value: bool | str | PathLike[str]) -> bool | str:
    """Return whether there is a memory, or where it is."""
    if isinstance(value, bool):
        return value
    text = str(value)
    return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)


def check_models(sites: SiteRules, *, name: str = "CETR_SITES") -> None:
    """Load the weights that rules for sites name; raise a ValueError if they are no good."""
    for path, key in sites.models.items():
        check_model(path, name=f"{name}[{key!r}]['model']")


def check_model(path: str, *, name: str = "CETR_MODEL") -> None:
    """Load the weights of CETR_MODEL; raise a ValueError that says what is wrong with them."""
    # Not above: commands that only check the settings do not need the library.
    from scrapy_cetr.extraction.methods.learned.weights import WeightsError, load_model

    try:
        load_model(path)
    except WeightsError as error:
        raise ValueError(f"{name} {error}") from None


def read_sites(value: Mapping[str, Any] | str | PathLike[str]) -> SiteRules:
    """Read rules for sites from a dict, a JSON object or a file; raise a ValueError if invalid."""
    if isinstance(value, Mapping):
        return SiteRules(value)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            return SiteRules(json.loads(value))
        except json.JSONDecodeError as error:
            raise ValueError(f"CETR_SITES is not JSON: {error}") from None
    return load_sites(value)


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
    if rule.is_flag and text.lower() in ("true", "false"):
        return text.lower() == "true"
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
