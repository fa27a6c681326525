"""A setup in one line, for one of many: its seed and the gist of it."""

from randomizer.show.page import Page
from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """The line, however long it is; the style does not change it."""
    return " · ".join(page.gist)
