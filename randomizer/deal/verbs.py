"""The words of the data files: each verb with its class, and doing what it says when its time has come.

A verb is a named tuple: its fields are what the data file says, `apply` does it.
"""

from typing import Literal, NamedTuple, cast

from randomizer.deal.decorating import Mark, Note, Place
from randomizer.deal.growing import Deal, Decide, Give, Put, Replace, TurnUp
from randomizer.deal.table import Choice, Effect, Table


class Verb(NamedTuple):
    """A word of the data files: its class, the field that a bare value fills, and when it is done."""

    effect: type[Effect]
    bare: str
    when: Literal["now", "choice", "decoration"]


VERBS = {
    "put": Verb(Put, "cards", "now"),
    "give": Verb(Give, "components", "now"),
    "replace": Verb(Replace, "cards", "now"),
    "turn_up": Verb(TurnUp, "", "now"),
    "decide": Verb(Decide, "", "now"),
    "deal": Verb(Deal, "", "choice"),
    "place": Verb(Place, "", "decoration"),
    "mark": Verb(Mark, "", "decoration"),
    "note": Verb(Note, "say", "decoration"),
}
WORDS = {verb.effect: word for word, verb in VERBS.items()}


def do(effect: Effect, table: Table, cause: str | None) -> None:
    """Apply the effect, and whatever it asks for in turn; or leave it with the table until its time comes."""
    when = VERBS[WORDS[type(effect)]].when
    if when == "choice":
        table.choices.append((cast(Choice, effect), cause))
    elif when == "decoration":
        table.decorations.append((effect, cause))
    else:
        effect.apply(table, cause)
        while table.asked:
            more, why = table.asked.pop(0)
            do(more, table, why)
