"""The formats `json` and `ndjson`: the setup document itself, for other programs.

The document is not translated, and the style is ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.text.json import dumps_line

if TYPE_CHECKING:
    from randomizer.show.formats import SetupSource
    from randomizer.text.screen import Style


def render(setup: SetupSource, style: Style) -> str:
    """Return the document as indented JSON."""
    return setup.json


def render_line(setup: SetupSource, style: Style) -> str:
    """Return the document as JSON on a single line."""
    return dumps_line(setup.document).decode()
