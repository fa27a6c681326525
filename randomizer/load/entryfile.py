"""The form of rule entries in files: in the chapters of the rulebooks, and in users' own files."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, NewType

from randomizer.cards.model import CardName, KindName, TypeName

LanguageName = NewType("LanguageName", str)  # a language code
MarkName = NewType("MarkName", str)
ThingName = NewType("ThingName", str)  # a component or a deck
DecisionName = NewType("DecisionName", str)
LongText = NewType("LongText", str)  # a text of any number of lines

TextsField = tuple[tuple[LanguageName, LongText], ...]  # a text by language


class Condition(NamedTuple):
    """A condition that one item on a table has to meet.

    Each field lists the allowed values; an empty field allows any value. The item has to match every field.

    Attributes:
        card: English names of cards.
        type: card types.
        kind: kinds of cards or components.
        component: names of components or decks.
        mark: roles that a pile is chosen for, such as the Bane.
        place: places on the table.
        players: numbers of players.
        decision: yes/no questions of the setup to which the answer is yes.
    """

    card: tuple[CardName, ...] = ()
    type: tuple[TypeName, ...] = ()
    kind: tuple[KindName, ...] = ()
    component: tuple[ThingName, ...] = ()
    mark: tuple[MarkName, ...] = ()
    place: tuple[Literal["kingdom", "supply", "beside", "aside", "deck", "trash", "start"], ...] = ()
    players: tuple[int, ...] = ()
    decision: tuple[DecisionName, ...] = ()


# A list of requirements that all have to be met. A requirement is a list of alternatives: it is met if some
# item meets at least one of them.
Conditions = Sequence[Sequence[Condition]]


class OlderRecord(NamedTuple):
    """The earlier wording of a rule, and the year or month until which it was valid."""

    until: str
    text: TextsField


class EntryRecord(NamedTuple):
    """An entry of a chapter.

    It applies to a table if all conditions in `applies` are met, or, without such conditions, if one of its
    `cards` or `types` is on the table. An entry of a chapter needs `sources`; in a user's own file, they may
    be any text.
    """

    id: str
    title: TextsField
    text: TextsField
    sources: tuple[str, ...] = ()
    reading: str = ""
    aliases: tuple[str, ...] = ()
    older: tuple[OlderRecord, ...] = ()
    see: tuple[str, ...] = ()
    cards: tuple[CardName, ...] = ()
    types: tuple[TypeName, ...] = ()
    applies: tuple[Condition, ...] = ()
    entries: "tuple[EntryRecord, ...]" = ()
