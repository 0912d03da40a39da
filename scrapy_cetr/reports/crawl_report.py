"""The report of a survey: what was kept of many pages, and which of them to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log10
from pathlib import Path
from statistics import median, quantiles

from scrapy_cetr.reports.explanation import explain
from scrapy_cetr.reports.page_report import page_report
from scrapy_cetr.reports.survey import MAX_SITES, Seen, Site, Survey, Suspect
from scrapy_cetr.reports.templating import as_html, figure_list, fill, link, template

_PLOT_HEIGHT = 240
_BINS = 20
_MOST_STEPS = 8


def write_survey(survey: Survey, path: Path, *, title: str) -> None:
    """Write the report, and into a folder beside it those of the suspicious pages."""
    folder = path.with_name(f"{path.stem}-pages")
    suspects = survey.suspects()
    reports = [
        _write_page(suspect, folder / f"{number}.html")
        for number, (suspect, _) in enumerate(suspects, start=1)
    ]
    rows = zip(suspects, reports, strict=True)
    values = {
        "title": as_html(title),
        "figures": figure_list(_headline(survey, len(suspects))),
        "suspects": "".join(_suspect(*suspect, report) for suspect, report in rows),
        "plots": _page_plot(survey, {id(s.seen) for s, _ in suspects}) + _probability_plot(survey),
        "sites": "".join(_sites(survey)),
        "pages": "".join(map(_page, sorted(survey.sample.things, key=lambda seen: seen.url))),
        "sampled": _sampled(survey),
        "kind": "learned" if survey.total.probabilities.things else "unlearned",
    }
    style = template("base.css") + template("survey.css")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(fill("survey.html", values, style=style), encoding="utf-8")


def _write_page(suspect: Suspect, file: Path) -> str | None:
    """Write the report of a page, if it can be had, and give its address."""
    html = suspect.html
    if html is None or suspect.seen.failed:
        return None
    try:
        written = page_report(explain(html, url=suspect.seen.url, options=suspect.options))
    except Exception:
        return None  # a report is not worth more than all the others
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written, encoding="utf-8")
    return f"{file.parent.name}/{file.name}"


def _headline(survey: Survey, suspects: int) -> dict[str, str]:
    total = survey.total
    figures = {
        "pages": f"{total.pages:,}",
        "sites": f"{len(survey.sites):,}{'+' if len(survey.sites) > MAX_SITES else ''}",
        "words kept": f"{survey.words:,}",
        "words of the median page": f"{_median(total.words.things):,.0f}",
        "of all characters kept": f"{min(survey.chars_out / max(survey.chars_in, 1), 1):.0%}",
        "empty": f"{total.empty:,}",
        "failed": f"{total.failed:,}",
        "to look at": f"{suspects:,}",
    }
    if total.probabilities.things:
        figures["median probability"] = f"{median(total.probabilities.things):.2f}"
    return figures


def _median(values: Sequence[float]) -> float:
    return median(values) if values else 0.0


def _suspect(suspect: Suspect, reasons: Sequence[str], report: str | None) -> str:
    seen = suspect.seen
    why = f'<a class="why" href="{as_html(report)}">see why</a>' if report else ""
    return (
        f'<tr><td class="address">{link(seen.url)}<p>{as_html(" · ".join(reasons))}</p></td>'
        f"{_cells(seen)}<td>{why}</td></tr>"
    )


def _page(seen: Seen) -> str:
    return f'<tr><td class="address">{link(seen.url)}</td>{_cells(seen)}</tr>'


def _cells(seen: Seen) -> str:
    probability = "" if seen.probability is None else f"{seen.probability:.2f}"
    share = _bar(seen.share)
    return f'<td>{seen.words:,}</td><td>{share}</td><td class="p">{probability}</td>'


def _bar(share: float, low: float | None = None, high: float | None = None) -> str:
    """Draw a share as a bar, and the middle half of the pages as a line over it."""
    line = ""
    if low is not None and high is not None:
        line = f'<line x1="{low:.1%}" x2="{high:.1%}" y1="5" y2="5"/>'
    return (
        f'<span class="share"><svg height="10" aria-hidden="true"><rect class="all"'
        f' width="100%" height="10"/><rect width="{share:.1%}" height="10"/>{line}</svg>'
        f"{share:.0%}</span>"
    )


def _sites(survey: Survey) -> Iterable[str]:
    for name, site in sorted(survey.sites.items(), key=lambda entry: -entry[1].pages):
        probability = site.probabilities.things
        yield (
            f'<tr><td class="address">{as_html(name)}</td><td>{site.pages:,}</td>'
            f"<td>{_median(site.words.things):,.0f}</td><td>{_site_share(site)}</td>"
            f'<td class="p">{f"{median(probability):.2f}" if probability else ""}</td>'
            f"<td>{site.empty + site.failed or ''}</td></tr>"
        )


def _site_share(site: Site) -> str:
    shares = site.shares.things
    if len(shares) < 4:
        return _bar(_median(shares))
    low, middle, high = quantiles(shares, n=4)
    return _bar(middle, max(low, 0), min(high, 1))


def _sampled(survey: Survey) -> str:
    shown = len(survey.sample.things)
    if shown == survey.pages:
        return f"All {shown:,} pages"
    return f"A sample of {shown:,} of {survey.pages:,} pages"


# Plots: the places along the x axis are percentages, so that text keeps its size on any screen.


def _page_plot(survey: Survey, suspects: set[int]) -> str:
    pages = [seen for seen in survey.sample.things if seen.words]
    if not pages:
        return ""
    words = [seen.words for seen in pages]
    steps = _steps(min(words), max(words))
    low, high = log10(steps[0]), log10(steps[-1])
    dots = []
    for seen in sorted(pages, key=lambda seen: id(seen) in suspects):
        kind = ' class="suspect"' if id(seen) in suspects else ""
        x, y = (log10(seen.words) - low) / (high - low), _PLOT_HEIGHT * (1 - seen.share)
        told = as_html(f"{seen.url}: {seen.words:,} words, {seen.share:.0%} kept")
        dots.append(f'<circle{kind} cx="{x:.2%}" cy="{y:.1f}" r="4"><title>{told}</title></circle>')
    across = "".join(_tick_x((log10(step) - low) / (high - low), f"{step:,}") for step in steps)
    up = "".join(_tick_y(share / 4, f"{share / 4:.0%}") for share in range(5))
    caption = "<b>Pages</b> words kept →, share of the page’s characters kept ↑; orange: to look at"
    return _figure("pages", caption, up + across + "".join(dots))


def _steps(low: int, high: int) -> list[int]:
    """Give the steps of a logarithmic axis, from below one number to above another.

    >>> _steps(30, 450)
    [20, 50, 100, 200, 500]
    """
    every = [factor * 10**power for power in range(10) for factor in (1, 2, 5)]
    first = max(place for place, step in enumerate(every) if step <= low)
    last = min(place for place, step in enumerate(every) if step > high)
    steps = every[first : last + 1]
    if len(steps) <= _MOST_STEPS:
        return steps
    return [steps[0], *(step for step in steps[1:-1] if str(step)[0] == "1"), steps[-1]]


def _probability_plot(survey: Survey) -> str:
    values = survey.total.probabilities.things
    if not values:
        return ""
    counts = [0] * _BINS
    for value in values:
        counts[min(int(value * _BINS), _BINS - 1)] += 1
    most = max(counts)
    bars = "".join(
        f'<rect x="{(place + 0.08) / _BINS:.2%}" width="{0.84 / _BINS:.2%}"'
        f' y="{_PLOT_HEIGHT * (1 - count / most):.1f}" height="{_PLOT_HEIGHT * count / most:.1f}">'
        f"<title>{count} pages</title></rect>"
        for place, count in enumerate(counts)
    )
    across = "".join(_tick_x(step / 4, f"{step / 4:g}") for step in range(5))
    caption = "<b>Probability</b> that a page is an article whose text is right, and how many pages"
    return _figure(
        "probabilities", caption, _tick_y(1, f"{most}") + _tick_y(0, "0") + across + bars
    )


def _tick_x(place: float, text: str) -> str:
    return f'<text x="{place:.2%}" y="{_PLOT_HEIGHT + 16}" text-anchor="middle">{text}</text>'


def _tick_y(share: float, text: str) -> str:
    y = _PLOT_HEIGHT * (1 - share)
    return (
        f'<line class="axis" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="-8" y="{y + 3.5:.1f}" text-anchor="end">{text}</text>'
    )


def _figure(name: str, caption: str, drawn: str) -> str:
    return (
        f'<figure id="plot-{name}"><figcaption>{caption}</figcaption>'
        f'<svg height="{_PLOT_HEIGHT + 20}">{drawn}</svg></figure>'
    )
