"""Swapping one thing on a table for another: what the next table lays out of the one before."""

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game, Request
from randomizer.cards.kingdom import Kingdom, Swap
from randomizer.cards.model import MAX_NUMBER, Card, KindName
from randomizer.deal.dealer import KeptTable
from randomizer.deal.decorating import list_markable_piles
from randomizer.deal.growing import TurnUp, find_turn_up
from randomizer.deal.table import Table
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import Message, Verbatim, message


def swapped(
    game: Game, request: Request, table: Table, swap: Swap, before: KeptTable | None = None
) -> KeptTable:
    """What the next table lays out, so that one thing of this one is swapped for another.

    Whatever does not depend on what goes stays; what does is dealt anew.

    Args:
        request: what the table was asked for; its wishes go on holding.
        table: as it was laid out last ...
        before: ... of what is left of the one before, if that was swapped too.

    Raises:
        UnknownName: what is to go is not on the table.
        BadOptions: what is to come cannot come there.
    """
    kingdom = _kingdom_on(table)
    gone = before.gone if before else frozenset()
    goes = _found(swap.goes, kingdom, game)
    moves = goes in kingdom.on and (swap.comes == goes or swap.comes in table.piles)
    if moves:
        comes = _other_pile(table, game, goes) if swap.comes == goes else swap.comes
        kingdom = kingdom._replace(on={**kingdom.on, goes: comes})
        told = Message("{card} has moved to {on}.", (("card", goes), ("on", comes)))
    else:
        by_name = game.cards[swap.comes] if swap.comes else None
        comes = (
            _fitting(by_name, goes, kingdom, game, request, table)
            if by_name
            else _drawn(goes, kingdom, game, request, table)
        )
        kingdom = kingdom.replace_card(comes).replace_card(goes, comes)
        gone |= {goes}
        told = Message("{card} has been swapped for {on}.", (("card", goes), ("on", comes)))
    return KeptTable(
        kingdom,
        {decision.question: decision for decision in table.decisions},
        tuple(turned for turned in table.turned if turned.use == "skipped" and turned.card.name != comes),
        gone - {comes},
        (*(before.messages if before else ()), told),
    )


def _kingdom_on(table: Table) -> Kingdom:
    """Everything on the table that chance, or whoever named it, brought there."""
    return Kingdom(
        tuple(turned.card.name for turned in table.turned if turned.use == "kingdom"),
        tuple(turned.card.name for turned in table.turned if turned.use == "landscape"),
        {question: tuple(card.name for card in cards) for question, cards in table.drawn.items() if cards},
        dict(table.marked),
    )


def _found(name: str, kingdom: Kingdom, game: Game) -> str:
    """The name of what is to go: the card, or the mixed pile that it belongs to.

    Raises:
        UnknownName: neither is on the table, or it is nothing that may be swapped.
    """
    there = list(dict.fromkeys((*kingdom.names(), *kingdom.on)))
    for called in (name, game.cards[name].member_of):
        if called in there:
            return called
    otherwise = message("only what chance brought there can be swapped")
    raise UnknownName("card on this table", name, find_suggestions(name, there), otherwise)


def _fitting(card: Card, goes: str, kingdom: Kingdom, game: Game, request: Request, table: Table) -> str:
    """The name of what is to come: the card, or the pile that it lies in where a pile has gone.

    Raises:
        BadOptions: it is of another sort than what goes, on the table already, or not as wished for.
    """
    turning, choice = _turning(game), _choice_of(goes, kingdom, game, table)
    pile = game.cards[card.member_of] if card.member_of else card
    if goes in kingdom.landscapes or (choice and choice.to == "landscapes"):
        found, fits = card, (choice.query if choice else turning.landscapes).matches(card)
    elif choice and choice.to not in ("kingdom", "beside"):
        found, fits = card, turning.is_.matches(pile) and not card.pile
    else:
        found, fits = pile, turning.is_.matches(pile)
    if not fits:
        raise BadOptions("{card} cannot take the place of {goes}.", card=card.name, goes=goes)
    if found.name in (*kingdom.cards, *kingdom.landscapes) or found.name == goes:
        raise BadOptions("{card} is on the table already.", card=found.name)
    if wrong := _not_wished_for(found, goes, kingdom, game, request):
        said = "with {card} in the place of {goes}, {wish} does not hold."
        raise BadOptions(said, card=found.name, goes=goes, wish=Verbatim(wrong))
    return found.name


def _not_wished_for(card: Card, goes: str, kingdom: Kingdom, game: Game, request: Request) -> str:
    """A wish that does not hold with a card in the place of another, as one types it; nothing if all do."""
    if not request.wishes:
        return ""
    from randomizer.deal.wishes.matching import find_ban, list_unmet_wishes

    if ban := find_ban(game, request.wishes, card):
        return f"--without {ban}"
    after = kingdom.replace_card(goes, card.name)
    before = list_unmet_wishes(game, request, [*kingdom.cards, *kingdom.landscapes])
    return next(
        (
            wish
            for wish in list_unmet_wishes(game, request, [*after.cards, *after.landscapes])
            if wish not in before
        ),
        "",
    )


def _drawn(goes: str, kingdom: Kingdom, game: Game, request: Request, table: Table) -> str:
    """The name of what comes where nobody says: drawn from the unused cards, as what goes had been.

    Of those with which the wishes go on holding, each is as likely as any other.

    Raises:
        BadOptions: none is left.
    """
    turning, choice = _turning(game), _choice_of(goes, kingdom, game, table)
    question, unused = f"instead of {goes}", table.unused
    if choice:
        draw = unused.draw_single if choice.to in ("aside", "deck") else unused.draw
        cards = draw(question, choice.query, 1)
    elif goes in kingdom.cards:
        cards = list(unused.deck(question, turning.is_))
    else:
        kinds = [table.cards[name].kind for name in kingdom.landscapes if name != goes]
        most = {kind: amount.resolve(table.settings) for kind, amount in turning.limits}
        deck = unused.deck(question, turning.landscapes)
        cards = [
            card for card in deck if kinds.count(card.kind) < (most.get(KindName(card.kind)) or MAX_NUMBER)
        ]
    if not cards:
        raise BadOptions("the boxes hold nothing else for {goes}.", goes=goes)
    for card in cards:
        wrong = "" if choice else _not_wished_for(card, goes, kingdom, game, request)
        if not wrong:
            return card.name
    if wrong == f"--with {goes}":
        raise BadOptions(
            "{wish} contradicts {other}.", wish=Verbatim(f"--swap {goes}"), other=Verbatim(wrong)
        )
    said = "the boxes hold nothing for {goes} with which {wish} holds."
    raise BadOptions(said, goes=goes, wish=Verbatim(wrong))


def _choice_of(name: str, kingdom: Kingdom, game: Game, table: Table) -> Choice | None:
    """The choice that brought it onto the table; None if it was turned up.

    Raises:
        BadOptions: it was turned over from a deck of which all the rest lies there.
    """
    if name in (*kingdom.cards, *kingdom.landscapes):
        return None
    choices = (effect.choice(card) for card in table.in_use() for effect in game.setup.get(card, ()))
    for choice in choices:
        if choice and name in kingdom.chosen.get(choice.question, ()):
            if choice.face_up:
                raise BadOptions("{card} comes from a deck, and is not swapped.", card=name)
            return choice
    raise BadOptions("{card} is not something to swap.", card=name)


def _other_pile(table: Table, game: Game, marking: str) -> str:
    """Another pile for a card that marks one, as likely as any other that it may mark.

    Raises:
        BadOptions: it may mark no other.
    """
    now = table.marked[marking]
    piles = list_markable_piles(game.setup[marking], table, table.cards[marking])
    others = [card for card in piles if card.name != now]
    if not others:
        raise BadOptions("{card} can go with no other pile on this table.", card=marking)
    return next(table.unused.shuffle(f"instead of {now}", others)).name


def _turning(game: Game) -> TurnUp:
    """How the Kingdom is turned up.

    Raises:
        BadOptions: in this game none is.
    """
    turning = find_turn_up(game.opening)
    if turning is None:
        raise BadOptions("{game} has nothing to swap.", game=game.title)
    return turning
