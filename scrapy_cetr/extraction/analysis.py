"""The path from HTML to a page, the rows kept of it, and their text.

``extract()`` and the reports take the same steps: read the page, let a method judge its rows, and
write the text of those it keeps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from scrapy_cetr.extraction.columns import Bools, Codes, Floats
from scrapy_cetr.extraction.html.article_body import iter_words
from scrapy_cetr.extraction.html.decoding import decode
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.extraction.methods import METHODS, Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.output.tables import with_whole_tables
from scrapy_cetr.extraction.output.text import write_text
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.roles.roles import are_parts, find_roles

# A page with a longer text shows its article, whatever its JSON-LD declares.
_MAX_PAYWALLED_CHARS = 1500
# A declared text is hidden if the page shows a smaller share of its first words than this.
_MIN_SHOWN_SHARE = 0.5
_SAMPLE_WORDS = 400


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Analysis:
    """A page, the rows of it that make the article, and their text.

    ``keep`` has one element per row: whether it is in the text. ``roles`` are the roles of the
    rows, see ``roles``. If ``is_declared``, the text is not that of the kept rows, but the JSON-LD
    articleBody of a page that does not show it. ``calibration`` are the features that the
    probability was computed from.
    """

    page: Page
    keep: Bools
    roles: Codes
    probability: float | None
    text: str
    is_declared: bool
    calibration: Floats | None = None


def analyse(html: str, *, options: Options) -> Analysis:
    """Read a page, choose the rows of its article, and write their text."""
    page = read_page(html, options=options)
    keep, probability, calibration = _decide(page, options)
    return conclude(page, keep, probability, options=options, calibration=calibration)


def source_of(html: str | bytes, *, options: Options) -> tuple[str, bool]:
    """Return the characters of a page that are read, and whether it has more of them."""
    if isinstance(html, bytes):
        html = decode(html)
    elif not isinstance(html, str):
        raise TypeError(f"html must be str or bytes, not {type(html).__name__}")
    return html[: options.max_size], len(html) > options.max_size


def read_page(html: str, *, options: Options, with_class_names: bool | None = None) -> Page:
    """Read a page into rows; by default with class names only if the method uses them."""
    if with_class_names is None:
        with_class_names = METHODS[options.method].uses_class_names
    return read(html, rows=options.rows, with_class_names=with_class_names)


def judge(page: Page, *, options: Options) -> Verdict:
    """Return the verdict of the chosen method, which keeps no row of broken characters."""
    verdict = METHODS[options.method](page, options)
    return replace(verdict, keep=verdict.keep & ~page.rows.broken)


def _decide(page: Page, options: Options) -> tuple[Bools, float | None, Floats | None]:
    """Return what extract() needs of a verdict, and let the scores and features of it go.

    On a hostile page they take more memory than everything that follows.
    """
    verdict = judge(page, options=options)
    return verdict.keep, verdict.probability, verdict.calibration


def conclude(
    page: Page,
    keep: Bools,
    probability: float | None,
    *,
    options: Options,
    calibration: Floats | None = None,
) -> Analysis:
    """Write the text of the kept rows, or take the declared text if the page hides it."""
    # The methods of the papers are left as published.
    is_learned = options.method == "learned"
    if is_learned:
        keep = with_whole_tables(page, keep)
    roles = find_roles(page, keep)
    keep = are_parts(roles, options.parts)
    text = write_text(page, keep)
    is_declared = is_learned and _hides_declared(page, text)
    return Analysis(
        page=page,
        keep=keep,
        roles=roles,
        probability=probability,
        text=page.declared_body if is_declared else text,
        is_declared=is_declared,
        calibration=calibration,
    )


def _hides_declared(page: Page, kept: str) -> bool:
    """Tell whether a page declares a text without showing it, and little else was kept."""
    body = page.declared_body
    is_longer = len(kept) <= _MAX_PAYWALLED_CHARS and len(kept) < len(body)
    return is_longer and is_hidden(body, page.text)


def is_hidden(body: str, visible: str) -> bool:
    """Tell whether the visible text lacks most of the first words of a declared text."""
    words = list(islice(iter_words(body), _SAMPLE_WORDS))
    shown = set(words).intersection(iter_words(visible))
    return sum(word in shown for word in words) < _MIN_SHOWN_SHARE * len(words)
