"""The interface of verbs: words of the data files for what setup does.

The verbs themselves are in `deal/`, because they work on a table. All other code uses this interface, and
never depends on which verb it is.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from randomizer.cards.model import Amount, OpenOption, Query

if TYPE_CHECKING:
    from randomizer.cards.pool import Pool
    from randomizer.text.language import Language

Setting = bool | int | str
Settings = Mapping[str, Setting]  # by the name of the open option; only those that the user has set

# Where chosen cards go: a pile in the Kingdom or beside the Supply, a single card set aside, a deck of single
# cards, the landscapes, or back into the box.
Destination = Literal["kingdom", "beside", "aside", "deck", "landscapes", "box"]

# When a verb that makes no choice is done: at once, after the rest of the opening, or once everything is out.
When = Literal["now", "last", "decoration"]


class Choice(NamedTuple):
    """A choice among the unused cards.

    Attributes:
        slot: the name of the choice; it is made once a game, no matter how many cards ask for it.
        query: which cards may be chosen.
        to: where the chosen cards go.
        amount: how many cards are chosen; None means all of them.
        each: whether the amount is for the whole game or for each player.
        priority: choices with a lower priority are made first.
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
        """The question that the cards are shuffled for."""
        return f"{self.slot}, face up" if self.face_up else self.slot

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to chance, because all matching cards come into use."""
        return self.amount.number is None and self.to != "box"

    @property
    def is_single(self) -> bool:
        """Whether it brings exactly one card into use, for all options and numbers of players."""
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
    """Something that setup does. A verb is a named tuple whose fields are those of the data file."""

    def apply(self, table: Any, cause: str | None) -> None:
        """Do it.

        Args:
            table: the `deal.table.Table` to change.
            cause: the name of the card or decision that asks for it; None is the opening.
        """

    def when(self, settings: Settings) -> When:
        """Return when it is done. A choice waits for its turn among the choices instead."""

    def brings(self, pool: "Pool") -> Iterable[str]:
        """Return the names of the cards that certainly come into use with it, in a deal from this pool."""

    def choice(self, cause: str | None) -> Choice | None:
        """Return the choice among the unused cards that it makes if this card asks for it, or None."""

    def traits(self) -> Traits:
        """Return what is true of the verb on every table."""

    def options(self) -> Iterable[OpenOption]:
        """Return the open options that it reads, without help texts."""

    def describe(self, asker: str, players: int, language: "Language") -> str:
        """Describe what it does; return an empty text if that can be seen on the table."""


Effects = tuple[Effect, ...]
