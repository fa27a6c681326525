"""Saving of defaults with `--save`, and the commands that change them: `config set` and so on."""

import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from randomizer.memory import defaults, defaults_writer
from randomizer.text import screen
from tests.cli.test_completion import bash
from tests.support import TESTS_DIR, XDG_VARIABLES, run

COMMENTED = """# Our boxes
sets = [
  "base",  # from Ann
  "empires",
]
players = 3  # usual

# Small children
[profiles.family]
players = 4
without = "attack"
"""
# With a limit on file sizes Python would leave truncated bytecode for other processes.
NO_BYTECODE = {"PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def file() -> Path:
    """The path of the configuration file, whose folder exists."""
    path = Path(defaults.get_path())
    path.parent.mkdir(parents=True)
    return path


def read() -> dict[str, Any]:
    """Return the values of the configuration file."""
    return tomllib.loads(Path(defaults.get_path()).read_text(encoding="utf-8"))


def change(*args: str) -> str:
    """Run `config` with arguments that succeed, and return its output."""
    result = run("config", *args)
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr
    return result.stdout


class TestSave:
    def test_nine_boxes_and_three_bans_are_saved_by_one_deal(self) -> None:
        boxes = "base,intrigue,seaside,alchemy,prosperity,adventures,empires,nocturne,allies"
        bans = "possession,masquerade,rebuild"
        result = run("--sets", boxes, "--without", bans, "--players", "3", "--save", "--json")
        assert json.loads(result.stdout)["players"] == 3
        assert result.stderr.startswith(f"Saved in {defaults.get_path()}: sets = [")
        assert read() == {"sets": boxes.split(","), "players": 3, "without": bans.split(",")}
        options = json.loads(run("--json").stdout)["options"]
        assert len(options["sets"]) == 9 and options["without"] == bans.split(",")

    def test_every_kind_of_typed_option_is_saved(self, tmp_path: Path) -> None:
        cards = tmp_path / "mine.yaml"
        cards.write_text("sets: {yard: Yard}\ncards: [{name: C, set: yard}]\n", encoding="utf-8")
        typed = "--want village --want trashing=2- --weight attack=0.5 --with moat,chapel --lang ja "
        typed += "--no-shelters --landscapes 1 --about --sort name --format text --save"
        result = run(*typed.split(), "--cards", os.path.relpath(cards))
        assert result.exit_code == 0 and "に保存しました" in result.stderr
        assert read() == {
            "with": ["moat", "chapel"],
            "want": ["village", "trashing=2-"],
            "weight": ["attack=0.5"],
            "lang": "ja",
            "shelters": False,
            "landscapes": 1,
            "about": True,
            "sort": "name",
            "cards": [str(cards)],
        }

    def test_profile_is_created_and_can_be_used(self) -> None:
        result = run("--players", "4", "--landscapes", "0", "--save=family", "--format", "line")
        assert (
            result.stderr == f"Saved in {defaults.get_path()}, profile family: players = 4, landscapes = 0\n"
        )
        assert read() == {"profiles": {"family": {"players": 4, "landscapes": 0}}}
        assert json.loads(run("--json").stdout)["players"] == 2
        assert json.loads(run("--profile", "family", "--json").stdout)["players"] == 4

    def test_options_about_one_table_are_not_saved(self) -> None:
        args = ("--kingdom", "First Game", "--swap", "moat", "--seed", "1", "--format", "line")
        assert run(*args, "--players", "3", "--save").exit_code == 0
        assert read() == {"players": 3}

    def test_typed_bans_are_added_to_the_saved_ones(self) -> None:
        run("--without", "witch", "--save")
        run("--without", "Witch,attack", "--seed", "1", "--save")
        assert read()["without"] == ["witch", "attack"]
        run("--without", "moat", "--save=duel")
        assert read()["profiles"]["duel"]["without"] == ["witch", "attack", "moat"]
        run("--without", "nothing,chapel", "--save")
        assert read()["without"] == ["nothing", "chapel"]
        assert json.loads(run("--json").stdout)["options"]["without"] == ["chapel"]

    def test_several_tables_save_options_too(self) -> None:
        result = run("--count", "2", "--players", "4", "--save")
        assert result.stdout.count("\n") == 2 and read() == {"players": 4}

    @pytest.mark.parametrize(
        ("args", "error"),
        [
            (
                ["--save"],
                "--save saves the options that you type with it, as in --sets base,adventures --save.",
            ),
            (["--players", "9", "--save"], "Dominion is for 2 to 6 players, not 9."),
            (["--sets", "bsae", "--save"], "unknown set 'bsae'; did you mean base?"),
            (["--want", "village=11", "--save"], "village"),
        ],
    )
    def test_nothing_is_saved_after_an_error(self, args: list[str], error: str) -> None:
        result = run(*args)
        assert result.exit_code != 0 and error in result.stderr
        assert not os.path.exists(defaults.get_path())

    def test_saving_with_a_typed_profile_is_refused(self, file: Path) -> None:
        file.write_text(COMMENTED, encoding="utf-8")
        result = run("--profile", "family", "--players", "5", "--save")
        assert result.exit_code == 2 and "use --save=family" in result.stderr
        assert file.read_text(encoding="utf-8") == COMMENTED

    def test_option_before_a_command_is_refused(self) -> None:
        assert "--save can't be used before sets" in run("--save", "--", "sets").stderr

    def test_file_of_the_command_line_is_changed(self, tmp_path: Path) -> None:
        club = tmp_path / "club.toml"
        club.write_text("players = 3\n", encoding="utf-8")
        assert run("--config-file", str(club), "--landscapes", "1", "--save").exit_code == 0
        assert club.read_text(encoding="utf-8") == "players = 3\nlandscapes = 1\n"
        assert not os.path.exists(defaults.get_path()) or defaults.get_path() == str(club)


class TestCommands:
    def test_values_are_set_added_removed_and_unset(self) -> None:
        assert change("set", "players", "4") == f"Saved in {defaults.get_path()}: players = 4\n"
        change("set", "colony", "no")
        change("set", "landscapes_from", "deck")
        change("add", "without", "rebuild,witch")
        change("add", "without", "Witch", "young witch")
        assert read() == {
            "players": 4,
            "colony": False,
            "landscapes-from": "deck",
            "without": ["rebuild", "witch", "young witch"],
        }
        change("remove", "without", "REBUILD", "Young-Witch")
        change("unset", "colony", "landscapes-from")
        assert read() == {"players": 4, "without": ["witch"]}
        assert change("remove", "without", "witch") == f"Removed from {defaults.get_path()}: without\n"
        assert read() == {"players": 4}

    def test_profile_is_changed_and_removed_when_it_is_empty(self) -> None:
        change("set", "--profile", "family", "players", "4")
        change("add", "sets", "base", "empires", "--profile=family")
        assert read() == {"profiles": {"family": {"players": 4, "sets": ["base", "empires"]}}}
        change("set", "profile", "family")
        assert json.loads(run("--json").stdout)["players"] == 4
        change("unset", "profile")
        change("unset", "--profile", "family", "players", "sets")
        assert read() == {}

    def test_addition_to_a_profile_starts_from_the_values_outside_it(self) -> None:
        change("add", "without", "witch")
        change("add", "without", "moat", "--profile", "family")
        assert read() == {"without": ["witch"], "profiles": {"family": {"without": ["witch", "moat"]}}}

    def test_selected_profile_is_not_changed_unless_typed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DOMINION_SETUP_PROFILE", "family")
        change("set", "players", "4")
        assert read() == {"players": 4}

    def test_user_learns_that_the_selected_profile_overrides_a_change(self, file: Path) -> None:
        file.write_text('profile = "family"\n' + COMMENTED.replace("players = 3", "colony = true"))
        hint = "The selected profile family still overrides players.\n"
        assert run("config", "set", "players", "5").stderr == hint
        assert run("--players", "3", "--colony", "--save").stderr.startswith(hint)
        assert change("set", "players", "2", "--profile", "family")
        assert change("set", "landscapes", "0")

    def test_comments_order_and_spelling_are_kept(self, file: Path) -> None:
        file.write_text(COMMENTED, encoding="utf-8")
        change("set", "players", "2")
        change("add", "sets", "nocturne")
        change("remove", "sets", "empires")
        change("set", "landscapes", "1")
        change("add", "without", "witch", "--profile", "family")
        assert file.read_text(encoding="utf-8") == COMMENTED.replace("players = 3", "players = 2").replace(
            '  "empires",\n', '  "nocturne",\n'
        ).replace("usual\n", "usual\nlandscapes = 1\n").replace('"attack"', '["attack", "witch"]')

    def test_names_of_options_are_completed(self) -> None:
        assert bash("dominion-setup config set pl") == ["players"]
        assert bash("dominion-setup config unset landscapes") == ["landscapes", "landscapes-from"]

    def test_path_is_printed(self) -> None:
        assert run("config", "path").stdout == f"{defaults.get_path()}\n"

    @pytest.mark.parametrize(
        ("args", "error"),
        [
            ("set plyers 4", "'plyers' can't have a default, but players can."),
            (
                "set seed 4",
                "'seed' can't have a default (`dominion-setup config` lists the options that can).",
            ),
            ("set profiles x", "'profiles' can't have a default"),
            ("set players many", "players = 'many' must be a whole number."),
            ("set players 9", "Dominion is for 2 to 6 players, not 9."),
            ("set players 3 4", "--players was given 2 times, but takes only one value."),
            ("set colony maybe", "colony = 'maybe' must be true or false."),
            ("set sort nam", "sort = 'nam' must be box, cost, name or dealt."),
            ("set lang tlh", "lang = 'tlh' must be en, "),
            ("set game chess", "game = 'chess' must be dominion or pergamemnon."),
            ("set sets bsae", "unknown set 'bsae'; did you mean base?"),
            ("set sets ,", "--sets can't be empty."),
            ("add without wtich", "did you mean witch"),
            ("set want vilage", "did you mean village"),
            ("set weight attack", "attack"),
            ("set ways 3", "--ways 3 can't be more than --landscapes 2."),
            ("set cards nowhere.yaml", "nowhere.yaml: No such file or directory"),
            ("set profile famly", "unknown profile 'famly'"),
            (
                "add players 4",
                "players is not a list; lists are sets, with, without, want, weight, cards and swap.",
            ),
            ("remove without witch", "unknown value 'witch'; did you mean witches?"),
            ("remove sets base", "sets is not set in "),
            ("unset colony", "colony is not set in "),
            ("unset wishes", "name the wish"),
            ("unset players --profile famly", "unknown profile 'famly'"),
            ("frobnicate", "No such command 'frobnicate'."),
            ("set players", "Missing argument"),
        ],
    )
    def test_invalid_change_is_refused_in_one_line(self, file: Path, args: str, error: str) -> None:
        content = 'players = 2\nwithout = ["witches"]\n[wishes]\nx = "attack"\n'
        file.write_text(content if "remove" in args else content.replace("witches", "chapel"))
        before = file.read_bytes()
        result = run("config", *args.split())
        assert (result.exit_code, result.stdout) == (2, "")
        assert error in result.stderr and result.stderr.count("Error: ") == 1
        assert file.read_bytes() == before

    @pytest.mark.parametrize("content", ["profiles = 5\n", "[profiles]\nfamily = 3\n"])
    def test_malformed_profile_is_refused(self, file: Path, content: str) -> None:
        file.write_text(content, encoding="utf-8")
        result = run("config", "set", "players", "4", "--profile", "family")
        assert result.exit_code == 2
        assert result.stderr.startswith(f"Error: {file}: profiles.family is not written as a table;")
        assert file.read_text(encoding="utf-8") == content

    def test_valid_change_is_possible_beside_faults(self, file: Path) -> None:
        file.write_text('sets = "bsae"\ncolour = "red"\nwithout = ["xyzzy"]\n', encoding="utf-8")
        change("set", "players", "4")
        change("set", "sets", "base")
        change("unset", "colour")
        change("remove", "without", "xyzzy")
        assert read() == {"sets": ["base"], "players": 4}

    def test_values_that_only_fit_together_are_checked_together(self) -> None:
        change("set", "landscapes", "3")
        change("set", "ways", "3")
        change("set", "colony", "yes")
        assert "use either --colony or --colony-by" in run("config", "set", "colony-by", "random-card").stderr
        assert "colony_by" not in read()

    def test_boxes_of_the_default_game_do_not_prevent_another_game(self) -> None:
        change("set", "sets", "base", "empires")
        change("set", "game", "pergamemnon")
        assert json.loads(run("--json").stdout)["game"] == "pergamemnon"

    def test_named_wish_can_be_a_default(self, file: Path) -> None:
        file.write_text('[wishes]\nquick = "trashing"\n', encoding="utf-8")
        change("set", "want", "quick")
        assert read()["want"] == ["quick"]

    def test_messages_are_japanese(self) -> None:
        assert run("config", "set", "players", "4", "--lang", "ja").stdout.endswith(
            "に保存しました: players = 4\n"
        )
        assert "は config.toml" not in run("config", "unset", "lang", "--lang", "ja").stderr
        assert "にありません。" in run("config", "unset", "lang", "--lang", "ja").stderr

    def test_control_characters_are_escaped(self) -> None:
        output = change("set", "players", "4", "--profile", "a\x1b[31m")
        assert "\x1b" not in output and list(read()["profiles"]) == ["a\x1b[31m"]
        assert "\x1b" not in Path(defaults.get_path()).read_text(encoding="utf-8")


class TestFiles:
    @pytest.mark.parametrize("args", [["config", "set", "players", "4"], ["--players", "4", "--save"]])
    def test_file_with_a_syntax_error_is_reported_and_kept(self, file: Path, args: list[str]) -> None:
        content = 'players = 3\nsets = "base\n'
        file.write_text(content, encoding="utf-8")
        result = run(*args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: {file}: line 2: a quotation mark is missing\n"
        assert file.read_text(encoding="utf-8") == content

    def test_symbolic_link_and_permissions_are_kept(self, file: Path, tmp_path: Path) -> None:
        target = tmp_path / "dotfiles.toml"
        target.write_text("players = 3\n", encoding="utf-8")
        target.chmod(0o640)
        file.symlink_to(target)
        change("set", "players", "4")
        assert file.is_symlink() and target.read_text(encoding="utf-8") == "players = 4\n"
        assert target.stat().st_mode & 0o777 == 0o640

    def test_new_file_is_private(self) -> None:
        change("set", "players", "4")
        assert Path(defaults.get_path()).stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("path", [os.devnull, "/"])
    def test_device_or_folder_is_not_replaced(self, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
        # The test must not damage the computer, even if the check is missing.
        monkeypatch.setattr(defaults_writer, "write_atomically", lambda *args: pytest.fail("written"))
        result = run("config", "set", "players", "4", "--config-file", path)
        assert result.exit_code == 2 and result.stderr.count("\n") == 1
        assert not os.path.exists(f"{path}.lock")

    @pytest.mark.parametrize("args", [["set", "players", "4"], ["edit"]], ids=lambda args: args[0])
    def test_full_disk_leaves_the_old_file_and_one_line(self, file: Path, args: list[str]) -> None:
        content = f"# {'x' * 3000}\nplayers = 3\n"
        file.write_text(content, encoding="utf-8")
        run("--count", "1")  # This fills the cache.
        done = subprocess.run(
            [sys.executable, "-m", "randomizer", "config", *args],
            cwd=TESTS_DIR.parent,
            env={**os.environ, **NO_BYTECODE, "VISUAL": "true"},
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
        )
        assert (done.returncode, done.stdout) == (1, "")
        name = "edited-.*" if args == ["edit"] else file.name
        assert re.fullmatch(f"Error: {file.parent}/{name}: File too large\n", done.stderr)
        assert file.read_text(encoding="utf-8") == content
        assert {each.name for each in file.parent.iterdir()} <= {file.name, f"{file.name}.lock"}

    def test_deals_do_not_import_tomlkit(self) -> None:
        change("set", "players", "4")
        code = "import sys; from randomizer.__main__ import main\n"
        code += "try: main()\nfinally: print('tomlkit' in sys.modules)"
        env = {key: os.environ[key] for key in ("PATH", *XDG_VARIABLES)}
        for args, is_imported in (
            (["--format", "line"], False),
            (["config"], False),
            (["config", "unset", "players"], True),
        ):
            command = [sys.executable, "-c", code, *args]
            done = subprocess.run(command, cwd=TESTS_DIR.parent, env=env, capture_output=True, text=True)
            assert done.stdout.splitlines()[-1] == str(is_imported), (args, done.stderr)


class TestEdit:
    @pytest.fixture
    def set_editor(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
        """A function that makes a Python statement the user's editor. In it, `p` is the path of the file."""

        def set_editor(statement: str) -> None:
            code = f"import pathlib, sys; p = pathlib.Path(sys.argv[1]); {statement}"
            monkeypatch.setenv("VISUAL", shlex.join([sys.executable, "-c", code]))

        return set_editor

    def test_valid_text_replaces_the_file(self, file: Path, set_editor: Any) -> None:
        file.write_text("players = 3\n", encoding="utf-8")
        file.chmod(0o644)
        set_editor('p.write_text(p.read_text() + \'want = "quick"\\n[wishes]\\nquick = "trashing"\\n\')')
        assert change("edit") == f"Saved in {file}.\n"
        assert read() == {"players": 3, "want": "quick", "wishes": {"quick": "trashing"}}
        assert file.stat().st_mode & 0o777 == 0o644
        assert {each.name for each in file.parent.iterdir()} == {"config.toml", "config.toml.lock"}

    def test_new_file_starts_with_an_example(self, set_editor: Any) -> None:
        set_editor("p.write_text(p.read_text().replace('# players', 'players'))")
        change("edit")
        assert read() == {"players": 4}

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("players = ", "line 1: Invalid value"),
            ("plyers = 3", "'plyers' can't have a default, but players can."),
            ("[profiles.x]\nplayers = 'many'", "profiles.x.players = 'many' must be a whole number."),
            ("[profiles.x]\nsets = 'bsae'", "unknown set 'bsae'; did you mean base?"),
            ("players = 9", "Dominion is for 2 to 6 players, not 9."),
            ("want = 'quick'\n[wishes]\nquik = 'trashing'", "'quick'"),
        ],
    )
    def test_text_with_a_fault_is_kept_and_named(
        self, file: Path, set_editor: Any, text: str, error: str
    ) -> None:
        file.write_text("players = 3\n", encoding="utf-8")
        set_editor(f"p.write_text({text!r})")
        result = run("config", "edit")
        assert (result.exit_code, result.stdout) == (2, "") and error in result.stderr
        assert file.read_text(encoding="utf-8") == "players = 3\n"
        (draft,) = file.parent.glob("edited-*.toml")
        assert f"Your text is kept in {draft}.\n" in result.stderr
        assert draft.read_text(encoding="utf-8") == text

    def test_change_by_another_program_is_not_overwritten(self, file: Path, set_editor: Any) -> None:
        set_editor(f"p.write_text('players = 3'); pathlib.Path({str(file)!r}).write_text('players = 5')")
        result = run("config", "edit")
        assert result.exit_code == 2 and f"{file} has changed in the meantime." in result.stderr
        assert read() == {"players": 5}
        (draft,) = file.parent.glob("edited-*.toml")
        assert draft.read_text(encoding="utf-8") == "players = 3"

    def test_failed_editor_leaves_nothing(self, file: Path, set_editor: Any) -> None:
        set_editor("sys.exit(3)")
        result = run("config", "edit")
        assert result.exit_code == 2 and result.stderr.count("\n") == 1
        assert "Editing failed; choose another editor" in result.stderr
        assert "他のエディターを環境変数 EDITOR で" in run("config", "edit", "--lang", "ja").stderr
        assert list(file.parent.iterdir()) == []

    def test_user_of_a_terminal_may_edit_again(
        self, file: Path, set_editor: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(screen, "is_terminal", lambda stream: True)
        set_editor("p.write_text('players = 5' if 'many' in p.read_text() else 'players = many')")
        result = run("config", "edit", input="y\n")
        assert (
            result.exit_code == 0
            and "text needs quotes" in result.stderr
            and "Edit it again?" in result.stderr
        )
        assert read() == {"players": 5}


class TestNamedWishes:
    def test_wish_is_named_changed_used_and_removed(self) -> None:
        assert change("set", "wishes.quick", "trashing", "cost:-4=5-") == (
            f'Saved in {defaults.get_path()}: wishes.quick = ["trashing", "cost:-4=5-"]\n'
        )
        change("add", "wishes.quick", "village,trashing")
        assert read() == {"wishes": {"quick": ["trashing", "cost:-4=5-", "village"]}}
        change("remove", "wishes.quick", "cost:-4=5-")
        setup = json.loads(run("--want", "quick", "--json").stdout)
        assert setup["options"]["want"] == ["trashing", "village"]
        assert "wishes.quick" in run("config").stdout
        assert json.loads(run("config", "--json").stdout)["wishes"] == {"quick": ["trashing", "village"]}
        change("set", "wishes.静かな夜", "アタック=0")
        quiet = json.loads(run("--want", "静かな夜", "--json").stdout)
        assert quiet["options"]["want"] == ["attack=0"]
        change("unset", "wishes.quick", "wishes.静かな夜")
        assert read() == {}

    def test_comments_and_other_tables_stay(self, file: Path) -> None:
        file.write_text(COMMENTED, encoding="utf-8")
        change("set", "wishes.peace", "attack=0")
        assert file.read_text(encoding="utf-8") == COMMENTED + '\n[wishes]\npeace = ["attack=0"]\n'
        written = '[wishes]  # ours\n# quiet\npeace = "attack=0"\n\n[profiles.duel]\nplayers = 2\n'
        file.write_text(written, encoding="utf-8")
        change("set", "wishes.quick-game", "trashing")
        change("set", "players", "3")
        text = file.read_text(encoding="utf-8")
        assert text == "players = 3\n\n" + written.replace('=0"\n', '=0"\nquick-game = ["trashing"]\n')

    @pytest.mark.parametrize(
        "written",
        [
            "wishes = {peace = 'attack=0'}\n",
            "wishes.peace = 'attack=0'\n",
            "wishes.peace = 'attack=0'\nplayers = 3\nwishes.x = 'moat'\n",
        ],
    )
    def test_other_spellings_of_the_table_are_changed(self, file: Path, written: str) -> None:
        file.write_text(written, encoding="utf-8")
        change("set", "wishes.quick", "trashing")
        change("unset", "wishes.peace")
        assert read()["wishes"].pop("quick") == ["trashing"]
        assert "peace" not in read()["wishes"]
        assert read().get("players") == tomllib.loads(written).get("players")

    @pytest.mark.parametrize(
        ("args", "error"),
        [
            (["set", "wishes.witch", "moat"], "the name already has another meaning"),
            (["set", "wishes.x", "foo=1"], "wish 'x': unknown card, set or type 'foo'; did you mean"),
            (["set", "wishes.x", ","], "wishes.x can't be empty."),
            (["set", "wishes", "moat"], "name the wish, as in `dominion-setup config set wishes.quick"),
            (["set", "wishes.", "moat", "--lang", "ja"], "希望に名前をつけてください"),
            (["set", "wishes.x", "moat", "--profile", "family"], "named wishes belong to no profile"),
            (["unset", "wishes.x", "players"], "change them by a command of their own."),
            (["unset", "wishes.x"], "x is not set in"),
            (["remove", "wishes.x", "moat"], "x is not set in"),
        ],
    )
    def test_refused_change_leaves_the_file(self, file: Path, args: list[str], error: str) -> None:
        file.write_text(COMMENTED, encoding="utf-8")
        result = run("config", *args)
        assert result.exit_code == 2 and error in result.stderr and result.stderr.count("\n") == 1
        assert file.read_text(encoding="utf-8") == COMMENTED

    def test_table_that_is_a_value_is_not_overwritten(self, file: Path) -> None:
        file.write_text("wishes = 3\n", encoding="utf-8")
        result = run("config", "set", "wishes.quick", "trashing")
        assert result.exit_code == 2 and "wishes is not written as a table" in result.stderr
        assert file.read_text(encoding="utf-8") == "wishes = 3\n"


class TestEncoding:
    @pytest.mark.parametrize(
        ("content", "line"), [('sets = "base"\n# café\n'.encode("latin-1"), 2), ("x".encode("utf-16"), 1)]
    )
    def test_other_encoding_is_reported_with_line_and_remedy(
        self, file: Path, content: bytes, line: int
    ) -> None:
        file.write_bytes(content)
        fault = f"line {line} is not UTF-8; open the file in an editor and save it as UTF-8"
        for args in ([], ["config", "set", "players", "3"], ["--config-file", str(file)]):
            result = run(*args)
            assert result.exit_code == 2 and fault in result.stderr and result.stderr.count("\n") == 1
        assert f"{line}行目がUTF-8ではありません" in run("--lang", "ja").stderr
        assert file.read_bytes() == content

    def test_byte_order_mark_is_accepted(self, file: Path) -> None:
        file.write_text("players = 3\n", encoding="utf-8-sig")
        change("set", "lang", "ja")
        assert read() == {"players": 3, "lang": "ja"}

    def test_data_file_in_another_encoding_is_reported(self, tmp_path: Path) -> None:
        path = tmp_path / "own.yaml"
        path.write_bytes("sets: {yard: Café}".encode("latin-1"))
        for lang, fault in (("en", "own.yaml: line 1 is not UTF-8"), ("ja", "own.yaml: 1行目がUTF-8")):
            result = run("--cards", str(path), "--lang", lang)
            assert result.exit_code == 2 and fault in result.stderr


class TestOptionsBeforeTheCommand:
    def test_profile_before_config_is_created_and_changed(self) -> None:
        for args in (["set", "players", "4"], ["add", "without", "witch"]):
            assert run("--profile", "family", "config", *args).exit_code == 0
        assert read() == {"profiles": {"family": {"players": 4, "without": ["witch"]}}}
        assert run("--profile=family", "config", "unset", "players").exit_code == 0
        assert "profile family" in run("--lang", "en", "--profile", "family", "config").stdout

    def test_named_file_before_config_is_changed(self, tmp_path: Path) -> None:
        path = tmp_path / "club.toml"
        path.write_text("players = 3\n", encoding="utf-8")
        assert run("--config-file", str(path), "config", "set", "players", "5").exit_code == 0
        assert path.read_text(encoding="utf-8") == "players = 5\n"

    @pytest.mark.parametrize(
        "options", [["--sets", "base"], ["-s", "base"], ["--players=3"], ["--landscapes", "1"]]
    )
    def test_option_of_a_deal_is_refused_with_the_place_of_its_own(self, options: list[str]) -> None:
        result = run(*options, "config", "set", "players", "4")
        assert result.exit_code == 2 and "can't be used before config" in result.stderr
        assert not os.path.exists(defaults.get_path())


class TestHint:
    HINT = "To deal from your own boxes every time, add --save once"

    @pytest.fixture
    def on_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(screen, "is_terminal", lambda stream: True)

    @pytest.mark.usefixtures("on_terminal")
    def test_first_deal_explains_once_how_to_save_boxes(self) -> None:
        for args in (["--json"], ["--format", "line"], ["--count", "2"], ["sets"]):
            assert self.HINT not in run(*args).output
        assert self.HINT in run().stderr
        assert self.HINT not in run().output

    @pytest.mark.usefixtures("on_terminal")
    def test_user_with_defaults_sees_no_hint(self) -> None:
        change("set", "players", "4")
        assert self.HINT not in run().output

    @pytest.mark.usefixtures("on_terminal")
    def test_hint_is_not_repeated_if_it_cannot_be_noted(self, folders: Path) -> None:
        (folders / "XDG_STATE_HOME").write_text("not a folder")
        assert self.HINT not in run().output

    def test_pipe_gets_no_hint(self) -> None:
        assert self.HINT not in run().output
