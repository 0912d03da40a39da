"""The tables of docs/reference: they list what the code has, and what they say is true."""

from __future__ import annotations

import ast
import re
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings

from scrapy_cetr.addon import COMPONENTS
from scrapy_cetr.commands.options import FORMATS, add_options
from scrapy_cetr.commands.run import INTERRUPTED, INVALID_ARGUMENTS, SOME_FAILED, SUCCESS
from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.batch import COLUMNS
from scrapy_cetr.extraction.batch.arrow import SCHEMA
from scrapy_cetr.extraction.kind import KINDS
from scrapy_cetr.extraction.options import METHOD_NAMES, RULES
from scrapy_cetr.settings import CRAWL_RULES, read_settings
from testkit.documented_code import ROOT, Document, Project, code_in
from testkit.server import TEXT, Reply, Site, page

SETTINGS = Document.read("docs/reference/settings.md")
STATISTICS = Document.read("docs/reference/statistics.md")
COMPONENTS_PAGE = Document.read("docs/reference/components.md")
COMMAND = Document.read("docs/reference/command.md")
SCHEMA_PAGE = Document.read("docs/reference/schema.md")
KINDS_PAGE = Document.read("docs/reference/kinds.md")


def test_table_of_kinds_lists_all_kinds() -> None:
    assert [code_in(row[0])[0] for row in KINDS_PAGE.table()] == list(KINDS)


def test_component_table_has_the_orders_of_the_addon() -> None:
    rows = COMPONENTS_PAGE.table()
    written = [(code_in(row[1])[0], code_in(row[0])[0], int(row[2])) for row in rows]
    real = [(setting, f"scrapy_cetr.{kind.__name__}", order) for setting, kind, order in COMPONENTS]
    assert written == real


def test_components_work_without_the_addon(project: Project) -> None:
    for row in COMPONENTS_PAGE.table():
        (name,), (setting,), order = code_in(row[0]), code_in(row[1]), row[2]
        project.add_settings(f'{setting} = {{"{name}": {order}}}\n')
    assert [item["article_text"] for item in project.crawl().items] == [TEXT]


def test_article_of_a_response_is_available_without_the_downloader_middleware(
    project: Project, addon: str
) -> None:
    (call,) = {code for code in COMPONENTS_PAGE.inline_code() if "(response)" in code}
    components = [(code_in(row[1])[0], code_in(row[0])[0]) for row in COMPONENTS_PAGE.table()]
    middleware = next(name for setting, name in components if setting.startswith("DOWNLOADER"))
    project.add_settings(f'{addon}DOWNLOADER_MIDDLEWARES = {{"{middleware}": None}}\n')
    project.write_spider(f'def parse(self, response):\n    yield {{"own": {call}.text}}\n')
    assert project.crawl().items == [{"own": TEXT, "article_text": TEXT}]


def _settings_table() -> dict[str, tuple[Any, str]]:
    """Return the default and the meaning of each setting in the tables."""
    found = {}
    for names, defaults, meaning in SETTINGS.table():
        for name, default in zip(code_in(names), code_in(defaults), strict=True):
            assert name not in found
            found[name] = (ast.literal_eval(default), meaning)
    return found


def test_settings_tables_list_all_settings_and_their_defaults() -> None:
    read = asdict(read_settings(BaseSettings()))
    defaults = {**read.pop("options"), **read, "sites": read["sites"].as_mapping}
    assert set(defaults) == {*RULES, *CRAWL_RULES}
    expected = {f"CETR_{name.upper()}": value for name, value in defaults.items()}
    written = {name: default for name, (default, _) in _settings_table().items()}
    assert written == {"CETR_ENABLED": True, **expected}


def test_settings_tables_name_the_accepted_values() -> None:
    meanings = {name: code_in(meaning) for name, (_, meaning) in _settings_table().items()}
    assert [ast.literal_eval(name) for name in meanings["CETR_METHOD"]] == [*METHOD_NAMES]
    assert sorted(meanings["CETR_FIELDS"]) == sorted([*ATTRIBUTES, '"zyte"'])
    read_settings(BaseSettings({"CETR_FIELDS": "zyte", "CETR_SHORT": "drop"}))


def test_command_table_names_all_formats() -> None:
    (meaning,) = [row[2] for row in COMMAND.table() if code_in(row[0]) == ["--format FORMAT"]]
    assert code_in(meaning)[: len(FORMATS)] == [*FORMATS]


def test_command_tables_have_the_options_of_the_parser() -> None:
    parser = ArgumentParser(add_help=False)
    add_options(parser)
    of_extraction = {f"--{name.replace('_', '-')}" for name in RULES}
    real = {
        name if action.metavar is None else f"{name} {action.metavar}"
        for action in parser._actions
        for name in action.option_strings
        if name not in of_extraction
    }
    rows = [row for row in COMMAND.table() if row[0].startswith("`-")]
    written = {code for row in rows for code in code_in(row[0]) if code != "-"}
    assert written - of_extraction == real
    assert of_extraction & written
    defaults = {row[0]: row[1] for row in rows if len(row) == 3}
    assert all(defaults.values())


def test_schema_page_lists_the_columns_and_their_types() -> None:
    text = SCHEMA_PAGE.text.partition("\n## ")[0]
    rows = [[code_in(cell) for cell in row[:2]] for row in Document(text).table()]
    types = {name: kind for (name,), (kind,) in rows}
    known = {
        name: re.sub(r"(element|item): ", "", str(SCHEMA.field(name).type)) for name in COLUMNS
    }
    assert list(types) == list(COLUMNS) == SCHEMA.names
    assert types == known
    assert all(field.nullable for field in SCHEMA)


def test_command_page_lists_the_exit_codes() -> None:
    codes = [int(row[0]) for row in COMMAND.section("Exit codes").table()]
    assert codes == [SUCCESS, SOME_FAILED, INVALID_ARGUMENTS, INTERRUPTED]


STATISTICS_SPIDER = """\
class Bare(scrapy.Item):
    url = scrapy.Field()

async def start(self):
    def request(path, **options):
        return scrapy.Request(self.start_urls[0] + path, **options)

    yield request("/harbour")
    yield request("/blank")
    yield request("/harbour?short", meta={"cetr": {"min_words": 10_000}})
    yield request("/harbour?truncated", meta={"cetr": {"max_size": 100}})
    yield request("/failing")
    yield request("/harbour?wrong", meta={"cetr": {"k": 0}})
    yield request("/harbour?off", meta={"cetr": False})
    yield request("/data.json")
    yield request("/nothing")
    yield request("/harbour?head", method="HEAD")

def parse(self, response):
    yield {"url": response.url}
    yield self.Bare(url=response.url)
"""


def test_statistics_table_lists_all_statistics(
    project: Project, site: Site, traps: str, addon: str
) -> None:
    site.add("/blank", Reply(b"<html><body></body></html>"))
    site.add("/data.json", Reply(b"{}", type="application/json"))
    site.add("/failing", Reply(page("FAIL")))
    for name in ("short", "truncated", "wrong", "off", "head"):
        site.add(f"/harbour?{name}")
    project.start_urls = [site.url]
    project.add_settings(f"{addon}CETR_WORKERS = 1\n")
    host = urlsplit(site.url).hostname
    project.add_settings(f'CETR_SITES = {{"{host}": {{"drop": ".none"}}}}\n')
    project.add_settings('ITEM_PIPELINES = {"scrapy_cetr.CetrDuplicatesPipeline": 60}\n')
    project.write_spider(STATISTICS_SPIDER)
    result = project.crawl(clean=False, path=traps)
    counted = {name for name in result.stats if name.startswith("cetr/")}

    written = {name: row[1] for row in STATISTICS.table() for name in code_in(row[0])}
    # Stamps need a browser, and only a shared crawl without its server counts errors of duplicates;
    # tests/rendering and tests/engines have them.
    elsewhere = {"cetr/rendered/stamped", "cetr/rendered/failed", "cetr/duplicates/errors"}
    assert set(map(_general, counted)) == set(written) - elsewhere
    assert set(map(_general, _statistics_in_the_source())) <= set(written)
    skipped = {name for name in counted if name.startswith("cetr/skipped/")}
    reasons = code_in(written["cetr/skipped/…"])
    assert skipped == {f"cetr/skipped/{reason}" for reason in reasons}

    (line,) = [code for code in STATISTICS.inline_code() if code.startswith("Extracted ")]
    # The pages of this crawl are so short that some are not taken for articles.
    pattern = re.sub(r"\d+", r"\\d+", re.escape(line)).replace("articles", "articles?")
    assert re.search(pattern, result.log)


def _general(name: str) -> str:
    name = re.sub(r"^cetr/sites/.+/pages$", "cetr/sites/…/pages", name)
    return re.sub(r"^cetr/(skipped|errors|kind)/.+", r"cetr/\1/…", name)


def _statistics_in_the_source() -> set[str]:
    """Find the names in all calls of count(); the variable part of a name is … here."""
    found = set()
    for file in (ROOT / "scrapy_cetr").glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(func=ast.Attribute(attr="count"), args=[name, *_]):
                    written = re.sub(r"f'(.*?)\{.*?\}'", r"'\1…'", ast.unparse(name))
                    found |= {f"cetr/{text}" for text in re.findall(r"'([^']+)'", written)}
    assert len(found) > 10
    return found
