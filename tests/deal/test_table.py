"""Tests of the table: causes, places, and what a second deal leaves unchanged."""

import pytest

from randomizer.cards.game import Game
from randomizer.cards.model import Component, Count, Kind, Query
from randomizer.deal.decorating import Note
from randomizer.deal.table import Spot, Table
from tests.support.tea import DealTea

TWO, FIVE = Note("two"), Note("five")  # any effects will do


@pytest.fixture
def game(deal_tea: DealTea) -> Game:
    platter = """
  - {name: Platter, set: tea, kind: dish, cost: 9, types: [Plain], pile: {Nut: 5, Fig: 5}}
  - {name: Nut, set: tea, kind: song, cost: 2, types: [Plain]}
  - {name: Fig, set: tea, kind: song, cost: 3, types: [Plain]}
"""
    return deal_tea(more=platter)[0]


@pytest.fixture
def table(deal_tea: DealTea, game: Game) -> Table:
    """Cake, Soup, Pie and Bread are out."""
    from randomizer.cards.game import Request
    from randomizer.deal.dealer import deal_table

    return deal_table(game, Request(("tea",), 2, "x"), {"randomizers": ["Cake", "Soup", "Pie"]})


class TestGetCauses:
    def test_causes_follow_their_own_causes(self, table: Table) -> None:
        for thing, cause in (("Cups", "Rusk"), ("Rusk", "Crumbs"), ("Crumbs", "Cake"), ("Cups", "Pie")):
            table.add_cause(thing, cause)
        assert table.get_causes("Cups") == ["Cake", "Crumbs", "Rusk", "Pie"]

    def test_circular_causes_end(self, table: Table) -> None:
        table.add_cause("Rusk", "Crumbs")
        table.add_cause("Crumbs", "Rusk")
        assert table.get_causes("Rusk") == ["Crumbs"]

    def test_opening_is_not_a_cause(self, table: Table) -> None:
        table.add_cause("Rusk", None)
        assert table.get_causes("Rusk") == []


class TestInUse:
    def test_cards_in_use_are_in_order_of_arrival(self, table: Table) -> None:
        assert list(table.in_use()) == ["Bread", "Cake", "Soup", "Pie"]

    def test_mixed_pile_brings_its_members_into_use(self, game: Game, table: Table) -> None:
        table.use([game.cards["Platter"]], "Cake")
        assert list(table.in_use())[-3:] == ["Platter", "Nut", "Fig"]
        assert table.get_causes("Nut") == ["Cake", "Platter"]

    def test_using_a_card_again_only_adds_a_cause(self, game: Game, table: Table) -> None:
        table.use([game.cards["Rusk"]], "Cake")
        table.use([game.cards["Rusk"]], "Pie")
        assert table.get_causes("Rusk") == ["Cake", "Pie"]
        assert list(table.in_use()).count("Rusk") == 1


class TestLayOut:
    def test_place_of_a_pile_comes_from_argument_card_or_kind(self, game: Game, table: Table) -> None:
        table.lay_out([game.cards["Toast"]], "Cake")
        table.lay_out([game.cards["Tart"]], "Cake", "beside")
        table.lay_out([game.cards["Rusk"]._replace(place="supply")], "Cake")
        table.lay_out([game.cards["Crumbs"]._replace(place="supply")], "Cake", "kingdom")
        places = {name: table.get_place(table.piles[name]) for name in ("Toast", "Tart", "Rusk", "Crumbs")}
        assert places == {"Toast": "kingdom", "Tart": "beside", "Rusk": "supply", "Crumbs": "kingdom"}

    def test_laying_out_again_adds_cause_and_mark_only(self, game: Game, table: Table) -> None:
        table.lay_out([game.cards["Soup"]], "Cake", "beside", "Tray")
        table.lay_out([game.cards["Soup"]], "Pie")
        assert table.get_place(table.piles["Soup"]) == "kingdom" and table.marks["Soup"] == ["Tray"]
        assert table.get_causes("Soup") == ["Cake", "Pie"]

    def test_existing_piles_are_not_laid_out_again(self, game: Game, table: Table) -> None:
        table.existing_names = frozenset({"Rusk", "Cups"})
        table.lay_out([game.cards["Rusk"]], "Cake", "", "Tray")
        table.hand_out("Cups", Component("cup", "player"), "Cake")
        assert "Rusk" not in table.piles and "Cups" not in table.components
        assert "Rusk" not in table.in_use()

    def test_laid_out_cards_are_not_drawn(self, game: Game, table: Table) -> None:
        table.lay_out([game.cards["Toast"]], "Cake")
        left = {card.name for card in table.unused.draw("?", Query(cost=(2,)), None)}
        assert "Toast" not in left

    def test_landscape_is_not_a_pile(self, game: Game, table: Table) -> None:
        table.lay_out([game.cards["Hare"]], "Cake")
        assert "Hare" in table.landscapes and "Hare" not in table.piles

    def test_set_aside_records_the_choice(self, game: Game, table: Table) -> None:
        table.set_aside([game.cards["Toast"]], "Cake", "Tray")
        assert table.aside_for["Toast"] == "Tray" and table.get_causes("Toast") == ["Cake"]
        assert "Toast" in table.in_use()

    def test_returned_cards_are_not_drawn(self, game: Game, table: Table) -> None:
        table.return_to_box([game.cards["Toast"]], "Cake")
        assert table.boxed["Toast"].name == "Toast"
        assert table.get_causes("Toast") == ["Cake"]
        assert "Toast" not in table.in_use()
        assert table.unused.draw("?", Query(name=(table.cards["Toast"].name,)), 1) == []  # type: ignore[arg-type]

    def test_returning_ignores_cards_that_do_not_exist_for_player_count(
        self, game: Game, table: Table
    ) -> None:
        none, one = Count(((0, 5), (2, 0), (3, 5))), Count(((0, 0), (2, 1), (3, 0)))
        table.return_to_box([game.cards["Toast"]._replace(count_=none)], "Cake")
        table.return_to_box([game.cards["Tart"]._replace(count_=one)], "Cake")
        assert list(table.boxed) == ["Tart"] and table.get_causes("Toast") == []

    def test_laying_out_a_component_hands_it_out(self, game: Game, table: Table) -> None:
        table.kinds = {**game.kinds, "lid": Kind("component", title="Lids"), "cap": Kind("component")}
        lid = game.cards["Rusk"]._replace(name="Lid", kind="lid")
        for card in (lid, lid._replace(name="Cap", kind="cap")):
            table.lay_out([card], "Cake", "beside", "Tray")
        assert table.components["Lid"] == Component("Lids", "game", game.cards["Rusk"].count_)
        assert table.components["Cap"].kind == "cap" and "Cap" in table.in_use()
        assert table.get_causes("Lid") == ["Cake"] and "Lid" not in table.piles

    def test_every_member_of_a_mixed_pile_goes_into_the_trash(self, game: Game, table: Table) -> None:
        table.put_into_trash([game.cards["Platter"]], "Cake")
        table.put_into_trash([game.cards["Crumbs"]], "Cake")
        assert [*table.trash] == ["Nut", "Fig", "Crumbs"]
        assert table.get_causes("Fig") == ["Cake"] and "Fig" in table.in_use()


class TestDecks:
    def test_deck_grows_face_down_and_face_up(self, game: Game, table: Table) -> None:
        for name, face_up in (("Waltz", False), ("Nut", True), ("Jig", False), ("Fig", True)):
            table.add_to_deck("Songs", [game.cards[name]], "Cake", face_up=face_up)
        deck = table.decks["Songs"]
        assert [card.name for card in deck.cards] == ["Waltz", "Jig"]
        assert [card.name for card in deck.face_up] == ["Nut", "Fig"]
        assert table.get_causes("Songs") == ["Cake"] and table.get_causes("Jig") == ["Cake", "Songs"]

    def test_deck_cards_in_use_before_are_not_used_again(self, game: Game, table: Table) -> None:
        table.existing_names = frozenset({"Waltz"})
        table.add_to_deck("Songs", [game.cards["Waltz"], game.cards["Jig"]], "Cake", face_up=True)
        assert [card.name for card in table.decks["Songs"].face_up] == ["Waltz", "Jig"]
        assert "Waltz" not in table.in_use() and "Jig" in table.in_use()


class TestPlaces:
    """The places of a card, and effects that depend on them."""

    @pytest.fixture
    def table(self, game: Game, table: Table) -> Table:
        """The mixed pile beside the Supply, Toast set aside, two songs in a deck of which one is open."""
        table.lay_out([game.cards["Platter"]], None, "beside")
        table.set_aside([game.cards["Toast"]], None, "Tray")
        for name, face_up in (("Waltz", False), ("Jig", True), ("Nut", False)):
            table.add_to_deck("Songs", [game.cards[name]], None, face_up=face_up)
        return table

    @pytest.mark.parametrize(
        ("name", "places"),
        [
            ("Cake", ["kingdom"]),
            ("Bread", ["supply"]),
            ("Platter", ["beside"]),
            ("Toast", ["aside"]),
            ("Waltz", ["deck"]),
            ("Jig", ["deck"]),
            ("Fig", ["beside"]),  # where its mixed pile is
            ("Nut", ["beside", "deck"]),
            ("Tart", []),
        ],
    )
    def test_places_of_every_kind_are_found(self, table: Table, name: str, places: list[str]) -> None:
        assert list(table.iter_places(name)) == places

    def test_card_can_be_in_several_places(self, game: Game, table: Table) -> None:
        table.set_aside([game.cards["Cake"]], None, "Tray")
        table.add_to_deck("Songs", [game.cards["Cake"]], None, face_up=False)
        assert list(table.iter_places("Cake")) == ["kingdom", "aside", "deck"]
        assert table.is_relevant("Cake", ("beside", "deck")) and not table.is_relevant(
            "Cake", ("beside", "supply")
        )

    def test_is_relevant_without_places_or_card(self, table: Table) -> None:
        assert table.is_relevant("Cake", ()) and table.is_relevant(None, ("deck",))
        assert table.is_relevant("Party", ("deck",))  # a decision
        assert table.is_relevant("Tart", ("deck",))  # of which nobody knows yet where it is
        assert not table.is_relevant("Cake", ("deck",))


class TestComponents:
    def test_component_with_count_zero_is_not_handed_out(self, table: Table) -> None:
        table.hand_out("Spoons", Component("spoon", "player", Count(((2, 0), (3, 1)))), "Cake")
        table.hand_out("Forks", Component("fork", "player", Count(((2, 1), (3, 0)))), "Cake")
        assert "Spoons" not in table.components and "Forks" in table.components
        assert table.get_causes("Spoons") == [] and table.get_causes("Forks") == ["Cake"]

    def test_component_without_count_is_handed_out(self, table: Table) -> None:
        table.hand_out("Straws", Component("straw", "game"), None)
        assert "Straws" in table.components and table.get_causes("Straws") == []

    def test_substitute_component_takes_over_causes(self, table: Table) -> None:
        """Cups and Mugs serve for each other; if both are out, the first goes by the data."""
        assert table.resolve_component("Cups") == "Cups" and table.resolve_component("Spoons") == "Spoons"
        for name, cause in (("Cups", "Cake"), ("Mugs", "Pie"), ("Sugar", "Soup")):
            table.hand_out(name, table.known_components[name], cause)
        assert (table.resolve_component("Cups"), table.resolve_component("Mugs")) == ("Mugs", "Mugs")
        table.drop_redundant_components()
        assert list(table.components) == ["Sugar", "Mugs"]
        assert table.get_causes("Mugs") == ["Pie", "Cake"] and table.get_causes("Cups") == []

    def test_existing_component_is_a_substitute(self, table: Table) -> None:
        table.existing_names = frozenset({"Mugs"})
        table.hand_out("Cups", table.known_components["Cups"], "Cake")
        table.drop_redundant_components()
        assert table.resolve_component("Cups") == "Mugs" and "Cups" not in table.components

    def test_tokens_of_one_source_are_placed_once(self, table: Table) -> None:
        spot = Spot("Sugar", "Pie", "game")
        for count, cause, source in ((2, "Cake", TWO), (2, "Soup", TWO), (5, "Pie", FIVE)):
            table.add_tokens(spot, count, cause, source)
        assert table.tokens[spot] == {TWO: 2, FIVE: 5}
        assert table.get_causes(spot) == ["Cake", "Soup", "Pie"]


class TestStartingDeck:
    def test_starting_deck_replaces_one_card_by_one(self, game: Game, table: Table) -> None:
        assert table.replace_in_starting_deck("Bread", game.cards["Rusk"], "Cake")
        assert table.starting_deck == {"Bread": 4, "Rusk": 1}
        assert "Rusk" in table.in_use() and table.get_causes("Rusk") == ["Cake"]

    def test_starting_deck_gets_the_same_card_once(self, game: Game, table: Table) -> None:
        for cause in ("Cake", "Pie"):
            assert table.replace_in_starting_deck("Bread", game.cards["Rusk"], cause)
        assert table.starting_deck == {"Bread": 4, "Rusk": 1}
        assert table.get_causes("Rusk") == ["Cake", "Pie"]

    def test_starting_deck_without_old_card_is_unchanged(self, game: Game, table: Table) -> None:
        table.starting_deck["Bread"] = 0
        assert not table.replace_in_starting_deck("Bread", game.cards["Rusk"], "Cake")
        assert not table.replace_in_starting_deck("Scone", game.cards["Rusk"], "Cake")
        assert table.starting_deck == {"Bread": 0} and "Rusk" not in table.in_use()


class TestFindPiles:
    def test_supply_contains_kingdom_and_basic_piles(self, game: Game, table: Table) -> None:
        table.lay_out([game.cards["Crumbs"]], "Cake")  # beside the Supply
        kingdom, supply = (
            [pile.name for pile in table.find_piles(where, Query())] for where in ("kingdom", "supply")
        )
        assert kingdom == ["Cake", "Soup", "Pie"]
        assert supply == ["Bread", "Cake", "Soup", "Pie"]

    def test_find_piles_returns_matching_piles_only(self, table: Table) -> None:
        assert [pile.name for pile in table.find_piles("supply", Query(cost=(2, 4)))] == ["Soup", "Pie"]
