"""The tables of the guides for users of other extractors: complete, and true on our side."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from scrapy_cetr.extraction.attributes import ATTRIBUTES
from scrapy_cetr.extraction.options import RULES
from scrapy_cetr.settings import CRAWL_RULES
from testkit.cookbook_servers import need
from testkit.documented_code import Document, code_in, run

TRAFILATURA = Document.read("docs/howto/from-trafilatura.md")
NEWSPAPER = Document.read("docs/howto/from-newspaper4k.md")
GUIDES = pytest.mark.parametrize(
    "guide", [TRAFILATURA, NEWSPAPER], ids=["trafilatura", "newspaper"]
)


def _theirs(guide: Document, section: str) -> list[str]:
    return [name for row in guide.section(section).table() for name in code_in(row[0])]


def _ours(guide: Document) -> str:
    return "\n".join(row[1] for row in guide.table())


def _options(text: str) -> set[str]:
    """Return the options that a help text lists: at the beginning of a line."""
    lines = re.findall(r"^  (-.+?)(?:   ?|$)", text, re.MULTILINE)
    return {option for line in lines for option in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line)}


@GUIDES
def test_every_row_names_an_equivalent_or_says_that_there_is_none(guide: Document) -> None:
    for row in guide.table():
        assert len(row) == 2, row
        ours = row[1]
        assert code_in(ours) or re.match(
            "no equivalent|the default|in a crawl|the .+ argument", ours
        )


@GUIDES
def test_attributes_and_settings_on_our_side_exist(guide: Document) -> None:
    attributes = {*re.findall(r"\barticle\.(\w+)", _ours(guide))} - {"to_dict"}
    assert attributes
    assert attributes <= {*ATTRIBUTES}
    settings = {*re.findall(r"\bCETR_(\w+)", guide.text)}
    assert settings <= {name.upper() for name in (*RULES, *CRAWL_RULES)}
    # Arguments of extract().
    for name, value in re.findall(r"`(favor|max_size|min_words)(?:=\"(\w+)\")?`", guide.text):
        assert name in RULES
        assert not value or value in ("precision", "recall")


def _our_options() -> set[str]:
    named = {
        o
        for guide in (TRAFILATURA, NEWSPAPER)
        for row in guide.section("Command line").table()
        for code in code_in(row[1])
        for o in re.findall(r"(?:^|\s)(--?[a-z][\w-]*)", code)
    }
    assert {"--format", "--urls", "-o"} <= named
    return named


def test_options_on_our_side_exist(tmp_path: Path) -> None:
    text = run("-m", "scrapy", "cetr", "--help", folder=tmp_path).stdout
    assert _our_options() <= {*re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", text)}


@GUIDES
def test_example_on_our_side_runs(guide: Document, tmp_path: Path) -> None:
    (code,) = [code for code in guide.blocks() if code.startswith("# after")]
    assert run("-c", code, folder=tmp_path).stdout.startswith("Harbour ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guide", "library"), [(TRAFILATURA, "trafilatura"), (NEWSPAPER, "newspaper")]
)
def test_example_on_their_side_runs(guide: Document, library: str, tmp_path: Path) -> None:
    need(library)
    (code,) = [code for code in guide.blocks() if code.startswith("# before")]
    assert run("-c", code, folder=tmp_path).stdout.startswith("Harbour ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guide", "module"), [(TRAFILATURA, "trafilatura.cli"), (NEWSPAPER, "newspaper")]
)
def test_table_lists_all_options_of_the_other_command(
    guide: Document, module: str, tmp_path: Path
) -> None:
    need(module.partition(".")[0])
    code = (
        "import runpy, sys; sys.argv = ['program', '--help']; "
        f"runpy.run_module('{module}', run_name='__main__')"
    )
    listed = _theirs(guide, "Command line")
    assert len(listed) == len({*listed})
    assert {*listed} == _options(run("-c", code, folder=tmp_path).stdout)


TRAFILATURA_NAMES = """\
import inspect, json, trafilatura
from trafilatura.settings import Document
print(json.dumps([[*inspect.signature(trafilatura.extract).parameters], [*Document.__slots__]]))
"""
NEWSPAPER_NAMES = """\
import json, newspaper
article = newspaper.Article("https://news.example/")
print(json.dumps([name for name in dir(article) if not name.startswith("_")]))
"""


@pytest.mark.slow
def test_tables_list_all_arguments_and_fields_of_trafilatura(tmp_path: Path) -> None:
    need("trafilatura")
    arguments, fields = json.loads(run("-c", TRAFILATURA_NAMES, folder=tmp_path).stdout)
    assert sorted(_theirs(TRAFILATURA, "Arguments of extract()")) == sorted(arguments)
    assert sorted(_theirs(TRAFILATURA, "Fields")) == sorted(fields)


@pytest.mark.slow
def test_tables_list_all_calls_and_attributes_of_newspaper4k(tmp_path: Path) -> None:
    need("newspaper")
    names = json.loads(run("-c", NEWSPAPER_NAMES, folder=tmp_path).stdout)
    listed = [*_theirs(NEWSPAPER, "Calls"), *_theirs(NEWSPAPER, "Attributes")]
    assert sorted(listed) == sorted(names)
