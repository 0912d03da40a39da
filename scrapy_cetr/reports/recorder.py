"""The survey of a crawl for CETR_REPORT, which never troubles the crawl."""

from __future__ import annotations

import logging
from os import PathLike
from pathlib import Path

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.reports.survey import Survey

logger = logging.getLogger("scrapy_cetr")


class CrawlSurvey:
    """Remembers the pages of a crawl for its report; without a file for it, nothing."""

    def __init__(self, file: str | PathLike[str] | None) -> None:
        self._file = None if file is None else Path(file)
        self._survey = Survey()

    def add(self, found: Article, html: str, *, options: Options, failed: bool = False) -> None:
        """Remember a page."""
        if self._file is None:
            return
        try:
            self._survey.add(found, html, options=options, failed=failed)
        except Exception as error:
            logger.error("%s is not in the report: %s", found.url, error, exc_info=error)

    def write(self, spider: str) -> None:
        """Write the report, unless there was no page."""
        if self._file is None or not self._survey.pages:
            return
        try:
            from scrapy_cetr.reports.crawl_report import write_survey

            write_survey(self._survey, self._file, title=f"Crawl of {spider}")
        except OSError as error:
            reason = error.strerror or error
            logger.error("The report cannot be written to %s: %s", self._file, reason)
        except Exception as error:
            logger.error("There is no report: %s", error, exc_info=error)
        else:
            logger.info("report written to %s", self._file)
