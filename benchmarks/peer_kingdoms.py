"""Compares setups with those of the peer: `python -m benchmarks.peer_kingdoms` compares 5,000 kingdoms.

The peer (see `environments`) deals kingdoms from all its sets, for 2 to 6 players. This program sets up each
of them with `--kingdom`, and the piles, landscapes, decks, States and Artifacts are compared, with their
counts. `REASONS_BY_PREFIX` lists the known differences with their reasons. Every other difference is printed
with the seed of the peer's kingdom. An optional argument is the number of kingdoms to compare.
"""

import io
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr
from typing import Any

from click.testing import CliRunner

from benchmarks.environments import install_peer
from randomizer.cli import main as command
from randomizer.load.games import load

KINGDOM_COUNT = 5000
# Runs the peer's command once for each kingdom and prints its JSON documents, one per line.
PEER_SCRIPT = """
import contextlib, io, json, sys
from importlib.metadata import entry_points
peer = next(iter(entry_points(group="console_scripts", name="dominion-setup"))).load()
sets = [word for slug in sys.argv[2:] for word in ("--set", slug)]
for seed in range(int(sys.argv[1])):
    players, landscapes = str(2 + seed % 5), str(seed % 4)
    options = ["--seed", str(seed), "--players", players, "--max-landscapes", landscapes, "--format", "json"]
    sys.argv = ["dominion-setup", "generate", *sets, *options]
    with contextlib.redirect_stdout(io.StringIO()) as document, contextlib.suppress(SystemExit):
        peer()
    print(json.dumps(json.loads(document.getvalue())), flush=True)
"""
SETS = (
    *("base_2e", "intrigue_2e", "seaside_2e", "alchemy", "prosperity_2e", "cornucopia_guilds_2e"),
    *("hinterlands_2e", "dark_ages", "adventures", "empires", "nocturne", "renaissance", "menagerie"),
    *("allies", "plunder", "rising_sun", "promo"),
)
# Maps the peer's mark of a chosen card to the name of the card for which it was chosen.
CARDS_BY_MARK = {"Bane": "Young Witch"}
# Maps the peer's names to this program's where they differ: two-sided States also have the name on their back
# here, and a pile has its name in the second edition.
OUR_NAMES = {
    "Deluded": "Deluded/Envious",
    "Miserable": "Miserable/Twice Miserable",
    "Harem": "Farm",
}
_PART_OF_PILE = "a single card of a mixed pile is set aside; the peer names the pile instead"
# The piles for which the peer lists each card instead of the pile.
EXPANDED_PILES = ("Rewards", "Prizes")
_SECOND_BASE_SET = (
    "for 5 and 6 players, the base rulebook adds the Treasures of a second base set; the peer does not"
)
_REWARD_NAMES = ("Coronet", "Courser", "Demesne", "Housecarl", "Huge Turnip", "Renown")
_REWARDS = "two players use one copy of each Reward (rulebook of Cornucopia & Guilds, 2nd edition)"
# Maps the beginning of a difference ("name: the peer's count, this program's count") to the reason why this
# program is right.
REASONS_BY_PREFIX: Mapping[str, str] = {
    **{f"Copper: {count}, {count + 60}": _SECOND_BASE_SET for count in range(60)},
    "Silver: 40, 80": _SECOND_BASE_SET,
    "Gold: 30, 60": _SECOND_BASE_SET,
    **{f"{reward}: 2, 1": _REWARDS for reward in _REWARD_NAMES},
    **{f"{card.name}: 1, None": _PART_OF_PILE for card in load().cards.values() if card.pile},
    **{f"{card.name}: None, 1": _PART_OF_PILE for card in load().cards.values() if card.member_of},
    "Black Market deck: None": "the peer lists the cards of this deck without a count",
}


def main() -> None:
    """Compare the kingdoms; print the differences that are not explained, and how often each occurs."""
    count = int(sys.argv[1]) if sys.argv[1:] else KINGDOM_COUNT
    differences: Counter[str] = Counter()
    examples: dict[str, int] = {}
    compared_count = 0
    for game in _deal_with_peer(count):
        compared_count += 1
        for difference in _compare(game):
            differences[difference] += 1
            examples.setdefault(difference, game["seed"])
    unexplained = [difference for difference in differences if _explain(difference) is None]
    for difference in unexplained:
        print(f"{differences[difference]} x {difference} (seed {examples[difference]})")
    for reason in sorted(set(REASONS_BY_PREFIX.values())):
        reason_count = sum(differences[each] for each in differences if _explain(each) == reason)
        print(f"{reason_count} x explained: {reason}")
    print(f"{compared_count} kingdoms compared, {len(unexplained)} differences without an explanation")
    sys.exit(bool(unexplained))


def _explain(difference: str) -> str | None:
    """Return the reason for a known difference; None for any other difference."""
    return next(
        (reason for prefix, reason in REASONS_BY_PREFIX.items() if difference.startswith(prefix)), None
    )


def _deal_with_peer(count: int) -> Iterator[dict[str, Any]]:
    """Yield kingdoms dealt by the peer, as its JSON documents."""
    python = str(install_peer() / "python")
    with subprocess.Popen([python, "-c", PEER_SCRIPT, str(count), *SETS], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield json.loads(line)


def _compare(game: dict[str, Any]) -> Iterator[str]:
    """Yield the differences between the peer's setup of a kingdom and this program's."""
    setup = _set_up(game)
    if isinstance(setup, str):
        yield setup
        return
    theirs, ours = _count_theirs(game), _count_ours(setup)
    for name in sorted({*theirs, *ours}):
        if theirs.get(name) != ours.get(name):
            yield f"{name}: {theirs.get(name)}, {ours.get(name)}"


def _set_up(game: dict[str, Any]) -> dict[str, Any] | str:
    """Return this program's document for the peer's kingdom, or its error message."""
    arguments = ["--kingdom", _describe_kingdom(game), "--players", str(game["players"]), "--seed", "1"]
    with redirect_stderr(io.StringIO()):
        result = CliRunner().invoke(command, [*arguments, "--json", "--no-keep"], prog_name="dominion-setup")
    if result.exit_code:
        return f"refused: {result.stderr.strip()}"
    setup: dict[str, Any] = json.loads(result.stdout)
    return setup


def _describe_kingdom(game: dict[str, Any]) -> str:
    """Describe a kingdom of the peer in a form that `--kingdom` reads."""
    piles = [*game["kingdom"], *(pile for pile in game["non_supply"] if pile["purpose"] == "Kingdom Pile")]
    landscapes = [*game["landscapes"], *(game[key] for key in ("ally", "prophecy") if game[key])]
    chosen: dict[str, list[str]] = {}
    named = []
    for card in (*piles, *landscapes):
        marks = [mark.removesuffix(" (Trait)") for mark in card["marks"]]
        for mark in marks:
            chosen.setdefault(CARDS_BY_MARK.get(mark, mark), []).append(card["name"])
        if not set(marks) & {"Bane", "Ferryman", "Riverboat", "Way of the Mouse", "Approaching Army"}:
            named.append(card["name"])
    chosen["Druid"] = [boon["name"] for boon in game["druid_boons"]]
    chosen["Black Market"] = [card["name"] for card in game["black_market"]]

    def describe(name: str) -> str:
        """Return the name of a card, with the cards that were chosen for it or that it marks in brackets."""
        texts = [other if other in named else describe(other) for other in chosen.get(name, ())]
        return f"{name} ({', '.join(texts)})" if texts else name

    texts = [*map(describe, named)]
    basic = {card["name"] for card in game["basic_supply"]}
    yes_or_no = {True: "yes", False: "no"}
    texts.append(f"Platinum and Colony: {yes_or_no['Colony' in basic]}")
    texts.append(f"Shelters: {yes_or_no['Hovel' in basic]}")
    return ", ".join(texts)


def _count_theirs(game: dict[str, Any]) -> dict[str, int | None]:
    """Return the counts of the peer's piles and landscapes, by this program's names."""
    piles = [*game["kingdom"], *game["non_supply"], *game["basic_supply"]]
    landscapes = [*game["landscapes"], *(game[key] for key in ("ally", "prophecy") if game[key])]
    return {
        **{OUR_NAMES.get(card["name"], card["name"]): card["size"] for card in piles},
        **{card["name"]: 1 for card in landscapes},
    }


def _count_ours(setup: dict[str, Any]) -> dict[str, int | None]:
    """Return the counts of this program's piles, landscapes and other items, by name."""
    counts = {pile["name"]: pile["count"] for pile in setup["piles"] if pile["name"] not in EXPANDED_PILES}
    listed = [pile for pile in setup["piles"] if pile["name"] in EXPANDED_PILES]
    counts |= {member["name"]: member["count"] for pile in listed for member in pile["members"]}
    counts |= {deck["name"]: len(deck["cards"]) + len(deck["face_up"]) for deck in setup["decks"]}
    counts |= {card["name"]: 1 for card in (*setup["set_aside"], *setup["trash"], *setup["landscapes"])}
    counts |= {
        each["name"]: each["count"] for each in setup["components"] if each["kind"] in ("state", "artifact")
    }
    return counts


if __name__ == "__main__":
    main()
