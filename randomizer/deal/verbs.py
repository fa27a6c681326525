"""The registry of verbs, by their names in the data files."""

from typing import Any, NamedTuple

from randomizer.deal.decorating import Mark, Note, Place
from randomizer.deal.growing import Deal, Decide, Give, Put, Replace, TurnUp


class Verb(NamedTuple):
    """An entry of the registry.

    Attributes:
        effect: the class that implements the verb, a subclass of `Effect`.
        default_field: the field that is set if the data give a bare value, as in `put: Curse`.
    """

    effect: Any
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


def find_verb_name(effect: Any) -> str | None:
    """Return the name of the verb that a class implements, or None if the class is not a verb."""
    return next((word for word, verb in VERBS.items() if verb.effect is effect), None)
