"""The second deal of a game: what a saved table becomes when its Kingdom is replaced (setup rules A53)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from randomizer.cards.game import Game, SecondDeal
from randomizer.deal.dealer import PreviousTable, deal_second_table, find_expired_notes
from randomizer.record.build import build_setup
from randomizer.record.context import encode_message
from randomizer.setup.checklist import record_checklist
from randomizer.setup.dealt import again, request_of
from randomizer.setup.document import Deck, Named, Note, Setup
from randomizer.text.errors import BadDocument, BadOptions
from randomizer.text.language import Language, Message
from randomizer.text.slugs import slugify


def deal_again(
    game: Game, first: Setup, languages: Sequence[Language], stacked: Mapping[str, Sequence[str]] = {}
) -> Setup:
    """The setup document of the table after the second deal.

    In every list of it stands first what stays, just as the first document has it, and then what is new;
    `second_deal` says what left and how much was there before.

    Args:
        game: with the user's files that the first deal had.
        first: the document of the table as it was set up.
        languages: English first; then those whose names stand beside the English ones.
        stacked: by question (`randomizers`, `Bane` ...), names of cards to come up first there.

    Raises:
        BadOptions: the game has no second deal.
        BadDocument: nothing on that table brings one about, or it has been dealt.
        TooFewCards: too few unused Kingdom cards are left.
    """
    second = _moment(game, first)
    before = _before(first, second)
    request = request_of(game, first)
    table = deal_second_table(game, request, before, stacked)
    new = build_setup(game, request, table, languages)
    stay = _staying(first, second, new, find_expired_notes(game, before, table))
    setup = _joined(first, stay, new)
    setup["notes"] += _marked(first, second, languages[0])
    leaves = [pile for pile in first["piles"] if pile["place"] == second.leaves]
    setup["second_deal"] = {
        "by": second.by,
        "leaves": [pile["name"] for pile in leaves],
        "boxes": {pile["name"]: pile["box"] for pile in leaves},
        "stays": [*before.stays, *(f"{tokens['name']} on {tokens['on']}" for tokens in stay["placed"])],
        "before": {key: len(parts) for key, parts in stay.items()},
    }
    setup.pop("about", None)  # what was said of the first table
    setup["command"] = again(game, setup)
    setup["checklist"] = record_checklist(setup, languages[0])
    return setup


def _moment(game: Game, first: Setup) -> SecondDeal:
    """The second deal of the game, for which the time has come on this table.

    Raises:
        BadOptions: the game has none.
        BadDocument: nothing on that table brings it about, or it has been dealt.
    """
    second = game.second_deal
    if second is None:
        raise BadOptions("{game} has no second deal.", game=game.title)
    if second.by not in [landscape["name"] for landscape in first["landscapes"]]:
        raise BadDocument("{card} is not on this table, so its Kingdom stays.", card=second.by)
    if "second_deal" in first:
        raise BadDocument("the Kingdom of this table has been replaced already.")
    return second


def _staying(first: Setup, second: SecondDeal, new: Setup, over: Set[str]) -> dict[str, list[Any]]:
    """By list, what of the first document stays; of what was told, nothing whose phrase is `over`."""
    leaves = [pile["name"] for pile in first["piles"] if pile["place"] == second.leaves]
    dealt = {card["name"] for deck in new["decks"] for card in deck["contents"]}
    return {
        "piles": [pile for pile in first["piles"] if pile["place"] != second.leaves],
        "landscapes": first["landscapes"],
        "decks": [_without(dealt, deck) for deck in first["decks"]],
        "set_aside": first["set_aside"],
        "components": first["components"],
        # Its moment comes when the last token on it goes.
        "placed": [tokens for tokens in first["placed"] if tokens["on"] not in (*leaves, second.by)],
        "starting_deck": first["starting_deck"],
        "trash": first["trash"],
        "notes": [
            note
            for note in first["notes"]
            if "step" not in note  # which has been done
            and note["says"]["phrase"] not in over
            and note["says"]["values"].get("on") not in leaves
        ],
    }


def _joined(first: Setup, stay: Mapping[str, list[Any]], new: Setup) -> Setup:
    """The first document with whatever stays and whatever is new."""
    slugs = {box["slug"] for box in first["boxes"]}
    told = [note["says"] for note in stay["notes"]]
    return {
        **first,
        "boxes": first["boxes"] + [box for box in new["boxes"] if box["slug"] not in slugs],
        "kingdom": new["kingdom"],
        "landscape_ids": [slugify(card["name"]) for card in first["landscapes"]] + new["landscape_ids"],
        "turned": new["turned"],
        "piles": stay["piles"] + new["piles"],
        "landscapes": stay["landscapes"] + new["landscapes"],
        "decks": stay["decks"] + new["decks"],
        "set_aside": stay["set_aside"] + new["set_aside"],
        "components": stay["components"] + new["components"],
        "placed": stay["placed"] + new["placed"],
        "trash": stay["trash"] + new["trash"],
        "boxed": [],  # what was put back then is not on this table
        "missing": new["missing"],
        "choices": first["choices"] + [slot for slot in new["choices"] if slot not in first["choices"]],
        "notes": stay["notes"] + [note for note in new["notes"] if note["says"] not in told],
    }


def _before(first: Setup, second: SecondDeal) -> PreviousTable:
    """What the second deal has to know of the first table."""
    piles = [pile for pile in first["piles"] if pile["place"] != second.leaves]
    things = [
        *piles,
        *first["landscapes"],
        *first["decks"],
        *first["components"],
        *first["set_aside"],
        *first["starting_deck"],
        *first["trash"],
    ]
    members = [member for pile in first["piles"] for member in pile["members"]]
    dealt = [card for deck in first["decks"] for card in deck["contents"]]
    return PreviousTable(
        in_use=_names([*things, *first["piles"], *members, *dealt]),
        stays=_names(things),
        piles={pile["name"]: pile["place"] for pile in piles},
        decks={deck["name"]: deck["cards"] for deck in first["decks"]},
        slots={
            slot: [
                *(pile["name"] for pile in piles if slot in pile["marks"]),
                *(card["name"] for card in first["set_aside"] if card["for"] == slot),
            ]
            for slot in first["choices"]
        },
    )


def _marked(first: Setup, second: SecondDeal, english: Language) -> Iterator[Note]:
    """What is told of the marks of the piles that leave."""
    for pile in first["piles"] if second.marked else ():
        for mark in pile["marks"] if pile["place"] == second.leaves else ():
            told = Message(second.marked, (("mark", mark), ("on", pile["name"])))
            text = english.translate(told.phrase, **dict(told.values))
            yield {"text": text, "says": encode_message(told), "because": []}


def _names(parts: Iterable[Named]) -> list[str]:
    """Each name once, in the order of the parts."""
    return list(dict.fromkeys(part["name"] for part in parts))


def _without(dealt: Set[str], deck: Deck) -> Deck:
    """A deck that stays, without those of its cards that have been turned over now."""
    if dealt.isdisjoint(deck["cards"]):
        return deck
    cards = [name for name in deck["cards"] if name not in dealt]
    contents = [card for card in deck["contents"] if card["name"] not in dealt]
    return {**deck, "cards": cards, "count": len(cards), "contents": contents}
