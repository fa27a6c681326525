"""The worked example of docs/wish-engine.md: the engine and all possible deals give the same numbers."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path

from randomizer.cards.model import Amount, KindName, Query
from randomizer.deal.growing import TurnUp
from randomizer.deal.wishes.goals import Goal, Goals
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.deal.wishes.strata import Randomizers, TurnUpModel
from tests.support import TESTS_DIR
from tests.support.tea import make_card

PAGE: Path = TESTS_DIR.parent / "docs" / "wish-engine.md"
ATTACKS = ("Witch", "Militia")
KINGDOM = (*ATTACKS, "Village", "Smithy", "Market", "Moat")
EVENTS = ("Alms", "Raid")


def build_sampler() -> ConditionalSampler:
    randomizers = Randomizers(
        tuple(make_card(name) for name in KINGDOM),
        tuple(make_card(name, kind="event") for name in EVENTS),
        TurnUp(Query(kind=(KindName("dish"),)), Amount(3), most=Amount(1)),
        {},
    )
    goals = Goals((frozenset(ATTACKS), frozenset(EVENTS)), (Goal(0, 2, 2), Goal(1, 1, 1)))
    return ConditionalSampler(TurnUpModel(randomizers, goals))


def list_successful_deals() -> Iterator[tuple[str, ...]]:
    """Yield every order of the eight cards whose deal meets the wishes."""
    for order in permutations((*KINGDOM, *EVENTS)):
        indexes = [index for index, name in enumerate(order) if name in KINGDOM]
        turned_up = order[: indexes[2] + 1]
        attacks = sum(name in ATTACKS for name in turned_up)
        if attacks == 2 and any(name in EVENTS for name in turned_up):
            yield order


def test_table_of_states_matches_the_engine() -> None:
    rows = re.findall(r"^\| \((\d), (\d)\) \| (\S+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    sampler = build_sampler()
    assert len(rows) == 8
    for events, kingdom, value in rows:
        assert sampler.get_probability((int(events), int(kingdom))) == Fraction(value), (events, kingdom)


def test_probabilities_of_the_text_match_all_orders() -> None:
    text = PAGE.read_text(encoding="utf-8")
    successful = list(list_successful_deals())
    assert "with probability 9/70" in text and Fraction(len(successful), 40_320) == Fraction(9, 70)
    event_first = Fraction(sum(order[0] in EVENTS for order in successful), len(successful))
    assert "= 7/18, instead of 2/8" in text and event_first == Fraction(7, 18)
    sampler = build_sampler()
    assert [*sampler._get_stratum_weights(sampler.model.start)] == [7, 11]
