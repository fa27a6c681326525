"""The setup document itself, for other programs."""

from randomizer.show.page import Page
from randomizer.text.json import dumps
from randomizer.text.screen import Style


def render(page: Page, style: Style) -> str:
    """The document as JSON that people can read too; neither language nor style changes it."""
    return dumps(page.document)
