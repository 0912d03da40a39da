"""The start of a crawl: invalid settings end it, and settings without effect are warned of."""

from __future__ import annotations

import logging
import sys

from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.job import job_dir

from scrapy_cetr.extraction.memory.site import SiteMemoryError
from scrapy_cetr.ineffective import find_ineffective
from scrapy_cetr.memory import MemoryOfCrawl
from scrapy_cetr.settings import CrawlSettings, read_settings

logger = logging.getLogger("scrapy_cetr")

# What logs the traceback of a crawl that did not start.
_LOGGERS = ("asyncio", "twisted")


class SettingsError(ValueError):
    """A CETR_ setting that is unknown or has an invalid value. It is on stderr already."""


class FatalSettingsError(SettingsError, SystemExit):
    """An invalid setting that Python shows as one line, without a traceback, with exit code 1.

    It is raised only where a crawler process or runner is made, and can be caught as a ValueError.
    Inside of a crawl, it would end the event loop, and with it other crawls.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.code = message


def check_before_crawlers(settings: BaseSettings) -> None:
    """Raise FatalSettingsError if the settings of a project, script or command are invalid."""
    try:
        if settings.getbool("CETR_ENABLED", True):
            read_settings(settings)
    except ValueError as error:
        raise FatalSettingsError(_line(error)) from None


def settings_of(crawler: Crawler) -> CrawlSettings:
    """Return the settings of a crawl, and log a warning for each that has no effect.

    If one is invalid, write one line to stderr and raise SettingsError. Components are built
    before feeds are opened, so this leaves the files of earlier crawls as they are.
    """
    try:
        settings = read_settings(crawler.settings)
    except ValueError as error:
        _report(_line(error), crawler.settings)
        raise SettingsError(str(error)) from None
    for warning in find_ineffective(crawler.settings, settings):
        logger.warning("%s", warning)
    return settings


def memory_of(crawler: Crawler, settings: CrawlSettings) -> MemoryOfCrawl | None:
    """Return the memory of a crawl, or None without CETR_MEMORY.

    If it cannot be read, write one line to stderr and raise SettingsError.
    """
    if not settings.memory:
        return None
    try:
        return MemoryOfCrawl(settings.memory, folder=job_dir(crawler.settings))
    except (OSError, SiteMemoryError) as error:
        _report(_line(ValueError(f"CETR_MEMORY: {error}")), crawler.settings)
        raise SettingsError(str(error)) from None


def _line(error: ValueError) -> str:
    return f"scrapy-cetr: {error}"


def _report(line: str, settings: BaseSettings) -> None:
    """Write a line to stderr, whatever the log level is, and to the log file, if there is one."""
    if settings.get("LOG_FILE") and settings.getbool("LOG_ENABLED"):
        logger.error("%s", line)
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
    for name in _LOGGERS:
        # A filter is added only once.
        logging.getLogger(name).addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for the traceback of an error that is on stderr already."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, SettingsError)
