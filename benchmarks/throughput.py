"""How many complete setups a second: `python -m benchmarks.throughput`, side by side with the peer.

Either program runs its own command line in a process of its own, for four players and all sets, again and
again with another seed, and prints JSON to nowhere; the processes take turns.
"""

import subprocess
from pathlib import Path
from statistics import median

from benchmarks.environments import ours, peer

ROUNDS = 5
SETUPS = 200
ARGUMENTS = ["--sets", "all", "--players", "4", "--json", "--seed"]
PEERS_SETS = (
    "base_2e intrigue_2e seaside_2e alchemy prosperity_2e cornucopia_guilds_2e hinterlands_2e dark_ages "
    "adventures empires nocturne renaissance menagerie allies plunder rising_sun promo"
)
LOOP = """
import importlib, sys, time
from click.testing import CliRunner
module, name, count, *arguments = sys.argv[1:]
main = getattr(importlib.import_module(module), name)
def deal(seed):
    result = CliRunner().invoke(main, [*arguments, str(seed)])
    assert result.exit_code == 0 and len(result.stdout) > 1000, result.output
deal(0)
start = time.perf_counter()
for seed in range(1, int(count) + 1):
    deal(seed)
print(int(count) / (time.perf_counter() - start))
"""


def main() -> None:
    """Print the figures."""
    sets = [word for name in PEERS_SETS.split() for word in ("--set", name)]
    theirs = ["generate", *sets, "--players", "4", "--format", "json", "--seed"]
    mine, other = ours(), peer()
    rounds: list[tuple[float, float]] = [
        (
            _setups_a_second(mine, "randomizer.cli", "main", ARGUMENTS),
            _setups_a_second(other, "dominion_setup.__main__", "cli", theirs),
        )
        for _ in range(ROUNDS)
    ]
    own, peers = (median(rates) for rates in zip(*rounds, strict=True))
    print(f"this program   {own:8.1f} complete setups a second")
    print(f"the peer       {peers:8.1f}")
    print(f"ratio          {own / peers:8.1f}   (at least 5)")


def _setups_a_second(commands: Path, module: str, name: str, arguments: list[str]) -> float:
    command = [str(commands / "python"), "-c", LOOP, module, name, str(SETUPS), *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
