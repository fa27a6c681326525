"""Property tests on a large scale: `python -m benchmarks.endurance` checks 1,000,000 deals against all laws.

An argument selects another series:

- `second` deals 20,000 tables, and for each the Kingdom that replaces the first one during the game. It
  checks the laws of second deals: what stays, what is removed, what is new, and the counts of each.
- `options` deals 20,000 tables with random wishes, bans, named cards, numbers of boxes to draw, and swaps. It
  also checks that the options are met, that the decks of a rulebook are complete, and that each document
  deals the same table again.
- `kingdoms` writes 5,000 tables in every format that `--kingdom` reads, in both languages, reads them back,
  and sets them up again with another seed.
- `veto` deals 5,000 tables with extra cards, vetoes some of them, and checks that the first dealt cards that
  nobody vetoed stay, with everything that they need.
- `evenings` deals 2,000 series of two to eight tables that share their boxes, of which there may be several
  copies, and checks that no component is used more often than the boxes hold it.

The boxes, the number of players and the options are random. Deals are numbered, and the deal with a given
number is the same on every machine. They are dealt in blocks on all processors. Progress is stored in
build/endurance*.json, so that an interrupted run can be continued, unless the code or the data have changed.
A violation is printed with the command that deals the table again, or with the number of the second deal. If
the last argument is a number, only that many tables are dealt, rounded up to complete blocks.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.environments import ROOT
from randomizer import deal_setup
from randomizer.cards.game import Game
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.load.languages import load_all, load_several
from randomizer.record.build import build_setup, deal_request
from randomizer.record.second_deal import deal_again
from randomizer.setup.document import Setup
from randomizer.setup.replay import extract_request
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Language
from tests.support import read_facts
from tests.support.evenings import deal_evening, find_evening_faults, make_evening
from tests.support.kingdoms import find_round_trip_faults
from tests.support.laws import (
    DECK_LAWS,
    LAWS,
    SECOND_LAWS,
    check_document_is_read_back,
    check_every_choice_is_made_or_missing,
    check_possible_decisions_are_marked,
)
from tests.support.requests import make_request
from tests.support.vetoes import VetoDeal, find_veto_faults
from tests.support.witness import CARD_FACTS, SECOND_DEAL_CARD

# Selectors for random bans and weights, and random wishes. Many cards match each of them.
BANNED_WORDS = ("attack", "duration", "trashing", "junking", "sifting", "reaction", "village")
WANTS = ("village", "attack=1-2", "trashing=1-", "draw", "buy=1-3", "defence if attack", "cost:5+=2-")
DOES_FACTS = {row["name"]: row["does"] for row in read_facts("does")}

Dealt = tuple[Any, ...]  # the documents of a deal, and whatever else its check needs


def deal_plain(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Deal a random table; return its document and its request."""
    request = make_request(number, game)
    return build_setup(game, request, deal_table(game, request), languages), request


def find_violations(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that a deal violates."""
    setup, _ = dealt
    yield from _check_laws(LAWS, setup["command"], setup)


def deal_second(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Return the documents of a table before and after its second deal, and a label for the deal.

    Tables are dealt until one has the card that causes a second deal. That card is drawn first wherever
    possible, because otherwise most tables would be useless.
    """
    request = make_request(number, game)
    boxes = {*request.chosen, *CARD_FACTS[SECOND_DEAL_CARD]["boxes"].split(";")}
    request = request._replace(chosen=tuple(slug for slug in game.boxes if slug in boxes))
    for attempt in count():
        attempted = request._replace(seed=f"{request.seed}-{attempt}")
        table = deal_table(
            game, attempted, {game.kinds[game.cards[SECOND_DEAL_CARD].kind].title: [SECOND_DEAL_CARD]}
        )
        if SECOND_DEAL_CARD in table.landscapes:
            break
    before = build_setup(game, attempted, table, languages)
    return before, deal_again(game, before), f"number {number}, attempt {attempt}"


def find_second_violations(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that a second deal violates."""
    before, after, label = dealt
    yield from _check_laws(SECOND_LAWS, label, before, after)


def deal_with_options(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Deal a random table with random options; return its document and the options."""
    rng = Random(f"options {number}")
    request = make_request(number, game)
    cards = [name for name, row in CARD_FACTS.items() if row["kind"] in ("kingdom", "event", "project")]
    bans = [rng.choice((*BANNED_WORDS, rng.choice(cards))) for _ in range(rng.choice((0, 0, 1, 2, 4)))]
    options: dict[str, Any] = {"without": bans}
    if rng.random() < 0.4:
        options["want"] = rng.sample(sorted(WANTS), rng.choice((1, 1, 2)))
    if rng.random() < 0.2:
        options["weight"] = [f"{rng.choice(BANNED_WORDS)}={rng.choice((0.1, 0.5, 3))}"]
    if rng.random() < 0.3 and len(request.chosen) > 2:
        options["of"] = rng.randint(2, len(request.chosen) - 1)
    if rng.random() < 0.3:
        options["kingdom"] = ", ".join(rng.sample(cards, rng.randint(1, 4)))
    elif rng.random() < 0.3:
        pool = [name for name in cards if set(CARD_FACTS[name]["boxes"].split(";")) & {*request.chosen}]
        options["with_"] = rng.sample(pool, min(len(pool), rng.randint(1, 3)))
    settings = {**request.settings, "landscapes": rng.randint(0, 4)}
    settings["ways"] = min(1, settings["landscapes"])
    common: Any = {"sets": request.chosen, "players": request.players, "seed": request.seed, **settings}
    setup = deal_setup(game, **common, **options)
    if rng.random() < 0.3:
        turned = [card["name"] for card in setup["turned"] if card["use"] != "skipped"]
        options["swap"] = rng.sample(turned, rng.choice((1, 1, 2)))
        setup = deal_setup(game, **common, **options)
    return setup, options


def find_option_violations(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that a deal with options violates, and the options that it does not meet."""
    setup, options = dealt
    label = setup["command"]
    laws = [law for law in (*LAWS, *DECK_LAWS) if law not in _get_inapplicable_laws(setup)]
    yield from _check_laws(laws, label, _without_remarks(setup))
    # Choices are made from the boxes that the user chose, without those of named cards.
    if not options["without"]:
        yield from _check_laws([check_every_choice_is_made_or_missing], label, setup)
    piles = {pile["id"]: pile["name"] for pile in setup["piles"]}
    landscapes = [landscape["name"] for landscape in setup["landscapes"] if "player" not in landscape]
    used = [*(piles[id_] for id_ in setup["kingdom"]), *landscapes]
    named = options.get("kingdom", "").split(", ")
    for ban in options["without"]:
        banned = [card for card in used if is_banned(ban, card) and card not in named]
        if banned:
            yield f"{banned} are banned by {ban}: {label}"
    for card in options.get("with_", ()):
        if card not in used and not options.get("swap"):
            yield f"{card} is missing: {label}"
    if options.get("of", 0) and sum(box["chosen"] for box in setup["boxes"]) != options["of"]:
        yield f"other than {options['of']} boxes: {label}"
    request = extract_request(game, setup)
    document_languages = load_several(setup["languages"], game)
    if build_setup(game, request, deal_request(game, request), document_languages) != setup:
        yield f"dealt again, the table is another one: {label}"


def _without_remarks(setup: Setup) -> Any:
    """Adapt a document to the laws of ordinary deals.

    Notes on the user's choices are left out, because they have no cause. The sets are the boxes from which
    cards were really dealt, including those of the named cards. As many landscapes are allowed as were named.
    """
    options = setup["options"]
    notes = [note for note in setup["notes"] if note["because"] or note.get("on")]
    sets = [box["slug"] for box in setup["boxes"] if box["chosen"] or "named_kingdom" in options]
    max_count = max(options.get("landscapes", 2), len(options.get("named_kingdom", {}).get("landscapes", ())))
    return {**setup, "notes": notes, "options": {**options, "sets": sets, "landscapes": max_count}}


def _get_inapplicable_laws(setup: Setup) -> Container[Callable[..., None]]:
    """Return the laws that do not apply to an adapted document, or to one with named cards."""
    laws: list[Callable[..., None]] = [check_document_is_read_back, check_every_choice_is_made_or_missing]
    if "named_kingdom" in setup["options"]:
        laws.append(check_possible_decisions_are_marked)
    return laws


def is_banned(ban: str, card: str) -> bool:
    """Return whether a ban excludes a card, according to the tables of facts.

    Args:
        ban: the name of a card, or one of `BANNED_WORDS`.
        card: the name of a pile or landscape.
    """
    if ban not in BANNED_WORDS:
        return ban == card
    types = CARD_FACTS[card]["types"].split(";")
    return ban.capitalize() in types or ban in DOES_FACTS.get(card, "").split()


def _check_laws(laws: Iterable[Callable[..., None]], label: str, *documents: Any) -> Iterator[str]:
    for law in laws:
        try:
            law(*documents)
        except Exception as problem:
            yield f"{law.__name__}: {label}: {problem!r}"


def find_reading_faults(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the differences between a table and its copies that were written, read back and set up again."""
    setup, request = dealt
    try:
        for fault in find_round_trip_faults(setup, request, game, languages):
            yield f"{fault}: {setup['command']}"
    except Exception as problem:
        yield f"{setup['command']}: {problem!r}"


def deal_with_veto(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Deal a random table without a veto, with an open veto, and after random vetoes."""
    return (VetoDeal(number, make_request(number, game), game),)


def find_veto_violations(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that a veto violates."""
    yield from find_veto_faults(dealt[0])


def deal_tables_apart(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Deal the tables of a random series; return their documents."""
    request, count = make_evening(number, make_request(number, game), game)
    return tuple(deal_evening(request, count, game, languages))


def find_violations_of_evening(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that the tables of a series violate."""
    yield from find_evening_faults(dealt, game, languages)


class Series(NamedTuple):
    """A series of deals and checks.

    Attributes:
        description: what is dealt, in the plural, for messages.
        deal_count: the default number of deals.
        block_size: the number of deals in a block, which a worker makes at a time.
        progress_file: the file that stores the progress.
        deal: makes the deal with a given number.
        find_faults: yields the faults of a deal.
    """

    description: str
    deal_count: int
    block_size: int
    progress_file: Path
    deal: Callable[[int, Game, Sequence[Language]], Dealt]
    find_faults: Callable[[Dealt, Game, Sequence[Language]], Iterable[str]]


BUILD = ROOT / "build"
SERIES_BY_ARGUMENT = {
    "": Series("deals", 1_000_000, 2_000, BUILD / "endurance.json", deal_plain, find_violations),
    "second": Series(
        "second deals", 20_000, 500, BUILD / "endurance-second.json", deal_second, find_second_violations
    ),
    "options": Series(
        "deals with options",
        20_000,
        500,
        BUILD / "endurance-options.json",
        deal_with_options,
        find_option_violations,
    ),
    "kingdoms": Series(
        "kingdoms", 5_000, 100, BUILD / "endurance-kingdoms.json", deal_plain, find_reading_faults
    ),
    "evenings": Series(
        "evenings",
        2_000,
        50,
        BUILD / "endurance-evenings.json",
        deal_tables_apart,
        find_violations_of_evening,
    ),
    "veto": Series("vetoes", 5_000, 100, BUILD / "endurance-veto.json", deal_with_veto, find_veto_violations),
}


def run_block(series: Series, first: int) -> dict[str, Any]:
    """Deal and check a block; return the number of its first deal, its counts and its faults."""
    game = games.load()
    languages = load_all(game)
    faults: list[str] = []
    dealt = refused = 0
    for number in range(first, first + series.block_size):
        try:
            documents = series.deal(number, game, languages)
        except (TooFewCards, BadOptions):
            refused += 1
            continue
        dealt += 1
        faults += series.find_faults(documents, game, languages)
    return {"first": first, "dealt": dealt, "refused": refused, "faults": faults}


def main() -> None:
    """Run the blocks that are not done yet and print the figures."""
    arguments = sys.argv[1:]
    series = SERIES_BY_ARGUMENT[
        next((argument for argument in arguments if argument in SERIES_BY_ARGUMENT), "")
    ]
    counts = (int(argument) for argument in arguments if argument not in SERIES_BY_ARGUMENT)
    deal_count = next(counts, series.deal_count)
    fingerprint = _compute_fingerprint()
    blocks = [done for done in _load_progress(series, fingerprint) if done["first"] < deal_count]
    done_before = {done["first"] for done in blocks}
    pending = [first for first in range(0, deal_count, series.block_size) if first not in done_before]
    print(f"{len(blocks)} blocks of {series.block_size} done already, {len(pending)} to do")
    start = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for number, done in enumerate(workers.map(partial(run_block, series), pending), 1):
            blocks.append(done)
            _save_progress(series, fingerprint, blocks)
            print("".join(f"VIOLATION {fault}\n" for fault in done["faults"]), end="")
            if sys.stderr.isatty() or not number % 25:
                left = (time.perf_counter() - start) / number * (len(pending) - number)
                print(f"{number} of {len(pending)} blocks, {left / 60:.0f} minutes left", file=sys.stderr)
    dealt, refused = (sum(done[key] for done in blocks) for key in ("dealt", "refused"))
    violations = sum(len(done["faults"]) for done in blocks)
    print(f"{dealt + refused} {series.description}, {refused} of them refused; {violations} violations")
    sys.exit(violations > 0)


def _compute_fingerprint() -> str:
    """Return a hash of the data, the facts, and all modules that are involved in dealing and checking."""
    folders = [ROOT / name for name in ("randomizer", "tests", "benchmarks")]
    loaded = [Path(getattr(module, "__file__", None) or "built in") for module in sys.modules.values()]
    files = [path for path in loaded if not {*folders}.isdisjoint(path.parents)]
    files += [*(ROOT / "data").glob("*.yaml"), *(ROOT / "tests" / "facts").glob("*.csv")]
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _load_progress(series: Series, fingerprint: str) -> list[dict[str, Any]]:
    if not series.progress_file.exists():
        return []
    state: dict[str, Any] = json.loads(series.progress_file.read_text(encoding="utf-8"))
    blocks: list[dict[str, Any]] = state["blocks"]
    return blocks if state["program"] == fingerprint else []


def _save_progress(series: Series, fingerprint: str, blocks: list[dict[str, Any]]) -> None:
    series.progress_file.parent.mkdir(exist_ok=True)
    new_file = series.progress_file.with_suffix(".new")
    new_file.write_text(json.dumps({"program": fingerprint, "blocks": blocks}), encoding="utf-8")
    new_file.replace(series.progress_file)


if __name__ == "__main__":
    main()
