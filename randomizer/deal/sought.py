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
from randomizer.cards.pool import Pool, get_or_compute
from randomizer.cards.selector import LANDSCAPE, Profile, Selector, build_profile
from randomizer.cards.wish import ParsedWishes, Weight, Wish, parse_wishes
from randomizer.deal.counting import MAX_WORK, Goal, Goals
from randomizer.deal.turning import Turning, TurnUpRules
from randomizer.text.errors import BadOptions
from randomizer.text.language import JoinedList, Message, Slug, Verbatim, join_with_and, message
from randomizer.text.slugs import slugify, to_flag


def build_pool(game: Game, request: Request) -> Pool:
    """The cards that a request deals from: those of the boxes, without the banned ones.

    Raises:
        BadSelector, UnknownName, BadOptions: a wish cannot be read.
    """
    whole = game.get_pool(request.chosen)
    bans = parse_wishes(game, request.wishes).bans if request.wishes.without else ()
    if not bans:
        return whole
    without = request.wishes.without
    banned = get_or_compute(
        whole.cache, ("banned", without), lambda: tuple(sorted(_banned(game, whole, bans)))
    )
    return game.get_pool(request.chosen, banned)


def _banned(game: Game, pool: Pool, bans: Sequence[Selector]) -> Iterator[str]:
    """The names of the cards that selectors ban, with those of their piles."""
    for name, profile in build_profiles(game, pool).items():
        if any(ban.matches(profile) for ban in bans):
            yield name
            yield from (member for member, _ in game.cards[name].pile)


def find_ban(game: Game, wishes: Wishes, card: Card) -> str:
    """The ban, as one types it, of a card of any box or of its pile; nothing if it may come."""
    profile = build_profile(game.cards[card.member_of or card.name], game, game.get_pool(()))
    return next((ban.text for ban in parse_wishes(game, wishes).bans if ban.matches(profile)), "")


def list_unmet_wishes(game: Game, request: Request, names: Sequence[str], *, more: bool = False) -> list[str]:
    """The wishes that do not hold if just these cards are turned up and used, as one types them.

    Args:
        more: others are turned up besides, so that too few are not wrong yet.
    """
    asked, whole = parse_wishes(game, request.wishes), game.get_pool(request.chosen)
    there = [build_profile(game.cards[name], game, whole) for name in names]

    def count(selector: Selector) -> int:
        return sum(map(selector.matches, there))

    wrong = [f"--with {name}" for name in asked.cards if name not in names and not more]
    for wish in asked.wants:
        if wish.condition is None or count(wish.condition):
            number = count(wish.selector)
            if (number < wish.min_count and not more) or (
                wish.max_count is not None and number > wish.max_count
            ):
                wrong.append(f"--want {wish.text}")
    return wrong


def build_profiles(game: Game, pool: Pool) -> Mapping[str, Profile]:
    """What selectors can ask of each card of a pool; members of mixed piles are asked with their pile."""
    return get_or_compute(
        pool.cache,
        "profiles",
        lambda: {
            card.name: build_profile(card, game, pool) for card in pool.list_cards() if not card.member_of
        },
    )


class Randomizers(NamedTuple):
    """The cards that may be turned up, and how."""

    kingdom: tuple[Card, ...]
    landscapes: tuple[Card, ...]
    turn_up: TurnUpRules
    settings: Settings

    @property
    def has_enough_cards(self) -> bool:
        """Whether there are enough cards for a deal."""
        turn_up, settings = self.turn_up, self.settings
        if settings.get("landscapes_from") == "deck":
            limits = {str(kind): amount.resolve(settings) or 0 for kind, amount in turn_up.limits}
            numbers = Counter(card.kind for card in self.landscapes)
            fitting = sum(min(number, limits.get(kind, number)) for kind, number in numbers.items())
            if fitting < (turn_up.most.resolve(settings) or 0):
                return False
        return len(self.kingdom) >= turn_up.count_

    @property
    def max_landscapes(self) -> int:
        """How many landscapes are used at most."""
        return self.turn_up.most.resolve(self.settings) or 0 if self.landscapes else 0

    @property
    def excludes_landscapes(self) -> bool:
        """Whether whoever deals asked for no landscapes."""
        return self.settings.get(self.turn_up.most.option) == 0


def collect_randomizers(
    pool: Pool, turn_up: TurnUpRules, settings: Settings, used: Iterable[str] = ()
) -> Randomizers:
    """The cards of a pool that may be turned up, without those in use."""
    gone = set(used)

    def left(cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(card for card in cards if card.name not in gone)

    landscapes = left(pool.find_cards(turn_up.landscapes)) if turn_up.most.resolve(settings) else ()
    return Randomizers(left(pool.find_cards(turn_up.is_)), landscapes, turn_up, settings)


def build_matcher(
    game: Game,
    request: Request,
    turn_up: TurnUpRules | None,
    used: Sequence[str] = (),
    staying: Sequence[str] = (),
) -> "WishMatcher":
    """What the wishes of a request look for; the arguments are those of `arranged`.

    Raises:
        BadOptions: the game turns no Kingdom up, or a card is asked for that is not turned up.
    """
    if turn_up is None:
        raise BadOptions("{game} turns up no Kingdom, so nothing of it can be wished for.", game=game.title)
    deck = collect_randomizers(build_pool(game, request), turn_up, request.settings, used)
    whole = game.get_pool(request.chosen)
    known = build_profiles(game, whole)
    foreign = [name for name in staying if name in game.cards and name not in known]
    if foreign:  # of boxes that nobody chose
        known = {**known, **{name: build_profile(game.cards[name], game, whole) for name in foreign}}
    sought = WishMatcher(deck, known, staying)
    if deck.has_enough_cards:
        for name in parse_wishes(game, request.wishes).cards:
            if name not in sought.names and name not in sought.staying:
                raise BadOptions(_why_never(game, request, sought, name))
    return sought


class WishMatcher:
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

    def list_matching(self, selector: Selector) -> list[str]:
        """The names of the cards that a selector means."""
        return [name for name in self.names if selector.matches(self.profiles[name])]

    def turning(
        self,
        cards: Sequence[str],
        wants: Sequence[Wish],
        weights: Sequence[Weight] = (),
        *,
        mixed: bool = False,
    ) -> Turning:
        """How the cards are turned up, with these among them, and so that these wishes hold.

        Args:
            mixed: as `Turning` takes it.
        """
        goals = self.build_goals(cards, wants)
        readily: dict[str, Fraction] = {}
        for weight in weights:
            for name in self.list_matching(weight.selector):
                readily[name] = readily.get(name, Fraction(1)) * weight.factor
        begun = [sum(name in counter for name in self.staying) for counter in goals.counters]
        kingdom, landscapes, turn_up, settings = self.deck
        return Turning(kingdom, landscapes, turn_up, settings, readily, goals, begun, mixed=mixed)

    def build_goals(self, cards: Sequence[str], wants: Sequence[Wish]) -> Goals:
        """The wishes for these cards and of these sorts, as what there is to count."""
        counters: dict[frozenset[str], int] = {}

        def counter(selector: Selector | None) -> int | None:
            if selector is None:
                return None
            staying = [name for name in self.staying if selector.matches(self.profiles[name])]
            return counters.setdefault(frozenset((*self.list_matching(selector), *staying)), len(counters))

        goals = []
        if cards:
            goals.append(Goal(counters.setdefault(frozenset(cards), len(counters)), len(set(cards)), None))
        goals += [
            Goal(counter(wish.selector) or 0, wish.min_count, wish.max_count, counter(wish.condition))
            for wish in wants
        ]
        return Goals(tuple(counters), tuple(goals))


def _why_never(game: Game, request: Request, sought: WishMatcher, name: str) -> Message:
    """Why a card that is asked for is never turned up."""
    card, profile = game.cards[name], sought.profiles.get(name)
    if profile is None and {*card.boxes}.isdisjoint(request.chosen):
        boxes = join_with_and(Slug(slug, game.boxes[slug].name) for slug in card.boxes)
        said = "--with {card}: it is not in the boxes that are dealt from, but in {boxes}."
        turn_up = sought.deck.turn_up
        if card.kind in (*turn_up.is_.kind, *turn_up.landscapes.kind) and not card.member_of:
            said = (
                "--with {card}: it is not in the boxes that are dealt from, but in {boxes}; "
                "--kingdom {name} lays it out anyway."
            )
        return message(said, card=name, boxes=boxes, name=Verbatim(slugify(name)))
    for ban in parse_wishes(game, request.wishes).bans:
        if profile and ban.matches(profile):
            return message("--without {ban} contradicts --with {card}.", ban=Verbatim(ban.text), card=name)
    if card.kind in sought.deck.turn_up.landscapes.kind:
        if sought.deck.excludes_landscapes:
            limit = _typed(sought.deck.turn_up.most, sought.deck.settings)
            return message("--with {card} contradicts {limit}.", card=name, limit=limit)
        return message("--with {card}: no landscapes are turned up.", card=name)
    if by := [other for other in sought.names if name in sought.profiles[other].values["card"]]:
        return message(
            "--with {card}: it is not turned up, but comes with {by}.", card=name, by=join_with_and(by)
        )
    if game.kinds[card.kind].is_ == "landscape":
        return message("--with {card}: it is not turned up, but chosen when a card asks for it.", card=name)
    return message("--with {card}: it is not turned up.", card=name)


# ── What cannot be ──


def raise_if_impossible(sought: WishMatcher, asked: ParsedWishes) -> None:
    """Refuse wishes that no deal can meet; quietly go on where that cannot be told in time.

    Raises:
        BadOptions: some of them cannot be met, or not together.
    """
    every: list[str | Wish] = [*asked.cards, *asked.wants]

    def possible(items: Sequence[str | Wish]) -> bool:
        cards = [item for item in items if isinstance(item, str)]
        wants = [item for item in items if isinstance(item, Wish)]
        return sought.turning(cards, wants).is_possible(MAX_WORK) is not False

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
    texts = [
        message("--with {card}", card=item) if isinstance(item, str) else Verbatim(item.text)
        for item in needed
    ]
    if len(texts) == 2:
        raise BadOptions("{wish} contradicts {other}.", wish=texts[1], other=texts[0])
    raise BadOptions("these cannot all be met: {wishes}.", wishes=JoinedList(tuple(texts), between="; "))


def _alone(wish: Wish, sought: WishMatcher) -> Message:
    """Why a wish cannot be met by itself, with the numbers."""
    selector, least, _, _ = wish
    fitting, deck, said = sought.list_matching(selector), sought.deck, Verbatim(wish.text)
    meant = [
        one for one in sought.profiles.values() if LANDSCAPE in one.values["kind"] and selector.matches(one)
    ]
    found = len(fitting) + sum(selector.matches(sought.profiles[name]) for name in sought.staying)
    turned_up = {*deck.turn_up.landscapes.kind}
    no_room = not deck.max_landscapes and any(not turned_up.isdisjoint(one.values["kind"]) for one in meant)
    if found < least and no_room and deck.excludes_landscapes:
        return _contradicts(said, deck.turn_up.most, deck.settings)
    if found < least and not no_room:
        if not found and meant:
            but = "{wish}: what fits {sort} is not turned up, but comes when other cards ask for it."
            return message(but, wish=said, sort=Verbatim(selector.text))
        return _too_few(found, least, selector)
    limits = {str(kind): amount for kind, amount in deck.turn_up.limits}
    kinds = {card.kind for card in (*deck.kingdom, *deck.landscapes) if card.name in fitting}
    limit = limits.get(kinds.pop()) if len(kinds) == 1 else None
    if limit and limit.option and (limit.resolve(deck.settings) or 0) < least:
        return _contradicts(said, limit, deck.settings)
    others = sum(card.name not in fitting for card in deck.kingdom)
    kingdom, most = deck.turn_up.count_, deck.max_landscapes
    used = message(
        "{count} Kingdom cards and at most {most} landscapes are turned up", count=kingdom, most=most
    )
    if others < kingdom and least <= kingdom + most:
        only = "{wish} cannot be met: {used}, and only {others} of the Kingdom cards do not fit."
        return message(only, wish=said, used=used, others=others)
    return message("{wish} cannot be met: {used}.", wish=said, used=used)


def _contradicts(wish: Verbatim, limit: Amount, settings: Settings) -> Message:
    return message("{wish} contradicts {other}.", wish=wish, other=_typed(limit, settings))


def _too_few(found: int, least: int, selector: Selector) -> Message:
    """That fewer cards fit than are wished for."""
    sort, few = (
        Verbatim(selector.text),
        "no card fits {sort} in the boxes that are dealt from: {least} wanted.",
    )
    if not found:
        return message(few, sort=sort, least=least)
    fit = "only {count} card fits {sort}" if found == 1 else "only {count} cards fit {sort}"
    only = message(fit, count=found, sort=sort)
    return message("{only} in the boxes that are dealt from: {least} wanted.", only=only, least=least)


def _typed(amount: Amount, settings: Settings) -> Verbatim:
    """An amount that the game leaves open, as one types it."""
    return Verbatim(f"{to_flag(amount.option)} {amount.resolve(settings)}")


def _together(names: Sequence[str], sought: WishMatcher) -> Message:
    """Why cards that are asked for cannot come together."""
    deck = sought.deck
    kingdom = [card for card in deck.kingdom if card.name in names]
    if len(kingdom) > deck.turn_up.count_:
        said = "{count} Kingdom cards are asked for: {most} are turned up."
        return message(said, count=len(kingdom), most=deck.turn_up.count_)
    landscapes = sorted(
        (card for card in deck.landscapes if card.name in names), key=lambda card: names.index(card.name)
    )
    if len(landscapes) > deck.max_landscapes:
        said = "{cards} are asked for: at most {most} landscapes are used."
        return message(said, cards=join_with_and(card.name for card in landscapes), most=deck.max_landscapes)
    limits = {str(kind): amount for kind, amount in deck.turn_up.limits}
    limited = [card for card in landscapes if card.kind in limits]
    numbers = Counter(card.kind for card in limited)
    alike = [card for card in limited if numbers[card.kind] > (limits[card.kind].resolve(deck.settings) or 0)]
    if alike[1:]:
        return message("{cards} cannot be used together.", cards=join_with_and(card.name for card in alike))
    (card,) = alike
    if limits[card.kind].option:
        limit = _typed(limits[card.kind], deck.settings)
        return message("--with {card} contradicts {limit}.", card=card.name, limit=limit)
    return message("--with {card}: it is not turned up.", card=card.name)
