"""Tests of counting and sampling against an enumeration of all ways to take cards."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.cards.model import Card
from randomizer.deal.wishes import counting
from randomizer.deal.wishes.counting import (
    WayCounter,
    WeightedSampler,
    WorkLimitExceeded,
    reduce_weights,
    weighted_index,
)
from randomizer.deal.wishes.goals import Goal, Goals
from tests.support.tea import make_card

CARDS = [make_card(name) for name in ("Bun", "Cake", "Jam", "Nut", "Pie", "Soup")]
NAMES = [one.name for one in CARDS]
Way = tuple[frozenset[str], ...]


def every_way(
    heaps: Sequence[Sequence[Card]], goals: Goals, begun: Sequence[int], taken: Sequence[int]
) -> list[Way]:
    """Return all ways that meet the goals."""
    names = [[one.name for one in heap] for heap in heaps]
    return [
        tuple(map(frozenset, way))
        for way in product(*(combinations(heap, many) for heap, many in zip(names, taken, strict=True)))
        if all(
            goal.is_met(
                [
                    there + sum(name in counter for one in way for name in one)
                    for there, counter in zip(begun, goals.counters, strict=True)
                ]
            )
            for goal in goals.goals
        )
    ]


def law_of(draw: Callable[[Callable[[int], int]], Any]) -> Mapping[Any, Fraction]:
    """Return the exact distribution of the outcomes, by trying all random integers."""
    law: defaultdict[Any, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        fallen = waiting.pop()
        place, chance = 0, Fraction(1)

        def below(number: int, fallen: tuple[int, ...] = fallen) -> int:
            nonlocal place, chance
            place, chance = place + 1, chance / number
            if place <= len(fallen):
                return fallen[place - 1]
            seen = (*fallen, *([0] * (place - 1 - len(fallen))))
            waiting.extend((*seen, other) for other in range(1, number))
            return 0

        law[draw(below)] += chance
    return law


@st.composite
def tasks(draw: st.DrawFn) -> tuple[list[list[Card]], Goals, list[int], list[int]]:
    """Generate two strata, goals, initial counts, and how many cards to take."""
    cut = draw(st.integers(0, len(CARDS)))
    heaps = [CARDS[:cut], CARDS[cut:]]
    counters = tuple(draw(st.lists(st.frozensets(st.sampled_from(NAMES)), max_size=3)))
    numbers = st.integers(0, 3)
    places = st.integers(0, len(counters) - 1)
    goal = st.builds(
        lambda counter, least, more, given: Goal(
            counter, least, None if more is None else least + more, tuple(given)
        ),
        *(places, numbers, st.none() | numbers, st.lists(places, max_size=2)),
    )
    goals = draw(st.lists(goal, max_size=3)) if counters else []
    begun = draw(st.lists(numbers, min_size=len(counters), max_size=len(counters)))
    taken = [draw(st.integers(0, len(heap))) for heap in heaps]
    return heaps, Goals(counters, tuple(goals)), begun, taken


@settings(max_examples=60)
@given(tasks())
def test_count_ways_matches_enumeration(task: tuple[list[list[Card]], Goals, list[int], list[int]]) -> None:
    heaps, goals, begun, taken = task
    found = WayCounter(heaps, goals, begun)
    assert found.count_ways(taken) == len(every_way(heaps, goals, begun, taken))
    assert found.sizes == [len(heap) for heap in heaps]


@pytest.mark.parametrize(
    ("counters", "goals"),
    [
        ([], []),
        (["Cake Pie"], [Goal(0, 1, None)]),
        (["Cake Pie Soup", "Pie Nut"], [Goal(0, 1, 2), Goal(1, 1, 1)]),
        (["Cake", "Soup Bun"], [Goal(0, 1, 1, (1,))]),
        (["Cake Bun", "Cake Soup", "Nut"], [Goal(0, 1, None), Goal(1, 0, 0, (2,))]),
    ],
)
def test_sample_is_uniform(counters: list[str], goals: list[Goal]) -> None:
    heaps, taken = [CARDS[:3], CARDS[3:]], [2, 1]
    wished = Goals(tuple(frozenset(names.split()) for names in counters), tuple(goals))
    found = WayCounter(heaps, wished)

    def drawn(below: Callable[[int], int]) -> Way:
        return tuple(frozenset(one.name for one in cards) for cards in found.sample(taken, below))

    ways = every_way(heaps, wished, [0] * len(counters), taken)
    assert law_of(drawn) == dict.fromkeys(ways, Fraction(1, len(ways)))


class TestWeightedSampler:
    WEIGHTS = (3, 1, 2, 1, 4)

    @pytest.mark.parametrize("number", range(6))
    def test_subsets_are_weighted_by_their_product(self, number: int) -> None:
        ways = {places: prod(self.WEIGHTS[at] for at in places) for places in combinations(range(5), number)}
        weighed = WeightedSampler(self.WEIGHTS)
        assert weighed.count_ways(number) == sum(ways.values())
        law = law_of(lambda below: tuple(sorted(weighed.sample(number, below))))
        assert law == {places: Fraction(product, sum(ways.values())) for places, product in ways.items()}

    def test_no_way_to_take_more_items_than_exist(self) -> None:
        assert WeightedSampler(self.WEIGHTS).count_ways(6) == 0

    def test_way_counter_multiplies_weights_of_all_strata(self) -> None:
        heaps, weights = [CARDS[:3], CARDS[3:]], dict(zip(NAMES, (3, 1, 2, 1, 4, 5), strict=True))
        wished = Goals((frozenset({"Cake", "Pie"}),), (Goal(0, 1, 1),))
        found = WayCounter(heaps, wished, (), weights)
        ways = {
            way: prod(weights[name] for names in way for name in names)
            for way in every_way(heaps, wished, [0], [2, 1])
        }
        assert found.count_ways([2, 1]) == sum(ways.values())
        law = law_of(
            lambda below: tuple(frozenset(card.name for card in heap) for heap in found.sample([2, 1], below))
        )
        assert law == {way: Fraction(product, sum(ways.values())) for way, product in ways.items()}


class TestGoals:
    @pytest.mark.parametrize(
        ("goal", "met"),
        [
            (Goal(0, 1, None), [1, 2, 3]),
            (Goal(0, 1, 2), [1, 2]),
            (Goal(0, 0, 0), [0]),
            (Goal(0, 2, 2), [2]),
        ],
    )
    def test_goal_is_met_from_minimum_to_maximum(self, goal: Goal, met: list[int]) -> None:
        assert [many for many in range(4) if goal.is_met([many])] == met

    def test_goal_applies_only_if_its_condition_is_met(self) -> None:
        goal = Goal(0, 1, 1, (1,))
        assert goal.is_met([0, 0]) and goal.is_met([1, 1]) and goal.is_met([2, 0])
        assert not goal.is_met([0, 1]) and not goal.is_met([2, 3])

    def test_caps_are_the_counts_beyond_which_nothing_changes(self) -> None:
        none: frozenset[str] = frozenset()
        goals = (
            Goal(0, 2, None),
            Goal(1, 0, 3),
            Goal(1, 1, None, (2,)),
            Goal(0, 1, None),
            Goal(3, 2, 2, (3,)),
        )
        assert Goals((none,) * 5, goals).get_caps() == [2, 4, 1, 3, 0]


class TestWorkLimits:
    GOALS = Goals(
        tuple(frozenset({name}) for name in NAMES), tuple(Goal(at, 0, 1, (5 - at,)) for at in range(6))
    )

    def test_too_many_classes_exceed_the_work_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(counting, "MAX_CLASSES", 6)
        assert WayCounter([CARDS], self.GOALS).count_ways([2]) == 15
        monkeypatch.setattr(counting, "MAX_CLASSES", 5)
        with pytest.raises(WorkLimitExceeded):
            WayCounter([CARDS], self.GOALS).count_ways([2])

    @pytest.mark.parametrize(("work", "enough"), [(0, False), (22, False), (23, True)])
    def test_too_many_table_entries_exceed_the_work_limit(self, work: int, enough: bool) -> None:
        found = WayCounter([CARDS], self.GOALS)
        assert found.work_limit == counting.MAX_WORK
        found.work_limit = work
        if enough:
            assert found.count_ways([2]) == 15
        else:
            with pytest.raises(WorkLimitExceeded):
                found.count_ways([2])


class TestWeights:
    def test_weighted_index_selects_the_interval(self) -> None:
        fallen = [weighted_index([2, 0, 3, 1], {6: number}.__getitem__) for number in range(6)]
        assert fallen == [0, 0, 2, 2, 2, 3]

    def test_weighted_index_is_proportional_to_weights(self) -> None:
        law = law_of(lambda below: weighted_index([2, 0, 3], below))
        assert law == {0: Fraction(2, 5), 2: Fraction(3, 5)}

    def test_reduce_weights_divides_by_the_common_divisor(self) -> None:
        assert list(reduce_weights([6, 0, 9])) == [2, 0, 3] and list(reduce_weights([5])) == [1]
