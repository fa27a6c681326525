"""Tests of costs, counts, amounts and queries, and of the default values of fields."""

from typing import Any

import pytest

from randomizer.cards.effect import Choice
from randomizer.cards.game import NO_WISHES, Request, SecondDeal, Wishes
from randomizer.cards.kingdom import NO_KINGDOM
from randomizer.cards.model import (
    MAX_NUMBER,
    Amount,
    Box,
    Card,
    CardName,
    Component,
    Cost,
    Count,
    Ending,
    Kind,
    Named,
    OpenOption,
    Query,
    describe_query,
)
from randomizer.text.language import Language, Message
from tests.support.tea import make_card, make_dish_query


class TestCost:
    @pytest.mark.parametrize(
        ("cost", "printed"),
        [
            (Cost(), "$0"),
            (Cost(7, mark="*"), "$7*"),
            (Cost(3, mark="+"), "$3+"),
            (Cost(0, 1), "P"),
            (Cost(3, 1), "$3 P"),
            (Cost(0, 0, 8), "8D"),
            (Cost(4, 0, 3), "$4 3D"),
            (Cost(1, 1, 1), "$1 P 1D"),
        ],
    )
    def test_cost_is_printed_as_coins_potion_debt(self, cost: Cost, printed: str) -> None:
        assert str(cost) == printed


class TestCount:
    @pytest.mark.parametrize(("players", "count"), [(1, 8), (2, 8), (3, 12), (4, 12), (5, 15), (6, 15)])
    def test_step_applies_from_its_number_of_players(self, players: int, count: int) -> None:
        assert Count(((2, 8), (3, 12), (5, 15))).for_players(players) == count


class TestAmount:
    def test_setting_takes_precedence_over_the_default(self) -> None:
        assert Amount(2, "guests").resolve({"guests": 5}) == 5
        assert Amount(2, "guests").resolve({"songs": 5}) == 2
        assert Amount(None, "guests").resolve({"guests": 5}) == 5

    def test_setting_of_zero_is_used(self) -> None:
        assert Amount(2, "guests").resolve({"guests": 0}) == 0

    def test_amount_without_an_option_is_fixed(self) -> None:
        assert Amount(None).resolve({}) is None
        assert Amount(3).resolve({}) == 3


class TestQuery:
    """All given fields must match, each by any one of its values."""

    @pytest.mark.parametrize(
        ("cost", "answers"),
        [
            (Cost(2), True),
            (Cost(3), True),
            (Cost(1), False),
            (Cost(4), False),
            (Cost(2, mark="+"), True),
            (Cost(3, mark="*"), True),
            (Cost(2, potion=1), False),
            (Cost(3, debt=1), False),
            (Cost(0, debt=3), False),
            (Cost(0, potion=1), False),
            (None, False),
        ],
    )
    def test_cost_matches_only_coins(self, cost: Cost | None, answers: bool) -> None:
        assert make_dish_query(cost=(2, 3)).matches(make_card("Soup", cost)) is answers

    def test_cost_of_zero_is_a_cost(self) -> None:
        assert Query(cost=(0,)).matches(make_card("Water", Cost(0)))
        assert not Query(cost=(0,)).matches(make_card("Hatter", None))
        assert not Query(cost=(0,)).matches(make_card("Brew", Cost(0, potion=1)))
        assert not Query(cost=(0,)).matches(make_card("Loan", Cost(0, debt=8)))

    @pytest.mark.parametrize("coins", range(5))
    def test_card_without_a_cost_matches_no_coins(self, coins: int) -> None:
        assert not Query(cost=(coins,)).matches(make_card("Hatter", None))

    @pytest.mark.parametrize(
        ("asked", "plain", "potion", "debt"),
        [
            ({}, True, True, True),
            ({"potion": True}, False, True, False),
            ({"potion": False}, True, False, True),
            ({"debt": True}, False, False, True),
            ({"debt": False}, True, True, False),
            ({"potion": True, "debt": True}, False, False, False),
        ],
    )
    def test_potion_and_debt_are_matched(
        self, asked: dict[str, Any], plain: bool, potion: bool, debt: bool
    ) -> None:
        query = Query(**asked)
        assert query.matches(make_card("Soup", Cost(2))) is plain
        assert query.matches(make_card("Brew", Cost(2, potion=1))) is potion
        assert query.matches(make_card("Loan", Cost(2, debt=4))) is debt

    def test_card_without_a_cost_has_neither_potion_nor_debt(self) -> None:
        assert Query(potion=False, debt=False).matches(make_card("Hatter", None))
        assert not Query(potion=True).matches(make_card("Hatter", None))
        assert not Query(debt=True).matches(make_card("Hatter", None))

    @pytest.mark.parametrize(
        ("asked", "answers"),
        [
            ({"kind": ("dish",)}, True),
            ({"kind": ("guest", "dish")}, True),
            ({"kind": ("guest",)}, False),
            ({"type": ("Sweet",)}, True),
            ({"type": ("Salty", "Hot")}, True),
            ({"type": ("Salty",)}, False),
            ({"without": ("Salty",)}, True),
            ({"without": ("Salty", "Hot")}, False),
            ({"set": ("tea",)}, True),
            ({"set": ("dinner", "tea")}, True),
            ({"set": ("dinner",)}, False),
            ({"name": ("Soup", "Pie")}, True),
            ({"name": ("Soup",)}, False),
            ({"type": ("Sweet",), "without": ("Hot",)}, False),
            ({"type": ("Sweet",), "kind": ("guest",)}, False),
            ({"set": ("tea",), "name": ("Soup",)}, False),
            ({"set": ("dinner",), "name": ("Pie",)}, False),
            ({"cost": (4,), "potion": False}, True),
            ({"cost": (4,), "debt": True}, False),
        ],
    )
    def test_every_field_must_match(self, asked: dict[str, Any], answers: bool) -> None:
        pie = make_card("Pie", Cost(4), types=("Sweet", "Hot"))
        assert Query(**asked).matches(pie) is answers


def test_message_keeps_placeholders_without_a_value() -> None:
    assert str(Message("{count} of {what}", (("count", 2),))) == "2 of {what}"


class TestDefaults:
    """Values of fields that a data file leaves out."""

    def test_cost_is_zero(self) -> None:
        assert Cost() == (0, 0, 0, "") and Cost(2) == (2, 0, 0, "")

    def test_amount_has_no_option_and_message_no_values(self) -> None:
        assert Amount(2) == (2, "") and Message("Mind the cups.") == ("Mind the cups.", ())

    def test_card_is_a_plain_pile(self) -> None:
        said = Card("Pie", "tea", "dish", ("tea",), (), None, Count(((0, 1),)))
        assert said[7:] == ((), (), "", "", False, False, (), "", 0)

    def test_query_matches_every_card(self) -> None:
        assert Query() == ((), (), (), (), (), (), None, None)

    def test_kind_is_listed_and_component_has_no_count(self) -> None:
        assert Kind("pile") == ("pile", "", "", True, "on {on}", "", "", None, False)
        assert Component("token", "game") == ("token", "game", None, "", "on {on}", "", 0, "", 0, ())

    def test_box_is_a_published_first_edition(self) -> None:
        assert Box("tea", "Tea") == ("tea", "Tea", "", (), 1, None, False, False, ())

    def test_ending_is_unconditional_and_option_has_no_bounds(self) -> None:
        assert Ending("all are full") == ("all are full", (), "")
        assert OpenOption("guests", "Guests.") == ("guests", "Guests.", None, 0, (), "", MAX_NUMBER)
        assert Named("Pie") == ("Pie", "", ())

    def test_choice_is_a_single_card_with_priority_zero(self) -> None:
        assert Choice("Tray", Query(), "aside") == ("Tray", Query(), "aside", Amount(1), "game", 0, False)

    def test_request_is_for_the_default_game_without_extras(self) -> None:
        assert Request(("tea",), 2, "x")[3:] == ({}, (), "", NO_KINGDOM, (), NO_WISHES, 0, None, None)
        assert not NO_WISHES and Wishes(box_count=1) and NO_WISHES.to_options() == {}
        assert SecondDeal(CardName("Pie"), "kingdom", ()) == ("Pie", "kingdom", (), (), "")


FRENCH = Language(
    "fr",
    cards={"Pie": "Tourte"},
    types={"Sweet": "Sucré"},
    phrases={" or ": " ou ", "not {text}": "pas {text}", ", ": " · "},
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
def test_query_is_described_as_types_cost_names(query: dict[str, Any], english: str, french: str) -> None:
    assert describe_query(query, Language("en")) == english
    assert describe_query(query, FRENCH) == french
