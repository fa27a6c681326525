"""The terminal: its size, whether to use colours, and the user's pager."""

import os
import sys
from typing import NamedTuple, TextIO

UNLIMITED_COLUMNS = (
    10_000  # columns; the width of output that is not a terminal and whose lines are not to be wrapped
)
_MIN_COLUMNS = 20


class Style(NamedTuple):
    """Presentation settings for text output.

    Attributes:
        columns: the maximum width of a line, in terminal columns.
        color: whether to use ANSI escape sequences.
    """

    columns: int = 80
    color: bool = False

    def style_heading(self, text: str) -> str:
        """Render a heading: bold where colour is on."""
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def style_aside(self, text: str) -> str:
        """Render secondary text: dim where colour is on."""
        return f"\x1b[2m{text}\x1b[0m" if self.color else text


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether the stream is a terminal. A closed standard stream is None."""
    return stream is not None and stream.isatty()


def get_columns(otherwise: int = 80) -> int:
    """Return the width of the output, in columns: COLUMNS, else the terminal's width, else the default.

    Args:
        otherwise: the default, for output that is not a terminal.
    """
    variable = os.environ.get("COLUMNS", "")
    if variable.isdecimal():
        return min(max(int(variable[:9]), _MIN_COLUMNS), UNLIMITED_COLUMNS)
    return _terminal_size()[0] or otherwise


def get_rows(otherwise: int = 24) -> int:
    """Return the height of the terminal, in rows, but at least the default."""
    return max(_terminal_size()[1], otherwise)


def _terminal_size() -> tuple[int, int]:
    """Return the columns and rows of the terminal; zeros without a terminal or without stdout."""
    try:
        return os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return 0, 0


def use_color(choice: str | None) -> bool:
    """Return whether to use colours.

    FORCE_COLOR, NO_COLOR and TERM decide, then whether stdout is a terminal.

    Args:
        choice: the value of `--color`; `always` and `never` override the environment.
    """
    if choice in ("always", "never"):
        return choice == "always"
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced not in ("0", "false")
    is_dumb = os.environ.get("TERM") == "dumb"
    return not os.environ.get("NO_COLOR") and not is_dumb and is_terminal(sys.stdout)


def show_in_pager(text: str) -> bool:
    """Show a text in the user's pager if it is higher than the terminal.

    The pager is PAGER, else `less`. An empty PAGER, or `cat`, means none.

    Returns:
        Whether the text was shown; if not, the caller has to print it.
    """
    if not is_terminal(sys.stdout) or os.environ.get("TERM") == "dumb":
        return False
    _, height = _terminal_size()
    command = os.environ.get("PAGER", "less").strip()
    if not height or text.count("\n") + 2 <= height or command in ("", "cat"):
        return False
    return _run_pager(command, text)


def _run_pager(command: str, text: str) -> bool:
    """Show the text with a pager command; return False if the command cannot be started."""
    import shlex
    import signal
    from contextlib import suppress
    from subprocess import PIPE, Popen

    # The same defaults as git's: quit if the text fits, pass colours through, leave the text on the screen.
    defaults = {"LESS": "FRX", "LV": "-c"}
    try:
        pager = Popen(shlex.split(command), stdin=PIPE, env={**defaults, **os.environ})  # noqa: S603
    except (OSError, ValueError):
        return False
    previous_handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the pager.
    try:
        with suppress(BrokenPipeError):
            pager.communicate(f"{text}\n".encode(sys.stdout.encoding, "replace"))
        pager.wait()
    finally:
        signal.signal(signal.SIGINT, previous_handler)
    return True
