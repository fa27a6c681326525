"""Reads the files that people name: regular ones and pipes, and never more than is sensible."""

import os
import stat
from contextlib import suppress
from errno import EFBIG, EINVAL
from typing import BinaryIO

MOST = 16_000_000  # bytes, many times the largest file there is


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


def _too_large(name: str) -> OSError:
    return OSError(EFBIG, f"is larger than {MOST // 1_000_000} MB", name)
