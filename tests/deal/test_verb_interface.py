"""Tests of the interface of verbs: when they run, what they bring and choose, options, descriptions."""

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
from randomizer.deal.verbs import VERBS, find_verb_name
from randomizer.text.errors import TooFewCards
from randomizer.text.language import Language, Message, Slug
from tests.support.tea import GAME_TEMPLATE, DealTea, make_card, make_dish_query, read_game_texts

PUT = Put((CardName("Crumbs"), CardName("Rusk")))
GIVE = Give((ComponentName("Cups"),))
REPLACE = Replace(((CardName("Bread"), (CardName("Rusk"), CardName("Bun"))),))
DEAL = Deal(make_dish_query(cost=(2,)), "aside")
TURN_UP = TurnUp(make_dish_query(), Amount(3))
DECIDE = Decide("party", "Party", "party", "first", make_dish_query())
PLACE = Place(ComponentName("Sugar"))
MARK = Mark("kingdom")
NOTE = Note("Mind the cups.")

HARES = "party: {help: A party.}, hares: {help: Hares.}"
EVERY: list[Effect] = [PUT, GIVE, REPLACE, DEAL, TURN_UP, DECIDE, PLACE, MARK, NOTE]
POOL = Pool(
    [Slug("tea", "Tea")], [make_card("Soup", Cost(2)), make_card("Toast", Cost(2)), make_card("Pie", Cost(4))]
)


class TestWhen:
    def test_decorating_verbs_run_as_decoration(self) -> None:
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
    def test_decision_about_a_random_card_runs_last(
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
    def test_verbs_bring_certain_cards(self, effect: Effect, brings: list[str]) -> None:
        assert list(effect.brings(POOL)) == brings


class TestChoice:
    def test_only_deal_has_a_choice(self) -> None:
        assert [effect for effect in EVERY if effect.choice("Cake")] == [DEAL]

    def test_slot_is_the_name_or_mark_or_asking_card(self) -> None:
        assert DEAL.choice("Cake").slot == "Cake"
        assert DEAL._replace(mark="Tray").choice("Cake").slot == "Tray"
        assert DEAL._replace(mark="Tray", as_="Cup").choice("Cake").slot == "Cup"
        assert DEAL.choice(None).slot == ""

    def test_choice_has_query_destination_and_amount(self) -> None:
        dealt = Deal(make_dish_query(cost=(2,)), "beside", Amount(2, "two"), each="player")
        assert dealt.choice("Cake") == Choice(
            "Cake", make_dish_query(cost=(2,)), "beside", Amount(2, "two"), "player", 0
        )

    def test_priority_rises_from_single_cards_to_decks_to_all(self) -> None:
        card, deck = DEAL, DEAL._replace(to="deck")
        everything = DEAL._replace(count_=Amount(None))
        face_up = deck._replace(face_up=True)
        appetites = [effect.choice("Cake").priority for effect in (card, face_up, deck, everything)]
        assert appetites == [0, 0, 1, 2]
        assert everything._replace(to="deck").choice("Cake").priority == 2
        assert [effect.choice("Cake").face_up for effect in (deck, face_up)] == [False, True]


class TestOptions:
    def test_amount_has_an_open_option_with_default(self) -> None:
        assert list(DEAL.options()) == []
        deal = DEAL._replace(count_=Amount(10, "songs"))
        assert list(deal.options()) == [OpenOption("songs", "", default=10, least=1)]

    def test_turn_up_has_options_for_landscapes_and_limits(self) -> None:
        limits = ((KindName("guest"), Amount(1, "guests")), (KindName("song"), Amount(1)))
        turn_up = TURN_UP._replace(most=Amount(2, "most"), limits=limits)
        assert list(turn_up.options()) == [
            OpenOption("most", "", default=2, least=0),
            OpenOption("guests", "", default=1, least=0),
        ]
        assert list(TURN_UP.options()) == []

    def test_decide_has_an_option_with_both_cards(self) -> None:
        assert list(DECIDE.options()) == [OpenOption("party", "", cards=("first-card", "random-card"))]
        last = DECIDE._replace(card="last")
        assert list(last.options()) == [OpenOption("party", "", cards=("last-card", "random-card"))]

    def test_other_verbs_have_no_options(self) -> None:
        for effect in (PUT, GIVE, REPLACE, PLACE, MARK, NOTE):
            assert list(effect.options()) == []


class TestDescribe:
    @pytest.mark.parametrize(
        ("effect", "said"),
        [
            (DEAL, "Cake: a single unused Kingdom card, set aside, $2"),
            (Deal(Query(), "kingdom", as_="Tray"), "Tray: an unused Kingdom pile, added to the Supply"),
            (Deal(Query(), "beside"), "Cake: an unused Kingdom pile, placed beside the Supply"),
            (Deal(Query(), "landscapes"), "Cake: a random one of its kind"),
            (Deal(Query(), "box"), "Cake: returned to the box"),
            (Deal(Query(), "deck", Amount(10)), "Cake: unused cards, as a deck, 10 cards"),
            (Deal(Query(), "deck", Amount(None)), "Cake: unused cards, as a deck"),
            (Deal(Query(), "aside", Amount(2)), "Cake: a single unused Kingdom card, set aside"),
            (PLACE._replace(piles="kingdom"), "Sugar: 1 on each Supply pile"),
            (
                Place(
                    ComponentName("Sugar"),
                    Count(((1, 2), (3, 4))),
                    piles="supply",
                    is_=make_dish_query(cost=(3,)),
                ),
                "Sugar: 4 on each Supply pile, $3",
            ),
            (MARK, "Cake: a random pile"),
            (MARK._replace(is_=make_dish_query(cost=(5,))), "Cake: a random pile, $5"),
            (NOTE, "Mind the cups."),
            *((effect, "") for effect in (PUT, GIVE, REPLACE, TURN_UP, DECIDE, PLACE)),
            (Note("{on} is warm."), ""),
        ],
        ids=str,
    )
    def test_verbs_describe_what_the_table_does_not_show(self, effect: Effect, said: str) -> None:
        assert effect.describe("Cake", 3, Language("en")) == said

    def test_verbs_describe_themselves_in_other_languages(self) -> None:
        french = Language(
            "fr",
            cards={"Cake": "Gâteau", "Sugar": "Sucre"},
            phrases={"returned to the box": "dans la boîte", "Mind the cups.": "Attention !", ", ": " ; "},
        )
        said = [
            effect.describe("Cake", 3, french)
            for effect in (
                Deal(make_dish_query(cost=(2,)), "box"),
                PLACE._replace(piles="supply"),
                MARK,
                NOTE,
            )
        ]
        assert said == [
            "Gâteau: dans la boîte ; $2",
            "Sucre: 1 on each Supply pile",
            "Gâteau: a random pile",
            "Attention !",
        ]


class TestVerbList:
    def test_find_word_returns_the_word_of_a_verb(self) -> None:
        assert {word: find_verb_name(verb) for word, verb in VERBS.items()} == {word: word for word in VERBS}
        assert find_verb_name(str) is None

    def test_opening_has_turn_up_and_questions(self) -> None:
        assert find_turn_up((PUT, TURN_UP, DECIDE)) is TURN_UP
        assert find_turn_up((PUT, DECIDE)) is None
        other = DECIDE._replace(question="other")
        assert list_questions((DECIDE, PUT, other)) == [DECIDE, other]


class TestDefaults:
    """Default values of fields that a data file leaves out."""

    def test_put_defaults_to_the_table(self) -> None:
        assert Put(()) == ((), "table")

    def test_deal_defaults_to_one_card_named_after_its_asker(self) -> None:
        assert Deal(Query(), "aside")[2:] == (Amount(1), "", "", False, "game")

    def test_turn_up_defaults_to_no_landscapes(self) -> None:
        assert TurnUp(Query(), Amount(3))[2:] == (Query(name=(CardName(""),)), Amount(0), (), ())
        assert not TurnUp(Query(), Amount(3)).landscapes.matches(make_card("Hare", kind="guest"))

    def test_decide_defaults_to_no_effects(self) -> None:
        assert Decide("party", "Party", "party", "first", Query()).then == ()

    def test_place_defaults_to_one_token_on_the_card(self) -> None:
        assert Place(ComponentName("Sugar"))[1:] == (Count(((0, 1),)), "itself", "", Query(), "game")

    def test_mark_and_note_default_to_any_pile_and_player_count(self) -> None:
        assert Mark("kingdom") == ("kingdom", Query(), False)
        assert Note("Mind the cups.") == ("Mind the cups.", (), "", (), "")


class TestApply:
    """What the verbs do on a table, beyond the simplest case."""

    def test_deal_for_each_player_multiplies_the_count(self, deal_tea: DealTea) -> None:
        asks = "{deal: {is: {kind: dish}, to: aside, each: player, as: Side}}"
        for players in (1, 2):
            assert len(deal_tea(asks, players=players)[1].aside) == players

    @pytest.mark.parametrize(
        ("to", "count", "missing"),
        [
            ("aside", 2, []),
            ("aside", 3, [(3, 2)]),
            ("box", 3, [(3, 2)]),
            ("aside", "all", []),
        ],
    )
    def test_deal_of_too_few_cards_reports_missing(
        self, deal_tea: DealTea, to: str, count: object, missing: list[object]
    ) -> None:
        table = deal_tea(f"{{deal: {{is: {{kind: dish}}, to: {to}, count: {count}}}}}")[1]
        assert [(each.wanted, each.found) for each in table.missing] == missing

    @pytest.mark.parametrize(("to", "missing"), [("deck", [(None, 0)]), ("box", [])])
    def test_deal_of_all_without_matches_reports_missing_except_to_box(
        self, deal_tea: DealTea, to: str, missing: list[object]
    ) -> None:
        table = deal_tea(f"{{deal: {{is: {{cost: 9}}, to: {to}, count: all}}}}")[1]
        assert [(each.wanted, each.found) for each in table.missing] == missing

    def test_deal_of_all_with_one_match_reports_nothing(self, deal_tea: DealTea) -> None:
        table = deal_tea("{deal: {is: {cost: 5}, to: deck, as: Tray, count: all}}")[1]
        assert [card.name for card in table.decks["Tray"].cards] == ["Tart"] and not table.missing

    def test_landscapes_are_owned_by_players_in_turn(self, deal_tea: DealTea) -> None:
        more = "".join(f"  - {{name: Guest {n}, set: tea, kind: guest, types: [Guest]}}\n" for n in range(4))
        asks = "{deal: {is: {kind: guest}, to: landscapes, each: player, count: 2}}"
        table = deal_tea(asks, more=more, players=2, guests=0)[1]
        assert [table.owner_numbers[name] for name in table.landscapes] == [1, 2, 1, 2]

    def test_landscapes_of_the_game_have_no_owner(self, deal_tea: DealTea) -> None:
        table = deal_tea("{deal: {is: {kind: guest}, to: landscapes}}", guests=0)[1]
        assert len(table.landscapes) == 1 and not table.owner_numbers

    def test_deck_asked_for_again_gets_another_cause(self, deal_tea: DealTea) -> None:
        deck = "{deal: {is: {kind: song}, to: deck, as: Songs, count: all}}"
        table = deal_tea({"Cake": deck, "Pie": deck})[1]
        assert table.get_causes("Songs") == ["Cake", "Pie"]
        assert {card.name for card in table.decks["Songs"].cards} == {"Waltz", "Jig"}

    def test_face_up_cards_join_the_deck_of_the_same_name(self, deal_tea: DealTea) -> None:
        deck = "{deal: {is: {kind: song}, to: deck, as: Songs, count: 1%s}}"
        table = deal_tea(f"[{deck % ''}, {deck % ', face_up: true'}]", stacked={"Songs, face up": ["Jig"]})[1]
        assert [card.name for card in table.decks["Songs"].face_up] == ["Jig"]
        assert [card.name for card in table.decks["Songs"].cards] == ["Waltz"]

    def test_replace_without_old_card_reports_missing(self, deal_tea: DealTea) -> None:
        (missing,) = deal_tea("{replace: {Pie: [Rusk]}}")[1].missing
        assert missing == ("Rusk", "Cake", Query(name=(CardName("Pie"),)), 1, 0, "starting deck")

    def test_mark_without_pile_reports_missing(self, deal_tea: DealTea) -> None:
        (missing,) = deal_tea("{mark: {piles: kingdom, is: {cost: 9}}}")[1].missing
        assert missing == ("Cake", "Cake", Query(cost=(9,)), 1, 0, "table")

    def test_marks_apart_choose_different_piles(self, deal_tea: DealTea) -> None:
        mark = "{mark: {piles: kingdom, is: {cost: [2, 4]}, apart: true}}"
        table = deal_tea({"Cake": mark, "Soup": mark, "Pie": mark})[1]
        marked = table.marks
        assert sorted(marks for marks in marked.values()) == [["Cake"], ["Soup"]]
        assert [missing.slot for missing in table.missing] == ["Pie"]

    def test_marks_apart_ignore_marks_of_other_kinds(self, deal_tea: DealTea) -> None:
        mark = "{mark: {piles: kingdom, is: {cost: 2}, apart: %s}}"
        table = deal_tea({"Cake": mark % "false", "Hare": mark % "true"}, ["Hare", "Cake", "Soup", "Pie"])[1]
        assert table.marks["Soup"] == ["Cake", "Hare"] or table.marks["Soup"] == ["Hare", "Cake"]
        assert table.get_marked_pile("Hare") == "Soup" and not table.missing
        table = deal_tea({"Cake": mark % "true", "Soup": mark % "false", "Pie": mark % "true"})[1]
        assert {missing.slot for missing in table.missing} == {"Pie"}

    def test_note_names_the_marked_pile(self, deal_tea: DealTea) -> None:
        asks = "[{note: '{on} is cold.'}, {mark: {piles: kingdom, is: {cost: 2}}}, {note: '{on} is warm.'}]"
        table = deal_tea({"Hare": asks}, ["Hare", "Cake", "Soup", "Pie"])[1]
        assert [str(note) for note in table.notes] == ["Soup is warm."]
        assert deal_tea(asks)[1].notes == []  # a pile is on nothing

    def test_note_is_added_once_with_all_causes(self, deal_tea: DealTea) -> None:
        table = deal_tea({"Cake": "{note: Mind.}", "Pie": "{note: Mind.}"})[1]
        assert len(table.notes) == 1 and table.get_causes(table.notes[0]) == ["Cake", "Pie"]

    @pytest.mark.parametrize(("players", "notes"), [(1, 0), (2, 1), (3, 1), (4, 0)])
    def test_note_depends_on_the_player_count(self, deal_tea: DealTea, players: int, notes: int) -> None:
        asks = "{note: {say: Mind., players: [2, 3]}}"
        assert len(deal_tea(asks, players=players)[1].notes) == notes

    def test_note_without_placeholder_has_no_values(self, deal_tea: DealTea) -> None:
        assert deal_tea("{note: Mind.}")[1].notes == [TableNote(Message("Mind."))]

    @pytest.mark.parametrize(
        ("piles", "on"), [("kingdom", ["Cake", "Soup", "Pie"]), ("supply", ["Bread", "Cake", "Soup", "Pie"])]
    )
    def test_tokens_go_on_kingdom_or_whole_supply(self, deal_tea: DealTea, piles: str, on: list[str]) -> None:
        table = deal_tea(f"{{place: {{token: Sugar, piles: {piles}}}}}")[1]
        assert [spot.on for spot in table.tokens] == on

    def test_tokens_are_for_each_player_or_the_game(self, deal_tea: DealTea) -> None:
        table = deal_tea(
            "[{place: {token: Sugar, on: Cups, each: player}}, {place: {token: Sugar, on: Cups}}]"
        )[1]
        assert [spot.each for spot in table.tokens] == ["player", "game"]
        assert [table.get_causes(spot) for spot in table.tokens] == [["Cake"], ["Cake"]]


class TestTurnUp:
    @pytest.mark.parametrize(
        ("first", "guests", "used", "skipped"),
        [
            (["Hare", "Hatter"], 0, [], []),
            (["Hare", "Hatter"], 1, ["Hare"], ["Hatter"]),
            (["Hare", "Hatter"], 2, ["Hare", "Hatter"], []),
            (["Cake", "Soup", "Pie", "Hare"], 2, [], []),
        ],
    )
    def test_landscapes_are_used_up_to_the_maximum(
        self, deal_tea: DealTea, first: list[str], guests: int, used: list[str], skipped: list[str]
    ) -> None:
        table = deal_tea("", [*first, "Cake", "Soup", "Pie"], guests=guests)[1]
        by_use = [
            [turned.card.name for turned in table.turned if turned.use == use]
            for use in ("landscape", "skipped")
        ]
        assert by_use == [used, skipped]
        assert [str(turned.skip_reason) for turned in table.turned if turned.skip_reason] == [
            f"{guests} landscapes are already in use" for _ in skipped
        ]

    def test_only_kingdom_cards_have_positions(self, deal_tea: DealTea) -> None:
        table = deal_tea("", ["Cake", "Hare", "Soup", "Pie"])[1]
        assert [turned.position for turned in table.turned] == [1, None, 2, 3]

    def test_turned_up_cards_have_no_causes(self, deal_tea: DealTea) -> None:
        table = deal_tea("", ["Hare", "Cake", "Soup", "Pie"])[1]
        assert table.get_causes("Hare") == table.get_causes("Cake") == []

    @pytest.mark.parametrize("guests", [0, 1, 2])
    def test_landscape_deck_deals_exactly_the_maximum(self, deal_tea: DealTea, guests: int) -> None:
        table = deal_tea("", landscapes_from="deck", guests=guests)[1]
        assert len(table.landscapes) == guests
        assert [turned.use for turned in table.turned] == ["landscape"] * guests + ["kingdom"] * 3

    def test_landscape_deck_with_too_few_cards_is_refused(self, deal_tea: DealTea) -> None:
        with pytest.raises(Exception, match="Tea has 2 landscapes; 3 are needed"):
            deal_tea("", landscapes_from="deck", guests=3)


class TestLimits:
    """Limits of kinds of landscapes."""

    def laid(self, folder: Path, settings: Mapping[str, Any], most: int = 3) -> Table:
        limits = f"default: {most}}}, limits: {{guest: {{option: hares, default: 1}}}}}}"
        text = GAME_TEMPLATE.replace("default: 1}}", limits).replace("party: {help: A party.}", HARES)
        text = text.replace("{kind: guest}, most", "{kind: [guest, song]}, most")
        game = read_game_texts(
            folder, text.replace("song: {is: card}", "song: {is: landscape, title: Songs}") % "[]"
        )
        first = ["Hare", "Hatter", "Waltz", "Jig", "Cake", "Soup", "Pie"]
        return deal_table(game, Request(("tea",), 2, "x", settings), {"randomizers": first})

    @pytest.mark.parametrize(
        ("hares", "used"),
        [(0, ["Waltz", "Jig"]), (1, ["Hare", "Waltz", "Jig"]), (2, ["Hare", "Hatter", "Waltz"])],
    )
    def test_landscape_of_another_kind_replaces_a_skipped_one(
        self, tmp_path: Path, hares: int, used: list[str]
    ) -> None:
        assert list(self.laid(tmp_path, {"hares": hares}).landscapes) == used

    def test_skipped_landscape_has_a_reason(self, tmp_path: Path) -> None:
        said = [str(turned.skip_reason) for turned in self.laid(tmp_path, {}).turned if turned.skip_reason]
        assert said == ["no more Guests can be used"]

    def test_landscape_deck_with_too_few_compatible_cards_is_refused(self, tmp_path: Path) -> None:
        assert len(self.laid(tmp_path, {"landscapes_from": "deck"}).landscapes) == 3
        with pytest.raises(TooFewCards, match="Tea has 3 landscapes that can be used together; 4 are needed"):
            self.laid(tmp_path, {"landscapes_from": "deck", "guests": 4})


class TestDecide:
    def test_decision_records_answer_and_runs_effects(self, deal_tea: DealTea) -> None:
        (decision,) = deal_tea("")[1].decisions
        assert (decision.question, decision.title, decision.answer, decision.method) == (
            "party",
            "Party",
            True,
            "first",
        )
        assert decision.card and decision.card.name == "Cake"
        assert deal_tea("")[1].get_causes("Sugar") == ["Party"]

    @pytest.mark.parametrize("answer", [True, False])
    def test_forced_decision_looks_at_no_card(self, deal_tea: DealTea, answer: bool) -> None:
        table = deal_tea("", party=answer)[1]
        assert table.decisions[0][2:5] == (answer, "asked", None)
        assert ("Sugar" in table.components) is answer

    def test_random_card_is_any_kingdom_card(self, deal_tea: DealTea) -> None:
        for name in ("Cake", "Soup", "Pie"):
            table = deal_tea("", party_by="random-card", stacked={"party": [name]})[1]
            (decision,) = table.decisions
            assert decision.card and decision.card.name == name and decision.method == "any"
            assert decision.answer is (name != "Soup")
