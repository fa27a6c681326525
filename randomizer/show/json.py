"""The setup document itself, for other programs. Neither the language nor the style changes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.text.json import dumps_line

if TYPE_CHECKING:
    from randomizer.show.formats import SetupSource
    from randomizer.text.screen import Style


def render(setup: SetupSource, style: Style) -> str:
    """Return the document as JSON that people can read too."""
    return setup.json


def render_line(setup: SetupSource, style: Style) -> str:
    """Return the document as a line of NDJSON."""
    return render_line_as_bytes(setup, style).decode()


def render_line_as_bytes(setup: SetupSource, style: Style) -> bytes:
    """Return the same line in UTF-8, as it is written into a pipe."""
    return dumps_line(setup.document)
