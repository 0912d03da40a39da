"""The methods by name: each a function from a page and options to a verdict on its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from scrapy_cetr.extraction.methods.cetr import cetr, cetr_km, cetr_tm
from scrapy_cetr.extraction.methods.verdict import Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page import Page

__all__ = ["METHODS", "Verdict"]

METHODS: Mapping[str, Callable[[Page, Options], Verdict]] = {
    "cetr": cetr,
    "cetr-km": cetr_km,
    "cetr-tm": cetr_tm,
}
