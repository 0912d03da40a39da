"""``scrapy cetr --check``: what rules for sites change on stored pages, and how they fare."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from scrapy_cetr.commands.files import is_gold
from scrapy_cetr.commands.inputs import InputPage
from scrapy_cetr.commands.plan import Plan
from scrapy_cetr.extraction.article import extract_article
from scrapy_cetr.extraction.batch.worker import PageError, page_rule, read_page
from scrapy_cetr.extraction.tuning.gold import word_f1, words_of

BETTER, WORSE, SAME, CHANGED = "better", "worse", "same", "changed"
# A smaller difference of F1 is none.
_LEAST = 0.0005


class Checker:
    """Extracts each page without and with rules, and compares both with the gold text.

    Without a gold text, a page is the same or changed.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._gold = dict(_gold_texts(plan.checks))
        self._counts: Counter[str] = Counter()
        self._f1: list[tuple[float, float]] = []
        self._pages: Counter[str] = Counter()
        self._unmatched: Counter[str] = Counter()

    def add(self, page: InputPage) -> str | None:
        """Compare a page, and print how it changes. Return the error, if any."""
        try:
            html, url = read_page(page.record)
            self._compare(html, url, page.name)
        except PageError as error:
            return str(error)
        except Exception as error:
            return f"cannot be extracted: {type(error).__name__}: {error}"
        return None

    def _compare(self, html: str, url: str | None, name: str) -> None:
        job = self._plan.job
        rule = page_rule(html, url, job)
        options = job.options if rule is None else rule.with_options(job.options)
        before = extract_article(html, url=url, options=job.options).text
        after = before
        if rule is not None:
            article = extract_article(html, url=url, options=options, rule=rule)
            after = article.text
            sites = set(article.site_rules)
            self._pages.update(str(one) for one in rule.selectors if one.site in sites)
            self._unmatched.update(article.unmatched_selectors)
        gold = self._gold.get(url or "") or self._gold.get(_digest(html))
        kind, figures = _verdict(before, after, gold)
        if gold is not None:
            self._f1.append((word_f1(before, gold), word_f1(after, gold)))
        self._counts[kind] += 1
        if kind != SAME:
            tqdm.write(f"{kind:8}{figures}  {url or name}", file=sys.stdout)

    def close(self) -> int:
        """Print a summary, and return the number of pages that became worse."""
        counts = self._counts
        parts = [f"{counts[kind]:,} {kind}" for kind in (BETTER, WORSE, SAME, CHANGED)]
        line = f"{counts.total():,} pages: {', '.join(parts)}"
        if self._f1:
            before, after = (sum(values) / len(self._f1) for values in zip(*self._f1, strict=True))
            line += f"; F1 {before:.3f} → {after:.3f} on {len(self._f1):,} pages with gold text"
        tqdm.write(line, file=sys.stdout)
        for selector, pages in self._pages.items():
            if self._unmatched[selector] == pages:
                line = f"nothing matches {selector!r} on {pages:,} pages"
                tqdm.write(line, file=sys.stdout)
        return counts[WORSE]


def _verdict(before: str, after: str, gold: str | None) -> tuple[str, str]:
    """Return the kind of a change, and its figures."""
    if before == after:
        return SAME, ""
    if gold is None:
        old, new = Counter(words_of(before)), Counter(words_of(after))
        added, removed = (new - old).total(), (old - new).total()
        return CHANGED, f"+{added:,} −{removed:,} words"
    was, now = word_f1(before, gold), word_f1(after, gold)
    kind = SAME if abs(now - was) < _LEAST else BETTER if now > was else WORSE
    return kind, f"{was:.3f} → {now:.3f}"


def _gold_texts(paths: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield the gold texts of some files by the URL and by a hash of the page."""
    for path in paths:
        if not is_gold(path.name):
            continue
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        for line in data.splitlines():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue  # the line is an input, too, and reported there
            if isinstance(record, dict) and isinstance(record.get("text"), str):
                if isinstance(record.get("url"), str):
                    yield record["url"], record["text"]
                if isinstance(record.get("html"), str):
                    yield _digest(record["html"]), record["text"]


def _digest(html: str) -> str:
    return f"{len(html)} {zlib.crc32(html.encode('utf-8', 'surrogatepass'))}"
