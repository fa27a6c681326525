"""What a shell offers after TAB: asked the way that bash, zsh and fish ask, and in those that are here."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import HERE, run

PROGRAM = "from randomizer.__main__ import main; import sys; sys.argv[0] = 'dominion-setup'; main()"


def answered(env: dict[str, str]) -> str:
    """What the program tells a shell."""
    done = run(env=env)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


def bash(line: str) -> list[str]:
    """Bash takes `=` for a word of its own."""
    words = line.replace("=", " = ").split(" ") if "=" in line else line.split(" ")
    words = [word for word in words[:-1] if word] + words[-1:]
    env = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    text = answered({"_DOMINION_SETUP_COMPLETE": "bash_complete", **env})
    return [item.partition(",")[2].partition("\t")[0] for item in text.splitlines() if item]


def zsh(line: str) -> list[str]:
    words = line.split(" ")
    env = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return answered({"_DOMINION_SETUP_COMPLETE": "zsh_complete", **env}).splitlines()[1::3]


def fish(line: str) -> list[str]:
    env = {"COMP_WORDS": line, "COMP_CWORD": line.split(" ")[-1]}
    text = answered({"_DOMINION_SETUP_COMPLETE": "fish_complete", **env})
    return [item.partition(",")[2].partition("\t")[0] for item in text.splitlines() if item]


@pytest.mark.parametrize("ask", [bash, zsh, fish], ids=lambda shell: shell.__name__)
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
        ("dominion-setup --lang j", "ja"),
        ("dominion-setup cards --lang j", "ja"),
        ("dominion-setup --she", "--shelters"),
        ("dominion-setup --format j", "json"),
        ("dominion-setup sets --no-p", "--no-pager"),
    ],
)
def test_offered(ask: object, line: str, item: str) -> None:
    assert callable(ask)
    assert item in ask(line)


@pytest.mark.parametrize("ask", [zsh, fish], ids=lambda shell: shell.__name__)
def test_what_comes_for_a_swap(ask: Callable[[str], list[str]]) -> None:
    assert "witch=moat" in ask("dominion-setup --swap witch=mo")
    assert "witch=moat" in ask("dominion-setup swap witch=mo")


@pytest.mark.parametrize(
    ("word", "item"),
    [
        ("--sets=adv", "adventures"),
        ("--sets=base,adv", "base,adventures"),
        ("--landscapes-from=d", "deck"),
        ("--lang=", "ja"),
    ],
)
def test_a_value_that_is_joined_to_its_option(word: str, item: str) -> None:
    """Bash replaces what comes after the `=`, the others the whole word."""
    line, option = f"dominion-setup {word}", word.partition("=")[0]
    assert item in bash(line)
    assert f"{option}={item}" in zsh(line)
    assert f"{option}={item}" in fish(line)


@pytest.mark.parametrize(
    "line", ["dominion-setup --game chess --sets ba", "dominion-setup --cards nowhere.yaml --sets ba"]
)
def test_what_is_wrong_elsewhere_on_the_line_is_not_said_now(line: str) -> None:
    assert bash(line) == []


@pytest.mark.parametrize("typed", ["a\x1b[31m,", "base\x07,", "\u202e,", "\x9b,"])
def test_nothing_that_cannot_be_seen(typed: str) -> None:
    assert bash(f"dominion-setup --sets {typed}ad") == []


@pytest.mark.parametrize("path", ["/dev/zero", "nowhere.yaml", "."])
def test_a_file_that_cannot_be_read_is_not_mentioned_now(path: str) -> None:
    assert bash(f"dominion-setup --cards {path} --sets adv") in ([], ["adventures"])


def test_sets_of_ones_own_are_offered_too(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "game: dominion\nsets: {garden-party: Garden Party}\n"
        "boxes: [{slug: garden-party, name: Garden Party, holds: [garden-party], year: 2026}]\n"
        "cards: [{name: Topiary, set: garden-party, cost: 3, types: [Action]}]\n",
        encoding="utf-8",
    )
    assert bash(f"dominion-setup --cards {own} --sets gard") == ["garden-party"]
    assert bash(f"dominion-setup cards --cards {own} topi") == ["topiary"]


def test_a_slug_is_understood() -> None:
    assert "Young Witch" in run("cards", "young-witch").stdout


LINES = {
    "dominion-setup --sets adv": "adventures",
    "dominion-setup --sets base,adv": "base,adventures",
    "dominion-setup --sets=base,adv": "base,adventures",
    "dominion-setup cards You": "young-witch",
    "dominion-setup odds young-witch,warr": "young-witch,warrior",
}


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The command, where a shell finds it."""
    command = tmp_path / "dominion-setup"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{PROGRAM}" "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(HERE.parent))
    return tmp_path


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not here")
def test_in_fish(on_path: Path) -> None:
    for line, item in LINES.items():
        script = f"_DOMINION_SETUP_COMPLETE=fish_source dominion-setup | source; complete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True)
        assert done.stdout.strip().removeprefix("--sets=") == item, done.stderr


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not here")
def test_in_bash(on_path: Path) -> None:
    for line, item in LINES.items():
        words = " ".join(line.replace("=", " = ").split())
        script = f"""
            eval "$(_DOMINION_SETUP_COMPLETE=bash_source dominion-setup)"
            COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
            _dominion_setup_completion dominion-setup
            echo "${{COMPREPLY[*]}}"
        """
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        assert done.stdout.strip() == item, done.stderr
