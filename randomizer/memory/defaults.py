"""The user's own defaults: `config.toml` in the folder where the platform has such files, or another file.

At the top of the file stand options by name; in `[profiles.NAME]` others that hold instead where that profile
is asked for. `[wishes]` gives names to wishes. A fault in the file is worth a warning, and no more.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from reprlib import repr as short
from typing import Any

from randomizer.load import paths
from randomizer.load.files import contents
from randomizer.text.errors import UnknownName, nearest, reason
from randomizer.text.language import Listed, Message, Typed, Value, as_typed, either, message, quoted
from randomizer.text.tuples import NamedTuple

FILE = "file"  # where a default comes from that is not in a profile
_OLD = {"sets", "players", "lang", "color", "sort"}  # what could have a default when the file was elsewhere
_PROFILE, _PROFILES, _WISHES = "profile", "profiles", "wishes"

Check = Callable[[Any], Value | None]  # what a value should be and is not; None if it is all right


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


_named = ""  # the file that this command is to read instead of the usual one, if it is


def take_from(file: str) -> None:
    """Read another file than the usual one from now on; nothing is the usual one again."""
    global _named
    _named = file


def named() -> bool:
    """Whether it is another file than the usual one."""
    return bool(_named)


def path() -> str:
    """Where the file is, if there is one."""
    return _named or os.path.join(paths.config_folder(), "config.toml")


def old_path() -> str:
    """Where it was at first; another program that is called like the command has a file of its own there."""
    return os.path.join(os.path.dirname(paths.config_folder()), "dominion-setup", "config.toml")


def read() -> Defaults:
    """What the file says; nothing if there is none."""
    file, old = path(), old_path()
    if named() or os.path.exists(file):
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
        otherwise = message("there is none in {file}", file=Typed(path()))
        if known:
            otherwise = message("there are {names}", names=Listed(as_typed(known)))
        raise UnknownName("profile", asked, as_typed(nearest(asked, known)), otherwise)
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
        return Holding({}, [] if defaults.old else [Message(defaults.fault)])
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
    faults: list[Message]


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
                found.faults.append(_cannot(before + key, nearest(key, checks)))
        elif wanted := checks[key](value):
            found.faults.append(_is_not(f"{before}{key}", value, wanted))
        else:
            found.values[key] = Held(value, source)


def _cannot(key: str, hits: Sequence[str]) -> Message:
    """That a key is none of those that there are."""
    if hits:
        can = Typed(hits[0])
        return message("{key} cannot have a default; {other} can", key=quoted(key), other=can)
    return message("{key} cannot have a default; `dominion-setup config` lists what can", key=quoted(key))


def _is_not(key: str, value: object, wanted: Value) -> Message:
    """That a value is not what it should be."""
    said = Typed(f"{key} = {short(value)}")
    return message("{said} is not {wanted}", said=said, wanted=wanted)


def _faults_of_profiles(defaults: Defaults) -> Iterable[Message]:
    tables = defaults.said.get(_PROFILES, {})
    if not isinstance(tables, dict) or len(tables) != len(defaults.profiles):
        yield _is_not(_PROFILES, tables, message("a table of profiles"))
    usual = defaults.said.get(_PROFILE, "")
    if usual and not profile_of(defaults, ""):
        hits = nearest(str(usual), defaults.profiles) or list(defaults.profiles)
        wanted = either(as_typed(hits)) if hits else message("a profile: there is none")
        yield _is_not(_PROFILE, usual, wanted)


def _faults_of_wishes(defaults: Defaults) -> Iterable[Message]:
    table = defaults.said.get(_WISHES, {})
    if not isinstance(table, dict):
        yield _is_not(_WISHES, table, message("a table of wishes"))
    elif wrong := [(name, said) for name, said in table.items() if _not_texts(said)]:
        name, said = wrong[0]
        yield _is_not(f"{_WISHES}.{name}", said, message("a text or a list of texts"))


def _not_texts(said: object) -> bool:
    texts = said if isinstance(said, list) and said else [said]
    return not all(isinstance(text, str) and text.strip(" ,") for text in texts)


def warned(faults: Iterable[Value]) -> Message:
    """A warning of what is wrong with the file."""
    wrong = Listed(tuple(faults), between="; ")
    return message("Warning: {file}: {faults}; that is ignored.", file=Typed(path()), faults=wrong)


def moved() -> Message:
    """Moves the file from its old place to the new one; says that it is there, or should be."""
    old, file = old_path(), path()
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        os.replace(old, file)
    except OSError as problem:
        said = "Warning: {old} should be {file}, but cannot be moved: {why}."
        return message(said, old=Typed(old), file=Typed(file), why=reason(problem))
    return message("Your defaults have moved to {file}.", file=Typed(file))
