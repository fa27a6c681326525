"""The user's own defaults: `config.toml` in the folder where the platform has such files.

Only options that every printed command repeats, or that do not shape the table, can have one: a seed that
somebody sends has to deal the same table here.
"""

import os
from reprlib import repr as short
from typing import Any

import click

from randomizer.errors import BadData, nearest
from randomizer.load.files import contents

_OPTIONS = {"sets": list, "players": int, "lang": str, "color": str, "sort": str}


def path() -> str:
    """Where the file is, if there is one."""
    return os.path.join(click.get_app_dir("dominion-setup"), "config.toml")


def defaults() -> dict[str, Any]:
    """What the file says, by option; nothing if there is no file.

    Raises:
        BadData: the file is no TOML, or names an option that can have no default there.
    """
    file = path()
    if not os.path.exists(file):
        return {}
    import tomllib

    try:
        said = tomllib.loads(contents(file).decode())
    except (OSError, ValueError, RecursionError) as problem:
        raise BadData([f"{file}: {getattr(problem, 'strerror', None) or problem}"]) from None
    faults = []
    if isinstance(said.get("sets"), str):
        said["sets"] = [said["sets"]]
    for key, value in said.items():
        if key not in _OPTIONS:
            hits = nearest(key, _OPTIONS, 1) or [", ".join(_OPTIONS)]
            faults.append(f"{file}: {key!r} has no default; {hits[0]}?")
        elif type(value) is not _OPTIONS[key] or (
            isinstance(value, list) and not all(isinstance(slug, str) for slug in value)
        ):
            faults.append(f"{file}: {key} cannot be {short(value)}")
    if faults:
        raise BadData(faults)
    return said
