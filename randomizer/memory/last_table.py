"""The last table: the setup document that was dealt last, saved so that commands need no file name.

Only the latest document is saved. Where the folder is not writable, everything else works.
"""

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from randomizer.load import paths
from randomizer.load.files import read_bounded, write_atomically
from randomizer.text.errors import BadDocument, NoResult, describe_os_error
from randomizer.text.language import Verbatim, message

if TYPE_CHECKING:
    from randomizer.setup.document import Setup


def path() -> str:
    """Return the path of the document, which need not exist."""
    return os.path.join(paths.state_folder(), "last.json")


def save(text: str) -> bool:
    """Store a document, given as JSON, as the last table.

    If it cannot be written, the previous document is deleted, because users would take it for this one.

    Returns:
        False if the previous document can be neither replaced nor deleted.
    """
    try:
        write_atomically(path(), f"{text}\n".encode())
    except OSError:
        with suppress(OSError):
            os.unlink(path())
        return not os.path.exists(path())
    return True


def read() -> "Setup":
    """Read the last table.

    Raises:
        NoResult: there is none.
        BadDocument: the file is damaged or is no setup document.
    """
    from randomizer.setup.schema import loads

    file = path()
    if not os.path.lexists(file):
        raise NoResult("there is no last setup yet; deal a kingdom, or name the file of a saved setup.")
    try:
        if not os.path.isfile(file):  # reading a pipe could take forever
            raise BadDocument("{file} is not a regular file.", file=Verbatim(file))
        return loads(read_bounded(file), Verbatim(file))
    except OSError as problem:
        fault = message("{file}: {why}.", file=Verbatim(file), why=describe_os_error(problem))
    except BadDocument as problem:
        fault = problem.message
    raise BadDocument("the last setup is damaged: {fault} Deal a new kingdom to replace it.", fault=fault)
