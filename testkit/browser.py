"""Chromium for tests: opens a file, does what a test says, and lets no error or request pass."""

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
    """Opens files in Chromium, in a thread of its own: the tests' reactor runs in the other."""

    def __init__(self, thread: ThreadPoolExecutor, page: Page) -> None:
        self._thread = thread
        self._page = page
        self._trouble: list[str] = []
        self._asked: list[str] = []
        page.on("console", lambda message: self._trouble.append(message.text))
        page.on("pageerror", lambda error: self._trouble.append(str(error)))
        page.on("dialog", self._dismiss)
        page.on("request", lambda request: self._asked.append(request.url))

    def _dismiss(self, dialog: Dialog) -> None:
        self._trouble.append(f"a dialog: {dialog.message}")
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
        """Open a file and act on it; unless errors are expected, nothing else is asked for."""

        def run() -> Result:
            self._trouble.clear()
            self._asked.clear()
            self._page.set_viewport_size({"width": width, "height": height})
            self._page.emulate_media(color_scheme="dark" if dark else "light")
            self._page.goto(file.resolve().as_uri())
            found = act(self._page)
            assert errors or self._asked == [file.resolve().as_uri()]
            assert bool(self._trouble) == errors, self._trouble
            return found

        return self._thread.submit(run).result()


@contextmanager
def chromium() -> Iterator[Window]:
    """Start Chromium, or skip the test where there is none, which in CI is a failure."""
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
