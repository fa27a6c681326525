"""The types of the setup document, which `--json` prints and `show` reads.

This is a stable interface. New versions may add keys, but renaming or removing a key requires a new `SCHEMA`.

`schema.py` generates the published JSON Schema from these classes, and validates documents with it. The
docstrings and annotations are the descriptions in the schema. Numbers, texts and lists have default limits,
which annotations with keywords of JSON Schema override.

A `name` is in English. Its translation is in `names`, by language code. `Prose` and `Sentence` are all other
texts for people: they are in English and in the language in which the table was dealt (`languages`).
Each key has the same meaning and the same type wherever it occurs. A table in `docs/json.md` lists all keys.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

SCHEMA = 2

LONG = {"maxLength": 100_000}  # in characters; for texts that may be longer than a phrase

Prose = Annotated[
    dict[str, Annotated[str, LONG]], {"required": ["en"]}, "a text in each language of the document, by code"
]
Because = Annotated[
    list[str], {"maxItems": 100}, "the names of its causes; each cause follows its own causes"
]
Count = Annotated[int | None, "null for a shared heap without a fixed size"]
Per = Literal["game", "player"]
Place = Literal["kingdom", "supply", "beside"]
Among = Literal["unused", "table", "starting deck", "boxes"]


class Named(TypedDict):
    """Something with a name in English. If its translation is different, it is in `names`."""

    name: str
    names: NotRequired[
        Annotated[dict[str, str], "its translations by language code, unless they are the same"]
    ]


class NamedCard(Named):
    """A card. Its `id` is its name as users type it, and never changes with the version or the language."""

    id: str


class CardCost(TypedDict):
    """The cost of a card: amounts of $, Potions and Debt. `mark` is the printed * or +, if any."""

    coins: int
    potion: int
    debt: int
    mark: Literal["", "*", "+"]


PrintedCost = Annotated[CardCost | None, "null for a card without a cost"]


class Facts(NamedCard):
    """A card. `box` is the box to fetch it from."""

    set: str
    box: str
    cost: PrintedCost
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


class Sentence(TypedDict):
    """A text, with the English template from which programs can translate it to any other language."""

    text: Prose
    phrase: Annotated[str, "the template, with placeholders such as {card}"]
    values: Annotated[dict[str, str | int], "the values of the placeholders; names are in English"]


class Turned(NamedCard):
    """A randomizer card that was turned up."""

    use: Literal["kingdom", "landscape", "skipped"]
    position: NotRequired[Annotated[int, "its position among the Kingdom piles, from 1"]]
    reason: NotRequired[Annotated[Sentence, "why it was skipped"]]


class Decision(TypedDict):
    """A yes-or-no question of setup, and the card that decided it; null if none did."""

    question: str
    title: Prose
    answer: bool
    possible: Annotated[bool, "whether a Kingdom card of the chosen boxes could make it a yes"]
    decided_by: str | None
    reason: Sentence


class Member(NamedCard):
    """A card of a mixed pile."""

    cost: PrintedCost
    types: list[str]
    count: Count


class Pile(Facts):
    """A pile.

    Its `place` is `kingdom` for the ten Kingdom piles, a Bane or an added Attack pile, `supply` for basic
    cards, and `beside` for piles outside the Supply.
    """

    place: Place
    count: Count
    stock: NotRequired[Annotated[int, "the number of cards before the starting decks are dealt"]]
    in_box: NotRequired[Annotated[int, "the number of cards in one box, if some games need more"]]
    shuffled: NotRequired[bool]
    note: NotRequired[Annotated[Prose, "a remark, such as how to lay it out"]]
    group: NotRequired[Annotated[Prose, "the heading under which it is listed"]]
    members: Annotated[list[Member], "the cards of a mixed pile, from the top"]
    marks: Annotated[list[str], "what chose this pile: the name of a choice, a card or a landscape"]
    because: Because


class Landscape(NamedCard):
    """A landscape, such as an Event, an Ally or a Prophecy. `on` is the pile that it belongs to, if any."""

    kind: str
    group: Annotated[Prose, "the heading under which it is listed"]
    set: str
    box: str
    cost: PrintedCost
    on: NotRequired[str]
    location: NotRequired[Annotated[Sentence, "where it lies, such as under that pile"]]
    pile_remark: NotRequired[Annotated[Sentence, "the remark on the line of that pile"]]
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
        "for": Annotated[
            str, "the choice for which too few cards were left, or what the boxes have too little of"
        ],
        "wanted": Annotated[int | None, "the number of cards to choose; null for at least one"],
        "found": int,
        "among": NotRequired[
            Annotated[
                Among,
                "the cards that were searched; by default, the unused ones; "
                "`boxes` means what earlier tables of a series have left in the boxes",
            ]
        ],
        "query": Annotated[dict[str, list[str | int]], "the requirements for a card"],
        "help": Annotated[list[str], "slugs of other boxes with such cards"],
        "because": Because,
    },
)


class Component(Named):
    """A mat, tokens or cubes; also a State or an Artifact, which are cards and have an `id` and a `box`."""

    id: NotRequired[str]
    kind: str
    box: NotRequired[Annotated[str, "the box to fetch it from, if it is a card"]]
    count: Count
    one: NotRequired[Annotated[Prose, "its name in the singular"]]
    stock: NotRequired[Annotated[int, "the number of tokens before some of them are placed"]]
    per: Per
    note: NotRequired[Prose]
    because: Because


class PlacedTokens(Named):
    """Tokens that start on a pile, a landscape or a mat."""

    kind: str
    count: int
    one: NotRequired[Annotated[Prose, "its name in the singular"]]
    on: str
    location: Annotated[Sentence, "where they lie there"]
    per: NotRequired[Per]
    because: Because


class Card(NamedCard):
    """Copies of one card in each starting deck, in the trash or back in the box."""

    box: NotRequired[str]
    count: int
    note: NotRequired[Annotated[Prose, "a remark, such as how to return them to the box"]]
    because: Because


class Note(Sentence):
    """A note to the players: a reminder, or a step of setup.

    A step with `here` is done when the thing in `on` is laid out; one with `last` is done at the end.
    """

    step: NotRequired[Literal["here", "last"]]
    on: NotRequired[str]
    because: Because


class Step(Named):
    """A final step of setup: the name of the thing that it concerns, and the instruction."""

    text: Prose


class Item(Named):
    """A line of the checklist."""

    count: Count
    detail: Annotated[Prose, "its cost, its types and all remarks; may be empty"]
    because: Because


class Section(TypedDict):
    """A section of the checklist."""

    title: Prose
    items: list[Item]


class Aspect(TypedDict):
    """A category, and the cards of this table that belong to it. The list may be empty."""

    title: Prose
    cards: list[str]


class CostCount(TypedDict):
    """The number of Kingdom piles with a certain cost, ignoring a printed * or +."""

    cost: CardCost
    count: int


class About(TypedDict):
    """A summary of the game. It covers the Kingdom piles, landscapes and cards that are set aside."""

    aspects: list[Aspect]
    costs: Annotated[list[CostCount], "the costs of the Kingdom piles, in ascending order"]
    unknown: Annotated[list[str], "cards that the card data do not contain"]


class LeavingPile(Named):
    """A pile that leaves the table in a second deal, and the box to return it to."""

    box: str


class SecondDeal(TypedDict):
    """A replacement of the Kingdom during the game: what leaves the table, and what stays on it."""

    by: str
    leaves: Annotated[list[LeavingPile], "the piles that leave"]
    kept_counts: Annotated[
        dict[str, int],
        "by key of the document, the number of items at the start of the list that stay; the rest are new",
    ]


class Vetoes(TypedDict):
    """A veto. As long as it is open, the document has all dealt cards, and nothing that they need."""

    max_count: Annotated[int, "the number of extra Kingdom cards, and the maximum number of vetoes"]
    vetoed: Annotated[list[str] | None, "the names of the vetoed cards; null as long as the veto is open"]


class Setup(TypedDict):
    """The complete setup of one table."""

    schema: Literal[2]
    game: str
    title: Annotated[Prose, "the title of the game"]
    languages: Annotated[list[str], "the codes of the languages of all texts and names; English comes first"]
    generator: Generator
    seed: str
    command: Annotated[
        str, LONG, "deals the same table again; it is for people, so read it before you run it"
    ]
    options: Annotated[dict[str, Any], "the options of the deal that differ from their defaults"]
    players: Annotated[int, {"minimum": 1}]
    boxes: list[Box]
    kingdom: Annotated[list[str], "ids of the Kingdom piles, in the order of `piles`"]
    landscape_ids: Annotated[list[str], "ids of the landscapes, in the order in which they were added"]
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
    game_end: Annotated[list[Prose], "the events that end the game"]
    notes: list[Note]
    last: Annotated[list[Step], "the final steps; after a second deal only the new ones"]
    checklist: Annotated[
        list[Section], "the parts of this document, in the order in which to lay out the table"
    ]
    second_deal: NotRequired[SecondDeal]
    vetoes: NotRequired[Vetoes]
    about: NotRequired[Annotated[About, "present only on request"]]
