"""Start-up benchmark: `python -m benchmarks.startup` prints times, and their ratios to baselines.

The commands take turns, so that changes in the load of the machine affect all of them alike. The first run of
each command fills the caches and is not counted.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

from benchmarks.environments import FOLDER, install_ours, install_peer
from benchmarks.table import Row, print_table

RUN_COUNT = 40
CLICK, TABULATE = "import click", "import click, tabulate"
PEER_JSON, PEER_TEXT = "deal of the peer, as JSON", "deal of the peer, as text"
DEAL_JSON, DEAL_TEXT = "deal, as JSON", "deal, as text"


class Run(NamedTuple):
    """A command to measure.

    Attributes:
        command: the program and its arguments.
        baseline: the name of the run with which to compare it.
        max_ratio: the upper bound of the ratio to the baseline.
    """

    command: list[str]
    baseline: str
    max_ratio: float | None = None


def main() -> None:
    """Run the benchmark and print its table."""
    print_table(measure())


def measure() -> Iterator[Row]:
    """Yield the median time of each command."""
    runs = _prepare_runs()
    times = _time_commands({name: run.command for name, run in runs.items()})
    for name, run in runs.items():
        ratio = times[name] / times[run.baseline] if name != run.baseline else None
        yield Row(name, f"{1000 * times[name]:.0f} ms", ratio, run.baseline if ratio else "", run.max_ratio)


def _prepare_runs() -> dict[str, Run]:
    folder = install_ours()
    python, program = str(folder / "python"), str(folder / "dominion-setup")
    deal = [program, "--sets", "base,adventures", "--seed", "k7f3"]
    saved = FOLDER / "game.json"
    with open(saved, "wb") as file:
        deal_with_wind = [program, "--sets", "rising-sun", "--seed", "12", "--json"]
        subprocess.run(deal_with_wind, check=True, stdout=file)
    return {
        CLICK: Run([python, "-c", CLICK], CLICK),
        TABULATE: Run([python, "-c", TABULATE], TABULATE),
        PEER_JSON: Run(_build_peer_command("json"), PEER_JSON),
        PEER_TEXT: Run(_build_peer_command("table"), PEER_TEXT),
        DEAL_JSON: Run([*deal, "--json"], CLICK, 1.55),
        DEAL_TEXT: Run(deal, TABULATE, 0.8),
        "deal, as JSON, next to the peer": Run([*deal, "--json"], PEER_JSON, 0.6),
        "deal, as text, next to the peer": Run(deal, PEER_TEXT, 0.6),
        "rules, a term": Run([program, "rules", "reserve"], CLICK, 1.4),
        "rules, in Japanese": Run([program, "rules", "呼び出し"], CLICK, 1.45),
        "rules, one misspelt word": Run([program, "rules", "travelelr"], CLICK, 1.7),
        "rules, two misspelt words": Run([program, "rules", "comand", "crads"], CLICK, 1.7),
        "rules, a misspelt word in Japanese": Run([program, "rules", "呼び出じ"], CLICK, 1.7),
        "rules --for": Run([program, "rules", "--for", str(saved)], CLICK),
        "show": Run([program, "show", str(saved)], TABULATE, 0.8),
        "show --json": Run([program, "show", str(saved), "--json"], CLICK),
        "divine-wind": Run([program, "divine-wind", str(saved)], TABULATE),
        "odds": Run([program, "odds", "--sets", "base,adventures"], CLICK),
        "odds, all boxes and a card": Run([program, "odds", "--sets", "all", "Witch"], CLICK, 25),
        "cards, one": Run([program, "cards", "Ferryman"], CLICK),
        "cards, a list": Run([program, "cards", "--type", "reserve"], TABULATE),
        "sets": Run([program, "sets"], TABULATE),
        "schema": Run([program, "schema"], CLICK),
        "--help": Run([program, "--help"], CLICK),
    }


def _build_peer_command(output_format: str) -> list[str]:
    program = str(install_peer() / "dominion-setup")
    sets = ["--set", "base_2e", "--set", "adventures"]
    return [program, "generate", *sets, "--seed", "1", "--players", "2", "--format", output_format]


def _time_commands(commands: dict[str, list[str]]) -> dict[str, float]:
    """Run the commands in turn, and return the median time of each, in seconds."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for run_index in range(RUN_COUNT + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode:
                sys.exit(f"{name}: {done.stderr.decode()}")
            if run_index:
                times[name].append(time.perf_counter() - start)
    return {name: median(seconds) for name, seconds in times.items()}


if __name__ == "__main__":
    main()
