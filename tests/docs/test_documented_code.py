"""The code of README.md, run as it stands there; only the addresses in it are replaced."""

from __future__ import annotations

import ast
import gzip
import json
import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import psycopg
import pytest
from scrapy.settings import BaseSettings

from scrapy_cetr import extract
from scrapy_cetr.addon import COMPONENTS
from scrapy_cetr.extraction.article import ATTRIBUTES
from scrapy_cetr.extraction.options import METHOD_NAMES, RULES
from scrapy_cetr.settings import CRAWL_RULES, read_settings
from testkit.archives import warc_response
from testkit.documented_code import (
    ROOT,
    TITLE,
    Project,
    block,
    blocks,
    code_in,
    commented_settings,
    read_lines,
    run,
    sections,
    table,
)
from testkit.documented_servers import launch_options, missing, postgresql
from testkit.server import SENTENCES, TEXT, Reply, Site, page

ADDON = block(TITLE, "settings.py")
PARSE = block(TITLE, "your spider")
WHY = "See why"
SQLITE = "SQLite, in a pipeline behind ours"
POSTGRESQL = "PostgreSQL, the same way"
BROWSER = "Pages that need a browser, with scrapy-playwright"
STORED = "Stored HTML, extracted again"
ZYTE = "Whole articles, in the schema of Zyte"
DUPLICATES = "Near-duplicates"
POET = "Callbacks that ask for an article, with scrapy-poet"
# A test below runs each of these; whoever adds a block adds a test for it.
BLOCKS = {
    TITLE: 2,
    "Install and try": 1,
    WHY: 1,
    "Feeds": 1,
    SQLITE: 1,
    POSTGRESQL: 1,
    BROWSER: 2,
    STORED: 3,
    ZYTE: 1,
    DUPLICATES: 1,
    POET: 2,
}


@pytest.fixture(scope="module")
def new_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Do what a user does first."""
    folder = tmp_path_factory.mktemp("new")
    run("-m", "scrapy", "startproject", "project", ".", folder=folder)
    return folder


@pytest.fixture
def project(new_project: Path, tmp_path: Path, site: Site) -> Project:
    """Make a project whose spider crawls one page with the callback of the README."""
    folder = shutil.copytree(new_project, tmp_path / "project")
    made = Project(folder, site.url, [site.add("/harbour")])
    made.write_spider(PARSE)
    return made


def test_each_block_is_run_by_a_test() -> None:
    assert {name: len(blocks(name)) for name in sections() if blocks(name)} == BLOCKS


# The first page


def test_one_line_and_a_spider_as_it_is_give_the_item_that_is_shown(
    project: Project, site: Site
) -> None:
    (shown,) = (json.loads(text) for text in blocks(TITLE, "json"))
    begun = shown["article_text"].removesuffix("…")
    first, second = begun.split("\n\n")
    story = f"<div><p>{first}</p><p>{second}work, it carries cars again.</p>"
    site.add("/harbour", Reply(page().replace(b"<div>", story.encode())))
    project.add_settings(ADDON)
    (item,) = project.crawl().items
    assert item.keys() == shown.keys()
    assert item["url"] == shown["url"].replace("https://news.example", site.url)
    assert begun in item["article_text"]
    assert "Section 5" not in item["article_text"]


def test_make_has_the_two_commands() -> None:
    commands = re.findall(r"^\$ make (\w+)", "".join(blocks("Install and try", "console")), re.M)
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
    assert commands == ["demo", "test"]
    assert set(commands) <= set(targets)


def test_the_library_is_one_function(tmp_path: Path) -> None:
    (code,) = blocks("Install and try")
    done = run("-c", code, folder=tmp_path)
    assert done.stdout == "Harbour\n\nIt was a long day,\nand nobody went home.\n"


def test_command_line_prints_the_text_of_a_file(tmp_path: Path) -> None:
    (command,) = (
        code for code in code_in(sections()["Install and try"]) if code.startswith("python -m")
    )
    for name in ("other.html", "page.html"):
        (tmp_path / name).write_text("".join(f"<p>{sentence}</p>" for sentence in SENTENCES))
    python, *arguments, file = command.split()
    assert python == "python"
    assert run(*arguments, file, folder=tmp_path).stdout.splitlines()[::2] == [*SENTENCES]


# See why


def test_the_commands_of_the_reports(project: Project, site: Site) -> None:
    folder = project.folder
    (folder / "page.html").write_bytes(page())
    (folder / "stored").mkdir()
    (folder / "stored" / "page.html").write_bytes(page())
    _store_pages(folder)
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress((folder / "pages.jsonl").read_bytes()))
    archived = warc_response("https://x.example", page(), "Content-Type: text/html")
    (folder / "crawl.warc.gz").write_bytes(gzip.compress(archived))
    (console,) = blocks(WHY, "console")
    lines = [line.partition(" # ")[0].split() for line in console.splitlines()]
    outputs = []
    for prompt, scrapy, *words in lines:
        assert (prompt, scrapy) == ("$", "scrapy")
        local = [word.replace("https://news.example", site.url) for word in words]
        outputs.append(run("-m", "scrapy", *local, folder=folder).stdout)
    live, as_json, compared, *reports = outputs
    assert live == f"{TEXT}\n"
    assert json.loads(as_json)["method"] == "cetr-tm"
    assert compared.split()[: len(METHOD_NAMES)] == [*METHOD_NAMES]
    assert reports == ["", ""]
    assert "<dt>method</dt><dd>learned</dd>" in (folder / "why.html").read_text(encoding="utf-8")
    assert "<dt>pages</dt><dd>5</dd>" in (folder / "pages.html").read_text(encoding="utf-8")


def test_the_setting_for_the_report_of_a_crawl(project: Project) -> None:
    project.add_settings(ADDON + block(WHY, "settings.py"))
    project.crawl()
    report = (project.folder / "report.html").read_text(encoding="utf-8")
    assert "<dt>pages</dt><dd>1</dd>" in report


def test_the_pictures_are_there_and_have_a_command() -> None:
    pictures = re.findall(r"!\[[^]]+\]\((.+?)\)", sections()[WHY])
    assert pictures == ["docs/images/report.png", "docs/images/crawl-report.png"]
    assert all((ROOT / picture).read_bytes().startswith(b"\x89PNG") for picture in pictures)
    assert re.search("^screenshots:", (ROOT / "Makefile").read_text(), re.MULTILINE)


# What it does in a crawl


def test_component_table_has_the_orders_of_the_addon() -> None:
    rows = table("What it does in a crawl")
    written = [(code_in(row[1])[0], code_in(row[0])[0], int(row[2])) for row in rows]
    real = [(setting, f"scrapy_cetr.{kind.__name__}", order) for setting, kind, order in COMPONENTS]
    assert written == real


def test_components_work_by_hand(project: Project) -> None:
    for row in table("What it does in a crawl"):
        (name,), (setting,), order = code_in(row[0]), code_in(row[1]), row[2]
        project.add_settings(f'{setting} = {{"{name}": {order}}}\n')
    assert [item["article_text"] for item in project.crawl().items] == [TEXT]


def test_callbacks_get_the_article_also_without_the_downloader_middleware(
    project: Project,
) -> None:
    (call,) = {
        code for code in code_in(sections()["What it does in a crawl"]) if "response" in code
    }
    (middleware,) = [name for setting, name in _components() if setting.startswith("DOWNLOADER")]
    project.add_settings(f'{ADDON}DOWNLOADER_MIDDLEWARES = {{"{middleware}": None}}\n')
    project.write_spider(f'def parse(self, response):\n    yield {{"own": {call}.text}}\n')
    assert project.crawl().items == [{"own": TEXT, "article_text": TEXT}]


def _components() -> list[tuple[str, str]]:
    return [(code_in(row[1])[0], code_in(row[0])[0]) for row in table("What it does in a crawl")]


def _settings_table() -> dict[str, tuple[Any, str]]:
    """Give the default and the meaning of each setting in the table."""
    found = {}
    for names, defaults, meaning in table("Settings"):
        for name, default in zip(code_in(names), code_in(defaults), strict=True):
            assert name not in found
            found[name] = (ast.literal_eval(default), meaning)
    return found


def test_settings_table_has_all_settings_and_their_defaults() -> None:
    read = asdict(read_settings(BaseSettings()))
    defaults = {**read.pop("options"), **read}
    assert set(defaults) == {*RULES, *CRAWL_RULES}
    expected = {f"CETR_{name.upper()}": value for name, value in defaults.items()}
    written = {name: default for name, (default, _) in _settings_table().items()}
    assert written == {"CETR_ENABLED": True, **expected}


def test_settings_table_names_what_the_settings_take() -> None:
    meanings = {name: code_in(meaning) for name, (_, meaning) in _settings_table().items()}
    assert [ast.literal_eval(name) for name in meanings["CETR_METHOD"]] == [*METHOD_NAMES]
    assert sorted(meanings["CETR_FIELDS"]) == sorted([*ATTRIBUTES, '"zyte"'])
    read_settings(BaseSettings({"CETR_FIELDS": "zyte", "CETR_SHORT": "drop"}))


def test_settings_per_request_and_per_spider(project: Project, site: Site) -> None:
    metas = [code for code in code_in(sections()["Settings"]) if code.startswith("meta=")]
    requests = [f'yield scrapy.Request("{site.add(f"/{n}")}", {m})' for n, m in enumerate(metas)]
    project.add_settings(ADDON)
    project.write_spider(
        'custom_settings = {"CETR_FIELDS": {"way": "method"}, "CETR_METHOD": "cetr-km"}\n',
        "async def start(self):\n    "
        + "\n    ".join([*requests, "yield scrapy.Request(self.start_urls[0])"]),
        PARSE,
    )
    items = {item["url"].removeprefix(site.url): item.get("way") for item in project.crawl().items}
    assert items == {"/0": None, "/1": "cetr-tm", "/harbour": "cetr-km"}


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


def test_statistics_table_has_all_statistics(project: Project, site: Site, traps: str) -> None:
    site.add("/blank", Reply(b"<html><body></body></html>"))
    site.add("/data.json", Reply(b"{}", type="application/json"))
    site.add("/failing", Reply(page("FAIL")))
    for name in ("short", "truncated", "wrong", "off", "head"):
        site.add(f"/harbour?{name}")
    project.start_urls = [site.url]
    project.add_settings(f"{ADDON}CETR_WORKERS = 1\n")
    project.add_settings('ITEM_PIPELINES = {"scrapy_cetr.CetrDuplicatesPipeline": 60}\n')
    project.write_spider(STATISTICS_SPIDER)
    result = project.crawl(clean=False, path=traps)
    counted = {name for name in result.stats if name.startswith("cetr/")}

    written = {name: row[1] for row in table("Statistics") for name in code_in(row[0])}
    assert set(map(_general, counted)) == set(written)
    assert set(map(_general, _statistics_in_the_source())) <= set(written)
    skipped = {name for name in counted if name.startswith("cetr/skipped/")}
    reasons = code_in(written["cetr/skipped/…"])
    assert skipped == {f"cetr/skipped/{reason}" for reason in reasons}

    (line,) = [code for code in code_in(sections()["Statistics"]) if code.startswith("Extracted")]
    assert re.search(re.sub(r"\d+", r"\\d+", line), result.log)


def _general(name: str) -> str:
    return re.sub(r"^cetr/(skipped|errors)/.+", r"cetr/\1/…", name)


def _statistics_in_the_source() -> set[str]:
    """Find the names in all calls of count(); what is put into a name is a … there."""
    found = set()
    for file in (ROOT / "scrapy_cetr").glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(func=ast.Attribute(attr="count"), args=[name, *_]):
                    written = re.sub(r"f'(.*?)\{.*?\}'", r"'\1…'", ast.unparse(name))
                    found |= {f"cetr/{text}" for text in re.findall(r"'([^']+)'", written)}
    assert len(found) > 10
    return found


# Recipes


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_a_recipe_that_cannot_be_run_is_skipped_but_never_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="apt-get install chromium"):
        missing("A browser", package="chromium")


def test_feeds(project: Project) -> None:
    project.add_settings(block("Feeds", "settings.py"))
    project.crawl(feed=False)
    (item,) = read_lines(project.folder / "articles.jsonl")
    assert (item["article_text"], item["article_short"]) == (TEXT, len(TEXT.split()) < 50)


def test_sqlite(project: Project, site: Site) -> None:
    code = block(SQLITE, "pipelines.py")
    project.add_settings(ADDON + commented_settings(code))
    project.write_pipelines(code)
    for _ in range(2):
        project.crawl()
    with closing(sqlite3.connect(project.folder / "articles.sqlite")) as database:
        rows = database.execute("SELECT url, text FROM article").fetchall()
    assert rows == [(f"{site.url}/harbour", TEXT)]


def test_postgresql(project: Project, site: Site) -> None:
    bad = "Zero &#0;bytes\0 and &#xD800;surrogates come from pages that nobody has checked."
    site.add("/harbour", Reply(page(bad)))
    code = block(POSTGRESQL, "pipelines.py")
    settings = commented_settings(code)
    (address,) = re.findall(r'POSTGRES_ADDRESS = "(.+)"', settings)
    with postgresql(address) as real:
        project.add_settings(ADDON + settings.replace(address, real))
        project.write_pipelines(code)
        for _ in range(2):
            (item,) = project.crawl().items
        with psycopg.connect(real) as database:
            rows = database.execute("SELECT url, text FROM article").fetchall()
    assert rows == [(f"{site.url}/harbour", item["article_text"])]
    assert "come from pages that nobody has checked." in rows[0][1]


def test_playwright(project: Project, site: Site) -> None:
    paragraphs = [*SENTENCES, "Zürich, Łódź and 東京 sent help."]
    script = f"""for (const text of {json.dumps(paragraphs)}) {{
        document.body.appendChild(document.createElement("p")).textContent = text; }}"""
    site.add("", Reply(f"<html><body><script>{script}</script></body></html>".encode()))
    site.pages["/"] = site.pages[""]
    project.add_settings(block(BROWSER, "settings.py"))
    project.add_settings(f"PLAYWRIGHT_LAUNCH_OPTIONS = {launch_options()!r}\n")
    project.write_spider(block(BROWSER, "your spider"), PARSE)
    (item,) = project.crawl().items
    assert item["article_text"].split("\n\n") == paragraphs


def _store_pages(folder: Path) -> dict[str, str]:
    """Write the file of the recipe, and give the text of each page in it."""
    pages = {
        f"https://news.example/{number}": page(
            f"This is what page {number} of the archive said in its last sentence."
        ).decode()
        for number in range(3)
    }
    lines = (json.dumps({"url": url, "html": html}) for url, html in pages.items())
    (folder / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return {url: extract(html).text for url, html in pages.items()}


def test_stored_html_in_a_crawl(project: Project) -> None:
    texts = _store_pages(project.folder)
    project.add_settings(block(STORED, "settings.py"))
    project.write_spider(block(STORED, "your spider"))
    assert {item["url"]: item["article_text"] for item in project.crawl().items} == texts


def test_stored_html_without_a_crawl(tmp_path: Path) -> None:
    texts = _store_pages(tmp_path)
    (code,) = [code for code in blocks(STORED) if not code.startswith("#")]
    assert run("-c", code, folder=tmp_path).stdout == "".join(f"{t}\n" for t in texts.values())


def test_whole_articles(project: Project, site: Site) -> None:
    story = page().replace(b"<div>", b"<h1>Flood</h1><p>By Ann Lee</p><p>March 1, 2025</p><div>")
    site.add("/harbour", Reply(b'<meta name="description" content="A flood.">' + story))
    project.add_settings(block(ZYTE, "settings.py"))
    (item,) = project.crawl().items
    assert (item["headline"], item["authors"][0]["name"]) == ("Flood", "Ann Lee")
    assert (item["datePublished"], item["inLanguage"]) == ("2025-03-01T00:00:00", "en")
    named = re.findall(r"\w+", sections()[ZYTE].partition("Items have ")[2].partition(";")[0])
    assert item.keys() <= {*named, "dateModifiedRaw"}


def test_near_duplicates(project: Project, site: Site) -> None:
    project.start_urls = [site.url]
    project.add_settings(block(DUPLICATES, "settings.py"))
    urls = [site.add(f"/{n}", Reply(page("It was the wettest day of the year."))) for n in range(2)]
    project.write_spider(
        "async def start(self):\n    "
        + "\n    ".join(f'yield scrapy.Request("{url}")' for url in urls),
        PARSE,
    )
    items = project.crawl().items
    assert sum("duplicate_of" in item for item in items) == 1


def test_scrapy_poet(project: Project, site: Site) -> None:
    site.add("/harbour", Reply(page().replace(b"<div>", b"<h1>Flood</h1><div>")))
    project.add_settings(block(POET, "settings.py"))
    project.write_spider(block(POET, "your spider"))
    (item,) = project.crawl().items
    assert item["headline"] == "Flood"
    assert SENTENCES[0] in item["body"]
