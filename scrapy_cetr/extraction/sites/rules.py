"""The rules of CETR_SITES: read from a dict or a file, checked, and found by the URL of a page."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from scrapy_cetr.extraction.options import RULES, Options, make_options
from scrapy_cetr.extraction.sites.keys import SiteKey, ascii_host, parse_key
from scrapy_cetr.extraction.sites.selectors import SelectorError, compiled

# What selectors are for: rows of the text, and metadata.
ROW_USES = ("keep", "drop", "body")
METADATA_USES = ("title", "authors", "date")
USES = (*ROW_USES, *METADATA_USES)
# A page is cut before its rule is known.
OPTIONS = tuple(name for name in RULES if name != "max_size")
_KEYS = (*USES, *OPTIONS)
_LONGEST_FILE = 10_000_000


class SiteRulesError(ValueError):
    """Rules that are not valid; the message says where, and what is accepted."""


class RuleSelector(NamedTuple):
    """A selector of a rule: the site that it is given for, what it is for, and its text."""

    site: str
    use: str
    text: str

    def __str__(self) -> str:
        return f"{self.site}: {self.use} {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRule:
    """What the rules say about a page: ``sites`` are the keys that apply to it."""

    sites: tuple[str, ...]
    selectors: tuple[RuleSelector, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    def with_options(self, options: Options) -> Options:
        """Return the options of a crawl, overridden by those of the rule."""
        return make_options({**asdict(options), **self.options}) if self.options else options

    def to_json(self) -> dict[str, Any]:
        """Return the rule as JSON can hold it, for a worker process."""
        return {"sites": self.sites, "selectors": self.selectors, "options": dict(self.options)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> PageRule:
        """Make a rule of what ``to_json`` returned."""
        return cls(
            sites=tuple(values["sites"]),
            selectors=tuple(RuleSelector(*one) for one in values["selectors"]),
            options=values["options"],
        )


class _SiteRule(NamedTuple):
    """The rule of one key, as it was given and as it was parsed."""

    key: str
    pages: SiteKey
    selectors: tuple[RuleSelector, ...]
    options: Mapping[str, Any]


class SiteRules:
    """Rules by site. A key is a domain, which stands for its subdomains too, and a path pattern.

    >>> rules = SiteRules({"news.example": {"drop": ".ad"}, "news.example/blog/*": {"keep": "p"}})
    >>> rules.for_url("https://www.news.example/blog/1").sites
    ('news.example', 'news.example/blog/*')
    """

    def __init__(self, sites: Mapping[str, Mapping[str, Any]], *, name: str = "CETR_SITES") -> None:
        if not isinstance(sites, Mapping):
            raise SiteRulesError(
                f"{name} must be a dict of sites, or the path of a TOML or JSON file, not {sites!r}"
            )
        self.as_mapping = sites
        self._rules = [_site_rule(key, values, name) for key, values in sites.items()]
        # From the general to the specific, which overrides it.
        self._rules.sort(key=lambda rule: (len(rule.pages.domain), len(rule.key)))
        # Most pages are of few sites.
        self._of_host = lru_cache(maxsize=10_000)(self._find_by_host)

    def __len__(self) -> int:
        return len(self._rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SiteRules) and self.as_mapping == other.as_mapping

    __hash__ = None  # type: ignore[assignment]

    @property
    def models(self) -> dict[str, str]:
        """The files of weights that rules name, and the keys of these rules."""
        return {
            rule.options["model"]: rule.key for rule in self._rules if rule.options.get("model")
        }

    @property
    def selectors(self) -> list[RuleSelector]:
        """All selectors."""
        return [selector for rule in self._rules for selector in rule.selectors]

    def for_url(self, url: str | None) -> PageRule | None:
        """Return what the rules say about a page, or None if nothing."""
        try:
            parts = urlsplit(url or "")
            host = parts.hostname
        except ValueError:
            return None
        if not host:
            return None
        path = parts.path or "/"
        path = f"{path}?{parts.query}" if parts.query else path
        found = [rule for rule in self._of_host(host) if rule.pages.has_path(path)]
        return _page_rule(found) if found else None

    def _find_by_host(self, host: str) -> list[_SiteRule]:
        name = ascii_host(host)
        return [rule for rule in self._rules if rule.pages.is_of_host(name)]


def load_sites(source: str | PathLike[str], *, name: str = "CETR_SITES") -> SiteRules:
    """Read rules from a TOML or JSON file, and check them."""
    path = Path(source)
    where = f"{name} {path}"
    try:
        if path.stat().st_size > _LONGEST_FILE:
            raise SiteRulesError(f"{where}: has more than {_LONGEST_FILE:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SiteRulesError(f"{where}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise SiteRulesError(f"{where}: is not UTF-8: {error}") from None
    is_json = path.suffix.lower() == ".json"
    try:
        values = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "JSON" if is_json else "TOML"
        raise SiteRulesError(f"{where}: is not {kind}: {error}") from None
    if not isinstance(values, dict):
        raise SiteRulesError(f"{where}: must have an object of sites, not {values!r}")
    return SiteRules(values, name=where)


def _page_rule(rules: Sequence[_SiteRule]) -> PageRule:
    """Merge rules: ``keep`` and ``drop`` are added, the others override those of wider rules."""
    chosen: list[RuleSelector] = []
    options: dict[str, Any] = {}
    for rule in rules:
        given = {selector.use for selector in rule.selectors} - {"keep", "drop"}
        chosen = [selector for selector in chosen if selector.use not in given]
        chosen += rule.selectors
        options.update(rule.options)
    return PageRule(
        sites=tuple(rule.key for rule in rules), selectors=tuple(chosen), options=options
    )


def _site_rule(key: str, values: Mapping[str, Any], name: str) -> _SiteRule:
    where = f"{name}[{key!r}]"
    pages = parse_key(key) if isinstance(key, str) else None
    if pages is None:
        raise SiteRulesError(
            f"{name}: a site must be a domain such as 'news.example', with or without a path"
            f" pattern as in 'news.example/blog/*', not {key!r}"
        )
    if not isinstance(values, Mapping):
        raise SiteRulesError(f"{where} must have keys such as drop and body, not {values!r}")
    for unknown in values:
        if unknown not in _KEYS:
            raise SiteRulesError(f"{where}: {_unknown(str(unknown))}")
    selectors = [
        RuleSelector(key, use, text)
        for use in USES
        for text in _texts(values.get(use, ()), f"{where}[{use!r}]")
    ]
    for selector in selectors:
        try:
            compiled(selector.text)
        except SelectorError as error:
            raise SiteRulesError(
                f"{where}[{selector.use!r}]: {selector.text!r} is not a CSS selector that can be"
                f" used: {error}"
            ) from None
    options = {option: values[option] for option in OPTIONS if option in values}
    try:
        make_options(options)
    except (TypeError, ValueError) as error:
        raise SiteRulesError(f"{where}: {error}") from None
    return _SiteRule(key, pages, tuple(selectors), options)


def _texts(value: Any, where: str) -> Iterable[str]:
    texts = [value] if isinstance(value, str) else value
    is_list = isinstance(texts, list | tuple)
    if not is_list or not all(isinstance(one, str) and one.strip() for one in texts):
        raise SiteRulesError(f"{where} must be a CSS selector or a list of them, not {value!r}")
    return texts


def _unknown(key: str) -> str:
    close = get_close_matches(key, _KEYS, n=1, cutoff=0.6)
    if close:
        return f"unknown key {key!r}; did you mean {close[0]!r}?"
    return f"unknown key {key!r}; the keys are {', '.join(_KEYS)}"
