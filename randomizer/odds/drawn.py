"""Exact probabilities for a deal from randomly drawn boxes.

All choices of boxes are equally likely a priori. Given wishes, the probability of a choice is proportional to
the probability of the wishes in its deals (Bayes' theorem). The results are averages with these weights, by
the law of total probability.
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

MAX_BOX_CHOICES = 3_000  # choices of boxes; this many take a minute
WORK_FACTOR = 40  # maximum work for all choices of boxes together, relative to a single deal


def average_over_boxes(game: Game, request: Request, cards: Sequence[Card]) -> OddsSummary:
    """Return the probabilities for a deal from randomly drawn boxes.

    Args:
        game: the game that is dealt.
        request: the request for the deal.
        cards: the cards whose probabilities to compute.

    Raises:
        BadOptions: see `DealOdds`; or there are too many choices of boxes.
        TooFewCards: see `DealOdds`.
        WorkLimitExceeded: the computation takes too long.
    """
    check_box_count(request)
    box_count = request.wishes.box_count
    number = comb(len(request.chosen), box_count)
    if number > MAX_BOX_CHOICES:
        template = (
            "--of {of}: there are {number} ways to pick the boxes; odds can be calculated for at most {most}."
        )
        raise BadOptions(template, of=box_count, number=number, most=MAX_BOX_CHOICES)
    all_boxes = DealOdds(game, request)
    boxes_with_card = find_boxes_with_cards(game, request, find_turn_up(game.opening))
    max_work = min(MAX_WORK, MAX_WORK * WORK_FACTOR // number)
    all_wishes = Fraction(0)  # the sums over all choices of boxes
    each: dict[str, Fraction] = defaultdict(Fraction)
    figures: dict[tuple[str, str], Probability] = {}
    choice_count = 0  # choices of boxes with enough cards
    for boxes in combinations(request.chosen, box_count):
        present = tuple(name for name, slugs in boxes_with_card.items() if not slugs.isdisjoint(boxes))
        wishes = request.wishes._replace(cards=present, box_count=0)
        try:
            odds = DealOdds(game, request._replace(chosen=boxes, wishes=wishes), max_work)
        except TooFewCards:
            continue
        choice_count += 1
        for text, exact in ({f"--with {name}": Fraction(0) for name in boxes_with_card} | odds.each).items():
            each[text] += exact
        if len(present) == len(boxes_with_card) and odds.wishes:
            all_wishes += odds.wishes
            for key, (exact, left_out) in odds.summarize(cards).figures.items():
                before = figures.get(key, Probability(Fraction(0)))
                all_left_out = tuple(dict.fromkeys((*before.left_out, *left_out)))
                figures[key] = Probability(before.exact + odds.wishes * exact, all_left_out)
    if not all_wishes:
        raise build_no_boxes_error(box_count)
    figures = {key: Probability(exact / all_wishes, left_out) for key, (exact, left_out) in figures.items()}
    groups: dict[Fraction, list[Card]] = {}
    for card in all_boxes.kingdom:
        exact, _ = figures.get(("turned up", card.name), Probability(Fraction(0)))
        groups.setdefault(exact, []).append(card)
    return OddsSummary(
        kingdom=all_boxes.kingdom,
        landscapes=all_boxes.landscapes,
        is_conditional=True,
        wishes=all_wishes / choice_count,
        each={text: probability / choice_count for text, probability in each.items()},
        groups=[(group, probability) for probability, group in groups.items()],
        figures=figures,
    )
