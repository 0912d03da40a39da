"""Articles on the terminal, methods side by side, and the reports that are asked for."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from scrapy_cetr.commands.inputs import Stored
from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.options import METHOD_NAMES, Options
from scrapy_cetr.reports.crawl_report import write_survey
from scrapy_cetr.reports.explanation import explain, explain_methods
from scrapy_cetr.reports.page_report import page_report
from scrapy_cetr.reports.rows import row_texts
from scrapy_cetr.reports.survey import Survey

_KEPT, _DROPPED = "●", "·"


class NoFormatError(Exception):
    """A format that articles do not have."""


class Printer:
    """Prints page by page, and writes the report when all are there."""

    def __init__(
        self,
        options: Options,
        *,
        format: str | None,  # noqa: A002
        compare: bool,
        report: Path | None,
        several: bool,
    ) -> None:
        self._options = options
        self._format = format
        self._compare = compare
        self._report = report
        self._several = several
        self._survey = Survey()

    def add(self, page: Stored) -> str | None:
        """Print a page; what went wrong with it is given back."""
        try:
            if self._format is not None:
                self._print(page)
            if self._report is not None:
                self._add_to_report(page, self._report)
        except NoFormatError as error:
            return str(error)
        except OSError:
            raise  # of the terminal or the report, with which no other page would fare better
        except Exception as error:
            return f"cannot be extracted: {type(error).__name__}: {error}"
        return None

    def _add_to_report(self, page: Stored, report: Path) -> None:
        address = page.url or page.name
        if self._several:
            found = extract_article(page.html, url=address, options=self._options)
            self._survey.add(found, page.text(), options=self._options)
        else:
            judged = explain(page.html, url=address, options=self._options)
            report.write_text(page_report(judged), encoding="utf-8")

    def close(self) -> None:
        """Write the report of several pages."""
        if self._report is not None and self._several:
            write_survey(self._survey, self._report, title=f"{self._survey.pages} pages")
        if self._report is not None:
            tqdm.write(f"report written to {self._report}", file=sys.stderr)

    def _print(self, page: Stored) -> None:
        if self._format == "json":
            methods = METHOD_NAMES if self._compare else (self._options.method,)
            for method in methods:
                options = replace(self._options, method=method)
                _write(_as_json(extract_article(page.html, url=page.url, options=options), page))
            return
        written = (
            _side_by_side(page, self._options)
            if self._compare
            else _formatted(page, self._options, format=str(self._format))
        )
        _write(f"== {page.name}\n{written}" if self._several else written)


def _write(text: str) -> None:
    tqdm.write(text, file=sys.stdout)


def _as_json(article: Article, page: Stored) -> str:
    """Write all attributes of an article as one line of JSON."""
    line = json.dumps({"name": page.name, **article.to_dict()}, ensure_ascii=False)
    # Lone surrogates in metadata cannot be printed; their escapes are the same in JSON.
    return line.encode("utf-8", "backslashreplace").decode()


def _formatted(page: Stored, options: Options, *, format: str) -> str:  # noqa: A002
    article = extract_article(page.html, url=page.url, options=options)
    written = getattr(article, format, None)
    if not isinstance(written, str):
        known = "this version of scrapy-cetr writes text and json only"
        raise NoFormatError(f"has no {format}: {known}")
    return written


def _side_by_side(page: Stored, options: Options) -> str:
    """Show which rows each method keeps, a column for each, and how many words that makes."""
    explained = explain_methods(page.html, url=page.url, options=options, methods=METHOD_NAMES)
    read = explained[0].page
    names = _columns(METHOD_NAMES)
    words = [str(by.article.words) for by in explained]
    lines = [names, f"{_columns(words)}  words kept", ""]
    left = max(shutil.get_terminal_size((100, 24)).columns - len(names) - 3, 20)
    texts = row_texts(read, longest=left)
    for row in np.flatnonzero(read.rows.chars).tolist():
        marks = [_KEPT if by.keep[row] else _DROPPED for by in explained]
        lines.append(f"{_columns(marks)}  {' '.join(texts[row].split())}")
    return "\n".join(lines)


def _columns(cells: Sequence[str]) -> str:
    """Set a cell below the name of each method."""
    names = zip(cells, METHOD_NAMES, strict=True)
    return "".join(f"{cell:>{max(len(name), 5) + 2}}" for cell, name in names)
