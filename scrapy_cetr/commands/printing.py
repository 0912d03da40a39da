"""Comparisons of methods and reports for ``scrapy cetr``."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.commands.plan import Plan
from scrapy_cetr.extraction.article import extract_article
from scrapy_cetr.extraction.batch.worker import PageError, page_evidence, page_rule, read_page
from scrapy_cetr.extraction.options import METHOD_NAMES, Options
from scrapy_cetr.extraction.sites.rules import PageRule
from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.explanation import explain, explain_methods
from scrapy_cetr.reports.page_report import page_report
from scrapy_cetr.reports.rows import row_texts
from scrapy_cetr.reports.survey import Survey

_KEPT, _DROPPED = "●", "·"


class Printer:
    """Compares methods on the terminal, and writes reports, page by page."""

    def __init__(self, options: Options, *, plan: Plan) -> None:
        self._options = options
        self._plan = plan
        self._survey = Survey()

    def add(self, page: InputPage) -> str | None:
        """Print a page, and add it to the report. Return the error, if any."""
        try:
            html, url = read_page(page.record)
            if self._plan.prints:
                self._print(page, html, url)
            if self._plan.report is not None:
                self._add_to_report(html, url or page.name, self._plan.report)
        except OSError:
            raise  # the output cannot be written, so other pages would fail, too
        except PageError as error:
            return str(error)
        except Exception as error:
            return f"cannot be extracted: {type(error).__name__}: {error}"
        return None

    def _add_to_report(self, html: str, url: str, report: Path) -> None:
        rule = page_rule(html, url, self._plan.job)
        options = self._options if rule is None else rule.with_options(self._options)
        if self._plan.is_several:
            evidence = page_evidence(html, url, self._plan.job)
            article = extract_article(html, url=url, options=options, rule=rule, evidence=evidence)
            self._survey.add(article, html, options=options)
        else:
            explained = explain(html, url=url, options=options, rule=rule)
            report.write_text(page_report(explained), encoding="utf-8")

    def close(self) -> int:
        """Write the report, unless there is only one page, whose report is written already."""
        report = self._plan.report
        if report is not None and self._plan.is_several:
            write_crawl_report(self._survey, report, title=f"{self._survey.pages} pages")
        if report is not None:
            tqdm.write(f"Report written to {report}", file=sys.stderr)
        return 0

    def _print(self, page: InputPage, html: str, url: str | None) -> None:
        rule = page_rule(html, url, self._plan.job)
        chosen = self._options if rule is None else rule.with_options(self._options)
        if self._plan.format == "json":
            methods = METHOD_NAMES if self._plan.compares else (chosen.method,)
            for method in methods:
                options = replace(chosen, method=method)
                article = extract_article(html, url=url, options=options, rule=rule)
                row = page.record._replace(url=url).row(article.to_dict())
                _write(row.decode())
            return
        if self._plan.compares:
            text = _comparison(html, url, chosen, rule)
        else:
            evidence = page_evidence(html, url, self._plan.job)
            article = extract_article(html, url=url, options=chosen, rule=rule, evidence=evidence)
            text = getattr(article, self._plan.format)
        _write(f"== {page.name}\n{text}" if self._plan.is_several else text)


def _write(text: str) -> None:
    tqdm.write(text, file=sys.stdout)


def _comparison(html: str, url: str | None, options: Options, rule: PageRule | None) -> str:
    """Return a table of the rows that each method keeps, with a column per method."""
    explained = explain_methods(html, url=url, options=options, methods=METHOD_NAMES, rule=rule)
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
