"""Tests of named kingdoms: as text and JSON, with replaced cards, and warnings about them."""

import pytest

from randomizer.cards.kingdom import (
    Kingdom,
    Swap,
    format_kingdom,
    kingdom_from_json,
    kingdom_to_json,
    swaps_from_json,
    swaps_to_json,
)
from randomizer.cards.model import CardName, OptionName, QuestionName
from randomizer.load.kingdoms import SuggestedKingdom
from tests.support.tea import make_card

WHOLE = Kingdom(
    ("Cake", "Green Tea"),
    ("Hare", "Hatter"),
    {"Tray": ("Pie", "Soup"), "Songs, face up": ("Waltz",)},
    {"Hare": "Cake", "Lid": "Green Tea"},
)
CARDS = {
    **{name: make_card(name, kind="guest") for name in ("Hare", "Hatter")},
    "Jig": make_card("Jig", kind="song"),
}


def test_kingdom_is_empty_by_default() -> None:
    assert Kingdom() == ((), (), {}, {}) and Swap("Cake") == ("Cake", "")


def test_names_do_not_include_marked_piles() -> None:
    assert list(WHOLE.names()) == ["Cake", "Green Tea", "Hare", "Hatter", "Pie", "Soup", "Waltz"]


def test_kingdom_is_formatted_as_typed() -> None:
    assert format_kingdom(WHOLE) == (
        "cake, green-tea, hare(cake), hatter, lid(green-tea), tray(pie, soup), songs-face-up(waltz)"
    )
    assert format_kingdom(Kingdom()) == ""


def test_choice_named_like_a_card_is_formatted_with_the_card_only_once() -> None:
    kingdom = Kingdom(("Pie", "Cake"), chosen={"Cake": ("Soup",)})
    assert format_kingdom(kingdom) == "pie, cake(soup)"


class TestReplaceCard:
    def test_card_is_replaced_everywhere(self) -> None:
        swapped = WHOLE.replace_card("Cake", "Tart")
        assert swapped.cards == ("Tart", "Green Tea")
        assert swapped[1:3] == WHOLE[1:3]
        assert swapped.on == {"Lid": "Green Tea"}  # nothing lies under the pile any more

    def test_card_is_removed_without_a_replacement(self) -> None:
        assert WHOLE.replace_card("Hatter").landscapes == ("Hare",)
        assert WHOLE.replace_card("Hare").on == {"Lid": "Green Tea"}
        assert WHOLE.replace_card("Pie").chosen == {"Tray": ("Soup",), "Songs, face up": ("Waltz",)}

    def test_choice_without_cards_is_removed(self) -> None:
        assert WHOLE.replace_card("Waltz").chosen == {"Tray": ("Pie", "Soup")}
        assert WHOLE.replace_card("Waltz", "Jig").chosen["Songs, face up"] == ("Jig",)


class TestUnusualCounts:
    def said(self, kingdom: Kingdom, usual: int, most: int, **limits: int) -> list[str]:
        return [str(message) for message in kingdom.find_unusual_counts(CARDS, usual, most, limits)]

    def test_maximum_counts_cause_no_warning(self) -> None:
        assert self.said(Kingdom(("Cake", "Pie"), ("Hare", "Hatter", "Jig")), 2, 3, guest=2, song=1) == []

    def test_higher_counts_cause_warnings(self) -> None:
        kingdom = Kingdom(("Cake", "Pie"), ("Hare", "Hatter", "Jig"))
        assert self.said(kingdom, 1, 2, guest=1) == [
            "2 Kingdom cards were chosen; a game normally has 1.",
            "3 landscapes were chosen; normally at most 2 are used.",
            "2 of these landscapes are of the same kind; normally at most 1 is used.",
        ]

    def test_landscapes_that_are_normally_not_used_cause_a_warning(self) -> None:
        assert self.said(Kingdom((), ("Hare",)), 1, 0) == [
            "Landscapes were chosen; with these options, normally none are used."
        ]

    def test_too_many_landscapes_cause_no_second_warning_about_a_kind(self) -> None:
        kingdom = Kingdom((), ("Hare", "Hatter"))
        assert self.said(kingdom, 1, 1, guest=0) == ["2 landscapes were chosen; normally at most 1 are used."]


def test_suggested_kingdom_is_converted_completely() -> None:
    cake, pie, hare = map(CardName, ("Cake", "Pie", "Hare"))
    suggested = SuggestedKingdom(
        "tea",
        "Tea",
        (),
        (cake,),
        landscapes=(hare,),
        chosen=((QuestionName("Tray"), (pie,)),),
        on=((hare, cake),),
        use=(OptionName("party"),),
    )
    assert suggested.to_kingdom() == Kingdom(("Cake",), ("Hare",), {"Tray": ("Pie",)}, {"Hare": "Cake"})
    assert SuggestedKingdom("tea", "Tea", (), (cake,))[4:] == ((), (), (), (), ())


class TestJson:
    def test_kingdom_survives_a_round_trip(self) -> None:
        whole = Kingdom(("A",), ("B",), {"Q": ("C", "D")}, {"B": "A"})
        assert kingdom_from_json(kingdom_to_json(whole)) == whole
        assert kingdom_to_json(Kingdom(("A",))) == {"cards": ["A"]}
        for part in Kingdom._fields:
            alone = Kingdom(**{part: getattr(whole, part)})
            assert kingdom_from_json(kingdom_to_json(alone)) == alone

    @pytest.mark.parametrize(
        "value",
        [
            {}, [], "x", 3, {"card": ["A"]}, {"cards": "A"}, {"cards": [1]}, {"cards": ["--"]},
            {"chosen": ["A"]}, {"chosen": {"A": "B"}}, {"on": {"A": 1}}, {"on": []}, {"cards": ["A"], "x": 1},
            {"landscapes": "A"}, {"chosen": {"-": ["A"]}}, {"chosen": {"A": ["-"]}}, {"on": {"-": "A"}},
            {"chosen": [], "on": {"A": "B"}},
        ],
    )  # fmt: skip
    def test_invalid_kingdom_is_none(self, value: object) -> None:
        assert kingdom_from_json(value) is None

    @pytest.mark.parametrize(
        "value", [{}, "x", [1], [{}], [{"goes": 1}], [{"goes": "A", "x": "B"}], [{"comes": "A"}]]
    )
    def test_invalid_swaps_are_none(self, value: object) -> None:
        assert swaps_from_json(value) is None

    def test_swaps_survive_a_round_trip(self) -> None:
        swaps = (Swap("A", "B"), Swap("C"))
        assert swaps_to_json(swaps) == [{"goes": "A", "comes": "B"}, {"goes": "C"}]
        assert swaps_from_json(swaps_to_json(swaps)) == swaps
        assert swaps_from_json([]) == ()
