"""The code in docs/explanation/."""

from __future__ import annotations

from scrapy.settings import BaseSettings

from scrapy_cetr import extract
from scrapy_cetr.extraction.options import DEFAULT_PARTS, ROLES
from scrapy_cetr.settings import read_settings
from testkit.documented_code import ROOT, Document, code_in

PARTS = Document((ROOT / "docs/explanation/parts.md").read_text(encoding="utf-8"))


def test_parts_page_lists_all_roles_and_the_default() -> None:
    rows = PARTS.table()
    assert [code_in(row[0])[0] for row in rows] == [*ROLES]
    by_default = [code_in(row[0])[0] for row in rows if row[2].startswith("yes")]
    assert by_default == [*DEFAULT_PARTS]


def test_parts_page_has_code_that_runs() -> None:
    loop, setting = PARTS.blocks()
    exec(loop, {"article": extract("<h1>Flood</h1><p>It rained.")})  # noqa: S102
    values: dict[str, list[str]] = {}
    exec(setting, {}, values)  # noqa: S102
    assert read_settings(BaseSettings(values)).options.parts == ["headline", *DEFAULT_PARTS]
