"""The kingdom of a setup as the online game has it: English names in small letters, with underscores."""

from randomizer.show.names import list_kingdom_names
from randomizer.show.page import Page
from randomizer.text.screen import Style
from randomizer.text.slugs import slugify


def render(page: Page, style: Style) -> str:
    """The names in one line; neither language nor style changes it."""
    names = list_kingdom_names(
        page,
        to_online_name,
        lambda option, title, answer: to_online_name(option if answer else f"no {option}"),
    )
    return ", ".join(name.replace(" (", "(") for name in names)


def to_online_name(name: str) -> str:
    """A name as the online game has it; of a mixed pile, that of the card on its top."""
    return slugify(name.partition("/")[0]).replace("-", "_")
