"""What wishes look for: the cards of a deal, without the banned ones, and those that count for a wish.

And why wishes cannot be met, with the wish and the numbers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from randomizer.cards.effect import Settings
from randomizer.cards.game import Game, Request, Wishes
from randomizer.cards.model import Amount, Card
from randomizer.cards.pool import Pool, kept_in
from randomizer.cards.selector import LANDSCAPE, Profile, Selector, profile_of
from randomizer.cards.wish import Asked, Weight, Wish, asked_in
from randomizer.deal.counting import MOST_WORK, Goal, Goals
from randomizer.deal.turning import HowTurnedUp, Turning
from randomizer.text.errors import BadOptions, all_of
from randomizer.text.slugs import flag


def pool_of(game: Game, request: Request) -> Pool:
    """The cards that a request deals from: those of the boxes, without the banned ones.

    Raises:
        BadSelector, UnknownName, BadOptions: a wish cannot be read.
    """
    whole = game.pool(request.chosen)
    bans = asked_in(game, request.wishes).bans if request.wishes.without else ()
    if not bans:
        return whole
    without = request.wishes.without
    banned = kept_in(whole.worked_out, ("banned", without), lambda: tuple(sorted(_banned(game, whole, bans))))
    return game.pool(request.chosen, banned)


def _banned(game: Game, pool: Pool, bans: Sequence[Selector]) -> Iterator[str]:
    """The names of the cards that selectors ban, with those of their piles."""
    for name, profile in profiles(game, pool).items():
        if any(ban.holds(profile) for ban in bans):
            yield name
            yield from (member for member, _ in game.cards[name].pile)


def banned_by(game: Game, wishes: Wishes, card: Card) -> str:
    """The ban, as one types it, of a card of any box or of its pile; nothing if it may come."""
    profile = profile_of(game.cards[card.member_of or card.name], game, game.pool(()))
    return next((ban.text for ban in asked_in(game, wishes).bans if ban.holds(profile)), "")


def unmet(game: Game, request: Request, names: Sequence[str], *, more: bool = False) -> list[str]:
    """The wishes that do not hold if just these cards are turned up and used, as one types them.

    Args:
        more: others are turned up besides, so that too few are not wrong yet.
    """
    asked, whole = asked_in(game, request.wishes), game.pool(request.chosen)
    there = [profile_of(game.cards[name], game, whole) for name in names]

    def count(selector: Selector) -> int:
        return sum(map(selector.holds, there))

    wrong = [f"--with {name}" for name in asked.cards if name not in names and not more]
    for wish in asked.wants:
        if wish.given is None or count(wish.given):
            number = count(wish.selector)
            if (number < wish.least and not more) or (wish.most is not None and number > wish.most):
                wrong.append(f"--want {wish.text}")
    return wrong


def profiles(game: Game, pool: Pool) -> Mapping[str, Profile]:
    """What selectors can ask of each card of a pool; members of mixed piles are asked with their pile."""
    return kept_in(
        pool.worked_out,
        "profiles",
        lambda: {card.name: profile_of(card, game, pool) for card in pool.every() if not card.member_of},
    )


class Randomizers(NamedTuple):
    """The cards that may be turned up, and how."""

    kingdom: tuple[Card, ...]
    landscapes: tuple[Card, ...]
    turn_up: HowTurnedUp
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

    @property
    def none_wanted(self) -> bool:
        """Whether whoever deals asked for no landscapes."""
        return self.settings.get(self.turn_up.most.option) == 0


def deck_of(pool: Pool, turn_up: HowTurnedUp, settings: Settings, used: Iterable[str] = ()) -> Randomizers:
    """The cards of a pool that may be turned up, without those in use."""
    gone = set(used)

    def left(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(card for card in cards if card.name not in gone)

    landscapes = left(pool.answering(turn_up.landscapes)) if turn_up.most.chosen(settings) else ()
    return Randomizers(left(pool.answering(turn_up.is_)), landscapes, turn_up, settings)


def sought_in(
    game: Game,
    request: Request,
    turn_up: HowTurnedUp | None,
    used: Sequence[str] = (),
    staying: Sequence[str] = (),
) -> "Sought":
    """What the wishes of a request look for; the arguments are those of `arranged`.

    Raises:
        BadOptions: the game turns no Kingdom up, or a card is asked for that is not turned up.
    """
    if turn_up is None:
        raise BadOptions(f"{game.title} turns up no Kingdom, so nothing of it can be wished for.")
    deck = deck_of(pool_of(game, request), turn_up, request.settings, used)
    whole = game.pool(request.chosen)
    known = profiles(game, whole)
    foreign = [name for name in staying if name in game.cards and name not in known]
    if foreign:  # of boxes that nobody chose
        known = {**known, **{name: profile_of(game.cards[name], game, whole) for name in foreign}}
    sought = Sought(deck, known, staying)
    if deck.enough:
        for name in asked_in(game, request.wishes).cards:
            if name not in sought.names and name not in sought.staying:
                raise BadOptions(_why_never(game, request, sought, name))
    return sought


class Sought:
    """What wishes look for among the cards that may be turned up.

    Args:
        deck: these cards.
        profiles: what selectors can ask of them, by name, and of those that stay.
        staying: names of what is on the table before and counts too.
    """

    def __init__(
        self, deck: Randomizers, profiles: Mapping[str, Profile], staying: Sequence[str] = ()
    ) -> None:
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


def _why_never(game: Game, request: Request, sought: Sought, name: str) -> str:
    """Why a card that is asked for is never turned up."""
    card, profile = game.cards[name], sought.profiles.get(name)
    if profile is None and {*card.boxes}.isdisjoint(request.chosen):
        boxes = all_of([game.boxes[slug].name for slug in card.boxes])
        return f"--with {name}: it is not in the boxes that are dealt from, but in {boxes}."
    for ban in asked_in(game, request.wishes).bans:
        if profile and ban.holds(profile):
            return f"--without {ban.text} contradicts --with {name}."
    if card.kind in sought.deck.turn_up.landscapes.kind:
        if sought.deck.none_wanted:
            return f"--with {name} contradicts {_typed(sought.deck.turn_up.most, sought.deck.settings)}."
        return f"--with {name}: no landscapes are turned up."
    how = ""
    if by := [other for other in sought.names if name in sought.profiles[other].values["card"]]:
        how = f", but comes with {all_of(by)}"
    elif game.kinds[card.kind].is_ == "landscape":
        how = ", but chosen when a card asks for it"
    return f"--with {name}: it is not turned up{how}."


# ── What cannot be ──


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
        landscapes = [one for one in sought.profiles.values() if LANDSCAPE in one.values["kind"]]
        elsewhere = any(map(selector.holds, landscapes))
        turned_up = [
            one for one in landscapes if not {*deck.turn_up.landscapes.kind}.isdisjoint(one.values["kind"])
        ]
        if deck.none_wanted and any(map(selector.holds, turned_up)):
            return f"{wish.text} contradicts {_typed(deck.turn_up.most, deck.settings)}."
        if not fitting and elsewhere:
            how = "is not turned up, but comes when other cards ask for it"
            return f"{wish.text}: what fits {selector.text} {how}."
        cards = "card fits" if len(fitting) == 1 else "cards fit"
        few = f"only {len(fitting)} {cards}" if fitting else "no card fits"
        return f"{few} {selector.text} in the boxes that are dealt from: {least} wanted."
    limits = {str(kind): amount for kind, amount in deck.turn_up.limits}
    kinds = {card.kind for card in (*deck.kingdom, *deck.landscapes) if card.name in fitting}
    if len(kinds) == 1 and (limit := limits.get(kinds.pop())) and (limit.chosen(deck.settings) or 0) < least:
        return f"{wish.text} contradicts {_typed(limit, deck.settings)}."
    others = sum(card.name not in fitting for card in deck.kingdom)
    used = f"{deck.turn_up.count_} Kingdom cards and at most {deck.most} landscapes are turned up"
    if others < deck.turn_up.count_ and least <= deck.turn_up.count_ + deck.most:
        return f"{wish.text} cannot be met: {used}, and only {others} of the Kingdom cards do not fit."
    return f"{wish.text} cannot be met: {used}."


def _typed(amount: Amount, settings: Settings) -> str:
    """An amount that the game leaves open, as one types it."""
    return f"{flag(amount.option)} {amount.chosen(settings)}"


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
