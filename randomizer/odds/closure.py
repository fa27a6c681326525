"""What each card brings once it is in use, before anything is chosen."""

from collections.abc import Sequence
from typing import NamedTuple

from randomizer.cards.game import Game
from randomizer.cards.pool import Collection
from randomizer.deal.growing import Deal, Put, Replace
from randomizer.deal.table import Effect

Choice = tuple[str, Deal]  # a deal with the name that it goes by


def laid_out(effect: Effect) -> Sequence[str]:
    """The cards that an effect brings into use by their names."""
    if isinstance(effect, Put):
        return effect.cards if effect.to != "box" else ()
    return [new for _, many in effect.cards for new in many] if isinstance(effect, Replace) else []


class Brings(NamedTuple):
    """What a card brings once it is in use, without chance: cards, choices, and what choices go by."""

    names: frozenset[str]
    choices: frozenset[Choice]
    slots: frozenset[str]


class Brought:
    """What each card brings: by put and replace, whole decks, members of mixed piles, and theirs in turn."""

    def __init__(self, game: Game, collection: Collection) -> None:
        self._game = game
        self._collection = collection
        self._known: dict[str, Brings] = {}

    def by(self, name: str) -> Brings:
        """What this card brings, itself among it."""
        if name not in self._known:
            names, choices, slots, found = {name}, set(), set(), [name]
            while found:
                cause = found.pop()
                more = [member for member, _ in self._game.cards[cause].pile]
                for effect in self._game.setup.get(cause, ()):
                    more += laid_out(effect)
                    if isinstance(effect, Deal):
                        slots.add(effect.slot(cause))
                        if effect.count.number is None and effect.to != "box":
                            more += [card.name for card in self._collection.answering(effect.is_)]
                        else:
                            choices.add((effect.slot(cause), effect))
                found += set(more) - names
                names.update(more)
            self._known[name] = Brings(frozenset(names), frozenset(choices), frozenset(slots))
        return self._known[name]
