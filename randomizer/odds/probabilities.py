"""How likely things are on a table, exactly: worked out from the data and the options, never by dealing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import count
from math import comb, perm
from operator import or_
from typing import NamedTuple

from randomizer.cards.effect import Effect
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card, Query
from randomizer.deal.growing import questions, turning_up
from randomizer.errors import BadOptions
from randomizer.odds.closure import Closure
from randomizer.odds.relevant import Choices, Outcome
from randomizer.odds.states import Reach, TooManyStates


class Chance(NamedTuple):
    """How likely something is, apart from the ways `left_out` in which it may come about too."""

    exact: Fraction
    left_out: tuple[str, ...] = ()


class Chances:
    """What a deal with these options may bring.

    Raises:
        BadOptions: the game turns no Kingdom up, or is not for so many players.
        TooFewCards: the boxes hold too few Kingdom cards, or too few landscapes for a deck of their own.
    """

    def __init__(self, game: Game, request: Request) -> None:
        turn_up = turning_up(game.opening)
        if turn_up is None:
            raise BadOptions(f"{game.title} turns up no Kingdom, so there are no odds to tell.")
        game.check_players(request.players)
        self._game = game
        self._request = request
        self._turn_up = turn_up
        self._pool = game.pool(request.chosen)
        self._most = turn_up.most.chosen(request.settings) or 0
        self._limits = {str(kind): amount.chosen(request.settings) or 0 for kind, amount in turn_up.limits}
        self.kingdom = self._pool.answering(turn_up.is_)
        self.landscapes = self._pool.answering(turn_up.landscapes) if self._most else ()
        self._pool.require(len(self.kingdom), turn_up.count_, "Kingdom cards")
        if request.settings.get("landscapes_from") == "deck":
            numbers = Counter(card.kind for card in self.landscapes)
            fitting = (min(number, self._limits.get(kind, number)) for kind, number in numbers.items())
            self._pool.require(len(self.landscapes), self._most, "landscapes")
            self._pool.require(sum(fitting), self._most, "landscapes that may be used together")
        self._most = min(self._most, len(self.landscapes))
        self._closure = Closure(game, self._pool)
        self._elsewhere = {card.name for card in self.landscapes} | {
            name
            for card in self._pool.answering(Query())
            for name in self._closure.of(card.name).names - {card.name}
        }

    def landscapes_used(self) -> list[Fraction]:
        """The chance of no landscape, of one, and so on (setup rules A6-A8, A10).

        No longer than there are landscapes, whatever the options ask for.
        """
        chances = [Fraction(0)] * (self._most + 1)
        for used, chance in self._used([]).items():
            chances[sum(used)] += chance
        return chances

    def kinds_used(self) -> dict[str, Fraction]:
        """By kind of landscape, the chance that at least one of it is used."""
        chances = {}
        for kind in self._game.kinds:
            alike = [card for card in self.landscapes if card.kind == kind]
            if alike:
                chances[kind] = self._any_used(alike)
        return chances

    def decisions(self) -> dict[str, Fraction]:
        """By the title of its question, the chance that setup answers it with yes (setup rules A16-A22).

        Whichever of the Kingdom cards is looked at, it is each of them with the same chance.
        """
        chances = {}
        for question in questions(self._game.opening):
            forced = self._request.settings.get(question.option)
            fitting = sum(map(question.is_.answered_by, self.kingdom))
            chances[question.title] = (
                Fraction(fitting, len(self.kingdom)) if forced is None else Fraction(bool(forced))
            )
        return chances

    def turned_up(self, card: Card) -> Fraction:
        """The chance that a randomizer is turned up and used."""
        if card in self.kingdom:
            return self.in_kingdom()
        return self._any_used([card])

    def in_kingdom(self) -> Fraction:
        """The chance of any one Kingdom card to be one of those turned up."""
        return Fraction(self._turn_up.count_, len(self.kingdom))

    def asked_for(self) -> list[str]:
        """The choices of a landscape that cards may ask for, such as an Ally, in the order of the game."""
        asked = {
            choice for card in self._pool.answering(Query()) for choice in self._closure.of(card.name).choices
        }
        slots = {choice.slot for choice in asked if choice.to == "landscapes"}
        return [slot for slot in self._game.order if slot in slots] + sorted(slots - set(self._game.order))

    def needed(self, slot: str) -> Chance:
        """The chance that a card in use asks for the choice that goes by this name."""
        asking = [
            card.name for card in self._pool.answering(Query()) if slot in self._closure.of(card.name).slots
        ]
        return self._out(asking)

    def on_table(self, name: str) -> Chance:
        """The chance that a card is in use: in the Kingdom, chosen, or brought along by another."""
        if name in self._game.starting_deck or name in self._then(self._game.opening):
            return Chance(Fraction(1))
        chance = self._out([name])
        for question in questions(self._game.opening):
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
        """The chance that one of the wanted cards comes out; through as many choices as can be followed."""
        chance, followed = self._followed(wanted, 0)
        for most in count(1):
            if followed < most - 1:
                break
            try:
                chance, followed = self._followed(wanted, most)
            except TooManyStates:
                break
        return chance

    def _followed(self, wanted: Sequence[str], most: int) -> tuple[Chance, int]:
        """The same through `most` choices, and through how many of them there are."""
        choices = Choices(self._game, self._pool, self._closure, wanted, self._elsewhere, most)
        reach = Reach(choices, {card.name for card in self.kingdom}, self._turn_up.count_)
        alike: dict[tuple[str, Outcome], list[Card]] = {}
        for card in self.landscapes:
            outcome = choices.outcome(card.name)
            if outcome.wanted or outcome.asks:
                alike.setdefault((card.kind, outcome), []).append(card)
        asked: dict[int, Fraction] = defaultdict(Fraction)
        for used, chance in self._used(list(alike.values())).items():
            outcomes = [outcome for number, (_, outcome) in zip(used, alike, strict=False) if number]
            if not any(outcome.wanted for outcome in outcomes):
                asked[reduce(or_, (outcome.asks for outcome in outcomes), 0)] += chance
        missed = sum((chance * reach.missed(asks) for asks, chance in asked.items()), Fraction(0))
        return Chance(1 - missed, choices.left_out), choices.followed

    def _any_used(self, alike: Sequence[Card]) -> Fraction:
        """The chance that at least one of these landscapes of one kind is used."""
        used = self._used([alike])
        return sum((chance for (number, *_), chance in used.items() if number), Fraction(0))

    def _used(self, apart: Sequence[Sequence[Card]]) -> Mapping[tuple[int, ...], Fraction]:
        """How many landscapes are used of each group: those told apart, each of one kind, then all others.

        Landscapes are turned up one by one and used until `most` are, of a kind with a limit until that many
        are; the rest are skipped. In a shared deck that ends with the last Kingdom card.
        """
        named = {card.name for group in apart for card in group}
        others: dict[str, int] = {}
        for card in self.landscapes:
            if card.name not in named:
                kind = card.kind if card.kind in self._limits else ""
                others[kind] = others.get(kind, 0) + 1
        groups = [(group[0].kind, len(group)) for group in apart] + list(others.items())
        every = len(self.landscapes)
        chances: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        nothing = (0,) * len(groups)
        states = {(nothing, nothing): 1}  # turned up and used of each group: the ways to get there
        for number, (just, at_least) in enumerate(self._turned(every)):
            after: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = defaultdict(int)
            for (turned, used), ways in states.items():
                share = Fraction(ways, perm(every, number))
                if sum(used) == self._most:
                    chances[used] += share * at_least
                    continue
                chances[used] += share * just
                for place, (kind, size) in enumerate(groups):
                    alike = sum(many for (other, _), many in zip(groups, used, strict=True) if other == kind)
                    fits = kind not in self._limits or alike < self._limits[kind]
                    if size > turned[place]:
                        state = _more(turned, place, 1), _more(used, place, fits)
                        after[state] += ways * (size - turned[place])
            states = after
        return {used: chance for used, chance in chances.items() if chance}

    def _turned(self, landscapes: int) -> Iterator[tuple[Fraction, Fraction]]:
        """For each number of landscapes, the chance that just so many are turned up, and at least so many."""
        if self._request.settings.get("landscapes_from") == "deck":
            yield from [(Fraction(0), Fraction(1))] * (landscapes + 1)
            return
        kingdom, last = len(self.kingdom), self._turn_up.count_
        at_least = Fraction(1)
        for number in range(landscapes + 1):
            # The last of the Kingdom cards lies right below them: that many ways above it, and below it.
            above, below = number + last - 1, kingdom + landscapes - number - last
            just = Fraction(
                comb(above, number) * comb(below, kingdom - last), comb(kingdom + landscapes, landscapes)
            )
            yield just, at_least
            at_least -= just


def _more(numbers: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + more, *numbers[place + 1 :])
