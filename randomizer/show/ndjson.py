"""The setup document in a single line, one of many (NDJSON)."""

from randomizer.show.page import Page
from randomizer.text.json import dumps_line
from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """The document; neither language nor style changes it."""
    return dumps_line(page.document)
