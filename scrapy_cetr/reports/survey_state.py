"""A survey as a JSON file in the JOBDIR, so that a resumed crawl continues it."""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64decode, b64encode
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scrapy_cetr.extraction.options import make_options
from scrapy_cetr.reports.survey import PageCounts, ReservoirSample, Survey, SurveyedPage, Suspect

# Another version of the file is ignored.
_VERSION = 3
_COUNTERS = ("words", "chars_in", "chars_out", "unlisted")
_PAGE_COUNTERS = ("pages", "articles", "empty", "failed")
_SAMPLES = ("words", "shares", "probabilities")
# Longer pages are listed after a resume, but without a page report.
_MAX_STORED_BYTES = 500_000
# What reading a truncated or foreign file raises, apart from ValueError.
_DAMAGES = (EOFError, zlib.error, KeyError, TypeError, AttributeError, IndexError, RecursionError)


def save_survey(survey: Survey, path: Path) -> None:
    """Write a survey; a crawl that is killed meanwhile leaves the older file."""
    state = {
        "version": _VERSION,
        "counters": {name: getattr(survey, name) for name in _COUNTERS},
        "total": _counts_state(survey.total),
        "sites": {name: _counts_state(site) for name, site in survey.sites.items()},
        "sample": [survey.sample.added, [asdict(page) for page in survey.sample.items]],
        "rules": [survey.rule_pages, survey.unmatched],
        "suspects": [_suspect_state(suspect) for suspect in survey.candidates],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    with gzip.open(new, "wt", encoding="ascii", compresslevel=1) as file:
        json.dump(state, file)
    new.replace(path)


def load_survey(path: Path) -> Survey:
    """Read the survey of an earlier run; raise ValueError if the file is not one."""
    survey = Survey()
    try:
        with gzip.open(path, "rt", encoding="ascii") as file:
            state = json.load(file)
        if state["version"] != _VERSION:
            raise ValueError(f"version {state['version']} is unknown")
        for name in _COUNTERS:
            setattr(survey, name, int(state["counters"][name]))
        survey.total = _counts(state["total"])
        survey.sites = {name: _counts(site) for name, site in state["sites"].items()}
        for counter, counts in zip(
            (survey.rule_pages, survey.unmatched), state["rules"], strict=True
        ):
            counter.update({str(name): int(count) for name, count in counts.items()})
        added, pages = state["sample"]
        survey.sample.restore([SurveyedPage(**page) for page in pages], added)
        for suspect in map(_suspect, state["suspects"]):
            if suspect.page.site in survey.sites:
                survey.add_candidate(suspect)
    except _DAMAGES as error:
        raise ValueError(f"{type(error).__name__}: {error}") from None
    return survey


def _counts_state(counts: PageCounts) -> dict[str, Any]:
    samples = {name: getattr(counts, name) for name in _SAMPLES}
    return {
        "counters": {name: getattr(counts, name) for name in _PAGE_COUNTERS},
        "kinds": counts.kinds,
        "samples": {name: [sample.added, sample.items] for name, sample in samples.items()},
    }


def _counts(state: dict[str, Any]) -> PageCounts:
    counts = PageCounts()
    for name in _PAGE_COUNTERS:
        setattr(counts, name, int(state["counters"][name]))
    counts.kinds.update({str(kind): int(count) for kind, count in state["kinds"].items()})
    for name in _SAMPLES:
        added, items = state["samples"][name]
        sample: ReservoirSample[float] = getattr(counts, name)
        sample.restore([float(item) for item in items], added)
    return counts


def _suspect_state(suspect: Suspect) -> dict[str, Any]:
    html = suspect.compressed_html
    if html is not None and len(html) > _MAX_STORED_BYTES:
        html = None
    return {
        "page": asdict(suspect.page),
        "severity": suspect.severity,
        # Only pages that get a report of their own need options.
        "options": asdict(suspect.options) if html is not None else {},
        "html": None if html is None else b64encode(html).decode("ascii"),
    }


def _suspect(state: dict[str, Any]) -> Suspect:
    return Suspect(
        page=SurveyedPage(**state["page"]),
        severity=float(state["severity"]),
        options=make_options(state["options"]),
        compressed_html=None if state["html"] is None else b64decode(state["html"]),
    )
