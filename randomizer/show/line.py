"""The format `line`: a summary of a setup in one line."""

from randomizer.show.page import Page
from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """Render the summary in one line, which is never wrapped. The style is ignored."""
    return " · ".join(page.gist)
