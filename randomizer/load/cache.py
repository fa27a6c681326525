"""A file cache for results computed from files, to make the program start faster.

A cache file is valid until the source files or the code that computes the result change. Its first line
identifies both. The rest is plain data, never pickled or marshalled objects. If no cache file can be written,
the program works, but starts more slowly.

An installed package contains the results for its own data files, so that even its first start is fast.
`tools/cache_files.py` writes them when the package is built. They are found by a checksum of the contents of
the source files, because an installation changes all paths and times.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import BinaryIO
from zlib import crc32

from randomizer import __version__
from randomizer.load import paths

PACKAGES = ("cards", "deal", "load", "text")  # the packages that contain the code for loading data files
_MAX_FILES_PER_NAME = 4  # several installations and combinations of source files


def get_or_compute(
    name: str, sources: Sequence[str], compute: Callable[[], bytes], folder: str | None = None
) -> bytes:
    """Return the cached result of `compute`, or compute and cache it.

    Args:
        name: the name of the result, with which the name of the cache file begins.
        sources: the paths of all files on which the result depends.
        compute: the function that computes the result.
        folder: the cache folder; by default, that of the user.

    Raises:
        OSError: a source does not exist.
    """
    if shipped := _open_shipped(name, sources, folder, PACKAGES):
        with shipped:
            return shipped.read()
    path, fingerprint = _get_path(name, sources, folder), _get_fingerprint(sources, PACKAGES)
    cached = _read_if_valid(path, fingerprint)
    return cached if cached is not None else _compute_and_store(path, fingerprint, compute)


def open_or_compute(
    name: str,
    sources: Sequence[str],
    compute: Callable[[], bytes],
    folder: str | None = None,
    *,
    packages: Sequence[str] = PACKAGES,
) -> BinaryIO:
    """Return the cached result of `compute` as an open file, or compute and cache it.

    This is for callers that read only parts of a large result. The checksum of the result is not verified,
    because that would require reading all of it.

    Args:
        name: the name of the result, with which the name of the cache file begins.
        sources: the paths of all files on which the result depends.
        compute: the function that computes the result.
        folder: the cache folder; by default, that of the user.
        packages: the packages that contain the code for computing the result.

    Raises:
        OSError: a source does not exist.
    """
    if shipped := _open_shipped(name, sources, folder, packages):
        return shipped
    path, fingerprint = _get_path(name, sources, folder), _get_fingerprint(sources, packages)
    cached = _open_if_valid(path, fingerprint)
    return cached[0] if cached else BytesIO(_compute_and_store(path, fingerprint, compute))


def _get_path(name: str, sources: Sequence[str], folder: str | None) -> str:
    return os.path.join(folder or paths.cache_folder(), f"{name}-{_get_checksum(list(sources))}")


def _open_shipped(
    name: str, sources: Sequence[str], folder: str | None, packages: Sequence[str]
) -> BinaryIO | None:
    """Open a result in the installed package; return None if it is missing or out of date.

    The name of its file ends in a checksum of the sources and the code. This checksum is itself cached.
    """
    if not os.path.isdir(paths.shipped_cache_folder()):  # This is a checkout.
        return None
    path, fingerprint = _get_path(f"{name}.content", sources, folder), _get_fingerprint(sources, packages)
    checksum = _read_if_valid(path, fingerprint) or _compute_and_store(
        path, fingerprint, lambda: _get_content_checksum(sources, packages).encode()
    )
    try:
        return open(os.path.join(paths.shipped_cache_folder(), f"{name}-{checksum.decode()}"), "rb")
    except OSError:
        return None


def _compute_and_store(path: str, fingerprint: str, compute: Callable[[], bytes]) -> bytes:
    from contextlib import suppress

    from randomizer.load.files import write_atomically

    result = compute()
    with suppress(OSError):
        write_atomically(path, f"{fingerprint} {len(result)} {crc32(result)}\n".encode() + result)
        _remove_oldest(path)
    return result


def _read_if_valid(path: str, fingerprint: str) -> bytes | None:
    """Return the result in a cache file if it has the expected fingerprint and is undamaged, or None."""
    if not (cached := _open_if_valid(path, fingerprint)):
        return None
    file, checksum = cached
    with file:
        result = file.read()
    return result if crc32(result) == checksum else None


def _open_if_valid(path: str, fingerprint: str) -> tuple[BinaryIO, int] | None:
    """Open a cache file if it has the expected fingerprint and is complete.

    Returns:
        The file, positioned after its first line, and the checksum of the rest; None if it is invalid.
    """
    try:
        file = open(path, "rb")  # noqa: SIM115  # The caller closes it.
        *fields, length, checksum = file.readline().decode("ascii", "replace").split()
        actual_length = os.fstat(file.fileno()).st_size - file.tell()
        if " ".join(fields) == fingerprint and actual_length == int(length):
            return file, int(checksum)
        file.close()
    except (OSError, ValueError):
        pass
    return None


def _get_fingerprint(sources: Sequence[str], packages: Sequence[str]) -> str:
    """Return a string that changes whenever the program's version, a source file or the code changes."""
    stats = [(path, os.stat(path)) for path in sources]
    sources_checksum = _get_checksum([(path, stat.st_size, stat.st_mtime_ns) for path, stat in stats])
    return f"{__version__} {sources_checksum} {_get_code_checksum(*packages)}"


def _get_content_checksum(sources: Sequence[str], packages: Sequence[str]) -> str:
    """Return a checksum of the sources and of the program's packages that read them.

    It depends on the program's version and on the contents of the files, but not on the folder they are in.
    """
    modules = sorted(path for package in packages for path, _, _ in _list_modules(package))
    checksum = crc32(__version__.encode())
    for path in (*sources, *modules):
        with open(path, "rb") as file:
            checksum = crc32(file.read(), crc32(os.path.basename(path).encode(), checksum))
    return f"{checksum:08x}"


@cache
def _get_code_checksum(*packages: str) -> str:
    return _get_checksum(sorted(module for package in packages for module in _list_modules(package)))


def _list_modules(package: str) -> Iterator[tuple[str, int, int]]:
    """Yield the path, size and modification time of each module of a package and its subpackages."""
    for entry in os.scandir(os.path.join(paths.package_folder(), package)):
        if entry.name.endswith(".py"):
            stat = entry.stat()
            yield entry.path, stat.st_size, stat.st_mtime_ns
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _list_modules(os.path.join(package, entry.name))


def _get_checksum(value: object) -> str:
    return f"{crc32(repr(value).encode()):08x}"


def _remove_oldest(path: str) -> None:
    """Remove the oldest cache files for the same result if there are too many.

    Raises:
        OSError: a file cannot be removed.
    """
    name = os.path.basename(path).rpartition("-")[0]
    entries = os.scandir(os.path.dirname(path))
    entries_with_name = [entry for entry in entries if entry.name.rpartition("-")[0] == name]
    for entry in sorted(entries_with_name, key=lambda entry: -entry.stat().st_mtime_ns)[_MAX_FILES_PER_NAME:]:
        os.unlink(entry)
