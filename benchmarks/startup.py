"""How fast commands start: `python -m benchmarks.startup` prints times, and ratios within this one run.

Every command is run by turns with the others, so that whatever else the machine does falls on all alike. The
first run of each, which fills the caches, does not count.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from benchmarks.environments import FOLDER, ours, peer
from benchmarks.table import Row, printed

TIMES = 40
CLICK, TABULATE = "import click", "import click, tabulate"
PEER, PEERS_TEXT = "the peer's deal, as JSON", "the peer's deal, as text"


class Run(NamedTuple):
    """A command, what it is measured by, and how much of that it should take at most."""

    command: list[str]
    measured_by: str
    at_most: float | None = None


def main() -> None:
    """Print the figures."""
    printed(rows())


def rows() -> Iterator[Row]:
    """The median of each command's times."""
    runs = _runs()
    times = _timed({name: run.command for name, run in runs.items()})
    for name, run in runs.items():
        ratio = times[name] / times[run.measured_by] if name != run.measured_by else None
        yield Row(name, f"{1000 * times[name]:.0f} ms", ratio, run.measured_by if ratio else "", run.at_most)


def _runs() -> dict[str, Run]:
    commands = ours()
    python, program = str(commands / "python"), str(commands / "dominion-setup")
    deal = [program, "--sets", "base,adventures", "--seed", "k7f3"]
    saved = FOLDER / "game.json"
    with open(saved, "wb") as file:
        wind = [program, "--sets", "rising-sun", "--seed", "12", "--json"]
        subprocess.run(wind, check=True, stdout=file)
    return {
        CLICK: Run([python, "-c", CLICK], CLICK),
        TABULATE: Run([python, "-c", TABULATE], TABULATE),
        PEER: Run(_peers_deal("json"), PEER),
        PEERS_TEXT: Run(_peers_deal("table"), PEERS_TEXT),
        "deal, as JSON": Run([*deal, "--json"], CLICK, 1.3),
        "deal, as text": Run(deal, TABULATE, 0.7),
        "deal, as JSON, against the peer": Run([*deal, "--json"], PEER, 0.6),
        "deal, as text, against the peer": Run(deal, PEERS_TEXT, 0.6),
        "rules, a term": Run([program, "rules", "reserve"], CLICK, 1.2),
        "rules, in Japanese": Run([program, "rules", "呼び出し"], CLICK, 1.25),
        "rules, a word misspelt": Run([program, "rules", "travelelr"], CLICK, 1.5),
        "rules, two words misspelt": Run([program, "rules", "comand", "crads"], CLICK, 1.5),
        "rules, misspelt in Japanese": Run([program, "rules", "呼び出じ"], CLICK, 1.5),
        "rules --for": Run([program, "rules", "--for", str(saved)], CLICK),
        "show": Run([program, "show", str(saved)], TABULATE, 0.7),
        "show --json": Run([program, "show", str(saved), "--json"], CLICK),
        "divine-wind": Run([program, "divine-wind", str(saved)], TABULATE),
        "odds": Run([program, "odds", "--sets", "base,adventures"], CLICK),
        "odds, of all boxes and a card": Run([program, "odds", "--sets", "all", "Witch"], CLICK, 25),
        "cards, one": Run([program, "cards", "Ferryman"], CLICK),
        "cards, a list": Run([program, "cards", "--type", "reserve"], TABULATE),
        "sets": Run([program, "sets"], TABULATE),
        "schema": Run([program, "schema"], CLICK),
        "--help": Run([program, "--help"], CLICK),
    }


def _peers_deal(form: str) -> list[str]:
    program = str(peer() / "dominion-setup")
    sets = ["--set", "base_2e", "--set", "adventures"]
    return [program, "generate", *sets, "--seed", "1", "--players", "2", "--format", form]


def _timed(commands: dict[str, list[str]]) -> dict[str, float]:
    """The median of the seconds that each command took."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(TIMES + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode:
                sys.exit(f"{name}: {done.stderr.decode()}")
            if turn:
                times[name].append(time.perf_counter() - start)
    return {name: median(seconds) for name, seconds in times.items()}


if __name__ == "__main__":
    main()
