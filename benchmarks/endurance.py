"""Property tests on a large scale: `python -m benchmarks.endurance` checks 1,000,000 deals against all laws.

`python -m benchmarks.endurance second` deals 20,000 tables and then the Kingdoms that replace theirs in the
middle of the game. It checks the laws of second deals: what stays, what leaves, what is new, and the counts
of each. `python -m benchmarks.endurance options` deals 20,000 tables with random wishes, bans, named cards,
boxes picked at random and swaps. It also checks that the options are met, that decks of a rulebook are
complete, and that the document deals itself again. `python -m benchmarks.endurance kingdoms` writes 5,000
tables in every format that `--kingdom` reads, in both languages, reads them back, and sets them up again with
another seed. `python -m benchmarks.endurance veto` deals 5,000 tables with extra cards, vetoes some of them,
and checks that the first dealt cards that nobody vetoed stay, with everything that they need.

The options are random: boxes, players, landscapes, Ways, methods, Black Market. Deals are numbered, and
number n is the same on every machine. They are dealt in blocks on all processors. Progress is stored in
build/endurance*.json, so that an interrupted run continues, unless the code or the data have changed. A
violation is printed with the command that deals the table again, or with the number of the second deal. A
number as the last argument deals only that many tables, rounded up to complete blocks.
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
from randomizer.cards.game import Game, Request
from randomizer.deal.dealer import deal_table
from randomizer.load import games
from randomizer.load.languages import load_all
from randomizer.record.build import build_setup, deal_request
from randomizer.record.second_deal import deal_again
from randomizer.setup.document import Setup
from randomizer.setup.replay import extract_request
from randomizer.text.errors import BadOptions, TooFewCards
from randomizer.text.language import Language
from tests.support import read_facts
from tests.support.kingdoms import find_round_trip_faults
from tests.support.laws import (
    DECK_LAWS,
    LAWS,
    SECOND_LAWS,
    check_document_is_read_back,
    check_every_choice_is_made_or_missing,
    check_possible_decisions_are_marked,
)
from tests.support.vetoes import VetoDeal, find_veto_faults
from tests.support.witness import CARD_FACTS, SECOND_DEAL_CARD


def make_request(number: int, game: Game) -> Request:
    """Return the request of deal number n."""
    rng = Random(f"endurance {number}")
    known = [slug for slug, box in game.boxes.items() if box.holds and not box.announced]
    boxes = rng.sample(known, rng.choice((1, 2, 2, 3, 3, 4, 5, 8, len(known))))
    settings: dict[str, Any] = {}
    if rng.random() < 0.5:
        settings["landscapes"] = rng.randint(0, 6)
        settings["ways"] = rng.randint(0, min(3, settings["landscapes"]))
    if rng.random() < 0.2:
        settings["landscapes_from"] = "deck"
    for question in ("colony", "shelters"):
        if rng.random() < 0.3:
            settings[question] = rng.random() < 0.5
        elif rng.random() < 0.3:
            settings[f"{question}_by"] = "random-card"
    if rng.random() < 0.3:
        settings["black_market"] = rng.randint(1, 60)
    chosen = tuple(slug for slug in game.boxes if slug in boxes)
    return Request(chosen, rng.randint(2, 6), f"e{number}", game.validate_settings(settings))


# Words for random bans and weights, and random wishes. Each is about something that many cards are or do.
BANNED_WORDS = ("attack", "duration", "trashing", "junking", "sifting", "reaction", "village")
WANTS = ("village", "attack=1-2", "trashing=1-", "draw", "buy=1-3", "defence if attack", "cost:5+=2-")
DOES_FACTS = {row["name"]: row["does"] for row in read_facts("does")}

Dealt = tuple[Any, ...]  # the documents of a deal, and what its check needs besides


def first_deal(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Deal number n; return its document and its request."""
    request = make_request(number, game)
    return build_setup(game, request, deal_table(game, request), languages), request


def find_violations(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that a deal violates."""
    setup, _ = dealt
    yield from _check_laws(LAWS, setup["command"], setup)


def second_deal(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Return the documents of a table before and after its second deal, and the number of the deal.

    Tables are dealt until one has the card that causes a second deal. That card is drawn first wherever it
    can be drawn, because otherwise most tables would be useless.
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
    return before, deal_again(game, before, languages), f"number {number}, attempt {attempt}"


def find_second_violations(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that a second deal violates."""
    before, after, which = dealt
    yield from _check_laws(SECOND_LAWS, which, before, after)


def options_deal(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Deal number n with random options; return its document and the options."""
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
    which = setup["command"]
    laws = [law for law in (*LAWS, *DECK_LAWS) if law not in _get_inapplicable_laws(setup)]
    yield from _check_laws(laws, which, _without_remarks(setup))
    piles = {pile["id"]: pile["name"] for pile in setup["piles"]}
    landscapes = [landscape["name"] for landscape in setup["landscapes"] if "player" not in landscape]
    used = [*(piles[id_] for id_ in setup["kingdom"]), *landscapes]
    named = options.get("kingdom", "").split(", ")
    for ban in options["without"]:
        banned = [card for card in used if is_banned(ban, card) and card not in named]
        if banned:
            yield f"{banned} are banned by {ban}: {which}"
    for card in options.get("with_", ()):
        if card not in used and not options.get("swap"):
            yield f"{card} is missing: {which}"
    if options.get("of", 0) and sum(box["chosen"] for box in setup["boxes"]) != options["of"]:
        yield f"other than {options['of']} boxes: {which}"
    request = extract_request(game, setup)
    again = build_setup(game, request, deal_request(game, request), languages)
    if again != setup:
        yield f"dealt again, the table is another one: {which}"


def _without_remarks(setup: Setup) -> Any:
    """Return a document as the laws of ordinary deals expect it.

    It has no remarks on the user's choices, which have no cause. Its sets are the boxes that are really dealt
    from, with those of the named cards, and it may have as many landscapes as were named.
    """
    options = setup["options"]
    notes = [note for note in setup["notes"] if note["because"] or note.get("on")]
    sets = [box["slug"] for box in setup["boxes"] if box["chosen"] or "kingdom" in options]
    max_count = max(options.get("landscapes", 2), len(options.get("kingdom", {}).get("landscapes", ())))
    return {**setup, "notes": notes, "options": {**options, "sets": sets, "landscapes": max_count}}


def _get_inapplicable_laws(setup: Setup) -> Container[Callable[..., None]]:
    """Return the laws that are true only for the whole document, only without bans or without named cards."""
    laws: list[Callable[..., None]] = [check_document_is_read_back]
    if setup["options"].get("without"):
        laws.append(check_every_choice_is_made_or_missing)
    if "kingdom" in setup["options"]:
        laws.append(check_possible_decisions_are_marked)
    return laws


def is_banned(ban: str, card: str) -> bool:
    """Return whether a ban, a card's name or a word, excludes a pile or landscape, by the tables of facts."""
    if ban not in BANNED_WORDS:
        return ban == card
    types = CARD_FACTS[card]["types"].split(";")
    return ban.capitalize() in types or ban in DOES_FACTS.get(card, "").split()


def _check_laws(laws: Iterable[Callable[..., None]], which: str, *documents: Any) -> Iterator[str]:
    for law in laws:
        try:
            law(*documents)
        except Exception as problem:
            yield f"{law.__name__}: {which}: {problem!r}"


def find_reading_faults(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the differences of a table that was written as names, read back and set up again."""
    setup, request = dealt
    try:
        for fault in find_round_trip_faults(setup, request, game, languages):
            yield f"{fault}: {setup['command']}"
    except Exception as problem:
        yield f"{setup['command']}: {problem!r}"


def veto_deal(number: int, game: Game, languages: Sequence[Language]) -> Dealt:
    """Deal number n without a veto, with an open veto, and after random vetoes."""
    return (VetoDeal(number, make_request(number, game), game),)


def check_veto(dealt: Dealt, game: Game, languages: Sequence[Language]) -> Iterator[str]:
    """Yield the laws that a veto violates."""
    yield from find_veto_faults(dealt[0], languages)


class Part(NamedTuple):
    """A kind of run.

    Attributes:
        what: what it deals, for messages.
        deals: how many it deals by default.
        block: how many deals a worker does at a time.
        state: the file that stores its progress.
        deal: deals one.
        check: yields the faults of a deal.
    """

    what: str
    deals: int
    block: int
    state: Path
    deal: Callable[[int, Game, Sequence[Language]], Dealt]
    check: Callable[[Dealt, Game, Sequence[Language]], Iterable[str]]


BUILD = ROOT / "build"
PARTS = {
    "": Part("deals", 1_000_000, 2_000, BUILD / "endurance.json", first_deal, find_violations),
    "second": Part(
        "second deals", 20_000, 500, BUILD / "endurance-second.json", second_deal, find_second_violations
    ),
    "options": Part(
        "deals with options",
        20_000,
        500,
        BUILD / "endurance-options.json",
        options_deal,
        find_option_violations,
    ),
    "kingdoms": Part(
        "kingdoms", 5_000, 100, BUILD / "endurance-kingdoms.json", first_deal, find_reading_faults
    ),
    "veto": Part("vetoes", 5_000, 100, BUILD / "endurance-veto.json", veto_deal, check_veto),
}


def run_block(part: Part, first: int) -> dict[str, Any]:
    """Deal and check a block; return the numbers of deals and refusals, and the faults."""
    game = games.load()
    languages = load_all(game)
    faults: list[str] = []
    dealt = refused = 0
    for number in range(first, first + part.block):
        try:
            documents = part.deal(number, game, languages)
        except (TooFewCards, BadOptions):
            refused += 1
            continue
        dealt += 1
        faults += part.check(documents, game, languages)
    return {"first": first, "dealt": dealt, "refused": refused, "faults": faults}


def main() -> None:
    """Run the blocks that are not done yet and print the figures."""
    words = sys.argv[1:]
    part = PARTS[next((word for word in words if word in PARTS), "")]
    deals = next((int(word) for word in words if word not in PARTS), part.deals)
    program = _fingerprint()
    blocks = [done for done in _load_progress(part, program) if done["first"] < deals]
    done_before = {done["first"] for done in blocks}
    pending = [first for first in range(0, deals, part.block) if first not in done_before]
    print(f"{len(blocks)} blocks of {part.block} done already, {len(pending)} to do")
    start = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for number, done in enumerate(workers.map(partial(run_block, part), pending), 1):
            blocks.append(done)
            _save_progress(part, program, blocks)
            print("".join(f"VIOLATION {fault}\n" for fault in done["faults"]), end="")
            if sys.stderr.isatty() or not number % 25:
                left = (time.perf_counter() - start) / number * (len(pending) - number)
                print(f"{number} of {len(pending)} blocks, {left / 60:.0f} minutes left", file=sys.stderr)
    dealt, refused = (sum(done[what] for done in blocks) for what in ("dealt", "refused"))
    violations = sum(len(done["faults"]) for done in blocks)
    print(f"{dealt + refused} {part.what}, {refused} of them refused; {violations} violations")
    sys.exit(violations > 0)


def _fingerprint() -> str:
    """Return a hash of the data, the facts, and all loaded modules that deal or check."""
    folders = [ROOT / name for name in ("randomizer", "tests", "benchmarks")]
    loaded = [Path(getattr(module, "__file__", None) or "built in") for module in sys.modules.values()]
    files = [path for path in loaded if not {*folders}.isdisjoint(path.parents)]
    files += [*(ROOT / "data").glob("*.yaml"), *(ROOT / "tests" / "facts").glob("*.csv")]
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _load_progress(part: Part, program: str) -> list[dict[str, Any]]:
    if not part.state.exists():
        return []
    state: dict[str, Any] = json.loads(part.state.read_text(encoding="utf-8"))
    blocks: list[dict[str, Any]] = state["blocks"]
    return blocks if state["program"] == program else []


def _save_progress(part: Part, program: str, blocks: list[dict[str, Any]]) -> None:
    part.state.parent.mkdir(exist_ok=True)
    new = part.state.with_suffix(".new")
    new.write_text(json.dumps({"program": program, "blocks": blocks}), encoding="utf-8")
    new.replace(part.state)


if __name__ == "__main__":
    main()
