"""How text is to look on a screen."""

from typing import NamedTuple


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
