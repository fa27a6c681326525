"""The interface of setup effects.

In the data files, each effect on setup consists of a verb, such as `put` or `deal`, and its arguments. The
verbs are implemented in `deal/`, because they change a table. All other code uses only this interface, and
does not depend on particular verbs.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from randomizer.cards.model import Amount, OpenOption, Query

if TYPE_CHECKING:
    from randomizer.cards.pool import Pool
    from randomizer.text.language import Language

Setting = bool | int | str
Settings = Mapping[str, Setting]  # the options that the user has set, by name

# Where chosen cards go: to the Kingdom or beside the Supply as piles, aside or to a deck as single cards, to
# the landscapes, or back to the box.
Destination = Literal["kingdom", "beside", "aside", "deck", "landscapes", "box"]

# When an effect without a choice is applied: immediately, after the rest of the opening, or after all piles
# and landscapes have been laid out.
When = Literal["now", "last", "decoration"]


class Choice(NamedTuple):
    """A choice among the unused cards.

    Attributes:
        slot: the name of the choice, such as Bane. It is made only once, even if several cards require it.
        query: the condition that chosen cards must meet.
        to: where the chosen cards go.
        amount: the number of cards to choose; `Amount(None)` means all matching cards.
        each: whether the amount is for the whole game or for each player.
        priority: the rank of the choice; choices with a lower rank are made first.
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
        """The key of the random source for this choice. Cards turned face up have a separate key."""
        return f"{self.slot}, face up" if self.face_up else self.slot

    @property
    def is_certain(self) -> bool:
        """Whether the choice is not random, because all matching cards are used."""
        return self.amount.number is None and self.to != "box"

    @property
    def is_single(self) -> bool:
        """Whether exactly one card is chosen for use, regardless of options and the number of players."""
        return self.amount == Amount(1) and self.each == "game" and self.to != "box"


class Effect:
    """The base class of effects on setup.

    Each verb is a subclass, and also a named tuple with its arguments as fields. By default, an effect is
    applied immediately, makes no choice and needs no description.

    Attributes:
        default_field: the field that a bare value sets, as in `put: Curse`; empty if there is none.
        is_once_per_game: whether a second deal skips the effect for a card that stays on the table, if the
            effect comes from a rule for a type or kind.
        marks_pile: whether the effect chooses a pile on the table and marks it with the card's name.
    """

    __slots__ = ()
    default_field = ""
    is_once_per_game = False
    marks_pile = False

    def apply(self, table: Any, cause: str | None) -> None:
        """Apply the effect to a table.

        Args:
            table: the `deal.table.Table` to change.
            cause: the name of the card or decision that causes the effect; None for the opening.
        """
        raise NotImplementedError

    def when(self, settings: Settings) -> When:
        """Return when the effect is applied. This is ignored for choices, which are ordered by priority."""
        return "now"

    def brings(self, pool: "Pool") -> Iterable[str]:
        """Return the names of the cards that the effect always brings into use.

        Args:
            pool: the cards from which the table is dealt.
        """
        return ()

    def choice(self, cause: str | None) -> Choice | None:
        """Return the choice that the effect makes among the unused cards; None if it makes none.

        Args:
            cause: the name of the card or decision that causes the effect; None for the opening.
        """
        return None

    def options(self) -> Iterable[OpenOption]:
        """Return the options on which the effect depends, without their help texts."""
        return ()

    def describe(self, card_name: str, players: int, language: "Language") -> str:
        """Return a description of the effect; empty if the result is visible on the table.

        Args:
            card_name: the name of the card that requires the effect.
            players: the number of players.
            language: the output language.
        """
        return ""


Effects = tuple[Effect, ...]
