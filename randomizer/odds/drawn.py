"""How likely things are where the boxes are drawn first, exactly: over all choices of boxes.

One choice of boxes is as likely as another; given wishes, the likelier the more of its deals meet them. So
whatever is told is the average over them, each with that weight.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.growing import find_turn_up
from randomizer.deal.wishes.boxes import build_no_boxes_error, check_box_count, find_boxes_with_cards
from randomizer.odds.given import GivenWishes, chances_with
from randomizer.odds.probabilities import MOST_WORK, Chance, Chances, in_order
from randomizer.text.errors import BadOptions, TooFewCards

MOST_CHOICES = 3_000  # of boxes, of which that many take a minute
MORE_WORK = 40  # how many times as much work as one choice of boxes all of them may take

Figures = dict[tuple[str, str], Chance]


class Part(NamedTuple):
    """What is told of a choice of boxes.

    Attributes:
        holding: the chance that the wishes hold in a deal of these boxes.
        each: by its text, the chance that a wish holds by itself.
        figures: everything else, given the wishes; nothing where they cannot hold.
    """

    holding: Fraction
    each: dict[str, Fraction]
    figures: Figures


class DrawnBoxes:
    """What a deal may bring whose boxes are drawn first; its methods tell what those of `Chances` do.

    Args:
        game: the game that is dealt.
        request: what the deal is asked for.
        cards: those of which the odds are wanted.

    Attributes:
        kingdom, landscapes: what may be turned up, of any of the boxes.
        wishes: the chance that all wishes hold, without looking at them ...
        each: ... and by its text, that each of them does.

    Raises:
        BadOptions, TooFewCards: as `chances_with` does; or there are too many choices of boxes.
        TooManySorts: it takes too long to count.
    """

    def __init__(self, game: Game, request: Request, cards: Iterable[Card]) -> None:
        check_box_count(request)
        of, number = request.wishes.box_count, comb(len(request.chosen), request.wishes.box_count)
        if number > MOST_CHOICES:
            said = "--of {of}: there are {number} ways to draw the boxes; odds are told of at most {most}."
            raise BadOptions(said, of=of, number=number, most=MOST_CHOICES)
        self._game, self._request, self._cards = game, request, tuple(cards)
        self._work = min(MOST_WORK, MOST_WORK * MORE_WORK // number)
        every = Chances(game, request)
        self.kingdom, self.landscapes = every.kingdom, every.landscapes
        self._holding = find_boxes_with_cards(game, request, find_turn_up(game.opening))
        self.each: dict[str, Fraction] = {}
        self._figures: Figures = {}
        enough, held = 0, Fraction(0)
        for boxes in combinations(request.chosen, of):
            if part := self._part(boxes):
                enough, held = enough + 1, held + part.holding
                self._add(part)
        if not held:
            raise build_no_boxes_error(of)
        self.wishes = held / enough
        self.each = {text: chance / enough for text, chance in self.each.items()}
        self._figures = {
            about: Chance(chance.exact / held, chance.left_out) for about, chance in self._figures.items()
        }

    def alike(self, cards: Sequence[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Cards in groups of those that are turned up as likely as each other, with their chance."""
        groups: dict[Fraction, list[Card]] = {}
        for card in cards:
            groups.setdefault(self.turned_up(card), []).append(card)
        return [(tuple(group), chance) for chance, group in groups.items()]

    def landscapes_used(self) -> list[Fraction]:
        """The chance of no landscape, of one, and so on."""
        return list(self._told("landscapes").values())

    def kinds_used(self) -> dict[str, Fraction]:
        """By kind of landscape, the chance that at least one of it is used."""
        found = self._told("kind")
        return {kind: found[kind] for kind in self._game.kinds if kind in found}

    def decisions(self) -> dict[str, Fraction]:
        """By the title of its question, the chance that setup answers it with yes."""
        return self._told("decision")

    def turned_up(self, card: Card) -> Fraction:
        """The chance that a randomizer is turned up and used."""
        return self._figures.get(("turned up", card.name), Chance(Fraction(0))).exact

    def asked_for(self) -> list[str]:
        """The choices of a landscape that cards may ask for, in the order of the game."""
        return in_order(self._game, self._told("needed"))

    def needed(self, slot: str) -> Chance:
        """The chance that a card in use asks for the choice that goes by this name."""
        return self._figures["needed", slot]

    def on_table(self, name: str) -> Chance:
        """The chance that a card of those asked about is in use: turned up, chosen, or brought along."""
        return self._figures["on table", name]

    # ── How ──

    def _told(self, what: str) -> dict[str, Fraction]:
        return {name: chance.exact for (said, name), chance in self._figures.items() if said == what}

    def _add(self, part: Part) -> None:
        """Add what is told of one choice of boxes, with its weight."""
        for text, held in part.each.items():
            self.each[text] = self.each.get(text, Fraction(0)) + held
        for about, (exact, left_out) in part.figures.items():
            before = self._figures.get(about, Chance(Fraction(0)))
            every = dict.fromkeys((*before.left_out, *left_out))
            self._figures[about] = Chance(before.exact + part.holding * exact, tuple(every))

    def _part(self, boxes: Sequence[str]) -> Part | None:
        """What is told of these boxes; nothing if they hold too few cards for a deal."""
        there = tuple(name for name, slugs in self._holding.items() if not slugs.isdisjoint(boxes))
        wishes = self._request.wishes._replace(with_=there, box_count=0)
        request = self._request._replace(chosen=tuple(boxes), wishes=wishes)
        try:
            chances = chances_with(self._game, request, self._work)
        except TooFewCards:
            return None
        each = {f"--with {name}": Fraction(0) for name in self._holding}
        held = Fraction(len(there) == len(self._holding))
        if isinstance(chances, GivenWishes):
            each |= chances.each
            held *= chances.wishes
        return Part(held, each, dict(self._figured(chances)) if held else {})

    def _figured(self, chances: Chances) -> Iterator[tuple[tuple[str, str], Chance]]:
        """Everything that is told of a choice of boxes, and what it is about."""
        for number, chance in enumerate(chances.landscapes_used()):
            yield ("landscapes", str(number)), Chance(chance)
        for kind, chance in chances.kinds_used().items():
            yield ("kind", kind), Chance(chance)
        for title, chance in chances.decisions().items():
            yield ("decision", title), Chance(chance)
        for slot in chances.asked_for():
            yield ("needed", slot), chances.needed(slot)
        for group, chance in chances.alike(chances.kingdom):
            yield from ((("turned up", card.name), Chance(chance)) for card in group)
        for card in self._cards:
            if card in chances.landscapes:
                yield ("turned up", card.name), Chance(chances.turned_up(card))
            yield ("on table", card.name), chances.on_table(card.name)
