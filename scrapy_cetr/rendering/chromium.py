"""Renders pages whose HTML is known, in Chromium: those of files, archives and downloads."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from scrapy_cetr.rendering.stamping import STAMP_ARGUMENTS, first_line, stamping_script

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright, Route

# The variable of the environment with the program to run.
EXECUTABLE = "CETR_CHROMIUM"
# Programs that are installed with a system rather than with Playwright.
_INSTALLED = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)
# A browser takes more memory with each page, so a new one is started after this number.
_PAGES_PER_BROWSER = 200
# The address of a page without one.
_NOWHERE = "http://page.invalid/"
# Playwright counts in milliseconds.
_MILLISECONDS = 1000


class RenderingError(Exception):
    """No browser can be started; the message says what to install."""


class Rendered(NamedTuple):
    """The HTML that a browser has made of a page, and why it is not stamped, or ""."""

    html: str
    problem: str


class Chromium:
    """A browser that renders one page at a time. It is a context manager.

    If ``offline``, it downloads nothing, and runs no scripts of pages: without their other files,
    these break more than they show. ``timeout`` is the time for one page, in seconds. All calls of
    Playwright are made in one thread, as it demands, whatever the threads that call this.
    """

    def __init__(self, *, offline: bool = False, timeout: float = 30.0) -> None:
        self._offline, self._timeout = offline, timeout
        self._thread: ThreadPoolExecutor | None = None
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._pages = 0

    def __enter__(self) -> Self:
        self._thread = ThreadPoolExecutor(1, "scrapy-cetr-browser")
        try:
            self._thread.submit(self._start).result()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._thread is not None:
            self._thread.submit(self._stop).result()
            self._thread.shutdown()
        self._thread = None

    def render(self, html: str, *, url: str | None = None) -> Rendered:
        """Render a page as if it had come from a URL, and stamp it.

        If the browser fails, the HTML is returned as it was given.
        """
        if self._thread is None:
            raise RuntimeError("the browser is not started; use it as a context manager")
        return self._thread.submit(self._render, html, url).result()

    def _start(self) -> None:
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            raise RenderingError(
                "rendering needs Playwright; install it with pip install 'scrapy-cetr[render]'"
            ) from None
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._launch(self._playwright)
        except Exception as error:
            raise RenderingError(
                f"Chromium cannot be started ({first_line(error)}); run playwright install"
                f" chromium, or set {EXECUTABLE} to the program"
            ) from None

    def _launch(self, playwright: Playwright) -> Browser:
        program = os.environ.get(EXECUTABLE) or _installed(playwright.chromium.executable_path)
        arguments = [*_ARGUMENTS]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Chromium refuses to run in its sandbox as root, as in containers.
            arguments.append("--no-sandbox")
        return playwright.chromium.launch(executable_path=program, args=arguments)

    def _stop(self) -> None:
        if self._playwright is not None:
            self._playwright.stop()
        self._playwright = self._browser = None

    def _render(self, html: str, url: str | None) -> Rendered:
        try:
            context = self._fresh_browser().new_context(
                java_script_enabled=not self._offline,
                offline=self._offline,
                service_workers="block",
                accept_downloads=False,
            )
        except Exception as error:
            return Rendered(html, first_line(error))
        try:
            context.set_default_timeout(self._timeout * _MILLISECONDS)
            page = context.new_page()
            self._open(page, html, url)
            problem = self._stamp(page)
            return Rendered(page.content(), problem)
        except Exception as error:
            return Rendered(html, first_line(error))
        finally:
            with suppress(Exception):
                context.close()

    def _stamp(self, page: Page) -> str:
        return str(page.evaluate(stamping_script(), STAMP_ARGUMENTS))

    def _fresh_browser(self) -> Browser:
        """Return the browser; a new one after some pages, or if it has crashed."""
        self._pages += 1
        is_old = self._pages % _PAGES_PER_BROWSER == 0
        if self._browser is None or is_old or not self._browser.is_connected():
            self._stop()
            self._start()
        if self._browser is None:
            raise RuntimeError("the browser is not started")
        return self._browser

    def _open(self, page: Page, html: str, url: str | None) -> None:
        body = html.encode("utf-8", "replace")

        def answer(route: Route) -> None:
            route.fulfill(body=body, content_type="text/html; charset=utf-8")

        # Only the first request, as it takes time to ask here about all others.
        page.route("**", answer, times=1)
        # Chromium starts a process for each site, which offline has no effect but to take time.
        is_web = url is not None and url.startswith(("http://", "https://")) and not self._offline
        page.goto(url if url is not None and is_web else _NOWHERE, wait_until="load")


def _installed(own: str) -> str | None:
    """Return a program that is not Playwright's own, if that was not installed."""
    if Path(own).exists():
        return None
    return next(filter(None, map(shutil.which, _INSTALLED)), None)
