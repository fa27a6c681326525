"""Draws: from cards that nobody uses yet, in the order of their names, by the seed and the question alone."""

from collections.abc import Iterable

import pytest

from randomizer.cards.model import Card, Cost, Count
from randomizer.cards.pool import Pool
from randomizer.deal import unused as dice
from randomizer.deal.unused import UnusedCards
from randomizer.text.language import Slug
from tests.support.tea import card, dishes

FIVE = Count(((0, 5),))
CARDS = [
    card(name, Cost(2 + number % 2)) for number, name in enumerate(("Cake", "Pie", "Soup", "Tart", "Bun"))
]
PLATTER = [
    card("Platter", Cost(4), pile=(("Nut", FIVE), ("Fig", FIVE))),
    card("Nut", Cost(2), kind="part", member_of="Platter"),
    card("Fig", Cost(2), kind="part", member_of="Platter"),
    card("Water", Cost(1)),
]


def unused(cards: Iterable[Card] = CARDS, seed: str = "x", **stacked: list[str]) -> UnusedCards:
    return UnusedCards(Pool([Slug("tea", "Tea")], cards), seed, stacked)


def names(cards: Iterable[Card]) -> list[str]:
    return [card.name for card in cards]


class TestDraw:
    def test_as_many_as_are_asked_for_and_there_are(self) -> None:
        cards = unused()
        assert len(cards.draw("a", dishes(), 2)) == 2
        assert len(cards.draw("b", dishes(), 0)) == 0
        assert len(cards.draw("c", dishes(), 9)) == 3
        assert cards.draw("d", dishes(), 1) == []

    def test_all_there_are(self) -> None:
        assert sorted(names(unused().draw("a", dishes(), None))) == ["Bun", "Cake", "Pie", "Soup", "Tart"]

    def test_only_what_answers(self) -> None:
        assert set(names(unused().draw("a", dishes(cost=(3,)), None))) == {"Pie", "Tart"}

    def test_what_is_drawn_is_used(self) -> None:
        cards = unused()
        first = names(cards.draw("a", dishes(), 3))
        second = names(cards.draw("a", dishes(), None))
        assert sorted(first + second) == ["Bun", "Cake", "Pie", "Soup", "Tart"]

    def test_what_was_used_before_is_not_drawn(self) -> None:
        cards = UnusedCards(
            Pool([Slug("tea", "Tea")], CARDS),
            "x",
            {},
            [card for card in CARDS if card.name in ("Pie", "Bun")],
        )
        assert set(names(cards.draw("a", dishes(), None))) == {"Cake", "Soup", "Tart"}

    def test_by_seed_and_question_whatever_the_order_of_the_data(self) -> None:
        assert unused().draw("a", dishes(), 5) == unused(CARDS[::-1]).draw("a", dishes(), 5)
        orders = {tuple(names(unused(seed=seed).draw("a", dishes(), 5))) for seed in "abcdef"}
        assert len(orders) > 2
        orders = {tuple(names(unused().draw(question, dishes(), 5))) for question in "abcdef"}
        assert len(orders) > 2

    def test_another_card_that_does_not_answer_changes_nothing(self) -> None:
        more = [*CARDS, card("Ale", Cost(2), kind="drink")]
        assert unused(more).draw("a", dishes(), 5) == unused().draw("a", dishes(), 5)


class TestStacked:
    def test_they_come_up_first_in_their_order_and_once(self) -> None:
        cards = unused(a=["Soup", "Bun", "Soup", "Hat"])
        drawn = names(cards.draw("a", dishes(), None))
        assert drawn[:2] == ["Soup", "Bun"]
        assert sorted(drawn) == ["Bun", "Cake", "Pie", "Soup", "Tart"]

    def test_not_where_they_do_not_answer_or_are_used(self) -> None:
        cards = unused(a=["Soup", "Pie", "Tart"])
        cards.mark_used(CARDS[3])
        assert names(cards.draw("a", dishes(cost=(3,)), 5)) == ["Pie"]

    def test_only_for_their_question(self) -> None:
        stacked, plain = unused(a=["Soup"]), unused()
        assert stacked.draw("b", dishes(), 5) == plain.draw("b", dishes(), 5)


class TestShuffled:
    def test_every_card_once(self) -> None:
        assert sorted(names(unused().shuffle("a", CARDS))) == ["Bun", "Cake", "Pie", "Soup", "Tart"]

    def test_some_are_passed_over_and_the_rest_stay_in_their_order(self) -> None:
        whole = names(unused().shuffle("a", CARDS))
        rest = names(unused().shuffle("a", CARDS, without={"Pie", "Tart"}))
        assert rest == [name for name in whole if name not in ("Pie", "Tart")]

    def test_the_same_for_a_seed_on_every_machine(self) -> None:
        assert names(unused(seed="k7f3").shuffle("randomizers", CARDS)) == [
            "Tart",
            "Pie",
            "Cake",
            "Bun",
            "Soup",
        ]

    def test_a_deck_of_several_queries(self) -> None:
        deck = names(unused().deck("a", dishes(cost=(2,)), dishes(cost=(3,))))
        assert sorted(deck) == ["Bun", "Cake", "Pie", "Soup", "Tart"]


class TestSingle:
    def test_of_a_mixed_pile_one_member(self) -> None:
        for seed in "abcdef":
            drawn = names(unused(PLATTER, seed).draw_single("a", dishes(cost=(2,)), None))
            assert drawn in (["Nut"], ["Fig"])

    def test_either_of_several(self) -> None:
        drawn = {
            unused(PLATTER, str(seed)).draw_single("a", dishes(cost=(2,)), 1)[0].name for seed in range(20)
        }
        assert drawn == {"Nut", "Fig"}

    def test_members_have_dice_of_their_own(self) -> None:
        """Which pile comes up says nothing about which of its members is taken."""
        stacked = UnusedCards(Pool([Slug("tea", "Tea")], PLATTER), "x", {"a\0Platter": ["Nut"]})
        assert names(stacked.draw_single("a", dishes(cost=(2,)), 1)) == ["Nut"]

    def test_as_many_as_are_asked_for(self) -> None:
        assert len(unused().draw_single("a", dishes(), 2)) == 2
        assert len(unused().draw_single("a", dishes(), 0)) == 0
        assert len(unused().draw_single("a", dishes(), None)) == 5

    def test_piles_that_do_not_answer_are_passed_over(self) -> None:
        drawn = unused(PLATTER, a=["Platter", "Water"]).draw_single("a", dishes(cost=(1,)), 1)
        assert names(drawn) == ["Water"]

    def test_the_whole_pile_is_used_then(self) -> None:
        cards = unused(PLATTER)
        cards.draw_single("a", dishes(cost=(2,)), 1)
        assert cards.draw_single("b", dishes(cost=(2,)), None) == []
        assert names(cards.draw("c", dishes(), None)) == ["Water"]


def test_with_a_pile_its_members_are_used() -> None:
    cards = unused(PLATTER)
    cards.mark_used(PLATTER[0])
    assert list(cards.deck("a", dishes(kind=("part",)))) == []


class TestDice:
    @staticmethod
    def rolled(seed: str, question: str, many: int) -> list[int]:
        below = dice.RandomSource(seed, question).randbelow
        return [below(left) for left in range(many, 0, -1)]

    def test_each_number_lies_below_the_one_that_it_is_given(self) -> None:
        for seed in "abc":
            rolled = self.rolled(seed, "a", 30)
            assert all(0 <= number < left for number, left in zip(rolled, range(30, 0, -1), strict=True))

    def test_the_same_for_a_seed_on_every_machine(self) -> None:
        assert self.rolled("k7f3", "randomizers", 12) == [7, 1, 8, 2, 5, 4, 4, 3, 0, 1, 1, 0]

    def test_a_deck_is_shuffled_as_they_say_that_are_asked_for_one_place_after_the_other(self) -> None:
        for seed, many in (("x", 1), ("k7f3", 40), ("", 700)):
            left = [card(str(number)) for number in range(many)]
            deck = list(unused(seed=seed).shuffle("a", left[:]))
            for place, top in zip(self.rolled(seed, "a", many), deck, strict=True):
                assert left[place] is top
                left[place] = left[-1]
                left.pop()

    def test_seed_and_question_do_not_run_into_each_other(self) -> None:
        assert self.rolled("ab", "c", 9) != self.rolled("a", "bc", 9)

    def test_numbers_that_would_make_a_place_likelier_are_passed_over(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """2³² is 1 more than a multiple of 3 and of 5: only from 1 on do they divide evenly."""

        rolls = {0: (0, 1, 0, 0), 1: (7, 6, 5)}
        monkeypatch.setattr(dice, "_generate_integers", lambda key, time: rolls[time])
        assert self.rolled("x", "a", 5) == [1, 0, 1, 0, 0]
        assert list(unused().shuffle("a", CARDS)) == [CARDS[place] for place in (1, 0, 4, 3, 2)]

    def test_no_two_rolls_of_a_key_go_together(self) -> None:
        rolled = [number for time in range(8) for number in dice._generate_integers(b"key", time)]
        assert len(set(rolled)) == 64 and all(0 <= number < 2**32 for number in rolled)
        assert set(rolled).isdisjoint(dice._generate_integers(b"other", 0))

    def test_a_fresh_seed_is_five_letters_that_do_not_look_alike(self) -> None:
        seeds = {dice.generate_seed() for _ in range(200)}
        assert {len(seed) for seed in seeds} == {5} and len(seeds) > 190
        assert not set("".join(seeds)) & set("il1o0")
        assert set("".join(seeds)) <= set("abcdefghjkmnpqrstuvwxyz23456789")
