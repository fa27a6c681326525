"""The closure of a card: everything that certainly follows it, before anything is chosen."""

from randomizer.cards.effect import Choice
from randomizer.cards.game import Game
from randomizer.cards.pool import Pool
from randomizer.text.tuples import NamedTuple


class Brings(NamedTuple):
    """What comes with a card in use, without chance: cards, choices, and the names of all choices."""

    names: frozenset[str]
    choices: frozenset[Choice]
    slots: frozenset[str]


class Closure:
    """What each card brings: the cards that follow it, members of mixed piles, and theirs in turn."""

    def __init__(self, game: Game, pool: Pool) -> None:
        self._game = game
        self._pool = pool
        self._known: dict[str, Brings] = {}

    def of(self, name: str) -> Brings:
        """What this card brings, itself among it."""
        if name not in self._known:
            names, choices, slots, found = {name}, set(), set(), [name]
            while found:
                cause = found.pop()
                more = [member for member, _ in self._game.cards[cause].pile]
                for effect in self._game.setup.get(cause, ()):
                    more += effect.brings(self._pool)
                    if choice := effect.choice(cause):
                        slots.add(choice.slot)
                        if not choice.certain:
                            choices.add(choice)
                found += set(more) - names
                names.update(more)
            self._known[name] = Brings(frozenset(names), frozenset(choices), frozenset(slots))
        return self._known[name]
