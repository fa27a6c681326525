"""Storage of the most recent setup document, on which commands operate if no file is named.

The program also works if the document cannot be written.
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
    """Save a setup document, given as JSON, as the last table.

    If it cannot be written, the previous document is deleted, so that it is not mistaken for the new one.

    Returns:
        Whether the previous document has been replaced or deleted.
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
        NoResult: no table has been saved.
        BadDocument: the file is damaged or not a setup document.
    """
    from randomizer.setup.schema import loads

    file = path()
    if not os.path.lexists(file):
        raise NoResult("there is no last setup yet; deal a kingdom, or name the file of a saved setup.")
    try:
        if not os.path.isfile(file):  # Reading a pipe could block forever.
            raise BadDocument("{file} is not a regular file.", file=Verbatim(file))
        return loads(read_bounded(file), Verbatim(file))
    except OSError as problem:
        fault = message("{file}: {why}.", file=Verbatim(file), why=describe_os_error(problem))
    except BadDocument as problem:
        fault = problem.message
    raise BadDocument("the last setup is damaged: {fault} Deal a new kingdom to replace it.", fault=fault)
