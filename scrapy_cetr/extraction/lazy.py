"""What the rest of an article is worked out from: its page, and which parts of it were kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from scrapy_cetr.extraction.html.details import DetailedPage, Image, Link, Passages, read_details
from scrapy_cetr.extraction.metadata import Metadata, read_metadata
from scrapy_cetr.extraction.metadata.language import find_language
from scrapy_cetr.extraction.output.blocks import Block, Run
from scrapy_cetr.extraction.output.captions_comments import find_captions, find_comments
from scrapy_cetr.extraction.output.html import write_html
from scrapy_cetr.extraction.output.markdown import write_markdown
from scrapy_cetr.extraction.output.structure import body_blocks, text_blocks

METADATA = tuple(field.name for field in fields(Metadata) if field.name != "sources")


class Source:
    """The page of an article; each value is worked out once, and the page can then be let go.

    Two threads that ask at once may both work a value out, and get the same.
    """

    def __init__(self, html: str, *, url: str | None, text: str, kept: Passages | None) -> None:
        self._html: str | None = html
        self._url = url
        self._text = text
        self._kept = kept  # None, if the text is not from the visible part of the page
        self._values: dict[str, Any] = {}
        self._page: DetailedPage | None = None
        self._blocks: list[Block] | None = None
        self._again: Callable[[], Any] | None = None

    @classmethod
    def of_values(
        cls, values: Mapping[str, Any], *, again: Callable[[], Any] | None = None
    ) -> Source:
        """Make a source of some values, and of an article to ask for others."""
        source = cls("", url=None, text="", kept=None)
        source._html = None
        source._values = dict(values)
        source._again = again
        return source

    @property
    def known(self) -> Mapping[str, Any]:
        """The values that are worked out already."""
        return self._values

    def value(self, name: str, empty: Any) -> Any:
        """Give a value; what nobody has worked out while the page was there is empty."""
        if name not in self._values:
            if self._html is not None:
                self._values.update(_WORK[name](self))
            elif self._again is not None:
                self._values[name] = getattr(self._again(), name)
        return self._values.get(name, empty)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_page": None, "_blocks": None, "_again": None}

    def metadata(self) -> dict[str, Any]:
        """Read the metadata, all at once."""
        found = read_metadata(self._html or "", url=self._url)
        values = {name: getattr(found, name) for name in METADATA}
        return {**values, "stated_sources": found.sources}

    def language(self) -> dict[str, Any]:
        """Tell the language of the text."""
        declared = self.value("declared_language", None)
        found = find_language(self._text, declared)
        return {"language": found.value if found else None, "language_found": found}

    def sources(self) -> dict[str, Any]:
        """Say of each value where it comes from."""
        sources = dict(self.value("stated_sources", {}))
        language = self.value("language_found", None)
        if language:
            sources["language"] = language.source
        if self._text:
            sources["text"] = "json-ld" if self._kept is None else "page"
        return {"sources": sources}

    def blocks(self) -> list[Block]:
        """Cut the body into blocks."""
        if self._blocks is None:
            if self._kept is None:
                self._blocks = text_blocks(self._text)
            else:
                self._blocks = body_blocks(self.page(), self._kept, url=self._url)
        return self._blocks

    def page(self) -> DetailedPage:
        """Read the page again, with its details."""
        if self._page is None:
            self._page = read_details(self._html or "")
        return self._page

    def markdown(self) -> dict[str, Any]:
        """Write the body as Markdown."""
        return {"markdown": write_markdown(self.blocks())}

    def html(self) -> dict[str, Any]:
        """Write the body as HTML."""
        return {"html": write_html(self.blocks())}

    def parts(self) -> dict[str, Any]:
        """List the links and pictures of the body."""
        runs = [part for block in self.blocks() for part in _parts(block, Run)]
        images = [part for block in self.blocks() for part in _parts(block, Image)]
        return {
            "links": tuple(Link(run.text.strip(), run.link) for run in runs if run.link),
            "images": tuple(dict.fromkeys(images)),
        }

    def captions(self) -> dict[str, Any]:
        """Find the captions of pictures in the article."""
        return {"captions": find_captions(self.page(), self._span())}

    def comments(self) -> dict[str, Any]:
        """Find what readers wrote below the article."""
        return {"comments": find_comments(self.page())}

    def _span(self) -> tuple[int, int]:
        """Say where in the text of the page the article begins and ends."""
        if self._kept is None or not len(self._kept.begin):
            return 0, 0
        return int(np.min(self._kept.begin)), int(np.max(self._kept.end))


def _parts(block: Block, kind: type[Any]) -> list[Any]:
    return [part for part in block.parts if isinstance(part, kind)]


_WORK: Mapping[str, Callable[[Source], dict[str, Any]]] = {
    **dict.fromkeys((*METADATA, "stated_sources"), Source.metadata),
    **dict.fromkeys(("language", "language_found"), Source.language),
    "sources": Source.sources,
    "markdown": Source.markdown,
    "html": Source.html,
    **dict.fromkeys(("links", "images"), Source.parts),
    "captions": Source.captions,
    "comments": Source.comments,
}
