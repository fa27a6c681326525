"""What a verb of the data files is: something that setup does, with everything that is known of it.

The verbs themselves are in `deal/`, which knows the table that they work on. Everyone else asks a verb what
it brings, chooses and says; nobody asks which one it is.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from randomizer.cards.model import Amount, OpenOption, Query

if TYPE_CHECKING:
    from randomizer.cards.pool import Pool
    from randomizer.text.language import Language

Setting = bool | int | str
Settings = Mapping[str, Setting]  # by the name of the open option, only those that were given

# Where cards go that are dealt: a pile in the Kingdom or beside the Supply, a single card set aside, a deck
# of single cards, the landscapes, or back into the box.
Destination = Literal["kingdom", "beside", "aside", "deck", "landscapes", "box"]

# When a verb is done that chooses nothing: at once; after the rest of the opening; or once everything is out.
When = Literal["now", "last", "decoration"]


class Choice(NamedTuple):
    """What a verb chooses among the unused cards.

    Attributes:
        slot: the name that the choice goes by; it is made once a game, however many cards ask for it.
        query: which cards it is made among.
        to: where they go.
        number: how many cards it takes; None is all there are.
        each: whether it takes so many once, or for every player.
        appetite: choices with less of it come first.
        face_up: whether it turns cards of its deck over, which is a question of its own.
    """

    slot: str
    query: Query
    to: Destination
    amount: Amount = Amount(1)
    each: Literal["game", "player"] = "game"
    priority: int = 0
    face_up: bool = False

    @property
    def question(self) -> str:
        """What the cards are shuffled for."""
        return f"{self.slot}, face up" if self.face_up else self.slot

    @property
    def certain(self) -> bool:
        """Whether nothing is left to chance: all the cards there are come into use."""
        return self.amount.number is None and self.to != "box"

    @property
    def single(self) -> bool:
        """Whether it brings just one card into use, whatever the options and the number of players."""
        return self.amount == Amount(1) and self.each == "game" and self.to != "box"


class Traits(NamedTuple):
    """What is true of a verb on every table.

    Attributes:
        once_per_game: a second deal does not repeat it if a rule asks for it for all cards of a type or kind.
        marks_pile: it chooses a pile on the table, which then carries a mark of the card.
    """

    once_per_game: bool = False
    marks_pile: bool = False


class Effect(Protocol):
    """Something that setup does. A verb is a named tuple: its fields are what the data file says."""

    def apply(self, table: Any, cause: str | None) -> None:
        """Do it.

        Args:
            table: the `deal.table.Table` to do it on.
            cause: the name of the card or decision that asks for it; None is the opening itself.
        """

    def when(self, settings: Settings) -> When:
        """When it is done, with these settings; a choice waits for its turn among the choices."""

    def brings(self, pool: "Pool") -> Iterable[str]:
        """The names of the cards that certainly come into use with it, if one deals from this pool."""

    def choice(self, cause: str | None) -> Choice | None:
        """What it chooses among the unused cards when this card asks for it, if it chooses."""

    def traits(self) -> Traits:
        """Return what is true of the verb on every table."""

    def options(self) -> Iterable[OpenOption]:
        """The open options that it reads, without their help."""

    def describe(self, asker: str, players: int, language: "Language") -> str:
        """What it does, in words; nothing where that can be seen from what is out."""


Effects = tuple[Effect, ...]
