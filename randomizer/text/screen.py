"""The screen: how wide and high it is, how text is to look there, and a pager for what is higher."""

import os
import sys
from typing import TextIO

from randomizer.text.tuples import NamedTuple

ENDLESS = 10_000  # columns of what is no screen, where lines should stay whole


class Style(NamedTuple):
    """How text is to look.

    Attributes:
        columns: how wide the screen is.
        color: whether escape sequences may be used.
    """

    columns: int = 80
    color: bool = False

    def heading(self, text: str) -> str:
        """A title."""
        return f"\x1b[1m{text}\x1b[0m" if self.color else text

    def aside(self, text: str) -> str:
        """Words of less weight."""
        return f"\x1b[2m{text}\x1b[0m" if self.color else text


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at it; a closed one is None."""
    return stream is not None and stream.isatty()


def columns(otherwise: int = 80) -> int:
    """The width of the screen.

    Args:
        otherwise: what it is where there is no screen, and COLUMNS says nothing.
    """
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal():
        return min(max(int(said[:9]), 20), ENDLESS)
    return _size()[0] or otherwise


def rows(otherwise: int = 24) -> int:
    """The height of the screen; never less than that of the oldest ones."""
    return max(_size()[1], otherwise)


def _size() -> tuple[int, int]:
    """The columns and lines of the screen; none where there is no screen, or no stdout at all."""
    try:
        return os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return 0, 0


def colored(choice: str | None) -> bool:
    """Whether to use colours: as asked for, else as FORCE_COLOR, NO_COLOR and TERM say, or on a terminal."""
    if choice in ("always", "never"):
        return choice == "always"
    forced = os.environ.get("FORCE_COLOR")
    if forced:
        return forced not in ("0", "false")
    dumb = os.environ.get("TERM") == "dumb"
    return not os.environ.get("NO_COLOR") and not dumb and is_terminal(sys.stdout)


def paged(text: str) -> bool:
    """Show a text in the user's pager, as git does, if it is higher than the screen; whether that was done.

    The pager is PAGER, else `less`; an empty PAGER, or `cat`, is none.
    """
    if not is_terminal(sys.stdout) or os.environ.get("TERM") == "dumb":
        return False
    _, high = _size()
    command = os.environ.get("PAGER", "less").strip()
    if not high or text.count("\n") + 2 <= high or command in ("", "cat"):
        return False
    return _shown_in(command, text)


def _shown_in(command: str, text: str) -> bool:
    """Whether the text could be shown by that command."""
    import shlex
    import signal
    from contextlib import suppress
    from subprocess import PIPE, Popen

    wanted = {
        "LESS": "FRX",
        "LV": "-c",
    }  # quit if it fits, colours, and what was shown stays: git's own choice
    try:
        pager = Popen(shlex.split(command), stdin=PIPE, env={**wanted, **os.environ})  # noqa: S603  # the user's
    except (OSError, ValueError):
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the pager
    try:
        with suppress(BrokenPipeError):
            pager.communicate(f"{text}\n".encode(sys.stdout.encoding, "replace"))
        pager.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return True
