"""One report of the surveys of several processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scrapy_cetr.reports.crawl_report import write_crawl_report
from scrapy_cetr.reports.survey import MAX_SITES, OTHER_SITES, PageCounts, Survey
from scrapy_cetr.reports.survey_state import load_survey

_COUNTERS = ("words", "chars_in", "chars_out", "unlisted")
_PAGE_COUNTERS = ("pages", "articles", "empty", "failed")
_SAMPLES = ("words", "shares", "probabilities")


def merge_reports(files: Sequence[Path], report: Path) -> int:
    """Write one report of stored surveys, and return the number of pages.

    Raise ValueError, with the name of the file, if one of them is not a survey.
    """
    merged = Survey()
    for file in files:
        try:
            merge_survey(merged, load_survey(file))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ValueError(f"{file}: is not the survey of a crawl: {reason}") from error
    write_crawl_report(merged, report, title=f"Crawl of {len(files)} processes")
    return merged.pages


def merge_survey(survey: Survey, other: Survey) -> None:
    """Add the pages of another survey to a survey, as if they had been added one by one."""
    for name in _COUNTERS:
        setattr(survey, name, getattr(survey, name) + getattr(other, name))
    _merge_counts(survey.total, other.total)
    names: dict[str, str] = {}
    survey.rule_pages.update(other.rule_pages)
    survey.unmatched.update(other.unmatched)
    for name, site in other.sites.items():
        is_known = name in survey.sites or len(survey.sites) < MAX_SITES
        names[name] = name if is_known else OTHER_SITES
        _merge_counts(survey.sites.setdefault(names[name], PageCounts()), site)
    survey.sample.merge(other.sample)
    for suspect in other.candidates:
        name = names.get(suspect.page.site, OTHER_SITES)
        suspect.page = replace(suspect.page, site=name)
        survey.add_candidate(suspect)


def _merge_counts(counts: PageCounts, other: PageCounts) -> None:
    for name in _PAGE_COUNTERS:
        setattr(counts, name, getattr(counts, name) + getattr(other, name))
    counts.kinds.update(other.kinds)
    for name in _SAMPLES:
        getattr(counts, name).merge(getattr(other, name))
