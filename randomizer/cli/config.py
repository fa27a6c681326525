"""The user's own defaults: `config.toml` in the folder where the platform has such files.

Only options that every printed command repeats, or that do not shape the table, can have one: a seed that
somebody sends has to deal the same table here.
"""

import os
from typing import Any

import click

from randomizer.errors import BadData, nearest

_OPTIONS = ("sets", "players", "lang", "color", "sort")


def path() -> str:
    """Where the file is, if there is one."""
    return os.path.join(click.get_app_dir("dominion-setup"), "config.toml")


def defaults() -> dict[str, Any]:
    """What the file says, by option; nothing if there is no file.

    Raises:
        BadData: the file is not TOML, or names an option that cannot have a default there.
    """
    file = path()
    if not os.path.exists(file):
        return {}
    import tomllib

    try:
        with open(file, "rb") as stream:
            said = tomllib.load(stream)
    except (OSError, ValueError) as problem:
        raise BadData([f"{file}: {getattr(problem, 'strerror', None) or problem}"]) from None
    faults = []
    for key in said:
        if key not in _OPTIONS:
            hits = nearest(key, _OPTIONS, 1) or [", ".join(_OPTIONS)]
            faults.append(f"{file}: {key!r} has no default; {hits[0]}?")
    if faults:
        raise BadData(faults)
    if isinstance(said.get("sets"), str):
        said["sets"] = [said["sets"]]
    return said
