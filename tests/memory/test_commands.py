"""The commands: `played` and `history`, profiles and `config`, and what a shell is offered for them."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import click
import pytest

from randomizer.cli import main
from randomizer.memory import defaults, played
from tests.cli.test_completion import bash
from tests.support import run
from tests.support.nasty import CONTROLS, UNSEEN, raw


@pytest.fixture
def two() -> None:
    """Two games have been played."""
    run("--sets", "base,adventures", "--players", "3", "--seed", "k7f3")
    run("played", "--players", "Ann=32,花子=28", "--date", "2026-11-20", "--rating", "4", "--note", "close")
    run("--sets", "seaside", "--seed", "2")
    run("played", "--players", "Bob", "--date", "2026-11-21")


class TestPlayed:
    def test_a_file_or_a_line_of_it(self) -> None:
        lines = run("--count", "2", "--seed", "x", "--json").stdout
        assert run("played", "-", "--line", "2", input=lines).stdout.startswith("Noted as game 1;")
        assert run("played", "-", input=run("--seed", "y", "--json").stdout).exit_code == 0
        assert [game.seed for game in played.games()] == ["x-2", "y"]

    def test_the_confirmation_comes_in_the_readers_language(self) -> None:
        run("--seed", "1")
        assert run("played", "--lang", "ja").stdout.startswith("ゲーム1として記録しました。")

    @pytest.mark.parametrize(
        "args",
        [
            ["--date", "never"],
            ["--date", "2999-01-01"],
            ["--players", "A=x"],
            ["--players", "A" * 61],
            ["--rating", "6"],
            ["--rating", "0"],
            ["--note", "x" * 1_001],
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_noted(self, args: list[str]) -> None:
        run("--seed", "1")
        result = run("played", *args)
        told = [line for line in result.stderr.splitlines() if not line.startswith("No file is named")]
        assert (result.exit_code, result.stdout, len(told)) == (2, "", 1)
        assert played.games() == []

    @pytest.mark.parametrize("nasty", [*CONTROLS.values(), *UNSEEN.values()])
    def test_nothing_reaches_the_screen_as_it_is(self, nasty: str) -> None:
        if "\0" in nasty or nasty != nasty.encode(errors="ignore").decode():
            return  # which no shell hands over
        run("--seed", "1")
        assert run("played", "--note", nasty, "--players", f"A{nasty.replace('=', '')}=3").exit_code == 0
        for args in (["history"], ["history", "show", "1"], ["history", "--csv"], ["history", "--json"]):
            result = run(*args, "--lang", "ja")
            assert result.exit_code == 0 and raw(result.stdout) == raw(result.stderr) == []

    def test_a_default_of_the_deal_is_not_one_of_its_own(self, folders: Path) -> None:
        """`players` is a number in the configuration, and names here."""
        configure(folders, "players = 4")
        run("--seed", "1")
        assert run("played").exit_code == 0 and played.games()[0].players == ()


@pytest.mark.usefixtures("two")
class TestHistory:
    def test_the_last_one_first(self) -> None:
        heading, _, first, second = run("history").stdout.splitlines()
        assert heading.split() == ["no.", "date", "players", "rating", "Kingdom", "landscapes", "note"]
        assert first.split()[:3] == ["2", "2026-11-21", "Bob"]
        assert second.split()[:2] == ["1", "2026-11-20"] and "Ann 32, 花子 28" in second and "close" in second

    def test_japanese_is_aligned(self) -> None:
        heading, _, *rows = run("history", "--lang", "ja").stdout.splitlines()
        at = columns(heading[: heading.index("王国カード")])
        for row in rows:
            place = next(place for place in range(len(row)) if columns(row[:place]) == at)
            assert row[place] != " " and row[place - 1] == " "
        assert "礼拝堂" in rows[1]

    @pytest.mark.parametrize("wide", [40, 60, 80])
    def test_it_is_as_wide_as_the_screen(self, wide: int) -> None:
        for args in (["history"], ["history", "show", "1"]):
            text = run(*args, env={"COLUMNS": str(wide)}).stdout
            assert max(columns(line) for line in text.splitlines() if "--sets" not in line) <= wide

    @pytest.mark.parametrize(
        ("args", "numbers"),
        [
            (["--card", "chapel"], [1]),
            (["--card", "礼拝堂"], [1]),
            (["--player", "bob"], [2]),
            (["--since", "2026-11-21"], [2]),
            (["--until", "2026-11-20"], [1]),
            (["--since", "2026-11-20"], [1, 2]),
        ],
    )
    def test_searched(self, args: list[str], numbers: list[int]) -> None:
        found = json.loads(run("history", *args, "--json").stdout)
        assert found["schema"] == 1 and [game["id"] for game in found["games"]] == numbers

    @pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
    def test_nothing_found(self, form: list[str]) -> None:
        result = run("history", "--card", "Chapell", *form)
        assert result.exit_code == 1 and "did you mean Chapel" in result.stderr
        assert (result.stdout != "") == bool(form)

    def test_one_with_all_that_is_known(self) -> None:
        text = run("history", "show", "1").stdout
        assert text.startswith("game 1 · 2026-11-20 · Ann 32, 花子 28\nKingdom: Chapel, ")
        for line in ("landscapes: Lost Arts, Raid", "rating: 4", "note: close"):
            assert f"\n{line}\n" in text
        assert text.endswith("\nAgain: dominion-setup --sets base,adventures --players 3 --seed k7f3\n")
        assert not re.findall(
            "[A-Za-z]{4,}", run("history", "show", "2", "--lang", "ja").stdout.split("domin")[0]
        )

    def test_forgotten(self) -> None:
        assert run("history", "forget", "1").stdout == "Forgotten: game 1 of 2026-11-20.\n"
        for number in ("1", "7"):
            result = run("history", "forget", "2", number)
            assert result.exit_code == 2 and f"no game has the number {number}" in result.stderr
        assert [game.id for game in played.games()] == [2]

    @pytest.mark.parametrize("form", ["--json", "--csv"])
    def test_exported_and_imported(self, form: str, tmp_path: Path) -> None:
        before, file = played.games(), tmp_path / "games"
        file.write_text(run("history", form).stdout, encoding="utf-8")
        assert run("history", "import", str(file)).stdout == "Games added: 0; there already: 2.\n"
        run("history", "forget", "1", "2")
        assert run("history", "import", str(file)).stdout == "Games added: 2; there already: 0.\n"
        assert [game._replace(id=0) for game in played.games()] == [game._replace(id=0) for game in before]
        piped = run("history", "import", "-", input=file.read_bytes())
        assert piped.stdout == "Games added: 0; there already: 2.\n"

    @pytest.mark.parametrize("content", ["", "{", "a,b\n", '{"schema": 1, "games": [{}]}'])
    def test_what_is_no_export_is_refused(self, content: str) -> None:
        result = run("history", "import", "-", input=content)
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
        assert len(played.games()) == 2

    def test_one_form_at_a_time(self) -> None:
        assert "--json and --csv" in run("history", "--json", "--csv").stderr

    def test_a_game_that_nobody_knows_here(self) -> None:
        content = (
            run("history", "--json").stdout.replace('"dominion"', '"chess"').replace('"key": "', '"key": "x')
        )
        run("history", "import", "-", input=content)
        assert run("history", "--card", "Chapel").exit_code == 0
        assert run("history").stdout.count("Chapel") == 2
        assert "Again" not in run("history", "show", "3").stdout

    def test_what_a_shell_is_offered(self) -> None:
        assert bash("dominion-setup history forget ") == ["1", "2"]
        assert bash("dominion-setup history show 2") == ["2"]
        assert bash("dominion-setup history --player A") == ["Ann"]
        assert bash("dominion-setup played --players Ann,b") == ["Ann,Bob"]
        assert "import" in bash("dominion-setup history im")


def columns(line: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def test_nothing_has_been_played() -> None:
    result = run("history")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "Error: no game has been noted yet.\n")


# ── The user's own defaults ──


def configure(folders: Path, text: str) -> Path:
    """A configuration."""
    file = folders / "XDG_CONFIG_HOME" / "dominion-randomizer" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def options_of(*args: str) -> dict[str, Any]:
    """The options that a deal was dealt with."""
    asked: dict[str, Any] = json.loads(run(*args, "--json").stdout)["options"]
    return asked


FAMILY = """
sets = ["base", "adventures"]
landscapes-from = "deck"
[profiles.family]
players = 4
colony = true
landscapes = 0
[profiles.tournament]
sets = "seaside"
landscapes = 0
lang = "ja"
"""


class TestDefaultsOfTheDeal:
    def test_any_option_may_have_one(self, folders: Path) -> None:
        text = 'landscapes_from = "deck"\nlandscapes = 1\ncolony-by = "random-card"\nshelters = true'
        configure(folders, text)
        asked = options_of("--sets", "adventures")
        assert (asked["landscapes_from"], asked["landscapes"]) == ("deck", 1)
        assert (asked["colony_by"], asked["shelters"]) == ("random-card", True)
        assert options_of("--sets", "adventures", "--no-shelters")["shelters"] is False

    def test_every_option_but_a_few_is_taken_over_by_name(self) -> None:
        """A new option of the deal can have a default without another line; checked through `config`."""
        with click.Context(main) as ctx:
            flags = {max(each.opts, key=len) for each in main.get_params(ctx) if each.expose_value}
        told = {each["name"] for each in json.loads(run("config", "--json").stdout)["options"]}
        left = {flag for flag in flags if flag.strip("-").replace("-", "_") not in told}
        assert left == {"--seed", "--count", "--apart", "--json"}

    def test_a_command_deals_the_same_table_with_any(self, folders: Path) -> None:
        """What it does not say is as without defaults, here and everywhere."""
        plain = run("--sets", "base", "--players", "2", "--seed", "1").stdout
        file = configure(folders, FAMILY)
        assert run("--sets", "base", "--players", "2", "--seed", "1").stdout == plain
        command = json.loads(run("--profile", "family", "--json").stdout)["command"].split()[1:]
        here = run(*command).stdout
        file.unlink()
        assert run(*command).stdout == here

    def test_what_is_left_out_for_a_seed_is_said(self, folders: Path) -> None:
        configure(folders, FAMILY)
        said = "With --seed only what is typed holds; your defaults for --landscapes-from are left out.\n"
        assert run("--seed", "1").stderr == said
        assert run("--seed", "1", "--landscapes-from", "deck").stderr == ""
        assert options_of("--seed", "1") == {"sets": ["base-2e", "adventures"], "players": 2}

    def test_a_profile_that_is_typed_holds_with_a_seed(self, folders: Path) -> None:
        configure(folders, FAMILY)
        result = run("--seed", "1", "--profile", "family", "--json")
        asked = json.loads(result.stdout)
        assert (asked["players"], asked["options"]["colony"], asked["options"]["landscapes"]) == (4, True, 0)
        assert "landscapes_from" not in asked["options"]

    def test_a_file_of_cards_beside_the_configuration(self, folders: Path) -> None:
        file = configure(folders, 'cards = "mine.yaml"')
        (file.parent / "mine.yaml").write_text(
            "sets: {yard: Yard}\ncards:\n" + "".join(f"- {{name: C{n}, set: yard}}\n" for n in range(12))
        )
        assert json.loads(run("--json").stdout)["options"]["cards"] == [str(file.parent / "mine.yaml")]
        assert "yard" in run("sets").stdout

    def test_another_game(self, folders: Path) -> None:
        configure(folders, 'game = "pergamemnon"\ncolony = true')
        assert json.loads(run("--json").stdout)["game"] == "pergamemnon"
        assert json.loads(run("--game", "dominion", "--json").stdout)["options"]["colony"] is True

    def test_what_a_problem_may_come_from(self, folders: Path) -> None:
        file = configure(folders, 'landscapes-from = "deck"')
        for args in (["--sets", "base"], ["odds", "--sets", "base"]):
            result = run(*args)
            assert (result.exit_code, result.stdout) == (2, "")
            assert result.stderr.splitlines()[1:] == [f"Your defaults hold for --landscapes-from: {file}"]


class TestProfiles:
    def test_in_the_place_of_what_the_file_says(self, folders: Path) -> None:
        configure(folders, FAMILY)
        asked = options_of("--profile", "family")
        assert asked["sets"] == ["base-2e", "adventures"] and asked["landscapes_from"] == "deck"
        assert (asked["players"], asked["colony"], asked["landscapes"]) == (4, True, 0)
        assert json.loads(run("--profile=family", "--players", "3", "--json").stdout)["players"] == 3
        assert "海辺" in run("--profile", "tournament").stdout

    def test_by_the_environment_or_the_file(self, folders: Path) -> None:
        configure(folders, 'profile = "family"\n' + FAMILY)
        assert json.loads(run("--json").stdout)["players"] == 4
        env = {"DOMINION_SETUP_PROFILE": "tournament"}
        assert "海辺" in run(env=env).stdout
        assert json.loads(run("--profile", "family", "--json", env=env).stdout)["players"] == 4

    def test_of_the_odds_too(self, folders: Path) -> None:
        configure(folders, FAMILY)
        assert json.loads(run("odds", "--profile", "family", "--json").stdout)["players"] == 4

    @pytest.mark.parametrize(
        "args", [["--profile", "famly"], ["odds", "--profile=famly"], ["config", "--profile", "famly"]]
    )
    def test_one_that_there_is_not(self, folders: Path, args: list[str]) -> None:
        configure(folders, FAMILY)
        result = run(*args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Error: no profile is called 'famly'; did you mean family?\n"
        assert run("sets", env={"DOMINION_SETUP_PROFILE": "xyz"}).exit_code == 2

    def test_where_there_is_none(self) -> None:
        result = run("--profile", "family")
        assert result.exit_code == 2 and f"there is none in {defaults.path()}" in result.stderr

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("[profiles.family]\nplyers = 3", "'profiles.family.plyers' cannot have a default; players can"),
            ("[profiles.family]\nplayers = 'x'", "profiles.family.players = 'x' is not a whole number"),
            ("profiles = 5\n[profile]", "profiles = 5 is not a table of profiles"),
            ("[profiles]\nfamily = 3", "is not a table of profiles"),
            ("profile = 'famly'\n[profiles.family]", "profile = 'famly' is not family"),
            ("seed = 'x'", "'seed' cannot have a default"),
            ("count = 3", "'count' cannot have a default"),
            ("landscapes = -1", "landscapes = -1 is not a whole number from 0 to 1000"),
            ("keep = 'no'", "keep = 'no' is not true or false"),
            ("game = 'chess'", "game = 'chess' is not dominion or pergamemnon"),
            ("colony_by = 'x'", "colony_by = 'x' is not first-card or random-card"),
        ],
    )
    def test_a_fault_is_one_warning(self, folders: Path, text: str, said: str) -> None:
        file = configure(folders, text)
        args = ["--profile", "family"] if "profiles.family" in text and "profile =" not in text else []
        result = run(*args)
        assert result.exit_code == 0 and len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith(f"Warning: {file}: ") and said in result.stderr

    def test_what_a_shell_is_offered(self, folders: Path) -> None:
        configure(folders, FAMILY)
        assert bash("dominion-setup --profile fam") == ["family"]
        assert bash("dominion-setup --profile famly --sets ba")


class TestConfig:
    def from_(self, *args: str, **kwargs: dict[str, str]) -> dict[str, tuple[object, str]]:
        told = json.loads(run("config", *args, "--json", **kwargs).stdout)
        return {each["name"]: (each["value"], each["from"]) for each in told["options"]}

    def test_what_holds_from_where(self, folders: Path) -> None:
        file = configure(folders, FAMILY)
        told = self.from_("--profile", "family", "--landscapes", "1", env={"DOMINION_SETUP_LANG": "en"})
        assert told["sets"] == (["base", "adventures"], "file")
        assert told["players"] == (4, "profile family")
        assert told["landscapes"] == (1, "command line")
        assert told["lang"] == ("en", "environment")
        assert told["sort"] == ("box", "default")
        facts = json.loads(run("config", "--json").stdout)
        assert (facts["file"], facts["profiles"], facts["profile"]) == (
            str(file),
            ["family", "tournament"],
            None,
        )

    def test_for_people(self, folders: Path) -> None:
        file = configure(folders, FAMILY)
        text = run("config", "--profile", "family").stdout
        assert text.startswith(f"your defaults: {file}\n") and "\nprofiles: family, tournament\n" in text
        rows = [re.split("  +", line) for line in text.splitlines()]
        assert ["players", "4", "profile family"] in rows and ["colony", "true", "profile family"] in rows
        assert ["sets", "base, adventures", "file"] in rows
        japanese = run("config", "--profile", "family", "--lang", "ja").stdout
        assert "プロファイル family" in japanese and "既定" in japanese

    def test_typed_before_its_name(self) -> None:
        result = run("--lang", "ja", "config")
        assert "コマンドライン" in result.stdout

    def test_without_a_file(self) -> None:
        result = run("config")
        assert (result.exit_code, result.stderr) == (0, "") and defaults.path() in result.stdout


class TestOwnWishes:
    """`[wishes]` of the configuration: names for `--want`, which nobody else has to know."""

    SAID = '[wishes]\nquick = ["trashing", "cost:-4=5-"]\nPeace = "attack=0, village if draw"\n'

    def test_the_command_has_them_written_out(self, folders: Path) -> None:
        file = configure(folders, self.SAID)
        setup = json.loads(run("--want", "quick,peace", "--want", "Quick", "--json").stdout)
        wanted = ["trashing", "cost:0-4=5-", "attack=0", "village if draw"]
        assert setup["options"]["want"] == wanted
        file.unlink()
        again = run(*shlex.split(setup["command"])[1:], "--json")
        assert (again.stderr, json.loads(again.stdout)) == ("", setup)

    def test_a_profile_or_a_default_may_wish_so(self, folders: Path) -> None:
        configure(folders, f'want = "quick"\n{self.SAID}')
        assert options_of("--sets", "base")["want"] == ["trashing", "cost:0-4=5-"]

    @pytest.mark.parametrize(
        ("said", "fault"),
        [
            (
                'bad = "trashng"',
                "'bad' among the wishes: no card, set or type is called 'trashng'; did you mean",
            ),
            ('bad = "attack=many"', "'bad' among the wishes: 'many' is not a number of cards"),
            ('bad = "quick"', "no card, set or type is called 'quick'"),
            ('village = "draw"', "'village' among the wishes: that is no name of its own"),
            ('engine = "draw"', "'engine' among the wishes: that is no name of its own"),
            ('attack-if-witch = "draw"', "that is no name of its own"),
            ('"--" = "draw"', "that is no name of its own"),
            ("bad = 3", "wishes.bad = 3 is not a text or a list of texts"),
            ("bad = []", "wishes.bad = [] is not a text or a list of texts"),
            ('bad = [","]', "is not a text or a list of texts"),
            ('"\\u001b[1m" = "wrong"', "'\\x1b[1m' among the wishes"),
        ],
    )
    def test_a_wrong_one_is_a_warning(self, folders: Path, said: str, fault: str) -> None:
        configure(folders, self.SAID + said)
        result = run("--want", "quick", "--json", "--count", "2", "--sets", "all")
        first = result.stderr.splitlines()[0]
        assert first.startswith("Warning: ") and fault in first and first.endswith("that is ignored.")
        assert result.stderr.count("Warning") == 1

    def test_no_table_of_wishes(self, folders: Path) -> None:
        configure(folders, "wishes = 5")
        result = run("--sets", "base")
        assert result.exit_code == 0 and "wishes = 5 is not a table of wishes" in result.stderr

    def test_a_name_takes_no_text_that_means_something_else(self, folders: Path) -> None:
        configure(folders, '[wishes]\ncost-2 = "attack"\nattack-0 = "draw"')
        assert options_of("--want", "cost:2,attack=0")["want"] == ["cost:2", "attack=0"]
        assert options_of("--want", "cost-2")["want"] == ["attack"]

    def test_what_is_not_there_is_told(self, folders: Path) -> None:
        configure(folders, self.SAID)
        result = run("--want", "quikc")
        assert (result.exit_code, result.stderr.count("\n")) == (
            2,
            1,
        ) and "did you mean quick" in result.stderr

    def test_a_shell_offers_them(self, folders: Path) -> None:
        configure(folders, self.SAID)
        env = {
            "_DOMINION_SETUP_COMPLETE": "zsh_complete",
            "COMP_WORDS": "dominion-setup --want=qui",
            "COMP_CWORD": "1",
        }
        assert "--want=quick" in run(env=env).stdout.splitlines()
