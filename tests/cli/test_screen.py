"""What is printed on a terminal: as wide as it is, in colours, in a pager if it is higher."""

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
from tests.support import FOLDERS, HERE, MORE, run

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
@pytest.mark.parametrize("wide", [30, 40, 60, 80, 120] if MORE > 1 else [30, 60, 120])
@pytest.mark.parametrize("args", LISTS, ids=" ".join)
def test_no_list_is_wider_than_the_screen(args: list[str], wide: int, lang: str) -> None:
    lines = run(*args, "--lang", lang, env={"COLUMNS": str(wide)}).stdout.splitlines()
    assert [line for line in lines if width(line) > wide] == []


@pytest.mark.parametrize("args", [["sets"], ["cards"]], ids=" ".join)
def test_where_there_is_no_screen_a_row_is_a_line(args: list[str]) -> None:
    """So that `grep` finds it; whatever is left out on a narrow screen is there."""
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
def test_rules_listed_by_their_names(term: str, ids: list[str]) -> None:
    """In any language, by their own name or their chapter's."""
    some = json.loads(run("rules", "--list", term, "--json").stdout)
    listed = [entry["id"] for entry in some["results"]]
    assert set(ids) <= set(listed)
    assert len(listed) < every_rule() / 5


@functools.cache
def every_rule() -> int:
    """How many rules are listed."""
    return len(json.loads(run("rules", "--list", "--json").stdout)["results"])


def test_no_rule_of_such_a_name() -> None:
    nothing = run("rules", "--list", "xyzzyplugh")
    assert (nothing.exit_code, nothing.stderr) == (1, "Error: no rule has 'xyzzyplugh' in its name.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
class TestPager:
    """As git's: only on a terminal, and only for what is higher than that."""

    def printed(self, tmp_path: Path, *args: str, rows: int = 24, **env: str) -> tuple[str, str]:
        """What a command shows on a terminal, and what it hands to the pager."""
        import fcntl
        import pty
        import struct
        import termios

        shown = tmp_path / "shown"
        shown.unlink(missing_ok=True)
        pager = f"{sys.executable} -c \"import sys; open('{shown}', 'wb').write(sys.stdin.buffer.read())\""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        kept = {key: os.environ[key] for key in ("PATH", "HOME", *FOLDERS) if key in os.environ}
        with Popen(
            [sys.executable, "-m", "randomizer", *args],
            env={**kept, "TERM": "xterm", "PAGER": pager, **env},
            cwd=HERE.parent,
            stdin=PIPE,
            stdout=theirs,
        ) as process:
            os.close(theirs)
            printed = b""
            while True:
                try:
                    piece = os.read(ours, 65536)
                except OSError:  # nobody writes there any more
                    break
                if not piece:
                    break
                printed += piece
            os.close(ours)
            assert process.wait(timeout=60) == 0
        return printed.decode(), shown.read_text(encoding="utf-8") if shown.exists() else ""

    @pytest.mark.parametrize(
        "args", [["cards"], ["sets"], ["rules", "--list"], ["rules", "way of the", "--all"]], ids=" ".join
    )
    def test_long_lists_and_look_ups(self, tmp_path: Path, args: list[str]) -> None:
        printed, paged = self.printed(tmp_path, *args)
        assert printed == "" and len(paged.splitlines()) >= 23
        assert (
            self.printed(tmp_path, *args, "--color", "never")[1] == run(*args, env={"COLUMNS": "80"}).stdout
        )

    def test_what_fits_is_printed(self, tmp_path: Path) -> None:
        assert self.printed(tmp_path, "cards", "smithy")[1] == ""
        assert self.printed(tmp_path, "sets", rows=40)[1] == ""

    @pytest.mark.parametrize("args", [["cards", "--json"], ["--seed", "1"], ["--count", "50"], ["--help"]])
    def test_data_and_checklists_are_printed(self, tmp_path: Path, args: list[str]) -> None:
        printed, paged = self.printed(tmp_path, *args)
        assert printed and not paged

    def test_not_where_it_is_unwanted(self, tmp_path: Path) -> None:
        for args in (["sets", "--no-pager"], ["--no-pager", "sets"]):
            assert self.printed(tmp_path, *args)[1] == ""
        for pager in ("", "cat", "no-such-pager"):
            assert "Base 2E" in self.printed(tmp_path, "sets", PAGER=pager)[0]
        assert self.printed(tmp_path, "sets", TERM="dumb")[1] == ""

    def test_a_pager_that_stops_reading(self, tmp_path: Path) -> None:
        assert self.printed(tmp_path, "rules", "--list", PAGER="true") == ("", "")


class TestPatience:
    """What takes long says a word on stderr, if somebody waits there."""

    @pytest.mark.parametrize(
        ("terminal", "takes", "said"), [(True, 0.5, "a word\n"), (True, 0, ""), (False, 0.3, "")]
    )
    def test_a_word(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
        terminal: bool,
        takes: float,
        said: str,
    ) -> None:
        monkeypatch.setattr(screen, "is_terminal", lambda stream: terminal)
        with output.notify_if_slow("a word", 0.1):
            time.sleep(takes)
        assert capfd.readouterr() == ("", said)

    def test_odds_have_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        found = json.loads(run("odds", "--json").stdout)

        def slow(*_: object) -> object:
            time.sleep(0.5)
            return found

        monkeypatch.setattr(output, "notify_if_slow", functools.partial(output.notify_if_slow, seconds=0.1))
        monkeypatch.setattr(screen, "is_terminal", lambda stream: stream is sys.stderr)
        monkeypatch.setattr(report, "build_odds", slow)
        assert run("odds").stderr == "Working the odds out …\n"
        assert run("odds", "--lang", "ja").stderr == "確率を計算中…\n"
