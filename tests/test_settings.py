"""CETR_ settings: which values are accepted, and what an invalid one does."""

import logging
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from scrapy_cetr import zyte
from scrapy_cetr.extraction import Options
from scrapy_cetr.extraction.options import RULES
from scrapy_cetr.extraction.sites.rules import SiteRules
from scrapy_cetr.settings import CRAWL_RULES, read_settings, request_options
from scrapy_cetr.startup import SettingsError
from testkit.server import TEXT, Site, crawl, spider_of

METHOD_LIST = "'learned', 'cetr', 'cetr-km', 'cetr-tm', 'coreex', 'qread', 'lineblock' or 'clg'"
VALID: list[tuple[str, object, object]] = [
    ("CETR_DUPLICATES_REDIS", "redis://localhost:6379/0", "redis://localhost:6379/0"),
    ("CETR_DUPLICATES_KEY", "news", "news"),
    ("CETR_DUPLICATES_EXPIRE", "3600", 3600),
    ("CETR_METHOD", "cetr-km", "cetr-km"),
    ("CETR_METHOD", "cetr", "cetr"),
    ("CETR_FAVOR", "recall", "recall"),
    ("CETR_THRESHOLD", 0.6, 0.6),
    ("CETR_THRESHOLD", "0.99", 0.99),
    ("CETR_ROWS", "lines", "lines"),
    ("CETR_PARTS", ["headline", "paragraph"], ["headline", "paragraph"]),
    ("CETR_PARTS", "headline,paragraph", ["headline", "paragraph"]),
    ("CETR_SIGMA", "std", "std"),
    ("CETR_SIGMA", 0, 0),
    ("CETR_SIGMA", "2.5", 2.5),
    ("CETR_ALPHA", 1, 1),
    ("CETR_ALPHA", "1000", 1000),
    ("CETR_K", 2, 2),
    ("CETR_K", "5", 5),
    ("CETR_LAM", 0.5, 0.5),
    ("CETR_LAM", "0", 0),
    ("CETR_METHOD", "qread", "qread"),
    ("CETR_COREEX_THRESHOLD", 0.8, 0.8),
    ("CETR_COREEX_TEXT_WEIGHT", "0.1", 0.1),
    ("CETR_QREAD_EMPTY_LINES", "4", 4),
    ("CETR_LINEBLOCK_TTR", "std", "std"),
    ("CETR_LINEBLOCK_TTR", "25", 25),
    ("CETR_LINEBLOCK_ATTR", 0.3, 0.3),
    ("CETR_LINEBLOCK_TKD", "3", 3),
    ("CETR_CLG_THRESHOLD", "0.5", 0.5),
    ("CETR_CLG_OVERLAP", 0.8, 0.8),
    ("CETR_CLG_THETA1", 0, 0),
    ("CETR_CLG_THETA2", 0.1, 0.1),
    ("CETR_CLG_THETA3", 0.3, 0.3),
    ("CETR_CLG_THETA4", 1, 1),
    ("CETR_CLG_DEPTH", "4", 4),
    ("CETR_MIN_WORDS", 0, 0),
    ("CETR_MIN_WORDS", "50", 50),
    ("CETR_MAX_SIZE", 1, 1),
    ("CETR_MAX_SIZE", "1000000000", 1_000_000_000),
    ("CETR_FIELDS", {"a": "text"}, {"a": "text"}),
    ("CETR_FIELDS", '{"a": "text", "b": "url"}', {"a": "text", "b": "url"}),
    ("CETR_FIELDS", "zyte", zyte.FIELDS),
    ("CETR_FIELDS", {"a": "title", "b": "markdown"}, {"a": "title", "b": "markdown"}),
    ("CETR_FIELDS", {}, {}),
    ("CETR_HTML_FIELD", "html", "html"),
    ("CETR_HTML_FIELD", "zyte", "zyte"),
    ("CETR_HTML_FIELD", "5", "5"),
    ("CETR_SHORT", "drop", "drop"),
    ("CETR_REPORT", "report.html", "report.html"),
    ("CETR_REPORT", Path("report.html"), Path("report.html")),
    ("CETR_SITES", {}, SiteRules({})),
    ("CETR_SITES", {"a.example": {"drop": "p"}}, SiteRules({"a.example": {"drop": "p"}})),
    ("CETR_SITES", '{"a.example": {"drop": "p"}}', SiteRules({"a.example": {"drop": "p"}})),
    ("CETR_MEMORY", True, True),
    ("CETR_MEMORY", "1", True),
    ("CETR_MEMORY", "memory.bin", "memory.bin"),
    ("CETR_MEMORY", Path("memory.bin"), "memory.bin"),
    ("CETR_MODEL", "", ""),
    ("CETR_NOT_ARTICLE", "drop", "drop"),
    ("CETR_MIN_PROBABILITY", 0.9, 0.9),
    ("CETR_MIN_PROBABILITY", "0", 0),
    ("CETR_LANGUAGES", ["en", "de"], ["en", "de"]),
    ("CETR_LANGUAGES", '["zh"]', ["zh"]),
    ("CETR_LANGUAGES", (), ()),
    ("CETR_LANGUAGES", "en,de", ["en", "de"]),
    ("CETR_LANGUAGES", "en, de,", ["en", "de"]),
    ("CETR_LANGUAGES", "en", ["en"]),
    ("CETR_DUPLICATES", "drop", "drop"),
    ("CETR_DUPLICATES_FIELD", "copy_of", "copy_of"),
    ("CETR_DUPLICATES_THRESHOLD", 0.5, 0.5),
    ("CETR_DUPLICATES_MEMORY", "1000", 1000),
    ("CETR_WORKERS", 4, 4),
    ("CETR_WORKERS", "2", 2),
    ("CETR_TIMEOUT", 1, 1),
    ("CETR_TIMEOUT", 0.5, 0.5),
    ("CETR_TIMEOUT", "10", 10),
    ("CETR_RENDERED", True, True),
    ("CETR_RENDERED", "True", True),
    ("CETR_RENDERED", "1", True),
    ("CETR_RENDERED", "false", False),
]
INVALID: list[tuple[str, object, str]] = [
    (
        "CETR_DUPLICATES_REDIS",
        "localhost",
        "the URL of a server such as 'redis://localhost:6379/0'",
    ),
    ("CETR_DUPLICATES_KEY", "", "the beginning of the names of keys, not ''"),
    ("CETR_DUPLICATES_EXPIRE", 0, "a whole number of seconds from 1 to 315360000, not 0"),
    (
        "CETR_METHOD",
        "magic",
        f"{METHOD_LIST}, not 'magic'",
    ),
    (
        "CETR_METHOD",
        "CETR",
        f"{METHOD_LIST}, not 'CETR'",
    ),
    ("CETR_METHOD", 5, f"{METHOD_LIST}, not 5"),
    (
        "CETR_METHOD",
        ["cetr"],
        f"{METHOD_LIST}, not ['cetr']",
    ),
    ("CETR_FAVOR", "f1", "'article', 'precision' or 'recall', not 'f1'"),
    ("CETR_THRESHOLD", 0, "a number from 0.01 to 0.99, not 0"),
    ("CETR_THRESHOLD", "1", "a number from 0.01 to 0.99, not 1"),
    ("CETR_PARTS", ["title"], "a list of some of 'headline', 'byline'"),
    ("CETR_ROWS", "words", "'blocks' or 'lines', not 'words'"),
    ("CETR_SIGMA", -1, "'std' or a number from 0 to 1000, not -1"),
    ("CETR_SIGMA", "wide", "'std' or a number from 0 to 1000, not 'wide'"),
    ("CETR_SIGMA", float("nan"), "'std' or a number from 0 to 1000, not nan"),
    ("CETR_SIGMA", "NaN", "'std' or a number from 0 to 1000, not nan"),
    ("CETR_SIGMA", "Infinity", "'std' or a number from 0 to 1000, not inf"),
    ("CETR_REPORT", True, "the name of a file, not True"),
    ("CETR_REPORT", "", "the name of a file, not ''"),
    ("CETR_ALPHA", 0, "a whole number from 1 to 1000, not 0"),
    ("CETR_ALPHA", 1.5, "a whole number from 1 to 1000, not 1.5"),
    ("CETR_K", 1, "a whole number from 2 to 100, not 1"),
    ("CETR_K", True, "a whole number from 2 to 100, not True"),
    ("CETR_K", "true", "a whole number from 2 to 100, not True"),
    ("CETR_K", "", "a whole number from 2 to 100, not ''"),
    ("CETR_K", 10**400, f"a whole number from 2 to 100, not {10**400}"),
    ("CETR_K", f"{10**400}", f"a whole number from 2 to 100, not {10**400}"),
    ("CETR_LAM", 10**400, f"a number from 0 to 100, not {10**400}"),
    ("CETR_LAM", -0.1, "a number from 0 to 100, not -0.1"),
    ("CETR_COREEX_THRESHOLD", 1.5, "a number from 0 to 1, not 1.5"),
    ("CETR_COREEX_TEXT_WEIGHT", "much", "a number from 0 to 1, not 'much'"),
    ("CETR_QREAD_EMPTY_LINES", 0, "a whole number from 1 to 100, not 0"),
    ("CETR_LINEBLOCK_TTR", "wide", "'std' or a number from 0 to 10000, not 'wide'"),
    ("CETR_LINEBLOCK_ATTR", 20, "a number from 0 to 1, not 20"),
    ("CETR_LINEBLOCK_TKD", 1.5, "a whole number from 0 to 1000, not 1.5"),
    ("CETR_CLG_THRESHOLD", 2, "a number from 0 to 1, not 2"),
    ("CETR_CLG_OVERLAP", "wide", "a number from 0 to 1, not 'wide'"),
    ("CETR_CLG_THETA1", -1, "a number from 0 to 1, not -1"),
    ("CETR_CLG_THETA2", 2, "a number from 0 to 1, not 2"),
    ("CETR_CLG_THETA3", True, "a number from 0 to 1, not True"),
    ("CETR_CLG_THETA4", "all", "a number from 0 to 1, not 'all'"),
    ("CETR_CLG_DEPTH", 1.5, "a whole number from 0 to 512, not 1.5"),
    ("CETR_RENDERED", "yes", "True or False, not 'yes'"),
    ("CETR_RENDERED", 2, "True or False, not 2"),
    ("CETR_MIN_WORDS", "many", "a whole number from 0 to 1000000, not 'many'"),
    ("CETR_MIN_WORDS", -1, "a whole number from 0 to 1000000, not -1"),
    ("CETR_MAX_SIZE", 0, "a whole number from 1 to 1000000000, not 0"),
    ("CETR_SITES", 5, "a dict of sites, or the path of a TOML or JSON file, not 5"),
    ("CETR_MEMORY", 5, "True, False, the path of a file, or the URL of Redis, not 5"),
    ("CETR_MODEL", 5, "the path of an .npz file of weights, not 5"),
    ("CETR_NOT_ARTICLE", "flag", "'keep' or 'drop', not 'flag'"),
    ("CETR_MIN_PROBABILITY", 2, "a number from 0 to 1, not 2"),
    ("CETR_LANGUAGES", "en;de", "a list of codes such as 'en' and 'de', not ['en;de']"),
    ("CETR_LANGUAGES", "5", "a list of codes such as 'en' and 'de', not 5"),
    ("CETR_LANGUAGES", ["English"], "a list of codes such as 'en' and 'de', not ['English']"),
    ("CETR_DUPLICATES", "keep", "'flag' or 'drop', not 'keep'"),
    ("CETR_DUPLICATES_FIELD", 5, "the name of an item field, not 5"),
    ("CETR_DUPLICATES_THRESHOLD", 0, "a number from 0.1 to 1, not 0"),
    ("CETR_DUPLICATES_MEMORY", 0, "a whole number from 1 to 10000000, not 0"),
    ("CETR_FIELDS", ["text"], "'zyte', or a dict of item fields to one of text"),
    ("CETR_FIELDS", "text", "'zyte', or a dict of item fields to one of text"),
    ("CETR_FIELDS", {"a": "texts"}, "'zyte', or a dict of item fields to one of text"),
    ("CETR_FIELDS", {1: "text"}, "'zyte', or a dict of item fields to one of text"),
    ("CETR_FIELDS", '{"a": 1}', "'zyte', or a dict of item fields to one of text"),
    ("CETR_HTML_FIELD", ["html"], "the name of an item field, not ['html']"),
    ("CETR_SHORT", "remove", "'keep' or 'drop', not 'remove'"),
    ("CETR_SHORT", True, "'keep' or 'drop', not True"),
    ("CETR_WORKERS", -1, "a whole number from 0 to 1000, not -1"),
    ("CETR_WORKERS", "two", "a whole number from 0 to 1000, not 'two'"),
    ("CETR_TIMEOUT", 0, "a number of seconds from 0.1 to 86400, not 0"),
    ("CETR_TIMEOUT", "soon", "a number of seconds from 0.1 to 86400, not 'soon'"),
]


def test_default_settings_are_those_of_the_library() -> None:
    read = read_settings(Settings())
    assert read.options == Options()
    assert read.fields == {"article_text": "text"}
    assert (read.html_field, read.short, read.workers, read.timeout) == (None, "keep", 0, 30)


@pytest.mark.parametrize(("key", "value", "read"), VALID)
def test_valid_setting_is_read(key: str, value: object, read: object) -> None:
    found = read_settings(Settings({key: value}))
    name = key.removeprefix("CETR_").lower()
    assert getattr(found if hasattr(found, name) else found.options, name) == read


@pytest.mark.parametrize("key", sorted({key for key, _, _ in VALID}))
def test_none_stands_for_the_default(key: str) -> None:
    assert read_settings(Settings({key: None})) == read_settings(Settings())


@pytest.mark.parametrize(("key", "value", "legal"), INVALID)
def test_invalid_setting_is_named_with_the_accepted_values(
    key: str, value: object, legal: str
) -> None:
    with pytest.raises(ValueError, match="must be") as raised:
        read_settings(Settings({key: value}))
    assert str(raised.value).startswith(f"{key} must be {legal}")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("CETR_METHODS", "CETR_METHOD"),
        ("CETR_enabled", "CETR_ENABLED"),
        ("CETR_LANGUAGE", "CETR_LANGUAGES"),
        ("CETR_DUPLICATES_TRESHOLD", "CETR_DUPLICATES_THRESHOLD"),
    ],
)
def test_unknown_setting_is_named_with_a_similar_one(key: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"^unknown setting {key}; did you mean {meant}\\?$"):
        read_settings(Settings({key: 1}))


@pytest.mark.parametrize("key", ["CETR_", "CETR_COLOUR"])
def test_unknown_setting_is_named_with_the_known_ones(key: str) -> None:
    with pytest.raises(ValueError, match=f"unknown setting {key}; known are CETR_ENABLED, CETR_"):
        read_settings(Settings({key: 1}))


def test_every_setting_is_tested() -> None:
    tested = {key.removeprefix("CETR_").lower() for key, _, _ in VALID}
    assert tested == {*RULES, *CRAWL_RULES}
    assert {key for key, _, _ in VALID} == {key for key, _, _ in INVALID}


def test_request_options_override_only_what_they_name() -> None:
    options = Options(method="cetr-tm", k=4)
    assert request_options({"k": 5}, options) == Options(method="cetr-tm", k=5)
    assert request_options(True, options) is options
    assert request_options(None, options) is options


# Crawls


def log_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


@pytest.mark.parametrize(
    "off",
    [
        {},
        {"ITEM_PIPELINES": {"scrapy_cetr.CetrPipeline": None}},
        {"DOWNLOADER_MIDDLEWARES": {"scrapy_cetr.CetrDownloaderMiddleware": None}},
        {"SPIDER_MIDDLEWARES": {"scrapy_cetr.CetrSpiderMiddleware": None}},
    ],
)
@pytest.mark.parametrize(
    ("mistake", "line"),
    [
        ({"CETR_WORKERS": "two"}, "CETR_WORKERS must be a whole number from 0 to 1000, not 'two'"),
        ({"CETR_METHODS": "cetr"}, "unknown setting CETR_METHODS; did you mean CETR_METHOD?"),
        ({"CETR_ENABLED": "maybe"}, "CETR_ENABLED must be True or False, not 'maybe'"),
    ],
)
@deferred_f_from_coro_f
async def test_invalid_setting_ends_the_crawl_with_one_line(
    site: Site,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    off: dict[str, Any],
    mistake: dict[str, Any],
    line: str,
) -> None:
    with pytest.raises(SettingsError):
        await crawl(spider_of(site.add("/1")), **off, **mistake)
    assert capsys.readouterr().err == f"scrapy-cetr: {line}\n"
    assert log_of(caplog) == []
    assert site.hits == []


@deferred_f_from_coro_f
async def test_spider_can_override_settings(site: Site) -> None:
    own = {"CETR_FIELDS": {"body": "text", "by": "method"}, "CETR_METHOD": "cetr-tm"}
    crawled = await crawl(spider_of(site.add("/1"), custom_settings=own), CETR_METHOD="cetr-km")
    assert crawled.items[0]["by"] == "cetr-tm"
    assert crawled.items[0]["body"]


@deferred_f_from_coro_f
async def test_spider_can_enable_the_addon(site: Site) -> None:
    own = {"ADDONS": {"scrapy_cetr.Addon": 500}}
    crawled = await crawl(spider_of(site.add("/1"), custom_settings=own), addon=False)
    assert crawled.items[0]["article_text"] == TEXT
