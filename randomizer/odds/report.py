"""The odds of a deal as JSON for programs and as a table for people."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.growing import list_questions
from randomizer.deal.wishes.counting import WorkLimitExceeded
from randomizer.odds.drawn import average_over_boxes
from randomizer.odds.probabilities import DealOdds, OddsSummary, Probability, sort_slots
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language
from randomizer.text.slugs import slugify
from randomizer.text.width import render_table

_LONG = {"maxLength": 100_000}  # in characters
_IMPOSSIBLE = Probability(Fraction(0))
_MAX_SHOWN_NAMES = 3  # names shown of a group of cards with the same probability
_TOO_MANY_WISHES = "there are too many wishes or weights to calculate the odds; remove some."
_TOO_MANY_WEIGHTS = (
    "the weights divide the cards into {count} groups, too many to calculate the odds; use fewer "
    "different weights."
)


class JsonProbability(TypedDict):
    """A probability, as a fraction and in percent."""

    exact: Annotated[str, _LONG, "a fraction, 0 or 1"]
    percent: float


class PartialProbability(JsonProbability):
    """A probability that may leave out some ways in which the event can come about."""

    left_out: Annotated[list[str], "the names of the choices and decisions that are left out"]


class WishOdds(JsonProbability):
    """The probability that a deal without wishes meets this wish."""

    wish: Annotated[str, _LONG]


class WishesOdds(TypedDict):
    """The probabilities that a deal without wishes meets each wish, or all of them."""

    each: list[WishOdds]
    all: JsonProbability


class LandscapeCountOdds(JsonProbability):
    """The probability of this number of landscapes."""

    count: int


class KindOdds(JsonProbability):
    """The probability of at least one landscape of a kind."""

    kind: str


class DecisionOdds(JsonProbability):
    """The probability that the answer to a yes-or-no question of setup is yes."""

    question: Annotated[str, "the slug of the question"]


class CardGroupOdds(JsonProbability):
    """The probability of each of some Kingdom cards, which are equally likely, to be turned up."""

    kingdom_cards: Annotated[list[str], "the names of the cards"]


class ChoiceOdds(PartialProbability):
    """The probability that a choice, such as an Ally, is needed."""

    choice: str


class CardOdds(TypedDict):
    """The odds of a card. Its `id` is its name as users type it."""

    name: Annotated[str, "in English"]
    id: str
    turned_up: Annotated[JsonProbability | None, "null if it never is"]
    on_table: Annotated[
        PartialProbability | None, "in any way; null with --veto, because the players decide what stays"
    ]


class Odds(TypedDict):
    """The odds of a deal. If there are wishes, the probabilities are those of deals that meet all of them."""

    schema: Literal[1]
    game: str
    boxes: Annotated[list[str], "slugs of the chosen boxes"]
    players: Annotated[int, {"minimum": 1}]
    veto: NotRequired[Annotated[int, "the number of extra Kingdom cards for a veto"]]
    options: Annotated[dict[str, Any], "the wishes, as in setup documents"]
    wishes: NotRequired[Annotated[WishesOdds, "present if there are wishes or weights"]]
    landscapes_used: list[LandscapeCountOdds]
    kinds: list[KindOdds]
    decisions: list[DecisionOdds]
    kingdom_groups: Annotated[list[CardGroupOdds], "the Kingdom cards of the boxes, by probability"]
    needed: list[ChoiceOdds]
    cards: Annotated[list[CardOdds], "the cards that were asked for"]


def build_odds(game: Game, request: Request, cards: Iterable[Card]) -> Odds:
    """Return the odds as JSON data. Each probability consists of an exact fraction and a percentage.

    Args:
        game: the game that is dealt.
        request: the request for the deal.
        cards: the cards whose own odds to include.

    Raises:
        BadOptions: as for `DealOdds`; or no deal can meet the wishes, there are too many wishes, or a card
            that is never turned up is to be included together with extra cards for a veto.
        TooFewCards: as for `DealOdds`.
    """
    try:
        return _build_document(game, request, tuple(cards))
    except WorkLimitExceeded as problem:
        if problem.stratum_count:
            raise BadOptions(_TOO_MANY_WEIGHTS, count=problem.stratum_count) from None
        raise BadOptions(_TOO_MANY_WISHES) from None


def _build_document(game: Game, request: Request, cards: Sequence[Card]) -> Odds:
    odds = _summarize(game, request, cards)
    turned_up = {card.name for card in (*odds.kingdom, *odds.landscapes)}
    for card in cards if request.veto_count else ():
        if card.name not in turned_up:
            raise BadOptions(
                "with --veto, {card} has no odds: the vetoes decide what is needed.", card=card.name
            )
    probabilities: dict[str, dict[str, Probability]] = defaultdict(dict)
    for (subject, name), probability in odds.probabilities.items():
        probabilities[subject][name] = probability
    kinds, needed = probabilities["kind"], probabilities["needed"]
    document: Odds = {
        "schema": 1,
        "game": game.name,
        "boxes": list(request.chosen),
        "players": request.players,
        "options": {**request.wishes.to_options()},
        "landscapes_used": [
            {"count": int(count), **_to_json(probability.exact)}
            for count, probability in probabilities["landscapes"].items()
        ],
        "kinds": [{"kind": kind, **_to_json(kinds[kind].exact)} for kind in game.kinds if kind in kinds],
        "decisions": [
            {
                "question": question.question,
                **_to_json(probabilities["decision"][question.title].exact),
            }
            for question in list_questions(game.opening)
            if question.title in probabilities["decision"]
        ],
        "kingdom_groups": [
            {"kingdom_cards": [card.name for card in group], **_to_json(probability)}
            for group, probability in odds.kingdom_groups
        ],
        "needed": [
            {"choice": slot, **_to_json_with_left_out(needed[slot])} for slot in sort_slots(game, needed)
        ],
        "cards": [
            {
                "name": card.name,
                "id": slugify(card.name),
                "turned_up": _to_json(probabilities["turned up"].get(card.name, _IMPOSSIBLE).exact)
                if card.name in turned_up
                else None,
                "on_table": None
                if request.veto_count
                else _to_json_with_left_out(probabilities["on table"][card.name]),
            }
            for card in cards
        ],
    }
    if request.veto_count:
        document["veto"] = request.veto_count
    if odds.is_conditional:
        document["wishes"] = {
            "each": [
                {"wish": text, **_to_json(probability)}
                for text, probability in odds.probability_by_wish.items()
            ],
            "all": _to_json(odds.wishes_probability),
        }
    return document


def _summarize(game: Game, request: Request, cards: Sequence[Card]) -> OddsSummary:
    """Return the probabilities for the request, given its wishes."""
    if request.wishes.box_count:
        return average_over_boxes(game, request, cards)
    odds = DealOdds(game, request)
    odds.require_possible()
    return odds.summarize(cards)


def _to_json(probability: Fraction) -> JsonProbability:
    return {"exact": str(probability), "percent": float(100 * probability)}


def _to_json_with_left_out(probability: Probability) -> PartialProbability:
    return {**_to_json(probability.exact), "left_out": list(probability.left_out)}


def render_odds(odds: Odds, game: Game, language: Language, columns: int) -> str:
    """Return the odds as a table.

    Args:
        odds: the odds, as returned by `build_odds`.
        game: the game that is dealt.
        language: the language of the table.
        columns: the width of the screen, in terminal columns.
    """
    rows = [
        (label, format_percent(entry), _describe_left_out(entry, language))
        for label, entry in _list_rows(odds, game, language)
    ]
    return "\n".join(render_table((), rows, columns, right=[1]))


def _list_rows(odds: Odds, game: Game, language: Language) -> Iterator[tuple[str, JsonProbability]]:
    """Yield a (label, probability) pair for each row of the table."""
    translate, name = language.translate, language.translate_name
    if "wishes" in odds:
        for wish in odds["wishes"]["each"]:
            yield wish["wish"], wish
        if len(odds["wishes"]["each"]) > 1:
            yield translate("all of the above"), odds["wishes"]["all"]
    for number in odds["landscapes_used"]:
        yield translate("landscapes used: {count}", count=number["count"]), number
    for kind in odds["kinds"]:
        yield translate("at least one of: {text}", text=translate(game.kinds[kind["kind"]].title)), kind
    titles = {question.question: question.title for question in list_questions(game.opening)}
    for decision in odds["decisions"]:
        yield translate(titles[decision["question"]]), decision
    for choice in odds["needed"]:
        yield translate("{text} needed", text=name(choice["choice"])), choice
    for group in odds["kingdom_groups"]:
        yield _describe_group(group["kingdom_cards"], language, are_all="wishes" not in odds), group
    for card in odds["cards"]:
        if card["turned_up"]:
            yield translate("{card}, drawn", card=card["name"]), card["turned_up"]
        if card["on_table"]:
            yield translate("{card}, on the table in any way", card=card["name"]), card["on_table"]


def _describe_group(names: Sequence[str], language: Language, *, are_all: bool) -> str:
    """Return the label of a group of Kingdom cards with the same probability.

    Args:
        names: the names of the cards.
        language: the language of the label.
        are_all: whether there are no other Kingdom cards, so that their names are omitted.
    """
    if are_all:
        return language.translate("each of the {count} Kingdom cards", count=len(names))
    if len(names) == 1:
        return language.translate("{card}, drawn", card=names[0])
    ellipsis = " …" if len(names) > _MAX_SHOWN_NAMES else ""
    return language.translate(
        "each of the {count} Kingdom cards: {text}",
        count=len(names),
        text=language.translate_names(names[:_MAX_SHOWN_NAMES]) + ellipsis,
    )


def format_percent(entry: JsonProbability) -> str:
    """Format a probability as a percentage with about four digits; 0 % and 100 % are always exact."""
    chance = Fraction(entry["exact"])
    if chance in (0, 1):
        return f"{100 * chance} %"
    percentage = f"{entry['percent']:.2f}" if entry["percent"] >= 1 else f"{entry['percent']:.2g}"
    return f"{percentage if percentage != '100.00' else '>99.99'} %"


def _describe_left_out(entry: JsonProbability, language: Language) -> str:
    """Return a note about the choices that a probability does not include; an empty string if none."""
    slots: Iterable[str] = entry.get("left_out", ())  # type: ignore[assignment]  # PartialProbability
    return (
        language.translate(
            "not counting cards that come through {text}", text=language.translate_names(slots)
        )
        if slots
        else ""
    )
