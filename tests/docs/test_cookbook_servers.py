"""How-to guides that need other servers and libraries: make test-slow installs and runs them."""

from __future__ import annotations

import gzip
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest

from testkit.cookbook_servers import ZyteApi, call, google_storage, need, s3, scrapyd
from testkit.documented_code import (
    DEADLINE,
    Project,
    commented_settings,
    guide,
    read_lines,
)
from testkit.processes import wait_until
from testkit.server import SENTENCES, TEXT, Reply, Site, page

pytestmark = pytest.mark.slow

BUCKET = "news-articles"


def test_s3_guide_uploads_gzipped_batches(
    project: Project, site: Site, parse: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("boto3", "moto")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    project.start_urls = [site.add(f"/{n}") for n in range(3)]
    project.write_spider(parse)
    code = guide("cloud-feeds").section("Amazon S3").block("settings.py")
    assert "10_000" in code
    with s3(tmp_path) as server:
        call(f"{server}/{BUCKET}", "PUT")
        project.add_settings(code.replace("10_000", "2") + f'AWS_ENDPOINT_URL = "{server}"\n')
        log = project.crawl(feed=False).log
        keys = re.findall(r"<Key>(.+?)</Key>", call(f"{server}/{BUCKET}?list-type=2").decode())
        stored = [gzip.decompress(call(f"{server}/{BUCKET}/{quote(key)}")) for key in keys]
    assert "'feedexport/success_count/S3FeedStorage': 2" in log
    assert [len(body.splitlines()) for body in stored] == [2, 1]
    assert {json.loads(line)["article_text"] for b in stored for line in b.splitlines()} == {TEXT}
    (shown,) = re.findall(r"for example `(.+?)`", guide("cloud-feeds").text)
    assert re.sub(r"\d", "0", keys[0]) == re.sub(r"\d", "0", shown)


def test_s3_guide_names_the_statistic_of_a_failed_upload(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("boto3", "moto")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    (named,) = [c for c in guide("cloud-feeds").inline_code() if "S3FeedStorage" in c]
    with s3(tmp_path) as server:
        project.add_settings(guide("cloud-feeds").section("Amazon S3").block("settings.py"))
        project.add_settings(f'AWS_ENDPOINT_URL = "{server}"\n')
        result = project.crawl(feed=False, clean=False)
    assert result.stats[named] == "1"


def test_google_storage_guide_uploads_batches(
    project: Project, site: Site, parse: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("google.cloud.storage", "gcp_storage_emulator")
    project.start_urls = [site.add(f"/{n}") for n in range(3)]
    project.write_spider(parse)
    code = guide("cloud-feeds").section("Google Cloud Storage").block("settings.py")
    project.add_settings(code.replace("10_000", "2"))
    with google_storage(tmp_path, bucket=BUCKET) as server:
        monkeypatch.setenv("STORAGE_EMULATOR_HOST", server)
        project.crawl(feed=False)
        objects = json.loads(call(f"{server}/storage/v1/b/{BUCKET}/o"))["items"]
        names = sorted(found["name"] for found in objects)
        address = f"{server}/download/storage/v1/b/{BUCKET}/o"
        stored = [call(f"{address}/{quote(name, safe='')}?alt=media") for name in names]
    assert [len(body.splitlines()) for body in stored] == [2, 1]
    assert {json.loads(line)["article_text"] for b in stored for line in b.splitlines()} == {TEXT}


def test_parquet_guide_works_with_s3(
    project: Project, tmp_path: Path, addon: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("boto3", "moto")
    from pyarrow import BufferReader, parquet

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    code = guide("parquet").block("exporters.py")
    settings = commented_settings(code).replace('"articles/%', f'"s3://{BUCKET}/%')
    project.write("project/exporters.py", code)
    with s3(tmp_path) as server:
        call(f"{server}/{BUCKET}", "PUT")
        project.add_settings(f'{addon}{settings}AWS_ENDPOINT_URL = "{server}"\n')
        project.crawl(feed=False)
        (key,) = re.findall(r"<Key>(.+?)</Key>", call(f"{server}/{BUCKET}?list-type=2").decode())
        stored = call(f"{server}/{BUCKET}/{quote(key)}")
    assert parquet.read_table(BufferReader(stored)).column("text").to_pylist() == [TEXT]


def _run_program(command: str, folder: Path) -> str:
    """Run a program of the environment of the tests; return what it prints."""
    name, *arguments = shlex.split(command.removeprefix("$ "))
    done = subprocess.run(  # noqa: S603
        [str(Path(sys.executable).with_name(name)), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        encoding="utf-8",
        timeout=DEADLINE,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_scrapyd_guide_deploys_the_project_and_crawls(
    project: Project, tmp_path: Path, addon: str, site: Site
) -> None:
    need("scrapyd", "scrapyd_client")
    part = guide("scrapyd").section("Scrapyd")
    (commands,) = part.blocks("console")
    deploy, schedule = commands.splitlines()
    project.add_settings(f"{addon}DOWNLOAD_DELAY = 0\n")
    project.write("setup.py", part.block("setup.py"))
    server_folder = tmp_path / "server"
    server_folder.mkdir()
    with scrapyd(server_folder) as server:
        (target,) = part.blocks("ini")
        (address,) = re.findall(r"url = (.+)", target)
        configuration = "[settings]\ndefault = project.settings\n\n" + target
        project.write("scrapy.cfg", configuration.replace(address, server))
        assert '"status": "ok"' in _run_program(deploy, project.folder)
        _run_program(schedule, project.folder)
        wait_until(lambda: json.loads(call(f"{server}/listjobs.json?project=project"))["finished"])
    (items,) = (server_folder / "items").rglob("*.jl")
    (log,) = (server_folder / "logs").rglob("*.log")
    assert [item["article_text"] for item in read_lines(items)] == [TEXT]
    text = log.read_text(encoding="utf-8")
    assert "'cetr/short': 1" in text
    assert "'cetr/extracted': 1" in text


def test_scrapy_cloud_guide_names_files_that_it_shows() -> None:
    part = guide("scrapyd").section("Scrapy Cloud")
    (configuration,) = part.blocks("yaml")
    assert re.search(r"requirements:\n  file: requirements.txt", configuration)
    (requirements,) = part.blocks("text")
    assert "scrapy-cetr" in requirements.split()
    assert "not run by the tests" in part.text


def test_zyte_api_guide_extracts_both_kinds_of_responses(
    project: Project, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("scrapy_zyte_api")
    monkeypatch.setenv("ZYTE_API_KEY", "test")
    # A browser leaves the charset of the page as it was.
    story = page("Zürich sent help.").replace(b"<div>", b"<h1>Flood</h1><div>")
    site.add("/plain", Reply(story))
    site.add("/rendered", Reply(b'<meta charset="windows-1251">' + story))
    project.add_settings(guide("zyte-api").block("settings.py"))
    project.write_spider(guide("zyte-api").block("your spider"))
    with ZyteApi(site).serving() as api:
        project.add_settings(f'ZYTE_API_URL = "{api.url}"\n')
        items = {item["url"].rpartition("/")[2]: item for item in project.crawl().items}
    assert items.keys() == {"plain", "rendered"}
    assert site.hits == []
    asked = {request["url"].rpartition("/")[2]: request for request in api.asked}
    assert asked["rendered"]["browserHtml"]
    assert asked["plain"]["httpResponseBody"]
    for item in items.values():
        assert item["headline"] == "Flood"
        assert SENTENCES[0] in item["articleBody"]
        assert item["articleBody"].endswith("Zürich sent help.")
    (shown,) = map(json.loads, guide("zyte-api").blocks("json"))
    assert shown.keys() <= items["plain"].keys()


def test_zyte_api_guide_counts_responses_without_html(
    project: Project, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("scrapy_zyte_api")
    monkeypatch.setenv("ZYTE_API_KEY", "test")
    project.add_settings(guide("zyte-api").block("settings.py"))
    project.write_spider(
        "async def start(self):\n"
        '    yield scrapy.Request("https://news.example/harbour",\n'
        '        meta={"zyte_api_automap": {"article": True}})\n\n'
        "def parse(self, response):\n"
        '    yield {"own": response.raw_api_response["article"]["headline"]}\n'
    )
    with ZyteApi(site).serving() as api:
        project.add_settings(f'ZYTE_API_URL = "{api.url}"\n')
        result = project.crawl()
    (named,) = [code for code in guide("zyte-api").inline_code() if code.startswith("cetr/")]
    assert result.stats[named] == "1"
    assert [item["own"] for item in result.items] == ["Extracted by Zyte"]


@pytest.mark.parametrize(
    ("blank", "expected"), [(0, {"OK"}), (1, {"OK", "FAIL"})], ids=["good", "bad"]
)
def test_spidermon_guide_checks_the_statistics(
    project: Project, site: Site, addon: str, parse: str, blank: int, expected: set[str]
) -> None:
    need("spidermon")
    code = guide("spidermon").block("monitors.py")
    project.add_settings(addon + commented_settings(code))
    project.write("project/monitors.py", code)
    empty = Reply(b"<html><body></body></html>")
    project.start_urls = [site.add(f"/{n}", Reply()) for n in range(4)]
    project.start_urls = [*project.start_urls, *(site.add("/blank", empty) for _ in range(blank))]
    project.write_spider(parse)
    # Spidermon calls a deprecated method of Scrapy, which is a warning in the log.
    log = project.crawl(clean=False).log
    checks = dict(re.findall(r"\[Spidermon\] (Articles/.+)\.\.\. (\w+)", log))
    assert len(checks) == 4
    assert {*checks.values()} == expected
    (shown,) = guide("spidermon").blocks("text")
    for line in shown.splitlines() if blank else ():
        assert line in log


def test_spidermon_guide_fails_without_pages(project: Project, addon: str) -> None:
    need("spidermon")
    code = guide("spidermon").block("monitors.py")
    project.add_settings(addon + commented_settings(code))
    project.write("project/monitors.py", code)
    project.start_urls = []
    project.write_spider()
    log = project.crawl(clean=False).log
    assert "Articles/Pages were extracted... FAIL" in log
