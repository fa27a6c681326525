"""Exact probabilities for a deal, computed from the data and the options, never by simulation.

Probabilities are conditional on wishes and weights: P(event | wishes) = P(event and wishes) / P(wishes). To
compute P(event and wishes), the event is added to the wishes. Choices among the unused cards depend on the
cards that are turned up; `relevant`, `stages`, `choosing` and `states` compute them one after the other.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, inf, prod
from typing import Literal, NamedTuple

from randomizer.cards.effect import Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Query
from randomizer.deal.growing import Decide, find_turn_up, list_questions
from randomizer.deal.wishes.bans import build_pool
from randomizer.deal.wishes.bounds import UpperBounds, get_upper_bounds
from randomizer.deal.wishes.checking import build_matcher, raise_if_impossible
from randomizer.deal.wishes.consequences import ConsequenceClosure
from randomizer.deal.wishes.counting import WayCounter
from randomizer.deal.wishes.goals import Goal, Goals, State
from randomizer.deal.wishes.outcomes import MAX_OUTCOMES, get_outcomes
from randomizer.deal.wishes.sampling import MAX_STATES
from randomizer.deal.wishes.strata import Randomizers
from randomizer.odds.bounded import BoundedChoices
from randomizer.odds.composing import CompositionCounter
from randomizer.odds.relevant import RelevantChoices
from randomizer.odds.stages import Contribution
from randomizer.odds.states import StatePropagator, TooMuchWork
from randomizer.text.errors import BadOptions

MAX_WORK = 400_000  # additions for one probability, which take about a quarter of a second
# Additions to compute which deals are rejected by a choice without a suitable card, which take two seconds
_MAX_SURVIVAL_WORK = 4_000_000
_POSITIONS: tuple[Literal["first", "last"], ...] = ("first", "last")


class Probability(NamedTuple):
    """The probability of an event.

    Attributes:
        exact: the exact probability; a lower bound if `left_out` is not empty.
        left_out: the names of choices and decisions that may also lead to the event, but were not computed.
    """

    exact: Fraction
    left_out: tuple[str, ...] = ()


class OddsSummary(NamedTuple):
    """The probabilities that a report shows.

    Attributes:
        kingdom: the Kingdom cards that may be turned up.
        landscapes: the landscapes that may be turned up.
        is_conditional: whether there are wishes or weights, apart from bans. If so, the probabilities of the
            Kingdom cards may differ.
        wishes_probability: the probability that all wishes are met.
        probability_by_wish: the probability of each wish by itself, by the text of the wish.
        kingdom_groups: pairs of a group of Kingdom cards that are equally likely to be turned up, and the
            probability of each of these cards.
        probabilities: all other probabilities, by a pair of their subject and a name. The pairs are
            `landscapes` and their number, `kind` and a kind of landscape, `decision` and its title, `needed`
            and the slot of a choice of landscapes, and `turned up` or `on table` and the name of a card.
    """

    kingdom: Sequence[Card]
    landscapes: Sequence[Card]
    is_conditional: bool
    wishes_probability: Fraction
    probability_by_wish: Mapping[str, Fraction]
    kingdom_groups: Sequence[tuple[Sequence[Card], Fraction]]
    probabilities: Mapping[tuple[str, str], Probability]


class DealOdds:
    """The probabilities for a deal from all boxes of a request, given its wishes and weights.

    The wishes may be impossible; see `require_possible`.

    Args:
        game: the game that is dealt.
        request: the request for the deal.
        max_work: the maximum number of additions for following choices, for each probability. This is a
            number and not a time, so that the same choices are followed on every machine.

    Attributes:
        kingdom: the Kingdom cards that may be turned up.
        landscapes: the landscapes that may be turned up.
        is_conditional: whether there are wishes or weights, apart from bans.
        wishes_probability: the probability that all wishes are met.
        probability_by_wish: the probability of each wish by itself, by the text of the wish.

    Raises:
        BadOptions: the game has no Kingdom, or is not for this number of players; or a wish requires a card
            that is never turned up; or there are wishes or weights and extra cards for a veto.
        TooFewCards: the boxes have too few Kingdom cards, or too few landscapes for a separate deck.
        WorkLimitExceeded: the computation takes too long.
    """

    def __init__(self, game: Game, request: Request, max_work: int = MAX_WORK) -> None:
        turn_up = find_turn_up(game.opening)
        if turn_up is None:
            raise BadOptions("{game} has no Kingdom, so there are no odds to calculate.", game=game.title)
        game.check_players(request.players)
        self._game = game
        self._request = request
        self._turn_up = turn_up
        self._max_work = max_work
        self._pool = build_pool(game, request)
        wishes = request.wishes
        self.is_conditional = bool(wishes.cards or wishes.wants or wishes.weights)
        if self.is_conditional and request.veto_count:  # Extra cards then depend on the first ones.
            raise BadOptions("with --veto, odds can't be calculated for wishes or weights; type --veto 0.")
        matcher = self._matcher = build_matcher(game, request, turn_up)
        self._bounds = get_upper_bounds(game, request)
        randomizers = matcher.randomizers
        self.kingdom, self.landscapes = randomizers.kingdom, randomizers.landscapes
        self._kingdom_count = randomizers.kingdom_count
        self._dealt_count = self._kingdom_count + request.veto_count
        self._pool.require_enough(len(self.kingdom), self._dealt_count, "Kingdom cards", turn_up.is_)
        limit = randomizers.landscape_limit
        if randomizers.has_landscape_deck:
            self._pool.require_enough(len(self.landscapes), limit, "landscapes", turn_up.landscapes)
            usable = randomizers.count_usable_landscapes()
            self._pool.require_enough(usable, limit, "landscapes that can be used together")
        self._max_landscapes = min(randomizers.max_landscapes, len(self.landscapes))
        if self._bounds:  # Some cards can't come into use.
            self._pool = self._bounds.pool
        self._closure = ConsequenceClosure(game, self._pool)
        self._consequences = {
            card.name: self._closure.get_consequences(card.name) for card in self._pool.find_cards(Query())
        }
        self._reachable_otherwise = {card.name for card in self.landscapes} | {
            brought_name
            for name, consequences in self._consequences.items()
            for brought_name in consequences.names - {name}
        }
        model = matcher.build_model(wishes.cards, wishes.wants, wishes.weights)
        self._strata = model.strata
        self._goals = model.goals
        max_outcomes = max(MAX_STATES, MAX_OUTCOMES * max_work // MAX_WORK)
        self._outcomes = {position: get_outcomes(model, position, max_outcomes) for position in _POSITIONS}
        self._survival = self._follow_scarce_choices(randomizers)
        self.wishes_probability = self._compute_joint_probability()
        goals_by_text = {f"--with {name}": matcher.build_goals([name], ()) for name in wishes.cards}
        goals_by_text |= {wish.text: matcher.build_goals((), [wish]) for wish in wishes.wants}
        self.probability_by_wish = {
            text: self._compute_goal_probability(goals) for text, goals in goals_by_text.items()
        }

    def require_possible(self) -> None:
        """Raise an error if no deal meets the wishes.

        Raises:
            BadOptions: a wish cannot be met, or several wishes cannot be met together.
        """
        if not self.wishes_probability:
            raise_if_impossible(self._matcher, self._request.wishes)

    def summarize(self, cards: Iterable[Card]) -> OddsSummary:
        """Return the probabilities for a report.

        Args:
            cards: the cards whose own probabilities to include.
        """
        probabilities = {
            ("landscapes", str(count)): Probability(exact)
            for count, exact in enumerate(self.compute_landscape_count_distribution())
        }
        for kind, exact in self.compute_landscape_kind_probabilities().items():
            probabilities["kind", kind] = Probability(exact)
        is_vetoable = self._request.veto_count > 0  # Then the players decide what stays.
        if not is_vetoable:
            for title, exact in self.compute_decision_probabilities().items():
                probabilities["decision", title] = Probability(exact)
            for slot in self.list_landscape_choices():
                probabilities["needed", slot] = self.compute_needed_probability(slot)
        groups = self.group_by_probability(self.kingdom)
        for group, exact in groups:
            probabilities |= {("turned up", card.name): Probability(exact) for card in group}
        for card in cards:
            if card in self.landscapes:
                probabilities["turned up", card.name] = Probability(self.compute_turned_up_probability(card))
            if not is_vetoable:
                probabilities["on table", card.name] = self.compute_on_table_probability(card.name)
        return OddsSummary(
            self.kingdom,
            self.landscapes,
            self.is_conditional,
            self.wishes_probability,
            self.probability_by_wish,
            groups,
            probabilities,
        )

    def group_by_probability(self, cards: Sequence[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Group cards that are equally likely to be turned up.

        Returns:
            Pairs of a group and the probability of each of its cards.
        """
        groups: dict[tuple[object, ...], list[Card]] = {}
        strata = {card.name: index for index, stratum in enumerate(self._strata) for card in stratum.cards}
        for card in cards:
            increments = tuple(card.name in counter for counter in self._goals.counters)
            groups.setdefault((strata[card.name], increments), []).append(card)
        return [(tuple(group), self.compute_turned_up_probability(group[0])) for group in groups.values()]

    def compute_used_count_distribution(self, cards: Sequence[Card]) -> list[Fraction]:
        """Return the probabilities that 0, 1, 2, ... of the given cards are turned up and used."""
        counter, names = len(self._goals.counters), frozenset(card.name for card in cards)
        max_count = min(len(cards), self._kingdom_count + self._max_landscapes)
        return [
            self._compute_joint_probability((Goal(counter, count, count),), names) / self.wishes_probability
            for count in range(max_count + 1)
        ]

    def compute_landscape_count_distribution(self) -> list[Fraction]:
        """Return the probabilities that 0, 1, 2, ... landscapes are used."""
        final_states: list[dict[State, Fraction]] = [{} for _ in range(self._max_landscapes + 1)]
        for taken, probability in self._list_final_states().items():
            strata = zip(self._strata, taken, strict=True)
            used_count = sum(count for stratum, count in strata if not stratum.is_kingdom)
            final_states[used_count][taken] = probability
        return [
            self._compute_success_probability(self._goals, states) / self.wishes_probability
            for states in final_states
        ]

    def compute_landscape_kind_probabilities(self) -> dict[str, Fraction]:
        """Return the probability, by kind of landscape, that at least one landscape of the kind is used."""
        kinds = {
            kind: [card.name for card in self.landscapes if card.kind == kind] for kind in self._game.kinds
        }
        return {kind: self._compute_any_used_probability(names) for kind, names in kinds.items() if names}

    def compute_decision_probabilities(self) -> dict[str, Fraction]:
        """Return the probability that the answer is yes, by the title of each yes/no setup question."""
        settings = self._request.settings
        questions = list_questions(self._game.opening)
        methods = {question.title: question.get_method(settings) for question in questions}
        positions = {method for method in methods.values() if method in _POSITIONS}
        probabilities = {}
        for question in questions:
            method = methods[question.title]
            if method == "asked":
                probabilities[question.title] = Fraction(bool(settings[question.option]))
            elif method == "share":
                probabilities[question.title] = question.get_share(settings) or Fraction(0)
            elif method == "any":  # any of the cards that no other question looks at
                expected_matches = self._compute_expected_matches(question)
                expected_matches -= sum(
                    self._compute_yes_probability(position, question) for position in positions
                )
                probabilities[question.title] = expected_matches / (self._kingdom_count - len(positions))
            else:
                probabilities[question.title] = self._compute_yes_probability(method, question)
        return probabilities

    def compute_turned_up_probability(self, card: Card) -> Fraction:
        """Return the probability that a Kingdom card or landscape is turned up and used.

        The extra cards of a veto count as turned up.
        """
        if self._request.veto_count and card in self.kingdom:
            return Fraction(self._dealt_count, len(self.kingdom))  # All of them are equally likely.
        return self._compute_any_used_probability([card.name])

    def list_landscape_choices(self) -> list[str]:
        """Return the slots of the choices of landscapes that cards may require, such as Ally.

        They are in the order in which the game makes the choices.
        """
        slots = {
            choice.slot
            for consequences in self._consequences.values()
            for choice in consequences.choices
            if choice.to == "landscapes"
        }
        return sort_slots(self._game, slots)

    def compute_needed_probability(self, slot: str) -> Probability:
        """Return the probability that some card in use requires the choice with this slot."""
        return self._compute_any_in_use_probability(
            [name for name, consequences in self._consequences.items() if slot in consequences.slots]
        )

    def compute_on_table_probability(self, name: str) -> Probability:
        """Return the probability that a card is in use: turned up, chosen, or required by another card."""
        if name in self._game.starting_deck or name in self._find_certain_cards(self._game.opening):
            return Probability(Fraction(1))
        probability = self._compute_any_in_use_probability([name])
        for question in list_questions(self._game.opening):
            if name in self._find_certain_cards(question.then):
                if probability == Probability(Fraction(0)):
                    probability = Probability(self.compute_decision_probabilities()[question.title])
                else:  # The answer is not independent of the cards turned up.
                    probability = probability._replace(left_out=(*probability.left_out, question.title))
        return probability

    # ── Computation ──

    def _find_certain_cards(self, effects: Iterable[Effect]) -> set[str]:
        """Return the names of the cards that effects certainly bring into use, directly or indirectly."""
        return {
            card
            for effect in effects
            for name in effect.brings(self._pool)
            for card in self._closure.get_consequences(name).names
        }

    def _compute_any_in_use_probability(self, targets: Sequence[str]) -> Probability:
        """Return the probability that a target card comes into use.

        As many choices are followed as the work limit allows.

        Args:
            targets: the names of the target cards.
        """
        choices = self._find_choices(targets, len(self._game.cards))
        while choices.followed_count:
            try:
                return self._follow_choices(choices, self._max_work)
            except TooMuchWork:
                choices = self._find_choices(targets, choices.followed_count - 1)
        try:
            return self._follow_choices(choices, inf)
        except TooMuchWork:
            bringing_names = [
                card.name
                for card in (*self.kingdom, *self.landscapes)
                if not self._closure.get_consequences(card.name).names.isdisjoint(targets)
            ]
            return Probability(self._compute_any_used_probability(bringing_names), choices.leading_slots)

    def _find_choices(self, targets: Sequence[str], max_followed: int) -> RelevantChoices:
        return RelevantChoices(
            self._game,
            self._pool,
            self._closure,
            targets,
            self._reachable_otherwise,
            max_followed,
            self._bounds,
            self._scarce_slots,
        )

    def _follow_choices(self, choices: RelevantChoices, max_work: float) -> Probability:
        """Return the probability that a target card comes into use, either turned up or by the given choices.

        Raises:
            TooMuchWork: the computation takes more than `max_work` additions.
        """
        if not self._scarce_slots.isdisjoint(choices.left_out_slots):
            raise TooMuchWork
        if self._bounds and any(map(self._bounds.find_affected_wishes, choices.followed)):
            miss_probability = self._compute_bounded_miss_probability(choices, self._bounds, max_work)
            return Probability(1 - miss_probability, choices.left_out_slots)
        propagator = StatePropagator(choices, {card.name for card in self.kingdom}, self._kingdom_count)
        return Probability(
            1 - self._compute_miss_probability(choices, propagator, max_work), choices.left_out_slots
        )

    def _compute_miss_probability(
        self, choices: RelevantChoices, propagator: StatePropagator, max_work: float
    ) -> Fraction:
        """Return the probability of a miss, which is a deal in which no target card comes into use.

        Without wishes, all Kingdoms are equally likely, so only the choices that the landscapes trigger need
        to be known.

        Raises:
            TooMuchWork: the computation takes more than `max_work` additions.
        """

        def get_contribution(name: str, is_kingdom_card: bool) -> Contribution:
            if is_kingdom_card and not self.is_conditional:
                return Contribution()
            return propagator.get_contribution(name, is_kingdom_card=is_kingdom_card)

        counter = CompositionCounter(self._strata, self._goals, self._list_final_states(), get_contribution)
        if not self.is_conditional:
            distribution = counter.compute_distribution(inf)
            probability_by_triggers = {
                composition.triggers: chance for composition, chance in distribution.items()
            }
            return propagator.compute_miss_probability(probability_by_triggers, max_work)
        max_work = min(max_work, self._max_work)
        return (
            propagator.compute_joint_miss_probability(counter.compute_distribution(max_work), max_work)
            / self.wishes_probability
        )

    def _compute_bounded_miss_probability(
        self, choices: RelevantChoices, bounds: UpperBounds, max_work: float
    ) -> Fraction:
        """Return the probability of a miss if the choices must not exceed upper bounds.

        Raises:
            TooMuchWork: the computation takes more than `max_work` additions.
        """
        max_work = min(max_work, self._max_work)
        bounded_choices = self._build_bounded_choices(choices, bounds, max_work)
        counter = CompositionCounter(
            self._strata, self._goals, self._list_final_states(), bounded_choices.get_contribution
        )
        distribution = counter.compute_distribution(max_work)
        return bounded_choices.compute_joint_miss_probability(distribution) / self.wishes_probability

    def _list_final_states(self) -> Mapping[State, Fraction]:
        """Return the probability of each final state without the wishes."""
        probabilities: dict[State, Fraction] = defaultdict(Fraction)
        for (taken, _), probability in self._outcomes["last"].items():
            probabilities[taken] += probability
        return probabilities

    def _compute_any_used_probability(self, names: Iterable[str]) -> Fraction:
        """Return the probability, given the wishes, that at least one of the cards is turned up and used."""
        goal = Goal(len(self._goals.counters), 1, None)
        return self._compute_joint_probability((goal,), frozenset(names)) / self.wishes_probability

    def _compute_joint_probability(
        self, goals: Sequence[Goal] = (), counter: frozenset[str] | None = None
    ) -> Fraction:
        """Return the joint probability that all wishes and some additional goals are met.

        Args:
            goals: the additional goals.
            counter: the names of the cards that count for an additional counter; None if there is none. The
                additional goals may refer to it by the index that follows those of the other counters.
        """
        counters = (*self._goals.counters, *(() if counter is None else (counter,)))
        return self._compute_goal_probability(Goals(counters, (*self._goals.goals, *goals)))

    def _compute_goal_probability(self, goals: Goals) -> Fraction:
        """Return the probability that the goals are met, by the law of total probability."""
        return self._compute_success_probability(goals, self._list_final_states())

    def _compute_success_probability(
        self, goals: Goals, probability_by_taken: Mapping[State, Fraction]
    ) -> Fraction:
        """Return the probability that goals are met, and that no choice is left without a suitable card.

        Args:
            goals: the goals.
            probability_by_taken: the probability, without the wishes, of each final state to consider. Any
                other weights may be given instead.
        """
        if not probability_by_taken:
            return Fraction(0)
        if self._survival:
            counter = CompositionCounter(
                self._strata, goals, probability_by_taken, self._survival.get_contribution
            )
            try:
                distribution = counter.compute_distribution(_MAX_SURVIVAL_WORK)
                return self._survival.compute_joint_miss_probability(distribution)
            except TooMuchWork:
                raise self._build_scarcity_error(min(self._scarce_slots)) from None
        way_counter = WayCounter([stratum.cards for stratum in self._strata], goals)
        total = Fraction(0)
        for taken, probability in probability_by_taken.items():
            sizes = zip(way_counter.sizes, taken, strict=True)
            all_ways = prod(comb(size, count) for size, count in sizes)
            total += probability * Fraction(way_counter.count_ways(taken), all_ways)
        return total

    def _follow_scarce_choices(self, randomizers: Randomizers) -> BoundedChoices | None:
        """Return the choices that may reject a deal, because upper bounds leave no suitable card, if any.

        Raises:
            BadOptions: a choice can't be followed.
        """
        self._scarce_slots = self._bounds.find_scarce_slots(randomizers) if self._bounds else frozenset()
        if not self._bounds or not self._scarce_slots:
            return None
        choices = self._find_choices((), len(self._game.cards))
        if choices.left_out_slots:
            raise self._build_scarcity_error(choices.left_out_slots[0])
        return self._build_bounded_choices(choices, self._bounds, inf)

    def _build_scarcity_error(self, slot: str) -> BadOptions:
        """Create an error: it is too difficult to calculate which deals a choice rejects."""
        template = (
            "with these wishes, so few cards can be chosen for {slot} that the odds can't be calculated; "
            "choose more boxes."
        )
        return BadOptions(template, slot=slot)

    def _build_bounded_choices(
        self, choices: RelevantChoices, bounds: UpperBounds, max_work: float
    ) -> BoundedChoices:
        names = sorted(choices.find_other_piles(set()))
        return BoundedChoices(choices, bounds, names, self._scarce_slots, max_work)

    def _compute_expected_matches(self, question: Decide) -> Fraction:
        """Return the expected number of Kingdom cards that would make the answer yes, given the wishes."""
        matching = filter(question.is_.matches, self.kingdom)
        return sum((self.compute_turned_up_probability(card) for card in matching), Fraction(0))

    def _compute_yes_probability(self, position: str, question: Decide) -> Fraction:
        """Return the probability that the first or last Kingdom card makes the answer yes, given the wishes.

        The used cards of a stratum are exchangeable, so each of them is equally likely to be first or last.
        Therefore, the probability for a stratum is the expected fraction of its used cards that match the
        question. With X as the number of these cards, E[X] is the sum of P(X >= n) for n = 1, 2, ...

        Args:
            position: `first` or `last`.
            question: the question.
        """
        total = Fraction(0)
        new_counter = len(self._goals.counters)
        outcomes = self._outcomes["first" if position == "first" else "last"]
        for index, stratum in enumerate(self._strata):
            matching = frozenset(card.name for card in stratum.cards if question.is_.matches(card))
            if not stratum.is_kingdom or not matching:
                continue
            weights = {
                taken: probability / taken[index]
                for (taken, seen_stratum), probability in outcomes.items()
                if seen_stratum == index
            }
            for min_count in range(1, self._kingdom_count + 1):
                goals = Goals(
                    (*self._goals.counters, matching),
                    (*self._goals.goals, Goal(new_counter, min_count, None)),
                )
                total += self._compute_success_probability(goals, weights)
        return total / self.wishes_probability


def sort_slots(game: Game, slots: Iterable[str]) -> list[str]:
    """Sort slots in the order in which the game makes the choices. Choices without an order come last."""
    unsorted_slots = set(slots)
    ordered = [slot for slot in game.order if slot in unsorted_slots]
    return ordered + sorted(unsorted_slots.difference(game.order))
