"""What extract() does with a page, together with the intermediate results that it does not keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrapy_cetr.extraction.analysis import conclude, judge, judge_visible, read_page, source_of
from scrapy_cetr.extraction.article import Article, make_article
from scrapy_cetr.extraction.columns import Bools, Codes
from scrapy_cetr.extraction.methods import Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.page import Page


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Explanation:
    """A page, the verdict of a method on its rows, and the article made of the rows it keeps.

    ``keep``, ``written`` and ``roles`` have one element per row: whether the method keeps it,
    whether it is in the text, and its role in the article. ``cetr`` is the verdict of
    CETR, whatever the method. If ``is_declared``, the text is the one that the page declares.
    """

    page: Page
    options: Options
    verdict: Verdict
    keep: Bools
    written: Bools
    roles: Codes
    cetr: Verdict
    article: Article
    is_declared: bool = False


def explain(html: str | bytes, *, url: str | None, options: Options) -> Explanation:
    """Extract an article, and keep the page and the verdicts."""
    return explain_methods(html, url=url, options=options, methods=[options.method])[0]


def explain_methods(
    html: str | bytes, *, url: str | None, options: Options, methods: Sequence[str]
) -> list[Explanation]:
    """Read a page once, and extract its article by each of several methods."""
    source, truncated = source_of(html, options=options)
    page = read_page(source, options=options, with_class_names=True)
    cetr = replace(options, method="cetr")
    explained = []
    for method in methods:
        chosen = replace(options, method=method)
        judged, verdict = judge_visible(page, options=chosen)
        found = conclude(
            judged,
            verdict.keep,
            verdict.probability,
            html=source,
            options=chosen,
            calibration=verdict.calibration,
        )
        explained.append(
            Explanation(
                page=judged,
                options=chosen,
                verdict=verdict,
                keep=verdict.keep,
                written=found.keep,
                roles=found.roles,
                cetr=verdict if method == "cetr" else judge(judged, options=cetr),
                is_declared=found.is_declared,
                article=make_article(found, source, url=url, options=chosen, truncated=truncated),
            )
        )
    return explained
