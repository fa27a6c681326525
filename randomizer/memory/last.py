"""The last table: the newest setup document that was dealt, kept so that nobody has to name a file.

Only the newest is kept. It is no loss: where nothing can be written, everything else works.
"""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from randomizer.load import paths
from randomizer.load.files import contents, write_whole
from randomizer.text.errors import BadDocument, NoResult, reason
from randomizer.text.language import Typed, message

if TYPE_CHECKING:
    from randomizer.setup.document import Setup


def path() -> str:
    """Where it is, if there is one."""
    return os.path.join(paths.state_folder(), "last.json")


def keep(text: str) -> bool:
    """Make a table the last one.

    Args:
        text: the JSON of its document.

    Returns:
        False where it cannot be written and an older one stays, which people could take for this one.
    """
    place = path()
    try:
        write_whole(place, f"{text}\n".encode())
    except OSError:
        with suppress(OSError):
            os.unlink(place)
        return not os.path.exists(place)
    return True


def read() -> "Setup":
    """The last table.

    Raises:
        NoResult: none has been kept.
        BadDocument: what is in its place is damaged, or something else.
    """
    from randomizer.setup.schema import loads

    place = path()
    if not os.path.lexists(place):
        raise NoResult("no table has been kept; deal one, or name the file of a setup document.")
    try:
        if not os.path.isfile(place):  # a pipe would never end
            raise BadDocument("{file} is not a file.", file=Typed(place))
        return loads(contents(place), Typed(place))
    except OSError as problem:
        fault = message("{file}: {why}.", file=Typed(place), why=reason(problem))
    except BadDocument as problem:
        fault = problem.message
    raise BadDocument("the last table is damaged: {fault} A new deal replaces it.", fault=fault)
