"""Settings that a user set, but that have no effect in combination with the others."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from scrapy_cetr.extraction.options import DEFAULTS as OPTION_DEFAULTS
from scrapy_cetr.extraction.options import METHOD_OPTIONS
from scrapy_cetr.settings import DEFAULTS, CrawlSettings

_DUPLICATES = ("duplicates", "duplicates_field", "duplicates_threshold", "duplicates_memory")
_DUPLICATES_PIPELINE = "scrapy_cetr.CetrDuplicatesPipeline"


def find_ineffective(settings: BaseSettings, read: CrawlSettings) -> Iterator[str]:
    """Yield a warning for each setting that differs from its default but changes nothing.

    ``read`` are the settings as read_settings() returns them.
    """
    options = read.options
    for name, methods in METHOD_OPTIONS.items():
        if options.method not in methods and getattr(options, name) != OPTION_DEFAULTS[name]:
            needed = " or ".join(f'"{method}"' for method in methods)
            yield _warning(name, f"it needs CETR_METHOD = {needed}, not {options.method!r}")
    is_lam_given = options.lam != OPTION_DEFAULTS["lam"]
    if is_lam_given and options.method == "lineblock" and options.lineblock_ttr != "std":
        yield _warning("lam", 'it needs CETR_LINEBLOCK_TTR = "std"')
    if _differs(read, "short") and not options.min_words:
        yield _warning("short", "no article is short without CETR_MIN_WORDS")
    if options.method != "learned":
        for name, missing in (("not_article", "kind"), ("min_probability", "probability")):
            if _differs(read, name):
                yield _warning(name, f"the method {options.method!r} gives no {missing}")
    if _differs(read, "timeout") and not read.workers:
        yield _warning("timeout", "it needs CETR_WORKERS")
    given = [name for name in _DUPLICATES if _differs(read, name)]
    if given and not _has_duplicates_pipeline(settings):
        for name in given:
            yield _warning(name, f"it needs {_DUPLICATES_PIPELINE} in ITEM_PIPELINES")


def _differs(read: CrawlSettings, name: str) -> bool:
    return bool(getattr(read, name) != DEFAULTS[name])


def _warning(name: str, reason: str) -> str:
    return f"CETR_{name.upper()} has no effect: {reason}"


def _has_duplicates_pipeline(settings: BaseSettings) -> bool:
    enabled = settings.getwithbase("ITEM_PIPELINES")
    return any(order is not None and _is_duplicates(name) for name, order in enabled.items())


def _is_duplicates(pipeline: object) -> bool:
    """Tell whether a pipeline is ours or a subclass of it, by its class or its path."""
    try:
        # Imported here, as it imports the extractor.
        return issubclass(load_object(pipeline), load_object(_DUPLICATES_PIPELINE))  # type: ignore[arg-type]
    except (TypeError, ValueError, ImportError, NameError):
        return False
