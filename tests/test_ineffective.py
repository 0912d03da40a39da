"""find_ineffective: which settings have no effect in combination with the others."""

from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from scrapy_cetr.duplicates import CetrDuplicatesPipeline
from scrapy_cetr.extraction.options import METHOD_NAMES, METHOD_OPTIONS, Options
from scrapy_cetr.ineffective import find_ineffective
from scrapy_cetr.settings import read_settings


class OwnDuplicatesPipeline(CetrDuplicatesPipeline):
    """A subclass in a project."""


PIPELINE = "scrapy_cetr.CetrDuplicatesPipeline"
HANDLER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
INEFFECTIVE: list[tuple[dict[str, Any], str]] = [
    ({"SHORT": "drop"}, "CETR_SHORT has no effect: no article is short without CETR_MIN_WORDS"),
    (
        {"FAVOR": "recall", "METHOD": "cetr"},
        'CETR_FAVOR has no effect: it needs CETR_METHOD = "learned" or "clg", not \'cetr\'',
    ),
    (
        {"THRESHOLD": 0.6, "METHOD": "qread"},
        'CETR_THRESHOLD has no effect: it needs CETR_METHOD = "learned" or "clg", not \'qread\'',
    ),
    (
        {"LAM": 1.5, "METHOD": "coreex"},
        'CETR_LAM has no effect: it needs CETR_METHOD = "cetr-tm" or "lineblock", not \'coreex\'',
    ),
    (
        {"LAM": 1.5, "METHOD": "lineblock"},
        'CETR_LAM has no effect: it needs CETR_LINEBLOCK_TTR = "std"',
    ),
    (
        {"MIN_PROBABILITY": 0.9, "METHOD": "cetr"},
        "CETR_MIN_PROBABILITY has no effect: the method 'cetr' gives no probability",
    ),
    (
        {"NOT_ARTICLE": "drop", "METHOD": "cetr"},
        "CETR_NOT_ARTICLE has no effect: the method 'cetr' gives no kind",
    ),
    (
        {"RENDERED": True},
        f"CETR_RENDERED has no effect: it needs {HANDLER} in DOWNLOAD_HANDLERS",
    ),
    ({"TIMEOUT": 5}, "CETR_TIMEOUT has no effect: it needs CETR_WORKERS"),
    (
        {"DUPLICATES_MEMORY": 5},
        f"CETR_DUPLICATES_MEMORY has no effect: it needs {PIPELINE} in ITEM_PIPELINES",
    ),
]
EFFECTIVE: list[dict[str, Any]] = [
    {},
    {"SHORT": "drop", "MIN_WORDS": 10},
    {"SHORT": "keep", "FAVOR": "article", "TIMEOUT": 30, "METHOD": "cetr"},
    {"FAVOR": "recall", "THRESHOLD": 0.6},
    {"LAM": 1.5, "METHOD": "cetr-tm"},
    {"LAM": 1.5, "METHOD": "lineblock", "LINEBLOCK_TTR": "std"},
    {"MIN_PROBABILITY": 0.9},
    {"NOT_ARTICLE": "drop"},
    {"TIMEOUT": 5, "WORKERS": 1},
]


def warnings_of(given: dict[str, Any], **others: Any) -> list[str]:
    settings = Settings({**{f"CETR_{name}": value for name, value in given.items()}, **others})
    return list(find_ineffective(settings, read_settings(settings)))


@pytest.mark.parametrize(("given", "warning"), INEFFECTIVE)
def test_setting_without_effect_is_named_with_what_it_needs(
    given: dict[str, Any], warning: str
) -> None:
    assert warnings_of(given) == [warning]


@pytest.mark.parametrize("given", EFFECTIVE)
def test_setting_with_effect_is_not_warned_of(given: dict[str, Any]) -> None:
    assert warnings_of(given) == []


@pytest.mark.parametrize("pipeline", [PIPELINE, CetrDuplicatesPipeline, OwnDuplicatesPipeline])
def test_duplicates_settings_have_an_effect_with_their_pipeline(pipeline: Any) -> None:
    given = {"DUPLICATES": "drop", "DUPLICATES_FIELD": "copy"}
    assert warnings_of(given, ITEM_PIPELINES={pipeline: 60, "unknown.Pipeline": 70}) == []
    assert len(warnings_of(given, ITEM_PIPELINES={pipeline: None})) == 2


class OwnHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    pass


@pytest.mark.parametrize("handler", [HANDLER, ScrapyPlaywrightDownloadHandler, OwnHandler])
def test_rendered_has_an_effect_with_a_handler_that_renders(handler: Any) -> None:
    assert warnings_of({"RENDERED": True}, DOWNLOAD_HANDLERS={"https": handler, "ftp": None}) == []


def test_method_options_name_options_and_methods() -> None:
    assert METHOD_OPTIONS.keys() <= Options.__dataclass_fields__.keys()
    assert {method for methods in METHOD_OPTIONS.values() for method in methods} <= {*METHOD_NAMES}
