"""Output on a terminal: its width, the pager, and the notice about slow commands."""

import functools
import json
import os
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from randomizer.cli import output
from randomizer.odds import report
from randomizer.text import screen
from randomizer.text.width import width
from tests.support import EXAMPLE_FACTOR, TESTS_DIR, XDG_VARIABLES, run

LISTS = [
    ["sets"],
    ["cards"],
    ["cards", "--kind", "event"],
    ["cards", "young witch"],
    ["cards", "black market"],
    ["odds", "--sets", "adventures,cornucopia-guilds,allies", "Young Witch, Warrior"],
    ["rules", "--list"],
    ["rules", "throne room", "--all"],
    ["rules", "travellers", "--sources"],
]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("columns", [30, 40, 60, 80, 120] if EXAMPLE_FACTOR > 1 else [30, 60, 120])
@pytest.mark.parametrize("args", LISTS, ids=" ".join)
def test_lists_fit_the_terminal(args: list[str], columns: int, lang: str) -> None:
    lines = run(*args, "--lang", lang, env={"COLUMNS": str(columns)}).stdout.splitlines()
    assert [line for line in lines if width(line) > columns] == []


@pytest.mark.parametrize("args", [["sets"], ["cards"]], ids=" ".join)
def test_list_without_terminal_has_a_line_per_row(args: list[str]) -> None:
    """The lines are complete, so that `grep` finds them."""
    text = run(*args).stdout
    assert run(*args, env={"COLUMNS": "500"}).stdout == text
    narrow = run(*args, env={"COLUMNS": "40"}).stdout
    assert len(narrow.splitlines()) > len(text.splitlines()) and len(narrow) < len(text)


@pytest.mark.parametrize(
    ("term", "ids"),
    [
        ("tavern mat", ["tavern-mat", "reserve-scoring"]),
        ("酒場", ["tavern-mat"]),
        ("Adventures", ["adventures-contents", "reserve", "tavern-mat"]),
        ("RESERVES", ["reserve", "way-reserve"]),
    ],
)
def test_rules_list_filters_by_title(term: str, ids: list[str]) -> None:
    """The term may be in the title of the entry or of its chapter, in any language."""
    some = json.loads(run("rules", "--list", term, "--json").stdout)
    listed = [entry["id"] for entry in some["results"]]
    assert set(ids) <= set(listed)
    assert len(listed) < count_rules() / 5


@functools.cache
def count_rules() -> int:
    """Return the number of all rules."""
    return len(json.loads(run("rules", "--list", "--json").stdout)["results"])


def test_rules_list_without_match_is_an_error() -> None:
    nothing = run("rules", "--list", "xyzzyplugh")
    assert (nothing.exit_code, nothing.stderr) == (1, "Error: no entry has 'xyzzyplugh' in its name.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
class TestPager:
    """The pager is used on a terminal, for output that is higher than it."""

    def run_on_terminal(self, tmp_path: Path, *args: str, rows: int = 24, **env: str) -> tuple[str, str]:
        """Run a command on a pseudo-terminal; return its output there and in the pager."""
        import fcntl
        import pty
        import struct
        import termios

        paged = tmp_path / "paged"
        paged.unlink(missing_ok=True)
        pager = f"{sys.executable} -c \"import sys; open('{paged}', 'wb').write(sys.stdin.buffer.read())\""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        kept = {key: os.environ[key] for key in ("PATH", "HOME", *XDG_VARIABLES) if key in os.environ}
        with Popen(
            [sys.executable, "-m", "randomizer", *args],
            env={**kept, "TERM": "xterm", "PAGER": pager, **env},
            cwd=TESTS_DIR.parent,
            stdin=PIPE,
            stdout=theirs,
        ) as process:
            os.close(theirs)
            printed = b""
            while True:
                try:
                    piece = os.read(ours, 65536)
                except OSError:  # The program has ended.
                    break
                if not piece:
                    break
                printed += piece
            os.close(ours)
            assert process.wait(timeout=60) == 0
        return printed.decode(), paged.read_text(encoding="utf-8") if paged.exists() else ""

    @pytest.mark.parametrize(
        "args", [["cards"], ["sets"], ["rules", "--list"], ["rules", "way of the", "--all"]], ids=" ".join
    )
    def test_long_output_is_shown_in_the_pager(self, tmp_path: Path, args: list[str]) -> None:
        printed, paged = self.run_on_terminal(tmp_path, *args)
        assert printed == "" and len(paged.splitlines()) >= 23
        assert (
            self.run_on_terminal(tmp_path, *args, "--color", "never")[1]
            == run(*args, env={"COLUMNS": "80"}).stdout
        )

    def test_short_output_is_printed(self, tmp_path: Path) -> None:
        assert self.run_on_terminal(tmp_path, "cards", "smithy")[1] == ""
        assert self.run_on_terminal(tmp_path, "sets", rows=40)[1] == ""

    @pytest.mark.parametrize("args", [["cards", "--json"], ["--seed", "1"], ["--count", "50"], ["--help"]])
    def test_json_and_setups_are_printed(self, tmp_path: Path, args: list[str]) -> None:
        printed, paged = self.run_on_terminal(tmp_path, *args)
        assert printed and not paged

    def test_options_and_environment_disable_the_pager(self, tmp_path: Path) -> None:
        for args in (["sets", "--no-pager"], ["--no-pager", "sets"]):
            assert self.run_on_terminal(tmp_path, *args)[1] == ""
        for pager in ("", "cat", "no-such-pager"):
            assert "Base 2E" in self.run_on_terminal(tmp_path, "sets", PAGER=pager)[0]
        assert self.run_on_terminal(tmp_path, "sets", TERM="dumb")[1] == ""

    def test_pager_that_reads_nothing_is_no_error(self, tmp_path: Path) -> None:
        assert self.run_on_terminal(tmp_path, "rules", "--list", PAGER="true") == ("", "")


class TestNotifyIfSlow:
    """A slow command prints a notice on stderr if that is a terminal."""

    @pytest.mark.parametrize(
        ("is_terminal", "seconds", "expected"), [(True, 0.5, "a word\n"), (True, 0, ""), (False, 0.3, "")]
    )
    def test_slow_block_prints_the_text(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
        is_terminal: bool,
        seconds: float,
        expected: str,
    ) -> None:
        monkeypatch.setattr(screen, "is_terminal", lambda stream: is_terminal)
        with output.notify_if_slow("a word", 0.1):
            time.sleep(seconds)
        assert capfd.readouterr() == ("", expected)

    def test_slow_odds_print_a_notice(self, monkeypatch: pytest.MonkeyPatch) -> None:
        found = json.loads(run("odds", "--json").stdout)

        def slow(*_: object) -> object:
            time.sleep(0.5)
            return found

        monkeypatch.setattr(output, "notify_if_slow", functools.partial(output.notify_if_slow, seconds=0.1))
        monkeypatch.setattr(screen, "is_terminal", lambda stream: stream is sys.stderr)
        monkeypatch.setattr(report, "build_odds", slow)
        assert run("odds").stderr == "Calculating the odds …\n"
        assert run("odds", "--lang", "ja").stderr == "確率を計算中…\n"
