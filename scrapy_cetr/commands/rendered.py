"""Renders pages for ``scrapy cetr --render`` before they are extracted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from scrapy_cetr.commands.errors import UsageError
from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.extraction.batch.worker import PageError, read_page
from scrapy_cetr.rendering.chromium import Chromium, RenderingError

Consumer = Callable[[Iterator[InputPage]], None]


def rendering(
    consume: Consumer, *, offline: bool, timeout: float, warn: Callable[[str], None]
) -> Consumer:
    """Return a consumer that renders pages in Chromium, and passes them on.

    A page that cannot be rendered is passed on as it is; ``warn`` is told why.
    """

    def consume_rendered(pages: Iterator[InputPage]) -> None:
        try:
            with Chromium(offline=offline, timeout=timeout) as browser:
                consume(_render(page, browser, warn) for page in pages)
        except RenderingError as error:
            raise UsageError(f"--render: {error}") from error

    return consume_rendered


def _render(page: InputPage, browser: Chromium, warn: Callable[[str], None]) -> InputPage:
    try:
        html, url = read_page(page.record)
    except PageError:
        return page  # The worker reports it.
    rendered = browser.render(html, url=url)
    if rendered.problem:
        warn(f"{page.name}: is not stamped: {rendered.problem}")
    made = page.record._replace(html=rendered.html, url=url, charset=None, form="html")
    return replace(page, record=made)
