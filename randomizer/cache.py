"""Keeps what was made from files until one of the files changes, so that start-up need not make it again.

Plain bytes behind one line that says what they were made from; never code, pickle or marshal. Where
nothing can be written everything works, only slower.
"""

import os
import sys
from collections.abc import Callable, Sequence
from zlib import crc32

from randomizer import __version__


def cached(name: str, sources: Sequence[str], make: Callable[[], bytes], folder: str | None = None) -> bytes:
    """What `make` returned the last time, unless a source has changed since.

    Args:
        name: of the thing made; the cache file is called after it and its sources.
        sources: paths of the files it is made from.
        make: makes it.
        folder: where the cache is; by default the user's own.

    Raises:
        OSError: a source cannot be read.
    """
    contents = []
    for source in sources:
        with open(source, "rb") as file:
            contents.append(file.read())
    stamp = " ".join(f"{len(content):x}-{crc32(content):08x}" for content in contents)
    where = crc32("\0".join(sources).encode())
    path = os.path.join(default_folder() if folder is None else folder, f"{name}-{where:08x}")
    try:
        with open(path, "rb") as file:
            head, _, body = file.read().partition(b"\n")
        if head == _head(stamp, body):
            return body
    except OSError:
        pass
    body = make()
    _write(path, _head(stamp, body) + b"\n" + body)
    return body


def default_folder() -> str:
    """The folder for this user's cached files, as the platform has it."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "dominion-setup")


def _head(stamp: str, body: bytes) -> bytes:
    """What the first line has to say for the body to be whole and made from these sources by this code."""
    return f"{__version__} {_code():08x} {crc32(body):08x} {stamp}".encode()


def _code() -> int:
    """Changes when the package's own files do: another program makes other bytes of the same sources."""
    with os.scandir(os.path.dirname(__file__)) as files:
        stats = [(file.name, file.stat()) for file in files if file.name.endswith(".py")]
    return crc32(repr(sorted((name, stat.st_size, stat.st_mtime_ns) for name, stat in stats)).encode())


def _write(path: str, content: bytes) -> None:
    """Write the file as a whole or not at all; not being able to is no fault."""
    from contextlib import suppress
    from tempfile import NamedTemporaryFile

    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with NamedTemporaryFile(dir=os.path.dirname(path), delete=False) as file:
            name = file.name
            with suppress(OSError):
                file.write(content)
        if os.path.getsize(name) == len(content):
            os.replace(name, path)
        else:
            os.unlink(name)
