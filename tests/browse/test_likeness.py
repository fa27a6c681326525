"""`--like`: a table has half as many cards with each ability as the kingdom, or all that there are."""

import json

import pytest

from tests.support import read_facts, run

BOXES = ("base", "base,adventures", "seaside,prosperity", "rising-sun,allies", "intrigue", "all")


@pytest.fixture(scope="module")
def abilities() -> dict[str, list[str]]:
    """The abilities by card, from the table of facts."""
    return {row["name"]: row["does"].split() for row in read_facts("does")}


def list_used(setup: dict[str, object]) -> list[str]:
    """Return the names of the Kingdom cards and landscapes that were turned up and used."""
    turned = setup["turned"]
    assert isinstance(turned, list)
    return [card["name"] for card in turned if card["use"] in ("kingdom", "landscape")]


@pytest.mark.parametrize("seed", range(12))
def test_table_has_half_of_each_ability(seed: int, abilities: dict[str, list[str]]) -> None:
    sets = BOXES[seed % len(BOXES)]
    kingdoms = json.loads(run("kingdoms", "--json").stdout)["kingdoms"]
    kingdom = kingdoms[seed * 31]
    done = run("--like", kingdom["id"], "--sets", sets, "--seed", str(seed), "--json")
    assert done.exit_code == 0, done.stderr
    setup = json.loads(done.stdout)
    used = list_used(setup)
    boxes = setup["options"]["sets"]
    cards = json.loads(run("cards", "--set", ",".join(boxes), "--json").stdout)["cards"]
    kingdom_names = {card["name"] for card in cards if card["kind"] == "kingdom"}
    like = [*kingdom["cards"], *kingdom["landscapes"]]
    for ability in {ability for name in like for ability in abilities[name]}:
        count = sum(ability in abilities[name] for name in like)
        available = sum(ability in abilities[name] for name in kingdom_names)
        found = sum(ability in abilities[name] for name in used)
        assert found >= min((count + 1) // 2, available), ability


def test_command_of_the_table_needs_no_favourite() -> None:
    setup = json.loads(run("--like", "first-game-2", "--sets", "seaside", "--seed", "1", "--json").stdout)
    assert "--like" not in setup["command"] and "--want" in setup["command"]
    assert json.loads(run(*setup["command"].split()[1:], "--json").stdout) == setup


def test_wishes_are_added_to_typed_ones() -> None:
    done = run(
        "--like", "first-game-2", "--want", "cost:7+=1", "--sets", "prosperity", "--seed", "1", "--json"
    )
    wants = json.loads(done.stdout)["options"]["want"]
    assert wants[0] == "cost:7-=1" or wants[0].startswith("cost:7")
    assert len(wants) > 3


def test_bans_limit_what_is_asked_for() -> None:
    with_villages = json.loads(run("--like", "first-game-2", "--sets", "base", "--json").stdout)
    assert "village" in with_villages["options"]["want"]
    done = run("--like", "first-game-2", "--sets", "base", "--without", "village", "--json")
    assert done.exit_code == 0 and "village" not in json.loads(done.stdout)["options"]["want"]


@pytest.mark.parametrize(
    ("args", "fault"),
    [
        (["--like", "Frist Game"], "unknown kingdom 'Frist Game'; did you mean First Game?"),
        (["--like", "moat"], "unknown kingdom 'moat'"),
        (["--like", "first-game-2", "--kingdom", "any"], "--like can't be combined with --kingdom any"),
        (["--like", "first-game-2", "--game", "pergamemnon"], "unknown kingdom"),
    ],
)
def test_impossible_request_is_refused(args: list[str], fault: str) -> None:
    done = run(*args)
    assert done.exit_code == 2 and fault in done.stderr
