"""Tests of games: options, requests, boxes, cards, and the order of choices."""

from pathlib import Path
from typing import Any

import pytest

from randomizer.cards.effect import Choice, Destination
from randomizer.cards.game import Game, Request, Wishes
from randomizer.cards.model import Amount, Box, Count, OpenOption, Query, SetName, SlotName
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Slug
from tests.support.tea import make_tea_game
from tests.support.wish_texts import WishTexts


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return make_tea_game(tmp_path)


class TestChoiceRank:
    """Choices are sorted by priority, then by the order in the data; unlisted ones come last."""

    def rank(self, game: Game, slot: str, priority: int = 0) -> tuple[int, int]:
        return game.get_choice_rank(Choice(slot, Query(), "aside", priority=priority))

    def test_choices_have_the_order_of_the_data(self, game: Game) -> None:
        game = game._replace(order=(SlotName("Tray"), SlotName("Cup"), SlotName("Pot")))
        assert self.rank(game, "Tray") < self.rank(game, "Cup") < self.rank(game, "Pot")

    def test_unlisted_choices_are_last_with_equal_rank(self, game: Game) -> None:
        game = game._replace(order=(SlotName("Tray"), SlotName("Cup")))
        assert self.rank(game, "Cup") < self.rank(game, "Spoon") == self.rank(game, "Fork")

    def test_priority_takes_precedence_over_the_order(self, game: Game) -> None:
        game = game._replace(order=(SlotName("Tray"), SlotName("Cup")))
        assert self.rank(game, "Spoon", 0) < self.rank(game, "Tray", 1) < self.rank(game, "Cup", 1)
        assert self.rank(game, "Spoon", 1) < self.rank(game, "Tray", 2)


class TestChoice:
    @pytest.mark.parametrize(
        ("number", "to", "certain"),
        [(None, "deck", True), (None, "box", False), (1, "deck", False), (None, "aside", True)],
    )
    def test_choice_of_all_cards_is_certain_except_into_the_box(
        self, number: int | None, to: Destination, certain: bool
    ) -> None:
        assert Choice("Tray", Query(), to, Amount(number)).is_certain is certain

    def test_cards_face_up_beside_a_deck_are_shuffled_separately(self) -> None:
        deck = Choice("Songs", Query(), "deck")
        assert (deck.question, deck._replace(face_up=True).question) == ("Songs", "Songs, face up")

    def test_choice_of_exactly_one_card_per_game_is_single(self) -> None:
        one = Choice("Tray", Query(), "aside")
        assert one.is_single
        assert not one._replace(amount=Amount(2)).is_single
        assert not one._replace(amount=Amount(1, "option")).is_single
        assert not one._replace(each="player").is_single
        assert not one._replace(to="box").is_single


class TestPlayers:
    @pytest.mark.parametrize("number", [1, 2, 3, 4])
    def test_number_of_players_in_range_is_accepted(self, game: Game, number: int) -> None:
        game.check_players(number)
        assert number in game.player_counts()

    @pytest.mark.parametrize("number", [-1, 0, 5])
    def test_number_of_players_out_of_range_is_rejected(self, game: Game, number: int) -> None:
        with pytest.raises(BadOptions, match=f"Tea Party is for 1 to 4 players, not {number}"):
            game.check_players(number)


class TestValidateSettings:
    OPTIONS = (
        OpenOption("guests", "", default=2),
        OpenOption("hosts", "", default=1, within="guests"),
        OpenOption("party", "", cards=("first-card", "random-card")),
    )

    @pytest.fixture
    def game(self, tmp_path: Path) -> Game:
        return make_tea_game(tmp_path)._replace(options=self.OPTIONS)

    @pytest.mark.parametrize(
        ("said", "kept"),
        [
            ({"landscapes_from": "randomizers"}, {}),
            ({"landscapes_from": "deck"}, {"landscapes_from": "deck"}),
            ({"party_by": "first-card"}, {}),
            ({"party_by": "random-card"}, {"party_by": "random-card"}),
            ({"party": False}, {"party": False}),
            ({"guests": 2}, {"guests": 2}),
            ({"hosts": 2}, {"hosts": 2}),
            ({"hosts": 3, "guests": 3}, {"hosts": 3, "guests": 3}),
            ({"guests": 0}, {"guests": 0}),
        ],
    )
    def test_defaults_are_dropped(self, game: Game, said: dict[str, Any], kept: dict[str, Any]) -> None:
        assert game.validate_settings(said) == kept

    @pytest.mark.parametrize(
        ("said", "fault"),
        [
            ({"hosts": 3}, "--hosts 3 can't be more than --guests 2"),
            ({"hosts": 2, "guests": 1}, "--hosts 2 can't be more than --guests 1"),
            ({"party": True, "party_by": "first-card"}, "use either --party or --party-by, not both."),
            ({"party": False, "party_by": "first-card"}, "use either --no-party or --party-by, not both."),
        ],
    )
    def test_contradiction_is_rejected(self, game: Game, said: dict[str, Any], fault: str) -> None:
        with pytest.raises(BadOptions, match=fault):
            game.validate_settings(said)

    def test_argument_is_not_modified(self, game: Game) -> None:
        said = {"party_by": "first-card"}
        game.validate_settings(said)
        assert said == {"party_by": "first-card"}


class TestBuildRequest:
    @pytest.fixture
    def game(self, tmp_path: Path) -> Game:
        return make_tea_game(tmp_path)._replace(options=TestValidateSettings.OPTIONS)

    def test_request_has_all_arguments(self, game: Game) -> None:
        said = {"guests": 1, "hosts": None, "party": False, "landscapes_from": "randomizers"}
        wishes = Wishes(cards=("Cake",))
        assert game.build_request(("tea",), 3, "x", said, ["a.yaml"], "tea", wishes) == Request(
            ("tea",), 3, "x", {"guests": 1, "party": False}, ("a.yaml",), "tea", wishes=wishes
        )
        assert game.build_request(("tea",), 3, "x", {}) == Request(("tea",), 3, "x")

    @pytest.mark.parametrize(
        ("seed", "files", "fault"),
        [
            (
                "two\nlines",
                (),
                r"a seed must be a single line without control characters: 'two\nlines'",
            ),
            (
                "x",
                ("tea.yaml", "a\tb"),
                r"the name of a file must be a single line without control characters: 'a\tb'",
            ),
            ("x" * 501, (), "a seed can have at most 500 characters."),
        ],
    )
    def test_control_characters_and_long_seeds_are_rejected(
        self, game: Game, seed: str, files: tuple[str, ...], fault: str
    ) -> None:
        with pytest.raises(BadOptions) as problem:
            game.build_request(("tea",), 2, seed, {}, files)
        assert str(problem.value) == fault

    def test_long_seed_is_accepted(self, game: Game) -> None:
        assert game.build_request(("tea",), 2, "x" * 500, {}).seed == "x" * 500


class TestWishes:
    def test_wishes_are_returned_by_option(self, game: Game) -> None:
        texts = WishTexts(("cake", "pie"), ("soup",), ("sweet=2",), ("guest=3",), 2)
        assert texts.parse(game).to_options() == {
            "with": ["cake", "pie"],
            "without": ["soup"],
            "want": ["sweet=2"],
            "weight": ["guest=3"],
            "of": 2,
        }
        assert WishTexts(want=("sweet",)).parse(game).to_options() == {"want": ["sweet"]}
        assert Wishes().to_options() == {}

    def test_wishes_are_true_unless_empty(self) -> None:
        assert not Wishes()
        assert Wishes(box_count=1) and Wishes(cards=("Soup",))


class TestCards:
    def test_starting_decks_are_taken_from_a_stock(self, game: Game) -> None:
        bread = game.get_pile_count(game.cards["Bread"])
        assert [bread.for_players(players) for players in (1, 2, 3, 4)] == [25, 20, 15, 10]
        assert game.get_pile_count(game.cards["Cake"]) == Count(((0, 10),))

    def test_stock_without_starting_cards_stays_complete(self, game: Game) -> None:
        game = game._replace(starting_deck={"Cake": 2})
        assert game.get_pile_count(game.cards["Bread"]).for_players(4) == 30
        assert game.get_pile_count(game.cards["Cake"]).for_players(4) == 10  # no stock

    def test_stock_may_depend_on_the_number_of_players(self, game: Game) -> None:
        bread = game.cards["Bread"]._replace(count_=Count(((1, 30), (3, 60))))
        assert [game.get_pile_count(bread).for_players(players) for players in (1, 2, 3, 4)] == [
            25,
            20,
            45,
            40,
        ]

    @pytest.fixture
    def sold(self, tmp_path: Path) -> Game:
        """A game with a box that is sold card by card, one of which has two members."""
        more = """
  - {name: Salt, set: tea, boxes: [tins], kind: dish, cost: 1, types: [Plain]}
  - {name: Green Tea, set: tea, boxes: [tins], kind: dish, cost: 2, types: [Plain]}
  - {name: Mints, set: tea, boxes: [tins], kind: dish, cost: 2, types: [Plain], pile: {Mint: 5, Candy: 5}}
  - {name: Mint, set: tea, boxes: [tins], kind: dish, cost: 2, types: [Plain]}
  - {name: Candy, set: tea, boxes: [tins], kind: dish, cost: 5, types: [Plain]}
boxes:
  - {slug: tea, name: Tea, holds: [tea]}
  - {slug: tins, name: Tins, singly: true}
"""
        return make_tea_game(tmp_path, more=more)

    def test_single_card_can_be_chosen(self, sold: Game) -> None:
        assert [card.name for card in sold.find_cards(["green-tea"])] == ["Green Tea"]
        assert sold.get_name("green-tea") == "Green Tea"

    def test_single_mixed_pile_includes_its_members(self, sold: Game) -> None:
        assert [card.name for card in sold.find_cards(["mints"])] == ["Mints", "Mint", "Candy"]
        assert sold.find_cards(["mint"]) == []  # a member is not sold by itself

    def test_card_of_an_ordinary_box_cannot_be_chosen_alone(self, sold: Game) -> None:
        assert sold.find_cards(["cake"]) == []

    def test_card_chosen_twice_is_included_once(self, sold: Game) -> None:
        found = [card.name for card in sold.find_cards(["tins", "salt"])]
        assert sorted(found) == ["Candy", "Green Tea", "Mint", "Mints", "Salt"]

    def test_box_and_single_card_can_be_combined(self, sold: Game) -> None:
        found = [card.name for card in sold.find_cards(["tea", "salt"])]
        assert "Cake" in found and "Salt" in found and "Mints" not in found

    def test_box_has_its_own_name(self, sold: Game) -> None:
        assert sold.get_name("tins") == "Tins"

    def test_same_boxes_share_a_pool(self, sold: Game) -> None:
        assert sold.get_pool(("tea",)) is sold.get_pool(("tea",))
        assert sold.get_pool(("tea",)) is not sold.get_pool(("tea", "tins"))
        assert [card.name for card in sold.get_pool(("salt",)).find_cards(Query())] == ["Salt"]

    def test_error_about_too_few_cards_names_the_boxes(self, sold: Game) -> None:
        with pytest.raises(TooFewCards, match="Tins and Green Tea have no guests; 1 are needed") as problem:
            sold.get_pool(("tins", "green-tea")).require_enough(0, 1, "guests")
        assert problem.value.boxes == (Slug("tins", "Tins"), Slug("green-tea", "Green Tea"))


def test_command_of_the_second_deal_is_named_after_the_card(game: Game, tmp_path: Path) -> None:
    assert game.second_deal_command() is None
    more = "second_deal: {by: Mad Hatter, leaves: kingdom, opening: []}\n"
    guest = "  - {name: Mad Hatter, set: tea, kind: guest}\n"
    assert make_tea_game(tmp_path, more=guest + more).second_deal_command() == "mad-hatter"


def test_box_has_default_fields(game: Game) -> None:
    assert Box("tea", "Tea", holds=(SetName("tea"),)) == game.boxes["tea"]
    assert (game.boxes["tea"].edition, game.boxes["tea"].singly, game.boxes["tea"].announced) == (
        1,
        False,
        False,
    )
