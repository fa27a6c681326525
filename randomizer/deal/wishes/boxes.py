"""Random choice of the boxes to deal from, if only some of those named are used."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm

from randomizer.cards.game import Game, Request
from randomizer.cards.pool import get_or_compute
from randomizer.cards.wish import parse_wishes
from randomizer.deal.wishes.checking import build_matcher
from randomizer.deal.wishes.counting import RandBelow, WorkLimitExceeded, weighted_index
from randomizer.deal.wishes.matching import (
    WishMatcher,
    build_cache_key,
    build_pool,
    build_profiles,
    collect_randomizers,
)
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.deal.wishes.strata import TurnUpRules
from randomizer.text.errors import BadOptions

MAX_BOX_CHOICES = 200  # choices of boxes for which a probability is computed; this many take a second
MAX_ATTEMPTS = 10_000

RandomSources = Callable[[str], RandBelow]  # a question -> its source of randomness


def draw_boxes(game: Game, request: Request, rules: TurnUpRules | None, randoms: RandomSources) -> Request:
    """Return the request with the boxes that are drawn.

    Given the wishes, the probability of a choice of boxes is proportional to the probability that a deal from
    them meets the wishes (Bayes' theorem). If there are few choices, all of these are computed. Otherwise
    choices are drawn, and each is accepted with its probability.

    Raises:
        BadOptions: fewer boxes are named than are to be drawn, or no deal from such boxes can meet the
            wishes.
    """
    box_count, chosen = request.wishes.box_count, request.chosen
    if not box_count:
        return request
    check_box_count(request)
    is_enumerable = comb(len(chosen), box_count) <= MAX_ATTEMPTS
    wishes = parse_wishes(game, request.wishes)
    boxes_with_cards = find_boxes_with_cards(game, request, rules).values()

    def contain_cards(boxes: Sequence[str]) -> bool:
        return all(not slugs.isdisjoint(boxes) for slugs in boxes_with_cards)

    choices = list(filter(contain_cards, combinations(chosen, box_count))) if is_enumerable else []
    cache = game.get_pool(chosen).cache
    probabilities: dict[Sequence[str], Fraction] = get_or_compute(
        cache, build_cache_key("box probabilities", request, rules), dict
    )

    def get_probability(boxes: tuple[str, ...]) -> Fraction:
        narrowed = request._replace(chosen=boxes)
        return get_or_compute(probabilities, boxes, lambda: compute_probability(game, narrowed, rules))

    randbelow = randoms("boxes")
    if (wishes.cards or wishes.wants) and is_enumerable and len(choices) <= MAX_BOX_CHOICES:
        shares = [get_probability(boxes) for boxes in choices]
        if any(shares):
            denominator = lcm(*(share.denominator for share in shares))
            index = weighted_index([int(share * denominator) for share in shares], randbelow)
            return request._replace(chosen=choices[index])
    else:
        seen = set()
        for _ in range(MAX_ATTEMPTS):
            remaining = list(chosen)
            drawn = {remaining.pop(randbelow(len(remaining))) for _ in range(box_count)}
            boxes = tuple(slug for slug in chosen if slug in drawn)
            if not contain_cards(boxes):
                continue
            seen.add(boxes)
            if len(seen) > MAX_BOX_CHOICES:
                break
            share = get_probability(boxes)
            if share and randbelow(share.denominator) < share.numerator:
                return request._replace(chosen=boxes)
    raise build_no_boxes_error(box_count)


def check_box_count(request: Request) -> None:
    """Check that enough boxes are named.

    Raises:
        BadOptions: fewer boxes are named than are to be drawn.
    """
    box_count, available = request.wishes.box_count, len(request.chosen)
    if box_count > available:
        raise BadOptions(
            "--of {of} needs at least {of} boxes; --sets names {most}.", of=box_count, most=available
        )


def find_boxes_with_cards(game: Game, request: Request, rules: TurnUpRules | None) -> dict[str, set[str]]:
    """Return for each card that was asked for the boxes (or cards sold separately) that contain it.

    Raises:
        BadOptions: none of the boxes contains a card.
    """
    cards = parse_wishes(game, request.wishes).cards
    if not cards:
        return {}
    contents = {slug: {card.name for card in game.get_pool((slug,)).list_cards()} for slug in request.chosen}
    found = {name: {slug for slug, names in contents.items() if name in names} for name in cards}
    if not all(found.values()):
        build_matcher(game, request, rules)  # This raises an error that explains it.
    return found


def build_no_boxes_error(box_count: int) -> BadOptions:
    """Return the error that no boxes were found from which a deal can meet the wishes."""
    return BadOptions("--of {of}: found no {of} boxes that can meet the wishes.", of=box_count)


def compute_probability(game: Game, request: Request, rules: TurnUpRules | None) -> Fraction:
    """Return the probability that a deal from exactly these boxes meets the wishes.

    It is 0 if there are too few cards for a deal.

    Raises:
        BadOptions: it would take too long.
    """
    wishes = parse_wishes(game, request.wishes)
    if rules is None:
        return Fraction(1)
    randomizers = collect_randomizers(build_pool(game, request), rules, request.settings)
    names = {card.name for card in (*randomizers.kingdom, *randomizers.landscapes)}
    if not randomizers.has_enough_cards or not names.issuperset(wishes.cards):
        return Fraction(0)
    if not (wishes.cards or wishes.wants):
        return Fraction(1)
    matcher = WishMatcher(randomizers, build_profiles(game, game.get_pool(request.chosen)))
    try:
        sampler = ConditionalSampler(matcher.build_model(wishes.cards, wishes.wants, wishes.weights))
        return sampler.get_probability()
    except WorkLimitExceeded:
        raise BadOptions("there are too many wishes for --of; remove some.") from None
