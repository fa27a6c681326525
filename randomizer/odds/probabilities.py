"""Exact probabilities for a deal, computed from the data and the options, never by simulation."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import inf
from operator import or_
from typing import NamedTuple

from randomizer.cards.effect import Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Query
from randomizer.deal.growing import find_turn_up, list_questions
from randomizer.deal.wishes.matching import build_pool
from randomizer.odds.landscapes import LandscapeOdds
from randomizer.odds.relevant import Closure, Outcome, RelevantChoices
from randomizer.odds.states import StatePropagation, TooMuchWork
from randomizer.text.errors import BadOptions

MAX_WORK = 400_000  # additions for a probability: about a quarter of a second


class Probability(NamedTuple):
    """A probability.

    Attributes:
        exact: the probability, apart from the ways that are left out. It is a lower bound if there are any.
        left_out: the names of choices and decisions that may also bring it about, but were not followed.
    """

    exact: Fraction
    left_out: tuple[str, ...] = ()


class DealOdds:
    """The probabilities for a deal without wishes, except for bans.

    Args:
        game: the game that is dealt.
        request: the request for the deal.
        max_work: the maximum number of additions to follow choices, for each probability. It is a number and
            not a time, so that the same choices are followed on every machine.

    Attributes:
        kingdom, landscapes: the cards that may be turned up.

    Raises:
        BadOptions: the game turns no Kingdom up, or is not for that number of players.
        TooFewCards: the boxes have too few Kingdom cards, or too few landscapes for a deck of their own.
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
        self.kingdom = self._pool.find_cards(turn_up.is_)
        self._pool.require_enough(len(self.kingdom), turn_up.count_, "Kingdom cards", turn_up.is_)
        self._landscapes = LandscapeOdds(self._pool, turn_up, request.settings)
        self.landscapes = self._landscapes.cards
        closure = self._closure = Closure(game, self._pool)
        self._consequences = {
            card.name: closure.get_consequences(card.name) for card in self._pool.find_cards(Query())
        }
        self._elsewhere = {card.name for card in self.landscapes} | {
            brought
            for name, consequences in self._consequences.items()
            for brought in consequences.names - {name}
        }

    def compute_landscape_counts(self) -> list[Fraction]:
        """Return the probabilities that 0, 1, 2, ... landscapes are used (setup rules A6-A8, A10).

        The list ends with the maximum number of landscapes, or with all landscapes there are.
        """
        probabilities = [Fraction(0)] * (self._landscapes.max_count + 1)
        for used, probability in self._landscapes.compute_distribution([]).items():
            probabilities[sum(used)] += probability
        return probabilities

    def compute_landscape_kinds(self) -> dict[str, Fraction]:
        """Return for each kind of landscape the probability that at least one of it is used."""
        probabilities = {}
        for kind in self._game.kinds:
            if cards := [card for card in self.landscapes if card.kind == kind]:
                probabilities[kind] = self._landscapes.compute_any_used(cards)
        return probabilities

    def compute_decisions(self) -> dict[str, Fraction]:
        """Return for each question of setup, by its title, the probability of yes (setup rules A16-A22).

        Whichever position of the Kingdom is looked at, each Kingdom card is equally likely to be there.
        """
        probabilities = {}
        for question in list_questions(self._game.opening):
            forced = self._request.settings.get(question.option)
            matching = sum(map(question.is_.matches, self.kingdom))
            probabilities[question.title] = (
                Fraction(matching, len(self.kingdom)) if forced is None else Fraction(bool(forced))
            )
        return probabilities

    def compute_turned_up(self, card: Card) -> Fraction:
        """Return the probability that a Kingdom card or landscape is turned up and used."""
        if card in self.kingdom:
            return self.compute_kingdom_card()
        return self._landscapes.compute_any_used([card])

    def compute_kingdom_card(self) -> Fraction:
        """Return the probability of each single Kingdom card to be turned up."""
        return Fraction(self._turn_up.count_, len(self.kingdom))

    def group_by_probability(self, cards: Sequence[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Group Kingdom cards that are turned up with the same probability, and return it with each group."""
        return [(tuple(cards), self.compute_kingdom_card())]

    def list_landscape_choices(self) -> list[str]:
        """Return the slots of the landscapes that cards may ask for, such as an Ally, in the game's order."""
        slots = {
            choice.slot
            for consequences in self._consequences.values()
            for choice in consequences.choices
            if choice.to == "landscapes"
        }
        return sort_slots(self._game, slots)

    def compute_needed(self, slot: str) -> Probability:
        """Return the probability that a card in use asks for the choice with this slot."""
        return self._compute_any_out(
            [name for name, consequences in self._consequences.items() if slot in consequences.slots]
        )

    def compute_on_table(self, name: str) -> Probability:
        """Return the probability that a card is in use: in the Kingdom, chosen, or brought by others."""
        if name in self._game.starting_deck or name in self._find_brought(self._game.opening):
            return Probability(Fraction(1))
        probability = self._compute_any_out([name])
        for question in list_questions(self._game.opening):
            if name in self._find_brought(question.then):
                if probability == Probability(Fraction(0)):
                    probability = Probability(self.compute_decisions()[question.title])
                else:  # The answer depends on the Kingdom, and so is not independent of the rest.
                    probability = probability._replace(left_out=(*probability.left_out, question.title))
        return probability

    # ── Computation ──

    def _find_brought(self, effects: Iterable[Effect]) -> set[str]:
        """Return the names of the cards that these effects certainly bring into use."""
        return {
            card
            for effect in effects
            for name in effect.brings(self._pool)
            for card in self._closure.get_consequences(name).names
        }

    def _compute_any_out(self, targets: Sequence[str]) -> Probability:
        """Return the probability that a target card comes out, following as many choices as possible."""
        choices = self._find_choices(targets, len(self._game.cards))
        while choices.followed:
            try:
                return self._follow(choices, self._max_work)
            except TooMuchWork:
                choices = self._find_choices(targets, choices.followed - 1)
        return self._follow(choices, inf)

    def _find_choices(self, targets: Sequence[str], max_followed: int) -> RelevantChoices:
        return RelevantChoices(self._game, self._pool, self._closure, targets, self._elsewhere, max_followed)

    def _follow(self, choices: RelevantChoices, max_work: float) -> Probability:
        """Return the probability that a target card comes out by turning up or by these choices.

        Raises:
            TooMuchWork: it takes more additions.
        """
        states = StatePropagation(choices, {card.name for card in self.kingdom}, self._turn_up.count_)
        return Probability(1 - self._compute_miss(choices, states, max_work), choices.left_out)

    def _compute_miss(self, choices: RelevantChoices, states: StatePropagation, max_work: float) -> Fraction:
        """Return the probability that no target card comes out.

        Raises:
            TooMuchWork: it takes more additions.
        """
        return states.compute_miss(self._compute_triggered(choices), max_work)

    def _compute_triggered(self, choices: RelevantChoices) -> Mapping[int, Fraction]:
        """Return the distribution of the choices that landscapes trigger, without target landscapes."""
        classes: dict[tuple[str, Outcome], list[Card]] = {}
        for card in self.landscapes:
            outcome = choices.get_outcome(card.name)
            if any(outcome):
                classes.setdefault((card.kind, outcome), []).append(card)
        triggered: dict[int, Fraction] = defaultdict(Fraction)
        for used, probability in self._landscapes.compute_distribution(list(classes.values())).items():
            outcomes = [outcome for count, (_, outcome) in zip(used, classes, strict=False) if count]
            if not any(outcome.is_target for outcome in outcomes):
                triggered[reduce(or_, (outcome.triggers for outcome in outcomes), 0)] += probability
        return triggered


def sort_slots(game: Game, slots: Iterable[str]) -> list[str]:
    """Sort slots in the order in which the game makes the choices; those without an order come last."""
    left = set(slots)
    return [slot for slot in game.order if slot in left] + sorted(left.difference(game.order))
