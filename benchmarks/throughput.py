"""How much gets done in a second: `python -m benchmarks.throughput`, side by side with the peer's generator.

All sets and four players, where nothing else is said. What is measured by is the generator of the package
index's `dominion-setup`, called in process and printing nothing: `generate_game` on its own card database.
This program runs its whole command line in process, `--count` with a line or a document each, and has Python
look for garbage as seldom as the command itself does. The processes take turns, so that a busy machine slows
both. A bare shuffle is `random.shuffle` of as many cards as there are randomizers. The 260 boxes are the real
ones and made-up copies of their cards.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

import yaml

from benchmarks.environments import FOLDER, ROOT, ours, peer
from benchmarks.many_entries import NUMBER
from benchmarks.table import Row, printed

ROUNDS = 5
SETUPS = 4000
FEW, MANY = 10_000, 100_000  # by the first of which all that is kept has been kept
FEW_BOXES = "nocturne,allies,plunder"  # whose tables have as much on them as those of all boxes
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
# How many times a second a command line runs in one process; {seed} is another number each time.
AGAIN = """
import gc, importlib, json, os, sys, time
gc.set_threshold(100_000)  # as the program itself has it, where it begins
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
COPIES = range(1, 14)
COPIED = ("kingdom", "event", "landmark", "project", "way", "trait")
QUERIES = Path(__file__).parent.parent / "tests" / "queries.csv"


def main() -> None:
    """Print the figures."""
    printed(rows())


def rows() -> Iterator[Row]:
    """Setups a second, how they grow, memory, and look-ups a second."""
    python, theirs = str(ours() / "python"), str(peer() / "python")
    main_ = ("randomizer.cli", "main")
    made_up = _made_up()
    rates = _rates(
        {
            "peer": [theirs, "-c", GENERATOR],
            "lines": _again(python, *main_, 3, *ALL, "--count", str(SETUPS), "--seed", "{seed}"),
            "NDJSON": _again(python, *main_, 3, *ALL, "--json", "--count", str(SETUPS), "--seed", "{seed}"),
            "JSON": _again(python, *main_, 1000, *ALL, "--json", "--seed", "{seed}"),
            "shuffle": [python, "-c", SHUFFLE % _randomizers(python)],
            **{
                f"{boxes} for {players}": _again(
                    python, *main_, 3, "--sets", boxes, "--players", players, "--count", str(SETUPS)
                )
                for boxes, players in (("base", "2"), (FEW_BOXES, "2"), ("all", "2"), ("all", "6"))
            },
            **{
                f"{option} {wish} for 4": _again(
                    python, *main_, 3, *ALL, "--count", str(SETUPS), "--seed", "{seed}", option, wish
                )
                for option, wish in WISHES
            },
            "made up for 2": _again(
                python,
                *main_,
                3,
                "--cards",
                made_up,
                "--sets",
                "all",
                "--players",
                "2",
                "--count",
                str(SETUPS),
            ),
            "look-ups": [python, "-P", "-c", LOOK_UPS, str(QUERIES)],
            "of many": [python, "-P", "-c", LOOK_UPS, str(QUERIES), str(_many_entries(python))],
        }
    )
    for name in rates:
        if name in ("lines", "NDJSON") or " for " in name:
            rates[name] *= SETUPS
    yield Row("the peer's generator", f"{rates['peer']:.0f}/s")
    yield _more("--count, a line each", rates["lines"], "the peer's generator", rates["peer"], 10)
    yield _more("--count --json, a document each", rates["NDJSON"], "the peer's generator", rates["peer"], 4)
    yield _more("--json, one at a time", rates["JSON"], "the peer's generator", rates["peer"])
    yield Row("a bare shuffle of all randomizers", f"{rates['shuffle']:.0f}/s")
    yield _more("--count, against it", rates["lines"], "a bare shuffle", rates["shuffle"])
    time = {name: 1 / rate for name, rate in rates.items()}
    yield Row("one box, 2 players", f"{1e6 * time['base for 2']:.0f} µs")
    few = time[f"{FEW_BOXES} for 2"]
    yield Row("three boxes, 2 players", f"{1e6 * few:.0f} µs", few / time["base for 2"], "one box")
    growth = time["all for 2"] / few
    yield Row("all boxes, 2 players", f"{1e6 * time['all for 2']:.0f} µs", growth, "three boxes", 1.1)
    growth = time["made up for 2"] / few
    yield Row("260 boxes, 2 players", f"{1e6 * time['made up for 2']:.0f} µs", growth, "three boxes", 1.3)
    growth = time["all for 6"] / time["all for 2"]
    yield Row(
        "all boxes, 6 players", f"{1e6 * time['all for 6']:.0f} µs", growth, "all boxes, 2 players", 1.1
    )
    for option, wish in WISHES:
        wished = time[f"{option} {wish} for 4"]
        yield Row(f"{option} '{wish}'", f"{1e6 * wished:.0f} µs", wished / time["lines"], "no wish", 2)
    least, most = (_peak(python, count) for count in (FEW, MANY))
    yield Row(f"peak memory of --count {FEW}", f"{least:.0f} MiB")
    yield Row(f"peak memory of --count {MANY}", f"{most:.0f} MiB", most / least, f"--count {FEW}", 1.1)
    yield Row("look-ups, of tests/queries.csv", f"{rates['look-ups']:.0f}/s")
    yield _more(f"look-ups, with {NUMBER:,} entries", rates["of many"], "look-ups", rates["look-ups"], 0.5)


class _Plain(yaml.CSafeDumper):
    """Without anchors, which are not read."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _made_up() -> str:
    """A file with thirteen more boxes for each set: copies of its cards, mixed piles left out."""
    path = FOLDER / "made-up.yaml"
    text = (ROOT / "data" / "cards.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text.replace(" on:", ' "on":'))  # which would be true
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
    path.write_text(yaml.dump(copies, Dumper=_Plain, allow_unicode=True), encoding="utf-8")
    return str(path)


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
        "from randomizer.load import games; from randomizer.odds.probabilities import Chances;"
        "from randomizer.cards.game import Request; from randomizer.browse.boxes import resolve;"
        "game = games.load(); it = Chances(game, Request(resolve(['all'], game), 2, ''));"
        "print(len(it.kingdom) + len(it.landscapes))"
    )
    return int(_number([python, "-P", "-c", code]))


def _peak(python: str, count: int) -> float:
    """The most memory that so many deals take, in MiB."""
    deal = [python, "-P", "-m", "randomizer", *ALL, "--count", str(count), "--json", "--seed", "memory"]
    return _number([python, "-c", PEAK, *deal])


if __name__ == "__main__":
    main()
