"""Where the data files are, and where this user's own files are: cached, configured, kept."""

import os
import sys
from functools import cache

DEFAULT_GAME = "cards"  # the default game's file; any other's is called after the game
KINGDOMS = "kingdoms"  # the file of the kingdoms that its rulebooks suggest


def package_folder() -> str:
    """The program's own modules."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def data_folder() -> str:
    """The data files: inside an installed package, beside the package in a checkout."""
    return _data_of(package_folder())


@cache
def _data_of(package: str) -> str:
    inside = os.path.join(package, "data")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), "data")


def data_files() -> tuple[str, ...]:
    """The names of what is in their folder, in order; looked up once."""
    return _names_in(data_folder())


@cache
def _names_in(folder: str) -> tuple[str, ...]:
    return tuple(sorted(os.listdir(folder)))


def game_file(game: str) -> str:
    """A game's own file, whether it is there or not; nothing is the default game."""
    return os.path.join(data_folder(), f"{game or DEFAULT_GAME}.yaml")


def kingdoms_file(game: str) -> str:
    """The file of the kingdoms that a game's rulebooks suggest, whether it is there or not."""
    return os.path.join(data_folder(), f"{game}.{KINGDOMS}.yaml" if game else f"{KINGDOMS}.yaml")


def cache_folder() -> str:
    """This user's cached files, which can be made again."""
    return _users("XDG_CACHE_HOME", ".cache", mac="Caches")


def config_folder() -> str:
    """This user's own configuration."""
    return _users("XDG_CONFIG_HOME", ".config", windows=("APPDATA", "Roaming"))


def state_folder() -> str:
    """What is kept from one run to the next, and is no loss."""
    return _users("XDG_STATE_HOME", os.path.join(".local", "state"))


def history_folder() -> str:
    """What this user wants to keep."""
    return _users("XDG_DATA_HOME", os.path.join(".local", "share"))


def _users(
    variable: str,
    below: str,
    mac: str = "Application Support",
    windows: tuple[str, str] = ("LOCALAPPDATA", "Local"),
) -> str:
    """The program's own among a user's folders, as the platform has it.

    Args:
        variable: of the environment, that says where it is on Linux and the like ...
        below: ... or else where it is in the user's home.
        mac: the same, in the `Library` of macOS.
        windows: the variable of Windows, or else the folder in `AppData`.
    """
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get(windows[0]) or os.path.join(home, "AppData", windows[1])
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", mac)
    else:
        said = os.environ.get(variable, "")
        base = said if os.path.isabs(said) else os.path.join(home, below)  # as its specification has it
    return os.path.join(base, "dominion-randomizer")
