"""Keeps a spider open until its start items have left the item pipelines.

Scrapy waits for the items of a callback, because it waits for the callback's response. Items that
``Spider.start()`` yields have no response. While they wait for a worker process, Scrapy before
2.18 closes an otherwise idle spider without them. Scrapy from 2.18 on counts them, but it does not
notice when the last of them is done: a spider that is stopped meanwhile is never closed.
"""

from __future__ import annotations

from scrapy import Spider, signals
from scrapy.core.scraper import Slot
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.utils.asyncio import call_later

SECONDS_BETWEEN_CHECKS = 0.1


class StartItemsWaiter:
    """Delays the closing of a spider while any item is in the item pipelines.

    Scrapy's signals refer to it weakly, so its owner has to keep it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._is_checking = False
        crawler.signals.connect(self._keep_open, signals.spider_idle)
        for item_is_done in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(self._start_checks, item_is_done)

    def _keep_open(self, spider: Spider) -> None:
        if (slot := _slot(spider)) and slot.itemproc_size:
            raise DontCloseSpider

    def _start_checks(self, spider: Spider) -> None:
        """Start to check for the last item, if the spider is being closed."""
        if (slot := _slot(spider)) and slot.closing and not self._is_checking:
            self._is_checking = True
            self._check(slot, spider)

    def _check(self, slot: Slot, spider: Spider) -> None:
        """Close the slot if it is idle, as Scrapy does after a response; else check again later."""
        if not slot.closing or slot.closing.called:
            return
        if slot.is_idle():
            slot.closing.callback(spider)
        else:
            call_later(SECONDS_BETWEEN_CHECKS, self._check, slot, spider)


def _slot(spider: Spider) -> Slot | None:
    engine = spider.crawler.engine
    return engine.scraper.slot if engine else None
