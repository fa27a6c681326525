"""The interface of setup effects.

A verb is a kind of effect, such as `put` or `deal`; the data files say what setup does by means of verbs. The
verbs are implemented in `deal/`, because they change a table. All other code uses only this interface, and
does not depend on a particular verb.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from randomizer.cards.model import Amount, OpenOption, Query

if TYPE_CHECKING:
    from randomizer.cards.pool import Pool
    from randomizer.text.language import Language

Setting = bool | int | str
Settings = Mapping[str, Setting]  # open option -> value; only options that the user has set

# Where chosen cards go: as a pile into the Kingdom or beside the Supply, set aside as single cards, into a
# deck of single cards, among the landscapes, or back into the box.
Destination = Literal["kingdom", "beside", "aside", "deck", "landscapes", "box"]

# When an effect that makes no choice is applied: immediately, after the rest of the opening, or after
# all piles and landscapes have been laid out.
When = Literal["now", "last", "decoration"]


class Choice(NamedTuple):
    """A choice among the unused cards.

    Attributes:
        slot: the name of the choice. A choice is made once per game, even if several cards need it.
        query: the condition that a card must meet to be chosen.
        to: where the chosen cards go.
        amount: the number of cards to choose; `Amount(None)` means all matching cards.
        each: whether the amount applies to the whole game or to each player.
        priority: the rank of the choice; choices with a lower number are made first.
        face_up: whether the chosen cards are turned face up next to their deck.
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
        """The key of the random source for this choice. Cards turned face up have a key of their own."""
        return f"{self.slot}, face up" if self.face_up else self.slot

    @property
    def is_certain(self) -> bool:
        """Whether chance plays no part, because all matching cards come into use."""
        return self.amount.number is None and self.to != "box"

    @property
    def is_single(self) -> bool:
        """Whether the choice always brings exactly one card into use, for all options and player counts."""
        return self.amount == Amount(1) and self.each == "game" and self.to != "box"


class Traits(NamedTuple):
    """Properties of an effect that do not depend on the table.

    Attributes:
        once_per_game: whether a second deal skips the effect if a rule for a type or kind asks for it.
        marks_pile: whether the effect chooses a pile on the table and marks it with the card's name.
    """

    once_per_game: bool = False
    marks_pile: bool = False


class Effect:
    """A step that setup performs.

    Each verb is a subclass that is also a named tuple with the fields that the data files give it. The
    methods here are those of an effect that is applied at once, makes no choice and needs no description.
    """

    __slots__ = ()

    def apply(self, table: Any, cause: str | None) -> None:
        """Apply the effect to a table.

        Args:
            table: the `deal.table.Table` to change.
            cause: the name of the card or decision that requires the effect; None for the opening.
        """
        raise NotImplementedError

    def when(self, settings: Settings) -> When:
        """Return when the effect is applied. This is ignored for choices, which are ordered by priority."""
        return "now"

    def brings(self, pool: "Pool") -> Iterable[str]:
        """Return the names of the cards that the effect always brings into use in a deal from this pool."""
        return ()

    def choice(self, cause: str | None) -> Choice | None:
        """Return the choice among the unused cards that the effect makes for this cause, or None."""
        return None

    def traits(self) -> Traits:
        """Return the properties of the effect that do not depend on the table."""
        return Traits()

    def options(self) -> Iterable[OpenOption]:
        """Return the open options that the effect reads, without their help texts."""
        return ()

    def describe(self, asker: str, players: int, language: "Language") -> str:
        """Return a description of the effect; empty if the table itself shows the result.

        Args:
            asker: the name of the card that requires the effect.
            players: the number of players.
            language: the output language.
        """
        return ""


Effects = tuple[Effect, ...]
