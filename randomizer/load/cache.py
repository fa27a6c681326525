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
    with opened(name, sources, make, folder, whole=True) as file:
        return file.read()


def opened(
    name: str,
    sources: Sequence[str],
    make: Callable[[], bytes],
    folder: str | None = None,
    *,
    wings: Sequence[str] = WINGS,
    whole: bool = False,
) -> BinaryIO:
    """The same as an open file, at its beginning, for a reader who needs only parts of it.

    Args:
        wings: those whose modules make it; where others change, it stays.
        whole: all of it will be read, so that it may as well be checked for damage beforehand.
    """
    path = os.path.join(folder or paths.cache_folder(), f"{name}-{_sum(list(sources))}")
    made_from = f"{__version__} {_state(sources)} {_program(*wings)}"
    if found := _kept(path, made_from, whole=whole):
        return found
    body = make()
    _write(path, f"{made_from} {len(body)} {crc32(body)}\n".encode() + body)
    _remove_old(path)
    return BytesIO(body)


def _kept(path: str, made_from: str, *, whole: bool) -> BinaryIO | None:
    """The file, behind its first line, if it is whole and was made from just that."""
    try:
        file = open(path, "rb")  # noqa: SIM115  # the caller closes it
        head = file.readline().decode("ascii", "replace").split()
        start = file.tell()
        length = os.fstat(file.fileno()).st_size - start
        if (
            head[:3] == made_from.split()
            and length == int(head[3])
            and not (whole and crc32(file.read()) != int(head[4]))
        ):
            file.seek(start)
            return file
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
