"""Tests of the dealer with wishes: named kingdoms, bans, and second deals."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from randomizer.cards.effect import Effects
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom
from randomizer.cards.model import SlotName, Where
from randomizer.deal.dealer import (
    PreviousTable,
    deal_second_table,
    deal_table,
    find_expired_notes,
    preview_card,
)
from randomizer.deal.decorating import Note
from randomizer.deal.table import Table
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language
from tests.support.tea import make_feast_game
from tests.support.wish_texts import WishTexts

SEEDS = [str(number) for number in range(12)]
TOKENS = "{place: {token: Sugar, on: Cups, count: 1}}"
HAM = "{deal: {is: {kind: dish}, to: beside}}"
MORE = f"""
  - {{name: Rice, set: jam, kind: dish, cost: 1, types: [Odd], setup: {TOKENS}}}
  - {{name: Bun, set: jam, kind: dish, cost: 1, types: [Odd], setup: {TOKENS}}}
  - {{name: Ham, set: jam, kind: dish, cost: 9, types: [Salt], setup: {HAM}}}
second_deal: {{by: Hare, leaves: kingdom, opening: [{{turn_up: {{is: {{kind: dish}}, count: 2}}}}]}}
"""
NOTHING = PreviousTable([], [], {}, {}, {})
SWEET = ("Cake", "Pie", "Tart", "Plum", "Sloe", "Tray")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return make_feast_game(tmp_path_factory.mktemp("tea"), MORE)


def asked(game: Game, seed: str = "x", kingdom: Kingdom | None = None, **wished: Any) -> Request:
    request = Request(("tea", "jam"), 2, seed, wishes=WishTexts(**wished).parse(game))
    return request if kingdom is None else request._replace(kingdom=kingdom)


def turned(table: Table) -> tuple[str, ...]:
    return tuple(turned.card.name for turned in table.turned)


WISHED: Sequence[dict[str, Any]] = [
    {},
    {"want": ("sweet=1-",)},
    {"weight": ("sweet=2",)},
    {"without": ("soup",)},
]


class TestSeeds:
    """Different seeds deal different tables, also with wishes."""

    @pytest.mark.parametrize("wished", [*WISHED, {"box_count": 1, "want": ("dish=3",)}], ids=str)
    def test_seed_of_a_deal_changes_what_wishes_turn_up(self, game: Game, wished: dict[str, Any]) -> None:
        tables = [turned(deal_table(game, asked(game, seed, **wished))) for seed in SEEDS]
        assert len(set(tables)) > 8
        assert [turned(deal_table(game, asked(game, seed, **wished))) for seed in SEEDS] == tables

    @pytest.mark.parametrize("wished", [{"box_count": 1}, {"box_count": 1, "want": ("dish=3",)}], ids=str)
    def test_seed_of_a_deal_changes_the_drawn_boxes(self, game: Game, wished: dict[str, Any]) -> None:
        drawn = {deal_table(game, asked(game, seed, **wished)).chosen for seed in SEEDS}
        assert drawn == {("tea",), ("jam",)}

    def test_seed_changes_the_rest_of_a_named_kingdom(self, game: Game) -> None:
        kingdom = Kingdom(("Cake",), ("Hare",))
        tables = [deal_table(game, asked(game, seed, kingdom, want=("sweet=2",))) for seed in SEEDS]
        assert len({turned(table) for table in tables}) > 8
        assert {len(table.kingdom) for table in tables} == {3}
        # With the guest that was named there is room for a song, and for no other guest.
        assert {tuple(table.landscapes)[1:] for table in tables} <= {(), ("Jig",), ("Waltz",)}

    def test_seed_changes_the_rest_of_a_kingdom_without_landscapes(self, game: Game) -> None:
        for seed in SEEDS:
            request = asked(game, seed, Kingdom(("Cake",)), want=("sweet=2",))
            assert not deal_table(game, request._replace(settings={"guests": 0})).landscapes

    @pytest.mark.parametrize("wished", WISHED, ids=str)
    def test_second_deal_has_other_randomness_than_the_first(
        self, game: Game, wished: dict[str, Any]
    ) -> None:
        opening = game.second_deal and game.second_deal.opening
        tables = [turned(deal_second_table(game, asked(game, seed, **wished), NOTHING)) for seed in SEEDS]
        assert len(set(tables)) > 8
        first = game._replace(opening=opening or ())
        assert [turned(deal_table(first, asked(game, seed, **wished))) for seed in SEEDS] != tables


class TestBanned:
    def test_second_deal_turns_up_and_chooses_no_banned_card(self, game: Game) -> None:
        """Ham asks for a choice of a dish."""
        for seed in SEEDS:
            request = asked(game, seed, without=("sweet", "plain", "cost:4"))
            table = deal_second_table(game, request, NOTHING)
            assert set(turned(table)) < {"Rice", "Bun", "Ham"} and not {*table.piles} & {*SWEET, "Soup"}


class TestSecondDeal:
    def test_landscapes_that_stay_count_for_wishes_of_second_deal(self, game: Game) -> None:
        before = PreviousTable(["Hare"], ["Hare", "Cups"], {}, {}, {})
        for seed in SEEDS:
            table = deal_second_table(game, asked(game, seed, want=("guest or sweet=1",)), before)
            assert not {*turned(table)} & {*SWEET}

    def test_first_kingdom_does_not_count_for_wishes_of_second_deal(self, game: Game) -> None:
        before = PreviousTable(["Cake"], ["Cake"], {"Cake": "beside"}, {}, {})
        for seed in SEEDS:
            table = deal_second_table(game, asked(game, seed, want=("sweet=1",)), before)
            assert len({*turned(table)} & {*SWEET}) == 1

    def test_second_deal_notes_wishes_it_cannot_meet(self, game: Game) -> None:
        before = PreviousTable(["Jelly", "Ham"], [], {}, {}, {})
        request = asked(game, want=("jelly", "sweet=1", "salt"), with_=("jelly",))
        table = deal_second_table(game, request, before)
        assert [str(note) for note in table.notes] == [
            "The remaining cards can't meet these wishes: jelly, salt"
        ]
        assert len({*turned(table)} & {*SWEET}) == 1

    def test_tokens_of_one_card_are_placed_again_for_another(self, game: Game) -> None:
        """Unlike the tokens of a rule for all cards of a sort."""
        request = asked(game, without=("sweet",))._replace(chosen=("jam",))
        table = deal_second_table(game, request, PreviousTable(["Rice"], [], {}, {}, {}))
        assert {*turned(table)} == {"Bun", "Ham"} and len(table.tokens) == 1

    def test_second_deal_is_refused_in_game_without_one(self, game: Game) -> None:
        with pytest.raises(BadOptions) as problem:
            deal_second_table(game._replace(second_deal=None), asked(game), NOTHING)
        assert str(problem.value) == "Tea Party has no card that replaces the Kingdom during the game."


class TestFindExpiredNotes:
    """Notes that no longer apply after a second deal."""

    HERE = Note("It is here.", where=("kingdom",))
    SETUP: Mapping[str, Effects] = {
        "Hare": (Note("Soon."), Note("All alike.")),
        "Cake": (Note("It is sweet."), HERE, Note("All alike.")),
        "Pie": (HERE, Note("A tray.", with_=SlotName("Tray"))),
    }

    def over(self, game: Game, piles: Mapping[str, str], **slots: list[str]) -> set[str]:
        before = PreviousTable(["Nobody", *self.SETUP], [], piles, {}, slots)
        game = game._replace(setup=self.SETUP)
        return find_expired_notes(game, before, deal_second_table(game, asked(game), before))

    def test_notes_expire_after_second_deal_and_with_their_pile(self, game: Game) -> None:
        assert self.over(game, {}, Tray=["Tart"]) == {"Soon.", "It is here."}
        assert self.over(game, {"Pie": "beside"}, Tray=[]) == {"Soon.", "It is here.", "A tray."}

    def test_note_is_kept_while_another_card_needs_it(self, game: Game) -> None:
        assert self.over(game, {"Pie": "kingdom"}, Tray=["Tart"]) == {"Soon."}

    def test_note_about_single_card_or_deck_stays_valid(self, game: Game) -> None:
        table = deal_second_table(game, asked(game), NOTHING)
        cases: Sequence[tuple[tuple[Where, ...], bool]] = (
            (("aside",), True),
            (("deck",), True),
            (("kingdom", "aside"), True),
            (("beside",), False),
        )
        for where, holds in cases:
            assert Note("Mind.", where=where).is_still_valid(table, "Cake") is holds

    def test_note_about_member_is_valid_while_its_mixed_pile_is_out(self, game: Game) -> None:
        table = deal_second_table(game, asked(game), NOTHING._replace(piles={"Tray": "kingdom"}))
        assert self.HERE.is_still_valid(table, "Nut")


class TestPreviewCard:
    def test_preview_describes_choices_and_does_the_rest(self, game: Game) -> None:
        table, told = preview_card(game.cards["Ham"], game, 2, Language("en"))
        assert told == ["Ham: an unused Kingdom pile, placed beside the Supply"] and not table.piles
        table, told = preview_card(game.cards["Jelly"], game, 2, Language("en"))
        assert not told and list(table.piles) == ["Crumbs"]
