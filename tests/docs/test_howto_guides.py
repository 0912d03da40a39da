"""The code of the how-to guides, run as it is written; only the addresses in it are replaced."""

from __future__ import annotations

import csv
import gzip
import json
import re
from pathlib import Path

import pytest

from scrapy_cetr import extract, zyte
from scrapy_cetr.extraction.options import METHOD_NAMES
from testkit.archives import warc_response
from testkit.documented_code import (
    ROOT,
    Project,
    guide,
    pages,
    read_lines,
    run,
)
from testkit.server import SENTENCES, TEXT, Reply, Site, page

# The number of Python blocks on each page. Every block is run by a test: whoever adds a block adds
# a test to this folder.
BLOCKS = {
    "README.md": 3,
    "docs/explanation/parts.md": 2,
    "docs/howto/callbacks.md": 1,
    "docs/howto/cloud-feeds.md": 2,
    "docs/howto/correct-a-site.md": 1,
    "docs/howto/datatrove.md": 2,
    "docs/howto/duplicates.md": 1,
    "docs/howto/feeds.md": 2,
    "docs/howto/filtering.md": 1,
    "docs/howto/from-newspaper4k.md": 2,
    "docs/howto/from-trafilatura.md": 2,
    "docs/howto/library.md": 1,
    "docs/howto/memory.md": 2,
    "docs/howto/one-file-per-article.md": 1,
    "docs/howto/own-model.md": 1,
    "docs/howto/parquet.md": 2,
    "docs/howto/per-request.md": 1,
    "docs/howto/playwright.md": 2,
    "docs/howto/postgresql.md": 1,
    "docs/howto/ray.md": 2,
    "docs/howto/reports.md": 1,
    "docs/howto/scrapy-poet.md": 3,
    "docs/howto/scrapyd.md": 1,
    "docs/howto/several-pages.md": 2,
    "docs/howto/shared-crawl.md": 2,
    "docs/howto/spark.md": 2,
    "docs/howto/spidermon.md": 1,
    "docs/howto/sqlite.md": 1,
    "docs/howto/stored-html.md": 3,
    "docs/howto/stored-records.md": 2,
    "docs/howto/testing.md": 3,
    "docs/howto/whole-articles.md": 1,
    "docs/howto/workers.md": 1,
    "docs/howto/zyte-api.md": 2,
    "docs/howto/zyte.md": 2,
    "docs/index.md": 1,
    "docs/reference/kinds.md": 1,
    "docs/tutorial.md": 5,
}


def test_every_documented_python_block_is_counted() -> None:
    counts = {path: len(text.blocks()) for path, text in pages().items() if text.blocks()}
    assert counts == BLOCKS


def test_feeds_guide_writes_text_and_short(project: Project) -> None:
    section = guide("feeds").section("Write articles to a feed")
    project.add_settings(section.block("settings.py"))
    project.crawl(feed=False)
    (item,) = read_lines(project.folder / "articles.jsonl")
    assert (item["article_text"], item["article_short"]) == (TEXT, len(TEXT.split()) < 50)


def test_feeds_guide_names_all_columns_of_a_csv_feed(
    project: Project, site: Site, parse: str
) -> None:
    story = page().replace(b"<div>", b"<h1>Flood</h1><p>March 1, 2025</p><div>")
    data = site.add("/data", Reply(b"{}", type="application/json"))
    project.start_urls = [data, site.add("/harbour", Reply(story))]
    project.add_settings(guide("feeds").section("CSV").block("settings.py"))
    # The item without an article comes first.
    project.add_settings("CONCURRENT_REQUESTS = 1\n")
    project.write_spider(parse)
    project.crawl(feed=False)
    with (project.folder / "articles.csv").open(encoding="utf-8", newline="") as file:
        empty, item = csv.DictReader(file)
    assert (empty["url"], empty["article_text"]) == (data, "")
    assert [*item] == ["url", "title", "published", "article_text"]
    assert (item["title"], item["published"]) == ("Flood", "2025-03-01")
    assert SENTENCES[0] in item["article_text"]


def test_feeds_guide_names_the_columns_of_the_zyte_preset() -> None:
    (columns,) = [code for code in guide("feeds").inline_code() if code.startswith('["url"')]
    assert json.loads(columns) == [*zyte.FIELDS]


def test_several_pages_guide_attaches_an_item_to_its_page(
    project: Project, site: Site, addon: str
) -> None:
    site.add("/author", Reply(b"<h1>Ann Lee</h1><p>She lives by the river.</p>"))
    section = guide("several-pages").section("Say which page an item belongs to")
    project.add_settings(addon + 'CETR_FIELDS = {"article_text": "text", "title": "title"}\n')
    project.add_settings('JOBDIR = "job"\n')
    project.write_spider(*section.blocks())
    (item,) = project.crawl().items
    assert (item["article_text"], item["title"]) == (TEXT, None)
    assert item["about_the_author"] == "She lives by the river."


@pytest.mark.parametrize("failing", [None, 404, 503])
def test_several_pages_guide_joins_the_pages_of_an_article(
    project: Project, site: Site, addon: str, failing: int | None
) -> None:
    for number in (1, 2, 3):
        body = page(f"This is what page {number} of the story said in its last sentence.")
        following = f'<div><h1>Flood</h1><a rel="next" href="/harbour?page={number + 1}">next</a>'
        path = "/harbour" if number == 1 else f"/harbour?page={number}"
        status = failing if failing and number == 3 else 200
        site.add(path, Reply(body.replace(b"<div>", following.encode()), status=status))
    # The last page leads nowhere.
    site.add("/harbour?page=4", Reply(b"", status=404))
    section = guide("several-pages").section("Join the pages of an article")
    project.add_settings(addon + "RETRY_TIMES = 0\n")
    project.write_spider(*section.blocks())
    (item,) = project.crawl(clean=False).items
    found = re.findall(r"what page (\d) of", item["article_text"])
    assert found == (["1", "2"] if failing else ["1", "2", "3"])
    assert item["pages"] == len(found)
    assert item["article_text"].count(SENTENCES[0]) == 1


def test_whole_articles_guide_fills_the_named_fields(project: Project, site: Site) -> None:
    story = page().replace(b"<div>", b"<h1>Flood</h1><p>By Ann Lee</p><p>March 1, 2025</p><div>")
    site.add("/harbour", Reply(story))
    project.add_settings(guide("whole-articles").block("settings.py"))
    (item,) = project.crawl().items
    assert (item["headline"], item["authors"]) == ("Flood", ["Ann Lee"])
    assert (item["published"], item["language"]) == ("2025-03-01", "en")
    assert SENTENCES[0] in item["body"]


def test_filtering_guide_drops_short_pages(project: Project, site: Site, parse: str) -> None:
    long = " ".join(f"It was the wettest day of the year {year}." for year in range(1900, 1930))
    urls = [site.add("/long", Reply(page(long))), site.add("/short", Reply(b"<p>Not found."))]
    project.add_settings(guide("filtering").block("settings.py"))
    project.start_urls = urls
    project.write_spider(parse)
    assert [item["url"] for item in project.crawl(clean=False).items] == urls[:1]


def _store_pages(folder: Path) -> dict[str, str]:
    """Write the pages.jsonl of the guide; return the text of each page by its URL."""
    stored = {
        f"https://news.example/{number}": page(
            f"This is what page {number} of the archive said in its last sentence."
        ).decode()
        for number in range(3)
    }
    lines = (json.dumps({"url": url, "html": html}) for url, html in stored.items())
    (folder / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return {url: extract(html).text for url, html in stored.items()}


def test_stored_html_guide_extracts_items_in_a_crawl(project: Project) -> None:
    texts = _store_pages(project.folder)
    project.add_settings(guide("stored-html").block("settings.py"))
    project.write_spider(guide("stored-html").block("your spider"))
    assert {item["url"]: item["article_text"] for item in project.crawl().items} == texts


def test_stored_html_guide_extracts_without_a_crawl(tmp_path: Path) -> None:
    texts = _store_pages(tmp_path)
    (code,) = guide("stored-html").section("Without a crawl").blocks()
    assert run("-c", code, folder=tmp_path).stdout == "".join(f"{t}\n" for t in texts.values())


def test_callbacks_guide_reads_the_title(project: Project, site: Site, addon: str) -> None:
    site.add("/harbour", Reply(page().replace(b"<div>", b"<h1>Flood</h1><div>")))
    project.add_settings(addon)
    project.write_spider(guide("callbacks").block("your spider"))
    (item,) = [item for item in project.crawl(clean=False).items if "harbour" in item["url"]]
    assert item["headline"] == "Flood"


def test_per_request_guide_uses_other_options(
    project: Project, site: Site, addon: str, parse: str
) -> None:
    for path in ("/default", "/off", "/tm"):
        site.add(path)
    project.add_settings(addon)
    project.write_spider(guide("per-request").block("your spider"), parse)
    items = project.crawl().items
    methods = {item["url"].rpartition("/")[2]: item.get("extracted_with") for item in items}
    assert methods == {"default": "cetr-km", "off": None, "tm": "cetr-tm"}


def test_workers_guide_extracts_in_workers(project: Project) -> None:
    project.add_settings(guide("workers").block("settings.py"))
    assert [item["article_text"] for item in project.crawl().items] == [TEXT]


def test_library_guide_prints_title_and_text(tmp_path: Path) -> None:
    (code,) = guide("library").blocks()
    title, first, *_ = run("-c", code, folder=tmp_path).stdout.splitlines()
    assert (title, first[:17]) == ("Flood in the harbour", "It was a long day")


def test_library_guide_names_the_command_for_a_file(tmp_path: Path) -> None:
    (command,) = (code for code in guide("library").inline_code() if code.startswith("python -m"))
    (tmp_path / "page.html").write_text("".join(f"<p>{sentence}</p>" for sentence in SENTENCES))
    _, *arguments = command.split()
    assert run(*arguments, folder=tmp_path).stdout.splitlines()[::2] == [*SENTENCES]


def test_command_line_guide_prints_articles_and_writes_reports(project: Project) -> None:
    folder = project.folder
    (folder / "page.html").write_bytes(page())
    (folder / "stored").mkdir()
    (folder / "stored" / "page.html").write_bytes(page())
    _store_pages(folder)
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress((folder / "pages.jsonl").read_bytes()))
    archived = warc_response("https://x.example", page(), "Content-Type: text/html")
    (folder / "crawl.warc.gz").write_bytes(gzip.compress(archived))
    live, as_json, compared, *reports = project.run_commands(
        *guide("command-line").blocks("console")
    )
    assert live == f"{TEXT}\n"
    assert json.loads(as_json)["method"] == "cetr-tm"
    assert compared.split()[: len(METHOD_NAMES)] == [*METHOD_NAMES]
    assert reports == ["", ""]
    assert "<dt>method</dt><dd>learned</dd>" in (folder / "why.html").read_text(encoding="utf-8")
    assert "<dt>pages</dt><dd>5</dd>" in (folder / "pages.html").read_text(encoding="utf-8")


def test_stored_crawl_guide_extracts_all_pages(project: Project) -> None:
    folder = project.folder
    (folder / "stored/sub").mkdir(parents=True)
    (folder / "stored/page.html").write_bytes(page())
    (folder / "stored/sub/copy.html").write_bytes(page())
    _store_pages(folder)
    archived = warc_response("https://x.example", page(), "Content-Type: text/html")
    (folder / "crawl.warc.gz").write_bytes(gzip.compress(archived))
    for block in guide("stored-crawl").blocks("console"):
        project.run_commands(block)
    rows = {name: len(read_lines(folder / f"{name}.jsonl")) for name in ("articles", "english")}
    assert rows == {"articles": 2, "english": 1}
    read_twice = [read_lines(folder / f"{name}.jsonl") for name in ("all", "articles")]
    one, other = ([{**row, "seconds": 0} for row in rows] for rows in read_twice)
    assert one == other
    assert len(read_lines(folder / "limited.jsonl")) == 2
    assert (folder / "articles.parquet").read_bytes().startswith(b"PAR1")
    assert sorted(path.name for path in (folder / "texts").rglob("*.md")) == [
        "copy.html.md",
        "page.html.md",
    ]
    head = (folder / "short.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head == "source_file,source_offset,url,title,date_published,words,error"


def test_reports_guide_writes_the_report_of_a_page(project: Project) -> None:
    (project.folder / "page.html").write_bytes(page())
    assert project.run_commands(*guide("reports").blocks("console")) == [""]
    assert (project.folder / "why.html").exists()


def test_reports_guide_writes_the_report_of_a_crawl(project: Project, addon: str) -> None:
    project.add_settings(addon + guide("reports").block("settings.py"))
    project.crawl()
    report = (project.folder / "report.html").read_text(encoding="utf-8")
    assert "<dt>pages</dt><dd>1</dd>" in report


@pytest.mark.parametrize("image", guide("reports").images())
def test_reports_guide_shows_screenshots(image: str) -> None:
    assert (ROOT / "docs/howto" / image).read_bytes().startswith(b"\x89PNG")
