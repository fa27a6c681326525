"""The parts of a document after a second deal: those that were kept on the table, and the new ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from randomizer.setup import document

# The keys of the lists that, after a second deal, start with the parts that were kept on the table.
_LIST_KEYS = (
    "piles",
    "landscapes",
    "decks",
    "set_aside",
    "components",
    "placed",
    "starting_deck",
    "trash",
)


def extract_kept_parts(setup: document.Setup) -> document.Setup:
    """Return a copy of a document with only the parts that a second deal kept on the table.

    If there was no second deal, the lists of parts are empty.
    """
    return _slice_lists(setup, lambda kept_count: slice(0, kept_count))


def remove_kept_parts(setup: document.Setup) -> document.Setup:
    """Return a copy of a document without the parts that a second deal kept on the table.

    If there was no second deal, the document itself is returned.
    """
    if "second_deal" not in setup:
        return setup
    return _slice_lists(setup, lambda kept_count: slice(kept_count, None))


def _slice_lists(setup: document.Setup, get_slice: Callable[[int], slice]) -> document.Setup:
    kept_counts = setup["second_deal"]["kept_counts"] if "second_deal" in setup else {}
    sliced_setup: dict[str, Any] = {**setup}
    for key in _LIST_KEYS:
        sliced_setup[key] = sliced_setup[key][get_slice(kept_counts.get(key, 0))]
    return cast("document.Setup", sliced_setup)
