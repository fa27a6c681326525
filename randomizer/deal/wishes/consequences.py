"""The certain consequences of bringing a card into use: the cards and the choices that it requires."""

from typing import NamedTuple

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.pool import Pool


class Consequences(NamedTuple):
    """The certain consequences of bringing a card into use.

    Attributes:
        names: the names of the cards that come into use, including the card itself.
        choices: the choices that the card triggers, except those that do not depend on chance.
        slots: the slots of all choices that the card triggers.
    """

    names: frozenset[str]
    choices: frozenset[Choice]
    slots: frozenset[str]


class ConsequenceClosure:
    """The certain consequences of each card, direct and indirect.

    This is the transitive closure of the relation "certainly brings into use"
    (https://en.wikipedia.org/wiki/Transitive_closure).
    """

    def __init__(self, game: Game, pool: Pool) -> None:
        self._game = game
        self._pool = pool
        self._cache: dict[str, Consequences] = {}

    def get_consequences(self, name: str) -> Consequences:
        """Return the consequences of the card with this name."""
        if name not in self._cache:
            names, choices, slots, queue = {name}, set(), set(), [name]
            while queue:
                cause = queue.pop()
                brought_names = [member for member, _ in self._game.cards[cause].pile]
                for effect in self._game.setup.get(cause, ()):
                    brought_names += effect.brings(self._pool)
                    if choice := effect.choice(cause):
                        slots.add(choice.slot)
                        if not choice.is_certain:
                            choices.add(choice)
                queue += set(brought_names) - names
                names.update(brought_names)
            self._cache[name] = Consequences(frozenset(names), frozenset(choices), frozenset(slots))
        return self._cache[name]
