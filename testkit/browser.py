"""Chromium for tests: opens files, and fails on script errors and on requests for other files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Dialog, Page, sync_playwright

from testkit.documented_servers import CHROMIUM_ARGUMENTS, launch_options

Result = TypeVar("Result")


class Window:
    """Opens files in Chromium, in a separate thread, as the main thread runs a reactor."""

    def __init__(self, thread: ThreadPoolExecutor, page: Page) -> None:
        self._thread = thread
        self._page = page
        self._errors: list[str] = []
        self._requested: list[str] = []
        page.on("console", lambda message: self._errors.append(message.text))
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("dialog", self._dismiss)
        page.on("request", lambda request: self._requested.append(request.url))

    def _dismiss(self, dialog: Dialog) -> None:
        self._errors.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def show(
        self,
        file: Path,
        act: Callable[[Page], Result],
        *,
        width: int = 1300,
        height: int = 900,
        dark: bool = False,
        errors: bool = False,
    ) -> Result:
        """Open a file and act on it; errors and other requests fail unless errors are expected."""

        def run() -> Result:
            self._errors.clear()
            self._requested.clear()
            self._page.set_viewport_size({"width": width, "height": height})
            self._page.emulate_media(color_scheme="dark" if dark else "light")
            self._page.goto(file.resolve().as_uri())
            found = act(self._page)
            assert errors or self._requested == [file.resolve().as_uri()]
            assert bool(self._errors) == errors, self._errors
            return found

        return self._thread.submit(run).result()


@contextmanager
def chromium() -> Iterator[Window]:
    """Start Chromium, or skip the test if it is not installed; in CI, that is a failure."""
    program = str(launch_options()["executable_path"])
    with ThreadPoolExecutor(1) as thread:
        playwright = thread.submit(lambda: sync_playwright().start()).result()
        try:
            browser = thread.submit(
                lambda: playwright.chromium.launch(executable_path=program, args=CHROMIUM_ARGUMENTS)
            ).result()
            try:
                yield thread.submit(lambda: Window(thread, browser.new_page())).result()
            finally:
                thread.submit(browser.close).result()
        finally:
            thread.submit(playwright.stop).result()
