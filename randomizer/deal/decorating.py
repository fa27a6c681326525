"""The decorating verbs: effects that add tokens, marks and notes after all piles have been laid out."""

from collections.abc import Container
from typing import Literal, NamedTuple

from randomizer.cards.effect import Effect, Effects, Settings, When
from randomizer.cards.model import (
    ONE,
    Card,
    ComponentName,
    Count,
    Query,
    SlotName,
    SpotName,
    Where,
    describe_query,
)
from randomizer.deal.table import Missing, Spot, Table, TableNote
from randomizer.text.language import Language, Message


class PlaceFields(NamedTuple):
    """The arguments of the verb `place` in the data files."""

    token: ComponentName
    count_: Count = ONE
    on: SpotName = SpotName("itself")
    piles: Literal["", "kingdom", "supply"] = ""
    is_: Query = Query()
    each: Literal["game", "player"] = "game"


class Place(PlaceFields, Effect):
    """Put tokens on every matching pile.

    If `piles` is empty, put the tokens on the component that `on` names, or on the card if that is `itself`.
    """

    __slots__ = ()
    is_once_per_game = True

    def apply(self, table: Table, cause: str | None) -> None:
        if self.piles:
            spots = [pile.name for pile in table.find_piles(self.piles, self.is_)]
        else:
            spots = [(cause or "") if self.on == "itself" else table.resolve_component(self.on)]
        for on in spots:
            table.add_tokens(
                Spot(self.token, on, self.each), self.count_.for_players(table.players), cause, self
            )

    def when(self, settings: Settings) -> When:
        return "decoration"

    def describe(self, card_name: str, players: int, language: Language) -> str:
        if not self.piles:
            return ""
        count = self.count_.for_players(players)
        piles = [
            language.translate("{count} on each Supply pile", count=count),
            describe_query(self.is_._asdict(), language),
        ]
        text = language.join(filter(None, piles))
        return language.translate("{title}: {text}", title=self.token, text=text)


class MarkFields(NamedTuple):
    """The arguments of the verb `mark` in the data files."""

    piles: Literal["kingdom", "supply"]
    is_: Query = Query()
    apart: bool = False


class Mark(MarkFields, Effect):
    """Mark a random matching pile on the table with the name of the card that requires it, such as Obelisk.

    If `apart` is set, piles that another card of the same kind has marked are excluded.
    """

    __slots__ = ()
    marks_pile = True

    def apply(self, table: Table, cause: str | None) -> None:
        by = table.cards[cause or ""]
        piles = {pile.name: pile for pile in self.list_markable_piles(table, by)}
        chosen = self._resolve_named_pile(table, by.name, piles)
        if not (chosen or piles):
            table.missing.append(Missing(by.name, by.name, self.is_, 1, 0, "table"))
            return
        if chosen is None:
            chosen = next(table.unused.shuffle(by.name, list(piles.values()))).name
        table.marked_piles[by.name] = chosen
        table.add_mark(chosen, by.name)

    def _resolve_named_pile(self, table: Table, by: str, markable_piles: Container[str]) -> str | None:
        """Return the name of the pile that the user wants a card to mark, or None.

        If that pile is not on the table, a message is added and the result is None. If the card may not mark
        that pile, a message is added.

        Args:
            table: the table.
            by: the name of the card.
            markable_piles: the names of the piles that the card may mark.
        """
        pile_name = table.named.on.get(by)
        if pile_name is None:
            return None
        values = ("card", by), ("on", pile_name)
        if pile_name not in table.piles:
            table.unusual_messages.append(
                Message("{card} can't go with {on}, which is not on the table.", values)
            )
            return None
        if pile_name not in markable_piles:
            table.unusual_messages.append(
                Message(
                    "{card} goes with {on} as requested; a random choice would never pick that pile.", values
                )
            )
        return pile_name

    def list_markable_piles(self, table: Table, by: Card) -> list[Card]:
        """Return the piles that a card may mark."""

        def is_markable(pile: Card) -> bool:
            marks = table.marks.get(pile.name, ())
            marking_kinds = [table.cards[mark].kind for mark in marks if mark in table.cards]
            return not self.apart or by.kind not in marking_kinds

        return [pile for pile in table.find_piles(self.piles, self.is_) if is_markable(pile)]

    def when(self, settings: Settings) -> When:
        return "decoration"

    def describe(self, card_name: str, players: int, language: Language) -> str:
        what = [language.translate("a random pile"), describe_query(self.is_._asdict(), language)]
        text = language.join(filter(None, what))
        return language.translate("{title}: {text}", title=card_name, text=text)


class NoteFields(NamedTuple):
    """The arguments of the verb `note` in the data files."""

    say: str
    players: tuple[int, ...] = ()
    with_: SlotName = SlotName("")
    where: tuple[Where, ...] = ()
    step: Literal["", "here", "last"] = ""


class Note(NoteFields, Effect):
    """Add a note for the players. In its template, `{on}` stands for the pile that the card marks.

    The note is added only if the number of players is in `players`, the choice named by `with` found cards,
    and the card is in one of the places in `where`. An empty field does not restrict the note.

    If `step` is empty, the note is a reminder. Otherwise, it is a setup step. A step with `here` belongs to
    the first of the chosen cards, or to the card itself if there is no choice. A step with `last` comes at
    the end of setup.

    A reminder applies until the end of the game, even if the card's pile has left the table. However, if
    `where` is given, the reminder applies only while the card's pile is on the table.
    """

    __slots__ = ()
    default_field = "say"

    def apply(self, table: Table, cause: str | None) -> None:
        if self.players and table.players not in self.players:
            return
        chosen = table.slots.get(self.with_, [])
        if (self.with_ and not chosen) or not table.is_relevant(cause, self.where):
            return
        on = table.get_marked_pile(cause or "")
        if "{on}" in self.say and not on:
            return
        listed_with = chosen[0] if chosen and self.step == "here" else cause or ""
        note = TableNote(
            Message(self.say, (("on", on),) if on else ()), self.step, listed_with if self.step else ""
        )
        if note not in table.notes:
            table.notes.append(note)
        table.add_cause(note, cause)

    def when(self, settings: Settings) -> When:
        return "decoration"

    def describe(self, card_name: str, players: int, language: Language) -> str:
        return "" if "{on}" in self.say else language.translate(self.say)

    def is_still_valid(self, table: Table, cause: str) -> bool:
        """Return whether the card's note still applies after a second deal.

        Args:
            table: the table after the second deal.
            cause: the name of the card.
        """
        if self.with_ and not table.slots.get(self.with_):
            return False
        if not self.where or {"aside", "deck"} & {*self.where}:
            return True
        pile = table.piles.get(cause) or table.piles.get(table.cards[cause].member_of)
        return pile is not None and table.get_place(pile) in self.where


def filter_notes(effects: Effects) -> list[Note]:
    """Return the notes among the effects."""
    return [effect for effect in effects if isinstance(effect, Note)]


def list_markable_piles(effects: Effects, table: Table, card: Card) -> list[Card]:
    """Return the piles on a table that a card may mark.

    Args:
        effects: the effects of the card.
        table: the table.
        card: the card.
    """
    marks = [effect for effect in effects if isinstance(effect, Mark)]
    return [pile for mark in marks for pile in mark.list_markable_piles(table, card)]
