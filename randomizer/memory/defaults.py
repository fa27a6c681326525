"""The user's own defaults: `config.toml` in the folder where the platform has such files.

At the top of the file stand options by name; in `[profiles.NAME]` others that hold instead where that profile
is asked for. `[wishes]` gives names to wishes. A fault in the file is worth a warning, and no more.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from reprlib import repr as short
from typing import Any, NamedTuple

from randomizer.load import paths
from randomizer.load.files import contents
from randomizer.text.errors import UnknownName, either, nearest

FILE = "file"  # where a default comes from that is not in a profile
_OLD = {"sets", "players", "lang", "color", "sort"}  # what could have a default when the file was elsewhere
_PROFILE, _PROFILES, _WISHES = "profile", "profiles", "wishes"

Check = Callable[[Any], str]  # what a value should be and is not; nothing if it is all right


class Defaults(NamedTuple):
    """What the file says, before anything of it is checked.

    Attributes:
        said: by key, with `_` for `-`.
        fault: why it cannot be read at all; nothing if it can.
        old: whether it is in its old place.
    """

    said: Mapping[str, Any]
    fault: str = ""
    old: bool = False

    @property
    def profiles(self) -> dict[str, Mapping[str, Any]]:
        """The profiles by name."""
        tables = self.said.get(_PROFILES)
        return {
            name: table
            for name, table in (tables.items() if isinstance(tables, dict) else ())
            if isinstance(table, dict)
        }

    @property
    def wishes(self) -> dict[str, Sequence[str]]:
        """What the user's own wishes say, by name; in which words is checked where somebody wishes."""
        table = self.said.get(_WISHES)
        return {
            name: [said] if isinstance(said, str) else said
            for name, said in (table.items() if isinstance(table, dict) else ())
            if not _not_texts(said)
        }

    def text(self, key: str, profile: str) -> str:
        """What the profile, or the top of the file, has for a key; nothing if that is not a text."""
        said = self.profiles.get(profile, {}).get(key, self.said.get(key))
        return said if isinstance(said, str) else ""


class Held(NamedTuple):
    """A default that holds, and where it is from: `FILE`, or the name of a profile with a word before it."""

    value: Any
    source: str


def path() -> str:
    """Where the file is, if there is one."""
    return os.path.join(paths.config_folder(), "config.toml")


def old_path() -> str:
    """Where it was at first; another program that is called like the command has a file of its own there."""
    return os.path.join(os.path.dirname(paths.config_folder()), "dominion-setup", "config.toml")


def read() -> Defaults:
    """What the file says; nothing if there is none."""
    file, old = path(), old_path()
    if os.path.exists(file):
        return _read(file)
    return _read(old)._replace(old=True) if os.path.exists(old) else Defaults({})


def _read(file: str) -> Defaults:
    import tomllib

    try:
        said = tomllib.loads(contents(file).decode())
    except (OSError, ValueError, RecursionError) as problem:
        return Defaults({}, str(getattr(problem, "strerror", None) or problem))
    return Defaults(_with_underscores(said))


def _with_underscores(said: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("-", "_"): value for key, value in said.items()}


def profile_of(defaults: Defaults, asked: str) -> str:
    """The profile that is asked for, else the one that the file asks for; nothing if there is none.

    Raises:
        UnknownName: there is no profile that is called as asked.
    """
    known = list(defaults.profiles)
    if asked and asked not in known:
        otherwise = f"there are {', '.join(known)}" if known else f"there is none in {path()}"
        raise UnknownName("profile", asked, nearest(asked, known), otherwise)
    usual = defaults.said.get(_PROFILE)
    return asked or (usual if isinstance(usual, str) and usual in known else "")


def source_of(profile: str) -> str:
    """How a profile is called as the source of a default."""
    return f"profile {profile}"


def held(defaults: Defaults, profile: str, checks: Mapping[str, Check], *, every: bool) -> "Holding":
    """The defaults that hold, and what is wrong with others.

    Args:
        defaults: what the file says.
        profile: the one that is asked for, or nothing.
        checks: by key, what an option takes.
        every: these are all options that there are; else a key that is none of them may be right.
    """
    if defaults.fault:
        return Holding({}, [] if defaults.old else [defaults.fault])
    found = Holding({}, [])
    top = {key: value for key, value in defaults.said.items() if key not in (_PROFILE, _PROFILES, _WISHES)}
    _add(found, top, FILE, checks, every, "")
    if profile:
        chosen = _with_underscores(defaults.profiles[profile])
        _add(found, chosen, source_of(profile), checks, every, f"{_PROFILES}.{profile}.")
    found.faults.extend((*_faults_of_profiles(defaults), *_faults_of_wishes(defaults)))
    if defaults.old and (found.faults or not set(defaults.said) <= _OLD):
        return Holding({}, [])  # it is not ours
    return found


class Holding(NamedTuple):
    """The defaults that hold, by key; and what is wrong with the file, a line each."""

    values: dict[str, Held]
    faults: list[str]


def _add(
    found: Holding,
    said: Mapping[str, Any],
    source: str,
    checks: Mapping[str, Check],
    every: bool,
    before: str,
) -> None:
    """Takes what one table of the file says, in the place of what tables before it say."""
    for key, value in said.items():
        if key not in checks:
            if every:
                hits = nearest(key, checks)
                hint = f"{hits[0]} can" if hits else "`dominion-setup config` lists what can"
                found.faults.append(f"{before + key!r} cannot have a default; {hint}")
        elif fault := checks[key](value):
            found.faults.append(f"{before}{key} = {short(value)} is not {fault}")
        else:
            found.values[key] = Held(value, source)


def _faults_of_profiles(defaults: Defaults) -> Iterable[str]:
    tables = defaults.said.get(_PROFILES, {})
    if not isinstance(tables, dict) or len(tables) != len(defaults.profiles):
        yield f"{_PROFILES} = {short(tables)} is not a table of profiles"
    usual = defaults.said.get(_PROFILE, "")
    if usual and not profile_of(defaults, ""):
        hits = nearest(str(usual), defaults.profiles) or list(defaults.profiles)
        yield f"{_PROFILE} = {short(usual)} is not {either(hits) or 'a profile: there is none'}"


def _faults_of_wishes(defaults: Defaults) -> Iterable[str]:
    table = defaults.said.get(_WISHES, {})
    if not isinstance(table, dict):
        yield f"{_WISHES} = {short(table)} is not a table of wishes"
    elif wrong := [f"{_WISHES}.{name} = {short(said)}" for name, said in table.items() if _not_texts(said)]:
        yield f"{wrong[0]} is not a text or a list of texts"


def _not_texts(said: object) -> bool:
    texts = said if isinstance(said, list) and said else [said]
    return not all(isinstance(text, str) and text.strip(" ,") for text in texts)


def warned(faults: Iterable[str]) -> str:
    """A warning of what is wrong with the file."""
    return f"Warning: {path()}: {'; '.join(faults)}; that is ignored."


def moved() -> str:
    """Moves the file from its old place to the new one; says that it is there, or should be."""
    old, file = old_path(), path()
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        os.replace(old, file)
    except OSError as problem:
        return f"Warning: {old} should be {file}, but cannot be moved: {problem.strerror}."
    return f"Your defaults have moved to {file}."
