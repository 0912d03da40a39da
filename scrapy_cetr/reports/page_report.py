"""The page report: a self-contained HTML file that shows why each row was kept or dropped."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods.cetr import clipped_ratios, kernel_width, tag_ratios
from scrapy_cetr.extraction.methods.verdict import Verdict
from scrapy_cetr.extraction.options import ROLES
from scrapy_cetr.reports.explanation import Explanation
from scrapy_cetr.reports.layout import layout_columns, layout_data
from scrapy_cetr.reports.metadata_table import metadata_table
from scrapy_cetr.reports.reasons import role_reason, row_reasons
from scrapy_cetr.reports.row_paths import row_paths, rule_site
from scrapy_cetr.reports.rows import row_elements, row_texts
from scrapy_cetr.reports.templating import (
    as_data,
    as_html,
    figure_list,
    fill,
    link,
    template,
)

# Browsers get slow with more rows, and nobody reads more of one row.
MAX_ROWS = 20_000
MAX_ROW_CHARS = 2000
# A row is doubtful if its probability differs by less than this from the threshold.
_DOUBT = 0.25
# The methods whose scores templates/signal.js can recompute for other options.
_LIVE_METHODS = ("cetr", "cetr-km", "cetr-tm")
# Traces that the report does not show as columns: it plots them, or shows them separately.
_NOT_COLUMNS = (
    *("ratio", "smoothed", "slope", "cluster", "centroids"),
    *("features", "feature_names", "feature_rows"),
    *("node_score", "groups", "best_group", "selected"),
)
# Roles that are shown next to a row; its element says the others.
_SHOWN_ROLES = frozenset(
    map(ROLES.index, ("headline", "byline", "lead", "caption", "embed", "note", "comment"))
)
_SCRIPTS = (
    *("signal.js", "plots.js", "layout.js", "rows.js", "page.js", "filter.js", "corrections.js"),
)
# A longer page is not in its report, so there is no gold line for it.
_MAX_SOURCE = 5_000_000


def page_report(explained: Explanation) -> str:
    """Write the report of a page as HTML."""
    article = explained.article
    title = getattr(article, "title", None) or explained.page.title or article.url or "A page"
    values = {
        "title": as_html(" ".join(title.split())),
        "url": link(article.url),
        "figures": figure_list(_headline(explained)),
        "note": as_html(_note(explained)),
        "metadata": metadata_table(article),
        "rows": _rows(explained),
        "data": as_data(_data(explained)),
    }
    script = "".join(map(template, _SCRIPTS))
    style = template("base.css") + template("page.css")
    return fill("page.html", values, style=style, script=f'"use strict";\n{script}')


def _headline(explained: Explanation) -> dict[str, str]:
    article, rows = explained.article, explained.page.rows
    kept = int(rows.chars[explained.keep].sum())
    figures = {
        "method": article.method,
        "words kept": f"{article.words:,}",
        "of words on the page": f"{int(explained.page.words.sum()):,}",
        "of its characters kept": f"{kept / max(article.page_chars, 1):.0%}",
        "rows kept": f"{int(explained.keep.sum()):,} of {len(rows):,}",
    }
    probability = getattr(article, "probability", None)
    if probability is not None:
        figures["probability"] = f"{probability:.2f}"
    if article.kind is not None and article.kind_probability is not None:
        figures["kind"] = f"{article.kind} ({article.kind_probability:.2f})"
    return figures


def _note(explained: Explanation) -> str:
    """Return notes on anything unusual about the page."""
    count, article = len(explained.page.rows), explained.article
    notes = (
        (article.truncated, "The page is longer than max_size: only its beginning is read."),
        (article.short, "The article has fewer words than min_words."),
        (explained.is_declared, "The text is the one that the page declares but does not show."),
        (not article.text, "Nothing on this page was kept."),
        (count > MAX_ROWS, f"Only the first {MAX_ROWS:,} of {count:,} rows are shown."),
    )
    return " ".join(text for is_so, text in notes if is_so)


def _rows(explained: Explanation) -> str:
    """Write the rows as list items; rows without text are empty items."""
    page, keep = explained.page, explained.keep.tolist()
    roles, written = explained.roles.tolist(), explained.written.tolist()
    texts = row_texts(page, count=MAX_ROWS, longest=MAX_ROW_CHARS)
    elements, doubtful = row_elements(page), _doubtful(explained)
    items = []
    for row, text in enumerate(texts):
        if not text:
            items.append(f'<li id="r{row}" class="bare"></li>')
            continue
        state = ("kept" if keep[row] else "dropped") + (" doubtful" if row in doubtful else "")
        if keep[row] != written[row]:
            state += " by-role"
        names = [elements[row], ROLES[roles[row]] if roles[row] in _SHOWN_ROLES else ""]
        element = f"<code>{' · '.join(filter(None, names))}</code>" if any(names) else ""
        items.append(
            f'<li id="r{row}" class="{state}"><span class="n">{row + 1}</span>'
            f'<span class="t" dir="auto">{as_html(text)}</span>{element}</li>'
        )
    return "".join(items)


def _doubtful(explained: Explanation) -> set[int]:
    """Return the rows whose probability is near the threshold, if the method gives one."""
    probability = explained.verdict.trace.get("probability")
    if probability is None:
        return set()
    near = np.abs(np.asarray(probability) - explained.options.threshold) < _DOUBT
    return set(np.flatnonzero(near & (explained.page.rows.chars > 0)).tolist())


def _data(explained: Explanation) -> dict[str, Any]:
    """Collect the numbers that the script plots and computes with."""
    page, verdict, options = explained.page, explained.verdict, explained.options
    count = min(len(page.rows), MAX_ROWS)
    live = options.method in _LIVE_METHODS and len(page.tags) > 0 and 1 < len(page.rows) <= MAX_ROWS
    clipped = clipped_ratios(tag_ratios(page))
    return {
        "method": options.method,
        "live": live,
        "options": {"alpha": options.alpha, "k": options.k, "lam": float(options.lam)},
        "sigma": kernel_width(clipped, options),
        "sigma_limit": len(page.rows) / 10 if options.sigma != "std" else None,
        "longest": float(clipped.max(initial=0)),
        "chars": page.rows.chars[:count].tolist(),
        "tags": page.rows.tags[:count].tolist(),
        "words": page.words[:count].tolist(),
        "broken": np.flatnonzero(page.rows.broken[:count]).tolist(),
        "keep": explained.keep[:count].astype(int).tolist(),
        "score": _numbers(_finite(verdict.score)[:count]),
        "cetr": {
            name: _numbers(explained.cetr.trace[name][:count])
            for name in ("smoothed", "slope", "cluster")
        },
        "centroids": [_numbers(centroid) for centroid in explained.cetr.trace["centroids"].T],
        "columns": _columns(explained, count),
        "threshold": options.threshold if explained.article.method == "learned" else None,
        "reasons": _reasons(explained),
        **_corrections(explained, count),
        "features": _features(verdict, count),
        "layout": layout_data(page, verdict, count),
    }


def _corrections(explained: Explanation, count: int) -> dict[str, Any]:
    """Collect what marking rows needs: the elements around them, their whole texts, the page."""
    page, url = explained.page, explained.article.url
    rows = np.flatnonzero(page.rows.end[:count] - page.rows.start[:count] > MAX_ROW_CHARS).tolist()
    texts = row_texts(page, count=count, longest=_MAX_SOURCE) if rows else []
    source = explained.source if len(explained.source) <= _MAX_SOURCE else ""
    packed = zlib.compress(source.encode("utf-8", "replace"), 6)
    return {
        **row_paths(explained, count),
        "written": explained.written[:count].astype(int).tolist(),
        "long": {row: texts[row] for row in rows},
        "url": url,
        "site": rule_site(url, explained.source),
        "source": b64encode(packed).decode() if source else "",
    }


def _reasons(explained: Explanation) -> list[str]:
    """Return why each row was kept or dropped; the role of a row decides after the method."""
    page, options, kept = explained.page, explained.options, explained.verdict.keep
    reasons = [""] * min(len(page.rows), MAX_ROWS)
    if explained.article.method == "learned":
        found = row_reasons(page, kept, options)
        reasons[: len(found)] = found
    changed = np.flatnonzero((kept != explained.written)[: len(reasons)])
    for row in changed.tolist():
        reasons[row] = role_reason(int(explained.roles[row]), is_kept=bool(kept[row]))
    for row in np.flatnonzero(explained.by_rule[: len(reasons)]).tolist():
        verb = "Kept" if explained.keep[row] else "Dropped"
        reasons[row] = f"{verb} by rule: CETR_SITES has one for this site."
    return reasons


def _columns(explained: Explanation, count: int) -> dict[str, list[Any]]:
    """Collect the roles, and all other traces of the method that have a value for each row."""
    page = explained.page
    linked = page.link_chars / np.maximum(page.rows.chars, 1)
    columns: dict[str, list[Any]] = {
        "role": [ROLES[role] if role >= 0 else "" for role in explained.roles[:count].tolist()],
        "share in links": _numbers(np.minimum(linked, 1)[:count]),
    }
    columns.update(layout_columns(page, count))
    for name, values in explained.verdict.trace.items():
        # A list may hold anything; dtype=object keeps NumPy from interpreting its elements.
        column = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
        if name in _NOT_COLUMNS or column.shape != (len(page.rows),):
            continue
        if column.dtype.kind in "bifu":
            columns[name] = _numbers(column[:count].astype(float))
        else:
            columns[name] = [str(value) for value in column[:count].tolist()]
    return columns


def _features(verdict: Verdict, count: int) -> Mapping[str, Any] | None:
    """Encode the features of the rows as Base64, which is shorter than numbers in JSON."""
    names, values = verdict.trace.get("feature_names"), verdict.trace.get("features")
    if names is None or values is None:
        return None
    rows = np.asarray(verdict.trace.get("feature_rows", np.arange(len(values))))
    # Rows without text have no features.
    table = np.zeros((count, len(names)), "<f4")
    table[rows[rows < count]] = np.asarray(values)[rows < count]
    packed = b64encode(table.tobytes()).decode()
    return {"names": [str(name) for name in names], "values": packed}


def _finite(scores: Floats) -> Floats:
    """Replace infinite scores and NaN by the lowest or highest finite score."""
    finite = scores[np.isfinite(scores)]
    low, high = finite.min(initial=-1.0), finite.max(initial=1.0)
    return np.nan_to_num(scores, nan=low, neginf=low, posinf=high)


def _numbers(values: Any) -> list[float | None]:
    """Round to six digits; infinite numbers and NaN become None."""
    return [
        float(f"{value:.6g}") if isfinite(value) else None for value in np.asarray(values).tolist()
    ]
