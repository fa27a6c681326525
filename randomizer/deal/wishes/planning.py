"""A planner, which draws, before the deal, the cards to be turned up, so that they meet the wishes.

Among the deals that meet the wishes, the relative probabilities are the same as without wishes. Kingdom cards
and landscapes that are turned up and used count for wishes. Cards that are chosen later, such as the Bane,
count only for upper bounds: see `bounds`.

The choice between rejection sampling and conditional sampling depends on the size of the dynamic programming
table, never on elapsed time, so that a seed gives the same deal on every machine.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from randomizer.cards.condition import Wish
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.pool import get_or_compute
from randomizer.deal.growing import TurnUp
from randomizer.deal.wishes.bans import build_pool
from randomizer.deal.wishes.boxes import RandomSources
from randomizer.deal.wishes.checking import build_matcher, raise_if_impossible
from randomizer.deal.wishes.counting import MAX_WORK
from randomizer.deal.wishes.matching import WishMatcher, build_cache_key
from randomizer.deal.wishes.rejection import RejectionSampler
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.deal.wishes.strata import TurnUpOrder
from randomizer.text.errors import BadOptions
from randomizer.text.language import message

FAST_WORK_LIMIT = 4_000  # entries of the dynamic programming table; computing them takes 50 milliseconds
REJECTION_THRESHOLD = Fraction(1, 3)  # From this probability of success on, rejection sampling is faster.
MAX_ATTEMPTS = 100  # attempts before the work limit is raised
MAX_ATTEMPTS_UNCOUNTED = 10_000  # attempts if counting takes too long; this many take a third of a second
MAX_STRATA = 5  # With more strata, the model merges weights. Five strata take a tenth of a second.


def predetermine(
    game: Game,
    request: Request,
    rules: TurnUp | None,
    random_sources: RandomSources,
    used: Sequence[str] = (),
    staying: Sequence[str] = (),
    chosen: Mapping[str, Sequence[str]] = {},
) -> Mapping[str, Sequence[Card]]:
    """Draw the cards to be turned up, so that they meet the wishes.

    Args:
        game: the game to deal.
        request: the options of the deal.
        rules: the rules by which the game turns cards up; None if it turns none up.
        random_sources: a function that returns the random source of a question.
        used: the names of cards that are already in use.
        staying: the names of cards on the table that count for wishes, too, such as landscapes that stay.
        chosen: the names of the cards that have been chosen already, by slot. They count for upper bounds
            only.

    Returns:
        The cards in the order in which they are turned up, by question (`randomizers` or `landscapes`). Empty
        if the wishes need no cards to be drawn before the deal, or if there are too few cards for a deal.

    Raises:
        BadOptions: no deal can meet the wishes; the message says which wishes conflict, and why.
    """
    wishes = request.wishes
    if not (wishes.cards or wishes.wants or wishes.weights):
        return {}

    def prepare() -> tuple[WishMatcher, RejectionSampler, ConditionalSampler]:
        matcher = build_matcher(game, request, rules, used, staying, chosen)
        arguments = wishes.cards, wishes.wants, wishes.weights
        model = matcher.build_model(*arguments)
        counting_model = model
        if len(model.strata) > MAX_STRATA:
            counting_model = matcher.build_model(*arguments, merges_weights=True)
        return matcher, RejectionSampler(model), ConditionalSampler(counting_model)

    if used:  # The same cards are unlikely to be in use again, so caching is not worthwhile.
        matcher, rejection, conditional = prepare()
    else:
        cache = build_pool(game, request).cache
        key = build_cache_key("samplers", request, rules)
        matcher, rejection, conditional = get_or_compute(cache, key, prepare)
    if not matcher.randomizers.has_enough_cards:
        return {}  # Turning the cards up will raise an error.
    order = _draw_order(rejection, conditional, random_sources)
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
    rules: TurnUp | None,
    random_sources: RandomSources,
    used: Sequence[str],
    staying: Sequence[str],
    chosen: Mapping[str, Sequence[str]] = {},
) -> tuple[Mapping[str, Sequence[Card]], Sequence[str]]:
    """Draw the cards to be turned up in a second deal, so that they meet the wishes.

    Required cards were on the first table and are not required again. All other wishes apply to the new
    Kingdom, together with the landscapes that stay. A wish is dropped if the remaining cards can no longer
    meet it together with the wishes before it.

    Args:
        game: the game to deal.
        request: the options of the deal.
        rules: the rules by which the game turns cards up; None if it turns none up.
        random_sources: a function that returns the random source of a question.
        used: the names of cards that are already in use.
        staying: the names of landscapes that stay on the table.
        chosen: the names of chosen cards that stay on the table, by slot.

    Returns:
        The cards, as returned by `predetermine`, and the dropped wishes, as strings.
    """

    def predetermine_for(wants: Sequence[Wish]) -> Mapping[str, Sequence[Card]]:
        wishes = request.wishes._replace(cards=(), wants=tuple(wants), box_count=0)
        return predetermine(
            game, request._replace(wishes=wishes), rules, random_sources, used, staying, chosen
        )

    possible: list[Wish] = []
    dropped = []
    for wish in request.wishes.wants:
        try:
            predetermine_for([*possible, wish])
            possible.append(wish)
        except BadOptions:
            dropped.append(wish.text)
    return predetermine_for(possible), dropped


def _draw_order(
    rejection: RejectionSampler, conditional: ConditionalSampler, random_sources: RandomSources
) -> TurnUpOrder | None:
    """Draw the cards to be turned up, with the method that is expected to be faster.

    If counting is fast, rejection sampling is used if success is likely, and conditional sampling otherwise.
    If counting is slow, a few attempts at rejection sampling are made first. If they fail, conditional
    sampling is tried with a higher work limit. If that limit is exceeded, too, many more attempts at
    rejection sampling are made.

    Returns:
        The cards, or None if no deal can meet the wishes or all attempts failed.
    """
    if not rejection.model.goals.goals:
        return rejection.attempt(random_sources("turning up"))
    has_exact_probability = not conditional.model.merges_weights and conditional.is_possible(FAST_WORK_LIMIT)
    if has_exact_probability and conditional.get_probability() >= REJECTION_THRESHOLD:
        return _attempt(rejection, random_sources, range(MAX_ATTEMPTS_UNCOUNTED))
    attempted = 0
    for work_limit, max_attempts in (
        (FAST_WORK_LIMIT, MAX_ATTEMPTS),
        (MAX_WORK, MAX_ATTEMPTS_UNCOUNTED),
    ):
        is_possible = conditional.is_possible(work_limit)
        if is_possible is not None:
            return _sample(conditional, random_sources) if is_possible else None
        if order := _attempt(rejection, random_sources, range(attempted, max_attempts)):
            return order
        attempted = max_attempts
    return None


def _attempt(
    rejection: RejectionSampler, random_sources: RandomSources, attempt_numbers: Iterable[int]
) -> TurnUpOrder | None:
    """Return the result of the first successful attempt, or None if all attempts fail.

    Args:
        rejection: the sampler.
        random_sources: a function that returns the random source of a question.
        attempt_numbers: the numbers of the attempts, each of which has its own random source.
    """
    attempts = (rejection.attempt(random_sources(f"turning up {number}")) for number in attempt_numbers)
    return next((order for order in attempts if order), None)


def _sample(conditional: ConditionalSampler, random_sources: RandomSources) -> TurnUpOrder | None:
    """Return the first sample that is accepted, or None if too many samples are rejected."""
    randbelow = random_sources("turning up")
    samples = (conditional.sample(randbelow) for _ in range(MAX_ATTEMPTS_UNCOUNTED))
    return next((order for order in samples if order), None)
