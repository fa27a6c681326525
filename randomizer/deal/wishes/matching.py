"""Functions that match wishes with cards: which cards may be turned up, and which count for a wish."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from randomizer.cards.condition import Profile, Selector, Weight, Wish
from randomizer.cards.effect import Settings
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.pool import Pool
from randomizer.cards.selector import build_profile
from randomizer.deal.growing import TurnUp
from randomizer.deal.wishes.bounds import UpperBounds
from randomizer.deal.wishes.goals import Goal, Goals
from randomizer.deal.wishes.strata import Randomizers, TurnUpModel


def list_unmet_wishes(
    game: Game, request: Request, names: Sequence[str], *, allows_more: bool = False
) -> list[str]:
    """Return the wishes of a request that a set of cards does not meet, as command-line options.

    Args:
        game: the game to deal.
        request: the options of the deal.
        names: the names of the cards that have been turned up and used.
        allows_more: whether more cards will be turned up, so that too few matching cards are no failure yet.
    """
    wishes, pool = request.wishes, game.get_pool(request.chosen)
    profiles = [build_profile(game.cards[name], game, pool) for name in names]

    def count(selector: Selector) -> int:
        return sum(map(selector.matches, profiles))

    unmet = [f"--with {name}" for name in wishes.cards if name not in names and not allows_more]
    for wish in wishes.wants:
        if wish.condition is None or count(wish.condition):
            found = count(wish.selector)
            is_too_few = found < wish.min_count and not allows_more
            if is_too_few or (wish.max_count is not None and found > wish.max_count):
                unmet.append(f"--want {wish.text}")
    return unmet


def collect_randomizers(
    pool: Pool, rules: TurnUp, settings: Settings, used: Iterable[str] = ()
) -> Randomizers:
    """Return the cards of a pool that may be turned up.

    Args:
        pool: the pool.
        rules: the rules by which the game turns cards up.
        settings: the values of the open options.
        used: the names of cards that are already in use, and so may not be turned up.
    """
    excluded = set(used)

    def exclude(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(card for card in cards if card.name not in excluded)

    landscapes = exclude(pool.find_cards(rules.landscapes)) if rules.most.resolve(settings) else ()
    return Randomizers(exclude(pool.find_cards(rules.is_)), landscapes, rules, settings)


class WishMatcher:
    """A matcher, which determines which of the cards that may be turned up count for a wish.

    Args:
        randomizers: the cards that may be turned up.
        profiles: the profiles of the cards, by name.
        staying: the names of cards that are already on the table and also count for wishes.
        bounds: the upper bounds of the wishes, to take into account which cards are certain to be chosen
            later; None if there are none.
        chosen: the names of the cards that have been chosen already, by slot. They count for upper bounds
            only.

    Attributes:
        names: the names of the cards that may be turned up.
    """

    def __init__(
        self,
        randomizers: Randomizers,
        profiles: Mapping[str, Profile],
        staying: Sequence[str] = (),
        bounds: UpperBounds | None = None,
        chosen: Mapping[str, Sequence[str]] = {},
    ) -> None:
        self.randomizers = randomizers
        self.profiles = profiles
        self.staying = [name for name in staying if name in profiles]
        self._bounds = bounds
        self._chosen = chosen
        self.names = [card.name for card in (*randomizers.kingdom, *randomizers.landscapes)]

    def with_more_landscapes(self) -> "WishMatcher":
        """Return a matcher for the same cards without the limit on the number of landscapes."""
        rules = self.randomizers.rules
        settings = {**self.randomizers.settings, rules.most.option: self.randomizers.kingdom_count}
        return WishMatcher(
            self.randomizers._replace(settings=settings),
            self.profiles,
            self.staying,
            self._bounds,
            self._chosen,
        )

    def list_matching(self, selector: Selector) -> list[str]:
        """Return the names of the cards that may be turned up and match a selector."""
        return [name for name in self.names if selector.matches(self.profiles[name])]

    def build_model(
        self,
        cards: Sequence[str],
        wants: Sequence[Wish],
        weights: Sequence[Weight] = (),
        *,
        merges_weights: bool = False,
    ) -> TurnUpModel:
        """Return a model of turning cards up with these wishes.

        Args:
            cards: the names of required cards.
            wants: the limits on numbers of matching cards.
            weights: the weights; if a card matches several, they are multiplied.
            merges_weights: see `TurnUpModel`.
        """
        goals = self.build_goals(cards, wants)
        factors: dict[str, Fraction] = {}
        for weight in weights:
            for name in self.list_matching(weight.selector):
                factors[name] = factors.get(name, Fraction(1)) * weight.factor
        on_table = {*self.staying, *self._list_chosen()}
        initial_counts = [len(on_table & counter) for counter in goals.counters]
        return TurnUpModel(self.randomizers, goals, factors, initial_counts, merges_weights=merges_weights)

    def build_goals(self, cards: Sequence[str], wants: Sequence[Wish]) -> Goals:
        """Convert wishes to goals. Wishes that match the same cards share a counter.

        Args:
            cards: the names of required cards.
            wants: the limits on numbers of matching cards.
        """
        counters: dict[frozenset[str], int] = {}

        def get_counter(selector: Selector) -> int:
            staying = [name for name in self.staying if selector.matches(self.profiles[name])]
            return counters.setdefault(frozenset((*self.list_matching(selector), *staying)), len(counters))

        goals = []
        if cards:
            goals.append(Goal(counters.setdefault(frozenset(cards), len(counters)), len(set(cards)), None))
        for wish in wants:
            counter = get_counter(wish.selector)
            conditions = () if wish.condition is None else (get_counter(wish.condition),)
            goal = Goal(counter, wish.min_count, wish.max_count, conditions)
            if wish.max_count is None or self._bounds is None:
                goals.append(goal)
                continue
            chosen = [
                name
                for name in self._list_chosen()
                if self._bounds.matches(wish.selector, name, is_chosen=True)
            ]
            if chosen:  # They count for the upper bound only.
                goals.append(goal._replace(max_count=None))
                (counted,) = [names for names, index in counters.items() if index == counter]
                upper_counter = counters.setdefault(counted.union(chosen), len(counters))
                goal = Goal(upper_counter, 0, wish.max_count, conditions)
            goals.append(goal)
            goals += self._list_forced_goals(wish, goal, counters, self._bounds)
        return Goals(tuple(counters), tuple(goals))

    def _list_forced_goals(
        self, wish: Wish, goal: Goal, counters: dict[frozenset[str], int], bounds: UpperBounds
    ) -> Iterator[Goal]:
        """Yield goals that leave room for cards that are certain to be chosen and count for an upper bound.

        For example, if only cards for $2 or $3 can be the Bane, and at most two of them are wanted, then at
        most one may be turned up together with Young Witch.

        Args:
            wish: the wish.
            goal: the goal for its upper bound.
            counters: the counters, to which new ones are added.
            bounds: the upper bounds.
        """
        trigger_counters = []
        for slot in sorted(bounds.get_forced_slots(wish)):
            names = [name for name in (*self.names, *self.staying) if slot in bounds.list_slots(name)]
            if names and slot not in self._chosen:
                trigger_counters.append(counters.setdefault(frozenset(names), len(counters)))
        for forced_count in range(1, len(trigger_counters) + 1):
            for triggers in combinations(trigger_counters, forced_count):
                max_count = (wish.max_count or 0) - forced_count
                yield Goal(goal.counter, 0, max_count, (*goal.conditions, *triggers))

    def _list_chosen(self) -> list[str]:
        return [name for names in self._chosen.values() for name in names]


def build_cache_key(purpose: str, request: Request, rules: TurnUp | None) -> Hashable:
    """Return a key for the cache of a pool, for a value that depends on the wishes and settings of a request.

    Args:
        purpose: what the value is, such as "samplers".
        request: the options of the deal.
        rules: the rules by which the game turns cards up; None if it turns none up.
    """
    return purpose, rules, request.wishes, tuple(sorted(request.settings.items()))
