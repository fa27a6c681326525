"""How likely things are on a table, exactly: worked out from the data and the options, never by dealing."""

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
from randomizer.odds.landscapes import Landscapes
from randomizer.odds.relevant import Choices, Closure, Outcome
from randomizer.odds.states import States, TooMuchWork
from randomizer.text.errors import BadOptions

MOST_WORK = 400_000  # sums for a question: a quarter of a second or so


class Chance(NamedTuple):
    """How likely something is, apart from the ways `left_out` in which it may come about too."""

    exact: Fraction
    left_out: tuple[str, ...] = ()


class Chances:
    """What a deal with these options may bring.

    Args:
        game: the game that is dealt.
        request: what the deal is asked for.
        work: how many sums are allowed for following choices, for every question. Sums and not seconds, so
            that the same choices are followed on every machine.

    Raises:
        BadOptions: the game turns no Kingdom up, or is not for so many players.
        TooFewCards: the boxes hold too few Kingdom cards, or too few landscapes for a deck of their own.
    """

    def __init__(self, game: Game, request: Request, work: int = MOST_WORK) -> None:
        turn_up = find_turn_up(game.opening)
        if turn_up is None:
            raise BadOptions("{game} turns up no Kingdom, so there are no odds to tell.", game=game.title)
        game.check_players(request.players)
        self._game = game
        self._request = request
        self._turn_up = turn_up
        self._work = work
        self._pool = build_pool(game, request)
        self.kingdom = self._pool.find_cards(turn_up.is_)
        self._pool.require_enough(len(self.kingdom), turn_up.count_, "Kingdom cards", turn_up.is_)
        self._landscapes = Landscapes(self._pool, turn_up, request.settings)
        self.landscapes = self._landscapes.cards
        self._closure = Closure(game, self._pool)
        self._elsewhere = {card.name for card in self.landscapes} | {
            name
            for card in self._pool.find_cards(Query())
            for name in self._closure.of(card.name).names - {card.name}
        }

    def landscapes_used(self) -> list[Fraction]:
        """The chance of no landscape, of one, and so on (setup rules A6-A8, A10).

        No longer than there are landscapes, whatever the options ask for.
        """
        chances = [Fraction(0)] * (self._landscapes.most + 1)
        for used, chance in self._landscapes.used([]).items():
            chances[sum(used)] += chance
        return chances

    def kinds_used(self) -> dict[str, Fraction]:
        """By kind of landscape, the chance that at least one of it is used."""
        chances = {}
        for kind in self._game.kinds:
            alike = [card for card in self.landscapes if card.kind == kind]
            if alike:
                chances[kind] = self._landscapes.any_used(alike)
        return chances

    def decisions(self) -> dict[str, Fraction]:
        """By the title of its question, the chance that setup answers it with yes (setup rules A16-A22).

        Whichever of the Kingdom cards is looked at, it is each of them with the same chance.
        """
        chances = {}
        for question in list_questions(self._game.opening):
            forced = self._request.settings.get(question.option)
            fitting = sum(map(question.is_.matches, self.kingdom))
            chances[question.title] = (
                Fraction(fitting, len(self.kingdom)) if forced is None else Fraction(bool(forced))
            )
        return chances

    def turned_up(self, card: Card) -> Fraction:
        """The chance that a randomizer is turned up and used."""
        if card in self.kingdom:
            return self.in_kingdom()
        return self._landscapes.any_used([card])

    def in_kingdom(self) -> Fraction:
        """The chance of any one Kingdom card to be one of those turned up."""
        return Fraction(self._turn_up.count_, len(self.kingdom))

    def alike(self, cards: Sequence[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Kingdom cards in groups of those that are turned up as likely as each other, with their chance."""
        return [(tuple(cards), self.in_kingdom())]

    def asked_for(self) -> list[str]:
        """The choices of a landscape that cards may ask for, such as an Ally, in the order of the game."""
        asked = {
            choice
            for card in self._pool.find_cards(Query())
            for choice in self._closure.of(card.name).choices
        }
        slots = {choice.slot for choice in asked if choice.to == "landscapes"}
        return in_order(self._game, slots)

    def needed(self, slot: str) -> Chance:
        """The chance that a card in use asks for the choice that goes by this name."""
        asking = [
            card.name for card in self._pool.find_cards(Query()) if slot in self._closure.of(card.name).slots
        ]
        return self._out(asking)

    def on_table(self, name: str) -> Chance:
        """The chance that a card is in use: in the Kingdom, chosen, or brought along by another."""
        if name in self._game.starting_deck or name in self._then(self._game.opening):
            return Chance(Fraction(1))
        chance = self._out([name])
        for question in list_questions(self._game.opening):
            if name in self._then(question.then):
                if chance == Chance(Fraction(0)):
                    chance = Chance(self.decisions()[question.title])
                else:  # which card decides depends on which cards are in the Kingdom
                    chance = chance._replace(left_out=(*chance.left_out, question.title))
        return chance

    # ── How ──

    def _then(self, effects: Iterable[Effect]) -> set[str]:
        """The cards that these effects bring into use."""
        return {
            card
            for effect in effects
            for name in effect.brings(self._pool)
            for card in self._closure.of(name).names
        }

    def _out(self, wanted: Sequence[str]) -> Chance:
        """The chance that one of the wanted cards comes out, through as many choices as can be followed."""
        choices = self._choices(wanted, len(self._game.cards))
        while choices.followed:
            try:
                return self._followed(choices, self._work)
            except TooMuchWork:
                choices = self._choices(wanted, choices.followed - 1)
        return self._followed(choices, inf)

    def _choices(self, wanted: Sequence[str], most: int) -> Choices:
        return Choices(self._game, self._pool, self._closure, wanted, self._elsewhere, most)

    def _followed(self, choices: Choices, work: float) -> Chance:
        """The chance that one of the wanted cards comes out through these choices.

        Raises:
            TooMuchWork: it takes more sums to follow them.
        """
        states = States(choices, {card.name for card in self.kingdom}, self._turn_up.count_)
        return Chance(1 - self._missed(choices, states, work), choices.left_out)

    def _missed(self, choices: Choices, states: States, work: float) -> Fraction:
        """The chance that none of the wanted cards comes out.

        Raises:
            TooMuchWork: it takes more sums.
        """
        return states.missed(self._asked(choices), work)

    def _asked(self, choices: Choices) -> Mapping[int, Fraction]:
        """By the choices that landscapes ask for, the chance that they do and that none of them is wanted."""
        alike: dict[tuple[str, Outcome], list[Card]] = {}
        for card in self.landscapes:
            outcome = choices.outcome(card.name)
            if any(outcome):
                alike.setdefault((card.kind, outcome), []).append(card)
        asked: dict[int, Fraction] = defaultdict(Fraction)
        for used, chance in self._landscapes.used(list(alike.values())).items():
            outcomes = [outcome for number, (_, outcome) in zip(used, alike, strict=False) if number]
            if not any(outcome.wanted for outcome in outcomes):
                asked[reduce(or_, (outcome.asks for outcome in outcomes), 0)] += chance
        return asked


def in_order(game: Game, slots: Iterable[str]) -> list[str]:
    """Choices in the order in which the game makes them; those it does not order come last."""
    left = set(slots)
    return [slot for slot in game.order if slot in left] + sorted(left.difference(game.order))
