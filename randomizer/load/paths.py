"""Paths of the program's data files and of the user's own folders."""

import os
import sys
from functools import cache

DEFAULT_GAME = "cards"  # the file name of the default game; other files have the name of their game
KINGDOMS = "kingdoms"  # the file name of the kingdoms that rulebooks suggest


def package_folder() -> str:
    """Return the folder of the program's own modules."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def data_folder() -> str:
    """Return the folder of the data files: inside an installed package, or beside it in a checkout."""
    return _find_data_folder(package_folder())


@cache
def _find_data_folder(package: str) -> str:
    inside = os.path.join(package, "data")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "data")


def data_files() -> tuple[str, ...]:
    """Return the sorted names of the entries of the data folder. They are listed once."""
    return _list_folder(data_folder())


@cache
def _list_folder(folder: str) -> tuple[str, ...]:
    return tuple(sorted(os.listdir(folder)))


def game_file(game: str) -> str:
    """Return the path of a game's data file, which need not exist. The default game is ""."""
    return os.path.join(data_folder(), f"{game or DEFAULT_GAME}.yaml")


def kingdoms_file(game: str) -> str:
    """Return the path of the file of a game's suggested kingdoms, which need not exist."""
    return os.path.join(data_folder(), f"{game}.{KINGDOMS}.yaml" if game else f"{KINGDOMS}.yaml")


def cache_folder() -> str:
    """Return the user's folder for files that can be computed again."""
    return _find_user_folder("XDG_CACHE_HOME", ".cache", mac="Caches")


def config_folder() -> str:
    """Return the user's folder for configuration."""
    return _find_user_folder("XDG_CONFIG_HOME", ".config", windows=("APPDATA", "Roaming"))


def state_folder() -> str:
    """Return the user's folder for what is remembered between runs but may be lost."""
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
    """Return the program's folder within one of the user's folders, by the conventions of the platform.

    Args:
        variable: the environment variable that overrides the folder on Linux and the like.
        linux: the default there, below the home folder.
        mac: the folder in `~/Library` on macOS.
        windows: the environment variable on Windows, and its default in `~/AppData`.
    """
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get(windows[0]) or os.path.join(home, "AppData", windows[1])
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", mac)
    else:
        base = os.environ.get(variable, "")
        if not os.path.isabs(base):  # The XDG specification says to ignore relative paths.
            base = os.path.join(home, linux)
    return os.path.join(base, "dominion-randomizer")
