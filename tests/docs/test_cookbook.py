"""How-to guides on other tools, with files only: JSON files, Parquet, tests of a spider."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading

import pytest
from pyarrow import parquet

from testkit.cookbook_servers import need
from testkit.documented_code import DEADLINE, Project, commented_settings, guide, run
from testkit.processes import wait_until
from testkit.server import SENTENCES, Reply, Site, page

# Each of these tests runs crawls of a project, or its tests.
pytestmark = pytest.mark.slow
HEADLINE = b"<h1>Flood</h1><p>By Ann Lee</p><p>March 1, 2025</p><div>"
STORY = page().replace(b"<div>", HEADLINE)


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)]
)
def test_guide_without_its_library_is_skipped_locally_and_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match=r"no_such_library is missing: pip install .+cookbook"):
        need("json", "no_such_library")


def test_one_file_guide_writes_a_complete_file_per_page(
    project: Project, site: Site, addon: str, parse: str
) -> None:
    code = guide("one-file-per-article").block("pipelines.py")
    project.add_settings(addon + commented_settings(code))
    project.write_pipelines(code)
    project.start_urls = [site.add(f"/{n}", Reply(page(f"Zürich sent {n}."))) for n in range(3)]
    project.write_spider(parse)
    for _ in range(2):
        items = project.crawl().items
    files = [*(project.folder / "articles").iterdir()]
    assert {file.suffix for file in files} == {".json"}
    written = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    by_url = {item["url"]: item for item in items}
    assert {item["url"]: item for item in written} == by_url
    assert len(files) == len(by_url) == 3
    (shown,) = map(json.loads, guide("one-file-per-article").blocks("json"))
    assert list(written[0]) == list(shown)


def _parquet_project(project: Project, addon: str) -> None:
    code = guide("parquet").block("exporters.py")
    project.add_settings(addon + commented_settings(code))
    project.write("project/exporters.py", code)


def test_parquet_guide_writes_typed_columns_in_batches(
    project: Project, site: Site, addon: str, parse: str
) -> None:
    _parquet_project(project, addon)
    project.add_settings("FEED_EXPORT_BATCH_ITEM_COUNT = 2\n")
    project.start_urls = [site.add(f"/{n}", Reply(STORY)) for n in range(3)]
    project.write_spider(parse)
    project.crawl(feed=False)
    files = sorted((project.folder / "articles").iterdir())
    tables = [parquet.read_table(file) for file in files]
    assert [table.num_rows for table in tables] == [2, 1]
    row = tables[0].to_pylist()[0]
    assert (row["title"], row["authors"]) == ("Flood", ["Ann Lee"])
    assert (str(row["published"]), row["language"]) == ("2025-03-01", "en")
    assert SENTENCES[0] in row["text"]
    (reading,) = [code for code in guide("parquet").blocks() if code.startswith("# read them")]
    (schema,) = guide("parquet").blocks("text")
    assert run("-c", reading, folder=project.folder).stdout.strip() == schema.strip()


def test_parquet_guide_loses_only_the_item_that_does_not_fit(
    project: Project, site: Site, addon: str
) -> None:
    _parquet_project(project, addon)
    project.start_urls = [site.add(f"/{n}", Reply(STORY)) for n in range(3)]
    project.write_spider(
        "def parse(self, response):\n"
        "    wrong = {'words': 'many'} if response.url.endswith('1') else {}\n"
        "    yield {'url': response.url, 'other': 1, **wrong}\n"
    )
    result = project.crawl(feed=False, clean=False)
    (file,) = (project.folder / "articles").iterdir()
    written = parquet.read_table(file).column("url").to_pylist()
    assert sorted(written) == [f"{site.url}/0", f"{site.url}/2"]
    assert "Traceback" in result.log


def test_parquet_guide_leaves_complete_files_when_the_crawl_is_stopped(
    project: Project, site: Site, addon: str, parse: str
) -> None:
    _parquet_project(project, addon)
    stopped = threading.Event()

    def wait() -> Reply:
        stopped.wait(DEADLINE)
        return Reply(STORY)

    project.start_urls = [site.add(f"/{n}", Reply(STORY)) for n in range(3)]
    project.start_urls += [site.add("/last", wait)]
    project.write_spider(parse)
    command = [sys.executable, "-m", "scrapy", "crawl", "news", "-s", "DOWNLOAD_DELAY=0"]
    log = project.folder / "crawl.log"
    with (
        log.open("wb") as errors,
        subprocess.Popen(  # noqa: S603
            [*command, "-s", "TELNETCONSOLE_ENABLED=0", "-s", "CONCURRENT_REQUESTS=1"],
            cwd=project.folder,
            stderr=errors,
        ) as crawl,
    ):
        try:
            wait_until(lambda: "/last" in site.hits or crawl.poll() is not None)
            crawl.send_signal(signal.SIGINT)
            wait_until(lambda: "shutting down gracefully" in log.read_text())
        finally:
            stopped.set()
        assert crawl.wait(DEADLINE) == 0, log.read_text()
    assert "'finish_reason': 'shutdown'" in log.read_text()
    (file,) = (project.folder / "articles").iterdir()
    written = parquet.read_table(file).column("url").to_pylist()
    assert {f"{site.url}/{n}" for n in range(3)} <= {*written}


def test_testing_guide_has_tests_that_pass(project: Project, addon: str) -> None:
    project.add_settings(addon)
    for path in ("tests/test_harbour.py", "tests/test_crawl.py", "project/spiders/news.py"):
        project.write(path, guide("testing").block(path))
    (project.folder / "tests/harbour.html").write_bytes(STORY)
    done = run("-m", "pytest", "-p", "no:cacheprovider", "tests", folder=project.folder)
    assert "3 passed" in done.stdout


@pytest.mark.parametrize("breaks", [b"<h1>Flood", SENTENCES[-1].encode()])
def test_testing_guide_has_tests_that_notice_a_change_of_the_site(
    project: Project, breaks: bytes
) -> None:
    path = "tests/test_harbour.py"
    project.write(path, guide("testing").block(path))
    (project.folder / "tests/harbour.html").write_bytes(STORY.replace(breaks, b"Nothing here"))
    arguments = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(arguments, cwd=project.folder, capture_output=True, check=False)  # noqa: S603
    assert done.returncode == 1
    assert b"1 failed" in done.stdout
