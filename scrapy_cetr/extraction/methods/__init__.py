"""The methods by name: each is a function from a page and options to a verdict on its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scrapy_cetr.extraction.methods.cetr import cetr, cetr_km, cetr_tm
from scrapy_cetr.extraction.methods.clg.method import clg
from scrapy_cetr.extraction.methods.coreex import coreex
from scrapy_cetr.extraction.methods.learned.method import Evidence, learned_method
from scrapy_cetr.extraction.methods.lineblock import lineblock
from scrapy_cetr.extraction.methods.qread import qread
from scrapy_cetr.extraction.methods.verdict import Verdict
from scrapy_cetr.extraction.options import Options
from scrapy_cetr.extraction.page.page import Page

__all__ = ["METHODS", "Evidence", "Method", "Verdict"]


@dataclass(frozen=True, slots=True)
class Method:
    """A method, and what it needs to know of a page.

    A page is read with class names, and with the stamps of a browser, only for a method that uses
    them, as this takes time. Only a method that ``weighs_evidence`` is told what other pages of the
    site say about the rows.
    """

    judge: Callable[..., Verdict]
    uses_class_names: bool = False
    weighs_evidence: bool = False
    uses_stamps: bool = False

    def __call__(self, page: Page, options: Options, evidence: Evidence | None = None) -> Verdict:
        """Judge the rows of a page."""
        if evidence is not None and self.weighs_evidence:
            return self.judge(page, options, evidence)
        return self.judge(page, options)


METHODS: Mapping[str, Method] = {
    "learned": Method(
        learned_method, uses_class_names=True, uses_stamps=True, weighs_evidence=True
    ),
    "cetr": Method(cetr),
    "cetr-km": Method(cetr_km),
    "cetr-tm": Method(cetr_tm),
    "coreex": Method(coreex),
    "qread": Method(qread, uses_class_names=True),
    "lineblock": Method(lineblock),
    "clg": Method(clg, uses_class_names=True, uses_stamps=True),
}
