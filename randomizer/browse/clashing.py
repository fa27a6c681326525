"""Options that are not asked for together, because one of them would do nothing."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from randomizer.text.language import Message, Typed, message
from randomizer.text.tuples import NamedTuple


class Clash(NamedTuple):
    """Options that are not typed together.

    Attributes:
        flag, value: an option, and the value with which it clashes.
        others: the options of which none goes with that.
        why: the reason, and what to do.
    """

    flag: str
    value: Any
    others: Sequence[str]
    why: Message


OF_A_DEAL = (
    Clash(
        "--kingdom",
        "any",
        ("--with", "--want", "--weight", "--of"),
        message("chance takes a whole one as it is; `dominion-setup kingdoms` finds those with a card"),
    ),
)


def clash_in(typed: Mapping[str, Any], clashes: Iterable[Clash]) -> Message | None:
    """What does not go together of the options that are typed, and why; None if all of it does.

    Args:
        typed: by its flag, what each option says.
        clashes: which there may be.
    """
    for clash in clashes:
        if typed.get(clash.flag) == clash.value:
            said = clash.flag if clash.value is True else f"{clash.flag} {clash.value}"
            for other in clash.others:
                if other in typed:
                    together = "{option} and {other} do not go together: {why}."
                    return message(together, option=Typed(said), other=Typed(other), why=clash.why)
    return None
