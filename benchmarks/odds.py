"""Whether chance is even: `python -m benchmarks.odds` deals some thousand tables for each random choice.

For each it prints what was counted, over how many deals, chi-squared per degree of freedom, and how likely it
is to be that uneven by chance alone; a likelihood that is again and again below 0.001 would be a fault.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import erfc, sqrt

from randomizer import database
from randomizer.game import Game, Options
from randomizer.table import Table

DEALS = 4000
Chosen = Callable[[Table], Sequence[str]]


def kingdom(table: Table) -> list[str]:
    """The ten Kingdom cards."""
    return [turned.card.name for turned in table.turned if turned.use == "kingdom"]


def slot(name: str) -> Chosen:
    """What was chosen under that name."""
    return lambda table: table.slots.get(name, [])


CHOICES: dict[str, tuple[list[str], list[str], Chosen]] = {  # boxes, what is out, what is counted
    "Kingdom cards of one box": (["base-2e"], [], kingdom),
    "the first of them": (["base-2e"], [], lambda table: kingdom(table)[:1]),
    "the last of them": (["base-2e"], [], lambda table: kingdom(table)[-1:]),
    "landscapes used": (
        ["empires"],
        [],
        lambda table: [turned.card.name for turned in table.turned if turned.use == "landscape"],
    ),
    "Banes": (["cornucopia-guilds-2e", "intrigue-2e"], ["Young Witch"], slot("Bane")),
    "piles for Ferryman": (["cornucopia-guilds-2e", "allies"], ["Ferryman"], slot("Ferryman")),
    "cards for Way of the Mouse": (["menagerie", "base-2e"], ["Way of the Mouse"], slot("Way of the Mouse")),
    "Allies": (["allies"], ["Bauble"], slot("Ally")),
    "Prophecies": (["rising-sun"], ["Kitsune"], slot("Prophecy")),
    "the Boons that lie open": (
        ["nocturne"],
        ["Druid"],
        lambda table: [card.name for card in table.decks["Boons"].face_up],
    ),
}


def main() -> None:
    """Print the figures."""
    game = database.load()
    print(f"{'':28}{'kinds':>7}{'deals':>7}{'chi² per degree':>17}{'likelihood':>12}")
    for name, (boxes, first, chosen) in CHOICES.items():
        counts, deals = counted(game, boxes, first, chosen)
        degrees = len(counts) - 1
        spread = chi_squared(counts, deals)
        print(f"{name:28}{len(counts):7}{deals:7}{spread / degrees:17.2f}{likelihood(spread, degrees):12.3f}")


def counted(
    game: Game, boxes: Sequence[str], first: Sequence[str], chosen: Chosen
) -> tuple[Counter[str], int]:
    """How often each card was chosen; what is turned up first itself stands aside."""
    counts: Counter[str] = Counter()
    for number in range(DEALS):
        table = game.set_up(Options(tuple(boxes), 2, f"odds {number}"), {"randomizers": first})
        counts.update(name for name in chosen(table) if name not in first)
    return counts, DEALS


def chi_squared(counts: Counter[str], deals: int) -> float:
    """How uneven the counts are, if each deal chooses the same number of different cards."""
    drawn = sum(counts.values()) / deals
    share = drawn / len(counts)
    expected = deals * share
    # Drawing without replacement spreads less than independent draws do.
    narrower = (len(counts) - drawn) / (len(counts) - 1)
    return sum((count - expected) ** 2 for count in counts.values()) / expected / narrower


def likelihood(spread: float, degrees: int) -> float:
    """How likely chi-squared is to be at least so large (Wilson and Hilferty's approximation)."""
    normal = ((spread / degrees) ** (1 / 3) - (1 - 2 / (9 * degrees))) / sqrt(2 / (9 * degrees))
    return erfc(normal / sqrt(2)) / 2


if __name__ == "__main__":
    main()
