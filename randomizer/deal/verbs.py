"""The verbs by their words in the data files."""

from typing import Any, NamedTuple

from randomizer.cards.effect import Effect
from randomizer.deal.decorating import Mark, Note, Place
from randomizer.deal.growing import Deal, Decide, Give, Put, Replace, TurnUp


class Verb(NamedTuple):
    """An entry of the list of verbs.

    Attributes:
        effect: the class of the verb.
        default_field: the field that a bare value is for, as in `put: Curse`.
    """

    effect: type[Effect]
    default_field: str = ""


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


def find_word(effect: Any) -> str | None:
    """Return the word for a class of effects, or None if it is not a verb."""
    return next((word for word, verb in VERBS.items() if verb.effect is effect), None)
