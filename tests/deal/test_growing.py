"""Tests of the growing verbs with named kingdoms, at a second deal, and with too few cards."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom
from randomizer.cards.model import MAX_NUMBER, Amount, CardName, Query
from randomizer.deal.dealer import PreviousTable, deal_second_table, deal_table
from randomizer.deal.growing import Deal, Decide
from randomizer.deal.table import Decision, Table
from randomizer.text.errors import TooFewCards
from tests.support.tea import make_dish_query, make_feast_game

SECOND = "second_deal: {by: Hare, leaves: kingdom, opening: [{turn_up: {is: {kind: dish}, count: 1}}]}\n"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return make_feast_game(tmp_path_factory.mktemp("tea"), SECOND)


def asking(game: Game, **effects: Any) -> Game:
    """The game in which these cards ask for something, each for one thing."""
    return game._replace(setup={name: (effect,) for name, effect in effects.items()})


def laid(
    game: Game, *first: str, kingdom: Kingdom | None = None, sets: Sequence[str] = ("tea",), **settings: Any
) -> Table:
    request = Request(tuple(sets), 2, "x", settings)
    named = request if kingdom is None else request._replace(kingdom=kingdom)
    return deal_table(game, named, {"randomizers": first or ("Cake", "Soup", "Pie")})


def turned(table: Table) -> list[tuple[str, str, int | None]]:
    return [(each.card.name, each.use, each.position) for each in table.turned]


def unusual(table: Table) -> list[str]:
    return [str(message) for message in table.unusual_messages]


def named(*cards: str, on: Mapping[str, str] = {}, **chosen: tuple[str, ...]) -> Kingdom:
    return Kingdom(cards, (), chosen, on)


class TestDeal:
    """A choice for which the user named some cards."""

    TWO = Deal(make_dish_query(cost=(4, 5)), "beside", Amount(2), as_="Tray")

    def test_named_cards_are_chosen_first_and_the_rest_is_drawn(self, game: Game) -> None:
        table = laid(asking(game, Cake=self.TWO), kingdom=named("Cake", "Soup", "Toast", Tray=("Tart",)))
        assert table.slots["Tray"][0] == "Tart" and len(table.slots["Tray"]) == 2
        assert [card.name for card in table.drawn["Tray"]] == table.slots["Tray"]
        assert {table.get_place(table.piles[name]) for name in table.slots["Tray"]} == {"beside"}
        assert not unusual(table) and not table.missing

    def test_all_named_cards_are_chosen_even_if_too_many(self, game: Game) -> None:
        chosen = ("Tart", "Pie", "Jelly")
        table = laid(asking(game, Cake=self.TWO), kingdom=named("Cake", "Soup", "Toast", Tray=chosen))
        assert table.slots["Tray"] == list(chosen)

    def test_named_cards_come_first_when_all_cards_are_chosen(self, game: Game) -> None:
        every = self.TWO._replace(count_=Amount(None), to="deck")
        table = laid(asking(game, Cake=every), kingdom=named("Cake", "Soup", "Toast", Tray=("Pie",)))
        cards = [card.name for card in table.decks["Tray"].cards]
        assert cards[0] == "Pie" and sorted(cards) == ["Guard", "Jelly", "Pie", "Tart"]
        assert "Tray" not in table.drawn  # it was no choice of so many

    def test_named_cards_that_do_not_match_are_reported(self, game: Game) -> None:
        chosen = ("Toast", "Hare", "Tart")
        table = laid(asking(game, Cake=self.TWO), kingdom=named("Cake", "Soup", "Pie", Tray=chosen))
        assert unusual(table) == [
            "Toast was chosen for Tray, but doesn't meet its conditions.",
            "Hare was chosen for Tray, but doesn't meet its conditions.",
        ]

    @pytest.mark.parametrize(("cost", "matches"), [(6, True), (2, False)])
    def test_named_mixed_pile_matches_by_its_randomizer_only(
        self, game: Game, cost: int, matches: bool
    ) -> None:
        """The randomizer of the Tray costs 6, and one of its cards costs 2."""
        one = self.TWO._replace(is_=make_dish_query(cost=(cost,)), count_=Amount(1))
        table = laid(asking(game, Cake=one), kingdom=named("Cake", "Soup", "Pie", Tray=("Tray",)))
        report = "Tray was chosen for Tray, but doesn't meet its conditions."
        assert unusual(table) == ([] if matches else [report])

    @pytest.mark.parametrize(
        ("to", "cost", "found"),
        [
            ("aside", 3, ["Fig"]),
            ("deck", 3, ["Fig"]),
            ("aside", 6, []),
            ("beside", 6, ["Tray"]),
            ("kingdom", 6, ["Tray"]),
            ("beside", 3, []),
        ],
    )
    def test_single_cards_are_members_and_piles_are_mixed_piles(
        self, game: Game, to: Any, cost: int, found: list[str]
    ) -> None:
        deal = Deal(make_dish_query(cost=(cost,)), to, as_="Choice")
        table = laid(asking(game, Cake=deal))
        assert [card.name for card in table.drawn["Choice"]] == found
        assert len(table.missing) == 1 - len(found)
        assert [table.get_causes(name)[0] for name in found] == ["Cake"] * len(found)
        laid_out = [
            (table.get_place(table.piles[name]), table.marks[name]) for name in found if name in table.piles
        ]
        assert laid_out == [(to, ["Choice"])] * (len(found) if to in ("beside", "kingdom") else 0)

    def test_choice_is_made_once_with_all_askers_as_causes(self, game: Game) -> None:
        table = laid(asking(game, Cake=self.TWO, Soup=self.TWO))
        assert len(table.slots["Tray"]) == 2
        assert [table.get_causes(name) for name in table.slots["Tray"]] == [["Cake", "Soup"]] * 2

    def test_count_is_multiplied_by_players_up_to_the_maximum(self, game: Game) -> None:
        deal = Deal(make_dish_query(cost=(9,)), "beside", Amount(MAX_NUMBER - 1), each="player")
        (missing,) = laid(asking(game, Cake=deal)).missing
        assert (missing.wanted, missing.found, missing.cause, missing.slot) == (MAX_NUMBER, 0, "Cake", "Cake")
        assert (missing.query, missing.among) == (deal.is_, "unused")

    def test_landscapes_have_owners_only_if_dealt_to_each_player(self, game: Game) -> None:
        hosts = Query(kind=make_dish_query(kind=("host",)).kind)
        for each, owners in (("game", [0]), ("player", [1, 2])):
            deal = Deal(hosts, "landscapes", each=each)  # type: ignore[arg-type]
            table = laid(asking(game, Cake=deal), guests=0)
            assert sorted(table.owner_numbers.get(name, 0) for name in table.landscapes) == owners


class TestSecondDeal:
    """What is turned over of a deck that was dealt at the first."""

    def dealt(self, game: Game, count: int | None) -> Table:
        songs = Query(name=(CardName("Waltz"), CardName("Jig")))
        deal = Deal(songs, "deck", Amount(count), as_="Songs", face_up=True)
        names = ("Soup", "Pie", "Toast", "Tart", "Cake", "Jelly", "Guard", "Tray")
        asks = asking(game, **dict.fromkeys(names, deal))
        before = PreviousTable(["Waltz", "Hare"], [], {}, {"Songs": ["Waltz", "Hare", "Nobody"]}, {})
        return deal_second_table(asks, Request(("tea",), 2, "x"), before)

    @pytest.mark.parametrize("count", [1, None])
    def test_face_up_card_is_drawn_from_matching_cards_of_existing_deck(
        self, game: Game, count: int | None
    ) -> None:
        deck = self.dealt(game, count).decks["Songs"]
        assert [card.name for card in deck.face_up] == ["Waltz"] and not deck.cards

    def test_face_up_cards_of_existing_deck_have_their_own_order(self, game: Game) -> None:
        """It differs from the order of the randomizers with the same seed."""
        songs = Query(name=tuple(map(CardName, ("Waltz", "Jig", "King", "Queen", "Hatter"))))
        deal = Deal(songs, "deck", Amount(2), as_="Songs", face_up=True)
        lying = {"Songs": list(songs.name)}
        found = set()
        for seed in "abcdefgh":
            for slot in ("Songs", "Other"):
                asks = asking(game, **dict.fromkeys(game.cards, deal._replace(as_=slot)))
                before = PreviousTable([], [], {}, {slot: lying["Songs"]}, {})
                table = deal_second_table(asks, Request(("tea",), 2, seed), before)
                found.add((slot, tuple(card.name for card in table.decks[slot].face_up)))
        assert {len(names) for _, names in found} == {2}
        assert {names for slot, names in found if slot == "Songs"} != {
            names for slot, names in found if slot == "Other"
        }

    def test_too_few_matching_cards_in_existing_deck_are_missing(self, game: Game) -> None:
        (missing,) = self.dealt(game, 2).missing
        assert (missing.slot, missing.wanted, missing.found) == ("Songs", 2, 1)


class TestTurnUp:
    def test_named_cards_are_turned_up_first(self, game: Game) -> None:
        table = laid(game, "Hatter", "Jig", "Pie", kingdom=Kingdom(("Cake", "Soup"), ("Hare",)))
        assert turned(table) == [
            ("Cake", "kingdom", 1),
            ("Soup", "kingdom", 2),
            ("Hare", "landscape", None),
            ("Hatter", "skipped", None),
            ("Jig", "landscape", None),
            ("Pie", "kingdom", 3),
        ]
        assert [str(each.skip_reason) for each in table.turned if each.skip_reason] == [
            "no more Guests can be used"
        ]
        assert not unusual(table)

    def test_nothing_is_turned_up_if_enough_cards_are_named(self, game: Game) -> None:
        for cards in (("Cake", "Soup", "Pie"), ("Cake", "Soup", "Pie", "Toast")):
            table = laid(game, "Hatter", kingdom=Kingdom(cards))
            assert [card.name for card in table.kingdom] == list(cards) and not table.landscapes

    def test_too_many_named_cards_are_reported(self, game: Game) -> None:
        kingdom = Kingdom(("Cake", "Soup", "Pie", "Toast"), ("Hare", "Hatter", "Jig"))
        assert unusual(laid(game, kingdom=kingdom)) == [
            "4 Kingdom cards were chosen; a game normally has 3.",
            "3 landscapes were chosen; normally at most 2 are used.",
            "2 of these landscapes are of the same kind; normally at most 1 is used.",
        ]
        assert unusual(laid(game, kingdom=kingdom, guests=3, hares=2)) == [
            "4 Kingdom cards were chosen; a game normally has 3."
        ]

    def test_landscape_deck_completes_named_landscapes(self, game: Game) -> None:
        kingdom = Kingdom(("Cake",), ("Hare",))
        table = laid(game, kingdom=kingdom, landscapes_from="deck", guests=3)
        assert sorted(table.landscapes) == ["Hare", "Jig", "Waltz"] and len(table.kingdom) == 3

    @pytest.mark.parametrize(
        ("settings", "said"),
        [
            ({"guests": 5}, "Tea has 4 landscapes; 5 are needed"),
            ({"guests": 4}, "Tea has 3 landscapes that can be used together; 4 are needed"),
            ({"guests": 3, "hares": 0}, "Tea has 2 landscapes that can be used together; 3 are needed"),
        ],
    )
    def test_landscape_deck_with_too_few_landscapes_is_refused(
        self, game: Game, settings: Mapping[str, Any], said: str
    ) -> None:
        with pytest.raises(TooFewCards) as problem:
            laid(game, landscapes_from="deck", **settings)
        assert str(problem.value).startswith(said)
        with pytest.raises(TooFewCards) as problem:  # those that are named are some of them
            laid(game, landscapes_from="deck", **settings, kingdom=Kingdom((), ("Jig",)))
        assert str(problem.value).startswith(said)

    def test_too_few_kingdom_cards_are_refused(self, game: Game) -> None:
        with pytest.raises(TooFewCards) as problem:
            laid(game, sets=("jam",))
        assert str(problem.value) == "Red Jam has 2 Kingdom cards; 3 are needed."
        with pytest.raises(TooFewCards, match="has 1 Kingdom card; 3 are needed"):
            laid(game, sets=("jam",), kingdom=Kingdom(chosen={"Tray": ("Plum",)}))


class TestDecide:
    QUESTION = Decide("party", "Party", "party", "last", make_dish_query(type=("Sweet",)))

    def decided(self, game: Game, *first: str, sets: Sequence[str] = ("tea",), **settings: Any) -> Decision:
        game = game._replace(opening=(*game.opening[:2], self.QUESTION))
        (decision,) = laid(game, *first, sets=sets, **settings).decisions
        return decision

    def test_last_card_is_looked_at(self, game: Game) -> None:
        assert self.decided(game, "Cake", "Soup", "Toast")[:4] == ("party", "Party", False, "last")
        decision = self.decided(game, "Soup", "Toast", "Cake")
        assert decision.answer and decision.card and decision.card.name == "Cake"

    def test_decision_is_possible_if_a_kind_of_the_boxes_allows_it(self, game: Game) -> None:
        assert self.decided(game, "Soup", "Toast", "Guard").is_possible
        bitter = Decide("party", "Party", "party", "last", make_dish_query(type=("Royal",)))
        other = game._replace(opening=(*game.opening[:2], bitter))
        (decision,) = laid(other, "Cake", "Soup", "Toast").decisions
        assert not decision.answer and not decision.is_possible
        hosts = bitter._replace(is_=Query(type=make_dish_query(type=("Royal",)).type))
        (decision,) = laid(game._replace(opening=(*game.opening[:2], hosts))).decisions
        assert not decision.is_possible  # no Kingdom card is such a landscape

    def test_previous_decision_is_kept(self, game: Game) -> None:
        assert not self.decided(game, "Soup", "Toast", "Cake", party=False).answer
        decision = self.decided(game, "Soup", "Toast", "Guard", party=True)
        assert (decision.answer, decision.method, decision.card) == (True, "asked", None)
