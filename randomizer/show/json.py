"""The setup document itself, for other programs. Neither language nor style changes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.text.json import dumps_kept

if TYPE_CHECKING:
    from randomizer.show.formats import Bare
    from randomizer.text.screen import Style


def render(setup: Bare, style: Style) -> str:
    """The document as JSON that people can read too."""
    return setup.json


def render_line(setup: Bare, style: Style) -> str:
    """The document in a single line, one of many (NDJSON)."""
    return line_in_utf8(setup, style).decode()


def line_in_utf8(setup: Bare, style: Style) -> bytes:
    """The same line as it goes into a pipe."""
    return dumps_kept(setup.document)
