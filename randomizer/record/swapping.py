"""Swaps: a card on a table is replaced, while everything that does not depend on it stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import NO_KINGDOM, Kingdom, Swap
from randomizer.cards.model import MAX_NUMBER, Card, KindName
from randomizer.deal.dealer import KeptTable, deal_kept_table
from randomizer.deal.decorating import list_markable_piles
from randomizer.deal.growing import TurnUp, find_turn_up
from randomizer.deal.table import Table
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import Message, Verbatim, message

if TYPE_CHECKING:
    from randomizer.deal.wishes.bounds import CountedCards, UpperBounds


def swap_cards(game: Game, request: Request, table: Table) -> Table:
    """Perform the swaps of a request, one after another, and return the resulting table.

    Raises:
        UnknownName: a card to swap is not on the table.
        BadOptions: a swap is impossible.
    """
    if request.is_veto_open:
        raise BadOptions("cards can be swapped only after the veto.")
    kept = KeptTable(NO_KINGDOM, removed=frozenset(request.vetoed or ()))
    for swap in request.swaps:
        table, kept = swap_card(game, request, table, swap, kept)
    return table


def swap_card(
    game: Game, request: Request, table: Table, swap: Swap, previous: KeptTable | None = None
) -> tuple[Table, KeptTable]:
    """Swap a card on a table for another card.

    Everything that depends on the old card is dealt again, and everything else stays. Cards that were chosen
    for a card that leaves the table, such as the Boons for Druid, become available again.

    Args:
        game: the game.
        request: the request for which the table was dealt. The swap must not violate its wishes.
        table: the table before the swap.
        swap: the swap.
        previous: the kept parts that the previous swap returned; None for the first swap.

    Returns:
        The new table, and the parts that were kept when it was dealt.

    Raises:
        UnknownName: the old card is not on the table.
        BadOptions: the new card cannot replace the old one.
    """
    kept = _plan_swap(game, request, table, swap, previous)
    while True:
        table = deal_kept_table(game, request, kept)
        needed = _drop_unneeded(kept.kingdom, table)
        if needed == kept.kingdom:
            return table, kept
        kept = kept._replace(kingdom=needed)


def _drop_unneeded(kingdom: Kingdom, table: Table) -> Kingdom:
    """Return a kingdom without the choices and marks that no card on a table requires any more."""
    return kingdom._replace(
        chosen={question: names for question, names in kingdom.chosen.items() if question in table.slots},
        on={
            name: pile for name, pile in kingdom.on.items() if name in table.in_use() and pile in table.piles
        },
    )


def _plan_swap(
    game: Game, request: Request, table: Table, swap: Swap, previous: KeptTable | None
) -> KeptTable:
    """Return the parts of a table that a swap keeps, including the new card."""
    kingdom = _read_kingdom(table)
    removed = previous.removed if previous else frozenset()
    old_name = _find_old_card(swap.goes, kingdom, game, table)
    is_move = old_name in kingdom.on and (swap.comes == old_name or swap.comes in table.piles)
    if is_move:
        new_name = _draw_other_pile(table, game, old_name) if swap.comes == old_name else swap.comes
        kingdom = kingdom._replace(on={**kingdom.on, old_name: new_name})
        note = Message("{card} was moved to {on}.", (("card", old_name), ("on", new_name)))
    else:
        requested_card = game.cards[swap.comes] if swap.comes else None
        new_name = (
            _resolve_new_card(requested_card, old_name, kingdom, game, request, table)
            if requested_card
            else _draw_new_card(old_name, kingdom, game, request, table)
        )
        for related_name in _list_related(game.cards[new_name], game) - {old_name}:
            kingdom = kingdom.replace_card(related_name)
        kingdom = kingdom.replace_card(old_name, new_name)
        removed |= {old_name}
        note = Message("{card} was swapped for {on}.", (("card", old_name), ("on", new_name)))
    return KeptTable(
        kingdom,
        {decision.question: decision for decision in table.decisions},
        tuple(turned for turned in table.turned if turned.use == "skipped" and turned.card.name != new_name),
        removed - {new_name},
        (*(previous.messages if previous else ()), note),
    )


def _read_kingdom(table: Table) -> Kingdom:
    """Return all cards on the table that were drawn at random or specified by the user."""
    return Kingdom(
        tuple(turned.card.name for turned in table.turned if turned.use == "kingdom"),
        tuple(turned.card.name for turned in table.turned if turned.use == "landscape"),
        {question: tuple(card.name for card in cards) for question, cards in table.drawn.items() if cards},
        dict(table.marked_piles),
    )


def _find_old_card(name: str, kingdom: Kingdom, game: Game, table: Table) -> str:
    """Return the name of the card to swap, or of the mixed pile to which it belongs.

    Raises:
        BadOptions: the card is on the table, but was not dealt at random.
        UnknownName: neither the card nor its pile is on the table.
    """
    names = list(dict.fromkeys((*kingdom.names(), *kingdom.on)))
    for candidate in (name, game.cards[name].member_of):
        if candidate in names:
            return candidate
    if name in table.in_use() or name in table.piles or name in table.components:
        raise BadOptions("{card} is on the table, but only randomly dealt cards can be swapped.", card=name)
    otherwise = message("only randomly dealt cards can be swapped")
    raise UnknownName("card to swap", name, find_suggestions(name, names), otherwise)


def _resolve_new_card(
    card: Card, old_name: str, kingdom: Kingdom, game: Game, request: Request, table: Table
) -> str:
    """Return the name of the card that replaces the old one: the requested card, or its mixed pile.

    A member of a mixed pile stands for its pile if the old card is a pile.

    Raises:
        BadOptions: the new card cannot take the place of the old one, is already on the table, or would
            violate a wish.
    """
    turn_up, (choice, _) = _get_turn_up(game), _find_choice(old_name, kingdom, game, table)
    pile = game.cards[card.member_of] if card.member_of else card
    if old_name in kingdom.landscapes or (choice and choice.to == "landscapes"):
        new_card, is_suitable = card, (choice.query if choice else turn_up.landscapes).matches(card)
    elif choice and choice.to not in ("kingdom", "beside"):
        new_card, is_suitable = card, turn_up.is_.matches(pile) and not card.pile
    else:
        new_card, is_suitable = pile, turn_up.is_.matches(pile)
    if not is_suitable:
        raise BadOptions("{card} can't replace {goes}.", card=card.name, goes=old_name)
    turned_up = {*kingdom.cards, *kingdom.landscapes} - {old_name}
    if new_card.name == old_name or not turned_up.isdisjoint(_list_related(new_card, game)):
        raise BadOptions("{card} is already on the table.", card=new_card.name)
    if broken_wish := _find_broken_wish(new_card, old_name, kingdom, game, request, table):
        template = "if {card} replaces {goes}, {wish} is no longer met."
        raise BadOptions(template, card=new_card.name, goes=old_name, wish=Verbatim(broken_wish))
    return new_card.name


def _list_related(card: Card, game: Game) -> set[str]:
    """Return the names of a card, its mixed pile, and the members of that pile.

    Only one of them can be among the cards that are turned up or chosen.
    """
    pile = game.cards[card.member_of] if card.member_of else card
    return {card.name, pile.name, *dict(pile.pile)}


def _find_broken_wish(
    card: Card, old_name: str, kingdom: Kingdom, game: Game, request: Request, table: Table
) -> str:
    """Return the first wish that a swap would violate, as a command-line option; empty if there is none."""
    if not request.wishes:
        return ""
    from randomizer.deal.wishes.bans import find_ban
    from randomizer.deal.wishes.bounds import get_upper_bounds
    from randomizer.deal.wishes.matching import list_unmet_wishes

    if ban := find_ban(game, request.wishes, card):
        return f"--without {ban}"
    new_kingdom = kingdom.replace_card(old_name, card.name)
    unmet_before = list_unmet_wishes(game, request, [*kingdom.cards, *kingdom.landscapes])
    unmet = list_unmet_wishes(game, request, [*new_kingdom.cards, *new_kingdom.landscapes])
    if bounds := get_upper_bounds(game, request):
        exceeded_before, exceeded = (
            bounds.find_exceeded(_collect_counted_cards(each, bounds, table))
            for each in (kingdom, new_kingdom)
        )
        if exceeded and exceeded != exceeded_before:
            unmet.append(f"--want {exceeded.text}")
    return next((wish for wish in unmet if wish not in unmet_before), "")


def _collect_counted_cards(kingdom: Kingdom, bounds: UpperBounds, table: Table) -> CountedCards:
    """Return the cards that count for upper bounds, without those that no card requires any more."""
    from randomizer.deal.wishes.bounds import CountedCards  # Swaps without wishes start faster.

    turned_up = [*kingdom.cards, *kingdom.landscapes]
    needed: dict[str, Sequence[str]] = {}  # the chosen cards by question, including those in decks
    names = turned_up
    while names:
        slots = {slot for name in names for slot in bounds.list_slots(name)}
        found = {
            question: chosen
            for question, chosen in kingdom.chosen.items()
            if question.partition(",")[0] in slots and question not in needed
        }
        needed |= found
        names = [name for chosen in found.values() for name in chosen]
    cards = CountedCards(turned_up, made=frozenset(needed))
    for question, chosen in needed.items():
        slot = question.partition(",")[0]
        if slot not in table.decks:
            cards = cards._replace(chosen=(*cards.chosen, *chosen))
        elif slot in bounds.deck_slots:
            cards = cards._replace(decks=(*cards.decks, *chosen))
    return cards


def _draw_new_card(old_name: str, kingdom: Kingdom, game: Game, request: Request, table: Table) -> str:
    """Draw a replacement for the old card at random, and return its name.

    All unused cards that can take the place of the old card without violating a wish are equally likely.

    Raises:
        BadOptions: no unused card can do so.
    """
    turn_up, (choice, cause) = _get_turn_up(game), _find_choice(old_name, kingdom, game, table)
    question, unused = f"instead of {old_name}", table.unused
    broken_wish = ""

    def accept(alternatives: Sequence[Card]) -> bool:
        nonlocal broken_wish
        for card in alternatives:
            broken_wish = _find_broken_wish(card, old_name, kingdom, game, request, table)
            if broken_wish:
                return False
        return True

    if choice:
        draw = unused.draw_single_cards if choice.to in ("aside", "deck") else unused.draw
        pool = table.find_pool(choice.query, cause, include_banned=False)
        cards = draw(question, choice.query, 1, pool, accept=accept)
        if cards:
            return cards[0].name
    elif old_name in kingdom.cards:
        cards = list(unused.shuffle_matching(question, turn_up.is_))
    else:
        kinds = [table.cards[name].kind for name in kingdom.landscapes if name != old_name]
        max_counts = {kind: amount.resolve(table.settings) or 0 for kind, amount in turn_up.limits}
        deck = unused.shuffle_matching(question, turn_up.landscapes)
        # A landscape that does not count towards the limit on all landscapes is replaced by another one.
        is_extra = table.cards[old_name].kind in turn_up.extra
        cards = [
            card
            for card in deck
            if kinds.count(card.kind) < max_counts.get(KindName(card.kind), MAX_NUMBER)
            and (card.kind in turn_up.extra) == is_extra
        ]
    for card in cards:
        if accept((card,)):
            return card.name
    if not broken_wish:
        raise BadOptions("the chosen boxes have nothing else to replace {goes}.", goes=old_name)
    if broken_wish == f"--with {old_name}":
        raise BadOptions(
            "{wish} conflicts with {other}.", wish=Verbatim(f"--swap {old_name}"), other=Verbatim(broken_wish)
        )
    template = "the chosen boxes have no replacement for {goes} that meets {wish}."
    raise BadOptions(template, goes=old_name, wish=Verbatim(broken_wish))


def _find_choice(name: str, kingdom: Kingdom, game: Game, table: Table) -> tuple[Choice | None, str]:
    """Return the choice for which a card was chosen, and the name of the card that requires the choice.

    If the card was turned up instead, the result is None and an empty string.

    Raises:
        BadOptions: the card comes from a deck, or was neither chosen nor turned up.
    """
    if name in (*kingdom.cards, *kingdom.landscapes):
        return None, ""
    choices = ((effect.choice(card), card) for card in table.in_use() for effect in game.setup.get(card, ()))
    for choice, cause in choices:
        if choice and name in kingdom.chosen.get(choice.question, ()):
            if choice.face_up:
                raise BadOptions("{card} comes from a deck and can't be swapped.", card=name)
            return choice, cause
    raise BadOptions("{card} can't be swapped.", card=name)


def _draw_other_pile(table: Table, game: Game, marking_card: str) -> str:
    """Draw another pile for a card that marks a pile, and return the name of the pile.

    All other piles that the card may mark are equally likely.

    Raises:
        BadOptions: there is no other pile that the card may mark.
    """
    current_pile = table.marked_piles[marking_card]
    piles = list_markable_piles(game.setup[marking_card], table, table.cards[marking_card])
    others = [card for card in piles if card.name != current_pile]
    if not others:
        raise BadOptions("no other pile on this table can take {card}.", card=marking_card)
    return next(table.unused.shuffle(f"instead of {current_pile}", others)).name


def _get_turn_up(game: Game) -> TurnUp:
    """Return the effect that turns up the Kingdom.

    Raises:
        BadOptions: the game has no such effect.
    """
    turn_up = find_turn_up(game.opening)
    if turn_up is None:
        raise BadOptions("{game} has nothing that can be swapped.", game=game.title)
    return turn_up
