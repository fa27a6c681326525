"""What a verb says of itself: when it is done, what it brings and chooses, its options, and in words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from randomizer.cards.effect import Choice, Effect
from randomizer.cards.game import Request
from randomizer.cards.model import (
    Amount,
    CardName,
    ComponentName,
    Cost,
    Count,
    KindName,
    OpenOption,
    Query,
)
from randomizer.cards.pool import Pool
from randomizer.deal.dealer import deal_table
from randomizer.deal.decorating import Mark, Note, Place
from randomizer.deal.growing import Deal, Decide, Give, Put, Replace, TurnUp, find_turn_up, list_questions
from randomizer.deal.table import Table, TableNote
from randomizer.deal.verbs import VERBS, find_word
from randomizer.text.errors import TooFewCards
from randomizer.text.language import Language, Message, Slug
from tests.support.tea import GAME, Party, card, dishes, read

PUT = Put((CardName("Crumbs"), CardName("Rusk")))
GIVE = Give((ComponentName("Cups"),))
REPLACE = Replace(((CardName("Bread"), (CardName("Rusk"), CardName("Bun"))),))
DEAL = Deal(dishes(cost=(2,)), "aside")
TURN_UP = TurnUp(dishes(), 3)
DECIDE = Decide("party", "Party", "party", "first", dishes())
PLACE = Place(ComponentName("Sugar"))
MARK = Mark("kingdom")
NOTE = Note("Mind the cups.")

HARES = "party: {help: A party.}, hares: {help: Hares.}"
EVERY: list[Effect] = [PUT, GIVE, REPLACE, DEAL, TURN_UP, DECIDE, PLACE, MARK, NOTE]
POOL = Pool([Slug("tea", "Tea")], [card("Soup", Cost(2)), card("Toast", Cost(2)), card("Pie", Cost(4))])


class TestWhen:
    def test_tokens_marks_and_notes_come_once_everything_is_out(self) -> None:
        assert [effect.when({}) for effect in EVERY] == ["now"] * 6 + ["decoration"] * 3

    @pytest.mark.parametrize(
        ("settings", "how", "when"),
        [
            ({}, "first", "now"),
            ({"party": False}, "asked", "now"),
            ({"party_by": "random-card"}, "any", "last"),
            ({"party_by": "first-card"}, "first", "now"),
            ({"other_by": "random-card"}, "first", "now"),
            ({"party": True, "party_by": "random-card"}, "asked", "now"),
        ],
    )
    def test_a_question_about_a_random_card_comes_last(
        self, settings: Mapping[str, Any], how: str, when: str
    ) -> None:
        assert (DECIDE.get_method(settings), DECIDE.when(settings)) == (how, when)


class TestBrings:
    """The cards that certainly come into use."""

    @pytest.mark.parametrize(
        ("effect", "brings"),
        [
            (PUT, ["Crumbs", "Rusk"]),
            (PUT._replace(to="trash"), ["Crumbs", "Rusk"]),
            (PUT._replace(to="box"), []),
            (REPLACE, ["Rusk", "Bun"]),
            (DEAL, []),
            (DEAL._replace(count_=Amount(None), to="deck"), ["Soup", "Toast"]),
            (DEAL._replace(count_=Amount(None), to="box"), []),
            *((effect, []) for effect in (GIVE, TURN_UP, DECIDE, PLACE, MARK, NOTE)),
        ],
        ids=str,
    )
    def test_brings(self, effect: Effect, brings: list[str]) -> None:
        assert list(effect.brings(POOL)) == brings


class TestChoice:
    def test_only_a_deal_chooses(self) -> None:
        assert [effect for effect in EVERY if effect.choice("Cake")] == [DEAL]

    def test_it_goes_by_its_name_or_mark_or_the_card_that_asks(self) -> None:
        assert DEAL.choice("Cake").slot == "Cake"
        assert DEAL._replace(mark="Tray").choice("Cake").slot == "Tray"
        assert DEAL._replace(mark="Tray", as_="Cup").choice("Cake").slot == "Cup"
        assert DEAL.choice(None).slot == ""

    def test_what_it_is_made_among(self) -> None:
        dealt = Deal(dishes(cost=(2,)), "beside", Amount(2, "two"), each="player")
        assert dealt.choice("Cake") == Choice(
            "Cake", dishes(cost=(2,)), "beside", Amount(2, "two"), "player", 0
        )

    def test_a_deck_has_more_appetite_than_a_card_and_all_there_are_the_most(self) -> None:
        card, deck = DEAL, DEAL._replace(to="deck")
        everything = DEAL._replace(count_=Amount(None))
        face_up = deck._replace(face_up=True)
        appetites = [effect.choice("Cake").priority for effect in (card, face_up, deck, everything)]
        assert appetites == [0, 0, 1, 2]
        assert everything._replace(to="deck").choice("Cake").priority == 2
        assert [effect.choice("Cake").face_up for effect in (deck, face_up)] == [False, True]


class TestOptions:
    def test_of_a_number_with_its_default(self) -> None:
        assert list(DEAL.options()) == []
        deal = DEAL._replace(count_=Amount(10, "songs"))
        assert list(deal.options()) == [OpenOption("songs", "", default=10, least=1)]

    def test_of_the_landscapes_and_their_limits(self) -> None:
        limits = ((KindName("guest"), Amount(1, "guests")), (KindName("song"), Amount(1)))
        turn_up = TURN_UP._replace(most=Amount(2, "most"), limits=limits)
        assert list(turn_up.options()) == [
            OpenOption("most", "", default=2, least=0),
            OpenOption("guests", "", default=1, least=0),
        ]
        assert list(TURN_UP.options()) == []

    def test_of_a_question_its_own_card_and_a_random_one(self) -> None:
        assert list(DECIDE.options()) == [OpenOption("party", "", cards=("first-card", "random-card"))]
        last = DECIDE._replace(card="last")
        assert list(last.options()) == [OpenOption("party", "", cards=("last-card", "random-card"))]

    def test_the_others_have_none(self) -> None:
        for effect in (PUT, GIVE, REPLACE, PLACE, MARK, NOTE):
            assert list(effect.options()) == []


class TestDescribe:
    @pytest.mark.parametrize(
        ("effect", "said"),
        [
            (DEAL, "Cake: a single unused Kingdom card, set aside, $2"),
            (Deal(Query(), "kingdom", as_="Tray"), "Tray: an unused Kingdom pile, into the Supply"),
            (Deal(Query(), "beside"), "Cake: an unused Kingdom pile, beside the Supply"),
            (Deal(Query(), "landscapes"), "Cake: one of its kind at random"),
            (Deal(Query(), "box"), "Cake: back into the box"),
            (Deal(Query(), "deck", Amount(10)), "Cake: unused cards, as a deck, 10 cards"),
            (Deal(Query(), "deck", Amount(None)), "Cake: unused cards, as a deck"),
            (Deal(Query(), "aside", Amount(2)), "Cake: a single unused Kingdom card, set aside"),
            (PLACE._replace(piles="kingdom"), "Sugar: 1 on each pile of the Supply"),
            (
                Place(ComponentName("Sugar"), Count(((1, 2), (3, 4))), piles="supply", is_=dishes(cost=(3,))),
                "Sugar: 4 on each pile of the Supply, $3",
            ),
            (MARK, "Cake: one pile at random"),
            (MARK._replace(is_=dishes(cost=(5,))), "Cake: one pile at random, $5"),
            (NOTE, "Mind the cups."),
            *((effect, "") for effect in (PUT, GIVE, REPLACE, TURN_UP, DECIDE, PLACE)),
            (Note("{on} is warm."), ""),
        ],
        ids=str,
    )
    def test_in_words_where_it_cannot_be_seen(self, effect: Effect, said: str) -> None:
        assert effect.describe("Cake", 3, Language("en")) == said

    def test_in_another_language(self) -> None:
        french = Language(
            "fr",
            cards={"Cake": "Gâteau", "Sugar": "Sucre"},
            phrases={"back into the box": "dans la boîte", "Mind the cups.": "Attention !", ", ": " ; "},
        )
        said = [
            effect.describe("Cake", 3, french)
            for effect in (Deal(dishes(cost=(2,)), "box"), PLACE._replace(piles="supply"), MARK, NOTE)
        ]
        assert said == [
            "Gâteau: dans la boîte ; $2",
            "Sucre: 1 on each pile of the Supply",
            "Gâteau: one pile at random",
            "Attention !",
        ]


class TestTheList:
    def test_the_word_of_a_verb(self) -> None:
        assert {word: find_word(verb.effect) for word, verb in VERBS.items()} == {
            word: word for word in VERBS
        }
        assert find_word(str) is None

    def test_what_the_opening_holds(self) -> None:
        assert find_turn_up((PUT, TURN_UP, DECIDE)) is TURN_UP
        assert find_turn_up((PUT, DECIDE)) is None
        other = DECIDE._replace(question="other")
        assert list_questions((DECIDE, PUT, other)) == [DECIDE, other]


class TestWhatIsNotSaid:
    """Values of which a data file says nothing."""

    def test_piles_are_put_on_the_table(self) -> None:
        assert Put(()) == ((), "table")

    def test_one_card_is_dealt_once_under_the_name_of_the_card_that_asks(self) -> None:
        assert Deal(Query(), "aside")[2:] == (Amount(1), "", "", False, "game")

    def test_no_landscapes_are_turned_up(self) -> None:
        assert TurnUp(Query(), 3)[2:] == (Query(name=(CardName(""),)), Amount(0), ())
        assert not TurnUp(Query(), 3).landscapes.matches(card("Hare", kind="guest"))

    def test_nothing_follows_from_a_decision(self) -> None:
        assert Decide("party", "Party", "party", "first", Query()).then == ()

    def test_one_token_on_the_card_itself(self) -> None:
        assert Place(ComponentName("Sugar"))[1:] == (Count(((0, 1),)), "itself", "", Query(), "game")

    def test_a_mark_goes_on_any_pile_and_a_note_to_everybody(self) -> None:
        assert Mark("kingdom") == ("kingdom", Query(), False)
        assert Note("Mind the cups.") == ("Mind the cups.", (), "", (), "")


class TestDoing:
    """What each does on a table, beyond the plain case."""

    def test_of_a_deal_for_each_player_there_are_so_many_more(self, party: Party) -> None:
        asks = "{deal: {is: {kind: dish}, to: aside, each: player, as: Side}}"
        for players in (1, 2):
            assert len(party(asks, players=players)[1].aside) == players

    @pytest.mark.parametrize(
        ("to", "count", "missing"),
        [
            ("aside", 2, []),
            ("aside", 3, [(3, 2)]),
            ("box", 3, [(3, 2)]),
            ("aside", "all", []),
        ],
    )
    def test_too_few_are_missing(self, party: Party, to: str, count: object, missing: list[object]) -> None:
        table = party(f"{{deal: {{is: {{kind: dish}}, to: {to}, count: {count}}}}}")[1]
        assert [(each.wanted, each.found) for each in table.missing] == missing

    @pytest.mark.parametrize(("to", "missing"), [("deck", [(None, 0)]), ("box", [])])
    def test_all_of_none_are_missing_except_for_the_box(
        self, party: Party, to: str, missing: list[object]
    ) -> None:
        table = party(f"{{deal: {{is: {{cost: 9}}, to: {to}, count: all}}}}")[1]
        assert [(each.wanted, each.found) for each in table.missing] == missing

    def test_all_of_one_are_enough(self, party: Party) -> None:
        table = party("{deal: {is: {cost: 5}, to: deck, as: Tray, count: all}}")[1]
        assert [card.name for card in table.decks["Tray"].cards] == ["Tart"] and not table.missing

    def test_landscapes_belong_to_the_players_in_turn(self, party: Party) -> None:
        more = "".join(f"  - {{name: Guest {n}, set: tea, kind: guest, types: [Guest]}}\n" for n in range(4))
        asks = "{deal: {is: {kind: guest}, to: landscapes, each: player, count: 2}}"
        table = party(asks, more=more, players=2, guests=0)[1]
        assert [table.owners[name] for name in table.landscapes] == [1, 2, 1, 2]

    def test_landscapes_of_the_game_belong_to_nobody(self, party: Party) -> None:
        table = party("{deal: {is: {kind: guest}, to: landscapes}}", guests=0)[1]
        assert len(table.landscapes) == 1 and not table.owners

    def test_a_deck_is_asked_for_again_by_its_name(self, party: Party) -> None:
        deck = "{deal: {is: {kind: song}, to: deck, as: Songs, count: all}}"
        table = party({"Cake": deck, "Pie": deck})[1]
        assert table.get_causes("Songs") == ["Cake", "Pie"]
        assert {card.name for card in table.decks["Songs"].cards} == {"Waltz", "Jig"}

    def test_face_up_beside_a_deck_of_the_same_name(self, party: Party) -> None:
        deck = "{deal: {is: {kind: song}, to: deck, as: Songs, count: 1%s}}"
        table = party(f"[{deck % ''}, {deck % ', face_up: true'}]", stacked={"Songs, face up": ["Jig"]})[1]
        assert [card.name for card in table.decks["Songs"].face_up] == ["Jig"]
        assert [card.name for card in table.decks["Songs"].cards] == ["Waltz"]

    def test_what_there_is_no_card_to_replace_for_is_missing(self, party: Party) -> None:
        (missing,) = party("{replace: {Pie: [Rusk]}}")[1].missing
        assert missing == ("Rusk", "Cake", Query(name=(CardName("Pie"),)), 1, 0, "starting deck")

    def test_a_mark_that_finds_no_pile_is_missing(self, party: Party) -> None:
        (missing,) = party("{mark: {piles: kingdom, is: {cost: 9}}}")[1].missing
        assert missing == ("Cake", "Cake", Query(cost=(9,)), 1, 0, "table")

    def test_marks_apart_are_on_different_piles(self, party: Party) -> None:
        mark = "{mark: {piles: kingdom, is: {cost: [2, 4]}, apart: true}}"
        table = party({"Cake": mark, "Soup": mark, "Pie": mark})[1]
        marked = table.marks
        assert sorted(marks for marks in marked.values()) == [["Cake"], ["Soup"]]
        assert [missing.slot for missing in table.missing] == ["Pie"]

    def test_marks_apart_mind_only_those_of_their_own_kind(self, party: Party) -> None:
        mark = "{mark: {piles: kingdom, is: {cost: 2}, apart: %s}}"
        table = party({"Cake": mark % "false", "Hare": mark % "true"}, ["Hare", "Cake", "Soup", "Pie"])[1]
        assert table.marks["Soup"] == ["Cake", "Hare"] or table.marks["Soup"] == ["Hare", "Cake"]
        assert table.get_marked_pile("Hare") == "Soup" and not table.missing
        table = party({"Cake": mark % "true", "Soup": mark % "false", "Pie": mark % "true"})[1]
        assert {missing.slot for missing in table.missing} == {"Pie"}

    def test_a_note_about_the_pile_that_a_landscape_is_on(self, party: Party) -> None:
        asks = "[{note: '{on} is cold.'}, {mark: {piles: kingdom, is: {cost: 2}}}, {note: '{on} is warm.'}]"
        table = party({"Hare": asks}, ["Hare", "Cake", "Soup", "Pie"])[1]
        assert [str(note) for note in table.notes] == ["Soup is warm."]
        assert party(asks)[1].notes == []  # a pile is on nothing

    def test_a_note_once_with_all_who_ask_for_it(self, party: Party) -> None:
        table = party({"Cake": "{note: Mind.}", "Pie": "{note: Mind.}"})[1]
        assert len(table.notes) == 1 and table.get_causes(table.notes[0]) == ["Cake", "Pie"]

    @pytest.mark.parametrize(("players", "notes"), [(1, 0), (2, 1), (3, 1), (4, 0)])
    def test_a_note_for_some_numbers_of_players(self, party: Party, players: int, notes: int) -> None:
        asks = "{note: {say: Mind., players: [2, 3]}}"
        assert len(party(asks, players=players)[1].notes) == notes

    def test_a_plain_note_has_nothing_to_put_in(self, party: Party) -> None:
        assert party("{note: Mind.}")[1].notes == [TableNote(Message("Mind."))]

    @pytest.mark.parametrize(
        ("piles", "on"), [("kingdom", ["Cake", "Soup", "Pie"]), ("supply", ["Bread", "Cake", "Soup", "Pie"])]
    )
    def test_tokens_on_the_kingdom_or_on_all_of_the_supply(
        self, party: Party, piles: str, on: list[str]
    ) -> None:
        table = party(f"{{place: {{token: Sugar, piles: {piles}}}}}")[1]
        assert [spot.on for spot in table.tokens] == on

    def test_tokens_for_each_player_or_for_the_game(self, party: Party) -> None:
        table = party("[{place: {token: Sugar, on: Cups, each: player}}, {place: {token: Sugar, on: Cups}}]")[
            1
        ]
        assert [spot.each for spot in table.tokens] == ["player", "game"]
        assert [table.get_causes(spot) for spot in table.tokens] == [["Cake"], ["Cake"]]


class TestTurningUp:
    @pytest.mark.parametrize(
        ("first", "guests", "used", "skipped"),
        [
            (["Hare", "Hatter"], 0, [], []),
            (["Hare", "Hatter"], 1, ["Hare"], ["Hatter"]),
            (["Hare", "Hatter"], 2, ["Hare", "Hatter"], []),
            (["Cake", "Soup", "Pie", "Hare"], 2, [], []),
        ],
    )
    def test_landscapes_up_to_the_most(
        self, party: Party, first: list[str], guests: int, used: list[str], skipped: list[str]
    ) -> None:
        table = party("", [*first, "Cake", "Soup", "Pie"], guests=guests)[1]
        by_use = [
            [turned.card.name for turned in table.turned if turned.use == use]
            for use in ("landscape", "skipped")
        ]
        assert by_use == [used, skipped]
        assert [str(turned.because) for turned in table.turned if turned.because] == [
            f"{guests} landscapes are out already" for _ in skipped
        ]

    def test_kingdom_cards_are_numbered_and_landscapes_are_not(self, party: Party) -> None:
        table = party("", ["Cake", "Hare", "Soup", "Pie"])[1]
        assert [turned.position for turned in table.turned] == [1, None, 2, 3]

    def test_what_is_turned_up_is_because_of_nothing(self, party: Party) -> None:
        table = party("", ["Hare", "Cake", "Soup", "Pie"])[1]
        assert table.get_causes("Hare") == table.get_causes("Cake") == []

    @pytest.mark.parametrize("guests", [0, 1, 2])
    def test_a_deck_of_landscapes_deals_just_the_most(self, party: Party, guests: int) -> None:
        table = party("", landscapes_from="deck", guests=guests)[1]
        assert len(table.landscapes) == guests
        assert [turned.use for turned in table.turned] == ["landscape"] * guests + ["kingdom"] * 3

    def test_a_deck_with_too_few_landscapes_is_refused(self, party: Party) -> None:
        with pytest.raises(Exception, match="Tea has 2 landscapes: 3 are needed"):
            party("", landscapes_from="deck", guests=3)


class TestLimits:
    """Of a kind of landscape no more are used than its limit says."""

    def laid(self, folder: Path, settings: Mapping[str, Any], most: int = 3) -> Table:
        limits = f"default: {most}}}, limits: {{guest: {{option: hares, default: 1}}}}}}"
        text = GAME.replace("default: 1}}", limits).replace("party: {help: A party.}", HARES)
        text = text.replace("{kind: guest}, most", "{kind: [guest, song]}, most")
        game = read(folder, text.replace("song: {is: card}", "song: {is: landscape, title: Songs}") % "[]")
        first = ["Hare", "Hatter", "Waltz", "Jig", "Cake", "Soup", "Pie"]
        return deal_table(game, Request(("tea",), 2, "x", settings), {"randomizers": first})

    @pytest.mark.parametrize(
        ("hares", "used"),
        [(0, ["Waltz", "Jig"]), (1, ["Hare", "Waltz", "Jig"]), (2, ["Hare", "Hatter", "Waltz"])],
    )
    def test_the_next_of_another_kind_is_used_instead(
        self, tmp_path: Path, hares: int, used: list[str]
    ) -> None:
        assert list(self.laid(tmp_path, {"hares": hares}).landscapes) == used

    def test_it_is_said(self, tmp_path: Path) -> None:
        said = [str(turned.because) for turned in self.laid(tmp_path, {}).turned if turned.because]
        assert said == ["no more Guests are used"]

    def test_a_deck_of_which_too_few_may_be_used_together_is_refused(self, tmp_path: Path) -> None:
        assert len(self.laid(tmp_path, {"landscapes_from": "deck"}).landscapes) == 3
        with pytest.raises(TooFewCards, match="Tea has 3 landscapes that may be used together: 4 are needed"):
            self.laid(tmp_path, {"landscapes_from": "deck", "guests": 4})


class TestDeciding:
    def test_the_answer_and_what_follows(self, party: Party) -> None:
        (decision,) = party("")[1].decisions
        assert (decision.question, decision.title, decision.answer, decision.method) == (
            "party",
            "Party",
            True,
            "first",
        )
        assert decision.card and decision.card.name == "Cake"
        assert party("")[1].get_causes("Sugar") == ["Party"]

    @pytest.mark.parametrize("answer", [True, False])
    def test_by_force_no_card_is_looked_at(self, party: Party, answer: bool) -> None:
        table = party("", party=answer)[1]
        assert table.decisions[0][2:5] == (answer, "asked", None)
        assert ("Sugar" in table.components) is answer

    def test_a_random_card_is_any_of_those_turned_up(self, party: Party) -> None:
        for name in ("Cake", "Soup", "Pie"):
            table = party("", party_by="random-card", stacked={"party": [name]})[1]
            (decision,) = table.decisions
            assert decision.card and decision.card.name == name and decision.method == "any"
            assert decision.answer is (name != "Soup")
