"""Statistical tests of the randomness: `python -m benchmarks.fairness` deals 680,000 tables.

For several choices of sets, observed frequencies are compared with the exact odds: of the number and kinds of
landscapes, of Platinum and Colony, of Shelters, of needing an Ally or a Prophecy, and of individual cards.
How often each card is in the Kingdom, is its first card, is the Bane, or is Ferryman's pile is compared with
a uniform distribution. For deals with wishes, the frequencies of all cards and landscapes are compared with
the odds given the wishes.

Each line shows chi-squared and its p-value, which is uniformly distributed between 0 and 1 if the deals are
fair. The program fails if a p-value is below 0.000001. The seeds are fixed, so the results are always the
same.

This requires scipy: `pip install '.[statistics]'`.
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
MIN_EXPECTED_COUNT = 5  # expected frequency below which chi-squared is not reliable


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


UNCONDITIONAL_SERIES = [
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


class WishedDeals(NamedTuple):
    """A series of deals with wishes.

    Attributes:
        title: a description of the wishes.
        sets: the sets to deal from.
        wishes: the wishes.
        cards: cards whose odds of being in use are compared.
    """

    title: str
    sets: tuple[str, ...]
    wishes: WishTexts
    cards: tuple[str, ...] = ()


WISHED_DEAL_COUNT = 30_000  # for each of the wishes
_FOUR_SETS = ("base-2e", "prosperity-2e", "dark-ages", "adventures")
CONDITIONAL_SERIES = [
    WishedDeals("a card", _FOUR_SETS, WishTexts(with_=("witch",))),
    WishedDeals("two cards", ("base-2e", "adventures", "menagerie"), WishTexts(with_=("chapel", "page"))),
    WishedDeals("a landscape", ("base-2e", "adventures", "menagerie"), WishTexts(with_=("way-of-the-owl",))),
    WishedDeals("a village and a trasher", _FOUR_SETS, WishTexts(want=("village", "trashing"))),
    WishedDeals("three to five of a set", _FOUR_SETS, WishTexts(want=("prosperity=3-5",))),
    WishedDeals(
        "few that are dear", ("base-2e", "adventures", "empires"), WishTexts(want=("cost:5+ and kingdom=-2",))
    ),
    WishedDeals(
        "a defence if there is an attack",
        ("base-2e", "seaside-2e", "renaissance"),
        WishTexts(want=("defence if attack",)),
    ),
    WishedDeals("weights", _FOUR_SETS, WishTexts(weight=("attack=0.5", "duration or event=2"))),
    WishedDeals(
        "weights and wishes", _FOUR_SETS, WishTexts(want=("reserve=2-",), weight=("event=0.5", "reserve=3"))
    ),
    WishedDeals(
        "many weights and a wish",
        ("base-2e", "adventures", "empires", "renaissance"),
        WishTexts(
            want=("reserve=2-", "village"),
            weight=("event=0.5", "landmark=2", "project=3", "attack=0.5", "duration=2"),
        ),
    ),
    WishedDeals("what is rare: seven attacks", _FOUR_SETS, WishTexts(want=("attack=7-",))),
    WishedDeals(
        "at most one attack on the table",
        ("base-2e", "cornucopia-guilds-2e"),
        WishTexts(want=("attack=-1",)),
        ("Young Witch", "Ferryman", "Militia", "Moat"),
    ),
    WishedDeals(
        "no attack on the table",
        ("base-2e", "allies", "rising-sun"),
        WishTexts(want=("attack=0",)),
        ("Great Leader", "Riverboat", "Festival"),
    ),
    WishedDeals(
        "few that are cheap, with a Bane",
        ("base-2e", "intrigue-2e", "cornucopia-guilds-2e"),
        WishTexts(want=("cost:2-3=-2",)),
        ("Young Witch", "Ferryman", "Moat"),
    ),
]


class Result(NamedTuple):
    """The result of a chi-squared test.

    Attributes:
        title: what is compared.
        degrees_of_freedom: the degrees of freedom.
        chi_squared: the test statistic.
    """

    title: str
    degrees_of_freedom: int
    chi_squared: float

    @property
    def p_value(self) -> float:
        """The probability of a chi-squared at least as large as this."""
        return float(chi2.sf(self.chi_squared, self.degrees_of_freedom))


def main() -> None:
    """Print all results; exit with an error if a p-value is too small."""
    game = games.load()
    lowest_p_value = 1.0
    print(f"{'':52}{'degrees':>8}{'chi²':>10}{'p-value':>12}")
    for deals in UNCONDITIONAL_SERIES:
        lowest_p_value = min(lowest_p_value, _print_series(deals, compare_with_odds(game, deals)))
    for deals, mark, other in ((WITH_YOUNG_WITCH, "Bane", ""), (WITH_FERRYMAN, "Ferryman", "Young Witch")):
        lowest_p_value = min(lowest_p_value, _print_series(deals, [compare_choice(game, deals, mark, other)]))
    for wished_deals in CONDITIONAL_SERIES:
        print(f"{', '.join(wished_deals.sets)}, {wished_deals.title}: {WISHED_DEAL_COUNT} deals")
        lowest_p_value = min(lowest_p_value, _print_results(compare_with_wishes(game, wished_deals)))
    print(f"lowest {lowest_p_value:.2g}; at least {MIN_P_VALUE:.0e}")
    sys.exit(lowest_p_value < MIN_P_VALUE)


def _print_series(deals: Deals, results: Iterator[Result] | Sequence[Result]) -> float:
    first = f", {deals.first[0]} first" if deals.first else ""
    print(f"{', '.join(deals.sets)}{first}: {deals.deal_count} deals")
    return _print_results(results)


def _print_results(results: Iterator[Result] | Sequence[Result]) -> float:
    lowest_p_value = 1.0
    for result in results:
        lowest_p_value = min(lowest_p_value, result.p_value)
        figures = f"{result.degrees_of_freedom:8}{result.chi_squared:10.1f}{result.p_value:12.4f}"
        print(f"  {result.title:50}{figures}")
    return lowest_p_value


def deal_tables(game: Game, deals: Deals) -> Iterator[Table]:
    """Yield the tables of a series, with fixed seeds."""
    for number in range(deals.deal_count):
        options = Request(deals.sets, 2, f"fair {number}")
        yield deal_table(game, options, {"randomizers": deals.first})


def compare_with_odds(game: Game, deals: Deals) -> Iterator[Result]:
    """Compare frequencies with the exact odds, and with a uniform distribution where all cards are alike."""
    odds = DealOdds(game, Request(deals.sets, 2, ""))
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
    if odds.landscapes:
        yield check_outcomes(
            "number of landscapes", used, dict(enumerate(odds.compute_landscape_count_distribution()))
        )
    for title, chance in (
        *odds.compute_landscape_kind_probabilities().items(),
        *odds.compute_decision_probabilities().items(),
    ):
        if 0 < chance < 1:
            yield check_event(title, events[title], deals.deal_count, chance)
    for slot in odds.list_landscape_choices():
        likely = odds.compute_needed_probability(slot)
        if not likely.left_out and 0 < likely.exact < 1:
            yield check_event(f"{slot} needed", events[f"{slot} needed"], deals.deal_count, likely.exact)
    for name in deals.cards:
        likely = odds.compute_on_table_probability(name)
        if not likely.left_out:
            yield check_event(name, events[name], deals.deal_count, likely.exact)
    names = [card.name for card in odds.kingdom]
    yield check_outcomes("first Kingdom card", first, dict.fromkeys(names, Fraction(1, len(names))))
    others = [card.name for card in odds.landscapes]
    if others:
        yield check_outcomes("first landscape", landscape, dict.fromkeys(others, Fraction(1, len(others))))
    yield check_inclusion(
        "every Kingdom card",
        inside,
        names,
        odds.compute_turned_up_probability(odds.kingdom[0]),
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


def compare_with_wishes(
    game: Game, wished_deals: WishedDeals, deal_count: int = WISHED_DEAL_COUNT
) -> Iterator[Result]:
    """Compare what is turned up with the odds given the wishes."""
    request = Request(wished_deals.sets, 2, "", wishes=wished_deals.wishes.parse(game))
    odds = DealOdds(game, request)
    assert odds.is_conditional
    groups = odds.group_by_probability([*odds.kingdom, *odds.landscapes])
    seen: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    used: Counter[int] = Counter()
    in_use: Counter[str] = Counter()
    numbers: list[Counter[int]] = [Counter() for _ in groups]
    for deal in range(deal_count):
        table = deal_table(game, request._replace(seed=f"fair {deal}"))
        names = {turned.card.name for turned in table.turned if turned.use != "skipped"}
        seen.update(names)
        in_use.update(table.in_use().keys() & set(wished_deals.cards))
        used[len(names & {card.name for card in odds.landscapes})] += 1
        decided.update(decision.title for decision in table.decisions if decision.answer)
        for count, (cards, _) in zip(numbers, groups, strict=True):
            count[sum(card.name in names for card in cards)] += 1
    if odds.landscapes:
        yield check_outcomes(
            "number of landscapes", used, dict(enumerate(odds.compute_landscape_count_distribution()))
        )
    for title, chance in odds.compute_decision_probabilities().items():
        if 0 < chance < 1:
            yield check_event(title, decided[title], deal_count, chance)
    for name in wished_deals.cards:
        likely = odds.compute_on_table_probability(name)
        if not likely.left_out and 0 < likely.exact < 1:
            yield check_event(f"{name} in use", in_use[name], deal_count, likely.exact)
    spread, degrees = 0.0, 0
    for count, (cards, chance) in zip(numbers, groups, strict=True):
        count_odds = odds.compute_used_count_distribution(cards)
        if Fraction(1) not in count_odds:
            yield _check_pooled(f"how many of {len(cards)} that are alike", count, count_odds, deal_count)
        if len(cards) > 1:
            both = sum(share * many * (many - 1) for many, share in enumerate(count_odds)) / (
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
    often = [many for many, chance in enumerate(odds) if chance * number >= MIN_EXPECTED_COUNT]
    rest = Fraction(1) - sum(odds[many] for many in often)
    pooled = Counter({many: seen[many] for many in often})
    pooled[-1] = number - sum(pooled.values())
    return check_outcomes(
        title, +pooled, {**{many: odds[many] for many in often}, **({-1: rest} if rest else {})}
    )


def check_outcomes(title: str, seen: Counter[Any], odds: Mapping[Any, Fraction]) -> Result:
    """Test the frequencies of mutually exclusive outcomes."""
    total = sum(seen.values())
    possible = {outcome: float(chance * total) for outcome, chance in odds.items() if chance}
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
