"""Takes the screenshots for the README: the checklist in a terminal, on a phone and on paper.

`python -m benchmarks.pictures` writes them to docs/pictures. It needs `pip install -e '.[test,browser]'`,
Chromium, and fonts for Japanese.
"""

import os
import shutil
import tempfile
from html import escape
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.support import TESTS_DIR, run

FOLDER = TESTS_DIR.parent / "docs" / "pictures"
DEAL_ARGUMENTS = ["--sets", "base,adventures", "--players", "3", "--seed", "k7f3"]
TERMINAL_DEAL_ARGUMENTS = ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329"]
PHONE_SIZE: ViewportSize = {"width": 390, "height": 780}
SHEET_SIZE: ViewportSize = {"width": 794, "height": 1123}  # A4 in CSS pixels
TERMINAL_TEMPLATE = """<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 0; background: #1e1e22; color: #e8e6e3; }
pre { display: inline-block; margin: 0; padding: 18px 24px; font: 13px/1.35 "DejaVu Sans Mono", monospace; }
b { color: #fff; } i { color: #9a968f; font-style: normal; }
</style><pre>%s</pre>"""
TAGS_BY_SEQUENCE = {"\x1b[1m": "<b>", "\x1b[2m": "<i>"}


def take_terminal(page: Page) -> None:
    """Take a picture of the checklist in a terminal with colours."""
    text = run(*TERMINAL_DEAL_ARGUMENTS, "--color", "always", env={"COLUMNS": "80"}).stdout
    lines = [
        f"$ dominion-setup {' '.join(TERMINAL_DEAL_ARGUMENTS)}",
        *(convert_escapes(line) for line in text.splitlines()),
    ]
    page.set_content(TERMINAL_TEMPLATE % "\n".join(lines))
    page.locator("pre").screenshot(path=FOLDER / "terminal.png")


def convert_escapes(line: str) -> str:
    """Replace the ANSI escape sequences in a line, which are never nested, with HTML elements."""
    line = escape(line)
    for sequence, tag in TAGS_BY_SEQUENCE.items():
        line = line.replace(sequence, tag)
    return line.replace("\x1b[0m", "</b>" if "<b>" in line else "</i>")


def take_phone(page: Page) -> None:
    """Take a picture of the page on a phone, with three piles ticked."""
    for name in ("Cellar", "Chapel", "Vassal"):
        page.get_by_label(f"10 {name}").check()
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(0, 0)
    page.screenshot(path=FOLDER / "phone.png")


def take_sheet(page: Page) -> None:
    """Take a picture of the printed page, with margins."""
    page.emulate_media(media="print", color_scheme="light")
    page.add_style_tag(content="body { padding: 11mm !important; }")
    page.screenshot(path=FOLDER / "sheet.png")


def main(browser: Browser) -> None:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder  # Do not overwrite the user's last table.
        file = Path(folder) / "game.html"
        file.write_text(run(*DEAL_ARGUMENTS, "--format", "html").stdout, encoding="utf-8")
        take_terminal(browser.new_page())
        for take, size, scale in ((take_phone, PHONE_SIZE, 1.5), (take_sheet, SHEET_SIZE, 1)):
            context = browser.new_context(viewport=size, device_scale_factor=scale, bypass_csp=True)
            page = context.new_page()
            page.goto(file.as_uri())
            take(page)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        main(playwright.chromium.launch(executable_path=shutil.which("chromium")))
