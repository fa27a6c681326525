"""Exact probabilities for a deal from randomly drawn boxes.

All choices of boxes are equally likely a priori. Given wishes, the probability of a choice is proportional to
the probability that a deal from these boxes meets the wishes (Bayes' theorem). The results are weighted
averages over all choices, by the law of total probability.
"""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.growing import find_turn_up
from randomizer.deal.wishes.boxes import build_no_boxes_error, check_box_count, find_boxes_with_cards
from randomizer.odds.probabilities import MAX_WORK, DealOdds, OddsSummary, Probability
from randomizer.text.errors import BadOptions, TooFewCards

MAX_BOX_CHOICES = 3_000  # choices of boxes; computing this many takes a minute
WORK_FACTOR = 40  # maximum work for all choices of boxes together, relative to a single choice


def average_over_boxes(game: Game, request: Request, cards: Sequence[Card]) -> OddsSummary:
    """Return the probabilities for a deal from randomly drawn boxes.

    Args:
        game: the game that is dealt.
        request: the request for the deal.
        cards: the cards whose own probabilities to include.

    Raises:
        BadOptions: as for `DealOdds`; or there are too many choices of boxes, or no choice of boxes can meet
            the wishes.
        TooFewCards: all boxes together have too few cards.
        WorkLimitExceeded: the computation takes too long.
    """
    check_box_count(request)
    box_count = request.wishes.box_count
    choice_count = comb(len(request.chosen), box_count)
    if choice_count > MAX_BOX_CHOICES:
        template = (
            "--of {of}: there are {number} ways to pick the boxes; odds can be calculated for at most {most}."
        )
        raise BadOptions(template, of=box_count, number=choice_count, most=MAX_BOX_CHOICES)
    all_boxes = DealOdds(game, request)
    boxes_with_card = find_boxes_with_cards(game, request, find_turn_up(game.opening))
    max_work = min(MAX_WORK, MAX_WORK * WORK_FACTOR // choice_count)
    # Sums over all choices of boxes
    wishes_sum = Fraction(0)
    sum_by_wish: dict[str, Fraction] = defaultdict(Fraction)
    probabilities: dict[tuple[str, str], Probability] = {}
    possible_count = 0  # choices of boxes with enough cards
    for boxes in combinations(request.chosen, box_count):
        present_cards = tuple(name for name, slugs in boxes_with_card.items() if not slugs.isdisjoint(boxes))
        wishes = request.wishes._replace(cards=present_cards, box_count=0)
        try:
            odds = DealOdds(game, request._replace(chosen=boxes, wishes=wishes), max_work)
        except TooFewCards:
            continue
        possible_count += 1
        for text, exact in (
            {f"--with {name}": Fraction(0) for name in boxes_with_card} | odds.probability_by_wish
        ).items():
            sum_by_wish[text] += exact
        if len(present_cards) == len(boxes_with_card) and odds.wishes_probability:
            wishes_sum += odds.wishes_probability
            for key, (exact, left_out) in odds.summarize(cards).probabilities.items():
                before = probabilities.get(key, Probability(Fraction(0)))
                all_left_out = tuple(dict.fromkeys((*before.left_out, *left_out)))
                probabilities[key] = Probability(before.exact + odds.wishes_probability * exact, all_left_out)
    if not wishes_sum:
        raise build_no_boxes_error(box_count)
    probabilities = {
        key: Probability(exact / wishes_sum, left_out) for key, (exact, left_out) in probabilities.items()
    }
    groups: dict[Fraction, list[Card]] = {}
    for card in all_boxes.kingdom:
        exact, _ = probabilities.get(("turned up", card.name), Probability(Fraction(0)))
        groups.setdefault(exact, []).append(card)
    return OddsSummary(
        kingdom=all_boxes.kingdom,
        landscapes=all_boxes.landscapes,
        is_conditional=True,
        wishes_probability=wishes_sum / possible_count,
        probability_by_wish={text: probability / possible_count for text, probability in sum_by_wish.items()},
        kingdom_groups=[(group, probability) for probability, group in groups.items()],
        probabilities=probabilities,
    )
