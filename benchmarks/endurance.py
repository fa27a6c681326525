"""Deals by the million: `python -m benchmarks.endurance` holds every law of the tests on 1,000,000 deals.

`python -m benchmarks.endurance second` deals 20,000 Kingdoms and then, as in the middle of a game, those that
replace them, and holds the laws of second deals: what stays, what is gone, what is new, each counted.
`python -m benchmarks.endurance kingdoms` writes 5,000 tables in every format that `--kingdom` reads, in both
languages, reads them, and lays them out again with another seed.

The options are random: boxes, players, landscapes, Ways, methods, Black Market. Deals are numbered, and the
n-th is the same on every machine; they are dealt in blocks, on all processors. What is done is kept in
build/endurance.json (build/endurance-second.json), so that it goes on where it was stopped, unless what deals
and checks has changed. A violation is printed with the command that deals it again, or the number of the
second deal. A number at the end deals so many, in whole blocks.
"""

import hashlib
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.environments import ROOT
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.errors import BadOptions, TooFewCards
from randomizer.load import games
from randomizer.load.languages import load_all
from randomizer.record.build import build_setup
from randomizer.record.second_deal import deal_again
from tests.support.kingdoms import read_again
from tests.support.laws import LAWS, SECOND_LAWS
from tests.support.witness import CARDS, MOMENT


class Part(NamedTuple):
    """A long run: how many are dealt, how many at a time, and where what is done is kept."""

    deals: int
    block: int
    state: Path


FIRST = Part(1_000_000, 2_000, ROOT / "build" / "endurance.json")
SECOND = Part(20_000, 500, ROOT / "build" / "endurance-second.json")
KINGDOMS = Part(5_000, 100, ROOT / "build" / "endurance-kingdoms.json")


def options(number: int, game: Game) -> Request:
    """What the n-th deal is asked for."""
    dice = Random(f"endurance {number}")
    known = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    boxes = dice.sample(known, dice.choice((1, 2, 2, 3, 3, 4, 5, 8, len(known))))
    said: dict[str, Any] = {}
    if dice.random() < 0.5:
        said["landscapes"] = dice.randint(0, 6)
        said["ways"] = dice.randint(0, min(3, said["landscapes"]))
    if dice.random() < 0.2:
        said["landscapes_from"] = "deck"
    for question in ("colony", "shelters"):
        if dice.random() < 0.3:
            said[question] = dice.random() < 0.5
        elif dice.random() < 0.3:
            said[f"{question}_by"] = "random-card"
    if dice.random() < 0.3:
        said["black_market"] = dice.randint(1, 60)
    chosen = tuple(slug for slug in game.boxes if slug in boxes)
    return Request(chosen, dice.randint(2, 6), f"e{number}", game.checked(said))


def block(first: int) -> dict[str, Any]:
    """Deal and check a block: how many were dealt, how many refused, and what was wrong."""
    game = games.load()
    languages = load_all(game)
    dealt, wrong, refused = 0, [], 0
    for number in range(first, first + FIRST.block):
        asked = options(number, game)
        try:
            setup = build_setup(game, asked, deal_table(game, asked), languages)
        except (TooFewCards, BadOptions):
            refused += 1
            continue
        dealt += 1
        for law in LAWS:
            try:
                law(setup)
            except Exception as problem:
                wrong.append(f"{law.__name__}: {setup['command']}: {problem!r}")
    return {"first": first, "dealt": dealt, "refused": refused, "wrong": wrong}


def second_block(first: int) -> dict[str, Any]:
    """The same of second deals; for each, tables are dealt until one has the card that brings it about.

    That card is always the first to come up where it can, or most tables would be dealt in vain.
    """
    game = games.load()
    languages = load_all(game)
    dealt, wrong, refused = 0, [], 0
    for number in range(first, first + SECOND.block):
        asked = options(number, game)
        boxes = {*asked.chosen, *CARDS[MOMENT]["boxes"].split(";")}
        asked = asked._replace(chosen=tuple(slug for slug in game.boxes if slug in boxes))
        try:
            for attempt in count():
                one = asked._replace(seed=f"{asked.seed}-{attempt}")
                table = deal_table(game, one, {game.kinds[game.cards[MOMENT].kind].title: [MOMENT]})
                if MOMENT in table.landscapes:
                    break
            before = build_setup(game, one, table, languages)
            after = deal_again(game, before, languages)
        except (TooFewCards, BadOptions):
            refused += 1
            continue
        dealt += 1
        for law in SECOND_LAWS:
            try:
                law(before, after)
            except Exception as problem:
                wrong.append(f"{law.__name__}: number {number}, attempt {attempt}: {problem!r}")
    return {"first": first, "dealt": dealt, "refused": refused, "wrong": wrong}


def kingdom_block(first: int) -> dict[str, Any]:
    """The same of tables that are written down in words, read and laid out again."""
    game = games.load()
    languages = load_all(game)
    dealt, wrong, refused = 0, [], 0
    for number in range(first, first + KINGDOMS.block):
        asked = options(number, game)
        try:
            setup = build_setup(game, asked, deal_table(game, asked), languages)
        except (TooFewCards, BadOptions):
            refused += 1
            continue
        dealt += 1
        try:
            wrong += [f"{fault}: {setup['command']}" for fault in read_again(setup, asked, game, languages)]
        except Exception as problem:
            wrong.append(f"{setup['command']}: {problem!r}")
    return {"first": first, "dealt": dealt, "refused": refused, "wrong": wrong}


RUNS = {
    "": ("deals", FIRST, block),
    "second": ("second deals", SECOND, second_block),
    "kingdoms": ("kingdoms", KINGDOMS, kingdom_block),
}


def main() -> None:
    """Print the figures."""
    words = sys.argv[1:]
    what, part, work = RUNS[next((word for word in words if word in RUNS), "")]
    deals = next((int(word) for word in words if word not in RUNS), part.deals)
    program = _fingerprint()
    blocks = [done for done in _done(part, program) if done["first"] < deals]
    done_before = {done["first"] for done in blocks}
    ahead = [first for first in range(0, deals, part.block) if first not in done_before]
    print(f"{len(blocks)} blocks of {part.block} done already, {len(ahead)} to do")
    start = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for number, done in enumerate(workers.map(work, ahead), 1):
            blocks.append(done)
            _keep(part, program, blocks)
            print("".join(f"VIOLATION {wrong}\n" for wrong in done["wrong"]), end="")
            if sys.stderr.isatty() or not number % 25:
                left = (time.perf_counter() - start) / number * (len(ahead) - number)
                print(f"{number} of {len(ahead)} blocks, {left / 60:.0f} minutes left", file=sys.stderr)
    dealt, refused = (sum(done[what] for done in blocks) for what in ("dealt", "refused"))
    violations = sum(len(done["wrong"]) for done in blocks)
    print(f"{dealt + refused} {what}, {refused} of them refused for want of cards; {violations} violations")
    sys.exit(violations > 0)


def _fingerprint() -> str:
    """Changes whenever the data do, the facts, or the code that has been loaded to deal and to check."""
    folders = [ROOT / name for name in ("randomizer", "tests", "benchmarks")]
    loaded = [Path(getattr(module, "__file__", None) or "built in") for module in sys.modules.values()]
    files = [path for path in loaded if not {*folders}.isdisjoint(path.parents)]
    files += [*(ROOT / "data").glob("*.yaml"), *(ROOT / "tests" / "facts").glob("*.csv")]
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _done(part: Part, program: str) -> list[dict[str, Any]]:
    if not part.state.exists():
        return []
    state: dict[str, Any] = json.loads(part.state.read_text(encoding="utf-8"))
    blocks: list[dict[str, Any]] = state["blocks"]
    return blocks if state["program"] == program else []


def _keep(part: Part, program: str, blocks: list[dict[str, Any]]) -> None:
    part.state.parent.mkdir(exist_ok=True)
    new = part.state.with_suffix(".new")
    new.write_text(json.dumps({"program": program, "blocks": blocks}), encoding="utf-8")
    new.replace(part.state)


if __name__ == "__main__":
    main()
