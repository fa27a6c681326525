"""The parts of a document: boxes, names, costs, counts and missing cards."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from randomizer import deal_setup
from randomizer.cards.game import Game, Request
from randomizer.cards.library import Library
from randomizer.cards.model import Card, CardName, Cost, Count, Query
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Missing, Table
from randomizer.load import games
from randomizer.record.context import CardFacts, DocumentContext, get_card_facts
from randomizer.record.parts import PartBuilder
from randomizer.setup.document import Member
from randomizer.setup.texts import format_cost
from randomizer.text.language import Language
from tests.support.tea import make_card, make_dish_query, make_tea_game

BOXES = """
boxes:
  - {slug: tea-1e, name: Tea 1E, holds: [tea], edition: 1}
  - {slug: tea-2e, name: Tea 2E, holds: [tea], edition: 2}
  - {slug: tea-3e, name: Tea 3E, holds: [tea], edition: 3}
  - {slug: tins, name: Tins}
"""
FRENCH = Language("fr", cards={"Pie": "Tourte"}, boxes={"tea-3e": "Thé 3", "tea-2e": "Tea 2E"})


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return make_tea_game(tmp_path, more=BOXES)


def make_context(game: Game, chosen: Sequence[str]) -> DocumentContext:
    return DocumentContext(game, Request(tuple(chosen), 2, "x"), [Language("en"), FRENCH])


def make_builder(game: Game, chosen: Sequence[str] = ("tea-2e",)) -> PartBuilder:
    request = Request(("tea-2e",), 2, "x")
    table: Table = deal_table(game, request, {"randomizers": ["Cake", "Soup", "Pie"]})
    return PartBuilder(table, make_context(game, chosen))


def make_card_facts(game: Game) -> CardFacts:
    return get_card_facts(game, [Language("en"), FRENCH])


class TestBoxOf:
    """The box to fetch a card from."""

    CARD = make_card("Pie", boxes=("tea-1e", "tea-2e", "tea-3e"))

    def test_chosen_box_is_found(self, game: Game) -> None:
        assert make_context(game, ["tea-2e"]).find_box(self.CARD) == "tea-2e"

    def test_first_of_several_chosen_boxes_is_found(self, game: Game) -> None:
        assert make_context(game, ["tea-3e", "tea-2e"]).find_box(self.CARD) == "tea-2e"

    def test_newest_box_is_found_if_none_is_chosen(self, game: Game) -> None:
        assert make_context(game, ["tins"]).find_box(self.CARD) == "tea-3e"


class TestNames:
    def test_name_has_only_translations_that_differ(self, game: Game) -> None:
        facts = make_card_facts(game)
        assert facts.get_name("Pie") == {"name": "Pie", "names": {"fr": "Tourte"}}
        assert facts.get_name("Cake") == {"name": "Cake"}
        assert facts.get_box_name("tea-3e") == {"name": "Tea 3E", "names": {"fr": "Thé 3"}}
        assert facts.get_box_name("tea-2e") == {"name": "Tea 2E"}
        assert facts.get_box_name("tea-1e") == {"name": "Tea 1E"}

    def test_card_name_has_an_id(self, game: Game) -> None:
        facts = make_card_facts(game)
        assert facts.get_card_name("Pie") == {**facts.get_name("Pie"), "id": "pie"}
        assert facts.get_card_name("Cake") == {"name": "Cake", "id": "cake"}

    def test_card_facts_are_cached_for_the_same_languages(self, game: Game) -> None:
        one, other = make_card_facts(game), make_card_facts(game)
        assert one.get_cost("Pie") is other.get_cost("Pie")
        assert get_card_facts(game, [Language("en")]).get_name("Pie") == {"name": "Pie"}
        assert make_card_facts(game).get_name("Pie")["names"] == {"fr": "Tourte"}

    def test_cost_has_its_parts(self, game: Game) -> None:
        for cost, parts in {
            Cost(3, mark="*"): {"coins": 3, "potion": 0, "debt": 0, "mark": "*"},
            Cost(2, 1, 8): {"coins": 2, "potion": 1, "debt": 8, "mark": ""},
            None: None,
        }.items():
            facts = make_card_facts(game._replace(cards=Library.from_cards([make_card("Bun", cost=cost)])))
            assert facts.get_cost("Bun") == parts


class TestMissing:
    def build_missing(self, game: Game, query: Query, chosen: Sequence[str]) -> Any:
        builder = make_builder(game, chosen)
        builder.table.add_cause("Pie", "Cake")
        return builder.build_missing(Missing("Tray", "Pie", query, 1, 0))

    def test_missing_cards_suggest_boxes_that_are_not_chosen(self, game: Game) -> None:
        assert self.build_missing(game, make_dish_query(cost=(2,)), ["tea-2e"])["help"] == [
            "tea-1e",
            "tea-3e",
        ]
        assert self.build_missing(game, make_dish_query(cost=(9,)), ["tea-2e"])["help"] == []

    def test_card_with_a_missing_choice_follows_its_own_causes(self, game: Game) -> None:
        part = self.build_missing(game, make_dish_query(cost=(2,)), ["tea-2e"])
        assert part["because"] == ["Cake", "Pie"]
        assert (part["for"], part["wanted"], part["found"]) == ("Tray", 1, 0)

    def test_query_has_only_its_requirements(self, game: Game) -> None:
        query = make_dish_query(cost=(2, 3), without=["Hot"])._replace(name=(CardName("Pie"),), potion=False)
        assert self.build_missing(game, query, [])["query"] == {
            "kind": ["dish"],
            "without": ["Hot"],
            "cost": [2, 3],
            "name": ["Pie"],
        }


class TestPile:
    def test_pile_with_a_stock_counts_what_the_starting_decks_leave(self, game: Game) -> None:
        builder = make_builder(game)
        part = builder.build_pile(builder.table.piles["Bread"])
        assert (part["stock"], part["count"]) == (30, 20)
        assert "stock" not in builder.build_pile(builder.table.piles["Cake"])

    def test_pile_outside_the_supply_is_not_supply(self, game: Game) -> None:
        builder = make_builder(game)
        builder.table.lay_out([game.cards["Crumbs"]], "Cake")
        places = {name: builder.build_pile(pile)["place"] for name, pile in builder.table.piles.items()}
        assert places["Crumbs"] == "beside" and [*places.values()].count("beside") == 1

    def test_members_have_counts_unless_the_pile_is_smaller_than_their_sum(self, game: Game) -> None:
        members = ("Cake", Count(((0, 4),))), ("Soup", Count(((0, 6),)))

        def build_members(pile: Card) -> list[Member]:
            others = [card for card in game.cards.values() if card.name != "Pie"]
            builder = make_builder(game._replace(cards=Library.from_cards([*others, pile])))
            return builder.build_pile(pile)["members"]

        pile = game.cards["Pie"]._replace(pile=members)
        found = build_members(pile)
        assert [(member["name"], member["count"]) for member in found] == [("Cake", 4), ("Soup", 6)]
        assert [(format_cost(member["cost"]), member["types"]) for member in found] == [
            ("$3", ["Sweet"]),
            ("$2", ["Plain"]),
        ]
        smaller_pile = pile._replace(count_=Count(((0, 7),)))
        assert [member["count"] for member in build_members(smaller_pile)] == [None, None]


@pytest.mark.parametrize("players", [2, 5])
def test_placed_tokens_are_missing_from_their_stock(players: int) -> None:
    game = games.load("pergamemnon")
    setup = deal_setup(game, players=players, seed="x")
    stocks = [component for component in setup["components"] if "stock" in component]
    assert stocks
    for component in stocks:
        placed = [tokens for tokens in setup["placed"] if tokens["name"] == component["name"]]
        assert component["count"] == component["stock"] - sum(tokens["count"] for tokens in placed)
        assert placed
