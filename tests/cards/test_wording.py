"""A query in words."""

from typing import Any

import pytest

from randomizer.cards.wording import asked
from randomizer.text.language import Language

FRENCH = Language(
    "fr",
    cards={"Pie": "Tourte"},
    types={"Sweet": "Sucré"},
    words={" or ": " ou ", "not {text}": "pas {text}", ", ": " · "},
)


@pytest.mark.parametrize(
    ("query", "english", "french"),
    [
        ({}, "", ""),
        ({"type": ("Sweet", "Hot")}, "Sweet or Hot", "Sucré ou Hot"),
        ({"without": ("Sweet", "Hot")}, "not Sweet, not Hot", "pas Sucré · pas Hot"),
        ({"cost": (2, 3)}, "$2 or $3", "$2 ou $3"),
        ({"name": ("Pie", "Soup")}, "Pie or Soup", "Tourte ou Soup"),
        (
            {"name": ("Pie",), "cost": (0,), "without": ("Hot",), "type": ("Sweet",)},
            "Sweet, not Hot, $0, Pie",
            "Sucré · pas Hot · $0 · Tourte",
        ),
    ],
)
def test_types_then_cost_then_names(query: dict[str, Any], english: str, french: str) -> None:
    assert asked(query, Language("en")) == english
    assert asked(query, FRENCH) == french
