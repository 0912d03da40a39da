"""Crawls of servers that misbehave: items stored by Scrapy alone and with the plugin."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.reactor import install_reactor

from benchmarks.table import Table
from testkit.faults import FAULTS, WORKERS, Fault, Outcome, redirecting, run_fault

REDIRECTS = 10_000
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "alone": {"addon": False},
    "workers 0": {"addon": True},
    f"workers {WORKERS}": {"addon": True, "workers": WORKERS},
}

Outcomes = Mapping[str, Mapping[str, Outcome]]


def run_faults() -> Outcomes:
    """Crawl with every fault and variant in one reactor."""
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet.task import react

    found: dict[str, dict[str, Outcome]] = {}

    async def crawl_all() -> None:
        for name, fault in all_faults().items():
            found[name] = {
                variant: await run_fault(fault, **options) for variant, options in VARIANTS.items()
            }

    with suppress(SystemExit):
        react(lambda _: deferred_from_coro(crawl_all()))
    return found


def all_faults() -> dict[str, Fault]:
    """Return the faults of the tests and a longer chain of redirects."""
    settings = {"REDIRECT_MAX_TIMES": REDIRECTS + 1}
    chain = Fault(answer=redirecting(REDIRECTS), settings=settings)
    return {**FAULTS, f"{REDIRECTS:,} redirects": chain}


def crawls_table(found: Outcomes) -> Table:
    """Count requests and items; the numbers of Scrapy alone are expected."""
    variants = list(VARIANTS)[1:]
    headers = ["fault", "requests expected", *(f"sent, {name}" for name in variants)]
    headers += ["items expected", *(f"stored, {name}" for name in variants), "with articles"]
    rows = []
    for name, outcomes in found.items():
        alone, *others = outcomes.values()
        sent = [str(other.requests) for other in others]
        stored = [str(other.stored) for other in others]
        articles = str(others[0].articles)
        rows.append([name, str(alone.requests), *sent, str(alone.stored), *stored, articles])
    totals = [str(sum(int(row[column]) for row in rows)) for column in range(1, len(headers))]
    return Table(headers, [*rows, ["all", *totals]], name_columns=1)
