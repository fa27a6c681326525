"""A real browser, and pages in it of which nothing is to be heard: no error, no dialog, no request.

Only `python -m pytest tests/browser` runs these tests. Everywhere else they are skipped.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.support import BROWSER_TEST_COMMAND, run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page, Request

HERE = Path(__file__).parent
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
Visits = Callable[..., "Page"]
Saves = Callable[..., str]


def until(page: "Page", function: str, *given: Any) -> None:
    """Wait until a function in the page is true; asked from outside, for a page evaluates no text itself."""
    for _ in range(200):
        if page.evaluate(function, *given):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"{function} is never true")


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Iterator["Browser"]:
    """Chromium: that of the system, or else Playwright's own."""
    asked = [Path(argument.partition("::")[0]).resolve() for argument in request.config.args]
    if not any(path.is_relative_to(HERE) for path in asked):
        pytest.skip(f"`{BROWSER_TEST_COMMAND}` runs them")
    from playwright.sync_api import Error, sync_playwright

    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    with sync_playwright() as playwright:
        try:
            opened = playwright.chromium.launch(executable_path=found)
        except Error as problem:
            pytest.fail(f"`apt-get install chromium`, or `playwright install chromium`: {problem}")
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: "Browser") -> Iterator[Visits]:
    """Opens an address in a window of its own; in the end nothing may have gone wrong in any of them."""
    heard: list[str] = []
    with ExitStack() as open_:

        def visited(address: str, *, width: int = 1280, height: int = 900, **how: Any) -> "Page":
            context = browser.new_context(viewport={"width": width, "height": height}, **how)
            open_.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(5_000)  # milliseconds
            listen(page, heard)
            page.goto(address)
            return page

        yield visited
    assert heard == []


def listen(page: "Page", heard: list[str]) -> None:
    """Write down whatever a page says, and asks for, that one that is only read does not."""

    def dismiss(dialog: "Dialog") -> None:
        heard.append(dialog.message)
        dialog.dismiss()

    def ask(request: "Request") -> None:
        if not request.url.startswith("file:"):
            heard.append(request.url)

    page.on("console", lambda message: heard.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", dismiss)
    page.on("request", ask)


@pytest.fixture
def save(tmp_path: Path) -> Saves:
    """Writes what a command prints as a page, and says at which address it is."""

    def saved(*args: str, name: str = "game", **kwargs: Any) -> str:
        path = tmp_path / f"{name}.html"
        path.write_text(run(*args, "--format", "html", **kwargs).stdout, encoding="utf-8")
        return path.as_uri()

    return saved
