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
_SHARED = ("duplicates_redis", "duplicates_key", "duplicates_expire")
_SHARED_PIPELINE = "scrapy_cetr.CetrSharedDuplicatesPipeline"


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
    if read.rendered and not _renders(settings):
        handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
        yield _warning("rendered", f"it needs {handler} in DOWNLOAD_HANDLERS")
    for names, pipeline in ((_DUPLICATES, _DUPLICATES_PIPELINE), (_SHARED, _SHARED_PIPELINE)):
        given = [name for name in names if _differs(read, name)]
        if given and not _has_pipeline(settings, pipeline):
            for name in given:
                yield _warning(name, f"it needs {pipeline} in ITEM_PIPELINES")


def _renders(settings: BaseSettings) -> bool:
    """Tell whether a download handler is scrapy-playwright's, or a subclass of it."""
    handlers = settings.getwithbase("DOWNLOAD_HANDLERS").values()
    return any(_is_rendering(handler) for handler in handlers if handler is not None)


def _is_rendering(handler: object) -> bool:
    if isinstance(handler, str) and "scrapy_playwright" in handler:
        return True
    try:
        bases = load_object(handler).__mro__  # type: ignore[arg-type]
    except (TypeError, ValueError, ImportError, NameError, AttributeError):
        return False
    return any(base.__module__.startswith("scrapy_playwright.") for base in bases)


def _differs(read: CrawlSettings, name: str) -> bool:
    return bool(getattr(read, name) != DEFAULTS[name])


def _warning(name: str, reason: str) -> str:
    return f"CETR_{name.upper()} has no effect: {reason}"


def _has_pipeline(settings: BaseSettings, wanted: str) -> bool:
    enabled = settings.getwithbase("ITEM_PIPELINES")
    return any(order is not None and _is_pipeline(name, wanted) for name, order in enabled.items())


def _is_pipeline(pipeline: object, wanted: str) -> bool:
    """Tell whether a pipeline is a class of ours or a subclass of it, by its class or its path."""
    try:
        # Imported here, as it imports the extractor.
        return issubclass(load_object(pipeline), load_object(wanted))  # type: ignore[arg-type]
    except (TypeError, ValueError, ImportError, NameError):
        return False
