"""The random choice of boxes, if only some of the chosen boxes are to be used (`--of`)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil, comb, lcm

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.pool import get_or_compute
from randomizer.deal.growing import TurnUp
from randomizer.deal.wishes.bans import build_pool, build_profiles
from randomizer.deal.wishes.checking import build_matcher
from randomizer.deal.wishes.counting import RandBelow, WayCounter, WorkLimitExceeded, weighted_index
from randomizer.deal.wishes.goals import Goals
from randomizer.deal.wishes.matching import WishMatcher, build_cache_key, collect_randomizers
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.text.errors import BadOptions

MAX_BOX_CHOICES = 200  # choices whose probability of success is computed; this many take a second
MAX_ATTEMPTS = 10_000
MAX_PROPOSALS = 1_000  # choices that are tried after that; this many take five seconds
_BOUND_SCALE = 2**128  # Bounds are rounded up to a multiple of 1 / _BOUND_SCALE.

RandomSources = Callable[[str], RandBelow]  # question -> `randbelow` of its random source


def draw_boxes(game: Game, request: Request, rules: TurnUp | None, random_sources: RandomSources) -> Request:
    """Draw some of the chosen boxes at random, and return the request with only these boxes.

    Given the wishes, the probability of a choice of boxes is proportional to the probability that a deal from
    these boxes meets the wishes (Bayes' theorem). If there are few choices, all their probabilities are
    computed. Otherwise, random choices are accepted with their probability (rejection sampling). If that
    finds none, choices are proposed in proportion to an upper bound of their probability: see
    `_draw_by_bounds`.

    Raises:
        BadOptions: there are fewer boxes than are to be drawn, or no choice that can meet the wishes was
            found.
    """
    box_count, chosen = request.wishes.box_count, request.chosen
    if not box_count:
        return request
    check_box_count(request)
    is_enumerable = comb(len(chosen), box_count) <= MAX_ATTEMPTS
    wishes = request.wishes
    boxes_with_cards = find_boxes_with_cards(game, request, rules).values()

    def contain_cards(boxes: Sequence[str]) -> bool:
        return all(not slugs.isdisjoint(boxes) for slugs in boxes_with_cards)

    choices = list(filter(contain_cards, combinations(chosen, box_count))) if is_enumerable else []
    probabilities: dict[Sequence[str], Fraction] = get_or_compute(
        game.get_pool(chosen).cache, build_cache_key("box probabilities", request, rules), dict
    )

    def get_probability(boxes: tuple[str, ...]) -> Fraction:
        narrowed = request._replace(chosen=boxes)
        return get_or_compute(probabilities, boxes, lambda: compute_probability(game, narrowed, rules))

    randbelow = random_sources("boxes")
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
        bounds = _compute_bounds(game, request, rules, choices or sorted(seen))
        if drawn_boxes := _draw_by_bounds(bounds, get_probability, random_sources("boxes by bounds")):
            return request._replace(chosen=drawn_boxes)
    raise build_no_boxes_error(box_count)


def _compute_bounds(
    game: Game, request: Request, rules: TurnUp | None, choices: Iterable[tuple[str, ...]]
) -> dict[tuple[str, ...], Fraction]:
    """Return an upper bound of the probability of success for each choice of boxes.

    The bound is the probability that the Kingdom cards alone meet the wishes, if as many landscapes as
    possible count for each minimum. It is fast to compute, because choices with equal numbers of matching
    cards share it.
    """
    wishes = request.wishes
    matcher = build_matcher(game, request, rules)
    randomizers = matcher.randomizers
    counters, goals = matcher.build_goals(wishes.cards, wishes.wants)
    landscapes = {card.name for card in randomizers.landscapes}
    relaxed = []
    for goal in goals:
        possible = min(len(landscapes & counters[goal.counter]), randomizers.max_landscapes)
        relaxed.append(goal._replace(min_count=max(0, goal.min_count - possible)))
    contents = {slug: {card.name for card in game.get_pool((slug,)).list_cards()} for slug in request.chosen}
    # Cards that are in the same boxes and count for the same counters are interchangeable.
    groups: dict[tuple[frozenset[str], tuple[bool, ...]], list[Card]] = {}
    for card in randomizers.kingdom:
        slugs = frozenset(slug for slug, names in contents.items() if card.name in names)
        groups.setdefault((slugs, tuple(card.name in counter for counter in counters)), []).append(card)
    kingdom_count = randomizers.rules.count_

    @cache
    def compute_bound(sizes: tuple[tuple[tuple[bool, ...], int], ...]) -> Fraction:
        cards = []
        for increments, size in sizes:
            same = [card for (_, other), group in groups.items() if other == increments for card in group]
            cards += same[:size]
        try:
            ways = WayCounter([cards], Goals(counters, tuple(relaxed))).count_ways([kingdom_count])
        except WorkLimitExceeded:
            return Fraction(1)
        all_ways = comb(len(cards), kingdom_count)
        return Fraction(bool(ways)) if wishes.weights else Fraction(ways, all_ways or 1)

    bounds = {}
    for boxes in choices:
        sizes: Counter[tuple[bool, ...]] = Counter()
        for (slugs, increments), cards in groups.items():
            if not slugs.isdisjoint(boxes):
                sizes[increments] += len(cards)
        bounds[boxes] = compute_bound(tuple(sorted(sizes.items())))
    return bounds


def _draw_by_bounds(
    bounds: Mapping[tuple[str, ...], Fraction],
    get_probability: Callable[[tuple[str, ...]], Fraction],
    randbelow: RandBelow,
) -> tuple[str, ...] | None:
    """Draw a choice of boxes with a probability proportional to its probability of success.

    This is adaptive rejection sampling: a choice is proposed in proportion to its bound, and accepted with
    the ratio of its probability to the bound. If it is rejected, its probability becomes its bound. Whatever
    was rejected before, an accepted choice has the right distribution.

    Returns:
        The choice, or None if no choice can meet the wishes, or too many choices were rejected.
    """
    choices = list(bounds)
    weights = [ceil(bound * _BOUND_SCALE) for bound in bounds.values()]
    for _ in range(MAX_PROPOSALS):
        if not any(weights):
            return None
        index = weighted_index(weights, randbelow)
        ratio = get_probability(choices[index]) * _BOUND_SCALE / weights[index]
        if randbelow(ratio.denominator) < ratio.numerator:
            return choices[index]
        weights[index] = ceil(ratio * weights[index])
    return None


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


def find_boxes_with_cards(game: Game, request: Request, rules: TurnUp | None) -> dict[str, set[str]]:
    """Map each required card to the chosen boxes (or cards sold separately) that contain it.

    Raises:
        BadOptions: a required card is in none of the boxes.
    """
    cards = request.wishes.cards
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


def compute_probability(game: Game, request: Request, rules: TurnUp | None) -> Fraction:
    """Return the probability that a deal from all boxes of the request meets the wishes.

    The probability is 0 if there are too few cards for a deal.

    Raises:
        BadOptions: the computation would take too long.
    """
    wishes = request.wishes
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
