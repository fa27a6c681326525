"""The verbs by the words that the data files have for them."""

from typing import Any, NamedTuple

from randomizer.cards.effect import Effect
from randomizer.deal.decorating import Mark, Note, Place
from randomizer.deal.growing import Deal, Decide, Give, Put, Replace, TurnUp


class Verb(NamedTuple):
    """A verb: its class, and the field that a bare value fills, as in `put: Curse`."""

    effect: type[Effect]
    bare: str = ""


VERBS = {
    "put": Verb(Put, "cards"),
    "give": Verb(Give, "components"),
    "replace": Verb(Replace, "cards"),
    "turn_up": Verb(TurnUp),
    "decide": Verb(Decide),
    "deal": Verb(Deal),
    "place": Verb(Place),
    "mark": Verb(Mark),
    "note": Verb(Note, "say"),
}


def word_of(effect: Any) -> str | None:
    """The word for a verb of this class, if it is one."""
    return next((word for word, verb in VERBS.items() if verb.effect is effect), None)
