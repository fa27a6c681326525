"""The immutable data types of a game: cards, costs, boxes, queries and so on.

They are named tuples, because these load faster than dataclasses and can be stored as JSON arrays.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, NewType

if TYPE_CHECKING:
    from randomizer.text.language import Language

MAX_NUMBER = 1_000  # the largest number allowed in data files, options and documents

# Strings that refer to items in the data by name. Loading checks that the items exist.
CardName = NewType("CardName", str)
ComponentName = NewType("ComponentName", str)
KindName = NewType("KindName", str)
TypeName = NewType("TypeName", str)
SetName = NewType("SetName", str)
BoxName = NewType("BoxName", str)
OptionName = NewType("OptionName", str)
SlotName = NewType("SlotName", str)  # the name of a choice: Bane, Boons
DoesName = NewType("DoesName", str)  # an ability tag, which says what a card does: village, draw
EditionName = NewType("EditionName", str)  # a set, a box, or an edition of a set
QuestionName = NewType("QuestionName", str)  # the key of a random source: a slot or a more specific name
SpotName = NewType("SpotName", str)  # a component, or `itself` for the card with the effect
Year = NewType("Year", int)  # the only number that may be greater than MAX_NUMBER

# Where a card is: in a pile (in the Kingdom, elsewhere in the Supply, or beside it), set aside, or in a deck.
Where = Literal["kingdom", "supply", "beside", "aside", "deck"]


class Cost(NamedTuple):
    """The cost of a card.

    Attributes:
        coins: the amount of $.
        potion: 1 if the cost includes a Potion, otherwise 0.
        debt: the amount of Debt.
        mark: the mark printed after the amount of $: `*`, `+` or empty.
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
        steps: pairs of a minimum number of players and the count from that number on, in ascending order.
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
    """A number of cards, which an open option may change.

    Attributes:
        number: the default number; None means all cards.
        option: the name of the option that changes the number; empty if the number is fixed.
    """

    number: int | None
    option: str = ""

    def resolve(self, settings: Mapping[str, bool | int | str]) -> int | None:
        """Return the number that the user has set, or else the default; None means all cards."""
        given = settings.get(self.option)
        return self.number if given is None else int(given)


class Card(NamedTuple):
    """A card, a landscape, or the randomizer of a mixed pile.

    Attributes:
        name: the English name.
        set: the slug of the set.
        kind: the name of the kind.
        boxes: the slugs of the boxes that contain the card.
        types: the types, as printed.
        cost: the cost; None if no cost is printed.
        count_: the number of cards in the pile, including any that are taken from it for the starting decks.
        does: the ability tags of the card, of the members of its pile, and of cards that come with it.
        pile: the name and number of copies of each member of a mixed pile, from top to bottom.
        member_of: the name of the mixed pile to which the card belongs; empty if there is none.
        place: the place of the pile, if it differs from the usual place of its kind; otherwise empty.
        stock: whether cards for the starting decks are taken from the pile.
        shuffled: whether the pile is shuffled.
        also: alternative names.
        note: a note on how to lay out the pile.
        in_box: the number of copies in a box, if some games need more copies than that; otherwise 0.
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
    """A condition that a card must meet. All fields must match; an empty field or None matches every card.

    Attributes:
        kind: the allowed kinds.
        type: the types, of which at least one must be printed on the randomizer.
        without: the excluded types.
        cost: the allowed costs in coins. Costs with Potion or Debt never match (setup rules E2.9).
        set: the allowed sets.
        name: the allowed names.
        potion: whether the cost must include a Potion (true) or must not (false).
        debt: whether the cost must include Debt (true) or must not (false).
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
        """Return whether a card meets the condition."""
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
    """Describe a query in words, such as `Action, not Duration, $2 or $3`.

    Args:
        query: the fields of the query.
        language: the output language.
    """
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
    """A kind of card, such as Kingdom card or Event, and how its cards appear on the table.

    Attributes:
        is_: the form in which cards of this kind appear.
        place: the usual place of piles of this kind.
        title: the heading above cards of this kind.
        listed: whether lists include cards of this kind; false for names that stand for groups of cards.
        lies: the template for the position of a landscape on the pile `{on}`.
        marks: the template for the remark on a pile that the landscape `{name}` marks.
        boxed: the text for cards that are returned to their box.
        most: in a user's own file, how many landscapes of this kind are turned up at most; None if they are
            not shuffled into the randomizers.
        extra: whether these landscapes do not count towards the limit on all landscapes.
    """

    is_: Literal["pile", "member", "landscape", "card", "component"]
    place: Literal["", "kingdom", "supply", "beside"] = ""
    title: str = ""
    listed: bool = True
    lies: str = "on {on}"
    marks: str = ""
    boxed: str = ""
    most: Amount | None = None
    extra: bool = False


class Component(NamedTuple):
    """A mat, a token or another component.

    Attributes:
        kind: the kind of component.
        each: whether the count is for the whole game or for each player.
        count_: the number to hand out; None for a shared heap without a fixed size.
        note: a note for the checklist.
        lies: the template for the position of the component on the card `{on}`.
        one: the name in the singular.
        stock: the total number, including tokens that are placed elsewhere at the start; 0 if unlimited.
        or_: the component that is used instead of this one if both are in the game; empty if there is none.
        in_box: the number in a box, which limits how many tables can use it at the same time; 0 if unknown.
        boxes: the slugs of the boxes that contain this number.
    """

    kind: str
    each: Literal["game", "player"]
    count_: Count | None = None
    note: str = ""
    lies: str = "on {on}"
    one: str = ""
    stock: int = 0
    or_: ComponentName = ComponentName("")
    in_box: int = 0
    boxes: tuple[BoxName, ...] = ()


class Box(NamedTuple):
    """A box: an edition of one or two sets.

    Attributes:
        slug: the slug, including the edition.
        name: the name.
        title: the full title on the box.
        holds: the slugs of the sets in the box.
        edition: the number of the edition.
        year: the year of publication.
        singly: whether its cards are sold separately.
        announced: whether the box has been announced, but not published yet.
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
    """The name of a card or set in a language.

    Attributes:
        name: the name.
        reading: the reading in kana.
        also: alternative names.
    """

    name: str
    reading: str = ""
    also: tuple[str, ...] = ()


class Heading(NamedTuple):
    """A heading of the overview of a table's cards (see `setup.about`).

    Attributes:
        title: the text of the heading.
        does: the ability tag that puts a card under the heading; empty if there is none.
        type: the type that puts a card under the heading; empty if there is none.
    """

    title: str
    does: DoesName = DoesName("")
    type: TypeName = TypeName("")


class Ending(NamedTuple):
    """A condition that ends the game.

    Attributes:
        say: the condition, as it is shown to the players.
        players: the numbers of players for which the condition applies; empty means all.
        with_: the card that must be in use for the condition to apply; empty if no card is required.
    """

    say: str
    players: tuple[int, ...] = ()
    with_: CardName = CardName("")


class Step(NamedTuple):
    """A step at the end of setup.

    Attributes:
        name: the component that is used in the step.
        say: the instruction.
        players: the numbers of players for which the step applies; empty means all.
        with_: the card that must be in use for the step to apply; empty if no card is required.
        components: the components of which at least one must be handed out for the step to apply; empty if
            none is required.
    """

    name: str
    say: str
    players: tuple[int, ...] = ()
    with_: CardName = CardName("")
    components: tuple[ComponentName, ...] = ()


class OpenOption(NamedTuple):
    """An option that the rules leave to the players: a number, or a yes-or-no question about setup.

    Attributes:
        name: the name.
        help: the help text.
        default: the default number; None for a question.
        least: the minimum number; 0 for a question.
        most: the maximum number.
        cards: the ways to pick the card that decides the question, such as `first-card`, starting with the
            default; empty for a number.
        within: the name of the option whose value is the maximum for this one; empty if there is none.
    """

    name: str
    help: str
    default: int | None = None
    least: int = 0
    cards: tuple[str, ...] = ()
    within: str = ""
    most: int = MAX_NUMBER
