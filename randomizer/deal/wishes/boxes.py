"""The random choice of boxes, if a deal uses only some of the boxes that the user has chosen (`--of`)."""

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
from randomizer.deal.wishes.bounds import get_upper_bounds
from randomizer.deal.wishes.checking import build_matcher
from randomizer.deal.wishes.counting import RandBelow, WayCounter, WorkLimitExceeded, weighted_index
from randomizer.deal.wishes.goals import Goals
from randomizer.deal.wishes.matching import WishMatcher, build_cache_key, collect_randomizers
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.text.errors import BadOptions

MAX_BOX_CHOICES = 200  # choices whose probability of success is computed; computing this many takes a second
MAX_ATTEMPTS = 10_000
MAX_PROPOSALS = 1_000  # choices that are proposed after that; trying this many takes five seconds
_BOUND_SCALE = 2**128  # Bounds are rounded up to a multiple of 1 / _BOUND_SCALE.

RandomSources = Callable[[str], RandBelow]  # question -> `randbelow` of its random source


def draw_boxes(game: Game, request: Request, rules: TurnUp | None, random_sources: RandomSources) -> Request:
    """Draw some of the chosen boxes at random, and return the request with only these boxes.

    Given the wishes, the probability of a choice of boxes is proportional to its probability of success,
    which is the probability that a deal from these boxes meets the wishes (Bayes' theorem). If there are few
    choices, the probability of success is computed for all of them. Otherwise, choices are drawn at random
    and accepted with their probability of success (rejection sampling). If none is accepted, choices are
    drawn with the help of upper bounds: see `_draw_by_upper_bounds`.

    Raises:
        BadOptions: there are fewer boxes than are to be drawn, or no choice that can meet the wishes was
            found.
    """
    box_count, chosen = request.wishes.box_count, request.chosen
    if not box_count:
        return request
    check_box_count(request)
    can_enumerate = comb(len(chosen), box_count) <= MAX_ATTEMPTS
    wishes = request.wishes
    boxes_with_cards = find_boxes_with_cards(game, request, rules).values()

    def contains_required_cards(boxes: Sequence[str]) -> bool:
        return all(not slugs.isdisjoint(boxes) for slugs in boxes_with_cards)

    choices = list(filter(contains_required_cards, combinations(chosen, box_count))) if can_enumerate else []
    probability_by_boxes: dict[Sequence[str], Fraction] = get_or_compute(
        game.get_pool(chosen).cache, build_cache_key("box probabilities", request, rules), dict
    )

    def get_probability(boxes: tuple[str, ...]) -> Fraction:
        narrowed = request._replace(chosen=boxes)
        return get_or_compute(probability_by_boxes, boxes, lambda: compute_probability(game, narrowed, rules))

    randbelow = random_sources("boxes")
    if (wishes.cards or wishes.wants) and can_enumerate and len(choices) <= MAX_BOX_CHOICES:
        probabilities = [get_probability(boxes) for boxes in choices]
        if any(probabilities):
            denominator = lcm(*(probability.denominator for probability in probabilities))
            index = weighted_index(
                [int(probability * denominator) for probability in probabilities], randbelow
            )
            return request._replace(chosen=choices[index])
    else:
        seen = set()
        for _ in range(MAX_ATTEMPTS):
            remaining = list(chosen)
            drawn = {remaining.pop(randbelow(len(remaining))) for _ in range(box_count)}
            boxes = tuple(slug for slug in chosen if slug in drawn)
            if not contains_required_cards(boxes):
                continue
            seen.add(boxes)
            if len(seen) > MAX_BOX_CHOICES:
                break
            probability = get_probability(boxes)
            if probability and randbelow(probability.denominator) < probability.numerator:
                return request._replace(chosen=boxes)
        upper_bounds = _compute_upper_bounds(game, request, rules, choices or sorted(seen))
        if drawn_boxes := _draw_by_upper_bounds(
            upper_bounds, get_probability, random_sources("boxes by bounds")
        ):
            return request._replace(chosen=drawn_boxes)
    raise build_no_boxes_error(box_count)


def _compute_upper_bounds(
    game: Game, request: Request, rules: TurnUp | None, choices: Iterable[tuple[str, ...]]
) -> dict[tuple[str, ...], Fraction]:
    """Return an upper bound on the probability of success of each choice of boxes.

    The bound is the probability that the Kingdom cards meet the wishes, provided that as many landscapes as
    possible count towards each minimum. It is fast to compute, because choices with equal numbers of matching
    cards have the same bound.
    """
    wishes = request.wishes
    matcher = build_matcher(game, request, rules)
    randomizers = matcher.randomizers
    counters, goals = matcher.build_goals(wishes.cards, wishes.wants)
    landscapes = {card.name for card in randomizers.landscapes}
    relaxed = []
    for goal in goals:
        max_matching_landscapes = min(len(landscapes & counters[goal.counter]), randomizers.max_landscapes)
        relaxed.append(goal._replace(min_count=max(0, goal.min_count - max_matching_landscapes)))
    contents = {slug: {card.name for card in game.get_pool((slug,)).list_cards()} for slug in request.chosen}
    # Cards that are in the same boxes and count for the same counters are interchangeable.
    groups: dict[tuple[frozenset[str], tuple[bool, ...]], list[Card]] = {}
    for card in randomizers.kingdom:
        slugs = frozenset(slug for slug, names in contents.items() if card.name in names)
        groups.setdefault((slugs, tuple(card.name in counter for counter in counters)), []).append(card)
    kingdom_count = randomizers.kingdom_count

    @cache
    def compute_upper_bound(sizes: tuple[tuple[tuple[bool, ...], int], ...]) -> Fraction:
        cards = []
        for increments, size in sizes:
            matching_cards = [
                card for (_, other), group in groups.items() if other == increments for card in group
            ]
            cards += matching_cards[:size]
        try:
            ways = WayCounter([cards], Goals(counters, tuple(relaxed))).count_ways([kingdom_count])
        except WorkLimitExceeded:
            return Fraction(1)
        all_ways = comb(len(cards), kingdom_count)
        return Fraction(bool(ways)) if wishes.weights else Fraction(ways, all_ways or 1)

    upper_bounds = {}
    for boxes in choices:
        sizes: Counter[tuple[bool, ...]] = Counter()
        for (slugs, increments), cards in groups.items():
            if not slugs.isdisjoint(boxes):
                sizes[increments] += len(cards)
        upper_bounds[boxes] = compute_upper_bound(tuple(sorted(sizes.items())))
    return upper_bounds


def _draw_by_upper_bounds(
    upper_bounds: Mapping[tuple[str, ...], Fraction],
    get_probability: Callable[[tuple[str, ...]], Fraction],
    randbelow: RandBelow,
) -> tuple[str, ...] | None:
    """Draw a choice of boxes with a probability proportional to its probability of success.

    This is adaptive rejection sampling: a choice is proposed with a probability proportional to its upper
    bound, and accepted with the ratio of its probability of success to the bound. If the choice is rejected,
    its probability of success becomes its new bound. An accepted choice has the right distribution,
    regardless of previous rejections.

    Returns:
        The choice, or None if no choice can meet the wishes, or too many choices were rejected.
    """
    choices = list(upper_bounds)
    weights = [ceil(upper_bound * _BOUND_SCALE) for upper_bound in upper_bounds.values()]
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
    box_count, available_count = request.wishes.box_count, len(request.chosen)
    if box_count > available_count:
        raise BadOptions(
            "--of {of} needs at least {of} boxes; --sets names {most}.", of=box_count, most=available_count
        )


def find_boxes_with_cards(game: Game, request: Request, rules: TurnUp | None) -> dict[str, set[str]]:
    """Map the name of each required card to the slugs of the chosen boxes that contain it.

    A card that is sold separately counts as a box.

    Raises:
        BadOptions: a required card is in none of the boxes.
    """
    cards = request.wishes.cards
    if not cards:
        return {}
    contents = {slug: {card.name for card in game.get_pool((slug,)).list_cards()} for slug in request.chosen}
    slugs_by_card = {name: {slug for slug, names in contents.items() if name in names} for name in cards}
    if not all(slugs_by_card.values()):
        build_matcher(game, request, rules)  # This raises an error that explains why.
    return slugs_by_card


def build_no_boxes_error(box_count: int) -> BadOptions:
    """Create the error for a request for which no suitable boxes were found."""
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
    profiles = build_profiles(game, game.get_pool(request.chosen))
    matcher = WishMatcher(randomizers, profiles, bounds=get_upper_bounds(game, request))
    try:
        sampler = ConditionalSampler(matcher.build_model(wishes.cards, wishes.wants, wishes.weights))
        return sampler.get_probability()
    except WorkLimitExceeded:
        raise BadOptions("there are too many wishes for --of; remove some.") from None
