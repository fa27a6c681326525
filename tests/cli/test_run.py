"""Many deals from one seed."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from randomizer.load import languages
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


SEVERAL = "documents, a line each; take one of them with --line N."


class TestDocumentsALineEach:
    """`show`, the second deal and `rules --for` take one of them, and say so."""

    COMMANDS = (["show", "-"], ["divine-wind", "-"], ["rules", "--for", "-"])
    ENCODINGS = ("utf-8", "utf-8-sig", "utf-16")

    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_which_of_them_has_to_be_said(self, command: list[str], encoding: str) -> None:
        text = "\n".join(many(3, "--json")) + "\n"
        result = run(*command, input=text.encode(encoding))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: what was piped in has 3 {SEVERAL}\n"

    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_one_of_them(self, encoding: str) -> None:
        lines = many(3, "--json")
        text = "\r\n".join(["", *lines]).encode(encoding)
        for number, line in enumerate(lines, 1):
            seed = json.loads(line)["seed"]
            whole = run(*ALL, "--seed", seed, "--json").stdout
            assert run("show", "-", "--line", str(number), "--json", input=text).stdout == whole
            if self.ENCODINGS[number - 1] == encoding:  # whoever reads it reads it alike
                rules = run("rules", "--for", "-", "--line", str(number), input=text).stdout
                assert rules == run("rules", "--for", "-", input=whole).stdout

    @pytest.mark.parametrize("number", ["4", "0", "-1", "x", "99999999999999999999"])
    def test_a_line_that_is_not_there(self, number: str) -> None:
        result = run("show", "-", "--line", number, input="\n".join(many(3, "--json")))
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1

    def test_one_line_is_a_document(self) -> None:
        (line,) = many(1, "--json")
        assert run("show", "-", input=line).stdout == run("show", "-", "--line", "1", input=line).stdout

    def test_a_document_on_several_lines_is_one(self) -> None:
        whole = run(*ALL, "--seed", "x", "--json").stdout
        assert run("show", "-", "--json", input=whole).stdout == whole
        assert run("show", "-", "--line", "2", input=whole).exit_code == 2


def test_what_was_chosen_is_named() -> None:
    args = ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329"]
    setup = json.loads(run(*args, "--json").stdout)
    marked = [pile for pile in setup["piles"] if pile["marks"]]
    assert {mark for pile in marked for mark in pile["marks"]} == {"Ferryman", "Approaching Army", "Bane"}
    said = Page(setup, languages.load("en")).gist
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
    def start(self, *python: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, *python, "-m", "randomizer", *ALL, "--count", "1000000", "--json"],
            cwd=HERE.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also where it is ignored
        )

    def test_a_closed_pipe(self) -> None:
        """`| head -1` ends it at once and quietly; the first line comes long before the last is dealt."""
        with self.start() as process:
            assert process.stdout and process.stderr
            assert json.loads(process.stdout.readline())["schema"] == 1
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(timeout=60) == 0

    def test_ctrl_c(self) -> None:
        with self.start() as process:
            assert process.stdout and process.stderr
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            output, errors = process.communicate(timeout=60)
            assert errors == b""
            assert process.returncode == 130
            assert output == b"" or output.endswith(b"}\n")

    def test_ctrl_c_while_the_program_loads(self) -> None:
        code = """
import sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from randomizer.__main__ import main
main()
"""
        done = subprocess.run([sys.executable, "-c", code], cwd=HERE.parent, capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")

    @pytest.mark.parametrize("loaded", ["click.globals", "randomizer.cli.options", "randomizer.record.build"])
    def test_ctrl_c_at_any_moment(self, loaded: str) -> None:
        """Here as soon as a module has been loaded, which Python tells on request."""
        with self.start("-X", "importtime") as process:
            assert process.stdout and process.stderr
            assert any(line.endswith(f" {loaded}\n".encode()) for line in process.stderr)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            told = [line for line in errors.splitlines() if not line.startswith(b"import time:")]
            assert (process.returncode, told) == (130, [])

    def test_a_full_disk(self) -> None:
        if not os.path.exists("/dev/full"):
            pytest.skip("no such device here")
        for args in (["--seed", "1"], ["--help"], ["rules", "reserve"], ["--count", "20", "--json"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [sys.executable, "-m", "randomizer", *args],
                    cwd=HERE.parent,
                    stdout=full,
                    stderr=subprocess.PIPE,
                )
            assert (done.returncode, done.stderr) == (1, b"Error: cannot print: No space left on device\n")

    @pytest.mark.parametrize("args", ["--seed 1", "--help", "rules reserve", "schema", "cards"])
    def test_standard_output_that_is_closed_is_an_error(self, args: str) -> None:
        command = f"{sys.executable} -m randomizer {args} >&-"
        done = subprocess.run(command, shell=True, cwd=HERE.parent, capture_output=True)
        assert done.returncode == 1
        assert done.stderr == b"Error: cannot print: standard output is closed.\n"

    @pytest.mark.parametrize("args", ["--count 300", "--help", "rules --list", "schema", "cards"])
    def test_a_reader_that_stops_is_no_error(self, args: str) -> None:
        command = f"bash -c '{sys.executable} -m randomizer {args} | true; exit ${{PIPESTATUS[0]}}'"
        done = subprocess.run(command, shell=True, cwd=HERE.parent, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
