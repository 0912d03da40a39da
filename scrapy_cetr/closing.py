"""Closes a spider when the items that it has yielded at its start are stored, not before.

Scrapy knows the items of a callback by their response. Those of ``start`` have none; they are
only counted, and while they wait for a worker, it forgets them: before 2.18 it closes a spider
that has nothing else to do, and from then on it never ends the closing of one that is stopped.
"""

from __future__ import annotations

from scrapy import Spider, signals
from scrapy.core.scraper import Slot
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.asyncio import call_later

SECONDS_BETWEEN_LOOKS = 0.1


class Closing:
    """Waits for items in pipelines, whoever's they are, as Scrapy does for those of callbacks."""

    def __init__(self, crawler: Crawler) -> None:
        self._is_watched = False
        crawler.signals.connect(self._wait, signals.spider_idle)
        for done in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(self._watch, done)

    def _wait(self, spider: Spider) -> None:
        if (slot := _slot(spider)) and slot.itemproc_size:
            raise DontCloseSpider

    def _watch(self, spider: Spider) -> None:
        """Begin to look for the end of the last item, if the spider is being closed."""
        if (slot := _slot(spider)) and slot.closing and not self._is_watched:
            self._is_watched = True
            self._finish(slot, spider)

    def _finish(self, slot: Slot, spider: Spider) -> None:
        if not slot.closing or slot.closing.called:
            return
        if slot.is_idle():
            slot.closing.callback(spider)
        else:
            call_later(SECONDS_BETWEEN_LOOKS, self._finish, slot, spider)


def _slot(spider: Spider) -> Slot | None:
    engine = spider.crawler.engine
    return engine.scraper.slot if engine else None
