"""The crawl report: an HTML file on a survey of many pages, and which of them to inspect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log10
from pathlib import Path
from statistics import median, quantiles

from scrapy_cetr.extraction.kind import ARTICLE
from scrapy_cetr.reports.explanation import explain
from scrapy_cetr.reports.page_report import page_report
from scrapy_cetr.reports.survey import MAX_SITES, PageCounts, Survey, SurveyedPage, Suspect
from scrapy_cetr.reports.templating import as_html, figure_list, fill, link, template

# The suspects that the report shows at once.
SHOWN_SUSPECTS = 50
SUSPECT_HEAD = (
    "<thead><tr><th>page</th><th>words</th><th>kept</th>"
    '<th class="p">kind</th><th class="p">prob.</th><th></th></tr></thead>'
)
_PLOT_HEIGHT = 240
_BINS = 20
_MAX_TICKS = 8


def write_crawl_report(survey: Survey, path: Path, *, title: str) -> None:
    """Write the report to ``path``, and page reports of the suspects to a folder beside it."""
    folder = path.with_name(f"{path.stem}-pages")
    suspects = survey.suspects()
    reports = [
        _write_page_report(suspect, folder / f"{number}.html")
        for number, (suspect, _) in enumerate(suspects, start=1)
    ]
    rows = zip(suspects, reports, strict=True)
    written = [_suspect_row(*suspect, report) for suspect, report in rows]
    suspect_ids = {id(suspect.page) for suspect, _ in suspects}
    sampled = sorted(survey.sample.items, key=lambda page: page.url)
    values = {
        "title": as_html(title),
        "figures": figure_list(_figures(survey, len(suspects) + survey.unlisted)),
        "suspects_title": _suspects_title(len(suspects), survey.unlisted),
        "suspects": "".join(written[:SHOWN_SUSPECTS]),
        "more_suspects": _more_suspects(written[SHOWN_SUSPECTS:], len(suspects), survey.unlisted),
        "plots": _page_plot(survey, suspect_ids) + _probability_plot(survey),
        "sites": "".join(_site_rows(survey)),
        "rules": _rules(survey),
        "pages": "".join(map(_page_row, sampled)),
        "sampled": _sample_size(survey),
        "kind": "learned" if survey.total.probabilities.items else "unlearned",
    }
    style = template("base.css") + template("crawl.css")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(fill("crawl.html", values, style=style), encoding="utf-8")


def _write_page_report(suspect: Suspect, file: Path) -> str | None:
    """Write the page report of a suspect, and return its relative URL; None if there is none."""
    html = suspect.html
    if html is None or suspect.page.failed:
        return None
    try:
        written = page_report(explain(html, url=suspect.page.url, options=suspect.options))
    except Exception:
        return None  # one page must not prevent the crawl report
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written, encoding="utf-8")
    return f"{file.parent.name}/{file.name}"


def _figures(survey: Survey, suspects: int) -> dict[str, str]:
    """Return the headline figures by their captions."""
    total = survey.total
    figures = {
        "pages": f"{total.pages:,}",
        "articles": f"{total.articles:,}",
        "sites": f"{len(survey.sites):,}{'+' if len(survey.sites) > MAX_SITES else ''}",
        "words kept": f"{survey.words:,}",
        "words of the median page": f"{_median(total.words.items):,.0f}",
        "of all characters kept": f"{min(survey.chars_out / max(survey.chars_in, 1), 1):.0%}",
        "empty": f"{total.empty:,}",
        "failed": f"{total.failed:,}",
        "to inspect": f"{suspects:,}",
    }
    for kind, count in total.kinds.most_common():
        if kind != ARTICLE:
            figures[f"of kind {kind}"] = f"{count:,}"
    if total.probabilities.items:
        figures["median probability"] = f"{median(total.probabilities.items):.2f}"
    return figures


def _suspects_title(listed: int, unlisted: int) -> str:
    return f"{listed + unlisted:,} {'page' if listed + unlisted == 1 else 'pages'} to inspect"


def _more_suspects(rows: Sequence[str], listed: int, unlisted: int) -> str:
    """Return the suspects after the first fifty in an element that opens on demand."""
    note = ""
    if unlisted:
        note = f'<p class="none">{unlisted:,} more pages were suspicious, but are not listed.</p>'
    if not rows:
        return note
    return (
        f'<details id="more-suspects"><summary>Show all {listed:,}</summary><div class="scroll">'
        f"<table>{SUSPECT_HEAD}<tbody>{''.join(rows)}</tbody></table></div></details>{note}"
    )


def _median(values: Sequence[float]) -> float:
    return median(values) if values else 0.0


def _suspect_row(suspect: Suspect, reasons: Sequence[str], report: str | None) -> str:
    page = suspect.page
    why = f'<a class="why" href="{as_html(report)}">see why</a>' if report else ""
    return (
        f'<tr><td class="address">{link(page.url)}<p>{as_html(" · ".join(reasons))}</p></td>'
        f"{_cells(page)}<td>{why}</td></tr>"
    )


def _page_row(page: SurveyedPage) -> str:
    return f'<tr><td class="address">{link(page.url)}</td>{_cells(page)}</tr>'


def _cells(page: SurveyedPage) -> str:
    probability = "" if page.probability is None else f"{page.probability:.2f}"
    share = _bar(page.share)
    return (
        f'<td>{page.words:,}</td><td>{share}</td><td class="p">{page.kind or ""}</td>'
        f'<td class="p">{probability}</td>'
    )


def _bar(share: float, low: float | None = None, high: float | None = None) -> str:
    """Draw a share as a bar, and the quartiles ``low`` to ``high`` as a line over it."""
    line = ""
    if low is not None and high is not None:
        line = f'<line x1="{low:.1%}" x2="{high:.1%}" y1="5" y2="5"/>'
    return (
        f'<span class="share"><svg height="10" aria-hidden="true"><rect class="all"'
        f' width="100%" height="10"/><rect width="{share:.1%}" height="10"/>{line}</svg>'
        f"{share:.0%}</span>"
    )


def _site_rows(survey: Survey) -> Iterable[str]:
    for name, site in sorted(survey.sites.items(), key=lambda entry: -entry[1].pages):
        probabilities = site.probabilities.items
        yield (
            f'<tr><td class="address">{as_html(name)}</td><td>{site.pages:,}</td>'
            f"<td>{site.articles:,}</td>"
            f"<td>{_median(site.words.items):,.0f}</td><td>{_site_share(site)}</td>"
            f'<td class="p">{f"{median(probabilities):.2f}" if probabilities else ""}</td>'
            f"<td>{site.empty + site.failed or ''}</td></tr>"
        )


def _rules(survey: Survey) -> str:
    """Return a table of the rules for sites, and what matches nothing; empty without rules."""
    rows = []
    for site, pages in survey.rule_pages.most_common():
        never = [
            selector.removeprefix(f"{site}: ")
            for selector, count in survey.unmatched.items()
            if count == pages and selector.startswith(f"{site}: ")
        ]
        found = ", ".join(f"<code>{as_html(selector)}</code>" for selector in never)
        rows.append(
            f'<tr><td class="address">{as_html(site)}</td><td>{pages:,}</td><td>{found}</td></tr>'
        )
    if not rows:
        return ""
    head = "<thead><tr><th>rule</th><th>pages</th><th>matches nothing</th></tr></thead>"
    return (
        f'<section id="rules"><h2>Rules for sites</h2><div class="scroll"><table>{head}<tbody>'
        f"{''.join(rows)}</tbody></table></div></section>"
    )


def _site_share(site: PageCounts) -> str:
    shares = site.shares.items
    if len(shares) < 4:
        return _bar(_median(shares))
    low, middle, high = quantiles(shares, n=4)
    return _bar(middle, max(low, 0), min(high, 1))


def _sample_size(survey: Survey) -> str:
    shown = len(survey.sample.items)
    if shown == survey.pages:
        return f"All {shown:,} pages"
    return f"A sample of {shown:,} of {survey.pages:,} pages"


# Plots. Positions on the x axis are percentages, so that text keeps its size on any screen.


def _page_plot(survey: Survey, suspect_ids: set[int]) -> str:
    """Plot the sampled pages by words and share kept, suspects on top."""
    pages = [page for page in survey.sample.items if page.words]
    if not pages:
        return ""
    words = [page.words for page in pages]
    ticks = _log_ticks(min(words), max(words))
    low, high = log10(ticks[0]), log10(ticks[-1])
    dots = []
    for page in sorted(pages, key=lambda page: id(page) in suspect_ids):
        kind = ' class="suspect"' if id(page) in suspect_ids else ""
        x, y = (log10(page.words) - low) / (high - low), _PLOT_HEIGHT * (1 - page.share)
        tip = as_html(f"{page.url}: {page.words:,} words, {page.share:.0%} kept")
        dots.append(f'<circle{kind} cx="{x:.2%}" cy="{y:.1f}" r="4"><title>{tip}</title></circle>')
    x_axis = "".join(_tick_x((log10(tick) - low) / (high - low), f"{tick:,}") for tick in ticks)
    y_axis = "".join(_tick_y(share / 4, f"{share / 4:.0%}") for share in range(5))
    caption = "<b>Pages</b> words kept →, share of the page’s characters kept ↑; orange: to inspect"
    return _plot("pages", caption, y_axis + x_axis + "".join(dots))


def _log_ticks(low: int, high: int) -> list[int]:
    """Return the ticks of a logarithmic axis that contains ``low`` and ``high``.

    >>> _log_ticks(30, 450)
    [20, 50, 100, 200, 500]
    """
    every = [factor * 10**power for power in range(10) for factor in (1, 2, 5)]
    first = max(index for index, tick in enumerate(every) if tick <= low)
    last = min(index for index, tick in enumerate(every) if tick > high)
    ticks = every[first : last + 1]
    if len(ticks) <= _MAX_TICKS:
        return ticks
    return [ticks[0], *(tick for tick in ticks[1:-1] if str(tick)[0] == "1"), ticks[-1]]


def _probability_plot(survey: Survey) -> str:
    """Plot a histogram of the probabilities."""
    values = survey.total.probabilities.items
    if not values:
        return ""
    counts = [0] * _BINS
    for value in values:
        counts[min(int(value * _BINS), _BINS - 1)] += 1
    most = max(counts)
    bars = "".join(
        f'<rect x="{(index + 0.08) / _BINS:.2%}" width="{0.84 / _BINS:.2%}"'
        f' y="{_PLOT_HEIGHT * (1 - count / most):.1f}" height="{_PLOT_HEIGHT * count / most:.1f}">'
        f"<title>{count} pages</title></rect>"
        for index, count in enumerate(counts)
    )
    x_axis = "".join(_tick_x(step / 4, f"{step / 4:g}") for step in range(5))
    caption = "<b>Probability</b> that a page is an article and its text right →, pages ↑"
    y_axis = _tick_y(1, f"{most}") + _tick_y(0, "0")
    return _plot("probabilities", caption, y_axis + x_axis + bars)


def _tick_x(share: float, text: str) -> str:
    return f'<text x="{share:.2%}" y="{_PLOT_HEIGHT + 16}" text-anchor="middle">{text}</text>'


def _tick_y(share: float, text: str) -> str:
    y = _PLOT_HEIGHT * (1 - share)
    return (
        f'<line class="axis" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="-8" y="{y + 3.5:.1f}" text-anchor="end">{text}</text>'
    )


def _plot(name: str, caption: str, drawing: str) -> str:
    return (
        f'<figure id="plot-{name}"><figcaption>{caption}</figcaption>'
        f'<svg height="{_PLOT_HEIGHT + 20}">{drawing}</svg></figure>'
    )
