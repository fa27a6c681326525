"""The frozen values: what a card is and costs, and questions about cards. They only answer.

Named tuples throughout: as immutable and comparable as frozen dataclasses, at a small part of what
those cost at start-up, and a JSON array already says all of one.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, NewType

if TYPE_CHECKING:
    from randomizer.text.language import Language

MAX_NUMBER = 1_000  # the greatest number that a data file, an option or a document may say

# Strings that have to name something in the data; the reader checks each sort against what there is.
CardName = NewType("CardName", str)
ComponentName = NewType("ComponentName", str)
KindName = NewType("KindName", str)
TypeName = NewType("TypeName", str)
SetName = NewType("SetName", str)
BoxName = NewType("BoxName", str)
OptionName = NewType("OptionName", str)
SlotName = NewType("SlotName", str)  # what a choice goes by: Bane, Boons
DoesName = NewType("DoesName", str)  # a word for what a card does: village, draw
EditionName = NewType("EditionName", str)  # a set, a box, or the boxes of a set in one edition
QuestionName = NewType("QuestionName", str)  # what a choice is shuffled for: its slot, or more exactly
SpotName = NewType("SpotName", str)  # a component, or `itself`: the card that asks
Year = NewType("Year", int)  # of all numbers the only one that may be more than MAX_NUMBER

# Where a card of the game may be: a pile, a single card that was set aside, or a card of a deck.
Where = Literal["kingdom", "supply", "beside", "aside", "deck"]


class Cost(NamedTuple):
    """What a card costs. `coins` in $, `potion` 0 or 1, `debt` in Debt, `mark` the printed * or +."""

    coins: int = 0
    potion: int = 0
    debt: int = 0
    mark: str = ""

    def __str__(self) -> str:
        parts = [f"${self.coins}{self.mark}"] if self.coins or not (self.potion or self.debt) else []
        parts += ["P"] * self.potion
        parts += [f"{self.debt}D"] if self.debt else []
        return " ".join(parts)


class Count(NamedTuple):
    """How many, by the number of players: each step holds from that number of players on."""

    steps: tuple[tuple[int, int], ...]

    def for_players(self, players: int) -> int:
        """The count for so many players."""
        steps = self.steps
        count = steps[0][1]
        for least, step in steps[1:]:
            if least <= players:
                count = step
        return count


ONE = Count(((0, 1),))


class Amount(NamedTuple):
    """A number that an option may change; `None` is "all there are"."""

    number: int | None
    option: str = ""

    def resolve(self, settings: Mapping[str, bool | int | str]) -> int | None:
        """The number that the option was given, or its default."""
        given = settings.get(self.option)
        return self.number if given is None else int(given)


class Card(NamedTuple):
    """A card, a landscape, or the randomizer of a pile of several cards.

    `count_` is how many lie in its pile; of a `stock` card, how many there are before the starting
    decks are dealt from them. `pile` are the members of a mixed pile, top first; `member_of` is the
    mixed pile that a member belongs to. `note` says how the pile lies. One box holds `in_box` of them, where
    that is ever too few. `does` are the words for what it does: on the randomizer of a pile,
    and on a card that others follow, for all of them together, so that nobody need look further.
    """

    name: str
    set: str
    kind: str
    boxes: tuple[str, ...]
    types: tuple[str, ...]
    cost: Cost | None
    count_: Count
    does: tuple[DoesName, ...] = ()
    pile: tuple[tuple[str, Count], ...] = ()
    member_of: str = ""
    place: str = ""
    stock: bool = False
    shuffled: bool = False
    also: tuple[str, ...] = ()
    note: str = ""
    in_box: int = 0


class Query(NamedTuple):
    """A question about a card. Every part that is given has to hold; of several values, any one.

    `cost` is exact, in coins, and only coins: a cost with Potion or Debt never answers it
    (setup rules E2.9). `type` and `without` ask for the types as printed on the randomizer.
    """

    kind: tuple[KindName, ...] = ()
    type: tuple[TypeName, ...] = ()
    without: tuple[TypeName, ...] = ()
    cost: tuple[int, ...] = ()
    set: tuple[SetName, ...] = ()
    name: tuple[CardName, ...] = ()
    potion: bool | None = None
    debt: bool | None = None

    def matches(self, card: Card) -> bool:
        """Whether the card is one that is asked for."""
        kinds, types, without, costs, sets, names, potion, debt = self
        if kinds and card.kind not in kinds:
            return False
        if types and not [type for type in types if type in card.types]:
            return False
        if without and [type for type in without if type in card.types]:
            return False
        if (sets and card.set not in sets) or (names and card.name not in names):
            return False
        cost = card.cost or Cost(-1)
        return (
            (not costs or (cost.coins in costs and not cost.potion and not cost.debt))
            and (potion is None or potion == bool(cost.potion))
            and (debt is None or debt == bool(cost.debt))
        )


def describe_query(query: Mapping[str, Sequence[str | int]], language: "Language") -> str:
    """A query in words, from its parts: `Action, not Duration, $2 or $3`."""
    translate = language.translate

    def types(part: str) -> list[str]:
        return [language.types.get(str(type_), str(type_)) for type_ in query.get(part, ())]

    parts = [
        translate(" or ").join(types("type")),
        *(translate("not {text}", text=type_) for type_ in types("without")),
        translate(" or ").join(f"${cost}" for cost in query.get("cost", ())),
        translate(" or ").join(language.translate_name(str(name)) for name in query.get("name", ())),
    ]
    return language.join(filter(None, parts))


class Kind(NamedTuple):
    """What a kind of card is on the table: a pile (and where), a landscape, a component ...

    `title` is the heading it goes under; what is not `listed` is itself no card, only a name for some. `lies`
    says how a landscape lies that is `{on}` a pile, `marks` what that pile's line says of it by its `{name}`.
    `boxed` says what a card is that goes back into the box.
    """

    is_: Literal["pile", "member", "landscape", "card", "component"]
    place: Literal["", "kingdom", "supply", "beside"] = ""
    title: str = ""
    listed: bool = True
    lies: str = "on {on}"
    marks: str = ""
    boxed: str = ""


class Component(NamedTuple):
    """A mat, a token and the like. Without a `count_` it is a common heap.

    `lies` says how it lies `{on}` something that it is put on. `one` is what a single one is called. Of a
    `stock` there are so many, and the heap is what is left when all have been put where they start. Where the
    component `or_` is handed out too, it serves for this one.
    """

    kind: str
    each: Literal["game", "player"]
    count_: Count | None = None
    note: str = ""
    lies: str = "on {on}"
    one: str = ""
    stock: int = 0
    or_: ComponentName = ComponentName("")


class Box(NamedTuple):
    """A box one can own: an edition of one or two sets."""

    slug: str
    name: str
    title: str = ""
    holds: tuple[SetName, ...] = ()
    edition: int = 1
    year: Year | None = None
    singly: bool = False
    announced: bool = False
    also: tuple[str, ...] = ()


class Named(NamedTuple):
    """What something is called in a language, how that is read, and what else it is called."""

    name: str
    reading: str = ""
    also: tuple[str, ...] = ()


class Heading(NamedTuple):
    """A heading for cards on a table: those that do this, and those of this type."""

    title: str
    does: DoesName = DoesName("")
    type: TypeName = TypeName("")


class Ending(NamedTuple):
    """One way in which the game ends, for some numbers of players or with some card on the table."""

    say: str
    players: tuple[int, ...] = ()
    with_: CardName = CardName("")


class Step(NamedTuple):
    """Something that is done when all the rest has been: what it is done with, and what."""

    name: str
    say: str
    players: tuple[int, ...] = ()
    with_: CardName = CardName("")


class OpenOption(NamedTuple):
    """A choice that the game leaves to whoever deals: a number with a `default`, or a question.

    A question is answered by looking at one of the `cards` (the first of them where nothing is said), or
    by force. A number `within` another cannot exceed it.
    """

    name: str
    help: str
    default: int | None = None
    least: int = 0
    cards: tuple[str, ...] = ()
    within: str = ""
