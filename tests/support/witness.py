"""What a second deal has to come to, worked out from the tables of facts and the two documents alone.

The engine's independent witness: it knows what leaves (the piles of the first Kingdom), what stays, and
therefore what is new; and of every new card what it asks for. Setup rules A53.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from randomizer.setup.document import Setup
from tests.support import facts, names, oracle

CARDS = {row["name"]: row for row in facts("cards")}
MOMENT = "Divine Wind"
# Lists of a document that hold what is on the table.
SHELVES = (
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
SAME = ("schema", "game", "title", "seed", "options", "players", "decisions", "starting_deck", "game_end")
HOLDS, WITH_ITS_PILE, ONCE = "to the end", "as long as its pile is out", "once"


def _told() -> Iterator[tuple[str, tuple[str, str]]]:
    """For each card that has something told, what that is and how long it holds."""
    for row in facts("needs"):
        what, card = row["what"], row["card"]
        if row["need_kind"] == "note" and not card.startswith("(") and card in CARDS:
            pile = row["condition"].startswith("as long as its pile is out")
            yield card, (what, ONCE if "mid-game" in what else WITH_ITS_PILE if pile else HOLDS)
        elif what.startswith(("mark the Bane pile", "one card from the Inherited pile")):
            yield card, (what, ONCE)


TOLD = dict(_told())
# What a card that is only set aside need not tell.
IN_A_PILE_OR_DECK = {
    row["card"] for row in facts("needs") if row["condition"].startswith("in a pile or a deck")
}
NEEDS: dict[str, list[oracle.Need]] = {}
for _need in oracle.NEEDS:
    NEEDS.setdefault(_need.card, []).append(_need)
# What an Heirloom asks for, nobody does who comes without it.
BY_HEIRLOOM = {
    (row["card"], oracle.THINGS.get(row["what"], row["what"]))
    for row in facts("needs")
    if "Heirloom" in row["condition"] and row["need_kind"] == "pile"
}


def pile_of(card: str) -> str:
    """The mixed pile that a card belongs to, or the card itself."""
    row = CARDS.get(card)
    return row["pile"] or card if row else card


def is_liaison(card: str) -> bool:
    """Whether it asks for an Ally and Favors; of a mixed pile a card by itself may, too."""
    return card in CARDS and "Liaison" in CARDS[card]["types"].split(";")


class Witness:
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
        self.leaves = [pile["name"] for pile in first["piles"] if pile["place"] == "kingdom"]
        self.before = oracle.cards_in_use(first)
        self.stays = {key: [*self._staying(key)] for key in SHELVES}
        self.new = {key: self.second[key][len(self.stays[key]) :] for key in SHELVES}
        new: Any = self.new
        self.cards = oracle.cards_in_use(new) - self._turned_over()

    def _staying(self, key: str) -> Iterator[Any]:
        """What of a list of the first document stays."""
        for part in self.first[key]:
            if key == "piles" and part["name"] in self.leaves:
                continue
            if key == "placed" and (part["on"] in self.leaves or part["name"] == "Sun tokens"):
                continue  # lost with their pile; and the last Sun token has gone, or the moment had not come
            if key == "notes" and not self._holds(part):
                continue
            yield self._less(part) if key == "decks" else part

    def _holds(self, note: Any) -> bool:
        """Whether what was told goes on: that of a pile does not, if that has left."""
        card = note["because"][-1]
        how_long = TOLD[card][1]
        stays = {pile["name"] for pile in self.first["piles"]} - {*self.leaves}
        return how_long == HOLDS or (how_long == WITH_ITS_PILE and pile_of(card) in stays)

    def _turned_over(self) -> set[str]:
        """The cards of decks that stay which have been turned over now."""
        old = {name for deck in self.first["decks"] for name in deck["cards"]}
        return old & {name for deck in self.second["decks"] for name in deck["face_up"]}

    def _less(self, deck: Any) -> Any:
        """A deck without those of its cards that have been turned over now."""
        turned = self._turned_over()
        cards = [name for name in deck["cards"] if name not in turned]
        contents = [card for card in deck["contents"] if card["name"] not in turned]
        return {**deck, "cards": cards, "count": len(cards), "contents": contents} if turned else deck

    # ── What the new cards ask for ──

    def needs(self) -> Iterator[oracle.Need]:
        """What each of them needs besides its own pile and what tokens lie where; no Heirlooms."""
        for card in sorted(self.cards):
            for need in NEEDS.get(card, ()):
                heirloom = need.sort == "start-deck" or (card, need.thing) in BY_HEIRLOOM
                if need.sort != "placed" and need.thing != card and not heirloom:
                    yield need

    def choices(self) -> set[str]:
        """The names of the choices that they ask for and that have not been made."""
        asked = {oracle.CHOICES[card] for card in self.cards if card in oracle.CHOICES}
        asked |= {"Ally"} if any(map(is_liaison, self.cards)) else set()
        groups = {landscape["group"] for landscape in self.first["landscapes"]}
        return asked - groups

    def tokens(self) -> Counter[tuple[str, str, str, int]]:
        """Which tokens lie where because of them: their name, on what, for whom, how many."""
        found: Counter[tuple[str, str, str, int]] = Counter()
        things = {need.thing for card in self.cards for need in NEEDS.get(card, ())}
        favors = sum(self._counts("additional starting Favors"))
        if any(map(is_liaison, self.cards)) and not any(map(is_liaison, self.before)):
            favors += 1
        if favors:
            found["Favor tokens", "Favors mat", "player", favors] += 1
        if "Coin token already on the Coffers mat" in things:
            mats = [name for name in names(self.second["components"]) if name.startswith("Coffers")]
            found["Coin tokens", mats[-1], "player", 1] += 1  # one mat may serve for two
        if "1 Coin token on every Victory Supply pile" in things:
            for pile in self.second["piles"]:
                if pile["supply"] and "Victory" in CARDS[pile["name"]]["types"].split(";"):
                    found["Coin tokens", pile["name"], "game", 1] += 1
        return found

    def _counts(self, thing: str) -> list[int]:
        """How many of a thing each new card puts down."""
        wanted = [need for card in self.cards for need in NEEDS.get(card, ()) if need.thing == thing]
        return [need.count[self.second["players"] - 2] for need in wanted]

    def told(self) -> set[str]:
        """What the new cards have told."""
        marked = any("Bane" in pile["marks"] for pile in self.new["piles"])
        piles = {*names(self.new["piles"])}
        aside = {*names(self.new["set_aside"])}
        return {
            TOLD[card][0]
            for card in self.cards & TOLD.keys()
            if ("Bane" not in TOLD[card][0] or marked)
            and (TOLD[card][1] != WITH_ITS_PILE or pile_of(card) in piles)
            and (card not in IN_A_PILE_OR_DECK or card not in aside)
        }

    # ── Where things lie ──

    def places(self) -> Counter[str]:
        """How often each card lies on the second table or has left it; of a mixed Kingdom pile, any of it."""
        table = self.second
        found = Counter([*self.leaves, *names(table["piles"])])
        for shelf in ("landscapes", "set_aside", "trash"):
            found.update(map(_whole, names(table[shelf])))
        found.update(_whole(name) for deck in table["decks"] for name in names(deck["contents"]))
        found.update(name for name in names(table["starting_deck"]) if name not in ("Copper", "Estate"))
        return found

    def decks_as_one(self) -> Any:
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


def _whole(card: str) -> str:
    """A Kingdom card's mixed pile, if it belongs to one."""
    return pile_of(card) if CARDS[card]["kind"] == "split-member" else card
