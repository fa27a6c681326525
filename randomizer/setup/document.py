"""The types of the setup document, which `--json` prints and `show` reads.

This is a stable interface. New versions may add keys, but renaming or removing a key requires a new `SCHEMA`.

`schema.py` generates the published JSON Schema from these classes, and validates documents with it. The
docstrings and annotations are the descriptions in the schema. Numbers, texts and lists have default limits,
which annotations with keywords of JSON Schema override.

Names are in English. Their translations are in `names`, by language code.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

SCHEMA = 1

LONG = {"maxLength": 100_000}  # in characters; for texts that may be longer than a phrase

Because = Annotated[
    list[str], {"maxItems": 100}, "the names of its causes; each cause follows its own causes"
]
Count = Annotated[int | None, "null for a shared heap without a fixed size"]
Per = Literal["game", "player"]
Place = Literal["kingdom", "supply", "beside"]
Among = Literal["unused", "table", "starting deck"]


class Named(TypedDict):
    """Something with an English name, and its translations where they differ."""

    name: str
    ja: NotRequired[Annotated[str, "the same as names.ja, which is newer"]]
    names: NotRequired[Annotated[dict[str, str], "translations of the name, by language code"]]


class NamedCard(Named):
    """A card. Its `id` is its name as users type it, and never changes with the version or the language."""

    id: NotRequired[str]


class CostParts(TypedDict):
    """The components of a cost. `mark` is the printed * or +, if any."""

    coins: int
    potion: int
    debt: int
    mark: Literal["", "*", "+"]


Parts = Annotated[CostParts | None, "null for a card without a cost"]


class Facts(NamedCard):
    """A card. `box` is the box to fetch it from. `cost` is the printed cost, empty if it has none."""

    set: str
    box: str
    cost: str
    cost_parts: NotRequired[Parts]
    types: list[str]


class Generator(TypedDict):
    """The program that created the document. `data` is a hash of its card data."""

    name: str
    version: str
    data: str


class Box(Named):
    """A box that cards on the table come from. `chosen` is true if the request included it."""

    slug: str
    chosen: bool


class Says(TypedDict):
    """A translatable text: a template, and the values of its placeholders."""

    phrase: str
    values: dict[str, str | int]


class Turned(NamedCard):
    """A randomizer card that was turned up. `kingdom` is its position among the Kingdom piles, from 1."""

    use: Literal["kingdom", "landscape", "skipped"]
    kingdom: NotRequired[int]
    because: NotRequired[Annotated[str, LONG]]
    says: NotRequired[Says]


class Decision(TypedDict):
    """A yes-or-no question of setup, and the card that decided it; null if the request forced the answer."""

    question: str
    title: str
    answer: bool
    possible: NotRequired[Annotated[bool, "whether a Kingdom card of the chosen boxes could make it a yes"]]
    decided_by: str | None
    because: Annotated[str, LONG]
    says: Says


class Member(NamedCard):
    """A card of a mixed pile."""

    cost: str
    cost_parts: NotRequired[Parts]
    types: list[str]
    count: Count


class Pile(Facts):
    """A pile.

    Its `place` is `kingdom` for the ten Kingdom piles, a Bane or an added Attack pile, `supply` for basic
    cards, and `beside` for piles outside the Supply.
    """

    place: Place
    supply: bool
    count: Count
    stock: NotRequired[Annotated[int, "the number of cards before the starting decks are dealt"]]
    in_box: NotRequired[Annotated[int, "the number of cards in one box, if some games need more"]]
    shuffled: NotRequired[bool]
    note: NotRequired[Annotated[str, "how to lay it out"]]
    group: NotRequired[Annotated[str, "the heading under which it is listed"]]
    members: Annotated[list[Member], "the cards of a mixed pile, from the top"]
    marks: Annotated[list[str], "what chose this pile: the name of a choice, a card or a landscape"]
    because: Because


class Landscape(NamedCard):
    """A landscape, such as an Event, an Ally or a Prophecy. `on` is the pile that it belongs to, if any."""

    kind: str
    group: Annotated[str, "the heading under which it is listed"]
    set: str
    box: str
    cost: str
    cost_parts: NotRequired[Parts]
    on: NotRequired[str]
    says: NotRequired[Annotated[Says, "its place on the table, such as under that pile"]]
    marks: NotRequired[Annotated[Says, "the remark on the line of that pile"]]
    player: NotRequired[Annotated[int, "the number of the player who has it, from 1"]]
    because: Because


class Deck(Named):
    """A shuffled deck, from the top. `cards` and `count` exclude the cards face up beside it."""

    cards: list[str]
    face_up: list[str]
    count: Count
    contents: Annotated[list[Facts], "details of all its cards, including those face up"]
    because: Because


# The key `for` is a Python keyword, so class syntax cannot declare it.
_For = TypedDict("_For", {"for": Annotated[str, "the card or choice that it is set aside for"]})


class SetAside(Facts, _For):
    """A single card that is set aside for another card."""

    because: Because


Missing = TypedDict(
    "Missing",
    {
        "for": Annotated[str, "the choice for which too few cards were left"],
        "wanted": Annotated[int | None, "the number of cards to choose; null for at least one"],
        "found": int,
        "among": NotRequired[Annotated[Among, "the cards that were searched; by default, the unused ones"]],
        "query": Annotated[dict[str, list[str | int]], "the requirements for a card"],
        "help": Annotated[list[str], "slugs of other boxes with such cards"],
        "because": Because,
    },
)


class Component(NamedCard):
    """A mat, tokens or cubes; also a State or an Artifact, which are cards."""

    kind: str
    box: NotRequired[Annotated[str, "the box to fetch it from, if it is a card"]]
    count: Count
    one: NotRequired[Annotated[str, "its name in the singular"]]
    stock: NotRequired[Annotated[int, "the number of tokens before some of them are placed"]]
    per: Per
    note: NotRequired[str]
    because: Because


class PlacedTokens(Named):
    """Tokens that start on a pile, a landscape or a mat."""

    kind: str
    count: int
    one: NotRequired[Annotated[str, "its name in the singular"]]
    on: str
    says: Annotated[Says, "their position there"]
    per: NotRequired[Per]
    because: Because


class Card(NamedCard):
    """Copies of one card in each starting deck, in the trash or back in the box."""

    box: NotRequired[str]
    count: int
    note: NotRequired[Annotated[str, "a remark, such as how to return them to the box"]]
    because: Because


class Note(TypedDict):
    """A note to the players: a reminder, or a step of setup.

    A step with `here` is done when the thing in `on` is laid out; one with `last` is done at the end.
    """

    text: Annotated[str, LONG]
    says: Says
    step: NotRequired[Literal["here", "last"]]
    on: NotRequired[str]
    because: Because


class Step(TypedDict):
    """A final step of setup: the name of the thing that it concerns, and the instruction."""

    name: str
    text: str


class Item(TypedDict):
    """A line of the checklist."""

    name: str
    count: Count
    detail: Annotated[str, LONG]
    because: Because


class Section(TypedDict):
    """A section of the checklist."""

    title: str
    items: list[Item]


class Aspect(TypedDict):
    """A category, and the cards of this table that belong to it. The list may be empty."""

    title: str
    cards: list[str]


class CostCount(TypedDict):
    """The number of Kingdom piles with a certain cost, ignoring a printed * or +."""

    cost: str
    count: int


class About(TypedDict):
    """A summary of the game. It covers the Kingdom piles, landscapes and cards that are set aside."""

    aspects: list[Aspect]
    costs: Annotated[list[CostCount], "the costs of the Kingdom piles, in ascending order"]
    unknown: Annotated[list[str], "cards that the card data do not contain"]


class SecondDeal(TypedDict):
    """A replacement of the Kingdom during the game: what leaves the table, and what stays on it."""

    by: str
    leaves: list[str]
    boxes: Annotated[dict[str, str], "the boxes of the piles that leave, by pile name"]
    stays: list[str]
    before: Annotated[
        dict[str, int],
        "by key of the document, the number of items at the start of the list that stay; the rest are new",
    ]


class Veto(TypedDict):
    """A veto. As long as it is open, the document has all dealt cards, and nothing that they need."""

    count: Annotated[int, "the number of extra Kingdom cards, and the maximum number of vetoes"]
    vetoed: Annotated[list[NamedCard] | None, "the vetoed cards; null as long as the veto is open"]


class Setup(TypedDict):
    """The complete setup of one table."""

    schema: Literal[1]
    game: str
    title: str
    generator: Generator
    seed: str
    command: Annotated[
        str, LONG, "deals the same table again; it is for people, so read it before you run it"
    ]
    options: Annotated[dict[str, Any], "the options of the deal that differ from their defaults"]
    players: Annotated[int, {"minimum": 1}]
    boxes: list[Box]
    kingdom: NotRequired[Annotated[list[str], "ids of the Kingdom piles, in the order of `piles`"]]
    landscape_ids: NotRequired[
        Annotated[list[str], "ids of the landscapes, in the order in which they were added"]
    ]
    turned: Annotated[list[Turned], "the randomizers, in the order turned up"]
    decisions: list[Decision]
    piles: list[Pile]
    landscapes: list[Landscape]
    decks: list[Deck]
    set_aside: list[SetAside]
    components: list[Component]
    placed: list[PlacedTokens]
    starting_deck: Annotated[list[Card], "the starting deck of each player"]
    trash: list[Card]
    boxed: Annotated[list[Card], "cards that this game does not use"]
    missing: list[Missing]
    choices: Annotated[list[str], "the names of the choices that setup made"]
    game_end: list[str]
    notes: list[Note]
    last: Annotated[list[Step], "the final steps; after a second deal only the new ones"]
    checklist: Annotated[
        list[Section], "the parts of this document, in the order in which to lay out the table"
    ]
    second_deal: NotRequired[SecondDeal]
    veto: NotRequired[Veto]
    about: NotRequired[Annotated[About, "present only on request"]]
