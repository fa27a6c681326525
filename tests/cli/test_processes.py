"""`--count`, `--line`, and the end of the program by Ctrl-C, closed pipes and full disks."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.load import languages
from randomizer.show.formats import FORMATS
from randomizer.show.page import Page
from tests.support import TESTS_DIR, find_by_name, run

ALL = ["--sets", "all", "--players", "4"]


def deal_lines(count: int, *args: str) -> list[str]:
    """Return the lines that `--count` prints."""
    result = run(*ALL, "--count", str(count), "--seed", "many", *args)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout.splitlines()


def test_count_prints_a_document_per_line() -> None:
    documents = [json.loads(line) for line in deal_lines(20, "--json")]
    assert [document["seed"] for document in documents] == [f"many-{n}" for n in range(1, 21)]
    assert len({str(document["turned"]) for document in documents}) == 20


def test_command_of_each_document_deals_it_again() -> None:
    for line in deal_lines(5, "--json"):
        command = json.loads(line)["command"].split()
        assert json.loads(run(*command[1:], "--json").stdout) == json.loads(line)


def test_line_has_the_names_of_its_setup() -> None:
    lines = deal_lines(30)
    assert len(lines) == 30
    for line in lines:
        seed, kingdom, *rest = line.split(" · ")
        setup = json.loads(run(*ALL, "--seed", seed, "--json").stdout)
        kingdom_names = {turned["name"] for turned in setup["turned"] if turned["use"] == "kingdom"}
        assert set(kingdom.split(", ")) == kingdom_names
        others = " · ".join(rest)
        for landscape in setup["landscapes"]:
            assert landscape["name"] in others
        for decision in setup["decisions"]:
            assert (decision["title"]["en"] in rest) == decision["answer"]


SEVERAL = "setups, one per line; pick one with --line N."


class TestDocumentPerLine:
    """Files with a document in each line, of which commands read one."""

    COMMANDS = (["show", "-"], ["divine-wind", "-"], ["rules", "--for", "-"])
    ENCODINGS = ("utf-8", "utf-8-sig", "utf-16")

    @pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_several_documents_without_line_are_refused(self, command: list[str], encoding: str) -> None:
        text = "\n".join(deal_lines(3, "--json")) + "\n"
        result = run(*command, input=text.encode(encoding))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"Error: standard input has 3 {SEVERAL}\n"

    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_line_selects_a_document(self, encoding: str) -> None:
        lines = deal_lines(3, "--json")
        text = "\r\n".join(["", *lines]).encode(encoding)
        for number, line in enumerate(lines, 1):
            seed = json.loads(line)["seed"]
            document = run(*ALL, "--seed", seed, "--json").stdout
            assert run("show", "-", "--line", str(number), "--json", input=text).stdout == document
            if self.ENCODINGS[number - 1] == encoding:  # Once for each line is enough.
                rules = run("rules", "--for", "-", "--line", str(number), input=text).stdout
                assert rules == run("rules", "--for", "-", input=document).stdout

    @pytest.mark.parametrize("number", ["4", "0", "-1", "x", "99999999999999999999"])
    def test_invalid_line_number_is_refused(self, number: str) -> None:
        result = run("show", "-", "--line", number, input="\n".join(deal_lines(3, "--json")))
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1

    def test_single_line_needs_no_line_number(self) -> None:
        (line,) = deal_lines(1, "--json")
        assert run("show", "-", input=line).stdout == run("show", "-", "--line", "1", input=line).stdout

    def test_document_on_several_lines_is_one_document(self) -> None:
        document = run(*ALL, "--seed", "x", "--json").stdout
        assert run("show", "-", "--json", input=document).stdout == document
        assert run("show", "-", "--line", "2", input=document).exit_code == 2


def test_line_names_chosen_cards() -> None:
    args = ["--sets", "cornucopia-guilds,rising-sun", "--players", "4", "--seed", "15329"]
    setup = json.loads(run(*args, "--json").stdout)
    marked = [pile for pile in setup["piles"] if pile["marks"]]
    assert {mark for pile in marked for mark in pile["marks"]} == {"Ferryman", "Approaching Army", "Bane"}
    gist = Page(setup, languages.load("en")).gist
    assert [f"{pile['marks'][0]}: {pile['name']}" in gist for pile in marked] == [True] * 3
    assert "Prophecy: Approaching Army" in gist
    assert f"Riverboat: {find_by_name(setup['set_aside'], 'Journeyman')['name']}" in gist


def test_line_may_be_japanese_or_sorted() -> None:
    assert "王国" not in deal_lines(1, "--lang", "ja")[0]
    by_name = deal_lines(1, "--sort", "name")[0].split(" · ")[1].split(", ")
    assert by_name == sorted(by_name)


def test_count_works_for_another_game() -> None:
    lines = run("--game", "pergamemnon", "--players", "3", "--count", "4", "--seed", "x").stdout.splitlines()
    assert [line.split(" · ")[0] for line in lines] == ["x-1", "x-2", "x-3", "x-4"]
    assert all(line.count(", ") == 2 for line in lines)


class TestParts:
    """`--count A-B`: parts of a series, when joined, are the same as the whole."""

    @given(st.data())
    @settings(max_examples=15, deadline=None)
    def test_joined_parts_equal_the_whole(self, data: st.DataObject) -> None:
        per_table = [name for name in FORMATS if FORMATS[name].series_gap == "\n"]
        per_table = [name for name in per_table if not FORMATS[name].document_function_name]
        options = [
            *("--format", data.draw(st.sampled_from(per_table))),
            *data.draw(
                st.sampled_from(
                    (
                        ["--sets", "all"],
                        ["--sets", "all", "--of", "3", "--want", "village"],
                        ["--sets", "base,seaside,adventures", "--apart", "--landscapes", "0"],
                        ["--sets", "base,intrigue", "--kingdom", "any"],
                        ["--sets", "rising-sun", "--lang", "ja"],
                        ["--game", "pergamemnon"],
                    )
                )
            ),
        ]
        count = data.draw(st.integers(1, 7))
        ends = sorted({0, *data.draw(st.sets(st.integers(0, count))), count})
        parts = b"".join(self.deal(f"{before + 1}-{end}", options) for before, end in pairwise(ends))
        whole = self.deal(str(count), options)
        assert whole == self.deal(f"1-{count}", options)
        if "--apart" in options:  # The documents also say how many tables there are.
            parts, whole = (
                re.sub(rb'"count":\d+,"apart"|--count \d+ --apart', b"", text) for text in (parts, whole)
            )
        assert parts == whole

    def deal(self, count: str, options: list[str]) -> bytes:
        result = run(*options, "--players", "3", "--seed", "parts", "--count", count)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout_bytes

    def test_recipe_for_a_cluster_deals_the_series(self, tmp_path: Path) -> None:
        page = (TESTS_DIR.parent / "docs/dealing.md").read_text(encoding="utf-8")
        (script,) = re.findall(r"^```bash\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        small = script.replace("1000", "2").replace("999", "1")
        (tmp_path / "dominion-setup").write_text(f'#!/bin/sh\nexec {sys.executable} -m randomizer "$@"\n')
        (tmp_path / "dominion-setup").chmod(0o755)
        for task in range(3):
            env = {
                **os.environ,
                "PATH": f"{tmp_path}:{os.environ['PATH']}",
                "PYTHONPATH": str(TESTS_DIR.parent),
                "SLURM_ARRAY_TASK_ID": str(task),
            }
            subprocess.run(["bash", "-c", small], cwd=tmp_path, env=env, check=True)
        parts = [path.read_bytes() for path in sorted(tmp_path.glob("part-*"))]
        whole = run("--sets", "all", "--seed", "study", "--json", "--count", "6")
        assert len(parts) == 3 and b"".join(parts) == whole.stdout_bytes

    @pytest.mark.parametrize(
        ("count", "fault"),
        [
            ("6-5", "--count 6-5 is empty; type the smaller number first."),
            ("0-5", "Invalid value for '--count': 0 is not in the range x>=1."),
            ("2-", "Invalid value for '--count': '' is not a valid integer range."),
            ("1-2-3", "Invalid value for '--count': '2-3' is not a valid integer range."),
        ],
    )
    def test_bad_part_is_refused(self, count: str, fault: str) -> None:
        done = run("--count", count, "--seed", "x")
        assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"Error: {fault}\n")

    def test_part_needs_a_seed(self) -> None:
        done = run("--count", "2-3")
        fault = "Error: a part of a series needs --seed: otherwise every run deals another series.\n"
        assert (done.exit_code, done.stderr) == (2, fault)

    def test_part_that_needs_too_many_cards_names_the_last_table_that_is_possible(self) -> None:
        done = run("--sets", "base", "--apart", "--count", "3-4", "--seed", "x")
        assert done.exit_code == 2 and "only 2 kingdoms without repeats are possible, not 4" in done.stderr


@pytest.mark.parametrize("count", ["0", "-1", "many"])
def test_invalid_count_is_refused(count: str) -> None:
    assert run("--count", count).exit_code == 2


def test_count_with_too_few_cards_is_an_error() -> None:
    result = run("--sets", "envoy", "--count", "5")
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and Ctrl-C work differently on Windows")
class TestEnding:
    def start_program(self, *python: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, *python, "-m", "randomizer", *ALL, "--count", "1000000", "--json"],
            cwd=TESTS_DIR.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # It may be ignored.
        )

    def test_closed_pipe_ends_the_program_silently(self) -> None:
        """The first line is printed long before the last setup is dealt."""
        with self.start_program() as process:
            assert process.stdout and process.stderr
            assert json.loads(process.stdout.readline())["schema"] == 2
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(timeout=60) == 0

    def test_ctrl_c_ends_after_a_complete_line(self) -> None:
        with self.start_program() as process:
            assert process.stdout and process.stderr
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            output, errors = process.communicate(timeout=60)
            assert errors == b""
            assert process.returncode == 130
            assert output == b"" or output.endswith(b"}\n")

    def test_ctrl_c_while_click_is_imported_ends_silently(self) -> None:
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
        done = subprocess.run([sys.executable, "-c", code], cwd=TESTS_DIR.parent, capture_output=True)
        assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")

    @pytest.mark.parametrize("module", ["click.globals", "randomizer.cli.options", "randomizer.record.build"])
    def test_ctrl_c_after_an_import_ends_silently(self, module: str) -> None:
        """Send it as soon as a module is loaded; Python prints the modules on stderr."""
        with self.start_program("-X", "importtime") as process:
            assert process.stdout and process.stderr
            assert any(line.endswith(f" {module}\n".encode()) for line in process.stderr)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
            messages = [line for line in errors.splitlines() if not line.startswith(b"import time:")]
            assert (process.returncode, messages) == (130, [])

    def test_full_disk_is_an_error(self) -> None:
        if not os.path.exists("/dev/full"):
            pytest.skip("there is no /dev/full")
        for args in (["--seed", "1"], ["--help"], ["rules", "reserve"], ["--count", "20", "--json"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [sys.executable, "-m", "randomizer", *args],
                    cwd=TESTS_DIR.parent,
                    stdout=full,
                    stderr=subprocess.PIPE,
                )
            assert (done.returncode, done.stderr) == (1, b"Error: cannot print: No space left on device\n")

    @pytest.mark.parametrize("args", ["--seed 1", "--help", "rules reserve", "schema", "cards"])
    def test_closed_stdout_is_an_error(self, args: str) -> None:
        command = f"{sys.executable} -m randomizer {args} >&-"
        done = subprocess.run(command, shell=True, cwd=TESTS_DIR.parent, capture_output=True)
        assert done.returncode == 1
        assert done.stderr == b"Error: cannot print: standard output is closed.\n"

    @pytest.mark.parametrize("args", ["--count 300", "--help", "rules --list", "schema", "cards"])
    def test_reader_that_reads_nothing_is_no_error(self, args: str) -> None:
        command = f"bash -c '{sys.executable} -m randomizer {args} | true; exit ${{PIPESTATUS[0]}}'"
        done = subprocess.run(command, shell=True, cwd=TESTS_DIR.parent, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
