"""How much gets done in a second: `python -m benchmarks.throughput`, side by side with the peer.

All sets and four players, where nothing else is said. The peer has no command for many deals, so its command
line is run again and again in one process, with another seed each time; this program's is run the same way,
and with `--count`. The processes take turns. A bare shuffle is `random.shuffle` of as many cards as there are
randomizers.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from benchmarks.environments import FOLDER, ours, peer
from benchmarks.many_entries import NUMBER
from benchmarks.table import Row, printed

ROUNDS = 5
SETUPS = 400
FEW, MANY = 1_000, 100_000
FEW_BOXES = "nocturne,allies,plunder"  # whose tables have as much on them as those of all boxes
ALL = ["--sets", "all", "--players", "4"]
PEERS_SETS = (
    "base_2e intrigue_2e seaside_2e alchemy prosperity_2e cornucopia_guilds_2e hinterlands_2e dark_ages "
    "adventures empires nocturne renaissance menagerie allies plunder rising_sun promo"
)
# How many times a second a command line runs in one process; {seed} is another number each time.
AGAIN = """
import importlib, json, sys, time
from click.testing import CliRunner
module, name, times, *arguments = json.loads(sys.argv[1])
main = getattr(importlib.import_module(module), name)
def run(seed):
    result = CliRunner().invoke(main, [word.replace("{seed}", str(seed)) for word in arguments])
    assert result.exit_code == 0 and len(result.stdout) > 100, result.output
run(0)
start = time.perf_counter()
for seed in range(1, times + 1):
    run(seed)
print(times / (time.perf_counter() - start))
"""
SHUFFLE = """
import random, time
cards = list(range(%d))
start = time.perf_counter()
for _ in range(2000):
    random.shuffle(cards)
print(2000 / (time.perf_counter() - start))
"""
LOOK_UPS = """
import csv, sys, time
from randomizer.rules.index import Index, open_index
from randomizer.rules.search import look_up
queries = [row["query"] for row in csv.DictReader(open(sys.argv[1], encoding="utf-8"))]
index = Index(open(sys.argv[2], "rb")) if sys.argv[2:] else open_index()
look_up(index, "qqqxxxzzz", None)  # which no stage finds: all that they need has been read
start = time.perf_counter()
for query in queries:
    look_up(index, query, None)
print(len(queries) / (time.perf_counter() - start))
"""
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""
QUERIES = Path(__file__).parent.parent / "tests" / "queries.csv"


def main() -> None:
    """Print the figures."""
    printed(rows())


def rows() -> Iterator[Row]:
    """Setups a second, how they grow, memory, and look-ups a second."""
    python, theirs = str(ours() / "python"), str(peer() / "python")
    main_ = ("randomizer.cli", "main")
    sets = [word for name in PEERS_SETS.split() for word in ("--set", name)]
    peers = ["generate", *sets, "--players", "4", "--seed", "{seed}", "--format"]
    rates = _rates(
        {
            "peer, text": _again(theirs, "dominion_setup.__main__", "cli", SETUPS // 4, *peers, "table"),
            "peer, JSON": _again(theirs, "dominion_setup.__main__", "cli", SETUPS // 4, *peers, "json"),
            "JSON": _again(python, *main_, SETUPS, *ALL, "--json", "--seed", "{seed}"),
            "lines": _again(python, *main_, 3, *ALL, "--count", str(SETUPS), "--seed", "{seed}"),
            "NDJSON": _again(python, *main_, 3, *ALL, "--json", "--count", str(SETUPS), "--seed", "{seed}"),
            "shuffle": [python, "-c", SHUFFLE % _randomizers(python)],
            **{
                f"{boxes} for {players}": _again(
                    python, *main_, 3, "--sets", boxes, "--players", players, "--count", str(SETUPS)
                )
                for boxes, players in (("base", "2"), (FEW_BOXES, "2"), ("all", "2"), ("all", "6"))
            },
            "look-ups": [python, "-P", "-c", LOOK_UPS, str(QUERIES)],
            "of many": [python, "-P", "-c", LOOK_UPS, str(QUERIES), str(_many_entries(python))],
        }
    )
    for name in ("lines", "NDJSON", "base for 2", f"{FEW_BOXES} for 2", "all for 2", "all for 6"):
        rates[name] *= SETUPS
    yield Row("the peer, a text each", f"{rates['peer, text']:.0f}/s")
    yield Row("the peer, a JSON document each", f"{rates['peer, JSON']:.0f}/s")
    yield _more("a JSON document each", rates["JSON"], "the peer, JSON", rates["peer, JSON"], 5)
    yield _more("--count, a line each", rates["lines"], "the peer, text", rates["peer, text"], 8)
    yield _more("--count --json", rates["NDJSON"], "the peer, JSON", rates["peer, JSON"], 8)
    yield Row("a bare shuffle of all randomizers", f"{rates['shuffle']:.0f}/s")
    yield _more("--count, against it", rates["lines"], "a bare shuffle", rates["shuffle"])
    time = {name: 1 / rate for name, rate in rates.items()}
    yield Row("one box, 2 players", f"{1e6 * time['base for 2']:.0f} µs")
    few = time[f"{FEW_BOXES} for 2"]
    yield Row("three boxes, 2 players", f"{1e6 * few:.0f} µs", few / time["base for 2"], "one box")
    growth = time["all for 2"] / few
    yield Row("all boxes, 2 players", f"{1e6 * time['all for 2']:.0f} µs", growth, "three boxes", 1.1)
    growth = time["all for 6"] / time["all for 2"]
    yield Row(
        "all boxes, 6 players", f"{1e6 * time['all for 6']:.0f} µs", growth, "all boxes, 2 players", 1.1
    )
    least, most = (_peak(python, count) for count in (FEW, MANY))
    yield Row(f"peak memory of --count {FEW}", f"{least:.0f} MiB")
    yield Row(f"peak memory of --count {MANY}", f"{most:.0f} MiB", most / least, f"--count {FEW}", 1.1)
    yield Row("look-ups, of tests/queries.csv", f"{rates['look-ups']:.0f}/s")
    yield _more(f"look-ups, with {NUMBER:,} entries", rates["of many"], "look-ups", rates["look-ups"], 0.4)


def _more(what: str, rate: float, than: str, other: float, at_least: float | None = None) -> Row:
    return Row(what, f"{rate:.0f}/s", rate / other, than, at_least=at_least)


def _again(python: str, module: str, name: str, times: int, *arguments: str) -> list[str]:
    return [python, "-P", "-c", AGAIN, json.dumps([module, name, times, *arguments])]


def _rates(commands: Mapping[str, list[str]]) -> dict[str, float]:
    """The median of what each command prints, over the rounds."""
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            found[name].append(_number(command))
    return {name: median(rates) for name, rates in found.items()}


def _number(command: list[str]) -> float:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return float(done.stdout)


def _many_entries(python: str) -> Path:
    """The file of an index of thousands of entries."""
    path = FOLDER / "entries"
    script = Path(__file__).parent / "many_entries.py"
    subprocess.run([python, "-P", str(script), str(path)], check=True)
    return path


def _randomizers(python: str) -> int:
    """How many there are in all boxes, landscapes among them."""
    code = (
        "from randomizer.load import games as database; from randomizer.odds.probabilities import Chances;"
        "from randomizer.cards.game import Options; from randomizer.browse.boxes import resolve;"
        "game = database.load(); it = Chances(game, Options(resolve(['all'], game), 2, ''));"
        "print(len(it.kingdom) + len(it.landscapes))"
    )
    return int(_number([python, "-P", "-c", code]))


def _peak(python: str, count: int) -> float:
    """The most memory that so many deals take, in MiB."""
    deal = [python, "-P", "-m", "randomizer", *ALL, "--count", str(count), "--json", "--seed", "memory"]
    return _number([python, "-c", PEAK, *deal])


if __name__ == "__main__":
    main()
