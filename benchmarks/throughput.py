"""Throughput benchmark: `python -m benchmarks.throughput` compares setups per second with the peer.

The default is all sets and four players. The baseline is the generator of the peer (see `environments`),
called in process without printing: `generate_game` with its own card database. This program runs its complete
command line in process: `--count` with a line or a document for each setup, and the same garbage collection
threshold as the command. The processes take turns, so that a busy machine slows down both. "A bare shuffle"
is `random.shuffle` of as many cards as there are randomizers. The 260 boxes are the real boxes, and boxes
with invented copies of their cards.
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
ROUND_COUNT = 5
SETUP_COUNT = 4000
FEW_DEALS, MANY_DEALS = 10_000, 100_000  # All caches are full after the first number of deals.
FEW_BOXES = "nocturne,allies,plunder"  # Their tables have as many items as tables from all boxes.
ALL_BOXES = ["--sets", "all", "--players", "4"]
WISHES = (("--with", "witch"), ("--want", "defence if attack"), ("--weight", "attack=0.5"))
PEER_SCRIPT = """
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
# Runs a command line many times in one process, each time with another number in place of {seed}, and prints
# the number of runs per second.
REPEAT_SCRIPT = """
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
SHUFFLE_SCRIPT = """
import random, time
cards = list(range(%d))
start = time.perf_counter()
for _ in range(2000):
    random.shuffle(cards)
print(2000 / (time.perf_counter() - start))
"""
LOOK_UP_SCRIPT = """
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
MEMORY_SCRIPT = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
"""
COPY_NUMBERS = range(1, 14)
COPIED_KINDS = ("kingdom", "event", "landmark", "project", "way", "trait")
QUERIES = Path(__file__).parent.parent / "tests" / "queries.csv"


def main() -> None:
    """Run the benchmark and print its table."""
    print_table(measure())


def measure() -> Iterator[Row]:
    """Yield the setups per second, the effect of boxes and players, the memory use and the look-ups."""
    python, peer_python = str(install_ours() / "python"), str(install_peer() / "python")
    entry_point = ("randomizer.cli", "main")
    invented_boxes = _write_invented_boxes()
    rates = _measure_rates(
        {
            "peer": [peer_python, "-c", PEER_SCRIPT],
            "lines": _repeat(
                python, *entry_point, 3, *ALL_BOXES, "--count", str(SETUP_COUNT), "--seed", "{seed}"
            ),
            "NDJSON": _repeat(
                python, *entry_point, 3, *ALL_BOXES, "--json", "--count", str(SETUP_COUNT), "--seed", "{seed}"
            ),
            "JSON": _repeat(python, *entry_point, 1000, *ALL_BOXES, "--json", "--seed", "{seed}"),
            "shuffle": [python, "-c", SHUFFLE_SCRIPT % _count_randomizers(python)],
            **{
                f"{boxes} for {players}": _repeat(
                    python,
                    *entry_point,
                    3,
                    "--sets",
                    boxes,
                    "--players",
                    players,
                    "--count",
                    str(SETUP_COUNT),
                )
                for boxes, players in (("base", "2"), (FEW_BOXES, "2"), ("all", "2"), ("all", "6"))
            },
            **{
                f"{option} {wish} for 4": _repeat(
                    python,
                    *entry_point,
                    3,
                    *ALL_BOXES,
                    "--count",
                    str(SETUP_COUNT),
                    "--seed",
                    "{seed}",
                    option,
                    wish,
                )
                for option, wish in WISHES
            },
            "invented for 2": _repeat(
                python,
                *entry_point,
                3,
                "--cards",
                invented_boxes,
                "--sets",
                "all",
                "--players",
                "2",
                "--count",
                str(SETUP_COUNT),
            ),
            "look-ups": [python, "-P", "-c", LOOK_UP_SCRIPT, str(QUERIES)],
            "of many": [python, "-P", "-c", LOOK_UP_SCRIPT, str(QUERIES), str(_write_many_entries(python))],
        }
    )
    for name in rates:
        if name in ("lines", "NDJSON") or " for " in name:
            rates[name] *= SETUP_COUNT
    yield Row(PEER, f"{rates['peer']:.0f}/s")
    yield _build_rate_row(LINES, rates["lines"], PEER, rates["peer"], 10)
    yield _build_rate_row("--count --json, a document each", rates["NDJSON"], PEER, rates["peer"], 3.3)
    yield _build_rate_row("--json, one at a time", rates["JSON"], PEER, rates["peer"])
    yield Row("a bare shuffle of all randomizers", f"{rates['shuffle']:.0f}/s")
    yield _build_rate_row(
        "--count, next to a bare shuffle", rates["lines"], "a bare shuffle", rates["shuffle"]
    )
    times = {name: 1 / rate for name, rate in rates.items()}
    yield Row("one box, 2 players", f"{1e6 * times['base for 2']:.0f} µs")
    few = times[f"{FEW_BOXES} for 2"]
    yield Row("three boxes, 2 players", f"{1e6 * few:.0f} µs", few / times["base for 2"], "one box")
    growth = times["all for 2"] / few
    yield Row("all boxes, 2 players", f"{1e6 * times['all for 2']:.0f} µs", growth, "three boxes", 1.1)
    growth = times["invented for 2"] / few
    yield Row("260 boxes, 2 players", f"{1e6 * times['invented for 2']:.0f} µs", growth, "three boxes", 1.3)
    growth = times["all for 6"] / times["all for 2"]
    yield Row(
        "all boxes, 6 players", f"{1e6 * times['all for 6']:.0f} µs", growth, "all boxes, 2 players", 1.1
    )
    for option, wish in WISHES:
        with_wish = times[f"{option} {wish} for 4"]
        yield Row(f"{option} '{wish}'", f"{1e6 * with_wish:.0f} µs", with_wish / times["lines"], "no wish", 2)
    memory_few, memory_many = (_measure_peak_memory(python, count) for count in (FEW_DEALS, MANY_DEALS))
    yield Row(f"peak memory of --count {FEW_DEALS}", f"{memory_few:.0f} MiB")
    growth = memory_many / memory_few
    yield Row(
        f"peak memory of --count {MANY_DEALS}", f"{memory_many:.0f} MiB", growth, f"--count {FEW_DEALS}", 1.1
    )
    yield Row("look-ups of tests/queries.csv", f"{rates['look-ups']:.0f}/s")
    yield _build_rate_row(
        f"look-ups, with {ENTRY_COUNT:,} entries", rates["of many"], "look-ups", rates["look-ups"], 0.5
    )


class _DumperWithoutAnchors(yaml.CSafeDumper):
    """A YAML dumper without anchors, because the program rejects them."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _write_invented_boxes() -> str:
    """Write a data file with 13 copies of every set, without mixed piles, and return its path."""
    path = FOLDER / "invented.yaml"
    text = (ROOT / "data" / "cards.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text.replace(" on:", ' "on":'))  # YAML 1.1 would read `on` as true.
    plain = [
        card for card in data["cards"] if card.get("kind", "kingdom") in COPIED_KINDS and "pile" not in card
    ]
    copies = {
        "game": data["game"],
        "sets": {f"{slug}-{n}": f"{name} {n}" for slug, name in data["sets"].items() for n in COPY_NUMBERS},
        "cards": [
            {
                **{key: value for key, value in card.items() if key not in ("edition", "boxes", "also")},
                "name": f"{card['name']} {n}",
                "set": f"{card['set']}-{n}",
            }
            for card in plain
            for n in COPY_NUMBERS
        ],
    }
    path.write_text(yaml.dump(copies, Dumper=_DumperWithoutAnchors, allow_unicode=True), encoding="utf-8")
    return str(path)


def _build_rate_row(
    title: str, rate: float, baseline: str, baseline_rate: float, min_ratio: float | None = None
) -> Row:
    return Row(title, f"{rate:.0f}/s", rate / baseline_rate, baseline, min_ratio=min_ratio)


def _repeat(python: str, module: str, name: str, times: int, *arguments: str) -> list[str]:
    return [python, "-P", "-c", REPEAT_SCRIPT, json.dumps([module, name, times, *arguments])]


def _measure_rates(commands: Mapping[str, list[str]]) -> dict[str, float]:
    """Run the commands in turn, and return the median of the rates that each prints."""
    rates: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUND_COUNT):
        for name, command in commands.items():
            rates[name].append(_run_for_number(command))
    return {name: median(values) for name, values in rates.items()}


def _run_for_number(command: list[str]) -> float:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return float(done.stdout)


def _write_many_entries(python: str) -> Path:
    """Write an index of thousands of entries, and return its path."""
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


def _measure_peak_memory(python: str, count: int) -> float:
    """Return the peak memory of a command that deals this many tables, in MiB."""
    deal = [python, "-P", "-m", "randomizer", *ALL_BOXES, "--count", str(count), "--json", "--seed", "memory"]
    return _run_for_number([python, "-c", MEMORY_SCRIPT, *deal])


if __name__ == "__main__":
    main()
