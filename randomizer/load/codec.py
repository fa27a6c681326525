"""Converts values to JSON types and back, for the cache.

A tuple is stored as an array that starts with a name: the verb of an effect, the class of any other named
tuple, or an empty string for an ordinary tuple. Trailing fields that have their default value are left out.
"""

from collections.abc import Mapping
from typing import Any

from randomizer.cards import model
from randomizer.cards.game import SecondDeal
from randomizer.deal.verbs import VERBS, find_verb_name

_RECORD_CLASSES = {
    record.__name__: record
    for record in (
        model.Amount,
        model.Box,
        model.Card,
        model.Component,
        model.Cost,
        model.Count,
        model.Ending,
        model.Heading,
        model.Kind,
        model.OpenOption,
        model.Query,
        model.Step,
        SecondDeal,
    )
}


def to_jsonable(value: Any) -> Any:
    """Convert a value of the data model to JSON types."""
    if isinstance(value, Mapping):
        return {key: to_jsonable(item) for key, item in value.items()}
    if not isinstance(value, tuple):
        return value
    row = [to_jsonable(item) for item in value]
    defaults = getattr(value, "_field_defaults", {})
    for field in reversed(getattr(value, "_fields", ())):
        if field not in defaults or defaults[field] != getattr(value, field):
            break
        row.pop()
    name = "" if type(value) is tuple else find_verb_name(type(value)) or type(value).__name__
    return [name, *row]


def from_jsonable(value: Any) -> Any:
    """Convert the output of `to_jsonable` back to the original value."""
    if isinstance(value, dict):
        return {key: from_jsonable(item) for key, item in value.items()}
    if not isinstance(value, list):
        return value
    name, *row = value
    items = [from_jsonable(item) if type(item) in (dict, list) else item for item in row]
    if not name:
        return tuple(items)
    record_class: Any = _RECORD_CLASSES.get(name) or VERBS[name]
    return record_class(*items)
