"""How fast commands start: `python -m benchmarks.startup` prints times, and ratios within this one run.

Every command is run by turns with the others, so that whatever else the machine does falls on all alike. The
first run of each, which fills the caches, does not count.
"""

import subprocess
import sys
import time
from statistics import median

from benchmarks.environments import ours, peer

TIMES = 40
CLICK, TABULATE = "import click", "import click, tabulate"
PEER, PEERS_TEXT = "the peer's deal, as JSON", "the peer's deal, as text"


def main() -> None:
    """Print the figures."""
    commands = ours()
    python, program = str(commands / "python"), str(commands / "dominion-setup")
    deal = [program, "--sets", "base,adventures", "--seed", "k7f3"]
    runs: dict[str, tuple[list[str], str, float]] = {  # the command, what it is measured by, how much at most
        CLICK: ([python, "-c", CLICK], CLICK, 1),
        TABULATE: ([python, "-c", TABULATE], TABULATE, 1),
        PEER: (_peers_deal("json"), PEER, 1),
        PEERS_TEXT: (_peers_deal("table"), PEERS_TEXT, 1),
        "deal, as JSON": ([*deal, "--json"], CLICK, 1.5),
        "deal, as text": (deal, TABULATE, 1.25),
        "deal, as JSON, against the peer": ([*deal, "--json"], PEER, 0.6),
        "deal, as text, against the peer": (deal, PEERS_TEXT, 1),  # tabulate alone takes more than 0.6
        "rules, a term": ([program, "rules", "reserve"], CLICK, 1.25),
        "rules, in Japanese": ([program, "rules", "呼び出し"], CLICK, 1.25),
        "rules, a word misspelt": ([program, "rules", "travelelr"], CLICK, 1.5),
        "rules, two words misspelt": ([program, "rules", "comand", "crads"], CLICK, 1.5),
        "rules, misspelt in Japanese": ([program, "rules", "呼び出じ"], CLICK, 1.5),
    }
    times = _timed({name: command for name, (command, _, _) in runs.items()})
    print(f"{'':34}{'ms':>8}{'ratio':>8}{'at most':>9}   measured by")
    for name, (_, measure, most) in runs.items():
        ratio = median(times[name]) / median(times[measure])
        line = f"{name:34}{1000 * median(times[name]):8.1f}"
        print(
            line
            if name == measure
            else f"{line}{ratio:8.2f}{most:9.2f}   {measure}{'' if ratio <= most else ' !'}"
        )


def _peers_deal(form: str) -> list[str]:
    program = str(peer() / "dominion-setup")
    sets = ["--set", "base_2e", "--set", "adventures"]
    return [program, "generate", *sets, "--seed", "1", "--players", "2", "--format", form]


def _timed(commands: dict[str, list[str]]) -> dict[str, list[float]]:
    """Seconds that each command took, run after run."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(TIMES + 1):
        for name, command in commands.items():
            start = time.perf_counter()
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode:
                sys.exit(f"{name}: {done.stderr.decode()}")
            if turn:
                times[name].append(time.perf_counter() - start)
    return times


if __name__ == "__main__":
    main()
