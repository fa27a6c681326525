"""Statistical test of the randomness: `python -m benchmarks.fairness` deals 590,000 tables.

The frequencies in deals from several choices of sets are compared with the exact odds: the number and kinds
of landscapes; Platinum and Colony, Shelters; whether an Ally or a Prophecy is needed; single cards. The
frequencies of each card in the Kingdom, as first card, as Bane and as Ferryman's pile are compared with a
uniform distribution. For deals with wishes, the frequencies of all cards and landscapes are compared with the
odds given the wishes.

Each line has chi-squared and its p-value, which is uniform between 0 and 1 if all is well. The program fails
if a p-value is below 0.000001. The seeds are fixed, so the results are always the same.

It needs scipy: `pip install '.[statistics]'`.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scipy.stats import chi2

from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.load import games
from randomizer.odds.probabilities import DealOdds
from tests.support.wish_texts import WishTexts

MIN_P_VALUE = 1e-6
MIN_EXPECTED = 5  # expected frequency below which chi-squared is not reliable


class Deals(NamedTuple):
    """A series of deals.

    Attributes:
        sets: the sets to deal from.
        deal_count: the number of deals.
        cards: cards whose odds of being in use are compared.
        first: cards that come up first.
    """

    sets: tuple[str, ...]
    deal_count: int
    cards: tuple[str, ...]
    first: tuple[str, ...] = ()


FREE = [
    Deals(("base-2e", "adventures", "prosperity-2e"), 60_000, ("Page", "Teacher", "Lost Arts")),
    Deals(("menagerie", "renaissance", "plunder", "dark-ages"), 60_000, ("Horse", "Spoils", "Enhance")),
    Deals(
        ("cornucopia-guilds-2e", "rising-sun", "allies"),
        60_000,
        ("Young Witch", "Rewards", "Approaching Army"),
    ),
    Deals(("cornucopia-guilds-2e", "allies"), 20_000, ("Student", "Hamlet")),
    Deals(("nocturne", "empires", "prosperity-1e"), 20_000, ("The Sky's Gift", "Ghost", "Tax")),
]
WITH_YOUNG_WITCH = Deals(("cornucopia-guilds-2e", "intrigue-2e"), 20_000, (), ("Young Witch",))
WITH_FERRYMAN = Deals(("cornucopia-guilds-2e", "intrigue-2e"), 20_000, (), ("Ferryman",))


class Wished(NamedTuple):
    """A series of deals with wishes.

    Attributes:
        title: a description of the wishes.
        sets: the sets to deal from.
        wishes: the wishes.
    """

    title: str
    sets: tuple[str, ...]
    wishes: WishTexts


DEALS_WITH_WISHES = 30_000  # for each of the wishes
_FOUR = ("base-2e", "prosperity-2e", "dark-ages", "adventures")
GIVEN = [
    Wished("a card", _FOUR, WishTexts(with_=("witch",))),
    Wished("two cards", ("base-2e", "adventures", "menagerie"), WishTexts(with_=("chapel", "page"))),
    Wished("a landscape", ("base-2e", "adventures", "menagerie"), WishTexts(with_=("way-of-the-owl",))),
    Wished("a village and a trasher", _FOUR, WishTexts(want=("village", "trashing"))),
    Wished("three to five of a set", _FOUR, WishTexts(want=("prosperity=3-5",))),
    Wished(
        "few that are dear", ("base-2e", "adventures", "empires"), WishTexts(want=("cost:5+ and kingdom=-2",))
    ),
    Wished(
        "a defence if there is an attack",
        ("base-2e", "seaside-2e", "renaissance"),
        WishTexts(want=("defence if attack",)),
    ),
    Wished("weights", _FOUR, WishTexts(weight=("attack=0.5", "duration or event=2"))),
    Wished("weights and wishes", _FOUR, WishTexts(want=("reserve=2-",), weight=("event=0.5", "reserve=3"))),
    Wished(
        "many weights and a wish",
        ("base-2e", "adventures", "empires", "renaissance"),
        WishTexts(
            want=("reserve=2-", "village"),
            weight=("event=0.5", "landmark=2", "project=3", "attack=0.5", "duration=2"),
        ),
    ),
    Wished("what is rare: seven attacks", _FOUR, WishTexts(want=("attack=7-",))),
]


class Result(NamedTuple):
    """The result of a chi-squared test.

    Attributes:
        title: what is compared.
        degrees: the degrees of freedom.
        chi_squared: the test statistic.
    """

    title: str
    degrees: int
    chi_squared: float

    @property
    def p_value(self) -> float:
        """The probability of a chi-squared at least as large as this."""
        return float(chi2.sf(self.chi_squared, self.degrees))


def main() -> None:
    """Print all results; exit with an error if a p-value is too small."""
    game = games.load()
    lowest = 1.0
    print(f"{'':52}{'degrees':>8}{'chi²':>10}{'p-value':>12}")
    for deals in FREE:
        lowest = min(lowest, _print_series(deals, compare_with_odds(game, deals)))
    for deals, mark, other in ((WITH_YOUNG_WITCH, "Bane", ""), (WITH_FERRYMAN, "Ferryman", "Young Witch")):
        lowest = min(lowest, _print_series(deals, [compare_choice(game, deals, mark, other)]))
    for wished in GIVEN:
        print(f"{', '.join(wished.sets)}, {wished.title}: {DEALS_WITH_WISHES} deals")
        lowest = min(lowest, _print_results(compare_with_wishes(game, wished)))
    print(f"lowest {lowest:.2g}; at least {MIN_P_VALUE:.0e}")
    sys.exit(lowest < MIN_P_VALUE)


def _print_series(deals: Deals, results: Iterator[Result] | Sequence[Result]) -> float:
    first = f", {deals.first[0]} first" if deals.first else ""
    print(f"{', '.join(deals.sets)}{first}: {deals.deal_count} deals")
    return _print_results(results)


def _print_results(results: Iterator[Result] | Sequence[Result]) -> float:
    lowest = 1.0
    for result in results:
        lowest = min(lowest, result.p_value)
        print(f"  {result.title:50}{result.degrees:8}{result.chi_squared:10.1f}{result.p_value:12.4f}")
    return lowest


def deal_tables(game: Game, deals: Deals) -> Iterator[Table]:
    """Yield the tables of a series, with fixed seeds."""
    for number in range(deals.deal_count):
        options = Request(deals.sets, 2, f"fair {number}")
        yield deal_table(game, options, {"randomizers": deals.first})


def compare_with_odds(game: Game, deals: Deals) -> Iterator[Result]:
    """Compare frequencies with the exact odds, and with a uniform distribution where all cards are alike."""
    chances = DealOdds(game, Request(deals.sets, 2, ""))
    used: Counter[int] = Counter()
    events: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    first: Counter[str] = Counter()
    landscape: Counter[str] = Counter()
    for table in deal_tables(game, deals):
        kingdom = [turned.card.name for turned in table.turned if turned.use == "kingdom"]
        landscapes = [turned.card for turned in table.turned if turned.use == "landscape"]
        kinds = [card.kind for card in landscapes]
        inside.update(kingdom)
        first[kingdom[0]] += 1
        landscape.update(card.name for card in landscapes[:1])
        used[len(kinds)] += 1
        events.update(set(kinds))
        events.update(decision.title for decision in table.decisions if decision.answer)
        events.update(f"{slot} needed" for slot in table.slots)
        events.update(table.in_use().keys() & set(deals.cards))
    if chances.landscapes:
        yield check_outcomes(
            "number of landscapes", used, dict(enumerate(chances.compute_landscape_count_distribution()))
        )
    for title, chance in (
        *chances.compute_landscape_kind_probabilities().items(),
        *chances.compute_decision_probabilities().items(),
    ):
        if 0 < chance < 1:
            yield check_event(title, events[title], deals.deal_count, chance)
    for slot in chances.list_landscape_choices():
        likely = chances.compute_needed_probability(slot)
        if not likely.left_out and 0 < likely.exact < 1:
            yield check_event(f"{slot} needed", events[f"{slot} needed"], deals.deal_count, likely.exact)
    for name in deals.cards:
        likely = chances.compute_on_table_probability(name)
        if not likely.left_out:
            yield check_event(name, events[name], deals.deal_count, likely.exact)
    names = [card.name for card in chances.kingdom]
    yield check_outcomes("first Kingdom card", first, dict.fromkeys(names, Fraction(1, len(names))))
    others = [card.name for card in chances.landscapes]
    if others:
        yield check_outcomes("first landscape", landscape, dict.fromkeys(others, Fraction(1, len(others))))
    yield check_inclusion(
        "every Kingdom card",
        inside,
        names,
        chances.compute_turned_up_probability(chances.kingdom[0]),
        deals.deal_count,
    )


def compare_choice(game: Game, deals: Deals, mark: str, without: str) -> Result:
    """Compare how often each matching card is chosen with a uniform distribution.

    Args:
        mark: the choice.
        without: deals with this card are left out, because it draws one of the matching cards first.
    """
    (query,) = (choice.query for effect in game.setup[deals.first[0]] if (choice := effect.choice(mark)))
    fitting = game.get_pool(deals.sets).find_cards(query)
    names = [card.name for card in fitting if card.name not in (*deals.first, without)]
    seen: Counter[str] = Counter()
    for table in deal_tables(game, deals):
        if without not in table.in_use():
            seen.update(name for name, marks in table.marks.items() if mark in marks)
    return check_outcomes(f"{mark} of {len(names)}", seen, dict.fromkeys(names, Fraction(1, len(names))))


def compare_with_wishes(game: Game, wished: Wished, deal_count: int = DEALS_WITH_WISHES) -> Iterator[Result]:
    """Compare what is turned up with the odds given the wishes."""
    request = Request(wished.sets, 2, "", wishes=wished.wishes.parse(game))
    chances = DealOdds(game, request)
    assert chances.is_conditional
    groups = chances.group_by_probability([*chances.kingdom, *chances.landscapes])
    seen: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    used: Counter[int] = Counter()
    numbers: list[Counter[int]] = [Counter() for _ in groups]
    for deal in range(deal_count):
        table = deal_table(game, request._replace(seed=f"fair {deal}"))
        names = {turned.card.name for turned in table.turned if turned.use != "skipped"}
        seen.update(names)
        used[len(table.landscapes)] += 1
        decided.update(decision.title for decision in table.decisions if decision.answer)
        for count, (cards, _) in zip(numbers, groups, strict=True):
            count[sum(card.name in names for card in cards)] += 1
    yield check_outcomes(
        "number of landscapes", used, dict(enumerate(chances.compute_landscape_count_distribution()))
    )
    for title, chance in chances.compute_decision_probabilities().items():
        if 0 < chance < 1:
            yield check_event(title, decided[title], deal_count, chance)
    spread, degrees = 0.0, 0
    for count, (cards, chance) in zip(numbers, groups, strict=True):
        odds = chances.compute_used_count_distribution(cards)
        if Fraction(1) not in odds:
            yield _check_pooled(f"how many of {len(cards)} that are alike", count, odds, deal_count)
        if len(cards) > 1:
            both = sum(share * many * (many - 1) for many, share in enumerate(odds)) / (
                len(cards) * (len(cards) - 1)
            )
            mean = sum(seen[card.name] for card in cards) / len(cards)
            apart = sum((seen[card.name] - mean) ** 2 for card in cards)
            if chance != both:
                spread += apart / float(deal_count * (chance - both))
                degrees += len(cards) - 1
    yield Result("every card, among those that are alike", degrees, spread)


def _check_pooled(title: str, seen: Counter[int], odds: Sequence[Fraction], number: int) -> Result:
    """Compare numbers of cards with their odds; rare numbers are pooled."""
    often = [many for many, chance in enumerate(odds) if chance * number >= MIN_EXPECTED]
    rest = Fraction(1) - sum(odds[many] for many in often)
    pooled = Counter({many: seen[many] for many in often})
    pooled[-1] = number - sum(pooled.values())
    return check_outcomes(
        title, +pooled, {**{many: odds[many] for many in often}, **({-1: rest} if rest else {})}
    )


def check_outcomes(title: str, seen: Counter[Any], chances: Mapping[Any, Fraction]) -> Result:
    """Test the frequencies of mutually exclusive outcomes."""
    total = sum(seen.values())
    possible = {outcome: float(chance * total) for outcome, chance in chances.items() if chance}
    spread = sum((seen[outcome] - expected) ** 2 / expected for outcome, expected in possible.items())
    return Result(title, len(possible) - 1, spread if set(seen) <= set(possible) else float("inf"))


def check_event(title: str, seen: int, number: int, chance: Fraction) -> Result:
    """Test the frequency of an event."""
    return check_outcomes(
        title, Counter({True: seen, False: number - seen}), {True: chance, False: 1 - chance}
    )


def check_inclusion(
    title: str, seen: Counter[str], names: Sequence[str], chance: Fraction, number: int
) -> Result:
    """Test how often each name is in samples without replacement, which vary less than single draws."""
    expected = float(chance * number)
    spread = sum((seen[name] - expected) ** 2 for name in names) / expected
    return Result(title, len(names) - 1, spread / float((1 - chance) * len(names) / (len(names) - 1)))


if __name__ == "__main__":
    main()
