"""A setup in one line: its seed and its gist."""

from randomizer.show.page import Page
from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """Render the line, which is never wrapped. The style is ignored."""
    return " · ".join(page.gist)
