"""Statistics of the rules for sites: pages by rule, and selectors that match nothing."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable

from scrapy_cetr.extraction.article import Article
from scrapy_cetr.extraction.sites.rules import SiteRules

logger = logging.getLogger("scrapy_cetr")


class RuleCounts:
    """Counts on how many pages each rule applies, and on how many its selectors match nothing."""

    def __init__(self, rules: SiteRules) -> None:
        self._selectors = [(selector.site, str(selector)) for selector in rules.selectors]
        self._pages: Counter[str] = Counter()
        self._unmatched: Counter[str] = Counter()

    def add(self, article: Article, count: Callable[[str], None]) -> None:
        """Count a page, also in the statistics of the crawl, which ``count`` increases."""
        for site in article.site_rules:
            count(f"sites/{site}/pages")
        self._pages.update(article.site_rules)
        self._unmatched.update(article.unmatched_selectors)

    def report(self, count: Callable[[str], None]) -> None:
        """Count and log the selectors that match nothing on any page."""
        for selector, pages in self.never_matched().items():
            count("sites/unmatched")
            logger.warning("CETR_SITES: nothing matches %r on %d pages", selector, pages)

    def never_matched(self) -> dict[str, int]:
        """Return the selectors that match nothing on any page, and the number of these pages."""
        return {
            text: self._pages[site]
            for site, text in self._selectors
            if self._pages[site] and self._unmatched[text] == self._pages[site]
        }
