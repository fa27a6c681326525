"""Descriptions of annotations."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import pytest

from randomizer.cards.effect import Effects
from randomizer.cards.model import CardName, Cost, Year
from randomizer.load.annotations import Shape, describe, get_fields

TEXT, NUMBER = Shape("scalar", str), Shape("scalar", int)


class Branch(NamedTuple):
    leaves: tuple[str, ...]
    branches: "tuple[Branch, ...]" = ()


class Fruit(TypedDict):
    name: str
    colour: NotRequired[Annotated[str, "of the skin"]]


class TestDescribe:
    @pytest.mark.parametrize(
        ("annotation", "expected"),
        [
            (str, TEXT),
            (Any, Shape("scalar", Any)),
            (Year, Shape("scalar", Year)),
            (CardName, Shape("reference", CardName)),
            (Literal["a", 1], Shape("enumeration", constants=("a", 1))),
            (int | None, Shape("nullable", parts=(NUMBER,))),
            (str | int, Shape("union", parts=(TEXT, NUMBER))),
            (int | None | str, Shape("union", parts=(NUMBER, Shape("scalar", type(None)), TEXT))),
            (str | int | None, Shape("union", parts=(TEXT, NUMBER, Shape("scalar", type(None))))),
            (tuple[str, ...], Shape("list", parts=(TEXT,))),
            (list[str], Shape("list", parts=(TEXT,))),
            (tuple[str, int], Shape("pair", parts=(TEXT, NUMBER))),
            (dict[str, int], Shape("mapping", parts=(NUMBER,))),
            (Mapping[str, int], Shape("mapping", parts=(NUMBER,))),
            (Cost, Shape("record", Cost)),
            (Fruit, Shape("record", Fruit)),
            (Effects, Shape("effects")),
            (Annotated[str, "help", {"maxLength": 3}], TEXT._replace(metadata=("help", {"maxLength": 3}))),
        ],
        ids=str,
    )
    def test_each_kind_of_annotation_is_described(self, annotation: Any, expected: Shape) -> None:
        assert describe(annotation) == expected

    def test_fields_of_a_recursive_named_tuple_are_described(self) -> None:
        assert get_fields(Branch) == {
            "leaves": Shape("list", parts=(TEXT,)),
            "branches": Shape("list", parts=(Shape("record", Branch),)),
        }

    def test_fields_of_a_typed_dictionary_have_metadata(self) -> None:
        assert get_fields(Fruit) == {"name": TEXT, "colour": TEXT._replace(metadata=("of the skin",))}
