"""Splitting of a document after a second deal into the parts that stay on the table and the new parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from randomizer.setup import document

# After a second deal, each of these lists starts with the parts that stay on the table.
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


def extract_kept_parts(setup: document.Setup) -> document.Setup:
    """Return a copy of a document with only the parts that a second deal left on the table.

    Without a second deal, there are no such parts.
    """
    return _slice_lists(setup, lambda kept_count: slice(0, kept_count))


def remove_kept_parts(setup: document.Setup) -> document.Setup:
    """Return a document without the parts that a second deal left on the table.

    Without a second deal, the document is returned unchanged.
    """
    if "second_deal" not in setup:
        return setup
    return _slice_lists(setup, lambda kept_count: slice(kept_count, None))


def _slice_lists(setup: document.Setup, get_slice: Callable[[int], slice]) -> document.Setup:
    kept_counts = setup["second_deal"]["before"] if "second_deal" in setup else {}
    part: dict[str, Any] = {**setup}
    for key in _LISTS:
        part[key] = part[key][get_slice(kept_counts.get(key, 0))]
    return cast("document.Setup", part)
