"""The attributes of an article that are computed only when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from typing import Any

import numpy as np

from scrapy_cetr.extraction.columns import Bools
from scrapy_cetr.extraction.html.details import (
    DetailedPage,
    Image,
    read_details,
    visible_details,
    with_details,
)
from scrapy_cetr.extraction.kind import STUB, Clues, find_kind
from scrapy_cetr.extraction.metadata import Metadata, read_metadata
from scrapy_cetr.extraction.metadata.authors import clean_names
from scrapy_cetr.extraction.metadata.date_parsing import parse_date
from scrapy_cetr.extraction.metadata.language import find_language
from scrapy_cetr.extraction.metadata.paywalls import shows_paywall
from scrapy_cetr.extraction.metadata.sources import SITE_RULE
from scrapy_cetr.extraction.output.article_blocks import Outline, article_blocks
from scrapy_cetr.extraction.output.blocks import Block, Link, Run
from scrapy_cetr.extraction.output.captions import find_captions
from scrapy_cetr.extraction.output.comments import find_comments
from scrapy_cetr.extraction.output.html import write_html
from scrapy_cetr.extraction.output.markdown import write_markdown
from scrapy_cetr.extraction.output.passages import Passages, in_passages, passages
from scrapy_cetr.extraction.output.pictures import with_main_image
from scrapy_cetr.extraction.output.structure import body_blocks
from scrapy_cetr.extraction.page.hidden import Spans, without_spans
from scrapy_cetr.extraction.page.page import Page

METADATA = tuple(field.name for field in fields(Metadata) if field.name != "sources")
_DECLARED_PAYWALL = "declared_paywall"
# A less likely stub is no evidence of a paywall.
_LIKELY_STUB = 0.8


class LazyValues:
    """Computes the attributes of an article from its HTML, each at most once.

    ``kept`` are the passages of the page that make the text; None if the text is not from the
    visible part of the page but of ``body``, which is HTML. Unless ``is_visible``, they are in text
    that is hidden until a script runs. ``outline`` returns the roles of these and of the other
    parts, ``headline`` is the text of the headline. ``page`` is the page, if it was read with the
    offsets of its tags; it is read again otherwise, with the stamps of a browser if it
    ``is_stamped``. ``clues`` are those to the kind of the page, None if the method gives none. By
    the rule of the site, ``dropped`` are parts of the page's text that are left out, and
    ``selected`` has the texts of a title, authors and a date. Two threads that ask at the same time
    may both compute a value; they get equal values.
    """

    def __init__(
        self,
        html: str,
        *,
        url: str | None,
        text: str,
        kept: Passages | None,
        outline: Callable[[], Outline] | None = None,
        clues: Clues | None = None,
        body: str = "",
        headline: str = "",
        is_visible: bool = True,
        is_stamped: bool = False,
        page: Page | None = None,
        dropped: Spans | None = None,
        selected: Mapping[str, Any] | None = None,
    ) -> None:
        self._html: str | None = html
        self._url = url
        self._text = text
        self._kept = kept
        self._make_outline = outline
        self._clues = clues
        self._body, self._is_visible, self._is_stamped = body, is_visible, is_stamped
        self._headline = headline
        self._dropped, self._selected = dropped, selected or {}
        self._values: dict[str, Any] = {}
        self._page = self._without_dropped(with_details(page)) if page and page.sources else None
        self._visible_page: DetailedPage | None = None
        self._blocks: list[Block] | None = None
        self._extract_again: Callable[[], Any] | None = None

    @classmethod
    def known(
        cls, values: Mapping[str, Any], *, extract_again: Callable[[], Any] | None = None
    ) -> LazyValues:
        """Hold values that are computed already, without a page.

        Other values are taken from the article that ``extract_again`` returns, if it is given.
        """
        lazy = cls("", url=None, text="", kept=None)
        lazy._html = None
        lazy._values = dict(values)
        lazy._extract_again = extract_again
        return lazy

    @property
    def computed(self) -> Mapping[str, Any]:
        """The values that are computed already."""
        return self._values

    def value(self, name: str, empty: Any) -> Any:
        """Return a value, or ``empty`` if there is no page to compute it from."""
        if name not in self._values:
            if self._html is not None:
                self._values.update(_COMPUTE[name](self))
            elif self._extract_again is not None:
                self._values[name] = getattr(self._extract_again(), name)
        return self._values.get(name, empty)

    def __getstate__(self) -> dict[str, Any]:
        unsent = ("_page", "_visible_page", "_blocks", "_extract_again", "_make_outline")
        return {**self.__dict__, "_outline": self._outline, **dict.fromkeys(unsent)}

    @cached_property
    def _outline(self) -> Outline | None:
        return self._make_outline() if self._make_outline is not None else None

    def metadata(self) -> dict[str, Any]:
        """Read all metadata, by parsing the page once."""
        found = read_metadata(self._html or "", url=self._url, headline=self._headline)
        values = {name: getattr(found, name) for name in METADATA}
        values[_DECLARED_PAYWALL] = values.pop("paywalled")
        selected = self._selected_metadata()
        sources = {**found.sources, **dict.fromkeys(selected, SITE_RULE)}
        return {**values, **selected, "metadata_sources": sources}

    def _selected_metadata(self) -> dict[str, Any]:
        """Return the metadata that the rule of the site selects, as far as the page has them."""
        values: dict[str, Any] = {}
        if "title" in self._selected:
            values["title"] = self._selected["title"]
        if "authors" in self._selected:
            written = self._selected["authors"]
            values["authors"] = tuple(clean_names(written)) or tuple(written)
        if (date := self._selected.get("date")) and (parsed := parse_date(date)):
            values.update(date_published=parsed, date_published_raw=date)
        return values

    def paywalled(self) -> dict[str, Any]:
        """Tell whether there is a paywall: the page declares it, or shows only a beginning."""
        declared = self.value(_DECLARED_PAYWALL, None)
        if declared is None:
            is_shown = self.value("kind", None) == STUB
            is_shown = is_shown and self.value("kind_probability", 0.0) >= _LIKELY_STUB
            is_shown = is_shown or shows_paywall(self._html or "", self._text)
            return {"paywalled": True if is_shown else None}
        return {"paywalled": declared}

    def kind(self) -> dict[str, Any]:
        """Tell the kind of the page."""
        found = None
        if self._clues is not None:
            found = find_kind(self._clues, self._html or "", url=self._url)
        return {
            "kind": found.name if found else None,
            "kind_probability": found.probability if found else None,
        }

    def language(self) -> dict[str, Any]:
        """Find the language of the text."""
        declared = self.value("declared_language", None)
        found = find_language(self._text, declared)
        return {"language": found.value if found else None, "language_found": found}

    def sources(self) -> dict[str, Any]:
        """Name the source of each value that was found."""
        sources = dict(self.value("metadata_sources", {}))
        language = self.value("language_found", None)
        if language:
            sources["language"] = language.source
        if "paywalled" not in sources and self.value("paywalled", None):
            sources["paywalled"] = "page"
        if self._text:
            sources["text"] = "json-ld" if self._kept is None else "page"
        return {"sources": sources}

    def blocks(self) -> list[Block]:
        """Divide the body into blocks, from which all formats are written."""
        if self._blocks is None:
            if self._html is None and self._extract_again is not None:
                self._blocks = self._extract_again()._lazy.blocks()
            elif self._kept is None:
                page = visible_details(read_details(self._body))
                kept = passages(page, page.rows.chars > 0)
                self._blocks = body_blocks(page, kept, url=self._url)
            else:
                self._blocks = body_blocks(self.visible_page(), self._kept, url=self._url)
        return self._blocks or []

    def article_blocks(self) -> dict[str, Any]:
        """Divide the article into blocks with roles."""
        if self._outline is None or self._kept is None:
            return {"blocks": article_blocks(self.blocks(), None)}
        found = body_blocks(self.visible_page(), self._outline.passages, url=self._url)
        return {"blocks": article_blocks(found, self._outline)}

    def page(self) -> DetailedPage:
        """Read the page with its links and images."""
        if self._page is None:
            details = read_details(self._html or "", with_stamps=self._is_stamped)
            self._page = self._without_dropped(details)
        return self._page

    def _without_dropped(self, page: DetailedPage) -> DetailedPage:
        """Leave out what the rule of the site drops."""
        return page if self._dropped is None else without_spans(page, self._dropped)

    def visible_page(self) -> DetailedPage:
        """Return the page without its hidden text, unless that is the article."""
        if self._visible_page is None:
            self._visible_page = visible_details(self.page()) if self._is_visible else self.page()
        return self._visible_page

    def markdown(self) -> dict[str, Any]:
        """Write the body as Markdown."""
        return {"markdown": write_markdown(self.blocks())}

    def html(self) -> dict[str, Any]:
        """Write the body as HTML."""
        return {"html": write_html(self.blocks())}

    def links_and_images(self) -> dict[str, Any]:
        """List the links and images of the body."""
        parts = [part for block in self.blocks() for part in block.parts]
        runs = [part for part in parts if isinstance(part, Run)]
        images = [part for part in parts if isinstance(part, Image)]
        return {
            "links": tuple(Link(run.text.strip(), run.link) for run in runs if run.link),
            "images": with_main_image(images, self.value("image", None)),
        }

    def captions(self) -> dict[str, Any]:
        """Find the image captions between the beginning and the end of the article."""
        images = self.value("images", ())
        return {"captions": find_captions(self.page(), self._span(), images=images)}

    def comments(self) -> dict[str, Any]:
        """Find the comments of readers."""
        page = self.visible_page()
        found = find_comments(page, self._article_rows(page))
        dated = (comment._replace(date=parse_date(comment.date or "")) for comment in found)
        return {"comments": tuple(dated)}

    def _article_rows(self, page: DetailedPage) -> Bools:
        """Return which rows of a page are in the article, without its comments."""
        starts = page.rows.start
        if self._outline is None or not len(self._outline.start):
            return np.zeros(len(starts), np.bool_)
        return in_passages(starts, self._outline.passages) & ~self._outline.have_role(
            starts, "comment"
        )

    def _span(self) -> tuple[int, int]:
        """Return where the article begins and ends in the text of the page."""
        if self._kept is None or not len(self._kept.begin):
            return 0, 0
        return int(np.min(self._kept.begin)), int(np.max(self._kept.end))


# The method that computes each value, together with others.
_COMPUTE: Mapping[str, Callable[[LazyValues], dict[str, Any]]] = {
    **dict.fromkeys((*METADATA, _DECLARED_PAYWALL, "metadata_sources"), LazyValues.metadata),
    "paywalled": LazyValues.paywalled,
    **dict.fromkeys(("kind", "kind_probability"), LazyValues.kind),
    **dict.fromkeys(("language", "language_found"), LazyValues.language),
    "sources": LazyValues.sources,
    "blocks": LazyValues.article_blocks,
    "markdown": LazyValues.markdown,
    "html": LazyValues.html,
    **dict.fromkeys(("links", "images"), LazyValues.links_and_images),
    "captions": LazyValues.captions,
    "comments": LazyValues.comments,
}
