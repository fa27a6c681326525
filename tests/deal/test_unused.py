"""Tests of draws from the unused cards, which depend only on the seed, the question and the cards."""

from collections.abc import Iterable

import pytest

from randomizer.cards.model import Card, Cost, Count
from randomizer.cards.pool import Pool
from randomizer.deal import unused as dice
from randomizer.deal.unused import UnusedCards
from randomizer.text.language import Slug
from tests.support.tea import make_card, make_dish_query

FIVE = Count(((0, 5),))
CARDS = [
    make_card(name, Cost(2 + number % 2))
    for number, name in enumerate(("Cake", "Pie", "Soup", "Tart", "Bun"))
]
PLATTER = [
    make_card("Platter", Cost(4), pile=(("Nut", FIVE), ("Fig", FIVE))),
    make_card("Nut", Cost(2), kind="part", member_of="Platter"),
    make_card("Fig", Cost(2), kind="part", member_of="Platter"),
    make_card("Water", Cost(1)),
]


def unused(cards: Iterable[Card] = CARDS, seed: str = "x", **stacked: list[str]) -> UnusedCards:
    return UnusedCards(Pool([Slug("tea", "Tea")], cards), seed, stacked)


def names(cards: Iterable[Card]) -> list[str]:
    return [card.name for card in cards]


class TestDraw:
    def test_draw_returns_up_to_count_cards(self) -> None:
        cards = unused()
        assert len(cards.draw("a", make_dish_query(), 2)) == 2
        assert len(cards.draw("b", make_dish_query(), 0)) == 0
        assert len(cards.draw("c", make_dish_query(), 9)) == 3
        assert cards.draw("d", make_dish_query(), 1) == []

    def test_draw_without_count_returns_all_cards(self) -> None:
        assert sorted(names(unused().draw("a", make_dish_query(), None))) == [
            "Bun",
            "Cake",
            "Pie",
            "Soup",
            "Tart",
        ]

    def test_draw_returns_matching_cards_only(self) -> None:
        assert set(names(unused().draw("a", make_dish_query(cost=(3,)), None))) == {"Pie", "Tart"}

    def test_draw_marks_cards_as_used(self) -> None:
        cards = unused()
        first = names(cards.draw("a", make_dish_query(), 3))
        second = names(cards.draw("a", make_dish_query(), None))
        assert sorted(first + second) == ["Bun", "Cake", "Pie", "Soup", "Tart"]

    def test_draw_excludes_used_cards(self) -> None:
        cards = UnusedCards(
            Pool([Slug("tea", "Tea")], CARDS),
            "x",
            {},
            [card for card in CARDS if card.name in ("Pie", "Bun")],
        )
        assert set(names(cards.draw("a", make_dish_query(), None))) == {"Cake", "Soup", "Tart"}

    def test_draw_depends_on_seed_and_question_not_on_data_order(self) -> None:
        assert unused().draw("a", make_dish_query(), 5) == unused(CARDS[::-1]).draw("a", make_dish_query(), 5)
        orders = {tuple(names(unused(seed=seed).draw("a", make_dish_query(), 5))) for seed in "abcdef"}
        assert len(orders) > 2
        orders = {tuple(names(unused().draw(question, make_dish_query(), 5))) for question in "abcdef"}
        assert len(orders) > 2

    def test_draw_ignores_further_cards_that_do_not_match(self) -> None:
        more = [*CARDS, make_card("Ale", Cost(2), kind="drink")]
        assert unused(more).draw("a", make_dish_query(), 5) == unused().draw("a", make_dish_query(), 5)


class TestStacked:
    def test_stacked_cards_come_up_first_in_order_and_once(self) -> None:
        cards = unused(a=["Soup", "Bun", "Soup", "Hat"])
        drawn = names(cards.draw("a", make_dish_query(), None))
        assert drawn[:2] == ["Soup", "Bun"]
        assert sorted(drawn) == ["Bun", "Cake", "Pie", "Soup", "Tart"]

    def test_stacked_cards_are_ignored_if_unmatched_or_used(self) -> None:
        cards = unused(a=["Soup", "Pie", "Tart"])
        cards.mark_used(CARDS[3])
        assert names(cards.draw("a", make_dish_query(cost=(3,)), 5)) == ["Pie"]

    def test_stacked_cards_affect_their_question_only(self) -> None:
        stacked, plain = unused(a=["Soup"]), unused()
        assert stacked.draw("b", make_dish_query(), 5) == plain.draw("b", make_dish_query(), 5)


class TestShuffle:
    def test_shuffle_yields_every_card_once(self) -> None:
        assert sorted(names(unused().shuffle("a", CARDS))) == ["Bun", "Cake", "Pie", "Soup", "Tart"]

    def test_shuffle_keeps_the_order_without_excluded_cards(self) -> None:
        whole = names(unused().shuffle("a", CARDS))
        rest = names(unused().shuffle("a", CARDS, excluded={"Pie", "Tart"}))
        assert rest == [name for name in whole if name not in ("Pie", "Tart")]

    def test_the_same_for_a_seed_on_every_machine(self) -> None:
        assert names(unused(seed="k7f3").shuffle("randomizers", CARDS)) == [
            "Tart",
            "Pie",
            "Cake",
            "Bun",
            "Soup",
        ]

    def test_deck_combines_several_queries(self) -> None:
        deck = names(unused().shuffle_matching("a", make_dish_query(cost=(2,)), make_dish_query(cost=(3,))))
        assert sorted(deck) == ["Bun", "Cake", "Pie", "Soup", "Tart"]


class TestDrawSingle:
    def test_draw_single_takes_one_member_of_a_mixed_pile(self) -> None:
        for seed in "abcdef":
            drawn = names(unused(PLATTER, seed).draw_single_cards("a", make_dish_query(cost=(2,)), None))
            assert drawn in (["Nut"], ["Fig"])

    def test_draw_single_takes_any_matching_member(self) -> None:
        drawn = {
            unused(PLATTER, str(seed)).draw_single_cards("a", make_dish_query(cost=(2,)), 1)[0].name
            for seed in range(20)
        }
        assert drawn == {"Nut", "Fig"}

    def test_draw_single_chooses_members_with_their_own_randomness(self) -> None:
        """Which pile comes up says nothing about which of its members is taken."""
        stacked = UnusedCards(Pool([Slug("tea", "Tea")], PLATTER), "x", {"a\0Platter": ["Nut"]})
        assert names(stacked.draw_single_cards("a", make_dish_query(cost=(2,)), 1)) == ["Nut"]

    def test_draw_single_returns_up_to_count_cards(self) -> None:
        assert len(unused().draw_single_cards("a", make_dish_query(), 2)) == 2
        assert len(unused().draw_single_cards("a", make_dish_query(), 0)) == 0
        assert len(unused().draw_single_cards("a", make_dish_query(), None)) == 5

    def test_draw_single_skips_piles_that_do_not_match(self) -> None:
        drawn = unused(PLATTER, a=["Platter", "Water"]).draw_single_cards("a", make_dish_query(cost=(1,)), 1)
        assert names(drawn) == ["Water"]

    def test_draw_single_marks_the_mixed_pile_as_used(self) -> None:
        cards = unused(PLATTER)
        cards.draw_single_cards("a", make_dish_query(cost=(2,)), 1)
        assert cards.draw_single_cards("b", make_dish_query(cost=(2,)), None) == []
        assert names(cards.draw("c", make_dish_query(), None)) == ["Water"]


def test_mark_used_includes_members_of_a_pile() -> None:
    cards = unused(PLATTER)
    cards.mark_used(PLATTER[0])
    assert list(cards.shuffle_matching("a", make_dish_query(kind=("part",)))) == []


class TestRandomSource:
    @staticmethod
    def rolled(seed: str, question: str, many: int) -> list[int]:
        below = dice.RandomSource(seed, question).randbelow
        return [below(left) for left in range(many, 0, -1)]

    def test_randbelow_is_below_its_limit(self) -> None:
        for seed in "abc":
            rolled = self.rolled(seed, "a", 30)
            assert all(0 <= number < left for number, left in zip(rolled, range(30, 0, -1), strict=True))

    def test_the_same_for_a_seed_on_every_machine(self) -> None:
        assert self.rolled("k7f3", "randomizers", 12) == [7, 1, 8, 2, 5, 4, 4, 3, 0, 1, 1, 0]

    def test_shuffle_uses_the_integers_of_randbelow(self) -> None:
        for seed, many in (("x", 1), ("k7f3", 40), ("", 700)):
            left = [make_card(str(number)) for number in range(many)]
            deck = list(unused(seed=seed).shuffle("a", left[:]))
            for place, top in zip(self.rolled(seed, "a", many), deck, strict=True):
                assert left[place] is top
                left[place] = left[-1]
                left.pop()

    def test_seed_and_question_are_kept_apart(self) -> None:
        assert self.rolled("ab", "c", 9) != self.rolled("a", "bc", 9)

    def test_randbelow_rejects_the_uneven_part_of_the_range(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """2³² is 1 more than a multiple of 3 and of 5: only from 1 on do they divide evenly."""

        rolls = {0: (0, 1, 0, 0), 1: (7, 6, 5)}
        monkeypatch.setattr(dice, "_generate_integers", lambda key, time: rolls[time])
        assert self.rolled("x", "a", 5) == [1, 0, 1, 0, 0]
        assert list(unused().shuffle("a", CARDS)) == [CARDS[place] for place in (1, 0, 4, 3, 2)]

    def test_integers_differ_between_blocks_and_keys(self) -> None:
        rolled = [number for time in range(8) for number in dice._generate_integers(b"key", time)]
        assert len(set(rolled)) == 64 and all(0 <= number < 2**32 for number in rolled)
        assert set(rolled).isdisjoint(dice._generate_integers(b"other", 0))

    def test_generated_seed_has_five_unambiguous_letters(self) -> None:
        seeds = {dice.generate_seed() for _ in range(200)}
        assert {len(seed) for seed in seeds} == {5} and len(seeds) > 190
        assert not set("".join(seeds)) & set("il1o0")
        assert set("".join(seeds)) <= set("abcdefghjkmnpqrstuvwxyz23456789")


def test_names_are_shuffled_whatever_their_order() -> None:
    names = [f"card {number}" for number in range(6)]
    shuffled = dice.shuffle_names("x", "lacking", names)
    assert sorted(shuffled) == names and shuffled == dice.shuffle_names("x", "lacking", names[::-1])
    assert shuffled != dice.shuffle_names("y", "lacking", names) != dice.shuffle_names("y", "other", names)
    firsts = {dice.shuffle_names(str(seed), "lacking", names)[0] for seed in range(80)}
    assert firsts == {*names}
