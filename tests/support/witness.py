"""Test oracle for second deals, independent of the engine and its data.

From the document before the deal and the tables of facts it derives what is removed (the piles of the first
Kingdom) and what is kept. Everything else in the second document is new and must be what the new cards need.
Source: setup rules A53.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from randomizer.setup.document import Setup
from tests.support import get_names, oracle, read_facts

CARD_FACTS = {row["name"]: row for row in read_facts("cards")}
SECOND_DEAL_CARD = "Divine Wind"
# The lists of a document with everything that is on the table.
TABLE_LISTS = (
    "piles",
    "landscapes",
    "decks",
    "set_aside",
    "components",
    "placed",
    "starting_deck",
    "trash",
    "notes",
)
# The keys of a document that a second deal does not change.
UNCHANGED_KEYS = (
    "schema",
    "game",
    "title",
    "seed",
    "options",
    "players",
    "decisions",
    "starting_deck",
    "game_end",
)
# How long a note applies.
UNTIL_THE_END, WHILE_PILE_REMAINS, ONCE = "to the end", "as long as its pile is out", "once"


def _iter_notes() -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the card of every note, with the text and the duration of the note."""
    for row in read_facts("needs"):
        what, card = row["what"], row["card"]
        if row["need_kind"] == "note" and not card.startswith("(") and card in CARD_FACTS:
            pile = row["condition"].startswith("as long as its pile is out")
            yield card, (what, ONCE if "mid-game" in what else WHILE_PILE_REMAINS if pile else UNTIL_THE_END)
        elif what.startswith(("mark the Bane pile", "one card from the Inherited pile")):
            yield card, (what, ONCE)


NOTES_BY_CARD = dict(_iter_notes())
# Cards whose note does not apply while they are only set aside.
SILENT_IF_SET_ASIDE = {
    row["card"] for row in read_facts("needs") if row["condition"].startswith("in a pile or a deck")
}
NEEDS_BY_CARD: dict[str, list[oracle.Need]] = {}
for _need in oracle.NEEDS:
    NEEDS_BY_CARD.setdefault(_need.card, []).append(_need)
# (card, thing) of needs that the card's Heirloom causes. A second deal adds no Heirlooms.
HEIRLOOM_NEEDS = {
    (row["card"], oracle.DOCUMENT_NAMES.get(row["what"], row["what"]))
    for row in read_facts("needs")
    if "Heirloom" in row["condition"] and row["need_kind"] == "pile"
}


def get_pile(card: str) -> str:
    """Return the mixed pile that a card belongs to, or the card itself."""
    row = CARD_FACTS.get(card)
    return row["pile"] or card if row else card


def is_liaison(card: str) -> bool:
    """Return whether a card is a Liaison. A single card of a mixed pile may be one."""
    return card in CARD_FACTS and "Liaison" in CARD_FACTS[card]["types"].split(";")


class SecondDealOracle:
    """The expected changes between the documents before and after a second deal.

    Attributes:
        first: the document before the deal.
        second: the document after the deal.
        removed_piles: the names of the piles that are removed, in the order of the first document.
        kept: the entries that are kept, as they are in the first document, by list.
        added: the other entries of the second document, by list.
        old_cards: the names of the cards in use before the deal.
        new_cards: the names of the cards that come into use.
    """

    def __init__(self, first: Setup, second: Setup) -> None:
        self.first: dict[str, Any] = {**first}
        self.second: dict[str, Any] = {**second}
        self.removed_piles = [pile["name"] for pile in first["piles"] if pile["place"] == "kingdom"]
        self.old_cards = oracle.get_cards_in_use(first)
        self.kept = {key: [*self._iter_kept(key)] for key in TABLE_LISTS}
        self.added = {key: self.second[key][len(self.kept[key]) :] for key in TABLE_LISTS}
        added: Any = self.added
        self.new_cards = oracle.get_cards_in_use(added) - self._get_turned_cards()

    def _iter_kept(self, key: str) -> Iterator[Any]:
        """Yield the entries of a list of the first document that are kept."""
        for part in self.first[key]:
            if key == "piles" and part["name"] in self.removed_piles:
                continue
            if key == "placed" and (part["on"] in self.removed_piles or part["name"] == "Sun tokens"):
                continue  # Divine Wind takes effect when the last Sun token is removed.
            if key == "notes" and not self._is_kept(part):
                continue
            yield self._without_turned_cards(part) if key == "decks" else part

    def _is_kept(self, note: Any) -> bool:
        """Return whether a note still applies. A note about a pile does not if the pile was removed."""
        card = note["because"][-1]
        duration = NOTES_BY_CARD[card][1]
        kept = {pile["name"] for pile in self.first["piles"]} - {*self.removed_piles}
        return duration == UNTIL_THE_END or (duration == WHILE_PILE_REMAINS and get_pile(card) in kept)

    def _get_turned_cards(self) -> set[str]:
        """Return the cards that the second deal turned over from a deck that was kept."""
        face_down = {name for deck in self.first["decks"] for name in deck["cards"]}
        return face_down & {name for deck in self.second["decks"] for name in deck["face_up"]}

    def _without_turned_cards(self, deck: Any) -> Any:
        """Return a deck without the cards that the second deal turned over."""
        turned = self._get_turned_cards()
        cards = [name for name in deck["cards"] if name not in turned]
        contents = [card for card in deck["contents"] if card["name"] not in turned]
        return {**deck, "cards": cards, "count": len(cards), "contents": contents} if turned else deck

    # ── The needs of the new cards ──

    def iter_needs(self) -> Iterator[oracle.Need]:
        """Yield the needs of the new cards, except their own piles, placed tokens and Heirlooms."""
        for card in sorted(self.new_cards):
            for need in NEEDS_BY_CARD.get(card, ()):
                heirloom = need.kind == "start-deck" or (card, need.thing) in HEIRLOOM_NEEDS
                if need.kind != "placed" and need.thing != card and not heirloom:
                    yield need

    def get_choices(self) -> set[str]:
        """Return the names of the choices that only the new cards need."""
        needed = {oracle.CHOICES[card] for card in self.new_cards if card in oracle.CHOICES}
        needed |= {"Ally"} if any(map(is_liaison, self.new_cards)) else set()
        groups = {landscape["group"]["en"] for landscape in self.first["landscapes"]}
        return needed - groups

    def count_tokens(self) -> Counter[tuple[str, str, str, int]]:
        """Count the tokens that the new cards place, by (name, card or mat, `player` or `game`, count)."""
        found: Counter[tuple[str, str, str, int]] = Counter()
        things = {need.thing for card in self.new_cards for need in NEEDS_BY_CARD.get(card, ())}
        favors = sum(self._get_counts("additional starting Favors"))
        if any(map(is_liaison, self.new_cards)) and not any(map(is_liaison, self.old_cards)):
            favors += 1
        if favors:
            found["Favor tokens", "Favors mat", "player", favors] += 1
        if "Coin token already on the Coffers mat" in things:
            mats = [name for name in get_names(self.second["components"]) if name.startswith("Coffers")]
            found["Coin tokens", mats[-1], "player", 1] += 1  # either mat can be used for Coffers
        if "1 Coin token on every Victory Supply pile" in things:
            for pile in self.second["piles"]:
                if pile["place"] != "beside" and "Victory" in CARD_FACTS[pile["name"]]["types"].split(";"):
                    found["Coin tokens", pile["name"], "game", 1] += 1
        return found

    def _get_counts(self, thing: str) -> list[int]:
        """Return the counts of a thing that the new cards need, one for each need."""
        needs = [
            need for card in self.new_cards for need in NEEDS_BY_CARD.get(card, ()) if need.thing == thing
        ]
        return [need.count[self.second["players"] - 2] for need in needs]

    def get_note_texts(self) -> set[str]:
        """Return the texts of the notes that the new cards need."""
        marked = any("Bane" in pile["marks"] for pile in self.added["piles"])
        piles = {*get_names(self.added["piles"])}
        aside = {*get_names(self.added["set_aside"])}
        return {
            NOTES_BY_CARD[card][0]
            for card in self.new_cards & NOTES_BY_CARD.keys()
            if ("Bane" not in NOTES_BY_CARD[card][0] or marked)
            and (NOTES_BY_CARD[card][1] != WHILE_PILE_REMAINS or get_pile(card) in piles)
            and (card not in SILENT_IF_SET_ASIDE or card not in aside)
        }

    # ── Checks of the second document as a whole ──

    def count_locations(self) -> Counter[str]:
        """Count the places in which each card is after the deal, including the removed piles.

        The cards of a mixed Kingdom pile count as the pile.
        """
        table = self.second
        found = Counter([*self.removed_piles, *get_names(table["piles"])])
        for key in ("landscapes", "set_aside", "trash"):
            found.update(map(_get_dealt_pile, get_names(table[key])))
        found.update(_get_dealt_pile(name) for deck in table["decks"] for name in get_names(deck["contents"]))
        found.update(name for name in get_names(table["starting_deck"]) if name not in ("Copper", "Estate"))
        return found

    def merge_decks(self) -> Any:
        """Return the second document with all parts of a deck merged: the kept part and the new one."""
        decks: dict[str, Any] = {}
        for deck in self.second["decks"]:
            if kept := decks.get(deck["name"]):
                lists = {key: kept[key] + deck[key] for key in ("cards", "face_up", "contents")}
                deck = {**kept, "count": kept["count"] + deck["count"], **lists}
            decks[deck["name"]] = deck
        return {**self.second, "decks": [*decks.values()]}


def _get_dealt_pile(card: str) -> str:
    """Return the mixed pile of a Kingdom card, or the card itself."""
    return get_pile(card) if CARD_FACTS[card]["kind"] == "split-member" else card
