"""A document at the moment of a second deal: what was on the table before, and what is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from randomizer.setup import document

# The lists of which some parts may have been there before a second deal.
_LISTS = (
    "piles",
    "landscapes",
    "decks",
    "set_aside",
    "components",
    "placed",
    "starting_deck",
    "trash",
)


def before(setup: document.Setup) -> document.Setup:
    """The document with only what was on the table before a second deal; without one, that is nothing."""
    return _part_of(setup, lambda there: slice(0, there))


def now(setup: document.Setup) -> document.Setup:
    """The document without what stays on the table when a second deal comes."""
    return _part_of(setup, lambda there: slice(there, None))


def _part_of(setup: document.Setup, which: Callable[[int], slice]) -> document.Setup:
    part: dict[str, Any] = {**setup}
    for key in _LISTS:
        part[key] = part[key][which(_there(setup, key, part[key]))]
    return cast("document.Setup", part)


def _there(setup: document.Setup, key: str, parts: Sequence[Any]) -> int:
    """How many parts of a list were there; a document of an older version has only their names."""
    if "second_deal" not in setup:
        return 0
    second = setup["second_deal"]
    if "before" in second:
        return max(0, second["before"].get(key, 0))
    names = (f"{part['name']} on {part['on']}" if key == "placed" else part["name"] for part in parts)
    return len([*takewhile({*second["stays"]}.__contains__, names)])
