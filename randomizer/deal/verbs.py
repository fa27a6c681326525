"""The registry of verbs, by their names in the data files."""

from typing import Any

from randomizer.cards.effect import Effect
from randomizer.deal.decorating import Mark, Note, Place
from randomizer.deal.growing import Deal, Decide, Give, Put, Replace, TurnUp

VERBS: dict[str, type[Effect]] = {
    "put": Put,
    "give": Give,
    "replace": Replace,
    "turn_up": TurnUp,
    "decide": Decide,
    "deal": Deal,
    "place": Place,
    "mark": Mark,
    "note": Note,
}


def find_verb_name(effect: Any) -> str | None:
    """Return the name of the verb that a class implements, or None if the class implements no verb."""
    return next((word for word, verb in VERBS.items() if verb is effect), None)
