"""The terminal: its size, its use of colours, and the user's pager."""

import os
import sys
from typing import NamedTuple, TextIO

# The width, in columns, of output that must not be wrapped because it does not go to a terminal.
UNLIMITED_COLUMNS = 10_000
_MIN_COLUMNS = 20


class Style(NamedTuple):
    """Presentation settings for text output.

    Attributes:
        columns: the maximum width of a line, in terminal columns.
        has_color: whether to use ANSI escape sequences.
    """

    columns: int = 80
    has_color: bool = False

    def style_heading(self, text: str) -> str:
        """Render a heading, in bold if colours are enabled."""
        return f"\x1b[1m{text}\x1b[0m" if self.has_color else text

    def style_aside(self, text: str) -> str:
        """Render secondary text, dimmed if colours are enabled."""
        return f"\x1b[2m{text}\x1b[0m" if self.has_color else text


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether the stream is a terminal. None stands for a standard stream that is closed."""
    return stream is not None and stream.isatty()


def get_columns(default: int = 80) -> int:
    """Return the width of the output, in columns.

    It is the value of the environment variable COLUMNS if set, or else the width of the terminal.

    Args:
        default: the width if COLUMNS is not set and the output does not go to a terminal.
    """
    setting = os.environ.get("COLUMNS", "")
    if setting.isdecimal():
        return min(max(int(setting[:9]), _MIN_COLUMNS), UNLIMITED_COLUMNS)
    return _get_terminal_size()[0] or default


def get_rows(min_rows: int = 24) -> int:
    """Return the height of the terminal in rows, but at least `min_rows`."""
    return max(_get_terminal_size()[1], min_rows)


def _get_terminal_size() -> tuple[int, int]:
    """Return the columns and rows of the terminal; both are 0 if stdout is closed or not a terminal."""
    try:
        return os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return 0, 0


def should_use_color(choice: str | None) -> bool:
    """Return whether to use colours.

    The environment variables FORCE_COLOR, NO_COLOR and TERM decide. If they are not set, colours are used
    if stdout is a terminal.

    Args:
        choice: the value of `--color`; `always` and `never` take precedence over the environment.
    """
    if choice in ("always", "never"):
        return choice == "always"
    force_color = os.environ.get("FORCE_COLOR")
    if force_color:
        return force_color not in ("0", "false")
    is_dumb = os.environ.get("TERM") == "dumb"
    return not os.environ.get("NO_COLOR") and not is_dumb and is_terminal(sys.stdout)


def show_in_pager(text: str) -> bool:
    """Show a text in the user's pager if it has more lines than the terminal.

    The environment variable PAGER names the pager; the default is `less`. If it is empty or `cat`, no pager
    is used.

    Returns:
        Whether the text was shown. If not, the caller must print it.
    """
    if not is_terminal(sys.stdout) or os.environ.get("TERM") == "dumb":
        return False
    _, height = _get_terminal_size()
    command = os.environ.get("PAGER", "less").strip()
    if not height or text.count("\n") + 2 <= height or command in ("", "cat"):
        return False
    return _run_pager(command, text)


def _run_pager(command: str, text: str) -> bool:
    """Show the text in a pager; return False if the pager cannot be started."""
    import shlex
    import signal
    from contextlib import suppress
    from subprocess import PIPE, Popen

    # The defaults of git: quit if the text fits, pass colours through, and leave the text on the screen.
    defaults = {"LESS": "FRX", "LV": "-c"}
    try:
        pager = Popen(shlex.split(command), stdin=PIPE, env={**defaults, **os.environ})  # noqa: S603
    except (OSError, ValueError):
        return False
    previous_handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # The pager handles Ctrl-C.
    try:
        with suppress(BrokenPipeError):
            pager.communicate(f"{text}\n".encode(sys.stdout.encoding, "replace"))
        pager.wait()
    finally:
        signal.signal(signal.SIGINT, previous_handler)
    return True
