"""Where the data files are, and where this user's cached files are."""

import os
import sys

DEFAULT_GAME = "cards"  # the default game's file; any other's is called after the game


def package_folder() -> str:
    """The program's own modules."""
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def data_folder() -> str:
    """The data files: inside an installed package, beside the package in a checkout."""
    inside = os.path.join(package_folder(), "data")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package_folder()), "data")


def game_file(game: str) -> str:
    """A game's own file, whether it is there or not; nothing is the default game."""
    return os.path.join(data_folder(), f"{game or DEFAULT_GAME}.yaml")


def cache_folder() -> str:
    """This user's cached files, as the platform has it."""
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    return os.path.join(base, "dominion-randomizer")
