"""Wishes for a deal: from which cards it is dealt, and what is turned up so that the wishes hold.

Of all deals that meet the wishes each is as likely, relative to the others, as without wishes. They count what
is turned up and used: the Kingdom cards and landscapes. What a card has chosen later on, such as an Ally, is
not among them; but what is banned is not chosen either.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import NamedTuple

from randomizer.cards.effect import Effects, Settings
from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.cards.pool import Pool
from randomizer.cards.selector import Profile, Selector, profile_of
from randomizer.cards.wish import Asked, Weight, Wish, asked_in
from randomizer.deal.counting import MOST_WORK, Goal, Goals, TooManySorts, picked
from randomizer.deal.dice import Dice
from randomizer.deal.growing import TurnUp, turning_up
from randomizer.deal.turning import Order, Turning
from randomizer.errors import BadOptions, all_of

SOON = 4_000  # numbers to keep, of which that many take a twentieth of a second
TRIES = 100  # before more is counted; what holds in one deal of fifty nearly always does in one of them
MOST_BOXES = 500  # sets of boxes that are looked at, of which many take a second
MANY_TRIES = 10_000  # where there is too much to count; that many take a third of a second


# ── From which cards ──


def boxes_drawn(game: Game, request: Request) -> Request:
    """The request for a deal of the boxes that are drawn first, if only some of those named are.

    Given the wishes a set of boxes is the likelier the more of its deals meet them; so it is kept with the
    chance that a deal of it does, or else drawn anew.

    Raises:
        BadOptions: there are no more boxes than are to be drawn, or no deal of them can meet the wishes.
    """
    of, chosen = request.wishes.of, request.chosen
    if not of:
        return request
    if of > len(chosen):
        raise BadOptions(f"--of {of}: only {len(chosen)} boxes are named.")
    sets = [boxes for boxes in combinations(chosen, of)] if comb(len(chosen), of) <= MANY_TRIES else []
    asked = asked_in(game, request.wishes)
    holding = [set(game.cards[name].boxes) for name in asked.cards]
    sets = [boxes for boxes in sets if all(not slugs.isdisjoint(boxes) for slugs in holding)]
    chance = _Chances(game, request)
    dice = Dice(request.seed, "boxes")
    if (asked.cards or asked.wants) and len(sets) <= MOST_BOXES:
        shares = [chance[boxes] for boxes in sets]
        if any(shares):
            whole = lcm(*(share.denominator for share in shares))
            place = picked([int(share * whole) for share in shares], dice.below)
            return request._replace(chosen=sets[place])
    else:
        for _ in range(MANY_TRIES):
            left = list(chosen)
            drawn = {left.pop(dice.below(len(left))) for _ in range(of)}
            boxes = tuple(slug for slug in chosen if slug in drawn)
            if len(chance) == MOST_BOXES and boxes not in chance:
                break
            share = chance[boxes]
            if share and dice.below(share.denominator) < share.numerator:
                return request._replace(chosen=boxes)
    raise BadOptions(f"--of {of}: no such boxes have been found whose deals meet the wishes.")


class _Chances(dict[tuple[str, ...], Fraction]):
    """By boxes, the chance that a deal from just these meets the wishes; 0 where there are too few cards."""

    def __init__(self, game: Game, request: Request) -> None:
        super().__init__()
        self._game = game
        self._request = request

    def __missing__(self, boxes: tuple[str, ...]) -> Fraction:
        self[boxes] = _chance(self._game, self._request._replace(chosen=boxes))
        return self[boxes]


def _chance(game: Game, request: Request) -> Fraction:
    """How likely a deal from just these boxes meets the wishes; nothing where there are too few cards.

    Raises:
        BadOptions: that cannot be counted.
    """
    asked = asked_in(game, request.wishes)
    pool = pool_of(game, request)
    deck = deck_of(pool, game.opening, request.settings)
    if deck is None:
        return Fraction(1)
    names = {card.name for card in (*deck.kingdom, *deck.landscapes)}
    if not deck.enough or not names.issuperset(asked.cards):
        return Fraction(0)
    try:
        sought = Sought(deck, profiles(game, game.pool(request.chosen)))
        return sought.turning(asked.cards, asked.wants, asked.weights).chance()
    except TooManySorts:
        raise BadOptions("these wishes are too many to be counted with --of; leave some out.") from None


def pool_of(game: Game, request: Request) -> Pool:
    """The cards that a request deals from: those of the boxes, without the banned ones.

    Raises:
        BadSelector, UnknownName, BadOptions: a wish cannot be read.
    """
    whole = game.pool(request.chosen)
    bans = asked_in(game, request.wishes).bans if request.wishes.without else ()
    if not bans:
        return whole
    key = "banned", request.wishes.without
    if key not in whole.worked_out:
        whole.worked_out[key] = tuple(sorted(_banned(game, whole, bans)))
    return game.pool(request.chosen, whole.worked_out[key])


def _banned(game: Game, pool: Pool, bans: Sequence[Selector]) -> Iterator[str]:
    """The names of the cards that selectors ban, with those of their piles."""
    for name, profile in profiles(game, pool).items():
        if any(ban.holds(profile) for ban in bans):
            yield name
            yield from (member for member, _ in game.cards[name].pile)


def profiles(game: Game, pool: Pool) -> Mapping[str, Profile]:
    """What selectors can ask of each card of a pool; members of mixed piles are asked with their pile."""
    if "profiles" not in pool.worked_out:
        pool.worked_out["profiles"] = {
            card.name: profile_of(card, game, pool) for card in pool.every() if not card.member_of
        }
    found: Mapping[str, Profile] = pool.worked_out["profiles"]
    return found


# ── What is turned up ──


class Deck(NamedTuple):
    """The cards that may be turned up, and how."""

    kingdom: tuple[Card, ...]
    landscapes: tuple[Card, ...]
    turn_up: TurnUp
    settings: Settings

    @property
    def enough(self) -> bool:
        """Whether there are enough cards for a deal."""
        turn_up, settings = self.turn_up, self.settings
        if settings.get("landscapes_from") == "deck":
            limits = {str(kind): amount.chosen(settings) or 0 for kind, amount in turn_up.limits}
            numbers = Counter(card.kind for card in self.landscapes)
            fitting = sum(min(number, limits.get(kind, number)) for kind, number in numbers.items())
            if fitting < (turn_up.most.chosen(settings) or 0):
                return False
        return len(self.kingdom) >= turn_up.count_

    @property
    def most(self) -> int:
        """How many landscapes are used at most."""
        return self.turn_up.most.chosen(self.settings) or 0 if self.landscapes else 0


def deck_of(pool: Pool, opening: Effects, settings: Settings, used: Iterable[str] = ()) -> Deck | None:
    """The cards of a pool that an opening may turn up, without those in use; None if it turns none up."""
    turn_up = turning_up(opening)
    if turn_up is None:
        return None
    gone = set(used)

    def left(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(card for card in cards if card.name not in gone)

    landscapes = left(pool.answering(turn_up.landscapes)) if turn_up.most.chosen(settings) else ()
    return Deck(left(pool.answering(turn_up.is_)), landscapes, turn_up, settings)


def arranged(
    game: Game,
    request: Request,
    opening: Effects,
    seed: str,
    used: Sequence[str] = (),
    staying: Sequence[str] = (),
) -> Mapping[str, Sequence[str]]:
    """By question, the names of the cards that come up first there, so that the wishes hold.

    Args:
        game: what is dealt.
        request: what is asked for.
        opening: what turns the cards up.
        seed: what chance comes from.
        used: names of cards that are in use already.
        staying: names of landscapes that are in use and stay, so that they count too.

    Raises:
        BadOptions: no deal can meet the wishes; the message says which of them, and why.
    """
    asked = asked_in(game, request.wishes)
    if not (asked.cards or asked.wants or asked.weights):
        return {}
    sought = sought_in(game, request, opening, used, staying)
    if not sought.deck.enough:
        return {}  # whoever turns the cards up says that there are too few
    kept = pool_of(game, request).worked_out
    key = "turning", request.wishes, tuple(sorted(request.settings.items())), tuple(used), tuple(staying)
    if key not in kept:
        kept[key] = sought.turning(asked.cards, asked.wants, asked.weights)
    order = _turned_up(kept[key], seed)
    if order is None:
        refuse_impossible(sought, asked)
        raise BadOptions(
            f"none of {MANY_TRIES} deals has met these wishes, and they are too many to be counted; leave some out."
        )
    names = {"randomizers": order.randomizers, "landscapes": order.landscapes}
    return {question: [card.name for card in cards] for question, cards in names.items()}


def sought_in(
    game: Game, request: Request, opening: Effects, used: Sequence[str] = (), staying: Sequence[str] = ()
) -> "Sought":
    """What the wishes of a request look for; the arguments are those of `arranged`.

    Raises:
        BadOptions: the game turns no Kingdom up, or a card is asked for that is not turned up.
    """
    deck = deck_of(pool_of(game, request), opening, request.settings, used)
    if deck is None:
        raise BadOptions(f"{game.title} turns up no Kingdom, so nothing of it can be wished for.")
    if deck.enough:
        _require_cards(game, request, deck, asked_in(game, request.wishes).cards)
    return Sought(deck, profiles(game, game.pool(request.chosen)), staying)


class Sought:
    """What wishes look for among the cards that may be turned up.

    Args:
        deck: these cards.
        profiles: what selectors can ask of them, by name, and of the landscapes that stay.
        staying: names of landscapes that are in use before.
    """

    def __init__(self, deck: Deck, profiles: Mapping[str, Profile], staying: Sequence[str] = ()) -> None:
        self.deck = deck
        self.profiles = profiles
        self.staying = [name for name in staying if name in profiles]
        self.names = [card.name for card in (*deck.kingdom, *deck.landscapes)]

    def fitting(self, selector: Selector) -> list[str]:
        """The names of the cards that a selector means."""
        return [name for name in self.names if selector.holds(self.profiles[name])]

    def turning(self, cards: Sequence[str], wants: Sequence[Wish], weights: Sequence[Weight] = ()) -> Turning:
        """How the cards are turned up, with these among them, and so that these wishes hold."""
        goals = self.goals(cards, wants)
        readily: dict[str, Fraction] = {}
        for weight in weights:
            for name in self.fitting(weight.selector):
                readily[name] = readily.get(name, Fraction(1)) * weight.number
        begun = [sum(name in counter for name in self.staying) for counter in goals.counters]
        kingdom, landscapes, turn_up, settings = self.deck
        return Turning(kingdom, landscapes, turn_up, settings, readily, goals, begun)

    def goals(self, cards: Sequence[str], wants: Sequence[Wish]) -> Goals:
        """The wishes for these cards and of these sorts, as what there is to count."""
        counters: dict[frozenset[str], int] = {}

        def counter(selector: Selector | None) -> int | None:
            if selector is None:
                return None
            staying = [name for name in self.staying if selector.holds(self.profiles[name])]
            return counters.setdefault(frozenset((*self.fitting(selector), *staying)), len(counters))

        goals = []
        if cards:
            goals.append(Goal(counters.setdefault(frozenset(cards), len(counters)), len(set(cards)), None))
        goals += [
            Goal(counter(wish.selector) or 0, wish.least, wish.most, counter(wish.given)) for wish in wants
        ]
        return Goals(tuple(counters), tuple(goals))


def arranged_again(
    game: Game, request: Request, opening: Effects, seed: str, in_use: Sequence[str], stays: Sequence[str]
) -> tuple[Mapping[str, Sequence[str]], Sequence[str]]:
    """The same for a second deal: what comes up first, and the wishes that cannot be met any more.

    Cards that were asked for by name have been on the first table, and are not asked for again. Whatever else
    is wished for holds for the new Kingdom with the landscapes that stay. If too little is left for a wish
    besides those before it, the game goes on without it.

    Args:
        in_use: names of the cards that were in use on the first table.
        stays: names of what stays of it.
    """
    first = turning_up(game.opening)
    kinds = first.landscapes.kind if first else ()
    staying = [name for name in stays if name in game.cards and game.cards[name].kind in kinds]
    wishes = request.wishes._replace(with_=(), want=(), of=0)

    def with_wants(wants: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
        again = request._replace(wishes=wishes._replace(want=wants))
        return arranged(game, again, opening, seed, (*in_use, *stays), staying)

    kept: tuple[str, ...] = ()
    unmet = []
    for want in request.wishes.want:
        try:
            with_wants((*kept, want))
            kept = (*kept, want)
        except BadOptions:
            unmet.append(want)
    return with_wants(kept), unmet


def _turned_up(turning: Turning, seed: str) -> Order | None:
    """What is turned up: counted where that is soon done, else tried, else counted, else tried for long.

    How soon it is done is told by numbers that are kept, not by a clock, so that a seed deals the same table
    on every machine. Nothing if no deal can meet the wishes, or none has.
    """
    if not turning.goals.goals:
        return turning.tried(Dice(seed, "turning up").below)
    tried = 0
    for work, tries in ((SOON, TRIES), (MOST_WORK, MANY_TRIES)):
        possible = turning.possible(work)
        if possible is not None:
            return turning.drawn(Dice(seed, "turning up").below) if possible else None
        for tried in range(tried, tries):
            if order := turning.tried(Dice(seed, f"turning up {tried}").below):
                return order
    return None


# ── What cannot be, and why ──


def _require_cards(game: Game, request: Request, deck: Deck, names: Sequence[str]) -> None:
    """Refuse what can never be turned up.

    Raises:
        BadOptions: a card that is asked for is not one of those that may be turned up.
    """
    there = {card.name for card in (*deck.kingdom, *deck.landscapes)}
    whole = profiles(game, game.pool(request.chosen))
    for name in names:
        if name in there:
            continue
        card = game.cards[name]
        if name in whole:
            bans = [ban.text for ban in asked_in(game, request.wishes).bans if ban.holds(whole[name])]
            if bans:
                raise BadOptions(f"--without {bans[0]} contradicts --with {name}.")
            if any(query_kind == card.kind for query_kind in deck.turn_up.landscapes.kind):
                raise BadOptions(f"--with {name}: no landscapes are turned up.")
        elif {*card.boxes}.isdisjoint(request.chosen):
            boxes = all_of([game.boxes[slug].name for slug in card.boxes])
            raise BadOptions(f"--with {name}: it is not in the boxes that are dealt from, but in {boxes}.")
        by = [other for other, profile in whole.items() if other in there and name in profile.values["card"]]
        chosen = game.kinds[card.kind].is_ == "landscape"
        how = (
            f", but comes with {all_of(by)}"
            if by
            else ", but chosen when a card asks for it"
            if chosen
            else ""
        )
        raise BadOptions(f"--with {name}: it is not turned up{how}.")


def refuse_impossible(sought: Sought, asked: Asked) -> None:
    """Refuse wishes that no deal can meet; quietly go on where that cannot be told in time.

    Raises:
        BadOptions: some of them cannot be met, or not together.
    """
    every: list[str | Wish] = [*asked.cards, *asked.wants]

    def possible(items: Sequence[str | Wish]) -> bool:
        cards = [item for item in items if isinstance(item, str)]
        wants = [item for item in items if isinstance(item, Wish)]
        return sought.turning(cards, wants).possible(MOST_WORK) is not False

    for wish in asked.wants:
        if not possible([wish]):
            raise BadOptions(_alone(wish, sought))
    if not possible(asked.cards):
        raise BadOptions(_together(asked.cards, sought))
    if possible(every):
        return
    needed = every
    for item in every[:20]:
        fewer = [other for other in needed if other is not item]
        if not possible(fewer):
            needed = fewer
    texts = [f"--with {item}" if isinstance(item, str) else item.text for item in needed]
    if len(texts) == 2:
        raise BadOptions(f"{texts[1]} contradicts {texts[0]}.")
    raise BadOptions(f"these cannot all be met: {'; '.join(texts)}.")


def _alone(wish: Wish, sought: Sought) -> str:
    """Why a wish cannot be met by itself, with the numbers."""
    selector, least, _, _ = wish
    fitting, deck = sought.fitting(selector), sought.deck
    if len(fitting) < least:
        elsewhere = [name for name, profile in sought.profiles.items() if selector.holds(profile)]
        if not fitting and elsewhere:
            return f"{wish.text}: what fits {selector.text} is not turned up, but comes when other cards ask for it."
        cards = "card fits" if len(fitting) == 1 else "cards fit"
        few = f"only {len(fitting)} {cards}" if fitting else "no card fits"
        return f"{few} {selector.text} in the boxes that are dealt from: {least} wanted."
    others = sum(card.name not in fitting for card in deck.kingdom)
    used = f"{deck.turn_up.count_} Kingdom cards and at most {deck.most} landscapes are turned up"
    if others < deck.turn_up.count_ and least <= deck.turn_up.count_ + deck.most:
        return f"{wish.text} cannot be met: {used}, and only {others} of the Kingdom cards do not fit."
    return f"{wish.text} cannot be met: {used}."


def _together(names: Sequence[str], sought: Sought) -> str:
    """Why cards that are asked for cannot come together."""
    deck = sought.deck
    kingdom = [card.name for card in deck.kingdom if card.name in names]
    others = [name for name in names if name not in kingdom]
    if len(kingdom) > deck.turn_up.count_:
        return f"{len(kingdom)} Kingdom cards are asked for: {deck.turn_up.count_} are turned up."
    if len(others) > deck.most:
        return f"{all_of(others)} are asked for: at most {deck.most} landscapes are used."
    limits = {str(kind): amount.chosen(deck.settings) or 0 for kind, amount in deck.turn_up.limits}
    alike = [card for card in deck.landscapes if card.name in others and card.kind in limits]
    return f"{all_of([card.name for card in alike])} cannot be used together."
