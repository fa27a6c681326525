"""A kingdom that is named: as text, as JSON, with another card, and what is unusual about it."""

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
from tests.support.tea import card

WHOLE = Kingdom(
    ("Cake", "Green Tea"),
    ("Hare", "Hatter"),
    {"Tray": ("Pie", "Soup"), "Songs, face up": ("Waltz",)},
    {"Hare": "Cake", "Lid": "Green Tea"},
)
CARDS = {
    **{name: card(name, kind="guest") for name in ("Hare", "Hatter")},
    "Jig": card("Jig", kind="song"),
}


def test_what_nobody_named_is_nothing() -> None:
    assert Kingdom() == ((), (), {}, {}) and Swap("Cake") == ("Cake", "")


def test_every_card_that_is_named_but_not_the_piles_that_are_marked() -> None:
    assert list(WHOLE.names()) == ["Cake", "Green Tea", "Hare", "Hatter", "Pie", "Soup", "Waltz"]


def test_as_one_types_it() -> None:
    assert format_kingdom(WHOLE) == (
        "cake, green-tea, hare(cake), hatter, lid(green-tea), tray(pie, soup), songs-face-up(waltz)"
    )
    assert format_kingdom(Kingdom()) == ""


class TestSwapped:
    """Another card, or none, in the place of one."""

    def test_another(self) -> None:
        swapped = WHOLE.replace_card("Cake", "Tart")
        assert swapped.cards == ("Tart", "Green Tea")
        assert swapped[1:3] == WHOLE[1:3]
        assert swapped.on == {"Lid": "Green Tea"}  # nothing lies under the pile any more

    def test_none(self) -> None:
        assert WHOLE.replace_card("Hatter").landscapes == ("Hare",)
        assert WHOLE.replace_card("Hare").on == {"Lid": "Green Tea"}
        assert WHOLE.replace_card("Pie").chosen == {"Tray": ("Soup",), "Songs, face up": ("Waltz",)}

    def test_a_choice_of_which_nothing_is_left_is_made_anew(self) -> None:
        assert WHOLE.replace_card("Waltz").chosen == {"Tray": ("Pie", "Soup")}
        assert WHOLE.replace_card("Waltz", "Jig").chosen["Songs, face up"] == ("Jig",)


class TestUnusual:
    def said(self, kingdom: Kingdom, usual: int, most: int, **limits: int) -> list[str]:
        return [str(message) for message in kingdom.find_unusual_counts(CARDS, usual, most, limits)]

    def test_as_many_as_there_may_be_are_not(self) -> None:
        assert self.said(Kingdom(("Cake", "Pie"), ("Hare", "Hatter", "Jig")), 2, 3, guest=2, song=1) == []

    def test_more_than_that_are(self) -> None:
        kingdom = Kingdom(("Cake", "Pie"), ("Hare", "Hatter", "Jig"))
        assert self.said(kingdom, 1, 2, guest=1) == [
            "2 Kingdom cards were named; a game has 1.",
            "3 landscapes were named; 2 at most are dealt.",
            "2 of these landscapes are of one kind; 1 at most is dealt.",
        ]

    def test_what_is_too_much_in_all_is_not_told_again_of_its_kind(self) -> None:
        kingdom = Kingdom((), ("Hare", "Hatter"))
        assert self.said(kingdom, 1, 1, guest=0) == ["2 landscapes were named; 1 at most are dealt."]


def test_of_a_suggested_one_everything_is_laid_out() -> None:
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
    def test_there_and_back(self) -> None:
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
    def test_what_is_none(self, value: object) -> None:
        assert kingdom_from_json(value) is None

    @pytest.mark.parametrize(
        "value", [{}, "x", [1], [{}], [{"goes": 1}], [{"goes": "A", "x": "B"}], [{"comes": "A"}]]
    )
    def test_what_are_no_swaps(self, value: object) -> None:
        assert swaps_from_json(value) is None

    def test_swaps_there_and_back(self) -> None:
        swaps = (Swap("A", "B"), Swap("C"))
        assert swaps_to_json(swaps) == [{"goes": "A", "comes": "B"}, {"goes": "C"}]
        assert swaps_from_json(swaps_to_json(swaps)) == swaps
        assert swaps_from_json([]) == ()
