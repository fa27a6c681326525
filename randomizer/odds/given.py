"""Exact conditional probabilities, given wishes for the deal.

The event in question becomes one more wish: P(event | wishes) = P(event and wishes) / P(wishes). Choices
among the unused cards are followed from the composition of the cards that are turned up.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, prod
from typing import Literal

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.wish import parse_wishes
from randomizer.deal.growing import Decide, list_questions
from randomizer.deal.wishes.checking import build_matcher, raise_if_impossible
from randomizer.deal.wishes.counting import WayCounter
from randomizer.deal.wishes.goals import Goal, Goals, State
from randomizer.deal.wishes.outcomes import MAX_OUTCOMES, get_outcomes
from randomizer.deal.wishes.sampling import MAX_STATES
from randomizer.odds.composing import CompositionCounter
from randomizer.odds.probabilities import MAX_WORK, DealOdds, Probability
from randomizer.odds.relevant import RelevantChoices
from randomizer.odds.states import StatePropagation, TooMuchWork

_POSITIONS: tuple[Literal["first", "last"], ...] = ("first", "last")


def create_odds(game: Game, request: Request, max_work: int = MAX_WORK) -> DealOdds:
    """Return the probabilities for a deal from all boxes of the request, given its wishes.

    The wishes may be impossible.

    Raises:
        BadOptions, TooFewCards: as for `DealOdds`; or a wish asks for a card that is never turned up.
        WorkLimitExceeded: it takes too long to count.
    """
    has_wishes = request.wishes._replace(without=())
    return ConditionalOdds(game, request, max_work) if has_wishes else DealOdds(game, request, max_work)


class ConditionalOdds(DealOdds):
    """The probabilities for a deal, given its wishes.

    Attributes:
        wishes: the probability of all wishes together.
        each: the probability of each wish by itself, by its text.

    Raises:
        BadOptions, TooFewCards: as for `DealOdds`; or a wish asks for a card that is never turned up.
        WorkLimitExceeded: it takes too long to count.
    """

    def __init__(self, game: Game, request: Request, max_work: int = MAX_WORK) -> None:
        super().__init__(game, request, max_work)
        wishes = parse_wishes(game, request.wishes)
        matcher = self._matcher = build_matcher(game, request, self._turn_up)
        model = matcher.build_model(wishes.cards, wishes.wants, wishes.weights)
        self._strata = model.strata
        self._goals = model.goals
        max_outcomes = max(MAX_STATES, MAX_OUTCOMES * max_work // MAX_WORK)
        self._outcomes = {position: get_outcomes(model, position, max_outcomes) for position in _POSITIONS}
        self.wishes = self._compute_joint()
        goals_by_text = {f"--with {name}": matcher.build_goals([name], ()) for name in wishes.cards}
        goals_by_text |= {wish.text: matcher.build_goals((), [wish]) for wish in wishes.wants}
        self.each = {text: self._compute_goals(goals) for text, goals in goals_by_text.items()}

    def require_possible(self) -> None:
        """Raise an error if no deal meets the wishes.

        Raises:
            BadOptions: a wish cannot be met, or several not together.
        """
        if not self.wishes:
            raise_if_impossible(self._matcher, parse_wishes(self._game, self._request.wishes))

    def group_by_probability(self, cards: Sequence[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Group cards that count for the same wishes, with the probability of each card to be turned up."""
        groups: dict[tuple[object, ...], list[Card]] = {}
        strata = {card.name: index for index, stratum in enumerate(self._strata) for card in stratum.cards}
        for card in cards:
            adds = tuple(card.name in counter for counter in self._goals.counters)
            groups.setdefault((strata[card.name], adds), []).append(card)
        return [(tuple(group), self.compute_turned_up(group[0])) for group in groups.values()]

    def compute_used_counts(self, cards: Sequence[Card]) -> list[Fraction]:
        """Return the probabilities that 0, 1, 2, ... of these cards are turned up and used."""
        counter, names = len(self._goals.counters), frozenset(card.name for card in cards)
        max_count = min(len(cards), self._turn_up.count_ + self._landscapes.max_count)
        return [
            self._compute_joint((Goal(counter, count, count),), names) / self.wishes
            for count in range(max_count + 1)
        ]

    # ── The same probabilities as of `DealOdds`, given the wishes ──

    def compute_landscape_counts(self) -> list[Fraction]:
        """Return the probabilities that 0, 1, 2, ... landscapes are used."""
        probabilities = [Fraction(0)] * (self._landscapes.max_count + 1)
        counter = self._build_counter(self._goals)
        for (taken, _), probability in self._outcomes["last"].items():
            strata = zip(self._strata, taken, strict=True)
            used = sum(count for stratum, count in strata if not stratum.is_kingdom)
            probabilities[used] += probability * _compute_share(counter, taken)
        return [probability / self.wishes for probability in probabilities]

    def compute_landscape_kinds(self) -> dict[str, Fraction]:
        """Return for each kind of landscape the probability that at least one of it is used."""
        kinds = {
            kind: [card.name for card in self.landscapes if card.kind == kind] for kind in self._game.kinds
        }
        return {kind: self._compute_any_used(names) for kind, names in kinds.items() if names}

    def compute_decisions(self) -> dict[str, Fraction]:
        """Return for each question of setup, by its title, the probability of yes."""
        settings = self._request.settings
        questions = list_questions(self._game.opening)
        methods = {question.title: question.get_method(settings) for question in questions}
        positions = {method for method in methods.values() if method in _POSITIONS}
        probabilities = {}
        for question in questions:
            method = methods[question.title]
            if method == "asked":
                probabilities[question.title] = Fraction(bool(settings[question.option]))
            elif method == "any":  # any of the cards that no other question looks at
                rest = self._compute_expected_matches(question)
                rest -= sum(self._compute_match(position, question) for position in positions)
                probabilities[question.title] = rest / (self._turn_up.count_ - len(positions))
            else:
                probabilities[question.title] = self._compute_match(method, question)
        return probabilities

    def compute_turned_up(self, card: Card) -> Fraction:
        """Return the probability that a Kingdom card or landscape is turned up and used."""
        return self._compute_any_used([card.name])

    def _compute_any_out(self, targets: Sequence[str]) -> Probability:
        """Return the probability that a target card comes out; without choices if those take too long."""
        try:
            return super()._compute_any_out(targets)
        except TooMuchWork:
            choices = self._find_choices(targets, len(self._game.cards))
            bringing = [
                card.name
                for card in (*self.kingdom, *self.landscapes)
                if not self._closure.get_consequences(card.name).names.isdisjoint(targets)
            ]
            return Probability(self._compute_any_used(bringing), choices.leading)

    def _compute_miss(self, choices: RelevantChoices, states: StatePropagation, max_work: float) -> Fraction:
        outcomes: dict[State, Fraction] = defaultdict(Fraction)
        for (taken, _), probability in self._outcomes["last"].items():
            outcomes[taken] += probability
        counter = CompositionCounter(
            self._strata,
            self._goals,
            outcomes,
            lambda name, in_kingdom: states.get_contribution(name, in_kingdom=in_kingdom),
        )
        max_work = min(max_work, self._max_work)
        return states.compute_miss_given(counter.compute_distribution(max_work), max_work) / self.wishes

    # ── Computation ──

    def _compute_any_used(self, names: Iterable[str]) -> Fraction:
        """Return the probability that one of these cards is turned up and used, given the wishes."""
        goal = Goal(len(self._goals.counters), 1, None)
        return self._compute_joint((goal,), frozenset(names)) / self.wishes

    def _compute_joint(self, goals: Sequence[Goal] = (), counter: frozenset[str] | None = None) -> Fraction:
        """Return the probability that the wishes and further goals are met.

        Args:
            goals: the further goals.
            counter: the cards of one further counter, which these goals may refer to.
        """
        counters = (*self._goals.counters, *(() if counter is None else (counter,)))
        return self._compute_goals(Goals(counters, (*self._goals.goals, *goals)))

    def _compute_goals(self, goals: Goals) -> Fraction:
        """Return the probability that the goals are met, by the law of total probability."""
        counter = self._build_counter(goals)
        return sum(
            (
                probability * _compute_share(counter, taken)
                for (taken, _), probability in self._outcomes["last"].items()
            ),
            Fraction(0),
        )

    def _build_counter(self, goals: Goals) -> WayCounter:
        return WayCounter([stratum.cards for stratum in self._strata], goals)

    def _compute_expected_matches(self, question: Decide) -> Fraction:
        """Return the expected number of Kingdom cards that answer a question with yes, given the wishes."""
        matching = filter(question.is_.matches, self.kingdom)
        return sum((self.compute_turned_up(card) for card in matching), Fraction(0))

    def _compute_match(self, position: str, question: Decide) -> Fraction:
        """Return the probability that the first or last Kingdom card answers with yes, given the wishes.

        The cards of a stratum are exchangeable, so each of them is equally likely to be at the position. The
        probability is the expected fraction of matching cards. E[X] is the sum of P(X >= n) for n = 1, 2, ...
        """
        total = Fraction(0)
        new_counter = len(self._goals.counters)
        outcomes = self._outcomes["first" if position == "first" else "last"]
        for index, stratum in enumerate(self._strata):
            matching = frozenset(card.name for card in stratum.cards if question.is_.matches(card))
            if not stratum.is_kingdom or not matching:
                continue
            counters = [
                self._build_counter(
                    Goals(
                        (*self._goals.counters, matching),
                        (*self._goals.goals, Goal(new_counter, min_count, None)),
                    )
                )
                for min_count in range(1, self._turn_up.count_ + 1)
            ]
            for (taken, stratum_seen), probability in outcomes.items():
                if stratum_seen == index:
                    expected = sum((_compute_share(counter, taken) for counter in counters), Fraction(0))
                    total += probability * expected / taken[index]
        return total / self.wishes


def _compute_share(counter: WayCounter, taken: State) -> Fraction:
    """Return the fraction of the ways to take these numbers of cards that meet the goals."""
    all_ways = prod(comb(size, count) for size, count in zip(counter.sizes, taken, strict=True))
    return Fraction(counter.count_ways(taken), all_ways)
