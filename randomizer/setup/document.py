"""The setup document: what `--json` prints and `show` reads back; a promise to other programs.

The classes are its shape: `schema.py` makes the published JSON Schema of them and checks documents by
them. Keys are added, never renamed or dropped; where that cannot be kept, `SCHEMA` goes up.

Every number is at most so great, every text and list at most so long as the schema says, unless an annotation
here says otherwise in the keywords of JSON Schema.

Names are English; the same name in other languages stands beside it, by the language's code.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

SCHEMA = 1

LONG = {"maxLength": 100_000}  # letters, where more is said than a name or a phrase

Because = Annotated[
    list[str], {"maxItems": 100}, "why it is out: each cause after whatever brought that cause out"
]
Count = Annotated[int | None, "null: a common heap with no fixed number"]
Per = Literal["game", "player"]
Place = Literal["kingdom", "supply", "beside"]
Among = Literal["unused", "table", "starting deck"]


class Named(TypedDict):
    """Something with a name; beside it those in other languages, by their code, where there are any."""

    name: str
    ja: NotRequired[Annotated[str, "the same as names.ja; what came first"]]
    names: NotRequired[Annotated[dict[str, str], "by the code of the language"]]


class NamedCard(Named):
    """A card; its `id` is its name as one types it, the same for ever and in every language."""

    id: NotRequired[str]


class CostParts(TypedDict):
    """A cost, taken apart: `mark` is the printed * or +."""

    coins: int
    potion: int
    debt: int
    mark: Literal["", "*", "+"]


Parts = Annotated[CostParts | None, "null: it has no cost"]


class Facts(NamedCard):
    """A card: `box` is where to fetch it from, `cost` as printed ("" for what has none)."""

    set: str
    box: str
    cost: str
    cost_parts: NotRequired[Parts]
    types: list[str]


class Generator(TypedDict):
    """What made the document; `data` is a hash of the card data."""

    name: str
    version: str
    data: str


class Box(Named):
    """A box that something on the table comes from; `chosen` if it was asked for."""

    slug: str
    chosen: bool


class Says(TypedDict):
    """A text as a phrase and what is put into it, so that it can be said in another language."""

    phrase: str
    values: dict[str, str | int]


class Turned(NamedCard):
    """A randomizer turned up; `kingdom` numbers the ten."""

    use: Literal["kingdom", "landscape", "skipped"]
    kingdom: NotRequired[int]
    because: NotRequired[Annotated[str, LONG]]
    says: NotRequired[Says]


class Decision(TypedDict):
    """A question that setup answers by looking at a card; null: the answer was asked for."""

    question: str
    title: str
    answer: bool
    possible: NotRequired[Annotated[bool, "whether any Kingdom card of the chosen boxes makes it a yes"]]
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
    """A pile. `kingdom`: the ten, a Bane, an added Attack pile; `supply`: the basics; `beside`: the rest."""

    place: Place
    supply: bool
    count: Count
    stock: NotRequired[Annotated[int, "how many there are before the starting decks are dealt from them"]]
    in_box: NotRequired[Annotated[int, "how many one box holds, where that is ever too few"]]
    shuffled: NotRequired[bool]
    note: NotRequired[Annotated[str, "how it lies"]]
    group: NotRequired[Annotated[str, "the heading it stands under"]]
    members: Annotated[list[Member], "of a mixed pile, top first"]
    marks: Annotated[list[str], "what chose it: a choice, or a card or landscape by its name"]
    because: Because


class Landscape(NamedCard):
    """An Event, Landmark, Project, Way or Trait, the Ally, the Prophecy; `on` a pile."""

    kind: str
    group: Annotated[str, "the heading it stands under"]
    set: str
    box: str
    cost: str
    cost_parts: NotRequired[Parts]
    on: NotRequired[str]
    says: NotRequired[Annotated[Says, "how it lies on that pile"]]
    marks: NotRequired[Annotated[Says, "what it makes of that pile"]]
    player: NotRequired[Annotated[int, "whose it is, from 1"]]
    because: Because


class Deck(Named):
    """A shuffled deck, top first, without the cards turned face up beside it; `count` is its size."""

    cards: list[str]
    face_up: list[str]
    count: Count
    contents: Annotated[list[Facts], "the same cards with their facts, those face up included"]
    because: Because


# A key called `for` cannot be written as an attribute, so it is in a call.
_For = TypedDict("_For", {"for": Annotated[str, "the card it is set aside for"]})


class SetAside(Facts, _For):
    """A single card set aside for another."""

    because: Because


Missing = TypedDict(
    "Missing",
    {
        "for": Annotated[str, "the choice that no unused card was left for"],
        "wanted": Annotated[int | None, "null: at least one"],
        "found": int,
        "among": NotRequired[Annotated[Among, "which cards were looked at; unused ones by default"]],
        "query": Annotated[dict[str, list[str | int]], "what a card has to be"],
        "help": Annotated[list[str], "slugs of boxes that hold such cards"],
        "because": Because,
    },
)


class Component(NamedCard):
    """A mat, a heap of tokens, cubes; a State or an Artifact, which are cards."""

    kind: str
    box: NotRequired[Annotated[str, "where to fetch it from, if it is a card"]]
    count: Count
    one: NotRequired[Annotated[str, "what a single one is called"]]
    stock: NotRequired[Annotated[int, "how many there are before some are put where they start"]]
    per: Per
    note: NotRequired[str]
    because: Because


class PlacedTokens(Named):
    """Tokens that start on something: a pile, a landscape or a mat."""

    kind: str
    count: int
    one: NotRequired[Annotated[str, "what a single one is called"]]
    on: str
    says: Annotated[Says, "how they lie there"]
    per: NotRequired[Per]
    because: Because


class Card(NamedCard):
    """Cards of one name: in each starting deck, in the trash, back in the box."""

    box: NotRequired[str]
    count: int
    note: NotRequired[Annotated[str, "what it is, or how it is put back"]]
    because: Because


class Note(TypedDict):
    """What the players are told: to bear in mind, or a step of setup, done with the thing `on` or last."""

    text: Annotated[str, LONG]
    says: Says
    step: NotRequired[Literal["here", "last"]]
    on: NotRequired[str]
    because: Because


class Step(TypedDict):
    """Something that is done when all the rest has been: what it is done with, and what."""

    name: str
    text: str


class Item(TypedDict):
    """A line of the checklist."""

    name: str
    count: Count
    detail: Annotated[str, LONG]
    because: Because


class Section(TypedDict):
    """A part of the checklist, in the order of work."""

    title: str
    items: list[Item]


class Aspect(TypedDict):
    """A heading with the cards of this table that come under it: none is a fact too."""

    title: str
    cards: list[str]


class CostCount(TypedDict):
    """How many Kingdom piles have a cost; the printed * or + is left out of it."""

    cost: str
    count: int


class About(TypedDict):
    """What kind of game it is. Kingdom piles, landscapes and cards set aside are counted."""

    aspects: list[Aspect]
    costs: Annotated[list[CostCount], "of the Kingdom piles, the lowest first"]
    unknown: Annotated[list[str], "cards of which the data at hand say nothing"]


class SecondDeal(TypedDict):
    """A Kingdom dealt anew in the middle of the game: what leaves the table, and what was there and stays."""

    by: str
    leaves: list[str]
    boxes: Annotated[dict[str, str], "by their names, the boxes of the piles that leave"]
    stays: list[str]
    before: Annotated[
        dict[str, int], "by list: how many of its parts, the first ones, were there; the rest is new"
    ]


class Setup(TypedDict):
    """Everything about one table."""

    schema: Literal[1]
    game: str
    title: str
    generator: Generator
    seed: str
    command: Annotated[
        str, LONG, "deals the same table again; for people to read, and never to be run unread"
    ]
    options: Annotated[dict[str, Any], "every option that shaped it, those left at their default left out"]
    players: Annotated[int, {"minimum": 1}]
    boxes: list[Box]
    kingdom: NotRequired[Annotated[list[str], "ids of the Kingdom piles, in the order turned up"]]
    landscape_ids: NotRequired[Annotated[list[str], "ids of the landscapes, likewise"]]
    turned: Annotated[list[Turned], "every randomizer turned up, in order"]
    decisions: list[Decision]
    piles: list[Pile]
    landscapes: list[Landscape]
    decks: list[Deck]
    set_aside: list[SetAside]
    components: list[Component]
    placed: list[PlacedTokens]
    starting_deck: Annotated[list[Card], "each player's"]
    trash: list[Card]
    boxed: Annotated[list[Card], "cards that nobody uses in this game"]
    missing: list[Missing]
    choices: Annotated[list[str], "what setup chose cards for, by the names of the choices"]
    game_end: list[str]
    notes: list[Note]
    last: Annotated[list[Step], "what every deal of the game ends with"]
    checklist: Annotated[list[Section], "the same in the order in which people lay a table out"]
    second_deal: NotRequired[SecondDeal]
    about: NotRequired[Annotated[About, "only where it was asked for"]]
