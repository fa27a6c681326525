"""Deals that meet wishes: the boxes that are drawn first, and what is turned up of them.

Of all deals that meet the wishes each is as likely, relative to the others, as without wishes. They count
what is turned up and used: the Kingdom cards and landscapes. What a card has chosen later on, such as an
Ally, is not among them; but what is banned is not chosen either.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.pool import get_or_compute
from randomizer.cards.wish import parse_wishes
from randomizer.deal.counting import MAX_WORK, WorkLimitExceeded, weighted_index
from randomizer.deal.sought import (
    WishMatcher,
    build_matcher,
    build_pool,
    build_profiles,
    collect_randomizers,
    raise_if_impossible,
)
from randomizer.deal.turning import Turning, TurnUpOrder, TurnUpRules
from randomizer.text.errors import BadOptions
from randomizer.text.language import message

FAST_WORK_LIMIT = 4_000  # numbers to keep, of which that many take a twentieth of a second
REJECTION_THRESHOLD = Fraction(1, 3)  # the chance from which on the wishes are tried for
MAX_ATTEMPTS = (
    100  # before more is counted; what holds in one deal of fifty nearly always does in one of them
)
MAX_STRATA = 5  # of cards of equal weight, of which that many take a tenth of a second
MAX_BOX_CHOICES = 200  # sets of boxes that are looked at, of which that many take a second
MAX_ATTEMPTS_UNCOUNTED = 10_000  # where there is too much to count; that many take a third of a second

Below = Callable[[int], int]  # a whole number by chance, below the one that it is given
Dice = Callable[[str], Below]  # dice for each question


def draw_boxes(game: Game, request: Request, turn_up: TurnUpRules | None, dice: Dice) -> Request:
    """The request for a deal of the boxes that are drawn first, if only some of those named are.

    Given the wishes a set of boxes is the likelier the more of its deals meet them; so it is kept with the
    chance that a deal of it does, or else drawn anew.

    Raises:
        BadOptions: there are no more boxes than are to be drawn, or no deal of them can meet the wishes.
    """
    of, chosen = request.wishes.box_count, request.chosen
    if not of:
        return request
    check_box_count(request)
    few = comb(len(chosen), of) <= MAX_ATTEMPTS_UNCOUNTED
    asked = parse_wishes(game, request.wishes)
    holding = find_boxes_with_cards(game, request, turn_up).values()

    def hold(boxes: Sequence[str]) -> bool:
        return all(not slugs.isdisjoint(boxes) for slugs in holding)

    sets = list(filter(hold, combinations(chosen, of))) if few else []
    kept = game.get_pool(chosen).cache
    chances: dict[Sequence[str], Fraction] = get_or_compute(kept, _key("chances", request, turn_up), dict)

    def chance(boxes: tuple[str, ...]) -> Fraction:
        there = request._replace(chosen=boxes)
        return get_or_compute(chances, boxes, lambda: _chance(game, there, turn_up))

    below = dice("boxes")
    if (asked.cards or asked.wants) and few and len(sets) <= MAX_BOX_CHOICES:
        shares = [chance(boxes) for boxes in sets]
        if any(shares):
            whole = lcm(*(share.denominator for share in shares))
            place = weighted_index([int(share * whole) for share in shares], below)
            return request._replace(chosen=sets[place])
    else:
        seen = set()
        for _ in range(MAX_ATTEMPTS_UNCOUNTED):
            left = list(chosen)
            drawn = {left.pop(below(len(left))) for _ in range(of)}
            boxes = tuple(slug for slug in chosen if slug in drawn)
            if not hold(boxes):
                continue
            seen.add(boxes)
            if len(seen) > MAX_BOX_CHOICES:
                break
            share = chance(boxes)
            if share and below(share.denominator) < share.numerator:
                return request._replace(chosen=boxes)
    raise build_no_boxes_error(of)


def check_box_count(request: Request) -> None:
    """Refuse to draw more boxes than there are.

    Raises:
        BadOptions: fewer boxes are named than are to be drawn of them.
    """
    of, most = request.wishes.box_count, len(request.chosen)
    if of > most:
        raise BadOptions("--of {of}: the number of boxes to draw from is {most}.", of=of, most=most)


def find_boxes_with_cards(game: Game, request: Request, turn_up: TurnUpRules | None) -> dict[str, set[str]]:
    """By the name of each card that is asked for, the boxes that hold it; some of them may be single cards.

    Raises:
        BadOptions: none of the boxes does.
    """
    cards = parse_wishes(game, request.wishes).cards
    if not cards:
        return {}
    inside = {slug: {card.name for card in game.get_pool((slug,)).list_cards()} for slug in request.chosen}
    found = {name: {slug for slug, names in inside.items() if name in names} for name in cards}
    if not all(found.values()):
        build_matcher(game, request, turn_up)  # which says why
    return found


def build_no_boxes_error(of: int) -> BadOptions:
    """That no boxes can be drawn from which a deal meets the wishes."""
    return BadOptions("--of {of}: no such boxes have been found whose deals meet the wishes.", of=of)


def _chance(game: Game, request: Request, turn_up: TurnUpRules | None) -> Fraction:
    """How likely a deal from just these boxes meets the wishes; nothing where there are too few cards.

    Raises:
        BadOptions: that cannot be counted.
    """
    asked = parse_wishes(game, request.wishes)
    if turn_up is None:
        return Fraction(1)
    deck = collect_randomizers(build_pool(game, request), turn_up, request.settings)
    names = {card.name for card in (*deck.kingdom, *deck.landscapes)}
    if not deck.has_enough_cards or not names.issuperset(asked.cards):
        return Fraction(0)
    if not (asked.cards or asked.wants):
        return Fraction(1)
    try:
        sought = WishMatcher(deck, build_profiles(game, game.get_pool(request.chosen)))
        return sought.turning(asked.cards, asked.wants, asked.weights).get_probability()
    except WorkLimitExceeded:
        raise BadOptions("these wishes are too many to be counted with --of; leave some out.") from None


def predetermine(
    game: Game,
    request: Request,
    turn_up: TurnUpRules | None,
    dice: Dice,
    used: Sequence[str] = (),
    staying: Sequence[str] = (),
) -> Mapping[str, Sequence[Card]]:
    """By question, the cards that come up for it, so that the wishes hold.

    Args:
        game: what is dealt.
        request: what is asked for.
        turn_up: how the cards are turned up; None if they are not.
        dice: what chance comes from.
        used: names of cards that are in use already.
        staying: names of what is on the table and counts too, such as landscapes that stay.

    Raises:
        BadOptions: no deal can meet the wishes; the message says which of them, and why.
    """
    asked = parse_wishes(game, request.wishes)
    if not (asked.cards or asked.wants or asked.weights):
        return {}

    def found() -> tuple[WishMatcher, Turning, Turning]:
        sought = build_matcher(game, request, turn_up, used, staying)
        turning = sought.turning(asked.cards, asked.wants, asked.weights)
        if len(turning.strata) <= MAX_STRATA:
            return sought, turning, turning
        return sought, turning, sought.turning(asked.cards, asked.wants, asked.weights, mixed=True)

    if used:  # which hardly ever are the same again
        sought, turning, counted = found()
    else:
        kept = build_pool(game, request).cache
        sought, turning, counted = get_or_compute(kept, _key("turning", request, turn_up), found)
    if not sought.deck.has_enough_cards:
        return {}  # whoever turns the cards up says that there are too few
    order = _turned_up(turning, counted, dice)
    if order is None:
        raise_if_impossible(sought, asked)
        none = message("none of {number} deals has met these wishes", number=MAX_ATTEMPTS_UNCOUNTED)
        raise BadOptions("{none}, and they are too many to be counted; leave some out.", none=none)
    return {question: cards for question, cards in order._asdict().items() if cards}


def predetermine_second_deal(
    game: Game,
    request: Request,
    turn_up: TurnUpRules | None,
    dice: Dice,
    used: Sequence[str],
    staying: Sequence[str],
) -> tuple[Mapping[str, Sequence[Card]], Sequence[str]]:
    """The same for a second deal: what comes up first, and the wishes that cannot be met any more.

    Cards that were asked for by name have been on the first table, and are not asked for again. Whatever else
    is wished for holds for the new Kingdom with the landscapes that stay. If too little is left for a wish
    besides those before it, the game goes on without it.
    """
    wishes = request.wishes._replace(with_=(), want=(), box_count=0)

    def with_wants(wants: tuple[str, ...]) -> Mapping[str, Sequence[Card]]:
        again = request._replace(wishes=wishes._replace(want=wants))
        return predetermine(game, again, turn_up, dice, used, staying)

    kept: tuple[str, ...] = ()
    unmet = []
    for want in request.wishes.want:
        try:
            with_wants((*kept, want))
            kept = (*kept, want)
        except BadOptions:
            unmet.append(want)
    return with_wants(kept), unmet


def _key(what: str, request: Request, turn_up: TurnUpRules | None) -> Hashable:
    """By what a pool keeps something that follows from its cards and from what is wished for."""
    return what, turn_up, request.wishes, tuple(sorted(request.settings.items()))


def _turned_up(turning: Turning, counted: Turning, dice: Dice) -> TurnUpOrder | None:
    """What is turned up: counted where that is soon done, else tried, else counted, else tried for long.

    How soon it is done is told by numbers that are kept, not by a clock, so that a seed deals the same table
    on every machine. Nothing if no deal can meet the wishes, or none has.

    Args:
        turning: what is tried.
        counted: the same to count by: with fewer heaps, if weights part the cards into many.
    """
    if not turning.goals.goals:
        return turning.tried(dice("turning up"))
    tried = 0
    soon = turning is counted and turning.is_possible(FAST_WORK_LIMIT)
    if soon and turning.get_probability() >= REJECTION_THRESHOLD:  # a few tries are sooner done
        return _tried(turning, dice, range(MAX_ATTEMPTS_UNCOUNTED))
    for work, tries in ((FAST_WORK_LIMIT, MAX_ATTEMPTS), (MAX_WORK, MAX_ATTEMPTS_UNCOUNTED)):
        possible = counted.is_possible(work)
        if possible is not None:
            return _drawn(counted, dice) if possible else None
        if order := _tried(turning, dice, range(tried, tries)):
            return order
        tried = tries
    return None


def _tried(turning: Turning, dice: Dice, numbers: Sequence[int]) -> TurnUpOrder | None:
    """The first of these tries that meets the wishes, if there is one."""
    tries = (turning.tried(dice(f"turning up {number}")) for number in numbers)
    return next((order for order in tries if order), None)


def _drawn(turning: Turning, dice: Dice) -> TurnUpOrder | None:
    """What is drawn and kept; the wishes may hold."""
    below = dice("turning up")
    orders = (turning.drawn(below) for _ in range(MAX_ATTEMPTS_UNCOUNTED))
    return next((order for order in orders if order), None)
