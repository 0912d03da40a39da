"""The output of ``scrapy cetr``: articles, comparisons of methods, and reports."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.extraction.article import Article, extract_article
from scrapy_cetr.extraction.options import METHOD_NAMES, Options
from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.explanation import explain, explain_methods
from scrapy_cetr.reports.page_report import page_report
from scrapy_cetr.reports.rows import row_texts
from scrapy_cetr.reports.survey import Survey

_KEPT, _DROPPED = "●", "·"


class Printer:
    """Prints the article of each page, and writes the report after the last one.

    ``several`` is whether more than one page may come.
    """

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

    def add(self, page: InputPage) -> str | None:
        """Print the article of a page, and add it to the report. Return the error, if any."""
        try:
            if self._format is not None:
                self._print(page)
            if self._report is not None:
                self._add_to_report(page, self._report)
        except OSError:
            raise  # the output cannot be written, so other pages would fail, too
        except Exception as error:
            return f"cannot be extracted: {type(error).__name__}: {error}"
        return None

    def _add_to_report(self, page: InputPage, report: Path) -> None:
        url = page.url or page.name
        if self._several:
            article = extract_article(page.html, url=url, options=self._options)
            self._survey.add(article, page.text(), options=self._options)
        else:
            explained = explain(page.html, url=url, options=self._options)
            report.write_text(page_report(explained), encoding="utf-8")

    def close(self) -> None:
        """Write the report, unless there is only one page, whose report is written already."""
        if self._report is not None and self._several:
            write_crawl_report(self._survey, self._report, title=f"{self._survey.pages} pages")
        if self._report is not None:
            tqdm.write(f"Report written to {self._report}", file=sys.stderr)

    def _print(self, page: InputPage) -> None:
        if self._format == "json":
            methods = METHOD_NAMES if self._compare else (self._options.method,)
            for method in methods:
                options = replace(self._options, method=method)
                _write(_as_json(extract_article(page.html, url=page.url, options=options), page))
            return
        text = (
            _comparison(page, self._options)
            if self._compare
            else _formatted(page, self._options, format=str(self._format))
        )
        _write(f"== {page.name}\n{text}" if self._several else text)


def _write(text: str) -> None:
    tqdm.write(text, file=sys.stdout)


def _as_json(article: Article, page: InputPage) -> str:
    """Write all attributes of an article as one line of JSON."""
    line = json.dumps({"name": page.name, **article.to_dict()}, ensure_ascii=False)
    # Lone surrogates in metadata cannot be printed; their escapes are the same in JSON.
    return line.encode("utf-8", "backslashreplace").decode()


def _formatted(page: InputPage, options: Options, *, format: str) -> str:  # noqa: A002
    article = extract_article(page.html, url=page.url, options=options)
    formatted: str = getattr(article, format)
    return formatted


def _comparison(page: InputPage, options: Options) -> str:
    """Return a table of the rows that each method keeps, with a column per method."""
    explained = explain_methods(page.html, url=page.url, options=options, methods=METHOD_NAMES)
    read = explained[0].page
    names = _columns(METHOD_NAMES)
    words = [str(by.article.words) for by in explained]
    lines = [names, f"{_columns(words)}  words kept", ""]
    width = max(shutil.get_terminal_size((100, 24)).columns - len(names) - 3, 20)
    texts = row_texts(read, longest=width)
    for row in np.flatnonzero(read.rows.chars).tolist():
        marks = [_KEPT if by.keep[row] else _DROPPED for by in explained]
        lines.append(f"{_columns(marks)}  {' '.join(texts[row].split())}")
    return "\n".join(lines)


def _columns(cells: Sequence[str]) -> str:
    """Align one cell per method below the names of the methods."""
    names = zip(cells, METHOD_NAMES, strict=True)
    return "".join(f"{cell:>{max(len(name), 5) + 2}}" for cell, name in names)
