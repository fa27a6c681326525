"""Throughput benchmark: `python -m benchmarks.throughput` compares setups per second with the peer's
generator.

The default is all sets and four players. The baseline is the generator of the peer (see `environments`),
called in process and printing nothing: `generate_game` on its own card database. This program runs its
complete command line in process, `--count` with a line or a document for each setup, and with the same
garbage collection threshold as the command. The processes take turns, so that a busy machine slows down both.
"A bare shuffle" is `random.shuffle` of as many cards as there are randomizers. The 260 boxes are the real
ones and invented copies of their cards.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

import yaml

from benchmarks.environments import FOLDER, ROOT, install_ours, install_peer
from benchmarks.many_entries import ENTRY_COUNT
from benchmarks.table import Row, print_table

LINES, PEER = "--count, a line each", "generator of the peer"  # names of rows
ROUNDS = 5
SETUPS = 4000
FEW, MANY = 10_000, 100_000  # After the first number of deals all caches are full.
FEW_BOXES = "nocturne,allies,plunder"  # Their tables have as many things on them as those of all boxes.
ALL = ["--sets", "all", "--players", "4"]
WISHES = (("--with", "witch"), ("--want", "defence if attack"), ("--weight", "attack=0.5"))
GENERATOR = """
import random, sys, time
from dominion_setup.generator import generate_game
from dominion_setup.loader import load_card_database
cards = load_card_database()
generate_game(cards, players=4, rng=random.Random())
start = time.perf_counter()
for number in range(400):
    generate_game(cards, players=4, rng=random.Random(number))
print(400 / (time.perf_counter() - start))
"""
# Runs a command line many times in one process, each time with another number as {seed}; prints the runs per
# second.
REPEAT = """
import gc, importlib, json, os, sys, time
gc.set_threshold(100_000)  # the same as in randomizer/__main__.py
module, name, times, *arguments = json.loads(sys.argv[1])
main = getattr(importlib.import_module(module), name)
screen = sys.stdout
def run(seed):
    main([word.replace("{seed}", str(seed)) for word in arguments], standalone_mode=False)
with open(os.devnull, "w", encoding="utf-8") as sys.stdout:
    run(0)
    start = time.perf_counter()
    for seed in range(1, times + 1):
        run(seed)
    rate = times / (time.perf_counter() - start)
print(rate, file=screen)
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
from randomizer.rules.index import Index
from randomizer.rules.lookup import open_index
from randomizer.rules.search import look_up
queries = [row["query"] for row in csv.DictReader(open(sys.argv[1], encoding="utf-8"))]
index = Index(open(sys.argv[2], "rb")) if sys.argv[2:] else open_index()
look_up(index, "qqqxxxzzz", None)  # No stage finds this, so every stage loads what it needs.
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
COPIES = range(1, 14)
COPIED = ("kingdom", "event", "landmark", "project", "way", "trait")
QUERIES = Path(__file__).parent.parent / "tests" / "queries.csv"


def main() -> None:
    """Run the benchmark and print its table."""
    print_table(measure())


def measure() -> Iterator[Row]:
    """Yield setups per second, their growth with boxes and players, memory, and look-ups per second."""
    python, peer_python = str(install_ours() / "python"), str(install_peer() / "python")
    main_ = ("randomizer.cli", "main")
    invented_boxes = _write_invented_boxes()
    rates = _measure_rates(
        {
            "peer": [peer_python, "-c", GENERATOR],
            "lines": _repeat(python, *main_, 3, *ALL, "--count", str(SETUPS), "--seed", "{seed}"),
            "NDJSON": _repeat(python, *main_, 3, *ALL, "--json", "--count", str(SETUPS), "--seed", "{seed}"),
            "JSON": _repeat(python, *main_, 1000, *ALL, "--json", "--seed", "{seed}"),
            "shuffle": [python, "-c", SHUFFLE % _count_randomizers(python)],
            **{
                f"{boxes} for {players}": _repeat(
                    python, *main_, 3, "--sets", boxes, "--players", players, "--count", str(SETUPS)
                )
                for boxes, players in (("base", "2"), (FEW_BOXES, "2"), ("all", "2"), ("all", "6"))
            },
            **{
                f"{option} {wish} for 4": _repeat(
                    python, *main_, 3, *ALL, "--count", str(SETUPS), "--seed", "{seed}", option, wish
                )
                for option, wish in WISHES
            },
            "invented for 2": _repeat(
                python,
                *main_,
                3,
                "--cards",
                invented_boxes,
                "--sets",
                "all",
                "--players",
                "2",
                "--count",
                str(SETUPS),
            ),
            "look-ups": [python, "-P", "-c", LOOK_UPS, str(QUERIES)],
            "of many": [python, "-P", "-c", LOOK_UPS, str(QUERIES), str(_write_many_entries(python))],
        }
    )
    for name in rates:
        if name in ("lines", "NDJSON") or " for " in name:
            rates[name] *= SETUPS
    yield Row(PEER, f"{rates['peer']:.0f}/s")
    yield _row_with_rate(LINES, rates["lines"], PEER, rates["peer"], 10)
    yield _row_with_rate("--count --json, a document each", rates["NDJSON"], PEER, rates["peer"], 3.3)
    yield _row_with_rate("--json, one at a time", rates["JSON"], PEER, rates["peer"])
    yield Row("a bare shuffle of all randomizers", f"{rates['shuffle']:.0f}/s")
    yield _row_with_rate(
        "--count, next to a bare shuffle", rates["lines"], "a bare shuffle", rates["shuffle"]
    )
    time = {name: 1 / rate for name, rate in rates.items()}
    yield Row("one box, 2 players", f"{1e6 * time['base for 2']:.0f} µs")
    few = time[f"{FEW_BOXES} for 2"]
    yield Row("three boxes, 2 players", f"{1e6 * few:.0f} µs", few / time["base for 2"], "one box")
    growth = time["all for 2"] / few
    yield Row("all boxes, 2 players", f"{1e6 * time['all for 2']:.0f} µs", growth, "three boxes", 1.1)
    growth = time["invented for 2"] / few
    yield Row("260 boxes, 2 players", f"{1e6 * time['invented for 2']:.0f} µs", growth, "three boxes", 1.3)
    growth = time["all for 6"] / time["all for 2"]
    yield Row(
        "all boxes, 6 players", f"{1e6 * time['all for 6']:.0f} µs", growth, "all boxes, 2 players", 1.1
    )
    for option, wish in WISHES:
        with_wish = time[f"{option} {wish} for 4"]
        yield Row(f"{option} '{wish}'", f"{1e6 * with_wish:.0f} µs", with_wish / time["lines"], "no wish", 2)
    memory_few, memory_many = (_peak_memory(python, count) for count in (FEW, MANY))
    yield Row(f"peak memory of --count {FEW}", f"{memory_few:.0f} MiB")
    growth = memory_many / memory_few
    yield Row(f"peak memory of --count {MANY}", f"{memory_many:.0f} MiB", growth, f"--count {FEW}", 1.1)
    yield Row("look-ups of tests/queries.csv", f"{rates['look-ups']:.0f}/s")
    yield _row_with_rate(
        f"look-ups, with {ENTRY_COUNT:,} entries", rates["of many"], "look-ups", rates["look-ups"], 0.5
    )


class _DumperWithoutAnchors(yaml.CSafeDumper):
    """A YAML dumper without anchors, because the program rejects them."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _write_invented_boxes() -> str:
    """Write a card file with 13 invented boxes per set, copies without mixed piles; return its path."""
    path = FOLDER / "invented.yaml"
    text = (ROOT / "data" / "cards.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text.replace(" on:", ' "on":'))  # YAML 1.1 would read `on` as true.
    plain = [card for card in data["cards"] if card.get("kind", "kingdom") in COPIED and "pile" not in card]
    copies = {
        "game": data["game"],
        "sets": {f"{slug}-{n}": f"{name} {n}" for slug, name in data["sets"].items() for n in COPIES},
        "cards": [
            {
                **{key: value for key, value in card.items() if key not in ("edition", "boxes", "also")},
                "name": f"{card['name']} {n}",
                "set": f"{card['set']}-{n}",
            }
            for card in plain
            for n in COPIES
        ],
    }
    path.write_text(yaml.dump(copies, Dumper=_DumperWithoutAnchors, allow_unicode=True), encoding="utf-8")
    return str(path)


def _row_with_rate(
    what: str, rate: float, baseline: str, baseline_rate: float, at_least: float | None = None
) -> Row:
    return Row(what, f"{rate:.0f}/s", rate / baseline_rate, baseline, at_least=at_least)


def _repeat(python: str, module: str, name: str, times: int, *arguments: str) -> list[str]:
    return [python, "-P", "-c", REPEAT, json.dumps([module, name, times, *arguments])]


def _measure_rates(commands: Mapping[str, list[str]]) -> dict[str, float]:
    """Run the commands in turns and return the median of the rates that each prints."""
    rates: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            rates[name].append(_run_for_number(command))
    return {name: median(values) for name, values in rates.items()}


def _run_for_number(command: list[str]) -> float:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return float(done.stdout)


def _write_many_entries(python: str) -> Path:
    """Build an index of thousands of entries and return its path."""
    path = FOLDER / "entries"
    script = Path(__file__).parent / "many_entries.py"
    subprocess.run([python, "-P", str(script), str(path)], check=True)
    return path


def _count_randomizers(python: str) -> int:
    """Return the number of randomizers in all boxes, including landscapes."""
    code = (
        "from randomizer.load import games; from randomizer.odds.probabilities import DealOdds;"
        "from randomizer.cards.game import Request; from randomizer.browse.boxes import resolve_boxes;"
        "game = games.load(); it = DealOdds(game, Request(resolve_boxes(['all'], game), 2, ''));"
        "print(len(it.kingdom) + len(it.landscapes))"
    )
    return int(_run_for_number([python, "-P", "-c", code]))


def _peak_memory(python: str, count: int) -> float:
    """Return the peak memory of a command that deals this many tables, in MiB."""
    deal = [python, "-P", "-m", "randomizer", *ALL, "--count", str(count), "--json", "--seed", "memory"]
    return _run_for_number([python, "-c", PEAK, *deal])


if __name__ == "__main__":
    main()
