"""Paths of the program's data files and of the user's folders."""

import os
import sys
from functools import cache

from randomizer.text.language import ENGLISH

DEFAULT_GAME = (
    "cards"  # the file name of the default game; the file of any other game is named after the game
)
KINGDOMS = "kingdoms"  # the file name of the suggested kingdoms


def package_folder() -> str:
    """Return the folder of the package `randomizer`."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def data_folder() -> str:
    """Return the folder of the data files.

    It is inside the package if the program is installed, and next to the package in a checkout.
    """
    return _find_data_folder(package_folder())


@cache
def _find_data_folder(package: str) -> str:
    folder_in_package = os.path.join(package, "data")
    if os.path.isdir(folder_in_package):
        return folder_in_package
    return os.path.join(os.path.dirname(package), "data")


def shipped_cache_folder() -> str:
    """Return the folder of the cache files in an installed package. It may not exist."""
    return os.path.join(data_folder(), "cache")


def data_files() -> tuple[str, ...]:
    """Return the sorted names of the files in the data folder. The result is cached."""
    return _list_folder(data_folder())


@cache
def _list_folder(folder: str) -> tuple[str, ...]:
    return tuple(sorted(os.listdir(folder)))


def list_language_codes() -> list[str]:
    """Return the codes of all languages that have a data file. English comes first."""
    return [ENGLISH] + [file.split(".")[1] for file in data_files() if file.startswith("names.")]


def game_file(game: str) -> str:
    """Return the path of a game's data file, whether or not it exists.

    Args:
        game: the name of the game; empty for the default game.
    """
    return os.path.join(data_folder(), f"{game or DEFAULT_GAME}.yaml")


def kingdoms_file(game: str) -> str:
    """Return the path of the data file with a game's suggested kingdoms, whether or not it exists.

    Args:
        game: the name of the game; empty for the default game.
    """
    return os.path.join(data_folder(), f"{game}.{KINGDOMS}.yaml" if game else f"{KINGDOMS}.yaml")


def cache_folder() -> str:
    """Return the user's folder for cache files, which can be recreated."""
    return _find_user_folder("XDG_CACHE_HOME", ".cache", mac="Caches")


def config_folder() -> str:
    """Return the user's folder for configuration."""
    return _find_user_folder("XDG_CONFIG_HOME", ".config", windows=("APPDATA", "Roaming"))


def state_folder() -> str:
    """Return the user's folder for state that is kept between runs, but is not precious."""
    return _find_user_folder("XDG_STATE_HOME", os.path.join(".local", "state"))


def history_folder() -> str:
    """Return the user's folder for data that must not be lost."""
    return _find_user_folder("XDG_DATA_HOME", os.path.join(".local", "share"))


def _find_user_folder(
    variable: str,
    linux: str,
    mac: str = "Application Support",
    windows: tuple[str, str] = ("LOCALAPPDATA", "Local"),
) -> str:
    """Return the path of one of the user's folders, according to the conventions of the platform.

    Args:
        variable: the environment variable for the parent folder on Linux and other Unix systems.
        linux: the default of that variable, relative to the home folder.
        mac: the parent folder on macOS, relative to `~/Library`.
        windows: the environment variable for the parent folder on Windows, and its default, relative to
            `~/AppData`.
    """
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get(windows[0]) or os.path.join(home, "AppData", windows[1])
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", mac)
    else:
        base = os.environ.get(variable, "")
        if not os.path.isabs(base):  # The XDG specification requires relative paths to be ignored.
            base = os.path.join(home, linux)
    return os.path.join(base, "dominion-randomizer")
