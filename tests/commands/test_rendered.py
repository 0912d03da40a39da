"""scrapy cetr --render: URLs and stored pages in Chromium."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrapy_cetr.rendering.chromium import EXECUTABLE
from testkit.commands import scrapy
from testkit.documented_servers import launch_options
from testkit.server import SENTENCES, Reply, Site, page

HIDDEN = "<style>p:first-of-type {display: none}</style>"
STYLED = page().decode().replace("<body>", f"<body>{HIDDEN}")
SHOWN = "\n\n".join(SENTENCES[1:])


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXECUTABLE, str(launch_options()["executable_path"]))


def test_stored_pages_are_rendered_and_their_html_is_kept(tmp_path: Path) -> None:
    lines = [json.dumps({"html": STYLED, "url": f"http://a.example/{n}"}) for n in range(2)]
    (tmp_path / "pages.jsonl").write_text("\n".join([*lines, '{"html": ""}']))
    (tmp_path / "page.html").write_text(STYLED)
    options = ("--render", "--offline", "--page-html", "html", "--fields", "text,method")
    done = scrapy("cetr", *options, "-o", "out.jsonl", "page.html", "pages.jsonl", folder=tmp_path)
    assert done.returncode == 1, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row.get("text") for row in rows] == [SHOWN, SHOWN, SHOWN, None]
    assert [row.get("error") for row in rows] == [None, None, None, "is empty"]
    assert all("data-cetr" in row["html"] for row in rows[:3])
    again = scrapy("cetr", "--method", "clg", "--format", "json", "out.jsonl", folder=tmp_path)
    methods = [json.loads(line)["method"] for line in again.stdout.splitlines()]
    assert methods == ["clg"] * 3


def test_url_is_downloaded_once_and_rendered(tmp_path: Path, site: Site) -> None:
    site.add("/style.css", Reply(HIDDEN[7:-8].encode(), type="text/css"))
    link = b'<body><link rel="stylesheet" href="/style.css">'
    url = site.add("/story", Reply(page().replace(b"<body>", link)))
    done = scrapy("cetr", "--render", "-s", "ROBOTSTXT_OBEY=0", url, folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{SHOWN}\n"), done.stderr
    assert site.hits.count("/story") == 1
    assert "/style.css" in site.hits


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--offline",), "--offline needs --render"),
        (("--page-html", "html"), "--page-html needs --output"),
        (
            ("--page-html", "text", "-o", "out.jsonl"),
            "--page-html must be the name of a new column, not 'text'",
        ),
    ],
)
def test_options_without_effect_are_refused(
    tmp_path: Path, options: tuple[str, ...], error: str
) -> None:
    (tmp_path / "page.html").write_text(STYLED)
    done = scrapy("cetr", *options, "page.html", folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"scrapy cetr: {error}\n")


def test_missing_browser_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXECUTABLE, "/nowhere/chromium")
    (tmp_path / "page.html").write_text(STYLED)
    done = scrapy("cetr", "--render", "page.html", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("scrapy cetr: --render: Chromium cannot be started")
