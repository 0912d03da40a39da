"""The pages of stored files, as ``scrapy cetr`` reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scrapy_cetr.commands.files import StoredInputs
from scrapy_cetr.commands.inputs import Columns, InputPage, stored_pages
from scrapy_cetr.extraction.batch.worker import PageError, read_page

Found = tuple[str | None, str | None]


def pages(*words: Path | str, excluded: Sequence[Path] = (), **options: Any) -> list[InputPage]:
    """Return the pages of some arguments."""
    inputs = StoredInputs(words=[str(word) for word in words], excluded=excluded)
    return list(stored_pages(inputs, **{"columns": Columns(), "error_pages": False, **options}))


def content(page: InputPage) -> Found:
    """Return the HTML and the URL of a page, or its error and None."""
    try:
        return read_page(page.record)
    except PageError as error:
        return str(error), "error"


def read(*words: Path | str, **options: Any) -> list[Found]:
    """Return the HTML and the URL of each page, or its error."""
    return [content(page) for page in pages(*words, **options)]
