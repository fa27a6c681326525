"""The format `online`: the kingdom for the online game, with English names such as `young_witch`."""

from randomizer.show.names import list_kingdom_names
from randomizer.show.page import Page
from randomizer.text.screen import Style
from randomizer.text.slugs import slugify


def render(page: Page, style: Style) -> str:
    """Render the names in one line. The language and the style are ignored."""
    names = list_kingdom_names(
        page,
        to_online_name,
        lambda option, title, answer: to_online_name(option if answer else f"no {option}"),
    )
    return ", ".join(name.replace(" (", "(") for name in names)


def to_online_name(name: str) -> str:
    """Convert the name of a card or pile to the spelling of the online game.

    A mixed pile has the name of its top card. For example, "Encampment/Plunder" becomes "encampment".
    """
    return slugify(name.partition("/")[0]).replace("-", "_")
