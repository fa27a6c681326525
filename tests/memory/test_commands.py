"""The commands `played`, `history` and `config`, profiles, and their completion."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import click
import pytest

from randomizer.cli import main
from randomizer.memory import defaults, played_games
from tests.cli.test_completion import bash
from tests.support import run
from tests.support.nasty import CONTROLS, INVISIBLE, find_unescaped


@pytest.fixture
def two_games() -> None:
    """Two games in the history."""
    run("--sets", "base,adventures", "--players", "3", "--seed", "k7f3")
    run("played", "--players", "Ann=32,花子=28", "--date", "2026-11-20", "--rating", "4", "--note", "close")
    run("--sets", "seaside", "--seed", "2")
    run("played", "--players", "Bob", "--date", "2026-11-21")


class TestPlayed:
    def test_second_record_of_a_table_needs_again(self) -> None:
        run("--seed", "1")
        assert run("played").exit_code == 0
        run("--seed", "1", "--sets", "intrigue")  # the same seed, but another table
        assert run("played").exit_code == 0
        run("--seed", "1")
        for args in ([], ["3"], ["--players", "Ann 3"]):
            result = run("played", *args)
            assert (result.exit_code, result.stdout) == (2, "")
            assert "this table is already recorded as game 1 of " in result.stderr
            assert "add --again" in result.stderr
        assert run("played", "--again", "--players", "Ann 3").stdout.startswith("Recorded as game 3;")

    def test_winner_is_recorded(self) -> None:
        for number, args in enumerate(
            (["--winner", "ann", "--players", "Ann, Bob"], ["--players", "Ann 4, Bob 5"], ["--winner", "Ann"])
        ):
            run("--seed", str(number))
            assert run("played", *args).exit_code == 0
        assert [game.winners for game in played_games.load_games()] == [("Ann",), ("Bob",), ("Ann",)]
        rows = run("history").stdout.splitlines()[2:]
        assert [re.search("Ann.*?(?=  )", row)[0] for row in rows] == [  # type: ignore[index]
            *("Ann (won)", "Ann 4, Bob 5", "Ann (won), Bob")
        ]
        assert "Ann（勝ち）、Bob" in run("history", "--lang", "ja").stdout
        assert "\nwinner: Ann\n" in run("history", "show", "1").stdout

    def test_name_in_place_of_a_file_is_explained(self) -> None:
        for args in (["Ann", "wins"], ["花子"]):
            assert 'to name players, use --players "' in run("played", *args).stderr
        assert "No such file" in run("played", "missing.json").stderr

    def test_document_may_be_a_file_or_a_line_of_it(self) -> None:
        lines = run("--count", "2", "--seed", "x", "--json").stdout
        assert run("played", "-", "--line", "2", input=lines).stdout.startswith("Recorded as game 1;")
        assert run("played", "-", input=run("--seed", "y", "--json").stdout).exit_code == 0
        assert [game.seed for game in played_games.load_games()] == ["x-2", "y"]

    def test_confirmation_is_in_the_readers_language(self) -> None:
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
    def test_invalid_argument_is_reported_and_nothing_saved(self, args: list[str]) -> None:
        run("--seed", "1")
        result = run("played", *args)
        lines = [line for line in result.stderr.splitlines() if not line.startswith("No file given")]
        assert (result.exit_code, result.stdout, len(lines)) == (2, "", 1)
        assert played_games.load_games() == []

    @pytest.mark.parametrize("nasty", [*CONTROLS.values(), *INVISIBLE.values()])
    def test_invisible_characters_are_escaped_in_every_output(self, nasty: str) -> None:
        if "\0" in nasty or nasty != nasty.encode(errors="ignore").decode():
            return  # No shell can pass it as an argument.
        run("--seed", "1")
        assert run("played", "--note", nasty, "--players", f"A{nasty.replace('=', '')}=3").exit_code == 0
        for args in (["history"], ["history", "show", "1"], ["history", "--csv"], ["history", "--json"]):
            result = run(*args, "--lang", "ja")
            assert (
                result.exit_code == 0 and find_unescaped(result.stdout) == find_unescaped(result.stderr) == []
            )

    def test_default_number_of_players_is_not_taken_for_names(self, folders: Path) -> None:
        """`players` is a number in the configuration, but names for this command."""
        write_config(folders, "players = 4")
        run("--seed", "1")
        assert run("played").exit_code == 0 and played_games.load_games()[0].players == ()


@pytest.mark.usefixtures("two_games")
class TestEdit:
    def test_edit_changes_a_game_and_shows_it(self) -> None:
        result = run("history", "edit", "1", "--players", "Ann 30, 花子 31", "--rating", "5", "--note", "")
        assert result.stdout.startswith("game 1 · 2026-11-20 · Ann 30, 花子 31\n")
        assert "winner: 花子" in result.stdout and "note" not in result.stdout
        assert run("history", "edit", "2", "--winner", "bob", "--date", "2026-11-01").exit_code == 0
        second, first = played_games.load_games()
        assert (first.rating, first.note, first.winners) == (5, "", ("花子",))
        assert (second.date, second.players, second.winners) == ("2026-11-01", (("Bob", None),), ("Bob",))
        run("history", "edit", "1", "--rating", "0")
        assert played_games.get_game(1).rating is None

    @pytest.mark.parametrize(
        ("args", "error"),
        [
            (["1"], "say what to change, as in `history edit 1 --winner Ann`"),
            (["7", "--note", "x"], "there is no game 7"),
            (["1", "--winner", "Zoe"], "the winner 'Zoe' is not one of the players"),
            (["1", "--date", "2999-01-01"], "is in the future"),
        ],
    )
    def test_invalid_edit_is_refused_and_changes_nothing(self, args: list[str], error: str) -> None:
        before = played_games.load_games()
        result = run("history", "edit", *args)
        assert (result.exit_code, result.stdout) == (2, "") and error in result.stderr
        assert played_games.load_games() == before


@pytest.mark.usefixtures("two_games")
class TestHistory:
    def test_history_lists_the_latest_game_first(self) -> None:
        heading, _, first, second = run("history").stdout.splitlines()
        assert heading.split() == ["no.", "date", "players", "rating", "Kingdom", "landscapes", "note"]
        assert first.split()[:3] == ["2", "2026-11-21", "Bob"]
        assert second.split()[:2] == ["1", "2026-11-20"] and "Ann 32, 花子 28" in second and "close" in second

    def test_single_game_as_json_can_be_imported_again(self) -> None:
        text = run("history", "show", "1", "--json").stdout
        assert [game["seed"] for game in json.loads(text)["games"]] == ["k7f3"]
        run("history", "forget", "1")
        assert "Games added: 1" in run("history", "import", "-", input=text).stdout

    def test_columns_with_japanese_are_aligned(self) -> None:
        heading, _, *rows = run("history", "--lang", "ja").stdout.splitlines()
        start = get_width(heading[: heading.index("王国カード")])
        for row in rows:
            index = next(index for index in range(len(row)) if get_width(row[:index]) == start)
            assert row[index] != " " and row[index - 1] == " "
        assert "礼拝堂" in rows[1]

    @pytest.mark.parametrize("columns", [40, 60, 80])
    def test_output_fits_the_terminal(self, columns: int) -> None:
        for args in (["history"], ["history", "show", "1"]):
            text = run(*args, env={"COLUMNS": str(columns)}).stdout
            assert max(get_width(line) for line in text.splitlines() if "--sets" not in line) <= columns

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
    def test_history_can_be_filtered(self, args: list[str], numbers: list[int]) -> None:
        found = json.loads(run("history", *args, "--json").stdout)
        assert found["schema"] == 1 and [game["id"] for game in found["games"]] == numbers

    @pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
    def test_filter_without_results_suggests_a_name(self, form: list[str]) -> None:
        result = run("history", "--card", "Chapl", *form)
        assert result.exit_code == 1 and "did you mean Chapel" in result.stderr
        assert (result.stdout != "") == bool(form)

    def test_show_prints_all_facts_of_a_game(self) -> None:
        text = run("history", "show", "1").stdout
        assert text.startswith("game 1 · 2026-11-20 · Ann 32, 花子 28\nKingdom: Chapel, ")
        for line in ("landscapes: Lost Arts, Raid", "rating: 4", "note: close"):
            assert f"\n{line}\n" in text
        assert text.endswith("\nDeal again: dominion-setup --sets base,adventures --players 3 --seed k7f3\n")
        assert not re.findall(
            "[A-Za-z]{4,}", run("history", "show", "2", "--lang", "ja").stdout.split("domin")[0]
        )

    def test_forget_removes_all_named_games_or_none(self) -> None:
        assert run("history", "forget", "1").stdout == "Removed game 1 of 2026-11-20.\n"
        for number in ("1", "7"):
            result = run("history", "forget", "2", number)
            assert result.exit_code == 2 and f"there is no game {number}" in result.stderr
        assert [game.id for game in played_games.load_games()] == [2]

    @pytest.mark.parametrize("form", ["--json", "--csv"])
    def test_import_adds_exported_games_that_are_missing(self, form: str, tmp_path: Path) -> None:
        before, file = played_games.load_games(), tmp_path / "games"
        file.write_text(run("history", form).stdout, encoding="utf-8")
        assert run("history", "import", str(file)).stdout == "Games added: 0; already recorded: 2.\n"
        run("history", "forget", "1", "2")
        assert run("history", "import", str(file)).stdout == "Games added: 2; already recorded: 0.\n"
        assert [game._replace(id=0) for game in played_games.load_games()] == [
            game._replace(id=0) for game in before
        ]
        piped = run("history", "import", "-", input=file.read_bytes())
        assert piped.stdout == "Games added: 0; already recorded: 2.\n"

    @pytest.mark.parametrize("content", ["", "{", "a,b\n", '{"schema": 1, "games": [{}]}'])
    def test_import_of_anything_else_is_refused(self, content: str) -> None:
        result = run("history", "import", "-", input=content)
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
        assert len(played_games.load_games()) == 2

    def test_json_and_csv_together_are_refused(self) -> None:
        assert "use either --json or --csv" in run("history", "--json", "--csv").stderr

    def test_unknown_game_is_listed_with_english_names_and_no_command(self) -> None:
        content = (
            run("history", "--json").stdout.replace('"dominion"', '"chess"').replace('"key": "', '"key": "x')
        )
        run("history", "import", "-", input=content)
        assert run("history", "--card", "Chapel").exit_code == 0
        assert run("history").stdout.count("Chapel") == 2
        assert "Deal again" not in run("history", "show", "3").stdout

    def test_completion_offers_ids_and_players(self) -> None:
        assert bash("dominion-setup history forget ") == ["1", "2"]
        assert bash("dominion-setup history show 2") == ["2"]
        assert bash("dominion-setup history --player A") == ["Ann"]
        assert bash("dominion-setup played --players Ann,b") == ["Ann,Bob"]
        assert "import" in bash("dominion-setup history im")


def get_width(line: str) -> int:
    """Return the width of a line on a terminal."""
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in line)


def test_empty_history_is_an_error() -> None:
    result = run("history")
    assert (result.exit_code, result.stdout, result.stderr) == (
        1,
        "",
        "Error: no games have been recorded yet.\n",
    )


# ── The user's own defaults ──


def write_config(folders: Path, text: str) -> Path:
    """Write the configuration and return its path."""
    file = folders / "XDG_CONFIG_HOME" / "dominion-randomizer" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def get_deal_options(*args: str) -> dict[str, Any]:
    """Return the options of a deal, as its document has them."""
    options: dict[str, Any] = json.loads(run(*args, "--json").stdout)["options"]
    return options


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


class TestDealDefaults:
    def test_option_uses_its_default_unless_given(self, folders: Path) -> None:
        text = 'landscapes_from = "deck"\nlandscapes = 1\ncolony-by = "random-card"\nshelters = true'
        write_config(folders, text)
        options = get_deal_options("--sets", "adventures")
        assert (options["landscapes_from"], options["landscapes"]) == ("deck", 1)
        assert (options["colony_by"], options["shelters"]) == ("random-card", True)
        assert get_deal_options("--sets", "adventures", "--no-shelters")["shelters"] is False

    def test_deal_options_for_several_tables_and_for_programs_have_no_default(self) -> None:
        """`config` lists the options that may have one."""
        with click.Context(main) as ctx:
            flags = {max(each.opts, key=len) for each in main.get_params(ctx) if each.expose_value}
        listed = {option["name"] for option in json.loads(run("config", "--json").stdout)["options"]}
        missing = {flag for flag in flags if flag.strip("-").replace("-", "_") not in listed}
        assert missing == {
            *("--seed", "--count", "--apart", "--copies", "--table", "--vetoed", "--json", "--save")
        }

    def test_printed_command_deals_the_same_table_with_any_defaults(self, folders: Path) -> None:
        """Options that it does not name have the values that they have without defaults."""
        plain = run("--sets", "base", "--players", "2", "--seed", "1").stdout
        file = write_config(folders, FAMILY)
        assert run("--sets", "base", "--players", "2", "--seed", "1").stdout == plain
        command = json.loads(run("--profile", "family", "--json").stdout)["command"].split()[1:]
        output = run(*command).stdout
        file.unlink()
        assert run(*command).stdout == output

    def test_defaults_ignored_because_of_a_seed_are_named(self, folders: Path) -> None:
        write_config(folders, FAMILY)
        warning = (
            "With --seed, your defaults for --landscapes-from are ignored; type them if you want them.\n"
        )
        assert run("--seed", "1").stderr == warning
        assert run("--seed", "1", "--landscapes-from", "deck").stderr == ""
        assert get_deal_options("--seed", "1") == {"sets": ["base-2e", "adventures"], "players": 2}

    def test_profile_given_with_a_seed_applies(self, folders: Path) -> None:
        write_config(folders, FAMILY)
        result = run("--seed", "1", "--profile", "family", "--json")
        setup = json.loads(result.stdout)
        options = setup["options"]
        assert (setup["players"], options["colony"], options["landscapes"]) == (4, True, 0)
        assert "landscapes_from" not in options

    def test_cards_file_is_relative_to_the_configuration(self, folders: Path) -> None:
        file = write_config(folders, 'cards = "mine.yaml"')
        (file.parent / "mine.yaml").write_text(
            "sets: {yard: Yard}\ncards:\n" + "".join(f"- {{name: C{n}, set: yard}}\n" for n in range(12))
        )
        assert json.loads(run("--json").stdout)["options"]["files"] == [str(file.parent / "mine.yaml")]
        assert "yard" in run("sets").stdout

    def test_game_may_have_a_default(self, folders: Path) -> None:
        write_config(folders, 'game = "pergamemnon"\ncolony = true')
        assert json.loads(run("--json").stdout)["game"] == "pergamemnon"
        assert json.loads(run("--game", "dominion", "--json").stdout)["options"]["colony"] is True

    def test_problem_names_the_defaults_that_apply(self, folders: Path) -> None:
        file = write_config(folders, 'landscapes-from = "deck"')
        for args in (["--sets", "base"], ["odds", "--sets", "base"]):
            result = run(*args)
            assert (result.exit_code, result.stdout) == (2, "")
            assert result.stderr.splitlines()[1:] == [f"Your defaults in {file} set --landscapes-from."]


class TestProfiles:
    def test_profile_overrides_the_top_of_the_file(self, folders: Path) -> None:
        write_config(folders, FAMILY)
        options = get_deal_options("--profile", "family")
        assert options["sets"] == ["base-2e", "adventures"] and options["landscapes_from"] == "deck"
        assert (options["players"], options["colony"], options["landscapes"]) == (4, True, 0)
        assert json.loads(run("--profile=family", "--players", "3", "--json").stdout)["players"] == 3
        assert "海辺" in run("--profile", "tournament").stdout

    def test_profile_may_be_chosen_by_environment_or_file(self, folders: Path) -> None:
        write_config(folders, 'profile = "family"\n' + FAMILY)
        assert json.loads(run("--json").stdout)["players"] == 4
        env = {"DOMINION_SETUP_PROFILE": "tournament"}
        assert "海辺" in run(env=env).stdout
        assert json.loads(run("--profile", "family", "--json", env=env).stdout)["players"] == 4

    def test_odds_use_the_profile(self, folders: Path) -> None:
        write_config(folders, FAMILY)
        assert json.loads(run("odds", "--profile", "family", "--json").stdout)["players"] == 4

    @pytest.mark.parametrize(
        "args", [["--profile", "famly"], ["odds", "--profile=famly"], ["config", "--profile", "famly"]]
    )
    def test_unknown_profile_is_refused_with_a_suggestion(self, folders: Path, args: list[str]) -> None:
        write_config(folders, FAMILY)
        result = run(*args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Error: unknown profile 'famly'; did you mean family?\n"
        assert run("sets", env={"DOMINION_SETUP_PROFILE": "xyz"}).exit_code == 2

    def test_profile_without_a_file_is_refused(self) -> None:
        result = run("--profile", "family")
        assert result.exit_code == 2 and f"{defaults.get_path()} has no profiles" in result.stderr

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "[profiles.family]\nplyers = 3",
                "'profiles.family.plyers' can't have a default, but players can",
            ),
            ("[profiles.family]\nplayers = 'x'", "profiles.family.players = 'x' must be a whole number"),
            ("profiles = 5\n[profile]", "profiles = 5 must be a table of profiles"),
            ("[profiles]\nfamily = 3", "must be a table of profiles"),
            ("profile = 'famly'\n[profiles.family]", "profile = 'famly' must be family"),
            ("seed = 'x'", "'seed' can't have a default"),
            ("count = 3", "'count' can't have a default"),
            ("landscapes = -1", "landscapes = -1 must be a whole number from 0 to 1000"),
            ("keep = 'no'", "keep = 'no' must be true or false"),
            ("game = 'chess'", "game = 'chess' must be dominion or pergamemnon"),
            ("colony_by = 'x'", "colony_by = 'x' must be first-card or random-card"),
        ],
    )
    def test_fault_in_the_file_is_one_warning(self, folders: Path, text: str, expected: str) -> None:
        file = write_config(folders, text)
        args = ["--profile", "family"] if "profiles.family" in text and "profile =" not in text else []
        result = run(*args)
        assert result.exit_code == 0 and len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith(f"Warning: {file}: ") and expected in result.stderr

    def test_completion_offers_profiles(self, folders: Path) -> None:
        write_config(folders, FAMILY)
        assert bash("dominion-setup --profile fam") == ["family"]
        assert bash("dominion-setup --profile famly --sets ba")


class TestConfig:
    def read_options(self, *args: str, **kwargs: dict[str, str]) -> dict[str, tuple[object, str]]:
        """Return the value and the source of each option."""
        facts = json.loads(run("config", *args, "--json", **kwargs).stdout)
        return {option["name"]: (option["value"], option["from"]) for option in facts["options"]}

    def test_json_has_each_value_and_its_source(self, folders: Path) -> None:
        file = write_config(folders, FAMILY)
        options = self.read_options(
            "--profile", "family", "--landscapes", "1", env={"DOMINION_SETUP_LANG": "en"}
        )
        assert options["sets"] == (["base", "adventures"], "file")
        assert options["players"] == (4, "profile family")
        assert options["landscapes"] == (1, "command line")
        assert options["lang"] == ("en", "environment")
        assert options["sort"] == ("box", "default")
        facts = json.loads(run("config", "--json").stdout)
        assert (facts["file"], facts["profiles"], facts["profile"]) == (
            str(file),
            ["family", "tournament"],
            None,
        )

    def test_text_has_each_value_and_its_source(self, folders: Path) -> None:
        file = write_config(folders, FAMILY)
        text = run("config", "--profile", "family").stdout
        assert text.startswith(f"configuration file: {file}\n") and "\nprofiles: family, tournament\n" in text
        rows = [re.split("  +", line) for line in text.splitlines()]
        assert ["players", "4", "profile family"] in rows and ["colony", "true", "profile family"] in rows
        assert ["sets", "base, adventures", "file"] in rows
        japanese = run("config", "--profile", "family", "--lang", "ja").stdout
        assert "プロファイル family" in japanese and "既定" in japanese

    def test_option_before_the_command_name_applies(self) -> None:
        result = run("--lang", "ja", "config")
        assert "コマンドライン" in result.stdout

    def test_path_is_printed_without_a_file(self) -> None:
        result = run("config")
        assert (result.exit_code, result.stderr) == (0, "") and defaults.get_path() in result.stdout


class TestOwnWishes:
    """Named wishes: `[wishes]` of the configuration defines names for `--want`."""

    WISHES = '[wishes]\nquick = ["trashing", "cost:-4=5-"]\nPeace = "attack=0, village if draw"\n'

    def test_printed_command_spells_named_wishes_out(self, folders: Path) -> None:
        file = write_config(folders, self.WISHES)
        setup = json.loads(run("--want", "quick,peace", "--want", "Quick", "--json").stdout)
        wanted = ["trashing", "cost:0-4=5-", "attack=0", "village if draw"]
        assert setup["options"]["want"] == wanted
        file.unlink()
        again = run(*shlex.split(setup["command"])[1:], "--json")
        assert (again.stderr, json.loads(again.stdout)) == ("", setup)

    def test_default_may_use_a_named_wish(self, folders: Path) -> None:
        write_config(folders, f'want = "quick"\n{self.WISHES}')
        assert get_deal_options("--sets", "base")["want"] == ["trashing", "cost:0-4=5-"]

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            (
                'bad = "trashng"',
                "wish 'bad': unknown card, set or type 'trashng'; did you mean",
            ),
            ('bad = "attack=many"', "wish 'bad': 'many' is not a number of cards"),
            ('bad = "quick"', "unknown card, set or type 'quick'"),
            ('village = "draw"', "wish 'village': the name already has another meaning"),
            ('engine = "draw"', "wish 'engine': the name already has another meaning"),
            ('attack-if-witch = "draw"', "the name already has another meaning"),
            ('"--" = "draw"', "the name already has another meaning"),
            ("bad = 3", "wishes.bad = 3 must be text or a list of texts"),
            ("bad = []", "wishes.bad = [] must be text or a list of texts"),
            ('bad = [","]', "must be text or a list of texts"),
            ('"\\u001b[1m" = "wrong"', "wish '\\x1b[1m'"),
        ],
    )
    def test_invalid_named_wish_is_a_warning(self, folders: Path, line: str, fault: str) -> None:
        write_config(folders, self.WISHES + line)
        result = run("--want", "quick", "--json", "--count", "2", "--sets", "all")
        first = result.stderr.splitlines()[0]
        assert first.startswith("Warning: ") and fault in first and first.endswith("this is ignored.")
        assert result.stderr.count("Warning") == 1

    def test_wishes_that_are_no_table_are_a_warning(self, folders: Path) -> None:
        write_config(folders, "wishes = 5")
        result = run("--sets", "base")
        assert result.exit_code == 0 and "wishes = 5 must be a table of wishes" in result.stderr

    def test_named_wish_does_not_hide_a_selector(self, folders: Path) -> None:
        write_config(folders, '[wishes]\ncost-2 = "attack"\nattack-0 = "draw"')
        assert get_deal_options("--want", "cost:2,attack=0")["want"] == ["cost:2", "attack=0"]
        assert get_deal_options("--want", "cost-2")["want"] == ["attack"]

    def test_misspelt_named_wish_gets_a_suggestion(self, folders: Path) -> None:
        write_config(folders, self.WISHES)
        result = run("--want", "quikc")
        assert (result.exit_code, result.stderr.count("\n")) == (
            2,
            1,
        ) and "did you mean quick" in result.stderr

    def test_completion_offers_named_wishes(self, folders: Path) -> None:
        write_config(folders, self.WISHES)
        env = {
            "_DOMINION_SETUP_COMPLETE": "zsh_complete",
            "COMP_WORDS": "dominion-setup --want=qui",
            "COMP_CWORD": "1",
        }
        assert "--want=quick" in run(env=env).stdout.splitlines()
