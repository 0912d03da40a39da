"""What extract() does with a page, together with the intermediate results that it does not keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrapy_cetr.extraction.analysis import conclude, judge, judge_visible, read_page, source_of
from scrapy_cetr.extraction.article import Article, make_article
from scrapy_cetr.extraction.columns import Bools, Codes
from scrapy_cetr.extraction.methods import METHODS, Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.page import Page
from scrapy_cetr.extraction.sites.applying import apply_rule
from scrapy_cetr.extraction.sites.rules import PageRule
from scrapy_cetr.extraction.stamps import has_stamps


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Explanation:
    """A page, the verdict of a method on its rows, and the article made of the rows it keeps.

    ``keep``, ``written`` and ``roles`` have one element per row: whether the method keeps it,
    whether it is in the text, and its role in the article. ``cetr`` is the verdict of
    CETR, whatever the method. If ``is_declared``, the text is the one that the page declares.
    ``source`` is the HTML. ``by_rule`` marks the rows that the rule of the site has kept or dropped
    against the method.
    """

    page: Page
    options: Options
    verdict: Verdict
    keep: Bools
    written: Bools
    roles: Codes
    cetr: Verdict
    article: Article
    by_rule: Bools
    source: str = ""
    is_declared: bool = False


def explain(
    html: str | bytes, *, url: str | None, options: Options, rule: PageRule | None = None
) -> Explanation:
    """Extract an article, and keep the page and the verdicts."""
    methods = [options.method]
    return explain_methods(html, url=url, options=options, methods=methods, rule=rule)[0]


def explain_methods(
    html: str | bytes,
    *,
    url: str | None,
    options: Options,
    methods: Sequence[str],
    rule: PageRule | None = None,
) -> list[Explanation]:
    """Read a page once, and extract its article by each of several methods."""
    source, truncated = source_of(html, options=options)
    cetr = replace(options, method="cetr")
    explained = []
    # A stamped page has other hidden text for a method that reads the stamps.
    pages: dict[bool, Page] = {}
    for method in methods:
        chosen = replace(options, method=method)
        is_stamped = METHODS[method].uses_stamps and has_stamps(source)
        if is_stamped not in pages:
            pages[is_stamped] = read_page(source, options=chosen, with_class_names=True)
        page = pages[is_stamped]
        judged, verdict = judge_visible(page, options=chosen)
        applied = apply_rule(judged, verdict.keep, source, rule) if rule is not None else None
        keep = verdict.keep if applied is None else applied.keep
        found = conclude(
            judged if applied is None else applied.page,
            keep,
            verdict.probability,
            html=source,
            options=chosen,
            calibration=verdict.calibration,
            applied=applied,
        )
        explained.append(
            Explanation(
                page=judged,
                options=chosen,
                verdict=verdict,
                keep=keep,
                by_rule=keep != verdict.keep,
                source=source,
                written=found.keep,
                roles=found.all_roles(),
                cetr=verdict if method == "cetr" else judge(judged, options=cetr),
                is_declared=found.is_declared,
                article=make_article(
                    found, source, url=url, options=chosen, truncated=truncated, rule=rule
                ),
            )
        )
    return explained
