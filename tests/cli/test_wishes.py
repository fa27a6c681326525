"""Wishes on the command line and in documents, selectors of `cards`, and conflicts between options."""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from randomizer import read_setup
from randomizer.deal.wishes.bans import find_ban
from randomizer.load import games
from randomizer.setup.replay import build_replay_command, extract_request
from randomizer.text.errors import BadDocument
from tests.support import run
from tests.support.wish_texts import WishTexts

WISHES = (
    ["--with", "魔女,Moat", "--with", "Alms"],
    ["--without", "アタック and not witch,cost:2", "--of", "2"],
    ["--want", "village, treasure=-1", "--want", "defence if attack", "--want", "engine"],
    ["--weight", "duration=2.50,card:village=0.5", "--want", "card:village"],
    ["--without", "Encampment/Plunder", "--landscapes-from", "deck", "--want", "event=1"],
)


def deal(*args: str) -> Any:
    """Return the document of a deal."""
    result = run("--sets", "base,adventures,empires", "--seed", "it's", *args, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("args", WISHES, ids=" ".join)
def test_command_of_a_document_deals_it_again(args: Sequence[str]) -> None:
    setup = deal(*args)
    words = shlex.split(setup["command"])[1:]
    assert json.loads(run(*words, "--json").stdout) == setup
    game = games.load()
    assert build_replay_command(game, read_setup(json.dumps(setup))) == setup["command"]
    assert setup["command"].isascii()


def test_document_has_wishes_in_its_options() -> None:
    options = deal(
        "--with", "魔女", "--without", "Doom", "--want", "アタック=1-2", "--weight", "持続=2", "--of", "3"
    )["options"]
    assert options["with"] == ["witch"]
    assert (options["without"], options["want"]) == (["doom"], ["attack=1-2"])
    assert (options["weight"], options["of"]) == (["duration=2"], 3)


def test_document_without_wishes_has_no_options_for_them() -> None:
    setup = deal()
    assert {"with", "without", "want", "weight", "of"}.isdisjoint(setup["options"])
    assert setup["seed"] == "it's" and "--w" not in setup["command"]


@pytest.mark.parametrize(
    "options",
    [
        {"with": "witch"},
        {"with": [1]},
        {"with": ["nobody"]},
        {"with": ["Witch"]},
        {"without": ["$(date)"]},
        {"without": ["attack\n"]},
        {"want": ["attack=1-"]},
        {"want": ["attack=0; echo"]},
        {"weight": ["attack"]},
        {"weight": ["attack=0"]},
        {"of": -1},
        {"of": True},
        {"of": "2"},
        {"want": ["attack"] * 51},
    ],
    ids=str,
)
def test_document_with_invalid_wishes_is_refused(options: dict[str, Any]) -> None:
    setup = deal()
    setup["options"].update(options)
    game = games.load()
    assert build_replay_command(game, read_setup(json.dumps(setup))) == ""
    with pytest.raises(BadDocument, match="the options in this setup don't fit"):
        extract_request(game, read_setup(json.dumps(setup)))


def test_command_with_user_files_is_built_without_reading_them(tmp_path: Path) -> None:
    """Wishes may name cards of the files."""
    file = tmp_path / "own.yaml"
    file.write_text(
        "cards: [{name: Rosery, set: base, cost: 2, types: [Action], count: 10}]", encoding="utf-8"
    )
    setup = deal("--cards", str(file), "--with", "Rosery", "--want", "village or rosery=2-")
    assert "rosery" in setup["kingdom"]
    line = build_replay_command(games.load(), read_setup(json.dumps(setup)))
    assert "--with rosery" in line and "'village or rosery=2-'" in line


class TestApart:
    def test_apart_deals_no_card_twice(self) -> None:
        lines = run(
            *("--sets", "base,adventures,cornucopia-guilds,allies", "--seed", "x", "--count", "5", "--apart"),
            *("--want", "attack=-1,event", "--json"),
        ).stdout.splitlines()
        seen: set[str] = set()
        for line in lines:
            setup = json.loads(line)
            piles = {pile["id"] for pile in setup["piles"] if pile["place"] == "kingdom"}
            piles |= {card["id"] for card in (*setup["landscapes"], *setup["set_aside"])}
            assert not piles & seen
            seen |= piles
            attacks = [p for p in setup["piles"] if p["id"] in setup["kingdom"] and "Attack" in p["types"]]
            assert len(attacks) <= 1 + 1 and any(card["kind"] == "event" for card in setup["landscapes"])
            again = run(*shlex.split(setup["command"])[1:], "--json")
            assert json.loads(again.stdout) == setup
        assert len(lines) == 5

    def test_apart_reports_when_cards_run_out(self) -> None:
        result = run("--sets", "base", "--seed", "x", "--count", "3", "--apart")
        assert result.exit_code == 2 and len(result.stdout.splitlines()) == 2
        assert (
            "only 2 kingdoms without repeats are possible, not 3: earlier tables used the others "
            "(Kingdom cards left: 6; needed: 10)."
        ) in " ".join(result.stderr.split())

    def test_apart_reports_when_no_cards_for_a_wish_are_left(self) -> None:
        result = run("--sets", "base", "--seed", "x", "--count", "2", "--apart", "--want", "witch")
        error = "not 2: the cards that earlier tables left can't meet the wishes."
        assert result.exit_code == 2 and error in " ".join(result.stderr.split())

    @pytest.mark.parametrize(
        ("args", "error"),
        [
            (["--apart"], "--apart needs --count"),
            (["--apart", "--count", "2", "--with", "Witch"], "each card is used only once"),
            (["--apart", "--count", "2", "--swap", "Witch"], "each card is used only once"),
        ],
    )
    def test_apart_refuses_conflicting_options(self, args: Sequence[str], error: str) -> None:
        result = run(*args)
        assert result.exit_code == 2 and error in result.stderr


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--with", "Wich"], "unknown card 'Wich'; did you mean Witch"),
        (["--with", "attack"], "'attack' is not a single card; use --want attack."),
        (["--without", "attak"], "did you mean attack"),
        (["--without", "village and atack or cost:2"], "village and [atack] or cost:2"),
        (["--want", "attack=many"], "'many' is not a number of cards"),
        (["--want", "attack=5"], "only 4 cards match attack in the chosen boxes; 5 are required."),
        (["--want", "attack=0", "--with", "Witch"], "attack=0 conflicts with --with Witch."),
        (["--weight", "attack"], "a weight must be a number from 0.001 to 1000"),
        (["--weight", "attack=0"], "to exclude cards, use --without"),
        (["--of", "2"], "--of 2 needs at least 2 boxes; --sets names 1."),
        (["--of", "0"], "--of"),
        (
            ["--without", "not attack"],
            "Base 2E has 26 Kingdom cards, of which 22 are excluded; 10 are needed.",
        ),
        (["--want", "not " * 300], "at most 1000 characters"),
        (["--game", "pergamemnon", "--want", "cost:2"], "has no Kingdom"),
    ],
)
def test_invalid_wish_has_a_short_error(args: Sequence[str], error: str) -> None:
    result = run("--sets", "base", *args) if "--game" not in args else run(*args)
    assert result.exit_code == 2
    assert error in result.stderr
    assert result.stderr.count("\n") <= 2


class TestCards:
    """`cards` accepts the same selectors as `--without`."""

    @pytest.mark.parametrize(
        "text",
        ["attack", "village and cost:3-4", "does:village", "アタック,event", "not kingdom", "card:page"],
    )
    def test_cards_lists_the_cards_that_without_bans(self, text: str) -> None:
        listed = json.loads(run("cards", text, "--set", "adventures", "--json").stdout)["cards"]
        game, ban = games.load(), deal("--without", text)["options"]["without"]
        wishes = WishTexts(without=tuple(ban)).parse(game)
        cards = [card for card in game.find_cards(["adventures"]) if game.kinds[card.kind].listed]
        banned = [card.name for card in cards if not card.member_of and find_ban(game, wishes, card)]
        assert sorted(card["name"] for card in listed) == sorted(banned)

    def test_cards_with_a_name_shows_that_card(self) -> None:
        assert "pile: 10" in run("cards", "village").stdout
        listed = json.loads(run("cards", "does:village", "--set", "base", "--json").stdout)["cards"]
        assert {"Village", "Festival", "Throne Room"} <= {card["name"] for card in listed}

    def test_cards_combines_selector_and_options(self) -> None:
        listed = json.loads(run("cards", "attack", "--set", "base-2e", "--cost", "5", "--json").stdout)[
            "cards"
        ]
        assert [card["name"] for card in listed] == ["Bandit", "Witch"]
        assert run("cards", "moat", "--type", "attack").exit_code == 1

    @pytest.mark.parametrize(
        ("text", "status", "error"),
        [
            ("atack", 1, "unknown card, set or type 'atack'; did you mean attack"),
            ("yong witch", 1, "did you mean young-witch"),
            ("cost:x", 1, "write costs as 3, 2-4, -4, 5+, potion or debt"),
            ("village and atack", 2, "\n  village and [atack]"),
            ("attack and", 2, "a name or word is missing after 'and'"),
            ("attack and moat", 1, "no card matches"),
            ("", 1, "no card matches"),
        ],
    )
    def test_cards_with_invalid_selector_is_an_error(self, text: str, status: int, error: str) -> None:
        result = run("cards", text)
        assert (result.exit_code, result.stdout) == (status, "") and error in result.stderr


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("--with=wit", "--with=witch"),
        ("--with=moat,wit", "--with=moat,witch"),
        ("--without=atta", "--without=attack"),
        ("--without=attack,villag", "--without=attack,village"),
        ("--without=not dura", "--without=not duration"),
        ("--want=engi", "--want=engine"),
        ("--want=village,cost:d", "--want=village,cost:debt"),
        ("--weight=prosp", "--weight=prosperity"),
    ],
)
def test_wish_options_are_completed(line: str, completed: str) -> None:
    env = {
        "_DOMINION_SETUP_COMPLETE": "zsh_complete",
        "COMP_WORDS": f"dominion-setup '{line}'",
        "COMP_CWORD": "1",
    }
    assert completed in run(env=env).stdout.splitlines()


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--kingdom", "any", "--with", "witch"], "--with can't be combined with --kingdom any"),
        (["--kingdom", "any", "--want", "attack"], "--want can't be combined with --kingdom any"),
        (["--kingdom", "any", "--weight", "attack=2"], "--weight can't be combined with --kingdom any"),
        (["--kingdom", "any", "--of", "1"], "--of can't be combined with --kingdom any"),
        (["--count", "2", "--keep"], "--count can't be combined with --keep"),
        (["--format", "names", "--about"], "--about can't be combined with --format names"),
        (["--format", "names", "--sort", "cost"], "--sort can't be combined with --format names"),
        (["--format", "online", "--about"], "--about can't be combined with --format online"),
        (["--format", "online", "--sort", "cost"], "--sort can't be combined with --format online"),
        (["--format", "line", "--json"], "use either --json or --format line, not both."),
        (["--apart"], "--apart needs --count: it concerns several kingdoms."),
        (["--apart", "--count", "2", "--with", "witch"], "--apart can't be combined with --with"),
        (["--apart", "--count", "2", "--kingdom", "any"], "--apart can't be combined with --with"),
        (["--apart", "--count", "2", "--swap", "witch"], "--kingdom or --swap"),
        (["--colony", "--colony-by", "random-card"], "use either --colony or --colony-by, not both."),
        (["--no-colony", "--colony-by", "random-card"], "use either --no-colony or --colony-by, not both."),
        (["--landscapes", "0", "--with", "alms"], "--with Alms conflicts with --landscapes 0."),
        (["--landscapes", "0", "--want", "event"], "event conflicts with --landscapes 0."),
        (["--ways", "0", "--want", "way"], "way conflicts with --ways 0."),
        (["--want", "way=2"], "way=2 conflicts with --ways 1."),
        (["--ways", "3"], "--ways 3 can't be more than --landscapes 2."),
        (["--with", "witch", "--without", "attack"], "--with Witch conflicts with --without attack."),
        (["--seed", "k", "--with", "witch", "--swap", "witch=workshop"], "--with Witch is no longer met."),
        (["--kingdom", "witch,moat", "--want", "attack=0"], "doesn't meet --want attack=0."),
        (["--kingdom", "First Game", "--with", "witch"], "doesn't meet --with Witch."),
        (["--colony", "--game", "pergamemnon"], "--colony can't be combined with --game pergamemnon"),
        (["--no-shelters", "--game=pergamemnon"], "--no-shelters can't be combined with --game pergamemnon"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_conflicting_options_are_refused_in_one_line(args: Sequence[str], error: str) -> None:
    boxes = [] if any("pergamemnon" in word for word in args) else ["--sets", "base,adventures,menagerie"]
    result = run(*boxes, *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert error in result.stderr
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("Error: ")


@pytest.mark.parametrize(("name", "other"), [("names", "--about"), ("online", "--sort=cost")])
def test_show_refuses_options_without_effect_on_the_format(name: str, other: str) -> None:
    run("--seed", "s")
    result = run("show", "--format", name, other)
    assert result.exit_code == 2
    assert f"{other.partition('=')[0]} can't be combined with --format {name}" in result.stderr


def test_defaults_cause_no_conflict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dominion-randomizer").mkdir()
    (tmp_path / "dominion-randomizer" / "config.toml").write_text(
        'format = "text"\nkeep = true\nabout = true\nwithout = "witch"\n', encoding="utf-8"
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for args in (["--count", "2"], ["--format", "names"], ["--kingdom", "any"]):
        assert run(*args).exit_code == 0


def test_with_and_swap_of_the_same_card_are_refused() -> None:
    """The error has one line with both options."""
    result = run("--with", "witch", "--swap", "witch", "--seed", "1")
    assert (result.exit_code, result.stderr) == (2, "Error: --swap Witch conflicts with --with Witch.\n")
