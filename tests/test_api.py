"""The public Python API: its examples run, everything is documented, and importing it is cheap."""

import doctest
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import randomizer
from tests.support import TESTS_DIR, XDG_VARIABLES, run


@pytest.fixture(autouse=True)
def _no_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test folders of its own without saved games and defaults. The cache is shared."""
    for variable in XDG_VARIABLES[1:]:
        monkeypatch.setenv(variable, str(tmp_path / variable))


def test_doctests_pass() -> None:
    failed, tried = doctest.testmod(randomizer)
    assert tried >= 10 and failed == 0


@pytest.mark.parametrize("name", sorted(set(randomizer.__all__) - {"__version__"}))
def test_every_public_name_is_documented(name: str) -> None:
    """Functions also document their arguments and exceptions."""
    value = getattr(randomizer, name)
    docstring = value.__doc__ or ""
    assert docstring
    if not isinstance(value, type):
        assert "Args:" in docstring or len(value.__annotations__) <= 2
        assert "Raises:" in docstring


def test_exceptions_have_their_facts_as_attributes() -> None:
    game = randomizer.load_game()
    with pytest.raises(randomizer.UnknownName) as unknown:
        randomizer.deal_setup(game, sets=["advntures"])
    assert (unknown.value.what, unknown.value.name, unknown.value.suggestions) == (
        "set",
        "advntures",
        ("adventures",),
    )
    with pytest.raises(randomizer.TooFewCards) as few:
        randomizer.deal_setup(game, sets=["envoy"])
    assert (few.value.found, few.value.wanted, few.value.sort) == (1, 10, "Kingdom cards")
    with pytest.raises(randomizer.BadOptions):
        randomizer.deal_setup(game, players=9)


def test_deal_again_replaces_the_kingdom() -> None:
    game = randomizer.load_game()
    first = randomizer.deal_setup(game, sets=["rising-sun"], seed="12")
    second = randomizer.deal_again(game, first)
    assert second["second_deal"]["leaves"]
    assert randomizer.read_setup(randomizer.render(second, "json")) == second


def test_importing_the_package_imports_no_module() -> None:
    """So each command only pays for the modules that it uses."""
    code = "import sys, randomizer; print(*sorted(m for m in sys.modules if m.startswith('randomizer')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TESTS_DIR.parent)
    assert done.stdout.split() == ["randomizer"]


# ── The documentation ──

DOCUMENTATION = (TESTS_DIR.parent / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", DOCUMENTATION, re.DOTALL | re.MULTILINE)


def test_first_example_of_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[0], "python.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "礼拝堂" in printed and "Tavern mat" in printed


def test_every_other_example_of_the_documentation_prints_what_it_says() -> None:
    examples = EXAMPLES[1:]
    assert all(example.startswith(">>> ") for example in examples)
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "python.md", "docs/python.md", 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.failed == 0, "".join(report)
    assert result.attempted >= 25


@pytest.mark.parametrize("name", randomizer.__all__)
def test_every_public_name_is_in_the_documentation(name: str) -> None:
    assert f"`{name}`" in DOCUMENTATION


@pytest.mark.parametrize("name", sorted(set(randomizer.__all__) - {"__version__"}))
def test_every_public_function_has_an_example_in_the_documentation(name: str) -> None:
    if inspect.isfunction(getattr(randomizer, name)):
        assert f"{name}(" in "".join(EXAMPLES)


# ── Invalid arguments ──

api: Any = randomizer  # without types, to pass arguments of the wrong type


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"colonny": True}, "UnknownName", "unknown option 'colonny'; did you mean colony or colony_by?"),
        ({"player": 3}, "UnknownName", "unknown option 'player'; did you mean players?"),
        ({"nonsense": 1}, "UnknownName", "unknown option 'nonsense'; choose from black_market, colony, "),
        ({"fresh": 3}, "UnknownName", "unknown option 'fresh'"),
        ({"colony": "yes"}, "BadOptions", "colony must be True or False, not 'yes'."),
        ({"colony": 1}, "BadOptions", "colony must be True or False, not 1."),
        (
            {"colony_by": "me"},
            "BadOptions",
            "colony_by must be first-card, random-card or a share of the games",
        ),
        ({"landscapes": "2"}, "BadOptions", "landscapes must be a number from 0 to 1000, not '2'."),
        ({"landscapes": True}, "BadOptions", "landscapes must be a number from 0 to 1000, not True."),
        ({"black_market": 0}, "BadOptions", "black_market must be a number from 1 to 1000, not 0."),
        ({"landscapes_from": "x"}, "BadOptions", "landscapes_from must be randomizers or deck, not 'x'."),
        ({"players": "3"}, "BadOptions", "players must be a number from 1 to 1000, not '3'."),
        ({"players": True}, "BadOptions", "players must be a number from 1 to 1000, not True."),
        ({"players": 7}, "BadOptions", "Dominion is for 2 to 6 players, not 7."),
        ({"of": -1}, "BadOptions", "of must be a number from 0 to 1000, not -1."),
        ({"seed": 5}, "BadOptions", "seed must be a text, not 5."),
        ({"seed": ""}, "BadOptions", "a seed can't be empty; leave it out to get a random one."),
        ({"sets": "base"}, "BadOptions", "sets must be a list of texts, not 'base'."),
        ({"sets": None}, "BadOptions", "sets must be a list of texts, not None."),
        ({"want": [2]}, "BadOptions", "want must be a list of texts, not [2]."),
        ({"swap": "moat"}, "BadOptions", "swap must be a list of texts, not 'moat'."),
        ({"kingdom": ["Moat"]}, "BadOptions", "kingdom must be a text, not ['Moat']."),
        ({"kingdom": Path("no-such-file")}, "BadKingdom", "no-such-file: No such file or directory"),
    ],
)
def test_invalid_argument_of_deal_setup_is_refused(
    arguments: dict[str, Any], error: str, message: str
) -> None:
    with pytest.raises(randomizer.Problem) as problem:
        randomizer.deal_setup(randomizer.load_game(), **arguments)
    assert type(problem.value) is getattr(randomizer, error)
    assert str(problem.value).startswith(message)


def test_none_stands_for_the_default_of_a_setting() -> None:
    game = randomizer.load_game()
    setup = randomizer.deal_setup(game, seed="1", colony=None, landscapes=None)
    assert setup == randomizer.deal_setup(game, seed="1")


@pytest.mark.parametrize(
    "call",
    [
        lambda game: api.deal_setup("dominion"),
        lambda game: api.load_game(5),
        lambda game: api.load_game("", "cards.yaml"),
        lambda game: api.read_setup(5),
        lambda game: api.render({}),
        lambda game: api.render(api.deal_setup(game), 5),
        lambda game: api.render(api.deal_setup(game), lang=5),
        lambda game: api.render(api.deal_setup(game), columns="80"),
        lambda game: api.deal_again(game, {"schema": 1}),
        lambda game: api.deal_again(None, api.deal_setup(game)),
        lambda game: api.summarize(game, {"schema": 1}),
        lambda game: api.find_cards(game, 5),
        lambda game: api.find_cards(game, types="Action"),
        lambda game: api.find_cards(game, kind="no such kind"),
        lambda game: api.find_cards(game, sort="price"),
        lambda game: api.compute_odds(game, "Moat"),
        lambda game: api.compute_odds(game, colonny=True),
        lambda game: api.load_history(since="yesterday"),
        lambda game: api.load_history(card=5),
        lambda game: api.compute_statistics(game),
        lambda game: api.compute_statistics(game, sets="base"),
        lambda game: api.compute_statistics(game, since=5),
        lambda game: api.look_up(5),
        lambda game: api.look_up("reserve", book=5),
    ],
)
def test_invalid_argument_is_a_problem(call: Callable[[Any], object]) -> None:
    with pytest.raises(randomizer.Problem):
        call(randomizer.load_game())


# ── Kingdoms, cards, odds and history ──


def test_random_recommended_kingdom_can_be_dealt() -> None:
    setup = randomizer.deal_setup(randomizer.load_game(), sets=["base"], kingdom="any", seed="1")
    assert len(setup["options"]["named_kingdom"]["cards"]) == 10


def test_only_a_path_object_is_read_as_a_file(tmp_path: Path) -> None:
    game, file = randomizer.load_game(), tmp_path / "kingdom.txt"
    file.write_text("Moat\nWitch\n", encoding="utf-8")
    setup = randomizer.deal_setup(game, kingdom=file, seed="1")
    assert setup["options"]["named_kingdom"] == {"cards": ["Moat", "Witch"]}
    with pytest.raises(randomizer.BadKingdom):
        randomizer.deal_setup(game, kingdom=str(file))


def test_find_cards_returns_what_the_command_prints() -> None:
    printed = json.loads(run("cards", "village", "--cost", "4", "--set", "adventures", "--json").stdout)
    found = randomizer.find_cards(randomizer.load_game(), "village", cost="4", sets=["adventures"])
    assert found == printed["cards"] != []
    assert randomizer.find_cards(randomizer.load_game(), "village and attack and cost:9") == []


def test_compute_odds_returns_what_the_command_prints() -> None:
    printed = json.loads(run("odds", "Moat", "--sets", "base", "--want", "attack=2", "--json").stdout)
    assert randomizer.compute_odds(randomizer.load_game(), ["moat"], want=["attack=2"]) == printed


def test_load_history_returns_what_the_command_prints() -> None:
    run("--sets", "base", "--seed", "1")
    run("played", "--players", "Ann,Bob")
    games = randomizer.load_history(player="Ann")
    assert [game["seed"] for game in games] == ["1"]
    assert games == json.loads(run("history", "--json").stdout)["games"]
    assert randomizer.load_history(player="Zoe") == []


def test_compute_statistics_returns_what_the_command_prints() -> None:
    run("--sets", "base", "--seed", "1")
    run("played", "--players", "Ann 42, Bob 31", "--rating", "4")
    found = randomizer.compute_statistics(randomizer.load_game(), sets=["seaside"], player="Ann")
    printed = json.loads(run("history", "stats", "--sets", "seaside", "--player", "ann", "--json").stdout)
    assert found == printed
    assert (found["players"][0]["wins"], len(found["unused"])) == (1, 27)


def test_summarize_returns_what_the_command_adds() -> None:
    printed = json.loads(run("--sets", "base", "--seed", "1", "--about", "--json").stdout)
    about = printed.pop("about")
    assert randomizer.summarize(randomizer.load_game(), printed) == about
