"""Laying out what was named instead of dealing it, however unusual it is; and telling what is unusual."""

from collections.abc import Container, Mapping

from randomizer.cards.model import Card, KindName, Message, Query
from randomizer.deal.table import Table, Told, Turned


def lay_named(table: Table, usual: int, most: int, limits: Mapping[KindName, int]) -> None:
    """Lay out the Kingdom cards and landscapes that were named, as if they had been turned up first.

    Args:
        usual: how many Kingdom cards a game has.
        most: how many landscapes may be used ...
        limits: ... and how many of a kind.
    """
    for number, name in enumerate(table.named.cards, 1):
        table.kingdom.append(table.cards[name])
        table.turned.append(Turned(table.cards[name], "kingdom", number))
        table.lay(table.cards[name], None)
    for name in table.named.landscapes:
        table.turned.append(Turned(table.cards[name], "landscape"))
        table.lay(table.cards[name], None)
    count = len(table.named.cards)
    if count > usual:
        said = (("count", count), ("usual", usual))
        table.unusual.append(Message("{count} Kingdom cards were named; a game has {usual}.", said))
    kinds = [table.cards[name].kind for name in table.named.landscapes]
    if len(kinds) > most:
        said = (("count", len(kinds)), ("most", most))
        table.unusual.append(Message("{count} landscapes were named; {most} at most are dealt.", said))
    for kind, limit in limits.items():
        if kinds.count(kind) > limit:
            of = ("kind", table.kinds[kind].title), ("count", kinds.count(kind)), ("most", limit)
            table.unusual.append(Message("{kind} named: {count}; {most} at most are dealt.", of))


def named_for(table: Table, question: str, slot: str, query: Query) -> list[Card]:
    """The cards that were named for a choice, whether or not they are such as it asks for."""
    named = [table.cards[name] for name in table.named.chosen.get(question, ())]
    for card in named:
        if not query._replace(kind=()).answered_by(card) and not _has(card, query, table):
            about = ("card", card.name), ("slot", slot)
            table.unusual.append(Message("{card} was named for {slot}, which asks for other cards.", about))
    return named


def _has(card: Card, query: Query, table: Table) -> bool:
    """Whether a card of the mixed pile is such as is asked for."""
    return any(query._replace(kind=()).answered_by(table.cards[member]) for member, _ in card.pile)


def named_pile(table: Table, by: Card, fitting: Container[str]) -> str | None:
    """The name of the pile that this card is to mark, if one was named and is out.

    Args:
        fitting: names of the piles that it may mark.
    """
    named = table.named.on.get(by.name)
    if named is None:
        return None
    about = ("card", by.name), ("on", named)
    if named not in table.piles:
        table.unusual.append(Message("{card} was to go with {on}, which is not on the table.", about))
        return None
    if named not in fitting:
        table.unusual.append(Message("{card} goes with {on}, as named; by chance it would not.", about))
    return named


def tell_unusual(table: Table) -> None:
    """Note what is unusual about what was named: things to know now, and no more once the table is laid."""
    if not any(table.named):
        return
    known = {card.name for card in table.unused.pool.cards()}
    for name in dict.fromkeys(table.named.names()):
        if name not in known:
            message = Message("{card} was named, and is in none of the chosen boxes.", (("card", name),))
            table.unusual.append(message)
    # What nothing asks for any more after a swap has gone with what asked for it.
    for question, names in table.named.chosen.items() if not table.decided else ():
        for name in names if question not in table.slots else ():
            about = ("card", name), ("slot", question)
            table.unusual.append(Message("{card} was named for {slot}, which nothing here asks for.", about))
    for name, pile in table.named.on.items() if not table.decided else ():
        if name not in table.in_use():
            about = ("card", name), ("on", pile)
            table.unusual.append(Message("{card} was to go with {on}, and is not on the table.", about))
    table.notes += [Told(message, "here") for message in table.unusual]
