"""Chromium renders pages whose HTML is known."""

from __future__ import annotations

import pytest

from scrapy_cetr.extraction import extract
from scrapy_cetr.extraction.html.reader import read
from scrapy_cetr.rendering.chromium import EXECUTABLE, Chromium, RenderingError
from testkit.documented_servers import launch_options
from testkit.server import Reply, Site, page

STYLED = page().replace(b"<body>", b"<style>ul {display: none}</style><body>").decode()
SCRIPT = "<script>document.body.innerHTML += '<p>Written by a script</p>'</script>"


@pytest.fixture(autouse=True)
def program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXECUTABLE, str(launch_options()["executable_path"]))


def test_offline_page_is_stamped_without_running_its_scripts() -> None:
    with Chromium(offline=True) as browser:
        rendered = browser.render(STYLED.replace("</body>", f"{SCRIPT}</body>"))
        again = browser.render(rendered.html)
    assert rendered.problem == ""
    layout = read(rendered.html, rows="blocks", with_stamps=True).layout
    assert layout is not None
    # Both menus of twelve items and links, which the style sheet hides.
    assert int(layout.is_hidden.sum()) == 2 * (1 + 12 + 12)
    assert rendered.html.count("Written by a script") == 1
    assert again.html == rendered.html


def test_text_outside_of_a_page_from_right_to_left_is_not_its_width() -> None:
    outside = '<p style="position: absolute; left: -9999px">For screen readers only.</p>'
    body = page().decode().replace("<html>", '<html dir="rtl">').replace("</body>", outside)
    with Chromium(offline=True) as browser:
        rendered = browser.render(body)
    layout = read(rendered.html, rows="blocks", with_stamps=True).layout
    assert layout is not None
    assert layout.width == 1280
    assert "For screen readers only." not in extract(rendered.html).text


def test_online_page_has_the_scripts_and_style_sheets_of_its_site(site: Site) -> None:
    site.add("/style.css", Reply(b"p:first-of-type {display: none}", type="text/css"))
    html = page().decode().replace("<body>", '<body><link rel="stylesheet" href="/style.css">')
    with Chromium() as browser:
        rendered = browser.render(
            html.replace("</body>", f"{SCRIPT}</body>"), url=f"{site.url}/a/b"
        )
    assert site.hits[0] == "/style.css"
    assert rendered.html.count("Written by a script") == 2
    assert "It rained" in rendered.html
    assert "It rained" not in extract(rendered.html).text


def test_page_that_never_ends_is_returned_as_it_was() -> None:
    html = "<p>Text</p><script>while (true) {}</script>"
    with Chromium(timeout=1) as browser:
        rendered = browser.render(html)
        following = browser.render("<p>Next</p>")
    assert (rendered.html, "Timeout" in rendered.problem) == (html, True)
    assert following.problem == ""


def test_missing_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXECUTABLE, "/nowhere/chromium")
    with pytest.raises(RenderingError, match="playwright install chromium"), Chromium():
        pass
