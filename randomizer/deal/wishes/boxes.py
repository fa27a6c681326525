"""The random choice of boxes, if only some of the chosen boxes are to be used (`--of`)."""

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

MAX_BOX_CHOICES = 200  # choices whose probability of success is computed; this many take a second
MAX_ATTEMPTS = 10_000

RandomSources = Callable[[str], RandBelow]  # question -> `randbelow` of its random source


def draw_boxes(game: Game, request: Request, rules: TurnUpRules | None, randoms: RandomSources) -> Request:
    """Draw some of the chosen boxes at random, and return the request with only these boxes.

    Given the wishes, the probability of a choice of boxes is proportional to the probability that a deal from
    these boxes meets the wishes (Bayes' theorem). If there are few choices, all their probabilities are
    computed. Otherwise, random choices are accepted with their probability (rejection sampling).

    Raises:
        BadOptions: there are fewer boxes than are to be drawn, or no choice that can meet the wishes was
            found.
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
    """Check that the request has enough boxes to draw from.

    Raises:
        BadOptions: there are fewer boxes than are to be drawn.
    """
    box_count, available = request.wishes.box_count, len(request.chosen)
    if box_count > available:
        raise BadOptions(
            "--of {of} needs at least {of} boxes; --sets names {most}.", of=box_count, most=available
        )


def find_boxes_with_cards(game: Game, request: Request, rules: TurnUpRules | None) -> dict[str, set[str]]:
    """Map each required card to the chosen boxes (or cards sold separately) that contain it.

    Raises:
        BadOptions: a required card is in none of the boxes.
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
    """Return the error for a request for which no suitable boxes were found."""
    return BadOptions("--of {of}: found no {of} boxes that can meet the wishes.", of=box_count)


def compute_probability(game: Game, request: Request, rules: TurnUpRules | None) -> Fraction:
    """Return the probability that a deal from all boxes of the request meets the wishes.

    The probability is 0 if there are too few cards for a deal.

    Raises:
        BadOptions: the computation would take too long.
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
