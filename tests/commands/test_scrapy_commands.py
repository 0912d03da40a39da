"""Scrapy's own commands in a project with the add-on."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from testkit.processes import DEADLINE, write_traps
from testkit.server import SENTENCES, TEXT, Reply, Site

SETTINGS = """\
SPIDER_MODULES = ["project"]
ADDONS = {"scrapy_cetr.Addon": 500}
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
CETR_WORKERS = %d
"""
SPIDER = """\
import scrapy

class PageSpider(scrapy.Spider):
    name = "pages"

    def __init__(self, url=None, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]

    def parse(self, response):
        '''Yield an item.

        @url {url}
        @returns items 1 1
        @scrapes html
        '''
        yield {{"html": response.text}}
"""


class Project:
    """A Scrapy project in a folder."""

    def __init__(self, folder: Path, *, url: str, workers: int) -> None:
        self.folder = folder
        self.url = url
        package = folder / "project"
        package.mkdir()
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = project.settings\n")
        (package / "__init__.py").touch()
        (package / "settings.py").write_text(SETTINGS % workers)
        (package / "spider.py").write_text(SPIDER.format(url=url))

    def run(
        self, *arguments: str, path: str = "", code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        run = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "scrapy", *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
        assert run.returncode == code, run.stderr
        assert "Traceback" not in run.stderr
        return run


@pytest.fixture(params=[0, 1], ids=["inline", "worker"])
def project(request: pytest.FixtureRequest, site: Site, tmp_path: Path) -> Project:
    return Project(tmp_path, url=site.add("/1"), workers=request.param)


def test_crawl_command_stores_articles(project: Project) -> None:
    project.run("crawl", "pages", "-a", f"url={project.url}", "-O", "items.jsonl")
    (line,) = (project.folder / "items.jsonl").read_text().splitlines()
    assert json.loads(line)["article_text"] == TEXT


def test_crawl_command_accepts_settings(site: Site, tmp_path: Path) -> None:
    project = Project(tmp_path, url=site.add("/1"), workers=1)
    fields = ("-s", 'CETR_FIELDS={"body": "text", "by": "method"}')
    options = ("-s", "CETR_METHOD=cetr-tm", "-s", "CETR_WORKERS=0", "-s", "CETR_SIGMA=std")
    arguments: Sequence[str] = ("-a", f"url={project.url}", "-O", "items.jsonl")
    project.run("crawl", "pages", *arguments, *fields, *options)
    item = json.loads((project.folder / "items.jsonl").read_text())
    assert item["by"] == "cetr-tm"
    assert SENTENCES[0] in item["body"]


@pytest.mark.parametrize("command", ["fetch", "check", "shell"])
def test_invalid_setting_ends_other_commands_before_requests(
    site: Site, tmp_path: Path, command: str
) -> None:
    project = Project(tmp_path, url=site.add("/1"), workers=1)
    arguments = () if command == "check" else (project.url,)
    run = project.run(command, "-s", "CETR_K=1", *arguments, code=1)
    assert run.stderr == "scrapy-cetr: CETR_K must be a whole number from 2 to 100, not 1\n"
    assert site.hits == []


def test_check_command_passes_contracts(project: Project) -> None:
    assert "OK" in project.run("check").stderr


def test_fetch_command_prints_the_page(project: Project) -> None:
    assert SENTENCES[0] in project.run("fetch", project.url).stdout


def test_shell_command_gives_the_article_of_the_response(project: Project) -> None:
    code = "__import__('scrapy_cetr').article(response).text"
    run = project.run("shell", project.url, "-c", code)
    assert run.stdout.strip() == TEXT


@pytest.mark.slow
def test_commands_for_single_pages_do_not_overwrite_the_crawl_report(
    site: Site, tmp_path: Path
) -> None:
    project = Project(tmp_path, url=site.add("/1"), workers=0)
    report, spider = ("-s", "CETR_REPORT=report.html"), ("--spider", "pages")
    project.run("crawl", "pages", "-a", f"url={project.url}", *report)
    written = (tmp_path / "report.html").read_text()
    assert "Crawl of pages" in written
    (tmp_path / "report.html").write_text(f"{written}<!-- untouched -->")
    commands = [
        ("fetch", project.url, *spider),
        ("shell", project.url, "-c", "response", *spider),
        ("parse", project.url, *spider),
        ("check", "pages"),
    ]
    for hits, command in enumerate(commands, 2):
        project.run(*command, *report)
        assert len(site.hits) == hits
        assert (tmp_path / "report.html").read_text() == f"{written}<!-- untouched -->", command


def test_parse_command_shows_items(project: Project) -> None:
    assert "[{'html': '<html>" in project.run("parse", "--spider", "pages", project.url).stdout


def test_parse_command_runs_the_pipeline_on_html_of_items(site: Site, tmp_path: Path) -> None:
    project = Project(tmp_path, url=site.add("/1"), workers=0)
    html = ("-s", "CETR_HTML_FIELD=html")
    run = project.run("parse", "--spider", "pages", "--pipelines", *html, project.url)
    assert "'article_text': " in run.stdout


@pytest.mark.parametrize(("command", "says"), [("list", "pages"), ("check", "Ran 2 contracts")])
def test_commands_without_pages_start_no_workers(
    site: Site, tmp_path: Path, command: str, says: str
) -> None:
    project = Project(tmp_path, url=site.add("/1", Reply(b"{}", type="text/plain")), workers=2)
    traps = Path(write_traps(tmp_path / "traps"))
    (traps / "sitecustomize.py").write_text(
        "import sys\n"
        "if 'scrapy_cetr.extraction.worker' in sys.orig_argv:\n"
        f"    open({str(tmp_path / 'started')!r}, 'w').close()\n"
    )
    run = project.run(command, path=str(traps))
    assert says in run.stdout + run.stderr
    assert not (tmp_path / "started").exists()
