"""Completion: with the environment variables of bash, zsh and fish, and in the shells that are installed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import TESTS_DIR, run

PROGRAM = "from randomizer.__main__ import main; import sys; sys.argv[0] = 'dominion-setup'; main()"


def run_completion(env: dict[str, str]) -> str:
    """Return the output of the program for a shell."""
    done = run(env=env)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def bash(line: str) -> list[str]:
    """Return the completions in bash, to which `=` is a word."""
    words = line.replace("=", " = ").split(" ") if "=" in line else line.split(" ")
    words = [word for word in words[:-1] if word] + words[-1:]
    env = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    text = run_completion({"_DOMINION_SETUP_COMPLETE": "bash_complete", **env})
    return [item.partition(",")[2].partition("\t")[0] for item in text.splitlines() if item]


def zsh(line: str) -> list[str]:
    """Return the completions in zsh."""
    words = line.split(" ")
    env = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return run_completion({"_DOMINION_SETUP_COMPLETE": "zsh_complete", **env}).splitlines()[1::3]


def fish(line: str) -> list[str]:
    """Return the completions in fish."""
    env = {"COMP_WORDS": line, "COMP_CWORD": line.split(" ")[-1]}
    text = run_completion({"_DOMINION_SETUP_COMPLETE": "fish_complete", **env})
    return [item.partition(",")[2].partition("\t")[0] for item in text.splitlines() if item]


@pytest.mark.parametrize("complete", [bash, zsh, fish], ids=lambda shell: shell.__name__)
@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("dominion-setup --sets adv", "adventures"),
        ("dominion-setup --sets Adv", "adventures"),
        ("dominion-setup --sets base,ri", "base,rising-sun"),
        ("dominion-setup -s base,Ri", "base,rising-sun"),
        ("dominion-setup --kingdom first-g", "first-game-2"),
        ("dominion-setup --kingdom witch,mo", "witch,moat"),
        ("dominion-setup --kingdom an", "any"),
        ("dominion-setup kingdoms deck-", "deck-top"),
        ("dominion-setup kingdoms ren", "rename"),
        ("dominion-setup --like deck-", "deck-top"),
        ("dominion-setup --swap you", "young-witch"),
        ("dominion-setup swap 魔女", "魔女娘"),
        ("dominion-setup cards you", "young-witch"),
        ("dominion-setup cards You", "young-witch"),
        ("dominion-setup cards 魔女", "魔女娘"),
        ("dominion-setup cards atta", "attack"),
        ("dominion-setup cards --type res", "reserve"),
        ("dominion-setup cards --type リザ", "リザーブ"),
        ("dominion-setup cards --kind ev", "event"),
        ("dominion-setup cards --does thr", "throne"),
        ("dominion-setup cards --does village,追加購", "village,追加購入"),
        ("dominion-setup cards --set adv", "adventures"),
        ("dominion-setup odds you", "young-witch"),
        ("dominion-setup odds young-witch,War", "young-witch,warrior"),
        ("dominion-setup odds --sets base,adv", "base,adventures"),
        ("dominion-setup rules res", "reserve"),
        ("dominion-setup rules 呼び", "呼び出し"),
        ("dominion-setup --game p", "pergamemnon"),
        ("dominion-setup rules --game ar", "arkham"),
        ("dominion-setup ru", "rules"),
        ("dominion-setup completion z", "zsh"),
        ("dominion-setup --lang j", "ja"),
        ("dominion-setup cards --lang j", "ja"),
        ("dominion-setup --she", "--shelters"),
        ("dominion-setup --format j", "json"),
        ("dominion-setup sets --no-p", "--no-pager"),
    ],
)
def test_completion_contains_the_name(complete: Callable[[str], list[str]], line: str, item: str) -> None:
    assert item in complete(line)


@pytest.mark.parametrize("complete", [zsh, fish], ids=lambda shell: shell.__name__)
def test_swap_completes_its_second_card(complete: Callable[[str], list[str]]) -> None:
    assert "witch=moat" in complete("dominion-setup --swap witch=mo")
    assert "witch=moat" in complete("dominion-setup swap witch=mo")


@pytest.mark.parametrize(
    ("word", "item"),
    [
        ("--sets=adv", "adventures"),
        ("--sets=base,adv", "base,adventures"),
        ("--landscapes-from=d", "deck"),
        ("--lang=", "ja"),
    ],
)
def test_value_after_equals_sign_is_completed(word: str, item: str) -> None:
    """Bash replaces the word after `=`, the other shells the option too."""
    line, option = f"dominion-setup {word}", word.partition("=")[0]
    assert item in bash(line)
    assert f"{option}={item}" in zsh(line)
    assert f"{option}={item}" in fish(line)


@pytest.mark.parametrize("complete", [bash, zsh, fish], ids=lambda shell: shell.__name__)
def test_recent_tables_and_their_cards_are_completed(
    complete: Callable[[str], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    assert complete("dominion-setup show 1") == ["1"]  # The shell completes the name of a file.
    run("--sets", "base", "--with", "throne-room", "--veto", "2", "--seed", "old")
    run("--sets", "seaside", "--seed", "new")
    for command in ("show ", "played ", "rules --for ", "veto --for "):
        assert complete(f"dominion-setup {command}")[:2] == ["1", "2"]
    assert complete("dominion-setup veto --for 2 thr") == ["throne-room"]
    assert complete("dominion-setup veto --for 2 sea") == []
    assert "throne-room" in complete("dominion-setup veto --for 2 ")
    assert complete("dominion-setup veto --for 2 throne-room,玉") == ["throne-room,玉座の間"]
    assert "sea-witch" in complete("dominion-setup veto sea")  # The veto of this table is not open.
    run("kingdoms", "save", "Ann's best")
    assert (
        complete("dominion-setup --kingdom anns") == complete("dominion-setup --like anns") == ["anns-best"]
    )
    for action in ("forget", "rename"):
        assert complete(f"dominion-setup kingdoms {action} ") == ["anns-best"]
    assert not complete("dominion-setup kingdoms forget first-g")


def test_numbers_of_tables_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    run("--sets", "base,seaside", "--seed", "new")
    env = {"COMP_WORDS": "dominion-setup show ", "COMP_CWORD": "2"}
    assert (
        run_completion({"_DOMINION_SETUP_COMPLETE": "zsh_complete", **env})
        .splitlines()[2]
        .endswith(" · Base 2E · Seaside 2E · new")
    )


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("config set pla", "players"),
        ("config unset wishes.q", "wishes.quick"),
        ("config add without wit", "witch"),
        ("config set sets base,adv", "base,adventures"),
        ("config set lang j", "ja"),
        ("--profile fam config set pla", "players"),
        ("--profile f", "family"),
        ("config set players 4 --profile f", "family"),
        ("--want qui", "quick"),
    ],
)
def test_configuration_is_completed(
    line: str, item: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    run("config", "set", "wishes.quick", "trashing")
    run("config", "set", "players", "4", "--profile", "family")
    assert item in bash(f"dominion-setup {line}")


@pytest.mark.parametrize(
    "line", ["dominion-setup --game chess --sets ba", "dominion-setup --cards nowhere.yaml --sets ba"]
)
def test_error_elsewhere_on_the_line_is_not_printed(line: str) -> None:
    assert bash(line) == []


@pytest.mark.parametrize("typed", ["a\x1b[31m,", "base\x07,", "\u202e,", "\x9b,"])
def test_unprintable_names_are_left_out(typed: str) -> None:
    assert bash(f"dominion-setup --sets {typed}ad") == []


@pytest.mark.parametrize("path", ["/dev/zero", "nowhere.yaml", "."])
def test_unreadable_file_prints_no_error(path: str) -> None:
    assert bash(f"dominion-setup --cards {path} --sets adv") in ([], ["adventures"])


def test_sets_of_the_users_files_are_completed(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(
        "game: dominion\nsets: {garden-party: Garden Party}\n"
        "boxes: [{slug: garden-party, name: Garden Party, holds: [garden-party], year: 2026}]\n"
        "cards: [{name: Topiary, set: garden-party, cost: 3, types: [Action]}]\n",
        encoding="utf-8",
    )
    assert bash(f"dominion-setup --cards {file} --sets gard") == ["garden-party"]
    assert bash(f"dominion-setup cards --cards {file} topi") == ["topiary"]


def test_cards_accepts_a_slug() -> None:
    assert "Young Witch" in run("cards", "young-witch").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_command_prints_the_script_of_click(shell: str) -> None:
    assert run("completion", shell).stdout == run_completion({"_DOMINION_SETUP_COMPLETE": f"{shell}_source"})


def test_script_completes_the_name_under_which_the_program_runs() -> None:
    program = PROGRAM.replace("dominion-setup", "dominion-setup.pyz")
    command = [sys.executable, "-c", program, "completion", "zsh"]
    done = subprocess.run(command, cwd=TESTS_DIR.parent, capture_output=True, text=True)
    assert done.stdout.startswith("#compdef dominion-setup.pyz\n")
    assert "_DOMINION_SETUP_PYZ_COMPLETE=zsh_complete" in done.stdout


@pytest.mark.parametrize("shell", ["tcsh", "BASH", ""])
def test_unknown_shell_is_one_line(shell: str) -> None:
    done = run("completion", shell)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"Error: there is no completion for the shell '{shell}'; use bash, zsh or fish.\n"


LINES = {
    "dominion-setup --sets adv": "adventures",
    "dominion-setup --sets base,adv": "base,adventures",
    "dominion-setup --sets=base,adv": "base,adventures",
    "dominion-setup cards You": "young-witch",
    "dominion-setup odds young-witch,warr": "young-witch,warrior",
}


@pytest.fixture
def program_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the command on the PATH."""
    command = tmp_path / "dominion-setup"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{PROGRAM}" "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(TESTS_DIR.parent))
    return tmp_path


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_completion_works_in_fish(program_folder: Path) -> None:
    for line, item in LINES.items():
        script = f"dominion-setup completion fish | source; complete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True)
        assert done.stdout.strip().removeprefix("--sets=") == item, done.stderr


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_completion_works_in_bash(program_folder: Path) -> None:
    for line, item in LINES.items():
        words = " ".join(line.replace("=", " = ").split())
        script = f"""
            eval "$(dominion-setup completion bash)"
            COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            _dominion_setup_completion dominion-setup
            echo "${{COMPREPLY[*]}}"
        """
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        assert done.stdout.strip() == item, done.stderr
