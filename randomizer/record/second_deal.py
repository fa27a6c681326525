"""The second deal, which replaces the Kingdom of a saved table (setup rules A53)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from randomizer.cards.game import Game, SecondDeal
from randomizer.deal.dealer import PreviousTable, deal_second_table, find_expired_notes
from randomizer.load.languages import load_several
from randomizer.record.build import build_setup
from randomizer.record.series import exclude_other_tables
from randomizer.setup.checklist import record_checklist
from randomizer.setup.document import Deck, Named, Note, Setup
from randomizer.setup.replay import build_replay_command, extract_request
from randomizer.setup.texts import build_note, combine_names
from randomizer.text.errors import BadDocument, BadOptions
from randomizer.text.language import Language, Message
from randomizer.text.slugs import slugify


def deal_again(game: Game, first: Setup, stacked: Mapping[str, Sequence[str]] = {}) -> Setup:
    """Perform the second deal, and return the setup document of the resulting table, in the same languages.

    Each list in the document starts with the parts that stay on the table, followed by the new parts. The key
    `second_deal` lists the piles that leave the table, and the number of parts that stay in each list.

    Args:
        game: the game, including the user's data files that were used for the first deal.
        first: the setup document of the first deal.
        stacked: for each question (such as `randomizers` or `Bane`), the names of the cards that come up
            first.

    Raises:
        BadOptions: the game has no second deal.
        BadDocument: no card on the table causes a second deal, or it has already been performed.
        TooFewCards: too few Kingdom cards are left.
    """
    second_deal = _get_second_deal(game, first)
    previous = _describe_first_table(first, second_deal)
    request = extract_request(game, first)
    # What other tables of its series use is not available.
    available = exclude_other_tables(game, request, request.series) if request.series else request
    table = deal_second_table(game, available, previous, stacked)
    languages = load_several(first["languages"], game)
    new = build_setup(game, request, table, languages)
    kept_parts = _collect_kept_parts(first, second_deal, new, find_expired_notes(game, previous, table))
    setup = _merge_documents(first, kept_parts, new)
    setup["notes"] += _write_mark_notes(first, second_deal, languages)
    setup["second_deal"] = {
        "by": second_deal.by,
        "leaves": [
            {**combine_names(pile["name"], pile.get("names", {})), "box": pile["box"]}
            for pile in first["piles"]
            if pile["place"] == second_deal.leaves
        ],
        "kept_counts": {key: len(parts) for key, parts in kept_parts.items()},
    }
    setup.pop("about", None)  # It describes the first table.
    setup["command"] = build_replay_command(game, setup)
    setup["checklist"] = record_checklist(setup, languages)
    return setup


def _get_second_deal(game: Game, first: Setup) -> SecondDeal:
    """Return the second deal of the game.

    Raises:
        BadOptions: the game has no second deal.
        BadDocument: no card on the table causes a second deal, or it has already been performed.
    """
    second_deal = game.second_deal
    if second_deal is None:
        raise BadOptions("{game} has no card that replaces the Kingdom during the game.", game=game.title)
    if second_deal.by not in [landscape["name"] for landscape in first["landscapes"]]:
        raise BadDocument("{card} is not on this table, so the Kingdom stays.", card=second_deal.by)
    if "second_deal" in first:
        raise BadDocument("the Kingdom of this table has already been replaced.")
    return second_deal


def _collect_kept_parts(
    first: Setup, second_deal: SecondDeal, new: Setup, obsolete_step_templates: Set[str]
) -> dict[str, list[Any]]:
    """Return the parts of the first document that stay on the table, by the key of their list.

    Args:
        first: the document of the first deal.
        second: the second deal.
        new: the document of the second deal alone.
        obsolete_step_templates: the templates of the notes that no longer apply.
    """
    leaving_names = [pile["name"] for pile in first["piles"] if pile["place"] == second_deal.leaves]
    dealt_names = {card["name"] for deck in new["decks"] for card in deck["contents"]}
    return {
        "piles": [pile for pile in first["piles"] if pile["place"] != second_deal.leaves],
        "landscapes": first["landscapes"],
        "decks": [_remove_dealt_cards(dealt_names, deck) for deck in first["decks"]],
        "set_aside": first["set_aside"],
        "components": first["components"],
        # The second deal happens when the card that causes it loses its last token.
        "placed": [
            tokens for tokens in first["placed"] if tokens["on"] not in (*leaving_names, second_deal.by)
        ],
        "starting_deck": first["starting_deck"],
        "trash": first["trash"],
        "notes": [
            note
            for note in first["notes"]
            if "step" not in note  # The step has already been carried out.
            and note["phrase"] not in obsolete_step_templates
            and note["values"].get("on") not in leaving_names
        ],
    }


def _merge_documents(first: Setup, kept_parts: Mapping[str, list[Any]], new: Setup) -> Setup:
    """Merge the parts that stay on the table and the new parts into a single document.

    Args:
        first: the document of the first deal.
        kept_parts: the parts that stay on the table, by the key of their list.
        new: the document of the second deal alone.
    """
    slugs = {box["slug"] for box in first["boxes"]}
    kept_messages = [(note["phrase"], note["values"]) for note in kept_parts["notes"]]
    new_parts: Any = new
    # The starting decks are not built again.
    keys = kept_parts.keys() - {"starting_deck", "notes"}
    extended: Any = {key: kept_parts[key] + new_parts[key] for key in keys}
    return {
        **first,
        **extended,
        "languages": new["languages"],
        "boxes": first["boxes"] + [box for box in new["boxes"] if box["slug"] not in slugs],
        "kingdom": new["kingdom"],
        "landscape_ids": [slugify(card["name"]) for card in first["landscapes"]] + new["landscape_ids"],
        "turned": new["turned"],
        "boxed": [],  # These cards are already in their boxes.
        "missing": new["missing"],
        # The other steps have already been carried out.
        "last": [step for step in new["last"] if step not in first["last"]],
        "choices": first["choices"] + [slot for slot in new["choices"] if slot not in first["choices"]],
        "notes": kept_parts["notes"]
        + [note for note in new["notes"] if (note["phrase"], note["values"]) not in kept_messages],
    }


def _describe_first_table(first: Setup, second_deal: SecondDeal) -> PreviousTable:
    """Return those facts about the first table on which the second deal depends."""
    piles = [pile for pile in first["piles"] if pile["place"] != second_deal.leaves]
    remaining_parts = [
        *piles,
        *first["landscapes"],
        *first["decks"],
        *first["components"],
        *first["set_aside"],
        *first["starting_deck"],
        *first["trash"],
    ]
    members = [member for pile in first["piles"] for member in pile["members"]]
    deck_cards = [card for deck in first["decks"] for card in deck["contents"]]
    return PreviousTable(
        in_use=_list_names([*remaining_parts, *first["piles"], *members, *deck_cards]),
        stays=_list_names(remaining_parts),
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


def _write_mark_notes(first: Setup, second_deal: SecondDeal, languages: Iterable[Language]) -> Iterator[Note]:
    """Yield a note about each mark on a pile that leaves the table."""
    for pile in first["piles"] if second_deal.marked else ():
        for mark in pile["marks"] if pile["place"] == second_deal.leaves else ():
            note_message = Message(second_deal.marked, (("mark", mark), ("on", pile["name"])))
            yield build_note(note_message, [], languages)


def _list_names(parts: Iterable[Named]) -> list[str]:
    """Return the names of parts in their order, without duplicates."""
    return list(dict.fromkeys(part["name"] for part in parts))


def _remove_dealt_cards(dealt_names: Set[str], deck: Deck) -> Deck:
    """Return a deck that stays on the table, without the cards that the second deal took from it."""
    if dealt_names.isdisjoint(deck["cards"]):
        return deck
    cards = [name for name in deck["cards"] if name not in dealt_names]
    contents = [card for card in deck["contents"] if card["name"] not in dealt_names]
    return {**deck, "cards": cards, "count": len(cards), "contents": contents}
