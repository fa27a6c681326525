"""Exact probabilities for a deal from randomly drawn boxes.

All choices of boxes are equally likely a priori. Given wishes, the probability of a choice is proportional to
the probability of the wishes in its deals (Bayes' theorem). The results are averages with these weights, by
the law of total probability.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.growing import find_turn_up
from randomizer.deal.wishes.boxes import build_no_boxes_error, check_box_count, find_boxes_with_cards
from randomizer.odds.probabilities import MAX_WORK, DealOdds, Probability, sort_slots
from randomizer.text.errors import BadOptions, TooFewCards

MAX_BOX_CHOICES = 3_000  # choices of boxes; this many take a minute
WORK_FACTOR = 40  # maximum work for all choices of boxes together, relative to a single deal


class RandomBoxOdds:
    """The probabilities for a deal from randomly drawn boxes, with the same methods as `DealOdds`.

    Args:
        game: the game that is dealt.
        request: the request for the deal.
        cards: the cards whose probabilities to compute.

    Attributes:
        kingdom, landscapes: the cards of all boxes that may be turned up.
        is_conditional: true, because the probabilities depend on the drawn boxes.
        wishes: the probability of all wishes together.
        each: the probability of each wish by itself, by its text.

    Raises:
        BadOptions: see `DealOdds`; or there are too many choices of boxes.
        TooFewCards: see `DealOdds`.
        WorkLimitExceeded: the computation takes too long.
    """

    is_conditional = True

    def __init__(self, game: Game, request: Request, cards: Iterable[Card]) -> None:
        check_box_count(request)
        box_count = request.wishes.box_count
        number = comb(len(request.chosen), box_count)
        if number > MAX_BOX_CHOICES:
            template = (
                "--of {of}: there are {number} ways to pick the boxes; odds can be calculated for at "
                "most {most}."
            )
            raise BadOptions(template, of=box_count, number=number, most=MAX_BOX_CHOICES)
        self._game, self._request, self._cards = game, request, tuple(cards)
        self._max_work = min(MAX_WORK, MAX_WORK * WORK_FACTOR // number)
        all_boxes = DealOdds(game, request)
        self.kingdom, self.landscapes = all_boxes.kingdom, all_boxes.landscapes
        self._boxes_with_card = find_boxes_with_cards(game, request, find_turn_up(game.opening))
        self.wishes = Fraction(0)
        self.each: dict[str, Fraction] = {}
        self._figures: dict[tuple[str, str], Probability] = {}  # by (kind, name)
        choice_count = 0  # choices of boxes with enough cards
        for boxes in combinations(request.chosen, box_count):
            choice_count += self._add_boxes(boxes)
        if not self.wishes:
            raise build_no_boxes_error(box_count)
        self._figures = {
            key: Probability(exact / self.wishes, left_out)
            for key, (exact, left_out) in self._figures.items()
        }
        self.wishes /= choice_count
        self.each = {text: probability / choice_count for text, probability in self.each.items()}

    def group_by_probability(self, cards: Sequence[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Group cards by their probability of being turned up. Return each group with its probability."""
        groups: dict[Fraction, list[Card]] = {}
        for card in cards:
            groups.setdefault(self.compute_turned_up(card), []).append(card)
        return [(tuple(group), probability) for probability, group in groups.items()]

    def compute_landscape_counts(self) -> list[Fraction]:
        """Return the probabilities that 0, 1, 2, ... landscapes are used."""
        return list(self._select("landscapes").values())

    def compute_landscape_kinds(self) -> dict[str, Fraction]:
        """Return the probability, by kind of landscape, that at least one landscape of the kind is used."""
        kinds = self._select("kind")
        return {kind: kinds[kind] for kind in self._game.kinds if kind in kinds}

    def compute_decisions(self) -> dict[str, Fraction]:
        """Return the probability of the answer yes, by title of each yes/no question of setup."""
        return self._select("decision")

    def compute_turned_up(self, card: Card) -> Fraction:
        """Return the probability that a Kingdom card or landscape is turned up and used."""
        return self._figures.get(("turned up", card.name), Probability(Fraction(0))).exact

    def list_landscape_choices(self) -> list[str]:
        """Return the slots of the landscapes that cards may require, in the order of the game."""
        return sort_slots(self._game, self._select("needed"))

    def compute_needed(self, slot: str) -> Probability:
        """Return the probability that a card in use requires the choice with this slot."""
        return self._figures["needed", slot]

    def compute_on_table(self, name: str) -> Probability:
        """Return the probability that a card, one of `cards`, is in use for any reason."""
        return self._figures["on table", name]

    # ── Computation ──

    def _select(self, kind: str) -> dict[str, Fraction]:
        """Return all probabilities of one kind, by name."""
        return {name: figure.exact for (key_kind, name), figure in self._figures.items() if key_kind == kind}

    def _add_boxes(self, boxes: Sequence[str]) -> bool:
        """Add the results for one choice of boxes; return False if they have too few cards for a deal."""
        present = tuple(name for name, slugs in self._boxes_with_card.items() if not slugs.isdisjoint(boxes))
        wishes = self._request.wishes._replace(cards=present, box_count=0)
        request = self._request._replace(chosen=tuple(boxes), wishes=wishes)
        try:
            odds = DealOdds(self._game, request, self._max_work)
        except TooFewCards:
            return False
        each = {f"--with {name}": Fraction(0) for name in self._boxes_with_card}
        weight = Fraction(len(present) == len(self._boxes_with_card))
        each |= odds.each
        weight *= odds.wishes
        self.wishes += weight
        for text, probability in each.items():
            self.each[text] = self.each.get(text, Fraction(0)) + probability
        for key, (exact, left_out) in self._list_figures(odds) if weight else ():
            before = self._figures.get(key, Probability(Fraction(0)))
            all_left_out = tuple(dict.fromkeys((*before.left_out, *left_out)))
            self._figures[key] = Probability(before.exact + weight * exact, all_left_out)
        return True

    def _list_figures(self, odds: DealOdds) -> Iterator[tuple[tuple[str, str], Probability]]:
        """Yield all probabilities for one choice of boxes, each with its key."""
        for count, probability in enumerate(odds.compute_landscape_counts()):
            yield ("landscapes", str(count)), Probability(probability)
        for kind, probability in odds.compute_landscape_kinds().items():
            yield ("kind", kind), Probability(probability)
        for title, probability in odds.compute_decisions().items():
            yield ("decision", title), Probability(probability)
        for slot in odds.list_landscape_choices():
            yield ("needed", slot), odds.compute_needed(slot)
        for group, probability in odds.group_by_probability(odds.kingdom):
            yield from ((("turned up", card.name), Probability(probability)) for card in group)
        for card in self._cards:
            if card in odds.landscapes:
                yield ("turned up", card.name), Probability(odds.compute_turned_up(card))
            yield ("on table", card.name), odds.compute_on_table(card.name)
