"""The reporter of a crawl, which CETR_REPORT enables."""

from __future__ import annotations

import logging
import os
import socket
from os import PathLike
from pathlib import Path

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.survey import Survey
from scrapy_cetr.reports.survey_state import load_survey, save_survey

logger = logging.getLogger("scrapy_cetr")

# The file in the JOBDIR.
STATE = "cetr-report.json.gz"
# A report with this suffix is a survey, to be merged with those of other processes.
SURVEY_SUFFIX = ".json.gz"
# Replaced by the host and the number of the process, which may share a folder with others.
PROCESS = "%(process)s"


class CrawlReporter:
    """Surveys the pages of a crawl and writes the crawl report at its end.

    In a crawl with a JOBDIR, ``folder``, it continues the survey of the runs before. An error is
    logged, and never raised: the report must not disturb the crawl.
    """

    def __init__(
        self,
        file: str | PathLike[str],
        *,
        folder: str | None = None,
    ) -> None:
        process = f"{socket.gethostname()}-{os.getpid()}"
        self._file = Path(str(file).replace(PROCESS, process))
        self._state = Path(folder) / STATE if folder else None
        self._survey = Survey()
        if self._state is not None and self._state.exists():
            try:
                self._survey = load_survey(self._state)
            except (OSError, ValueError) as error:
                text = "The report starts again: cannot read %s: %s"
                logger.warning(text, self._state, error)

    def add(self, article: Article, html: str, *, options: Options, failed: bool = False) -> None:
        """Add a page; ``failed`` if it could not be extracted."""
        try:
            self._survey.add(article, html, options=options, failed=failed)
        except Exception as error:
            logger.error("The report does not include %s: %s", article.url, error, exc_info=error)

    def write(self, name: str) -> None:
        """Write the report of the spider ``name``, unless the crawl had no pages."""
        if not self._survey.pages:
            return
        try:
            if self._state is not None:
                save_survey(self._survey, self._state)
            if self._file.name.endswith(SURVEY_SUFFIX):
                save_survey(self._survey, self._file)
            else:
                write_crawl_report(self._survey, self._file, title=f"Crawl of {name}")
        except OSError as error:
            reason = error.strerror or error
            logger.error("Cannot write the report to %s: %s", self._file, reason)
        except Exception as error:
            logger.error("Cannot write the report to %s: %s", self._file, error, exc_info=error)
        else:
            logger.info("Report written to %s", self._file)
