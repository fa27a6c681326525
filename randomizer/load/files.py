"""Reads files up to a maximum size, and writes files atomically."""

import os
import stat
from contextlib import suppress
from errno import EFBIG, EINVAL
from typing import BinaryIO

from randomizer.text.errors import BadKingdom, describe_os_error
from randomizer.text.language import Message, Value, Verbatim, message

MAX_BYTES = 16_000_000  # Legitimate files are much smaller.
_TOO_LARGE = "is larger than 16 MB"


def read_bounded(path: str) -> bytes:
    """Return the content of a file or a named pipe.

    Raises:
        OSError: the file cannot be read, is larger than `MAX_BYTES`, or is a device.
    """
    with open(path, "rb") as file:
        return read_bounded_stream(file, path)


def read_bounded_stream(file: BinaryIO, name: str) -> bytes:
    """Return the content of an open file.

    Args:
        file: the file, opened for reading; it may be a buffer in memory.
        name: the name of the file in error messages.

    Raises:
        OSError: the file cannot be read, is larger than `MAX_BYTES`, or is a device.
    """
    with suppress(AttributeError, ValueError):  # A buffer in memory has no file descriptor.
        status = os.fstat(file.fileno())
        if os.path.samestat(status, os.stat(os.devnull)):
            return b""
        if stat.S_ISBLK(status.st_mode) or (stat.S_ISCHR(status.st_mode) and not file.isatty()):
            raise OSError(EINVAL, "is a device, not a file or a pipe", name)
        if stat.S_ISREG(status.st_mode) and status.st_size > MAX_BYTES:
            raise OSError(EFBIG, _TOO_LARGE, name)
    content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError(EFBIG, _TOO_LARGE, name)
    return content


def describe_encoding_error(problem: UnicodeDecodeError) -> Message:
    """Return a message with the line in which a text file is not UTF-8, and what to do."""
    number = problem.object.count(b"\n", 0, problem.start) + 1
    return message(
        "line {number} is not UTF-8; open the file in an editor and save it as UTF-8", number=number
    )


def read_kingdom_file(path: str, standard_input: BinaryIO | None = None) -> str:
    """Return the text of a file that describes a kingdom. Its encoding is UTF-8, UTF-16 or UTF-32.

    Args:
        path: the path of the file.
        standard_input: the stream to read instead of the file.

    Raises:
        BadKingdom: the file cannot be read.
    """
    from json import detect_encoding

    try:
        content = read_bounded_stream(standard_input, path) if standard_input else read_bounded(path)
    except OSError as error:
        file: Value = "standard input" if standard_input else Verbatim(path)
        raise BadKingdom([message("{file}: {why}", file=file, why=describe_os_error(error))]) from None
    return content.decode(detect_encoding(content), "replace")


def write_atomically(path: str, content: bytes, mode: int | None = None) -> None:
    """Write a file completely or not at all.

    Programs that read the file at the same time get either the old content or the new content.

    Args:
        path: the path of the file.
        content: the new content.
        mode: the permissions of the file; by default, only this user can read it.

    Raises:
        OSError: the file cannot be written. An existing file is unchanged.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary_path = f"{path}.{os.getpid()}.{os.urandom(4).hex()}"
    try:
        with open(temporary_path, "xb", opener=_open_private) as file:
            file.write(content)
        if mode is not None:
            os.chmod(temporary_path, mode)
        os.replace(temporary_path, path)
    except BaseException as problem:
        with suppress(OSError):
            os.unlink(temporary_path)
        if isinstance(problem, OSError):  # The error of a full disk does not name the file.
            raise OSError(problem.errno, problem.strerror, path) from None
        raise


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
