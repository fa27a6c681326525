"""Swaps: this card goes, another comes, and the rest of the table stays wherever it still hangs together."""

import random
from collections.abc import Sequence

import pytest

from randomizer.cards.editions import every_box
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom, Swap
from randomizer.deal.table import Table
from randomizer.errors import BadOptions, UnknownName
from randomizer.record.build import build_setup
from randomizer.record.swapping import deal_asked
from randomizer.setup.command import request_of
from tests.support import Deals

NAMED = Kingdom(
    ("Young Witch", "Ferryman", "Riverboat", "Poet", "Underling", "Witch", "Moat", "Village", "Mill", "Mine"),
    ("Way of the Mouse", "Inspiring", "Obelisk"),
    {
        "Bane": ("Cellar",),
        "Ferryman": ("Smithy",),
        "Riverboat": ("Market",),
        "Way of the Mouse": ("Chapel",),
        "Ally": ("Coastal Haven",),
        "Prophecy": ("Approaching Army",),
        "Approaching Army": ("Militia",),
    },
    {"Inspiring": "Witch", "Obelisk": "Village"},
)


class Swaps:
    def __init__(self, game: Game) -> None:
        self.game = game
        boxes = tuple(slug for slug in game.boxes if slug in every_box(game, newest=True))
        self.request = game.request(boxes, 3, "x", {"colony": True})._replace(kingdom=NAMED)

    def __call__(self, *swaps: str, request: Request | None = None) -> Table:
        asked = tuple(Swap(*swap.split("=")) for swap in swaps)
        return deal_asked(self.game, (request or self.request)._replace(swaps=asked))


@pytest.fixture(scope="module")
def swap(game: Game) -> Swaps:
    return Swaps(game)


def on(table: Table) -> set[str]:
    """Everything on the table that was named."""
    turned = {one.card.name for one in table.turned if one.use != "skipped"}
    drawn = {card.name for cards in table.drawn.values() for card in cards}
    return {*turned, *drawn, *(f"{card} on {pile}" for card, pile in table.marked.items())}


def changed(swap: Swaps, *swaps: str) -> tuple[set[str], set[str]]:
    """What has gone and what has come."""
    before, after = on(swap()), on(swap(*swaps))
    return before - after, after - before


class TestOneComes:
    @pytest.mark.parametrize(
        ("text", "gone", "come"),
        [
            ("Moat=Goons", {"Moat"}, {"Goons"}),
            ("Inspiring=Quest", {"Inspiring", "Inspiring on Witch"}, {"Quest"}),
            ("Cellar=Steward", {"Cellar"}, {"Steward"}),
            ("Smithy=Workshop", {"Smithy"}, {"Workshop"}),
            ("Market=Laboratory", {"Market"}, {"Laboratory"}),
            ("Chapel=Pawn", {"Chapel"}, {"Pawn"}),
            ("Coastal Haven=Island Folk", {"Coastal Haven"}, {"Island Folk"}),
            ("Militia=Bandit", {"Militia"}, {"Bandit"}),
            ("Approaching Army=Panic", {"Approaching Army", "Militia"}, {"Panic"}),
            ("Obelisk=Keep", {"Obelisk", "Obelisk on Village"}, {"Keep"}),
            ("Inspiring=Mine", {"Inspiring on Witch"}, {"Inspiring on Mine"}),
            ("Obelisk=Ferryman", {"Obelisk on Village"}, {"Obelisk on Ferryman"}),
            ("Young Witch=Goons", {"Young Witch", "Cellar"}, {"Goons"}),
            ("Poet=Goons", {"Poet", "Approaching Army", "Militia"}, {"Goons"}),
            ("Underling=Goons", {"Underling", "Coastal Haven"}, {"Goons"}),
            ("Moat=Plunder", {"Moat"}, {"Encampment/Plunder"}),
            ("Chapel=Encampment", {"Chapel"}, {"Encampment"}),
        ],
    )
    def test_and_the_rest_stays(self, swap: Swaps, text: str, gone: set[str], come: set[str]) -> None:
        assert changed(swap, text) == (gone, come)

    def test_what_lay_with_it_finds_another_place(self, swap: Swaps) -> None:
        gone, come = changed(swap, "Witch=Goons")
        assert gone == {"Witch", "Inspiring on Witch"} and "Goons" in come
        assert len(come) == 2 and any(one.startswith("Inspiring on ") for one in come)

    def test_what_was_chosen_for_another_is_chosen_anew(self, swap: Swaps) -> None:
        gone, come = changed(swap, "Mill=Cellar")
        assert gone == {"Mill"} and len(come) == 1  # another Bane
        assert "Cellar" in swap("Mill=Cellar").piles and swap("Mill=Cellar").drawn["Bane"][0].name != "Cellar"

    def test_what_it_brings_comes_too(self, swap: Swaps) -> None:
        table = swap("Moat=Druid")
        assert "Boons" in table.decks and len(table.drawn["Boons, face up"]) == 3

    def test_it_stands_where_the_other_stood(self, swap: Swaps) -> None:
        before, after = (list(swap(*words).piles) for words in ((), ("Moat=Goons",)))
        assert after.index("Goons") == before.index("Moat")

    def test_in_order(self, swap: Swaps) -> None:
        assert changed(swap, "Moat=Goons", "Goons=Pawn") == ({"Moat"}, {"Pawn"})
        assert changed(swap, "Moat=Goons", "Goons=Moat") == (set(), set())

    def test_questions_keep_their_answers(self, swap: Swaps, game: Game) -> None:
        request = game.request(("base-2e", "prosperity-2e"), 2, "x", {})
        for seed in range(30):
            one = request._replace(seed=str(seed))
            before = deal_asked(game, one)
            first = before.kingdom[0].name
            assert swap(first, request=one).decisions == before.decisions


class TestChanceSaysWhatComes:
    def test_of_the_same_sort_and_not_there_before(self, swap: Swaps, game: Game) -> None:
        before = swap()
        for goes in ("Moat", "Cellar", "Smithy", "Market", "Chapel", "Coastal Haven", "Militia"):
            comes = dict(swap(goes).unusual[-1].values)["on"]
            assert comes not in before.in_use()
            assert game.cards[str(comes)].kind in (game.cards[goes].kind, "split-member")

    def test_a_pile_that_lies_elsewhere(self, swap: Swaps) -> None:
        gone, come = changed(swap, "Inspiring=Inspiring")
        assert gone == {"Inspiring on Witch"} and len(come) == 1
        gone, come = changed(swap, "Obelisk=Obelisk")
        assert gone == {"Obelisk on Village"} and len(come) == 1

    def test_any_may_come_and_nothing_comes_back(self, swap: Swaps, game: Game) -> None:
        request = game.request(("base-2e",), 2, "x", {})
        seen = set()
        for seed in range(200):
            one = request._replace(seed=str(seed))
            first, second = [card.name for card in deal_asked(game, one).kingdom][:2]
            table = swap(first, second, request=one)
            names = [card.name for card in table.kingdom]
            assert len(set(names)) == 10 and not {first, second} & set(names)
            seen |= set(names[:2])
        assert len(seen) == 26

    def test_the_same_every_time(self, swap: Swaps) -> None:
        assert on(swap("Moat", "Cellar")) == on(swap("Moat", "Cellar"))

    def test_until_nothing_else_is_left(self, swap: Swaps, game: Game) -> None:
        request = game.request(("envoy",), 2, "x", {})._replace(kingdom=NAMED)
        assert "Envoy" in swap("Moat", request=request).piles
        with pytest.raises(BadOptions, match="the boxes hold nothing else for Village"):
            swap("Moat", "Village", request=request)


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("Moat=Witch", "Witch is on the table already."),
            ("Moat=Moat", "Moat is on the table already."),
            ("Cellar=Witch", "Witch is on the table already."),
            ("Moat=Quest", "Quest cannot take the place of Moat."),
            ("Inspiring=Goons", "Goons cannot take the place of Inspiring."),
            ("Coastal Haven=Panic", "Panic cannot take the place of Coastal Haven."),
            ("Moat=Copper", "Copper cannot take the place of Moat."),
            ("Market=Encampment/Plunder", "Encampment/Plunder cannot take the place of Market."),
        ],
    )
    def test_what_cannot_come(self, swap: Swaps, text: str, fault: str) -> None:
        with pytest.raises(BadOptions) as problem:
            swap(text)
        assert str(problem.value) == fault

    def test_what_is_not_there(self, swap: Swaps) -> None:
        with pytest.raises(UnknownName, match="no card on this table is called 'Vassal'"):
            swap("Vassal")
        with pytest.raises(UnknownName):
            swap("Copper")

    def test_a_card_of_a_whole_deck(self, swap: Swaps) -> None:
        with pytest.raises(BadOptions, match="comes from a deck"):
            swap("Moat=Druid", swap("Moat=Druid").drawn["Boons, face up"][0].name)

    def test_another_game(self, swap: Swaps) -> None:
        from randomizer.load import games

        other = games.load("pergamemnon")
        request = other.request(tuple(other.boxes), 3, "x", {})._replace(swaps=(Swap("Egypt"),))
        with pytest.raises((BadOptions, UnknownName)):
            deal_asked(other, request)


def test_documents_say_what_was_swapped(swap: Swaps, game: Game, deal: Deals) -> None:
    request = swap.request._replace(swaps=(Swap("Moat", "Goons"), Swap("Cellar")))
    setup = build_setup(game, request, deal_asked(game, request), deal.languages)
    assert setup["options"]["swap"] == [{"goes": "Moat", "comes": "Goons"}, {"goes": "Cellar"}]
    assert "Moat has been swapped for Goons." in [note["text"] for note in setup["notes"]]
    assert "--swap moat=goons --swap cellar" in setup["command"]
    assert request_of(game, setup) == request


def test_any_swap_of_any_table_is_done_or_refused_and_is_replayed(game: Game, deal: Deals) -> None:
    """Whatever goes, nothing lies twice, what went is gone, and the document deals itself again."""
    boxes = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    dice = random.Random(7)
    for number in range(120):
        chosen: Sequence[str] = sorted({*dice.sample(boxes, 6), "base-2e"}, key=list(game.boxes).index)
        request = game.request(tuple(chosen), 2, str(number), {"landscapes": 4})
        before = deal_asked(game, request)
        there = [name for name in sorted(on(before)) if " on " not in name]
        goes = tuple(Swap(name) for name in dice.sample(there, 2))
        request = request._replace(swaps=goes)
        try:
            table = deal_asked(game, request)
        except (BadOptions, UnknownName):
            continue
        setup = build_setup(game, request, table, deal.languages)
        assert len({card.name for card in table.kingdom}) == 10
        assert goes[0].goes not in on(table)
        again = request_of(game, setup)
        assert build_setup(game, again, deal_asked(game, again), deal.languages) == setup
