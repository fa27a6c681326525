"""The immutable values of a game's data: cards, costs, boxes, queries and so on.

They are named tuples, which load faster than dataclasses and can be stored as JSON arrays.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, NewType

if TYPE_CHECKING:
    from randomizer.text.language import Language

MAX_NUMBER = 1_000  # the largest number in data files, options and documents

# Strings that name something in the data. The reader of the data files checks that it exists.
CardName = NewType("CardName", str)
ComponentName = NewType("ComponentName", str)
KindName = NewType("KindName", str)
TypeName = NewType("TypeName", str)
SetName = NewType("SetName", str)
BoxName = NewType("BoxName", str)
OptionName = NewType("OptionName", str)
SlotName = NewType("SlotName", str)  # the name of a choice: Bane, Boons
DoesName = NewType("DoesName", str)  # a word for what a card does: village, draw
EditionName = NewType("EditionName", str)  # a set, a box, or the boxes of a set in one edition
QuestionName = NewType("QuestionName", str)  # the name of a shuffle: a slot, or more specific
SpotName = NewType("SpotName", str)  # a component, or `itself` for the card with the effect
Year = NewType("Year", int)  # the only number that may be greater than MAX_NUMBER

# The place of a card: that of a pile, a single card that is set aside, or a card of a deck.
Where = Literal["kingdom", "supply", "beside", "aside", "deck"]


class Cost(NamedTuple):
    """The cost of a card.

    Attributes:
        coins: the cost in $.
        potion: 1 if it costs a Potion, otherwise 0.
        debt: the cost in Debt.
        mark: the printed mark: *, + or none.
    """

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
    """A number that depends on the number of players.

    Attributes:
        steps: pairs of a minimum number of players and the count from there on, in ascending order.
    """

    steps: tuple[tuple[int, int], ...]

    def for_players(self, players: int) -> int:
        """Return the count for this number of players."""
        steps = self.steps
        count = steps[0][1]
        for min_players, step in steps[1:]:
            if min_players <= players:
                count = step
        return count


ONE = Count(((0, 1),))


class Amount(NamedTuple):
    """A number that an option may change.

    Attributes:
        number: the default; None means all there are.
        option: the name of the option; empty for a fixed number.
    """

    number: int | None
    option: str = ""

    def resolve(self, settings: Mapping[str, bool | int | str]) -> int | None:
        """Return the number that the settings give the option, or the default."""
        given = settings.get(self.option)
        return self.number if given is None else int(given)


class Card(NamedTuple):
    """A card, a landscape, or the randomizer of a mixed pile.

    Attributes:
        name: the English name.
        set: the slug of the set.
        kind: the name of the kind.
        boxes: the slugs of the boxes that contain it.
        types: the types, as printed.
        cost: the cost; None for a card without one.
        count_: the number of cards in the pile; for a stock, before the starting decks are taken from it.
        does: the words for what it does, including what its pile and the cards that it brings do.
        pile: the members of a mixed pile with their numbers, top first.
        member_of: the name of the mixed pile that it belongs to.
        place: where its pile is, if that differs from its kind.
        stock: whether starting decks are taken from its pile.
        shuffled: whether the pile is shuffled.
        also: alternative names.
        note: a note on how the pile is laid out.
        in_box: the number of cards in a box, if that can be too few; otherwise 0.
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
    """A condition on a card. All given parts must be met, each by any one of its values.

    Attributes:
        kind: possible kinds.
        type: possible types; one of them must be printed on the randomizer.
        without: excluded types.
        cost: possible costs in coins; a cost with Potion or Debt never matches (setup rules E2.9).
        set: possible sets.
        name: possible names.
        potion: whether the cost includes a Potion; None for either.
        debt: whether the cost includes Debt; None for either.
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
        """Return whether the card matches the query."""
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
    """Return a query in words, from its fields: `Action, not Duration, $2 or $3`."""
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
    """A kind of cards, and how they appear on the table.

    Attributes:
        is_: what a card of the kind is.
        place: where a pile of the kind is.
        title: the heading of such cards.
        listed: whether they are cards of their own, rather than a name for several cards.
        lies: the text for a landscape that lies `{on}` a pile.
        marks: the text for a pile that the landscape `{name}` marks.
        boxed: the text for a card that goes back into its box.
    """

    is_: Literal["pile", "member", "landscape", "card", "component"]
    place: Literal["", "kingdom", "supply", "beside"] = ""
    title: str = ""
    listed: bool = True
    lies: str = "on {on}"
    marks: str = ""
    boxed: str = ""


class Component(NamedTuple):
    """A mat, a token or another component.

    Attributes:
        kind: the kind of component.
        each: whether the game or each player gets it.
        count_: how many there are; None for a common supply without a number.
        note: a note for the checklist.
        lies: the text for one that lies `{on}` something.
        one: the name of a single one.
        stock: the total number, of which some are put in other places at the start; 0 if it is unlimited.
        or_: another component that replaces this one if it is in the game, too.
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
    """A box: an edition of one or two sets.

    Attributes:
        slug: the slug, with the edition.
        name: the name.
        title: the full title on the box.
        holds: the sets in the box.
        edition: the number of the edition.
        year: the year of publication.
        singly: whether its cards are sold one by one.
        announced: whether it is not published yet.
        also: alternative names.
    """

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
    """The name of something in a language.

    Attributes:
        name: the name.
        reading: the reading in kana.
        also: alternative names.
    """

    name: str
    reading: str = ""
    also: tuple[str, ...] = ()


class Heading(NamedTuple):
    """A heading of the overview of a table: cards that do something, or cards of a type."""

    title: str
    does: DoesName = DoesName("")
    type: TypeName = TypeName("")


class Ending(NamedTuple):
    """A way in which the game ends, for some numbers of players or with some card on the table."""

    say: str
    players: tuple[int, ...] = ()
    with_: CardName = CardName("")


class Step(NamedTuple):
    """A step at the end of setup: `name` is what it is done with, and `say` what to do."""

    name: str
    say: str
    players: tuple[int, ...] = ()
    with_: CardName = CardName("")


class OpenOption(NamedTuple):
    """An option that the rules leave open: a number, or a question of setup.

    Attributes:
        name: the name.
        help: the help text.
        default: the default of a number; None for a question.
        least: the minimum of a number.
        cards: the cards by which a question can be decided, the default first; empty for a number.
        within: the name of another option whose number this one must not exceed.
    """

    name: str
    help: str
    default: int | None = None
    least: int = 0
    cards: tuple[str, ...] = ()
    within: str = ""
