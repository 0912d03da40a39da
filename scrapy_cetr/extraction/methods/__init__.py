"""The methods by name: each is a function from a page and options to a verdict on its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scrapy_cetr.extraction.methods.cetr import cetr, cetr_km, cetr_tm
from scrapy_cetr.extraction.methods.coreex import coreex
from scrapy_cetr.extraction.methods.learned.method import learned_method
from scrapy_cetr.extraction.methods.lineblock import lineblock
from scrapy_cetr.extraction.methods.qread import qread
from scrapy_cetr.extraction.methods.verdict import Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.page import Page

__all__ = ["METHODS", "Method", "Verdict"]


@dataclass(frozen=True, slots=True)
class Method:
    """A method, and what it needs to know of a page.

    A page is read with class names only for a method that uses them, as this takes time.
    """

    judge: Callable[[Page, Options], Verdict]
    uses_class_names: bool = False

    def __call__(self, page: Page, options: Options) -> Verdict:
        """Judge the rows of a page."""
        return self.judge(page, options)


METHODS: Mapping[str, Method] = {
    "learned": Method(learned_method, uses_class_names=True),
    "cetr": Method(cetr),
    "cetr-km": Method(cetr_km),
    "cetr-tm": Method(cetr_tm),
    "coreex": Method(coreex),
    "qread": Method(qread, uses_class_names=True),
    "lineblock": Method(lineblock),
}
