"""The types of the documents that `rules --json` and `cards --json` print."""

from typing import Annotated, Literal, NotRequired, TypedDict

from randomizer.browse.catalogue import ListedCard
from randomizer.setup.document import LONG

# Texts of entries have paragraphs and lists, so line breaks are allowed.
_LINES = {
    "maxLength": 100_000,
    "pattern": "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$",
}
Texts = Annotated[dict[str, Annotated[str, _LINES]], "a text by language code; it may have several lines"]
Ids = Annotated[list[str], "ids of entries"]


class CardPage(TypedDict):
    """The page of a card in the rulebook."""

    effect: Annotated[Texts, "what the card does"]
    rulings: Annotated[dict[str, list[Annotated[str, LONG]]], "by language code"]
    related: Annotated[Ids, "ids of entries that may answer the question"]
    combinations: Annotated[Ids, "ids of entries about the card together with others"]
    more: Annotated[Ids, "ids of further entries about the card"]
    about_types: Annotated[Ids, "ids of entries about its types"]
    sources: Annotated[list[Texts], "the sources of the page"]


class CardWithPage(ListedCard):
    """A card or landscape. It has a `page` if the command shows only this card and the rulebook covers it."""

    page: NotRequired[CardPage]


class Cards(TypedDict):
    """Cards and landscapes, as `cards --json` prints them."""

    schema: Literal[1]
    cards: Annotated[list[CardWithPage], "in the order of --sort"]


class ShortAnswer(TypedDict):
    """The answer to a question. A direct answer has a `verdict`, a `number` or a `short` text."""

    entry: Annotated[str, "the id of the entry that the answer is from"]
    verdict: Literal["yes", "no"] | None
    number: int | None
    short: NotRequired[Texts]
    text: Annotated[Texts, "a passage that makes sense alone"]


class EarlierWording(TypedDict):
    """The wording of a rule until the year or month in `until`."""

    until: str
    text: Texts


class RuleEntry(TypedDict):
    """An entry of a rulebook."""

    id: str
    game: Annotated[str, "the game of the rulebook"]
    title: Texts
    text: Texts
    excerpt: Annotated[Texts, "the passage that fits the question; empty without a question"]
    older: list[EarlierWording]
    see: Annotated[Ids, "ids of related entries"]
    cards: Annotated[list[str], "names of the cards that it concerns"]
    types: Annotated[list[str], "card types that it concerns"]
    sources: list[Texts]


class Rules(TypedDict):
    """Entries of the rulebooks. The keys from `query` to `answer` are present if there was a query."""

    schema: Literal[1]
    query: NotRequired[str]
    match: NotRequired[Literal["exact", "prefix", "words", "text", "fuzzy", "none"]]
    certainty: NotRequired[Literal["sure", "likely", "guess", "none"]]
    sure: NotRequired[Annotated[bool, "whether `certainty` is `sure`"]]
    unknown_words: NotRequired[Annotated[list[str], "words of the query that no rulebook mentions"]]
    selector: NotRequired[Annotated[str, "the cards that it asks for, as `cards` takes them; may be empty"]]
    on_table: NotRequired[Annotated[Ids, "ids of entries that concern the query and the table of --for"]]
    answer: NotRequired[ShortAnswer | None]
    card: NotRequired[Annotated[str, "the name of the card whose page is the answer"]]
    page: NotRequired[Annotated[CardPage, "that page"]]
    seed: NotRequired[Annotated[str, "the seed of the table whose rules these are"]]
    command: NotRequired[Annotated[str, LONG, "the command that deals that table"]]
    results: Annotated[list[RuleEntry], "the best entry first"]
