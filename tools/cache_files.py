"""Writes the cache files of an installed package."""

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from randomizer.load import games, kingdoms, languages, paths
from randomizer.rules.lookup import open_index


def write_cache_files(folder: str) -> None:
    """Compute everything that the program caches, and write it as the files of an installed package.

    Args:
        folder: the folder for the files, which must exist.

    Raises:
        BadData: a data file is not valid.
    """
    with (
        TemporaryDirectory() as cache,
        patch.multiple(
            paths,
            cache_folder=lambda: cache,
            # As in an installed package, the checksums of the contents are cached, too.
            shipped_cache_folder=lambda: cache,
        ),
    ):
        for name in games.list_games():
            game = games.load(name)
            # Each language is loaded, and thereby cached, when it is used.
            list(languages.load_all(game))
            list(languages.load_all_card_names(game).values())
            kingdoms.load_kingdoms(game)
        open_index()
        for checksum_file in Path(cache).glob("*.content-*"):
            name, _, suffix = checksum_file.name.rpartition(".content-")
            checksum = _read_result(checksum_file).decode()  # the end of the file name
            result = _read_result(checksum_file.with_name(f"{name}-{suffix}"))
            Path(folder, f"{name}-{checksum}").write_bytes(result)


def _read_result(cache_file: Path) -> bytes:
    """Return the content of a cache file after its first line, which depends on this machine."""
    return cache_file.read_bytes().partition(b"\n")[2]
