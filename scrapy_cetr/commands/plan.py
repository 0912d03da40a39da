"""What one call of ``scrapy cetr`` does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from scrapy_cetr.commands.batch_run import TEXT_FIELD, Duplicates
from scrapy_cetr.commands.files import StoredInputs, is_one_page
from scrapy_cetr.commands.inputs import Columns
from scrapy_cetr.commands.journal import Journal
from scrapy_cetr.extraction.batch.messages import Job
from scrapy_cetr.extraction.batch.schema import columns_of


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The checked arguments. ``words`` are those that are not URLs."""

    words: Sequence[str]
    url_words: Sequence[str]
    url_file: Path | None
    job: Job
    format: str
    output: Path | None
    folder: Path | None
    report: Path | None
    compares: bool
    resumes: bool
    duplicates: Duplicates | None
    jobs: int
    timeout: float
    input_columns: Columns
    includes_error_pages: bool
    renders: bool
    is_offline: bool
    prints: bool
    memory: bool | str = False
    checks: Sequence[Path] = ()

    @property
    def is_explained(self) -> bool:
        """Whether pages are compared or reported on instead of extracted in bulk."""
        return self.compares or self.report is not None or bool(self.checks)

    @property
    def target(self) -> Path | None:
        """The output file or folder."""
        return self.output or self.folder

    @property
    def target_has_content(self) -> bool:
        """Whether something is in the output file or folder."""
        if self.target is None or not self.target.exists():
            return False
        return any(self.target.iterdir()) if self.folder else self.target.stat().st_size > 0

    @property
    def inputs(self) -> StoredInputs:
        """The stored inputs, without what this or an earlier run has written."""
        target = self.target
        written = () if target is None else (target, Journal(target).folder)
        return StoredInputs(words=self.words, excluded=[path.resolve() for path in written])

    @property
    def has_urls(self) -> bool:
        """Whether pages are downloaded."""
        return bool(self.url_words) or self.url_file is not None

    def urls(self) -> Iterator[str]:
        """Yield the URLs of the arguments and of the list; comments and blank lines are ignored."""
        yield from self.url_words
        if self.url_file is not None:
            with self.url_file.open(encoding="utf-8-sig", errors="replace") as lines:
                yield from (url for line in lines if (url := line.strip()) and url[0] != "#")

    @property
    def is_several(self) -> bool:
        """Whether more than one page may come."""
        one = len(self.words) + len(self.url_words) == 1 and self.url_file is None
        return not one or not all(map(is_one_page, self.words))

    @property
    def processes(self) -> int:
        """The number of worker processes; 0 if a single page is not worth starting one."""
        return self.jobs if self.is_several or self.target is not None else 0

    @cached_property
    def _survey(self) -> tuple[int, int, str]:
        return self.inputs.survey()

    @property
    def input_size(self) -> int:
        """The size of all stored inputs in bytes."""
        return self._survey[1] if self.is_several else 0

    @property
    def columns(self) -> dict[str, str]:
        """The columns of an output file, and the attributes that they hold."""
        fields = {name: held for name, held in self.job.fields.items() if name != TEXT_FIELD}
        html = {self.job.page_html: "page_html"} if self.job.page_html else {}
        return columns_of({**html, **fields})

    @property
    def text_field(self) -> str:
        """The field of the rows with the text, by which near-duplicates are found."""
        names = (name for name, attribute in self.job.fields.items() if attribute == "text")
        return next(names, TEXT_FIELD)

    @property
    def identity(self) -> Mapping[str, Any]:
        """What must be the same when a run is continued, by its name in error messages."""
        files, size, digest = self._survey
        job = json.loads(self.job.to_json())
        return {
            "inputs": f"{files:,} files of {size:,} bytes (hash {digest})",
            "URLs": list(self.url_words),
            "--urls": str(self.url_file) if self.url_file else None,
            "columns": [self.input_columns.html, self.input_columns.url],
            "--error-pages": self.includes_error_pages,
            "--render": [self.renders, self.is_offline],
            "--format": self.format,
            "--fields": job.pop("fields"),
            "options": {**job.pop("options")},
            "--languages": job.pop("languages"),
            "--page-html": job.pop("page_html"),
            "--only-articles": job.pop("only_articles"),
            "CETR_MIN_PROBABILITY": job.pop("min_probability"),
            "--deduplicate": self.duplicates,
            "--sites": job.pop("sites"),
            "CETR_MEMORY": self.memory,
        }
