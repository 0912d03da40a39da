"""The methods by name: each a function from a page and options to a verdict on its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scrapy_cetr.extraction.methods.cetr import cetr, cetr_km, cetr_tm
from scrapy_cetr.extraction.methods.coreex import coreex
from scrapy_cetr.extraction.methods.learned.network import learned as learned_method
from scrapy_cetr.extraction.methods.lineblock import lineblock
from scrapy_cetr.extraction.methods.qread import qread
from scrapy_cetr.extraction.methods.verdict import Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.page import Page

__all__ = ["METHODS", "USE_CLASS_NAMES", "Verdict"]

METHODS: Mapping[str, Callable[[Page, Options], Verdict]] = {
    "learned": learned_method,
    "cetr": cetr,
    "cetr-km": cetr_km,
    "cetr-tm": cetr_tm,
    "coreex": coreex,
    "qread": qread,
    "lineblock": lineblock,
}
# The methods that ask for classes and ids, which take time to read.
USE_CLASS_NAMES: frozenset[str] = frozenset(("learned", "qread"))
