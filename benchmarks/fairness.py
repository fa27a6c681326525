"""Whether chance is even: `python -m benchmarks.fairness` deals 590,000 tables, and compares the odds.

What is counted over the deals of several choices of sets is held against the exact figures of `odds`: how
many landscapes are used, of which kinds; Platinum and Colony, Shelters; whether an Ally or a Prophecy is
needed; single cards. And against an even chance: how often each card is in the Kingdom, comes first, is the
Bane, is Ferryman's pile. Given wishes, how often each card and landscape is turned up. For each it prints
chi-squared, and how likely so large a one is by chance alone, which should be anything from 0 to 1; below
0.000001 it fails. The seeds are fixed, so the figures are too.

It needs scipy: `pip install '.[statistics]'`.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from scipy.stats import chi2

from randomizer.cards.game import Game, Request, Wishes
from randomizer.deal.dealer import deal_table
from randomizer.deal.table import Table
from randomizer.load import games
from randomizer.odds.given import ConditionalOdds, create_odds
from randomizer.odds.probabilities import DealOdds

LEAST = 1e-6
SELDOM = 5  # expected deals of a sort, below which chi-squared is no measure


class Deals(NamedTuple):
    """A choice of sets, and how many deals of it; of some cards the odds are compared too."""

    sets: tuple[str, ...]
    number: int
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
    """Wishes, and the sets that they are dealt from."""

    what: str
    sets: tuple[str, ...]
    wishes: Wishes


GIVEN_DEALS = 30_000  # of each
_FOUR = ("base-2e", "prosperity-2e", "dark-ages", "adventures")
GIVEN = [
    Wished("a card", _FOUR, Wishes(with_=("witch",))),
    Wished("two cards", ("base-2e", "adventures", "menagerie"), Wishes(with_=("chapel", "page"))),
    Wished("a landscape", ("base-2e", "adventures", "menagerie"), Wishes(with_=("way-of-the-owl",))),
    Wished("a village and a trasher", _FOUR, Wishes(want=("village", "trashing"))),
    Wished("three to five of a set", _FOUR, Wishes(want=("prosperity=3-5",))),
    Wished(
        "few that are dear", ("base-2e", "adventures", "empires"), Wishes(want=("cost:5+ and kingdom=-2",))
    ),
    Wished(
        "a defence if there is an attack",
        ("base-2e", "seaside-2e", "renaissance"),
        Wishes(want=("defence if attack",)),
    ),
    Wished("weights", _FOUR, Wishes(weight=("attack=0.5", "duration or event=2"))),
    Wished("weights and wishes", _FOUR, Wishes(want=("reserve=2-",), weight=("event=0.5", "reserve=3"))),
    Wished(
        "many weights and a wish",
        ("base-2e", "adventures", "empires", "renaissance"),
        Wishes(
            want=("reserve=2-", "village"),
            weight=("event=0.5", "landmark=2", "project=3", "attack=0.5", "duration=2"),
        ),
    ),
    Wished("what is rare: seven attacks", _FOUR, Wishes(want=("attack=7-",))),
]


class Result(NamedTuple):
    """A comparison: what, how many sorts of outcome less one, how uneven, how likely by chance."""

    what: str
    degrees: int
    chi_squared: float

    @property
    def likelihood(self) -> float:
        """The chance of so large a chi-squared, or a larger one."""
        return float(chi2.sf(self.chi_squared, self.degrees))


def main() -> None:
    """Print the figures; fail if one of them is next to impossible."""
    game = games.load()
    lowest = 1.0
    print(f"{'':52}{'degrees':>8}{'chi²':>10}{'likelihood':>12}")
    for deals in FREE:
        lowest = min(lowest, _printed(deals, compared(game, deals)))
    for deals, mark, other in ((WITH_YOUNG_WITCH, "Bane", ""), (WITH_FERRYMAN, "Ferryman", "Young Witch")):
        lowest = min(lowest, _printed(deals, [chosen(game, deals, mark, other)]))
    for wished in GIVEN:
        print(f"{', '.join(wished.sets)}, {wished.what}: {GIVEN_DEALS} deals")
        lowest = min(lowest, _each_printed(given(game, wished)))
    print(f"lowest {lowest:.2g}; at least {LEAST:.0e}")
    sys.exit(lowest < LEAST)


def _printed(deals: Deals, results: Iterator[Result] | Sequence[Result]) -> float:
    first = f", {deals.first[0]} first" if deals.first else ""
    print(f"{', '.join(deals.sets)}{first}: {deals.number} deals")
    return _each_printed(results)


def _each_printed(results: Iterator[Result] | Sequence[Result]) -> float:
    lowest = 1.0
    for result in results:
        lowest = min(lowest, result.likelihood)
        print(f"  {result.what:50}{result.degrees:8}{result.chi_squared:10.1f}{result.likelihood:12.4f}")
    return lowest


def tables(game: Game, deals: Deals) -> Iterator[Table]:
    """The deals, always the same ones."""
    for number in range(deals.number):
        options = Request(deals.sets, 2, f"fair {number}")
        yield deal_table(game, options, {"randomizers": deals.first})


def compared(game: Game, deals: Deals) -> Iterator[Result]:
    """What is counted, against the odds."""
    chances = DealOdds(game, Request(deals.sets, 2, ""))
    used: Counter[int] = Counter()
    events: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    first: Counter[str] = Counter()
    landscape: Counter[str] = Counter()
    for table in tables(game, deals):
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
        yield outcomes("number of landscapes", used, dict(enumerate(chances.compute_landscape_counts())))
    for title, chance in (*chances.compute_landscape_kinds().items(), *chances.compute_decisions().items()):
        if 0 < chance < 1:
            yield event(title, events[title], deals.number, chance)
    for slot in chances.list_landscape_choices():
        likely = chances.compute_needed(slot)
        if not likely.left_out and 0 < likely.exact < 1:
            yield event(f"{slot} needed", events[f"{slot} needed"], deals.number, likely.exact)
    for name in deals.cards:
        likely = chances.compute_on_table(name)
        if not likely.left_out:
            yield event(name, events[name], deals.number, likely.exact)
    names = [card.name for card in chances.kingdom]
    yield outcomes("first Kingdom card", first, dict.fromkeys(names, Fraction(1, len(names))))
    others = [card.name for card in chances.landscapes]
    if others:
        yield outcomes("first landscape", landscape, dict.fromkeys(others, Fraction(1, len(others))))
    yield inclusion("every Kingdom card", inside, names, chances.compute_kingdom_card(), deals.number)


def chosen(game: Game, deals: Deals, mark: str, without: str) -> Result:
    """How often each of the cards was chosen that the choice asks for; they all have the same chance.

    Deals with the card `without` are left out: it takes one of those cards before.
    """
    (query,) = (choice.query for effect in game.setup[deals.first[0]] if (choice := effect.choice(mark)))
    fitting = game.get_pool(deals.sets).find_cards(query)
    names = [card.name for card in fitting if card.name not in (*deals.first, without)]
    seen: Counter[str] = Counter()
    for table in tables(game, deals):
        if without not in table.in_use():
            seen.update(name for name, marks in table.marks.items() if mark in marks)
    return outcomes(f"{mark} of {len(names)}", seen, dict.fromkeys(names, Fraction(1, len(names))))


def given(game: Game, wished: Wished, number: int = GIVEN_DEALS) -> Iterator[Result]:
    """What is turned up given wishes, against the odds; each card and landscape by itself."""
    request = Request(wished.sets, 2, "", wishes=wished.wishes)
    chances = create_odds(game, request)
    assert isinstance(chances, ConditionalOdds)
    groups = chances.group_by_probability([*chances.kingdom, *chances.landscapes])
    seen: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    used: Counter[int] = Counter()
    numbers: list[Counter[int]] = [Counter() for _ in groups]
    for deal in range(number):
        table = deal_table(game, request._replace(seed=f"fair {deal}"))
        names = {turned.card.name for turned in table.turned if turned.use != "skipped"}
        seen.update(names)
        used[len(table.landscapes)] += 1
        decided.update(decision.title for decision in table.decisions if decision.answer)
        for count, (cards, _) in zip(numbers, groups, strict=True):
            count[sum(card.name in names for card in cards)] += 1
    yield outcomes("number of landscapes", used, dict(enumerate(chances.compute_landscape_counts())))
    for title, chance in chances.compute_decisions().items():
        if 0 < chance < 1:
            yield event(title, decided[title], number, chance)
    spread, degrees = 0.0, 0
    for count, (cards, chance) in zip(numbers, groups, strict=True):
        odds = chances.compute_used_counts(cards)
        if Fraction(1) not in odds:
            yield _pooled(f"how many of {len(cards)} that are alike", count, odds, number)
        if len(cards) > 1:
            both = sum(share * many * (many - 1) for many, share in enumerate(odds)) / (
                len(cards) * (len(cards) - 1)
            )
            mean = sum(seen[card.name] for card in cards) / len(cards)
            apart = sum((seen[card.name] - mean) ** 2 for card in cards)
            if chance != both:
                spread += apart / float(number * (chance - both))
                degrees += len(cards) - 1
    yield Result("every card, among those that are alike", degrees, spread)


def _pooled(what: str, seen: Counter[int], odds: Sequence[Fraction], number: int) -> Result:
    """Numbers of cards, those that are too seldom for chi-squared taken together."""
    often = [many for many, chance in enumerate(odds) if chance * number >= SELDOM]
    rest = Fraction(1) - sum(odds[many] for many in often)
    pooled = Counter({many: seen[many] for many in often})
    pooled[-1] = number - sum(pooled.values())
    return outcomes(what, +pooled, {**{many: odds[many] for many in often}, **({-1: rest} if rest else {})})


def outcomes(what: str, seen: Counter[Any], chances: Mapping[Any, Fraction]) -> Result:
    """One of several outcomes each time."""
    total = sum(seen.values())
    possible = {outcome: float(chance * total) for outcome, chance in chances.items() if chance}
    spread = sum((seen[outcome] - expected) ** 2 / expected for outcome, expected in possible.items())
    return Result(what, len(possible) - 1, spread if set(seen) <= set(possible) else float("inf"))


def event(what: str, seen: int, number: int, chance: Fraction) -> Result:
    """Something that happens or not."""
    return outcomes(what, Counter({True: seen, False: number - seen}), {True: chance, False: 1 - chance})


def inclusion(what: str, seen: Counter[str], names: Sequence[str], chance: Fraction, number: int) -> Result:
    """So many different names each time: they vary less than single draws, by what is no longer there."""
    expected = float(chance * number)
    spread = sum((seen[name] - expected) ** 2 for name in names) / expected
    return Result(what, len(names) - 1, spread / float((1 - chance) * len(names) / (len(names) - 1)))


if __name__ == "__main__":
    main()
