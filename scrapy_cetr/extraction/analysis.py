"""The path from HTML to a page, the rows kept of it, and their text.

``extract()`` and the reports take the same steps: read the page, let a method judge its rows, and
write the text of those it keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any

from scrapy_cetr.extraction import loops
from scrapy_cetr.extraction.columns import Bools, Codes, Floats
from scrapy_cetr.extraction.html.article_body import iter_words
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.html.script_article import escaped_paragraphs, find_article
from scrapy_cetr.extraction.methods import METHODS, Evidence, Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.output.tables import with_whole_tables
from scrapy_cetr.extraction.output.text import write_text
from scrapy_cetr.extraction.page.hidden import Spans, without_hidden
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.roles.roles import (
    add_dropped_comments,
    are_parts,
    find_roles,
    headline_text,
)
from scrapy_cetr.extraction.sites.applying import Applied, apply_rule
from scrapy_cetr.extraction.sites.rules import PageRule

# A page with a longer text shows its article, whatever its JSON-LD declares.
_MAX_PAYWALLED_CHARS = 1500
# A declared text is hidden if the page shows a smaller share of its first words than this.
_MIN_SHOWN_SHARE = 0.5
_SAMPLE_WORDS = 400
# Script data can have any text, so it has to be this many times as long as the kept text.
_MIN_LONGER = 2
# A page that shows more text than menus and a teaser have is not searched for another.
_MAX_SHELL_CHARS = 5000
# Hidden text is the article if more than this share of the kept text is hidden, unless the visible
# text alone is as likely an article as this, or nearly as long. A smaller share is left out without
# judging the page again.
_MAX_HIDDEN_SHARE, _LIKELY, _NEARLY, _FEW_HIDDEN = 0.4, 0.8, 0.9, 0.1
# A longer page is not held for its formats, but read again.
_MAX_HELD_CHARS = 2_000_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Analysis:
    """A page, the rows of it that make the article, and their text.

    ``keep`` has one element per row: whether it is in the text; ``judged`` has whether it belongs
    to the article. ``roles`` are the roles of the rows without those of comments that are not part
    of it; ``all_roles`` has these as well. If ``is_declared``, the text is not that of the kept
    rows, but that of ``body``, which the page has in its JSON-LD or in the data of its scripts and
    does not show; ``body`` is HTML. ``page`` has no hidden text if ``is_visible``; otherwise, the
    article is in it. ``headline`` is the text of the row with that role, if there is one.
    ``calibration`` are the features that the probability was computed from. ``held`` is the page as
    it was read, if its links and images can be read without reading all of it again. By the rule of
    the site, ``dropped`` parts of the text are left out, ``metadata`` are values that it selects,
    and ``unmatched`` its selectors without an element on the page.
    """

    page: Page
    keep: Bools
    judged: Bools
    roles: Codes
    uses_class_names: bool
    probability: float | None
    text: str
    is_declared: bool
    is_visible: bool
    body: str = ""
    headline: str = ""
    calibration: Floats | None = None
    held: Page | None = None
    dropped: Spans | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    unmatched: tuple[str, ...] = ()

    def all_roles(self) -> Codes:
        """Return the role of each row, as its index in ROLES, with all comments."""
        if not self.uses_class_names:
            return self.roles
        return add_dropped_comments(self.page, self.judged, self.roles)


def analyse(
    html: str,
    *,
    options: Options,
    rule: PageRule | None = None,
    evidence: Evidence | None = None,
) -> Analysis:
    """Read a page, choose the rows of its article, and write their text.

    ``rule`` is what the rules of its site say about the page, ``evidence`` what other pages of the
    site say about its rows.
    """
    read_first = read_page(html, options=options)
    page, keep, probability, calibration = _decide(read_first, options, evidence)
    applied = apply_rule(page, keep, html, rule) if rule is not None else None
    found = conclude(
        page if applied is None else applied.page,
        keep if applied is None else applied.keep,
        probability,
        html=html,
        options=options,
        calibration=calibration,
        applied=applied,
    )
    if read_first.sources and len(html) <= _MAX_HELD_CHARS:
        return replace(found, held=read_first)
    return found


def source_of(html: str | bytes, *, options: Options) -> tuple[str, bool]:
    """Return the characters of a page that are read, and whether it has more of them."""
    if isinstance(html, bytes):
        html = decode(html)
    elif not isinstance(html, str):
        raise TypeError(f"html must be str or bytes, not {type(html).__name__}")
    return html[: options.max_size], len(html) > options.max_size


def read_page(html: str, *, options: Options, with_class_names: bool | None = None) -> Page:
    """Read a page into rows; by default with class names only if the method uses them."""
    method = METHODS[options.method]
    if with_class_names is None:
        with_class_names = method.uses_class_names
    return read(
        html,
        rows=options.rows,
        with_class_names=with_class_names,
        with_sources=loops.NOTES_SOURCES,
        with_stamps=method.uses_stamps,
    )


def method_of(page: Page, options: Options) -> str:
    """Return the name of the method that judges a page: without stamps, "clg" is "learned"."""
    return "learned" if options.method == "clg" and page.layout is None else options.method


def judge(page: Page, *, options: Options, evidence: Evidence | None = None) -> Verdict:
    """Return the verdict of the chosen method, which keeps no row of broken characters."""
    verdict = METHODS[options.method](page, options, evidence)
    return replace(verdict, keep=verdict.keep & ~page.rows.broken)


def judge_visible(
    page: Page, *, options: Options, evidence: Evidence | None = None
) -> tuple[Page, Verdict]:
    """Return the page without its hidden text, and the verdict on it.

    If most of what a method keeps is hidden, the article may be hidden until a script runs. Then
    the page is left as it is, unless the visible text alone makes an article.
    """
    verdict = judge(page, options=options, evidence=evidence)
    if not _has_hidden(page, verdict.keep):
        return page, verdict
    visible = without_hidden(page)
    kept, shown = (int(one.rows.chars[verdict.keep].sum()) for one in (page, visible))
    if kept - shown <= _FEW_HIDDEN * kept:
        return visible, replace(verdict, keep=verdict.keep & (visible.rows.chars > 0))
    again = judge(visible, options=options, evidence=evidence)
    is_likely = again.probability is not None and again.probability >= _LIKELY
    is_nearly_all = int(visible.rows.chars[again.keep].sum()) >= _NEARLY * kept
    if kept - shown <= _MAX_HIDDEN_SHARE * kept or is_likely or is_nearly_all:
        return visible, again
    return replace(page, shows_hidden=True), verdict


def _has_hidden(page: Page, keep: Bools) -> bool:
    """Tell whether some of the kept text is hidden."""
    if not len(page.suspects):
        return False
    suspects = page.suspects.overlapping(page.rows.start[keep], page.rows.end[keep])
    return len(page.suspects.hidden(suspects)) > 0


def _decide(
    page: Page, options: Options, evidence: Evidence | None
) -> tuple[Page, Bools, float | None, Floats | None]:
    """Return what extract() needs of a verdict, and let the scores and features of it go.

    On a hostile page they take more memory than everything that follows.
    """
    page, verdict = judge_visible(page, options=options, evidence=evidence)
    return page, verdict.keep, verdict.probability, verdict.calibration


def conclude(
    page: Page,
    keep: Bools,
    probability: float | None,
    *,
    html: str,
    options: Options,
    calibration: Floats | None = None,
    applied: Applied | None = None,
) -> Analysis:
    """Write the text of the kept rows, or take the text that the page has without showing it.

    ``applied`` is what the rule of the site has made of the page and the rows.
    """
    # The methods of the papers are left as published.
    is_learned = method_of(page, options) == "learned"
    if is_learned:
        keep = with_whole_tables(page, keep)
    judged = keep
    page, roles = _visible_roles(page, keep, options)
    keep = are_parts(roles, options.parts)
    if applied is not None:
        keep |= applied.is_forced
    text, body = write_text(page, keep), ""
    decides = applied is not None and applied.decides
    if is_learned and not decides and len(text) <= _MAX_PAYWALLED_CHARS:
        declared, body = _unshown(page, text, html)
        text = declared or text
    return Analysis(
        page=page,
        keep=keep,
        judged=judged,
        roles=roles,
        uses_class_names=METHODS[options.method].uses_class_names,
        probability=probability,
        text=text,
        is_declared=bool(body),
        is_visible=not page.shows_hidden,
        body=body,
        headline=headline_text(page, roles),
        calibration=calibration,
        dropped=applied.spans if applied else None,
        metadata=applied.metadata if applied else {},
        unmatched=applied.unmatched if applied else (),
    )


def _visible_roles(page: Page, keep: Bools, options: Options) -> tuple[Page, Codes]:
    """Return the page and the roles of its rows, without hidden headlines, captions and the like.

    These have a role even where the method drops them, so they can be hidden though the kept rows
    are not. Comments that are dropped are left to ``all_roles``, if they are no part of the text.
    """
    choices = {
        "with_class_names": METHODS[options.method].uses_class_names,
        "with_dropped_comments": "comment" in options.parts,
    }
    roles = find_roles(page, keep, **choices)
    if not page.shows_hidden and _has_hidden(page, (roles >= 0) & ~keep):
        page = without_hidden(page)
        keep = keep & (page.rows.chars > 0)
        roles = find_roles(page, keep, **choices)
    return page, roles


def _unshown(page: Page, kept: str, html: str) -> tuple[str, str]:
    """Return the text that a page has without showing it, if it is longer, and its HTML."""
    declared = page.declared_body
    if len(kept) < len(declared) and is_hidden(declared, page.text):
        return declared, escaped_paragraphs(declared)
    if page.rows.chars.sum() > _MAX_SHELL_CHARS:
        return "", ""
    body = find_article(html, page.title)
    if body:
        read_body = read(body, rows="blocks")
        text = write_text(read_body, read_body.rows.chars > 0)
        if _MIN_LONGER * len(kept) < len(text) and is_hidden(text, page.text):
            return text, body
    return "", ""


def is_hidden(body: str, visible: str) -> bool:
    """Tell whether the visible text lacks most of the first words of a declared text.

    Pairs of words are compared, since a text shares half of its words with any other.
    """
    pairs = list(islice(pairwise(iter_words(body)), _SAMPLE_WORDS))
    shown = set(pairs).intersection(pairwise(iter_words(visible)))
    return sum(pair in shown for pair in pairs) < _MIN_SHOWN_SHARE * len(pairs)
