"""Reads the files that people name, regular ones and pipes, and never more than is sensible; writes files
as a whole.
"""

import os
import stat
from contextlib import suppress
from errno import EFBIG, EINVAL
from typing import BinaryIO

MOST = 16_000_000  # bytes, many times the largest file there is
_TOO_LARGE = "is larger than 16 MB"


def contents(path: str) -> bytes:
    """Everything in a file.

    Raises:
        OSError: it cannot be read, is too large, or is a device.
    """
    with open(path, "rb") as file:
        return contents_of(file, path)


def contents_of(file: BinaryIO, name: str) -> bytes:
    """Everything in an open file.

    Args:
        name: what errors call it.

    Raises:
        OSError: as for `contents`; what is too large is not read.
    """
    with suppress(AttributeError, ValueError):  # it need not be a file of the system's
        state = os.fstat(file.fileno())
        if stat.S_ISBLK(state.st_mode) or (stat.S_ISCHR(state.st_mode) and not file.isatty()):
            raise OSError(EINVAL, "is a device, neither a file nor a pipe", name)
        if stat.S_ISREG(state.st_mode) and state.st_size > MOST:
            raise _too_large(name)
    content = file.read(MOST + 1)
    if len(content) > MOST:
        raise _too_large(name)
    return content


def write_whole(path: str, content: bytes) -> None:
    """Write a file as a whole or not at all: whoever reads it meanwhile finds the old one, or the new one.

    Raises:
        OSError: it cannot be written; what was there is still there.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"  # as no other process calls it
    try:
        with open(beside, "xb", opener=_private) as file:
            file.write(content)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _private(path: str, flags: int) -> int:
    """Opens a file that is nobody else's to read."""
    return os.open(path, flags, 0o600)


def _too_large(name: str) -> OSError:
    return OSError(EFBIG, _TOO_LARGE, name)
