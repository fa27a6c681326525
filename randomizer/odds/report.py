"""The odds of a deal as JSON for programs and as a table for people."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.wishes.counting import WorkLimitExceeded
from randomizer.odds.drawn import average_over_boxes
from randomizer.odds.probabilities import DealOdds, OddsSummary, Probability, sort_slots
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language
from randomizer.text.width import render_table

SCHEMA = 1
JsonProbability = Mapping[str, Any]  # a probability as in `_to_json`
_IMPOSSIBLE = Probability(Fraction(0))
_MAX_SHOWN_NAMES = 3  # names shown of a group of cards with the same probability
_TOO_MANY_WISHES = "there are too many wishes or weights to calculate the odds; remove some."
_TOO_MANY_WEIGHTS = (
    "the weights divide the cards into {count} groups, too many to calculate the odds; use fewer "
    "different weights."
)


def build_odds(game: Game, request: Request, cards: Iterable[Card]) -> dict[str, Any]:
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


def _build_document(game: Game, request: Request, cards: Sequence[Card]) -> dict[str, Any]:
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
    return {
        "schema": SCHEMA,
        "game": game.name,
        "sets": list(request.chosen),
        "players": request.players,
        **({"veto": request.veto_count} if request.veto_count else {}),
        **_build_wishes(odds, request),
        "landscapes": [
            {"number": int(count), **_to_json(probability.exact)}
            for count, probability in probabilities["landscapes"].items()
        ],
        "kinds": [{"kind": kind, **_to_json(kinds[kind].exact)} for kind in game.kinds if kind in kinds],
        "decisions": [
            {"title": title, **_to_json(probability.exact)}
            for title, probability in probabilities["decision"].items()
        ],
        **_build_kingdom(odds),
        "needed": [
            {"choice": slot, **_to_json_with_left_out(needed[slot])} for slot in sort_slots(game, needed)
        ],
        "cards": [
            {
                "name": card.name,
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


def _summarize(game: Game, request: Request, cards: Sequence[Card]) -> OddsSummary:
    """Return the probabilities for the request, given its wishes."""
    if request.wishes.box_count:
        return average_over_boxes(game, request, cards)
    odds = DealOdds(game, request)
    odds.require_possible()
    return odds.summarize(cards)


def _build_wishes(odds: OddsSummary, request: Request) -> dict[str, Any]:
    """Return the part about the wishes: options, the probability of each wish, and that of all wishes."""
    options = request.wishes.to_options()
    if not odds.is_conditional:
        return {"options": options} if options else {}
    each = [{"wish": text, **_to_json(probability)} for text, probability in odds.probability_by_wish.items()]
    return {"options": options, "wishes": {"each": each, "all": _to_json(odds.wishes_probability)}}


def _build_kingdom(odds: OddsSummary) -> dict[str, Any]:
    """Return the part about the Kingdom cards, in groups if their probabilities may differ."""
    if not odds.is_conditional:
        return {"kingdom": {"cards": len(odds.kingdom), **_to_json(odds.kingdom_groups[0][1])}}
    groups = [
        {"cards": len(cards), "names": [card.name for card in cards], **_to_json(probability)}
        for cards, probability in odds.kingdom_groups
    ]
    return {"kingdom": {"cards": len(odds.kingdom), "alike": groups}}


def _to_json(probability: Fraction) -> dict[str, Any]:
    return {"exact": str(probability), "percent": float(100 * probability)}


def _to_json_with_left_out(probability: Probability) -> dict[str, Any]:
    return {**_to_json(probability.exact), "left_out": list(probability.left_out)}


def render_odds(odds: Mapping[str, Any], game: Game, language: Language, columns: int) -> str:
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


def _list_rows(
    odds: Mapping[str, Any], game: Game, language: Language
) -> Iterator[tuple[str, JsonProbability]]:
    """Yield a (label, probability) pair for each row of the table."""
    translate, name = language.translate, language.translate_name
    for entry in odds["wishes"]["each"] if "wishes" in odds else ():
        yield entry["wish"], entry
    if "wishes" in odds and len(odds["wishes"]["each"]) > 1:
        yield translate("all of the above"), odds["wishes"]["all"]
    for entry in odds["landscapes"]:
        yield translate("landscapes used: {count}", count=entry["number"]), entry
    for entry in odds["kinds"]:
        yield translate("at least one of: {text}", text=translate(game.kinds[entry["kind"]].title)), entry
    for entry in odds["decisions"]:
        yield translate(entry["title"]), entry
    for entry in odds["needed"]:
        yield translate("{text} needed", text=name(entry["choice"])), entry
    for entry in odds["kingdom"].get("alike", ()):
        shown_names = language.translate_names(entry["names"][:_MAX_SHOWN_NAMES])
        ellipsis = " …" if len(entry["names"]) > _MAX_SHOWN_NAMES else ""
        if entry["cards"] > 1:
            yield (
                translate(
                    "each of the {count} Kingdom cards: {text}",
                    count=entry["cards"],
                    text=shown_names + ellipsis,
                ),
                entry,
            )
        else:
            yield translate("{card}, drawn", card=entry["names"][0]), entry
    if "exact" in odds["kingdom"]:
        yield translate("each of the {count} Kingdom cards", count=odds["kingdom"]["cards"]), odds["kingdom"]
    for entry in odds["cards"]:
        if entry["turned_up"]:
            yield translate("{card}, drawn", card=entry["name"]), entry["turned_up"]
        if entry["on_table"]:
            yield translate("{card}, on the table in any way", card=entry["name"]), entry["on_table"]


def format_percent(entry: JsonProbability) -> str:
    """Format a probability as a percentage with about four digits; 0 % and 100 % are always exact."""
    chance = Fraction(entry["exact"])
    if chance in (0, 1):
        return f"{100 * chance} %"
    percentage = f"{entry['percent']:.2f}" if entry["percent"] >= 1 else f"{entry['percent']:.2g}"
    return f"{percentage if percentage != '100.00' else '>99.99'} %"


def _describe_left_out(entry: JsonProbability, language: Language) -> str:
    """Return a note about the choices that a probability does not include; an empty string if none."""
    slots = entry.get("left_out", ())
    return (
        language.translate(
            "not counting cards that come through {text}", text=language.translate_names(slots)
        )
        if slots
        else ""
    )
