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
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.environments import ROOT
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.load.languages import load_all
from randomizer.record.build import build_setup
from randomizer.record.second_deal import deal_again
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Language
from tests.support.kingdoms import read_again
from tests.support.laws import LAWS, SECOND_LAWS
from tests.support.witness import CARDS, MOMENT


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


Dealt = tuple[Any, ...]  # the documents of a deal, and whatever is needed to check them


def first_deal(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """The n-th deal: its document, its request."""
    asked = options(number, game)
    return build_setup(game, asked, deal_table(game, asked), languages), asked


def laws_broken(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """The laws that a deal breaks."""
    setup, _ = dealt
    yield from _broken(LAWS, setup["command"], setup)


def second_deal(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """The documents of a table before and after its second deal, and what tells them from others.

    Tables are dealt until one has the card that brings a second deal about. It is always the first to come up
    where it can, or most tables would be dealt in vain.
    """
    asked = options(number, game)
    boxes = {*asked.chosen, *CARDS[MOMENT]["boxes"].split(";")}
    asked = asked._replace(chosen=tuple(slug for slug in game.boxes if slug in boxes))
    for attempt in count():
        one = asked._replace(seed=f"{asked.seed}-{attempt}")
        table = deal_table(game, one, {game.kinds[game.cards[MOMENT].kind].title: [MOMENT]})
        if MOMENT in table.landscapes:
            break
    before = build_setup(game, one, table, languages)
    return before, deal_again(game, before, languages), f"number {number}, attempt {attempt}"


def second_laws_broken(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """The laws that a second deal breaks."""
    before, after, which = dealt
    yield from _broken(SECOND_LAWS, which, before, after)


def _broken(laws: Iterable[Callable[..., None]], which: str, *documents: Any) -> Iterator[str]:
    for law in laws:
        try:
            law(*documents)
        except Exception as problem:
            yield f"{law.__name__}: {which}: {problem!r}"


def read_wrong(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """What is wrong with a table that was written down in words, read and laid out again."""
    setup, asked = dealt
    try:
        for fault in read_again(setup, asked, game, languages):
            yield f"{fault}: {setup['command']}"
    except Exception as problem:
        yield f"{setup['command']}: {problem!r}"


class Part(NamedTuple):
    """A long run: what is dealt, how many and how many at a time, where what is done is kept, and how."""

    what: str
    deals: int
    block: int
    state: Path
    deal: Callable[[int, Game, Sequence[Language]], Dealt]
    wrong: Callable[[Dealt, Game, Sequence[Language]], Iterable[str]]


BUILD = ROOT / "build"
PARTS = {
    "": Part("deals", 1_000_000, 2_000, BUILD / "endurance.json", first_deal, laws_broken),
    "second": Part(
        "second deals", 20_000, 500, BUILD / "endurance-second.json", second_deal, second_laws_broken
    ),
    "kingdoms": Part("kingdoms", 5_000, 100, BUILD / "endurance-kingdoms.json", first_deal, read_wrong),
}


def block(part: Part, first: int) -> dict[str, Any]:
    """Deal and check a block: how many were dealt, how many refused, and what was wrong."""
    game = games.load()
    languages = load_all(game)
    wrong: list[str] = []
    dealt = refused = 0
    for number in range(first, first + part.block):
        try:
            found = part.deal(number, game, languages)
        except (TooFewCards, BadOptions):
            refused += 1
            continue
        dealt += 1
        wrong += part.wrong(found, game, languages)
    return {"first": first, "dealt": dealt, "refused": refused, "wrong": wrong}


def main() -> None:
    """Print the figures."""
    words = sys.argv[1:]
    part = PARTS[next((word for word in words if word in PARTS), "")]
    deals = next((int(word) for word in words if word not in PARTS), part.deals)
    program = _fingerprint()
    blocks = [done for done in _done(part, program) if done["first"] < deals]
    done_before = {done["first"] for done in blocks}
    ahead = [first for first in range(0, deals, part.block) if first not in done_before]
    print(f"{len(blocks)} blocks of {part.block} done already, {len(ahead)} to do")
    start = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for number, done in enumerate(workers.map(partial(block, part), ahead), 1):
            blocks.append(done)
            _keep(part, program, blocks)
            print("".join(f"VIOLATION {wrong}\n" for wrong in done["wrong"]), end="")
            if sys.stderr.isatty() or not number % 25:
                left = (time.perf_counter() - start) / number * (len(ahead) - number)
                print(f"{number} of {len(ahead)} blocks, {left / 60:.0f} minutes left", file=sys.stderr)
    dealt, refused = (sum(done[what] for done in blocks) for what in ("dealt", "refused"))
    violations = sum(len(done["wrong"]) for done in blocks)
    print(
        f"{dealt + refused} {part.what}, {refused} of them refused for want of cards; {violations} violations"
    )
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
