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
Figure = Mapping[str, Any]
_NEVER = Probability(Fraction(0))
_MAX_NAMES = 3  # names shown of a group of cards with the same probability
_TOO_MANY = "there are too many wishes or weights to calculate the odds; remove some."
_TOO_MANY_WEIGHTS = (
    "the weights divide the cards into {count} groups, too many to calculate the odds; use fewer "
    "different weights."
)


def build_odds(game: Game, request: Request, cards: Iterable[Card]) -> dict[str, Any]:
    """Return the odds as JSON data. Each probability is an exact fraction, as text, with a percentage.

    Args:
        game: the game that is dealt.
        request: the request for the deal.
        cards: further cards whose odds to include.

    Raises:
        BadOptions: see `DealOdds`; or no deal can meet the wishes, there are too many wishes, or a card that
            is never turned up is to be included together with extra cards for a veto.
        TooFewCards: see `DealOdds`.
    """
    try:
        return _build_document(game, request, tuple(cards))
    except WorkLimitExceeded as problem:
        if problem.stratum_count:
            raise BadOptions(_TOO_MANY_WEIGHTS, count=problem.stratum_count) from None
        raise BadOptions(_TOO_MANY) from None


def _build_document(game: Game, request: Request, cards: Sequence[Card]) -> dict[str, Any]:
    odds = _summarize(game, request, cards)
    turned_up = {card.name for card in (*odds.kingdom, *odds.landscapes)}
    for card in cards if request.veto_count else ():
        if card.name not in turned_up:
            raise BadOptions(
                "with --veto, {card} has no odds: the vetoes decide what is needed.", card=card.name
            )
    figures: dict[str, dict[str, Probability]] = defaultdict(dict)
    for (subject, name), figure in odds.figures.items():
        figures[subject][name] = figure
    kinds, needed = figures["kind"], figures["needed"]
    return {
        "schema": SCHEMA,
        "game": game.name,
        "sets": list(request.chosen),
        "players": request.players,
        **({"veto": request.veto_count} if request.veto_count else {}),
        **_build_wishes(odds, request),
        "landscapes": [
            {"number": int(count), **_to_json(figure.exact)}
            for count, figure in figures["landscapes"].items()
        ],
        "kinds": [{"kind": kind, **_to_json(kinds[kind].exact)} for kind in game.kinds if kind in kinds],
        "decisions": [
            {"title": title, **_to_json(figure.exact)} for title, figure in figures["decision"].items()
        ],
        **_build_kingdom(odds),
        "needed": [{"choice": slot, **_with_left_out(needed[slot])} for slot in sort_slots(game, needed)],
        "cards": [
            {
                "name": card.name,
                "turned_up": _to_json(figures["turned up"].get(card.name, _NEVER).exact)
                if card.name in turned_up
                else None,
                "on_table": None if request.veto_count else _with_left_out(figures["on table"][card.name]),
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
    """Return the wishes with the probability of each, and the probability of all together."""
    options = request.wishes.to_options()
    if not odds.is_conditional:
        return {"options": options} if options else {}
    each = [{"wish": text, **_to_json(probability)} for text, probability in odds.each.items()]
    return {"options": options, "wishes": {"each": each, "all": _to_json(odds.wishes)}}


def _build_kingdom(odds: OddsSummary) -> dict[str, Any]:
    """Return the probabilities of the Kingdom cards, grouped by probability if there are wishes."""
    if not odds.is_conditional:
        return {"kingdom": {"cards": len(odds.kingdom), **_to_json(odds.groups[0][1])}}
    groups = [
        {"cards": len(cards), "names": [card.name for card in cards], **_to_json(probability)}
        for cards, probability in odds.groups
    ]
    return {"kingdom": {"cards": len(odds.kingdom), "alike": groups}}


def _to_json(probability: Fraction) -> dict[str, Any]:
    return {"exact": str(probability), "percent": float(100 * probability)}


def _with_left_out(probability: Probability) -> dict[str, Any]:
    return {**_to_json(probability.exact), "left_out": list(probability.left_out)}


def render_odds(odds: Mapping[str, Any], game: Game, language: Language, columns: int) -> str:
    """Return the odds as a table that fits a screen of this width."""
    rows = [
        (label, format_percent(entry), _describe_left_out(entry, language))
        for label, entry in _list_rows(odds, game, language)
    ]
    return "\n".join(render_table((), rows, columns, right=[1]))


def _list_rows(odds: Mapping[str, Any], game: Game, language: Language) -> Iterator[tuple[str, Figure]]:
    """Yield the rows of the table: a label and a figure each."""
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
        some = language.translate_names(entry["names"][:_MAX_NAMES])
        ellipsis = " …" if len(entry["names"]) > _MAX_NAMES else ""
        if entry["cards"] > 1:
            yield (
                translate(
                    "each of the {count} Kingdom cards: {text}", count=entry["cards"], text=some + ellipsis
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


def format_percent(entry: Figure) -> str:
    """Return the percentage with about four digits. The result is 0 % or 100 % only if that is exact."""
    chance = Fraction(entry["exact"])
    if chance in (0, 1):
        return f"{100 * chance} %"
    shown = f"{entry['percent']:.2f}" if entry["percent"] >= 1 else f"{entry['percent']:.2g}"
    return f"{shown if shown != '100.00' else '>99.99'} %"


def _describe_left_out(entry: Figure, language: Language) -> str:
    """Return a note about the choices that the figure does not include, or an empty text."""
    slots = entry.get("left_out", ())
    return (
        language.translate(
            "not counting cards that come through {text}", text=language.translate_names(slots)
        )
        if slots
        else ""
    )
