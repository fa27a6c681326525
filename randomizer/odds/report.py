"""The odds of a deal for people and programs: what `Chances` works out, with its names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from randomizer.cards.game import Game, Request
from randomizer.cards.model import Card
from randomizer.deal.wishes.counting import WorkLimitExceeded
from randomizer.odds.drawn import DrawnBoxes
from randomizer.odds.given import GivenWishes, chances_with
from randomizer.odds.probabilities import Chance, Chances
from randomizer.text.errors import BadOptions
from randomizer.text.language import Language
from randomizer.text.width import render_table

SCHEMA = 1
_SOME = 3  # names of cards that are alike
_TOO_MANY = "there are too many wishes or weights to tell the odds of; leave some out."
Figure = Mapping[str, Any]
_TOO_MANY_WEIGHTS = (
    "weights part the cards into {count} heaps that come up more and less readily, which are too many to "
    "tell the odds of; give fewer different weights."
)


def odds(game: Game, request: Request, cards: Iterable[Card]) -> dict[str, Any]:
    """The odds as JSON: exact fractions as text, with percent beside them.

    Args:
        cards: of which the odds are wanted too.

    Raises:
        BadOptions, TooFewCards: as `Chances` does; or no deal can meet the wishes, or there are too many.
    """
    cards = tuple(cards)
    chances = _chances_of(game, request, cards)
    turned_up = {card.name for card in (*chances.kingdom, *chances.landscapes)}
    return {
        "schema": SCHEMA,
        "game": game.name,
        "sets": list(request.chosen),
        "players": request.players,
        **_wishes(chances, request),
        "landscapes": [
            {"number": number, **_exact(chance)} for number, chance in enumerate(chances.landscapes_used())
        ],
        "kinds": [{"kind": kind, **_exact(chance)} for kind, chance in chances.kinds_used().items()],
        "decisions": [{"title": title, **_exact(chance)} for title, chance in chances.decisions().items()],
        **_kingdom(chances),
        "needed": [{"choice": slot, **_with_left_out(chances.needed(slot))} for slot in chances.asked_for()],
        "cards": [
            {
                "name": card.name,
                "turned_up": _exact(chances.turned_up(card)) if card.name in turned_up else None,
                "on_table": _with_left_out(chances.on_table(card.name)),
            }
            for card in cards
        ],
    }


def _chances_of(game: Game, request: Request, cards: Sequence[Card]) -> Chances | DrawnBoxes:
    """What a deal may bring, given what is wished for."""
    try:
        if request.wishes.box_count:
            return DrawnBoxes(game, request, cards)
        chances = chances_with(game, request)
    except WorkLimitExceeded as problem:
        if problem.stratum_count:
            raise BadOptions(_TOO_MANY_WEIGHTS, count=problem.stratum_count) from None
        raise BadOptions(_TOO_MANY) from None
    if isinstance(chances, GivenWishes):
        chances.require_possible()
    return chances


def _wishes(chances: Chances | DrawnBoxes, request: Request) -> dict[str, Any]:
    """What is wished for, and how likely it is by itself."""
    wished = request.wishes.to_options()
    if not isinstance(chances, GivenWishes | DrawnBoxes):
        return {"options": wished} if wished else {}
    each = [{"wish": text, **_exact(chance)} for text, chance in chances.each.items()]
    return {"options": wished, "wishes": {"each": each, "all": _exact(chances.wishes)}}


def _kingdom(chances: Chances | DrawnBoxes) -> dict[str, Any]:
    """How likely each Kingdom card is to be turned up; given wishes, by those that count alike for them."""
    if not isinstance(chances, GivenWishes | DrawnBoxes):
        return {"kingdom": {"cards": len(chances.kingdom), **_exact(chances.in_kingdom())}}
    alike = [
        {"cards": len(cards), "names": [card.name for card in cards], **_exact(chance)}
        for cards, chance in chances.alike(chances.kingdom)
    ]
    return {"kingdom": {"cards": len(chances.kingdom), "alike": alike}}


def _exact(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "percent": float(100 * chance)}


def _with_left_out(chance: Chance) -> dict[str, Any]:
    return {**_exact(chance.exact), "left_out": list(chance.left_out)}


def as_text(odds: Mapping[str, Any], game: Game, language: Language, columns: int) -> str:
    """The odds as a table, on a screen of so many columns."""
    rows = [
        (label, percent(entry), _left_out(entry, language)) for label, entry in _lines(odds, game, language)
    ]
    return "\n".join(render_table((), rows, columns, right=[1]))


def _lines(
    odds: Mapping[str, Any], game: Game, language: Language
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    translate, name = language.translate, language.translate_name
    for entry in odds["wishes"]["each"] if "wishes" in odds else ():
        yield entry["wish"], entry
    if "wishes" in odds and len(odds["wishes"]["each"]) > 1:
        yield translate("all of that"), odds["wishes"]["all"]
    for entry in odds["landscapes"]:
        yield translate("landscapes used: {count}", count=entry["number"]), entry
    for entry in odds["kinds"]:
        yield translate("at least one of: {text}", text=translate(game.kinds[entry["kind"]].title)), entry
    for entry in odds["decisions"]:
        yield translate(entry["title"]), entry
    for entry in odds["needed"]:
        yield translate("{text} needed", text=name(entry["choice"])), entry
    for entry in odds["kingdom"].get("alike", ()):
        some = language.translate_names(entry["names"][:_SOME])
        more = " …" if len(entry["names"]) > _SOME else ""
        if entry["cards"] > 1:
            yield (
                translate(
                    "each of the {count} Kingdom cards: {text}", count=entry["cards"], text=some + more
                ),
                entry,
            )
        else:
            yield translate("{card}, turned up", card=entry["names"][0]), entry
    if "exact" in odds["kingdom"]:
        yield translate("each of the {count} Kingdom cards", count=odds["kingdom"]["cards"]), odds["kingdom"]
    for entry in odds["cards"]:
        if entry["turned_up"]:
            yield translate("{card}, turned up", card=entry["name"]), entry["turned_up"]
        yield translate("{card}, on the table in any way", card=entry["name"]), entry["on_table"]


def percent(entry: Figure) -> str:
    """Four digits that count; 0 % and 100 % only where it is just that."""
    chance = Fraction(entry["exact"])
    if chance in (0, 1):
        return f"{100 * chance} %"
    shown = f"{entry['percent']:.2f}" if entry["percent"] >= 1 else f"{entry['percent']:.2g}"
    return f"{shown if shown != '100.00' else '>99.99'} %"


def _left_out(entry: Figure, language: Language) -> str:
    """What the figure is without."""
    slots = entry.get("left_out", ())
    return (
        language.translate("without what comes by {text}", text=language.translate_names(slots))
        if slots
        else ""
    )
