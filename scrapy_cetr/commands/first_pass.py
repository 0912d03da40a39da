"""The first of two passes over stored pages, which learns what repeats on the pages of a site.

In the second one, ``scrapy cetr`` extracts the pages, and all of them profit, also the first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tqdm import tqdm

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.files import STANDARD_INPUT
from scrapy_cetr.commands.inputs import stored_pages
from scrapy_cetr.commands.plan import Plan
from scrapy_cetr.extraction.batch.messages import ROW
from scrapy_cetr.extraction.batch.run import answers
from scrapy_cetr.extraction.memory.site import Observation, SiteMemoryError
from scrapy_cetr.extraction.memory.store import CrawlMemory


@contextmanager
def with_memory(plan: Plan) -> Iterator[Plan]:
    """Learn from all stored pages, and yield a plan that uses what is known.

    With a path in CETR_MEMORY, the memory starts with that of earlier runs, and is stored there.
    """
    if STANDARD_INPUT in plan.words:
        raise UsageError("CETR_MEMORY needs files: standard input (-) cannot be read twice")
    with TemporaryDirectory(prefix="scrapy-cetr-") as folder:
        path = Path(plan.memory) if isinstance(plan.memory, str) else Path(folder) / "memory.bin"
        memory = CrawlMemory()
        try:
            if path.exists():
                memory.load(path)
        except (OSError, SiteMemoryError) as error:
            raise UsageError(f"CETR_MEMORY: {error}") from None
        if plan.words:
            _learn(plan, memory)
        memory.save(path)
        yield replace(plan, job=replace(plan.job, site_memory=str(path)))


def _learn(plan: Plan, memory: CrawlMemory) -> None:
    """Add all stored pages to a memory; unreadable ones are reported by the second pass."""
    pages = stored_pages(
        plan.inputs, columns=plan.input_columns, error_pages=plan.includes_error_pages
    )
    job = replace(plan.job, observes=True)
    records = (page.record for page in pages)
    found = answers(records, job, jobs=plan.processes, timeout=plan.timeout)
    show = None if plan.is_several else True
    bar = tqdm(unit=" pages", desc="first pass", leave=False, disable=show, file=sys.stderr)
    with closing(found), bar:
        for answer in found:
            bar.update()
            row = answer.row
            if answer.status == ROW and row["site"] is not None and row["seen"] is not None:
                memory.learn(row["site"], Observation(*row["seen"]))
