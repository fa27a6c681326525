"""The two halves of a document with a second deal: what stays on the table, and what is new."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from randomizer.setup import document

# The lists that begin with the parts that a second deal keeps.
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


def with_only_kept_parts(setup: document.Setup) -> document.Setup:
    """Return the document with only what a second deal keeps on the table; nothing without a second deal."""
    return _slice_lists(setup, lambda kept_count: slice(0, kept_count))


def without_kept_parts(setup: document.Setup) -> document.Setup:
    """Return the document without what a second deal keeps on the table; all of it without a second deal."""
    if "second_deal" not in setup:
        return setup
    return _slice_lists(setup, lambda kept_count: slice(kept_count, None))


def _slice_lists(setup: document.Setup, get_slice: Callable[[int], slice]) -> document.Setup:
    kept_counts = setup["second_deal"]["before"] if "second_deal" in setup else {}
    part: dict[str, Any] = {**setup}
    for key in _LISTS:
        part[key] = part[key][get_slice(kept_counts.get(key, 0))]
    return cast("document.Setup", part)
