"""Conversion of values to JSON types and back."""

import json
from typing import Any

import pytest

from randomizer.cards.model import Amount, Card, CardName, Cost, Count, Query
from randomizer.deal.growing import Put
from randomizer.load.codec import from_jsonable, to_jsonable

CARD = Card("Moat", "base", "kingdom", ("base-2e",), ("Action",), Cost(2), Count(((0, 10),)))
CARD_AS_JSON = [
    "Card",
    "Moat",
    "base",
    "kingdom",
    ["", "base-2e"],
    ["", "Action"],
    ["Cost", 2],
    ["Count", ["", ["", 0, 10]]],
]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", "a"),
        (None, None),
        (Cost(2), ["Cost", 2]),
        (Cost(), ["Cost"]),
        (Cost(mark="*"), ["Cost", 0, 0, 0, "*"]),
        (Amount(None), ["Amount", None]),
        ((), [""]),
        (("a", "b"), ["", "a", "b"]),
        (("", Cost(1)), ["", "", ["Cost", 1]]),
        ({"a": Cost(3)}, {"a": ["Cost", 3]}),
        ({"a": 3}, {"a": 3}),
        ((Put((CardName("Moat"),)),), ["", ["put", ["", "Moat"]]]),
        (CARD, CARD_AS_JSON),
        (Query(cost=(2,), debt=False), ["Query", [""], [""], [""], ["", 2], [""], [""], None, False]),
    ],
    ids=str,
)
def test_value_is_restored_from_json(value: Any, expected: Any) -> None:
    assert to_jsonable(value) == expected
    restored = from_jsonable(json.loads(json.dumps(to_jsonable(value))))
    assert restored == value and type(restored) is type(value)
