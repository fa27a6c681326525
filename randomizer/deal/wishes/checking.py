"""Checks whether wishes can be met, and messages that explain why not."""

from collections import Counter
from collections.abc import Mapping, Sequence

from randomizer.cards.condition import Selector, Wish
from randomizer.cards.effect import Settings
from randomizer.cards.game import Game, Request, Wishes
from randomizer.cards.model import Amount
from randomizer.cards.selector import LANDSCAPE, build_profile
from randomizer.deal.growing import TurnUp
from randomizer.deal.wishes.bans import build_pool, build_profiles
from randomizer.deal.wishes.bounds import get_upper_bounds
from randomizer.deal.wishes.counting import MAX_WORK
from randomizer.deal.wishes.matching import WishMatcher, collect_randomizers
from randomizer.deal.wishes.sampling import ConditionalSampler
from randomizer.text.errors import BadOptions
from randomizer.text.language import JoinedList, Message, Slug, Verbatim, join_with_and, message
from randomizer.text.slugs import slugify, to_flag

MAX_DROPPED_WISHES = 20  # wishes that are left out, one after another, to find those that conflict


def build_matcher(
    game: Game,
    request: Request,
    rules: TurnUp | None,
    used: Sequence[str] = (),
    staying: Sequence[str] = (),
    chosen: Mapping[str, Sequence[str]] = {},
) -> WishMatcher:
    """Return a matcher for the cards that a request may turn up.

    Args:
        game: the game to deal.
        request: the options of the deal.
        rules: the rules by which the game turns cards up; None if it turns none up.
        used: the names of cards that are already in use.
        staying: the names of cards on the table that count for wishes, too.
        chosen: the names of the cards that have been chosen already, by slot. They count for upper bounds
            only.

    Raises:
        BadOptions: the game has no Kingdom to turn up, or a required card can never be turned up.
    """
    if rules is None:
        raise BadOptions("{game} has no Kingdom, so it can't take wishes.", game=game.title)
    randomizers = collect_randomizers(build_pool(game, request), rules, request.settings, used)
    pool = game.get_pool(request.chosen)
    profiles = build_profiles(game, pool)
    unprofiled_names = [name for name in staying if name in game.cards and name not in profiles]
    if unprofiled_names:  # cards on the table from boxes that were not chosen
        profiles = {
            **profiles,
            **{name: build_profile(game.cards[name], game, pool) for name in unprofiled_names},
        }
    matcher = WishMatcher(randomizers, profiles, staying, get_upper_bounds(game, request, used), chosen)
    if randomizers.has_enough_cards:
        for name in request.wishes.cards:
            if name not in matcher.names and name not in matcher.staying:
                raise BadOptions(_explain_never_turned_up(game, request, matcher, name))
    return matcher


def raise_if_impossible(matcher: WishMatcher, wishes: Wishes) -> None:
    """Raise an error if no deal can meet the wishes. If finding out would take too long, do nothing.

    Args:
        matcher: the matcher for the cards that may be turned up.
        wishes: the wishes.

    Raises:
        BadOptions: a wish cannot be met, or wishes conflict.
    """
    all_wishes: list[str | Wish] = [*wishes.cards, *wishes.wants]

    def is_possible(items: Sequence[str | Wish], matcher: WishMatcher = matcher) -> bool:
        cards = [item for item in items if isinstance(item, str)]
        wants = [item for item in items if isinstance(item, Wish)]
        sampler = ConditionalSampler(matcher.build_model(cards, wants))
        return sampler.is_possible(MAX_WORK) is not False

    for wish in wishes.wants:
        if not is_possible([wish]):
            raise BadOptions(_explain_impossible_wish(wish, matcher, wishes.bans))
    if not is_possible(wishes.cards):
        raise BadOptions(_explain_impossible_cards(wishes.cards, matcher))
    if is_possible(all_wishes):
        return
    conflicting_wishes = all_wishes
    for item in all_wishes[:MAX_DROPPED_WISHES]:
        fewer = [other for other in conflicting_wishes if other is not item]
        if not is_possible(fewer):
            conflicting_wishes = fewer
    texts = [
        message("--with {card}", card=item) if isinstance(item, str) else Verbatim(item.text)
        for item in conflicting_wishes
    ]
    limit = matcher.randomizers.rules.most
    if limit.option and is_possible(conflicting_wishes, matcher.with_more_landscapes()):
        wants = JoinedList(tuple(texts), separator="; ")
        other = _format_limit(limit, matcher.randomizers.settings)
        raise BadOptions("these wishes together conflict with {other}: {wishes}.", wishes=wants, other=other)
    if len(texts) == 2:
        raise BadOptions("{wish} conflicts with {other}.", wish=texts[1], other=texts[0])
    raise BadOptions(
        "these wishes can't all be met: {wishes}.", wishes=JoinedList(tuple(texts), separator="; ")
    )


def _explain_never_turned_up(game: Game, request: Request, matcher: WishMatcher, name: str) -> Message:
    """Explain why a required card can never be turned up."""
    card, profile = game.cards[name], matcher.profiles.get(name)
    rules = matcher.randomizers.rules
    if profile is None and {*card.boxes}.isdisjoint(request.chosen):
        boxes = join_with_and(Slug(slug, game.boxes[slug].name) for slug in card.boxes)
        template = "--with {card}: it is not in the chosen boxes, but in {boxes}."
        if card.kind in (*rules.is_.kind, *rules.landscapes.kind) and not card.member_of:
            template = (
                "--with {card}: it is not in the chosen boxes, but in {boxes}; to use it anyway, type "
                "--kingdom {name}."
            )
        return message(template, card=name, boxes=boxes, name=Verbatim(slugify(name)))
    for ban in request.wishes.bans:
        if profile and ban.matches(profile):
            return message("--with {card} conflicts with --without {ban}.", ban=Verbatim(ban.text), card=name)
    if card.kind in rules.landscapes.kind:
        if matcher.randomizers.excludes_landscapes:
            limit = _format_limit(rules.most, matcher.randomizers.settings)
            return message("--with {card} conflicts with {limit}.", card=name, limit=limit)
        return message("--with {card}: landscapes can't be dealt here.", card=name)
    if by := [other for other in matcher.names if name in matcher.profiles[other].values["card"]]:
        return message(
            "--with {card}: it is not dealt by itself, but comes with {by}.", card=name, by=join_with_and(by)
        )
    if game.kinds[card.kind].is_ == "landscape":
        return message(
            "--with {card}: it is not dealt by itself, but chosen when another card needs it.", card=name
        )
    return message("{card}: --with takes only Kingdom cards and landscapes.", card=name)


def _explain_impossible_wish(wish: Wish, matcher: WishMatcher, bans: Sequence[Selector]) -> Message:
    """Explain, with numbers, why a wish cannot be met, even if there were no other wishes."""
    selector, min_count = wish.selector, wish.min_count
    matching, randomizers, text = matcher.list_matching(selector), matcher.randomizers, Verbatim(wish.text)
    rules, settings = randomizers.rules, randomizers.settings
    landscapes = [
        profile
        for profile in matcher.profiles.values()
        if LANDSCAPE in profile.values["kind"] and selector.matches(profile)
    ]
    found_count = len(matching) + sum(selector.matches(matcher.profiles[name]) for name in matcher.staying)
    turned_up = {*rules.landscapes.kind}
    has_no_landscapes = not randomizers.max_landscapes and any(
        not turned_up.isdisjoint(profile.values["kind"]) for profile in landscapes
    )
    if found_count < min_count and has_no_landscapes and randomizers.excludes_landscapes:
        return _explain_limit(text, rules.most, settings)
    count_by_ban = _find_excluding_bans(wish, matcher, bans)
    if found_count < min_count <= found_count + sum(count_by_ban.values()):
        flags = join_with_and(Verbatim(f"--without {ban}") for ban in count_by_ban)
        return message("{wish} conflicts with {other}.", wish=text, other=flags)
    if found_count < min_count and not has_no_landscapes:
        if not found_count and landscapes:
            template = (
                "{wish}: cards matching {sort} are not dealt by themselves, but come when other cards need "
                "them."
            )
            return message(template, wish=text, sort=Verbatim(selector.text))
        return _explain_too_few(found_count, min_count, selector)
    limits = {str(kind): amount for kind, amount in rules.limits}
    cards = (*randomizers.kingdom, *randomizers.landscapes)
    kinds = {card.kind for card in cards if card.name in matching}
    limit = limits.get(kinds.pop()) if len(kinds) == 1 else None
    if limit and limit.option and (limit.resolve(settings) or 0) < min_count:
        return _explain_limit(text, limit, settings)
    other_count = sum(card.name not in matching for card in randomizers.kingdom)
    kingdom_count, max_landscapes = randomizers.kingdom_count, randomizers.max_landscapes
    used_message = message(
        "{count} Kingdom cards and at most {most} landscapes are dealt",
        count=kingdom_count,
        most=max_landscapes,
    )
    if other_count < kingdom_count and min_count <= kingdom_count + max_landscapes:
        template = "{wish} can't be met: {used}, and only {others} of the Kingdom cards don't match."
        return message(template, wish=text, used=used_message, others=other_count)
    return message("{wish} can't be met: {used}.", wish=text, used=used_message)


def _find_excluding_bans(wish: Wish, matcher: WishMatcher, bans: Sequence[Selector]) -> Mapping[str, int]:
    """Map each ban that excludes matching cards of a wish to the number of cards that it excludes.

    If several bans exclude a card, only the first of them counts. The keys are bans as strings.
    """
    rules = matcher.randomizers.rules
    kinds = {*rules.is_.kind, *(rules.landscapes.kind if matcher.randomizers.max_landscapes else ())}
    count_by_ban: Counter[str] = Counter()
    for name, profile in matcher.profiles.items():
        is_dealt = not kinds.isdisjoint(profile.values["kind"]) and name not in matcher.names
        if is_dealt and wish.selector.matches(profile):
            count_by_ban.update([ban.text for ban in bans if ban.matches(profile)][:1])
    return count_by_ban


def _explain_limit(wish: Verbatim, limit: Amount, settings: Settings) -> Message:
    """Explain that a wish conflicts with a limit that the user has set."""
    return message("{wish} conflicts with {other}.", wish=wish, other=_format_limit(limit, settings))


def _explain_too_few(found_count: int, min_count: int, selector: Selector) -> Message:
    """Explain that too few cards match the selector of a wish.

    Args:
        found: the number of matching cards.
        min_count: the minimum number of matching cards that the wish requires.
        selector: the selector.
    """
    text = Verbatim(selector.text)
    if not found_count:
        template = "no available card matches {sort} ({least} required); check --sets and --without."
        return message(template, sort=text, least=min_count)
    template = "only {count} card matches {sort}" if found_count == 1 else "only {count} cards match {sort}"
    only_message = message(template, count=found_count, sort=text)
    return message("{only} in the chosen boxes; {least} are required.", only=only_message, least=min_count)


def _explain_impossible_cards(names: Sequence[str], matcher: WishMatcher) -> Message:
    """Explain why the required cards with these names cannot be turned up together."""
    randomizers = matcher.randomizers
    rules, settings = randomizers.rules, randomizers.settings
    kingdom = [card for card in randomizers.kingdom if card.name in names]
    if len(kingdom) > randomizers.kingdom_count:
        template = "--with names {count} Kingdom cards, but only {most} are dealt."
        return message(template, count=len(kingdom), most=randomizers.kingdom_count)
    landscapes = sorted(
        (card for card in randomizers.landscapes if card.name in names),
        key=lambda card: names.index(card.name),
    )
    if len(landscapes) > randomizers.max_landscapes:
        template = "--with names {cards}, but at most {most} landscapes are used."
        cards = join_with_and(card.name for card in landscapes)
        return message(template, cards=cards, most=randomizers.max_landscapes)
    limits = {str(kind): amount for kind, amount in rules.limits}
    limited_cards = [card for card in landscapes if card.kind in limits]
    counts = Counter(card.kind for card in limited_cards)
    excess_cards = [
        card for card in limited_cards if counts[card.kind] > (limits[card.kind].resolve(settings) or 0)
    ]
    if excess_cards[1:]:
        return message(
            "{cards} can't be used together.", cards=join_with_and(card.name for card in excess_cards)
        )
    (card,) = excess_cards
    if limits[card.kind].option:
        limit = _format_limit(limits[card.kind], settings)
        return message("--with {card} conflicts with {limit}.", card=card.name, limit=limit)
    return message("{card}: --with takes only Kingdom cards and landscapes.", card=card.name)


def _format_limit(amount: Amount, settings: Settings) -> Verbatim:
    """Return the command-line option that sets a limit, with its value."""
    return Verbatim(f"{to_flag(amount.option)} {amount.resolve(settings)}")
