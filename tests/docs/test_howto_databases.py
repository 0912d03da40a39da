"""The how-to guides on databases, browsers and other plugins, run as they are written."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import psycopg
import pytest

from testkit.documented_code import (
    Project,
    commented_settings,
    guide,
)
from testkit.documented_servers import launch_options, missing, postgresql
from testkit.server import SENTENCES, TEXT, Reply, Site, page


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_guide_without_its_server_is_skipped_locally_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="apt-get install chromium"):
        missing("A browser", install="apt-get install chromium")


def test_sqlite_guide_stores_one_row_per_page(project: Project, site: Site, addon: str) -> None:
    code = guide("sqlite").block("pipelines.py")
    project.add_settings(addon + commented_settings(code))
    project.write_pipelines(code)
    for _ in range(2):
        project.crawl()
    with closing(sqlite3.connect(project.folder / "articles.sqlite")) as database:
        rows = database.execute("SELECT url, text FROM article").fetchall()
    assert rows == [(f"{site.url}/harbour", TEXT)]


@pytest.mark.slow
def test_postgresql_guide_stores_one_row_per_page(project: Project, site: Site, addon: str) -> None:
    bad = "Zero &#0;bytes\0 and &#xD800;surrogates come from pages that nobody has checked."
    site.add("/harbour", Reply(page(bad)))
    code = guide("postgresql").block("pipelines.py")
    settings = commented_settings(code)
    (address,) = re.findall(r'POSTGRES_ADDRESS = "(.+)"', settings)
    with postgresql(address) as real:
        project.add_settings(addon + settings.replace(address, real))
        project.write_pipelines(code)
        for _ in range(2):
            (item,) = project.crawl().items
        with psycopg.connect(real) as database:
            rows = database.execute("SELECT url, text FROM article").fetchall()
    assert rows == [(f"{site.url}/harbour", item["article_text"])]
    assert "come from pages that nobody has checked." in rows[0][1]


@pytest.mark.slow
def test_playwright_guide_extracts_rendered_text(project: Project, site: Site, parse: str) -> None:
    paragraphs = [*SENTENCES, "Zürich, Łódź and 東京 sent help."]
    script = f"""for (const text of {json.dumps(paragraphs)}) {{
        document.body.appendChild(document.createElement("p")).textContent = text; }}"""
    site.add("", Reply(f"<html><body><script>{script}</script></body></html>".encode()))
    site.pages["/"] = site.pages[""]
    project.add_settings(guide("playwright").block("settings.py"))
    project.add_settings(f"PLAYWRIGHT_LAUNCH_OPTIONS = {launch_options()!r}\n")
    project.write_spider(guide("playwright").block("your spider"), parse)
    (item,) = project.crawl().items
    assert item["article_text"].split("\n\n") == paragraphs


def test_zyte_guide_names_the_fields_of_an_item(project: Project, site: Site) -> None:
    story = page().replace(b"<div>", b"<h1>Flood</h1><p>By Ann Lee</p><p>March 1, 2025</p><div>")
    site.add("/harbour", Reply(b'<meta name="description" content="A flood.">' + story))
    project.add_settings(guide("zyte").block("settings.py"))
    (item,) = project.crawl().items
    assert (item["headline"], item["authors"][0]["name"]) == ("Flood", "Ann Lee")
    assert (item["datePublished"], item["inLanguage"]) == ("2025-03-01T00:00:00", "en")
    sentence = guide("zyte").text.partition("Items have ")[2].partition(". ")[0]
    assert item.keys() <= {*re.findall(r"\w+", sentence)}


def test_zyte_guide_fills_an_item_of_zyte_common_items(project: Project, site: Site) -> None:
    story = page().replace(b"<div>", b"<h1>Flood</h1><p>By Ann Lee</p><div>")
    site.add("/harbour", Reply(story))
    (name,) = [code for code in guide("zyte").inline_code() if code.startswith("item.")]
    project.add_settings(guide("zyte").block("settings.py"))
    project.add_settings('ITEM_PIPELINES = {"project.pipelines.NamePipeline": 300}\n')
    project.write_pipelines(
        "class NamePipeline:\n    def process_item(self, item):\n"
        f"        item.description = {name}\n        return item\n"
    )
    project.write_spider(guide("zyte").block("your spider"))
    (item,) = project.crawl().items
    assert (item["headline"], item["description"], item["images"]) == ("Flood", "Ann Lee", None)


def test_duplicates_guide_flags_the_second_copy(project: Project, site: Site, parse: str) -> None:
    project.add_settings(guide("duplicates").block("settings.py"))
    copy = Reply(page("It was the wettest day of the year."))
    project.start_urls = [site.add(f"/{number}", copy) for number in range(2)]
    project.write_spider(parse)
    items = project.crawl().items
    assert sum("duplicate_of" in item for item in items) == 1


def test_scrapy_poet_guide_injects_the_article(project: Project, site: Site) -> None:
    site.add("/harbour", Reply(page().replace(b"<div>", b"<h1>Flood</h1><div>")))
    project.add_settings(guide("scrapy-poet").block("settings.py"))
    project.write_spider(guide("scrapy-poet").blocks()[1])
    (item,) = project.crawl().items
    assert item["headline"] == "Flood"
    assert SENTENCES[0] in item["body"]


def test_scrapy_poet_guide_injects_the_article_of_zyte(project: Project, site: Site) -> None:
    story = page().replace(b"<div>", b"<h1>Flood</h1><p>By Ann Lee</p><div>")
    site.add("/harbour", Reply(story))
    project.add_settings(guide("scrapy-poet").block("settings.py"))
    project.write_spider(*guide("scrapy-poet").section("Zyte's Article").blocks())
    (item,) = project.crawl().items
    assert (item["headline"], item["by"]) == ("Flood", ["Ann Lee"])
