"""Keeps what was made from files until one of them changes, so that start-up need not make it again.

Plain bytes behind one line that says what they were made from; never code, pickle or marshal. Where
nothing can be written everything works, only slower.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import BinaryIO
from zlib import crc32

from randomizer import __version__
from randomizer.load import paths

WINGS = ("cards", "deal", "load", "text")  # whatever is made in this wing is made by it and those below
_KEPT = 4  # files of each name: other installations', and other files' of the user's own


def cached(name: str, sources: Sequence[str], make: Callable[[], bytes], folder: str | None = None) -> bytes:
    """What `make` returned the last time, unless a source, or what makes it, has changed since.

    Args:
        name: of the thing made; the cache file is called after it and its sources.
        sources: paths of all the files that it is made from, and that it is checked against.
        make: makes it.
        folder: where the cache is; by default the user's own.

    Raises:
        OSError: a source is not there.
    """
    path, made_from = _place(name, sources, folder), _made_from(sources, WINGS)
    if kept := _kept(path, made_from):
        file, checksum = kept
        with file:
            body = file.read()
        if crc32(body) == checksum:
            return body
    return _made(path, made_from, make)


def opened(
    name: str,
    sources: Sequence[str],
    make: Callable[[], bytes],
    folder: str | None = None,
    *,
    wings: Sequence[str] = WINGS,
) -> BinaryIO:
    """The same as an open file, at its beginning, for a reader who needs only parts of it.

    It is not looked through for damage, as that would take longer than to read these parts.

    Args:
        wings: those whose modules make it; where others change, it stays.
    """
    path, made_from = _place(name, sources, folder), _made_from(sources, wings)
    kept = _kept(path, made_from)
    return kept[0] if kept else BytesIO(_made(path, made_from, make))


def _place(name: str, sources: Sequence[str], folder: str | None) -> str:
    return os.path.join(folder or paths.cache_folder(), f"{name}-{_sum(list(sources))}")


def _made_from(sources: Sequence[str], wings: Iterable[str]) -> str:
    return f"{__version__} {_state(sources)} {_program(*wings)}"


def _made(path: str, made_from: str, make: Callable[[], bytes]) -> bytes:
    """What is made now, and kept for the next time."""
    body = make()
    _write(path, f"{made_from} {len(body)} {crc32(body)}\n".encode() + body)
    _remove_old(path)
    return body


def _kept(path: str, made_from: str) -> tuple[BinaryIO, int] | None:
    """The file, behind its first line, if it was made from just that, and the checksum of what follows."""
    try:
        file = open(path, "rb")  # noqa: SIM115  # the caller closes it
        head = file.readline().decode("ascii", "replace").split()
        length = os.fstat(file.fileno()).st_size - file.tell()
        if head[:3] == made_from.split() and length == int(head[3]):
            return file, int(head[4])
        file.close()
    except (OSError, ValueError, IndexError):
        pass
    return None


def _state(files: Iterable[str]) -> str:
    """Changes when one of the files does, as its size and time tell."""
    stats = [(path, os.stat(path)) for path in files]
    return _sum([(path, stat.st_size, stat.st_mtime_ns) for path, stat in stats])


@cache
def _program(*wings: str) -> str:
    """Changes when a module of these wings does: another program makes other bytes of the same sources."""
    return _sum(sorted(module for wing in wings for module in _modules(wing)))


def _modules(wing: str) -> Iterator[tuple[str, int, int]]:
    """The modules of a wing, each with its size and time."""
    for entry in os.scandir(os.path.join(paths.package_folder(), wing)):
        if entry.name.endswith(".py"):
            stat = entry.stat()
            yield entry.path, stat.st_size, stat.st_mtime_ns


def _sum(value: object) -> str:
    return f"{crc32(repr(value).encode()):08x}"


def _write(path: str, content: bytes) -> None:
    """Write the file as a whole or not at all; not being able to is no fault."""
    from contextlib import suppress

    from randomizer.load.files import write_whole

    with suppress(OSError):
        write_whole(path, content)


def _remove_old(path: str) -> None:
    """Remove what was made longest ago under the same name, from other sources: old installations', say."""
    from contextlib import suppress

    name = os.path.basename(path).rpartition("-")[0]
    with suppress(OSError):
        alike = [
            entry for entry in os.scandir(os.path.dirname(path)) if entry.name.rpartition("-")[0] == name
        ]
        for entry in sorted(alike, key=lambda entry: -entry.stat().st_mtime_ns)[_KEPT:]:
            os.unlink(entry)
