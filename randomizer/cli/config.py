"""The user's own defaults: `config.toml` in the folder where the platform has such files.

Only options that every printed command repeats, or that do not shape the table, can have one: a seed that
somebody sends has to deal the same table here. A fault in the file is worth a warning, and no more.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from reprlib import repr as short
from typing import Any

import click

from randomizer.errors import either, nearest
from randomizer.load.files import contents

COLORS = ("auto", "always", "never")
SORTS = ("box", "cost", "name", "dealt")


def path() -> str:
    """Where the file is, if there is one."""
    return _in("dominion-randomizer")


def old_path() -> str:
    """Where it was at first; another program that is called like the command has a file of its own there."""
    return _in("dominion-setup")


def _in(folder: str) -> str:
    return os.path.join(click.get_app_dir(folder), "config.toml")


def defaults(*, settle: bool = True) -> tuple[dict[str, Any], list[str]]:
    """What the file says, by option, and what there is to tell of it; nothing if there is no file.

    Args:
        settle: a file in the old place is moved to the new one.
    """
    file, old = path(), old_path()
    if os.path.exists(file):
        said, faults = _read(file)
        return said, [warned(faults)] if faults else []
    if not os.path.exists(old):
        return {}, []
    said, faults = _read(old)
    if faults or not said:
        return {}, []  # it is not ours
    return said, [_moved(old, file)] if settle else []


def warned(faults: Iterable[str]) -> str:
    """A warning of what is wrong with the file."""
    return f"Warning: {path()}: {'; '.join(faults)}; that is ignored."


def _moved(old: str, new: str) -> str:
    """Says that the file is in its new place, or should be."""
    try:
        os.makedirs(os.path.dirname(new), exist_ok=True)
        os.replace(old, new)
    except OSError as problem:
        return f"Warning: {old} should be {new}, but cannot be moved: {problem.strerror}."
    return f"Your defaults have moved to {new}."


def _read(file: str) -> tuple[dict[str, Any], list[str]]:
    """What the file says that can be used, and what is wrong with the rest of it."""
    import tomllib

    try:
        said = tomllib.loads(contents(file).decode())
    except (OSError, ValueError, RecursionError) as problem:
        return {}, [str(getattr(problem, "strerror", None) or problem)]
    used, faults = {}, []
    for key, value in said.items():
        if key not in _FAULTS:
            hits = nearest(key, _FAULTS) or list(_FAULTS)
            faults.append(f"{key!r} cannot have a default; {either(hits)} can")
        elif fault := _FAULTS[key](value):
            faults.append(f"{key} = {short(value)} is not {fault}")
        else:
            used[key] = [value] if key == "sets" and isinstance(value, str) else value
    return used, faults


# ── What the value of an option is not, or nothing if it is all right ──


def _texts(value: object) -> str:
    texts = value if isinstance(value, list) and value else [value]
    return "" if all(isinstance(text, str) for text in texts) else "a text or a list of texts"


def _number(value: object) -> str:
    return "" if type(value) is int else "a whole number"


def _language(value: object) -> str:
    from randomizer.load.languages import codes, meant

    return "" if isinstance(value, str) and meant(value) else either(codes())


def _one_of(*choices: str) -> Callable[[object], str]:
    return lambda value: "" if value in choices else either(choices)


_FAULTS: Mapping[str, Callable[[Any], str]] = {
    "sets": _texts,
    "players": _number,
    "lang": _language,
    "color": _one_of(*COLORS),
    "sort": _one_of(*SORTS),
}
