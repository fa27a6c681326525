"""The setup document: what `--json` prints and `show` reads back; a promise to other programs.

The classes are its shape: `schema.py` makes the published JSON Schema of them and checks documents by
them. Keys are added, never renamed or dropped; where that cannot be kept, `SCHEMA` goes up.

Names are English; the same name in another language stands beside it under the language's code (`ja`).
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

SCHEMA = 1

Because = Annotated[list[str], "why it is out: each cause after whatever brought that cause out"]
Count = Annotated[int | None, "null: a common heap with no fixed number"]
Per = Literal["game", "player"]
Place = Literal["kingdom", "supply", "beside"]


class Named(TypedDict):
    """Something with a name; beside it the Japanese one, where there is one."""

    name: str
    ja: NotRequired[str]


class Facts(Named):
    """A card: `box` is where to fetch it from, `cost` as printed ("" for what has none)."""

    set: str
    box: str
    cost: str
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


class Turned(Named):
    """A randomizer turned up; `kingdom` numbers the ten."""

    use: Literal["kingdom", "landscape", "skipped"]
    kingdom: NotRequired[int]
    because: NotRequired[str]
    says: NotRequired[Says]


class Decision(TypedDict):
    """A question that setup answers by looking at a card; null: the answer was asked for."""

    question: str
    title: str
    answer: bool
    decided_by: str | None
    because: str
    says: Says


class Member(Named):
    """A card of a mixed pile."""

    cost: str
    types: list[str]
    count: Count


class Pile(Facts):
    """A pile. `kingdom`: the ten, a Bane, an added Attack pile; `supply`: the basics; `beside`: the rest."""

    place: Place
    supply: bool
    count: Count
    stock: NotRequired[Annotated[int, "how many there are before the starting decks are dealt from them"]]
    shuffled: NotRequired[bool]
    note: NotRequired[Annotated[str, "how it lies"]]
    group: NotRequired[Annotated[str, "the heading it stands under"]]
    members: Annotated[list[Member], "of a mixed pile, top first"]
    marks: Annotated[list[str], "Bane, Ferryman, Obelisk, a Trait's name ..."]
    because: Because


class Landscape(Named):
    """An Event, Landmark, Project, Way or Trait, the Ally, the Prophecy; `on` a pile."""

    kind: str
    group: Annotated[str, "the heading it stands under"]
    set: str
    box: str
    cost: str
    on: NotRequired[str]
    player: NotRequired[Annotated[int, "whose it is, from 1"]]
    because: Because


class Deck(Named):
    """A shuffled deck, top first, without the cards turned face up beside it; `count` is its size."""

    cards: list[str]
    face_up: list[str]
    count: Count
    contents: Annotated[list[Facts], "the same cards with their facts, those face up included"]
    because: Because


# `for` is no name in Python, so these two are written as calls.
SetAside = TypedDict(
    "SetAside",
    {
        "name": str,
        "ja": NotRequired[str],
        "set": str,
        "box": str,
        "cost": str,
        "types": list[str],
        "for": Annotated[str, "the card it is set aside for"],
        "because": Because,
    },
)
Missing = TypedDict(
    "Missing",
    {
        "for": Annotated[str, "the choice that no unused card was left for"],
        "wanted": Annotated[int | None, "null: at least one"],
        "found": int,
        "query": Annotated[dict[str, list[str | int]], "what a card has to be"],
        "help": Annotated[list[str], "slugs of boxes that hold such cards"],
        "because": Because,
    },
)


class Component(Named):
    """A mat, a heap of tokens, cubes, a State, an Artifact."""

    kind: str
    count: Count
    per: Per
    note: NotRequired[str]
    because: Because


class PlacedTokens(Named):
    """Tokens that start on something: a pile, a landscape or a mat."""

    kind: str
    count: int
    on: str
    says: Annotated[Says, "how they lie there"]
    per: NotRequired[Per]
    because: Because


class Card(Named):
    """Cards of one name: in each starting deck, in the trash, back in the box."""

    count: int
    because: Because


class Note(TypedDict):
    """Something to tell the players."""

    text: str
    says: Says
    because: Because


class Item(TypedDict):
    """A line of the checklist."""

    name: str
    count: Count
    detail: str
    because: list[str]


class Section(TypedDict):
    """A part of the checklist, in the order of work."""

    title: str
    items: list[Item]


class SecondDeal(TypedDict):
    """A Kingdom dealt anew in the middle of the game: what leaves the table, and what was there and stays."""

    by: str
    leaves: list[str]
    boxes: NotRequired[Annotated[dict[str, str], "by their names, the boxes of the piles that leave"]]
    stays: list[str]
    before: NotRequired[
        Annotated[
            dict[str, int], "by list: how many of its entries, the first ones, were there; the rest is new"
        ]
    ]


class Setup(TypedDict):
    """Everything about one table."""

    schema: Literal[1]
    game: str
    title: str
    generator: Generator
    seed: str
    command: Annotated[str, "deals the same table again"]
    options: Annotated[dict[str, Any], "every option that shaped it, those left at their default left out"]
    players: int
    boxes: list[Box]
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
    choices: Annotated[list[str], "what setup chose cards for: Bane, Ally, Boons ..."]
    game_end: list[str]
    notes: list[Note]
    checklist: Annotated[list[Section], "the same in the order in which people lay a table out"]
    second_deal: NotRequired[SecondDeal]
