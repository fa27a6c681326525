"""Predetermined cards: what is turned up, drawn before the deal such that the wishes are met.

Of all deals that meet the wishes, each has the same relative probability as without wishes. Wishes count the
Kingdom cards and landscapes that are turned up and used. What a card chooses later, such as an Ally, does not
count; but banned cards are not chosen either.

Whether to use rejection sampling or conditional sampling is decided by numbers of table entries and never by
a clock, so that a seed deals the same table on every machine.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.pool import get_or_compute
from randomizer.cards.wish import parse_wishes
from randomizer.deal.wishes.boxes import RandomSources
from randomizer.deal.wishes.checking import build_matcher, raise_if_impossible
from randomizer.deal.wishes.counting import MAX_WORK
from randomizer.deal.wishes.matching import WishMatcher, build_cache_key, build_pool
from randomizer.deal.wishes.rejection import RejectionSampler
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.deal.wishes.strata import TurnUpOrder, TurnUpRules
from randomizer.text.errors import BadOptions
from randomizer.text.language import message

FAST_WORK_LIMIT = 4_000  # table entries; this many take a twentieth of a second
REJECTION_THRESHOLD = Fraction(1, 3)  # probability of success from which on rejection sampling is faster
MAX_ATTEMPTS = 100  # before the work limit is raised; wishes met in one deal of fifty nearly always succeed
MAX_ATTEMPTS_UNCOUNTED = 10_000  # if there is too much to count; this many take a third of a second
MAX_STRATA = 5  # with more strata than this, weights are merged; this many take a tenth of a second


def predetermine(
    game: Game,
    request: Request,
    rules: TurnUpRules | None,
    randoms: RandomSources,
    used: Sequence[str] = (),
    staying: Sequence[str] = (),
) -> Mapping[str, Sequence[Card]]:
    """Draw the cards that will be turned up such that they meet the wishes.

    Args:
        game: the game that is dealt.
        request: the request.
        rules: how the game turns cards up; None if it does not.
        randoms: the sources of randomness.
        used: the names of cards that are in use already.
        staying: the names of cards on the table that count for wishes too, such as landscapes that stay.

    Returns:
        The cards in the order in which they come up, by question: `randomizers`, `landscapes`.

    Raises:
        BadOptions: no deal can meet the wishes; the message says which of them, and why.
    """
    wishes = parse_wishes(game, request.wishes)
    if not (wishes.cards or wishes.wants or wishes.weights):
        return {}

    def prepare() -> tuple[WishMatcher, RejectionSampler, ConditionalSampler]:
        matcher = build_matcher(game, request, rules, used, staying)
        arguments = wishes.cards, wishes.wants, wishes.weights
        model = matcher.build_model(*arguments)
        counted = model
        if len(model.strata) > MAX_STRATA:
            counted = matcher.build_model(*arguments, merges_weights=True)
        return matcher, RejectionSampler(model), ConditionalSampler(counted)

    if used:  # The same cards are hardly ever in use again, so nothing is cached.
        matcher, rejection, conditional = prepare()
    else:
        cache = build_pool(game, request).cache
        key = build_cache_key("samplers", request, rules)
        matcher, rejection, conditional = get_or_compute(cache, key, prepare)
    if not matcher.randomizers.has_enough_cards:
        return {}  # Turning the cards up will raise an error.
    order = _draw_order(rejection, conditional, randoms)
    if order is None:
        raise_if_impossible(matcher, wishes)
        none = message("none of {number} attempts met these wishes", number=MAX_ATTEMPTS_UNCOUNTED)
        raise BadOptions(
            "{none}, and there are too many of them to calculate whether it is possible; remove some.",
            none=none,
        )
    return {question: cards for question, cards in order._asdict().items() if cards}


def predetermine_second_deal(
    game: Game,
    request: Request,
    rules: TurnUpRules | None,
    randoms: RandomSources,
    used: Sequence[str],
    staying: Sequence[str],
) -> tuple[Mapping[str, Sequence[Card]], Sequence[str]]:
    """Draw the cards that will be turned up in a second deal.

    Cards that were asked for by name were on the first table, and are not asked for again. All other wishes
    apply to the new Kingdom together with the landscapes that stay. A wish that too few cards are left for,
    besides the wishes before it, is dropped.

    Returns:
        The cards as `predetermine` returns them, and the texts of the dropped wishes.
    """
    wishes = request.wishes._replace(with_=(), want=(), box_count=0)

    def predetermine_with(wants: tuple[str, ...]) -> Mapping[str, Sequence[Card]]:
        narrowed = request._replace(wishes=wishes._replace(want=wants))
        return predetermine(game, narrowed, rules, randoms, used, staying)

    kept: tuple[str, ...] = ()
    dropped = []
    for want in request.wishes.want:
        try:
            predetermine_with((*kept, want))
            kept = (*kept, want)
        except BadOptions:
            dropped.append(want)
    return predetermine_with(kept), dropped


def _draw_order(
    rejection: RejectionSampler, conditional: ConditionalSampler, randoms: RandomSources
) -> TurnUpOrder | None:
    """Draw what is turned up, with the method that is expected to be the fastest.

    Conditional sampling is used if the counting is quickly done, unless the probability of success is so high
    that a few attempts are quicker still. Otherwise some attempts come first, then counting with a higher
    work limit, and if that fails as well, many more attempts.

    Returns:
        None if no deal can meet the wishes, or if none of the attempts did.
    """
    if not rejection.model.goals.goals:
        return rejection.attempt(randoms("turning up"))
    has_exact_probability = not conditional.model.merges_weights and conditional.is_possible(FAST_WORK_LIMIT)
    if has_exact_probability and conditional.get_probability() >= REJECTION_THRESHOLD:
        return _attempt(rejection, randoms, range(MAX_ATTEMPTS_UNCOUNTED))
    attempted = 0
    for work_limit, max_attempts in (
        (FAST_WORK_LIMIT, MAX_ATTEMPTS),
        (MAX_WORK, MAX_ATTEMPTS_UNCOUNTED),
    ):
        is_possible = conditional.is_possible(work_limit)
        if is_possible is not None:
            return _sample(conditional, randoms) if is_possible else None
        if order := _attempt(rejection, randoms, range(attempted, max_attempts)):
            return order
        attempted = max_attempts
    return None


def _attempt(
    rejection: RejectionSampler, randoms: RandomSources, numbers: Iterable[int]
) -> TurnUpOrder | None:
    """Return the result of the first successful attempt. Each number has its own source of randomness."""
    attempts = (rejection.attempt(randoms(f"turning up {number}")) for number in numbers)
    return next((order for order in attempts if order), None)


def _sample(conditional: ConditionalSampler, randoms: RandomSources) -> TurnUpOrder | None:
    """Return the first sample that is accepted."""
    randbelow = randoms("turning up")
    samples = (conditional.sample(randbelow) for _ in range(MAX_ATTEMPTS_UNCOUNTED))
    return next((order for order in samples if order), None)
