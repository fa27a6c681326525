"""What a second deal has to come to, worked out from the tables of facts and the two documents alone.

The engine's independent witness: it knows what leaves (the piles of the first Kingdom), what stays, and
therefore what is new; and of every new card what it asks for. Setup rules A53.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from randomizer.setup.document import Setup
from tests.support import get_names, oracle, read_facts

CARD_FACTS = {row["name"]: row for row in read_facts("cards")}
SECOND_DEAL_CARD = "Divine Wind"
# Lists of a document that hold what is on the table.
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
# What the second deal neither asks for nor answers again.
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
UNTIL_THE_END, WHILE_PILE_REMAINS, ONCE = "to the end", "as long as its pile is out", "once"


def _iter_notes() -> Iterator[tuple[str, tuple[str, str]]]:
    """For each card that has something told, what that is and how long it holds."""
    for row in read_facts("needs"):
        what, card = row["what"], row["card"]
        if row["need_kind"] == "note" and not card.startswith("(") and card in CARD_FACTS:
            pile = row["condition"].startswith("as long as its pile is out")
            yield card, (what, ONCE if "mid-game" in what else WHILE_PILE_REMAINS if pile else UNTIL_THE_END)
        elif what.startswith(("mark the Bane pile", "one card from the Inherited pile")):
            yield card, (what, ONCE)


NOTES_BY_CARD = dict(_iter_notes())
# What a card that is only set aside need not tell.
SILENT_IF_SET_ASIDE = {
    row["card"] for row in read_facts("needs") if row["condition"].startswith("in a pile or a deck")
}
NEEDS_BY_CARD: dict[str, list[oracle.Need]] = {}
for _need in oracle.NEEDS:
    NEEDS_BY_CARD.setdefault(_need.card, []).append(_need)
# What an Heirloom asks for, nobody does who comes without it.
HEIRLOOM_NEEDS = {
    (row["card"], oracle.DOCUMENT_NAMES.get(row["what"], row["what"]))
    for row in read_facts("needs")
    if "Heirloom" in row["condition"] and row["need_kind"] == "pile"
}


def get_pile(card: str) -> str:
    """The mixed pile that a card belongs to, or the card itself."""
    row = CARD_FACTS.get(card)
    return row["pile"] or card if row else card


def is_liaison(card: str) -> bool:
    """Whether it asks for an Ally and Favors; of a mixed pile a card by itself may, too."""
    return card in CARD_FACTS and "Liaison" in CARD_FACTS[card]["types"].split(";")


class SecondDealOracle:
    """Two documents of a game, before and after.

    Attributes:
        leaves: the names of the piles that leave, in their order.
        stays: by list, what stays, as the first document has it.
        new: by list, what the second document has besides.
        before: the cards that were in use.
        cards: the new cards in use.
    """

    def __init__(self, first: Setup, second: Setup) -> None:
        self.first: dict[str, Any] = {**first}
        self.second: dict[str, Any] = {**second}
        self.removed_piles = [pile["name"] for pile in first["piles"] if pile["place"] == "kingdom"]
        self.old_cards = oracle.get_cards_in_use(first)
        self.kept = {key: [*self._iter_kept(key)] for key in TABLE_LISTS}
        self.added = {key: self.second[key][len(self.kept[key]) :] for key in TABLE_LISTS}
        new: Any = self.added
        self.new_cards = oracle.get_cards_in_use(new) - self._get_turned_cards()

    def _iter_kept(self, key: str) -> Iterator[Any]:
        """What of a list of the first document stays."""
        for part in self.first[key]:
            if key == "piles" and part["name"] in self.removed_piles:
                continue
            if key == "placed" and (part["on"] in self.removed_piles or part["name"] == "Sun tokens"):
                continue  # lost with their pile; and the last Sun token has gone, or the moment had not come
            if key == "notes" and not self._is_kept(part):
                continue
            yield self._without_turned_cards(part) if key == "decks" else part

    def _is_kept(self, note: Any) -> bool:
        """Whether what was told goes on: that of a pile does not, if that has left."""
        card = note["because"][-1]
        how_long = NOTES_BY_CARD[card][1]
        stays = {pile["name"] for pile in self.first["piles"]} - {*self.removed_piles}
        return how_long == UNTIL_THE_END or (how_long == WHILE_PILE_REMAINS and get_pile(card) in stays)

    def _get_turned_cards(self) -> set[str]:
        """The cards of decks that stay which have been turned over now."""
        old = {name for deck in self.first["decks"] for name in deck["cards"]}
        return old & {name for deck in self.second["decks"] for name in deck["face_up"]}

    def _without_turned_cards(self, deck: Any) -> Any:
        """A deck without those of its cards that have been turned over now."""
        turned = self._get_turned_cards()
        cards = [name for name in deck["cards"] if name not in turned]
        contents = [card for card in deck["contents"] if card["name"] not in turned]
        return {**deck, "cards": cards, "count": len(cards), "contents": contents} if turned else deck

    # ── What the new cards ask for ──

    def iter_needs(self) -> Iterator[oracle.Need]:
        """What each of them needs besides its own pile and what tokens lie where; no Heirlooms."""
        for card in sorted(self.new_cards):
            for need in NEEDS_BY_CARD.get(card, ()):
                heirloom = need.kind == "start-deck" or (card, need.thing) in HEIRLOOM_NEEDS
                if need.kind != "placed" and need.thing != card and not heirloom:
                    yield need

    def get_choices(self) -> set[str]:
        """The names of the choices that they ask for and that have not been made."""
        asked = {oracle.CHOICES[card] for card in self.new_cards if card in oracle.CHOICES}
        asked |= {"Ally"} if any(map(is_liaison, self.new_cards)) else set()
        groups = {landscape["group"] for landscape in self.first["landscapes"]}
        return asked - groups

    def count_tokens(self) -> Counter[tuple[str, str, str, int]]:
        """Which tokens lie where because of them: their name, on what, for whom, how many."""
        found: Counter[tuple[str, str, str, int]] = Counter()
        things = {need.thing for card in self.new_cards for need in NEEDS_BY_CARD.get(card, ())}
        favors = sum(self._get_counts("additional starting Favors"))
        if any(map(is_liaison, self.new_cards)) and not any(map(is_liaison, self.old_cards)):
            favors += 1
        if favors:
            found["Favor tokens", "Favors mat", "player", favors] += 1
        if "Coin token already on the Coffers mat" in things:
            mats = [name for name in get_names(self.second["components"]) if name.startswith("Coffers")]
            found["Coin tokens", mats[-1], "player", 1] += 1  # one mat may serve for two
        if "1 Coin token on every Victory Supply pile" in things:
            for pile in self.second["piles"]:
                if pile["supply"] and "Victory" in CARD_FACTS[pile["name"]]["types"].split(";"):
                    found["Coin tokens", pile["name"], "game", 1] += 1
        return found

    def _get_counts(self, thing: str) -> list[int]:
        """How many of a thing each new card puts down."""
        wanted = [
            need for card in self.new_cards for need in NEEDS_BY_CARD.get(card, ()) if need.thing == thing
        ]
        return [need.count[self.second["players"] - 2] for need in wanted]

    def get_note_texts(self) -> set[str]:
        """What the new cards have told."""
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

    # ── Where things lie ──

    def count_locations(self) -> Counter[str]:
        """How often each card lies on the second table or has left it; of a mixed Kingdom pile, any of it."""
        table = self.second
        found = Counter([*self.removed_piles, *get_names(table["piles"])])
        for shelf in ("landscapes", "set_aside", "trash"):
            found.update(map(_get_dealt_pile, get_names(table[shelf])))
        found.update(_get_dealt_pile(name) for deck in table["decks"] for name in get_names(deck["contents"]))
        found.update(name for name in get_names(table["starting_deck"]) if name not in ("Copper", "Estate"))
        return found

    def merge_decks(self) -> Any:
        """The second document with each deck in one part, though some of it was there before."""
        decks: dict[str, Any] = {}
        for deck in self.second["decks"]:
            one = decks.get(deck["name"])
            both = ("cards", "face_up", "contents")
            decks[deck["name"]] = (
                {**one, "count": one["count"] + deck["count"], **{key: one[key] + deck[key] for key in both}}
                if one
                else deck
            )
        return {**self.second, "decks": [*decks.values()]}


def _get_dealt_pile(card: str) -> str:
    """A Kingdom card's mixed pile, if it belongs to one."""
    return get_pile(card) if CARD_FACTS[card]["kind"] == "split-member" else card
