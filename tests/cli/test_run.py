"""Many deals from one seed."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from randomizer.load import languages as language
from randomizer.show.page import Page
from tests.support import HERE, named, run

ALL = ["--sets", "all", "--players", "4"]


def many(count: int, *args: str) -> list[str]:
    result = run(*ALL, "--count", str(count), "--seed", "many", *args)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout.splitlines()


def test_a_document_a_line() -> None:
    documents = [json.loads(line) for line in many(20, "--json")]
    assert [document["seed"] for document in documents] == [f"many-{n}" for n in range(1, 21)]
    assert len({str(document["turned"]) for document in documents}) == 20


def test_each_is_dealt_again_by_its_own_command() -> None:
    for line in many(5, "--json"):
        command = json.loads(line)["command"].split()
        assert json.loads(run(*command[1:], "--json").stdout) == json.loads(line)


def test_a_line_is_what_its_seed_deals() -> None:
    lines = many(30)
    assert len(lines) == 30
    for line in lines:
        seed, kingdom, *rest = line.split(" · ")
        setup = json.loads(run(*ALL, "--seed", seed, "--json").stdout)
        ten = {turned["name"] for turned in setup["turned"] if turned["use"] == "kingdom"}
        assert set(kingdom.split(", ")) == ten
        said = " · ".join(rest)
        for landscape in setup["landscapes"]:
            assert landscape["name"] in said
        for decision in setup["decisions"]:
            assert (decision["title"] in rest) == decision["answer"]


def test_what_was_chosen_is_named() -> None:
    args = ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329"]
    setup = json.loads(run(*args, "--json").stdout)
    marked = [pile for pile in setup["piles"] if pile["marks"]]
    assert {mark for pile in marked for mark in pile["marks"]} == {"Ferryman", "Approaching Army", "Bane"}
    said = Page(setup, language.load("en")).gist
    assert [f"{pile['marks'][0]}: {pile['name']}" in said for pile in marked] == [True] * 3
    assert "Prophecy: Approaching Army" in said
    assert f"Riverboat: {named(setup['set_aside'], 'Journeyman')['name']}" in said


def test_in_japanese_and_sorted() -> None:
    assert "王国" not in many(1, "--lang", "ja")[0]
    by_name = many(1, "--sort", "name")[0].split(" · ")[1].split(", ")
    assert by_name == sorted(by_name)


def test_another_game_too() -> None:
    lines = run("--game", "pergamemnon", "--players", "3", "--count", "4", "--seed", "x").stdout.splitlines()
    assert [line.split(" · ")[0] for line in lines] == ["x-1", "x-2", "x-3", "x-4"]
    assert all(line.count(", ") == 2 for line in lines)


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_numbers_that_are_none(count: str) -> None:
    assert run("--count", count).exit_code == 2


def test_too_few_cards_are_told_as_ever() -> None:
    result = run("--sets", "envoy", "--count", "5")
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe that closes and Ctrl-C are others there")
class TestEnding:
    COMMAND = (sys.executable, "-m", "randomizer", *ALL, "--count", "1000000", "--json")

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.COMMAND, cwd=HERE.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
        )

    def test_a_closed_pipe(self) -> None:
        """`| head -1` ends it at once and quietly; the first line comes long before the last is dealt."""
        with self.start() as process:
            assert process.stdout and process.stderr
            assert json.loads(process.stdout.readline())["schema"] == 1
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(timeout=20) in (0, 1)

    def test_ctrl_c(self) -> None:
        with self.start() as process:
            assert process.stdout and process.stderr
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            output, errors = process.communicate(timeout=20)
            assert b"Traceback" not in errors
            assert process.returncode == 1
            assert output == b"" or output.endswith(b"}\n")
