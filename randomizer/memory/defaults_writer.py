"""Changes to the user's configuration file that preserve its comments and the order of its lines."""

import os
import sqlite3
import stat
import tomllib
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import closing, contextmanager
from errno import EAGAIN
from itertools import pairwise
from typing import Any

import tomlkit
from tomlkit.items import Array, InlineTable

from randomizer.load.files import read_bounded, write_atomically
from randomizer.memory import defaults
from randomizer.text.errors import BadUsage
from randomizer.text.language import Verbatim

_LOCK_TIMEOUT = 30  # seconds

# The current values by key: those of the table to change, and for a profile then those outside profiles.
CurrentValues = ChainMap[str, Any]
# The keys that lead to a table of the file; empty for the top-level table.
TablePath = Sequence[str]


def read() -> bytes:
    """Return the content of the file. If it does not exist, the content is empty.

    Raises:
        BadUsage: the path is not that of a regular file.
        OSError: the file cannot be read.
    """
    file = _resolve_path()
    return read_bounded(file) if os.path.exists(file) else b""


def _resolve_path() -> str:
    """Return the path of the file, which need not exist.

    Symbolic links are resolved, so that writing the file does not replace them.

    Raises:
        BadUsage: the path is that of a folder or a device, which must not be replaced by a file.
    """
    file = os.path.realpath(defaults.get_path())
    if os.path.lexists(file) and not os.path.isfile(file):
        raise BadUsage("{file} is not a regular file.", file=Verbatim(file))
    return file


def update(path: TablePath, choose: Callable[[CurrentValues], Mapping[str, Any]]) -> Mapping[str, Any]:
    """Change values in the file. Other processes that want to change the file wait until this is finished.

    Args:
        path: the path of the table to change, which need not exist.
        choose: returns the changed values by key, given the current ones; None removes a value.

    Returns:
        The changed values by key.

    Raises:
        BadUsage: the file cannot be parsed, or is not a regular file.
        OSError: the file cannot be read or written, and is unchanged.
    """
    with _lock():
        content = read()
        configuration = defaults.parse(content)
        if configuration.error:
            raise BadUsage("{file}: {why}", file=Verbatim(defaults.get_path()), why=configuration.error)
        table = defaults.normalize_keys(_get_table(configuration.table, path) or {})
        is_profile = defaults.PROFILES in path[:1]
        changed = choose(ChainMap(table, *([{**configuration.table}] if is_profile else [])))
        _write(_update_text(content.decode("utf-8-sig"), path, changed).encode())
    return changed


def replace(old: bytes, new: bytes) -> None:
    """Replace the content of the file, unless another program has changed it.

    Raises:
        BadUsage: the content is not `old` any more, or the path is not that of a regular file.
        OSError: the file cannot be read or written, and is unchanged.
    """
    with _lock():
        if read() != old:
            raise BadUsage("{file} has changed in the meantime.", file=Verbatim(defaults.get_path()))
        _write(new)


def format_value(key: str, value: Any) -> str:
    """Return a line of TOML that sets a value, such as `players = 4`."""
    return f"{key.replace('_', '-')} = {tomlkit.item(value).as_string()}"


@contextmanager
def _lock() -> Iterator[None]:
    """Hold an exclusive lock on the file during the `with` block.

    SQLite provides the lock, which works on every operating system and ends with the process.

    Raises:
        OSError: the lock cannot be created, or another process does not release it.
    """
    path = f"{_resolve_path()}.lock"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(path, timeout=_LOCK_TIMEOUT, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as problem:
            raise OSError(EAGAIN, str(problem), path) from None
        yield


def _write(content: bytes) -> None:
    """Write the file, but keep its permissions."""
    file = _resolve_path()
    mode = stat.S_IMODE(os.stat(file).st_mode) if os.path.exists(file) else None
    write_atomically(file, content, mode)


# ── The text of the file ──


def _get_table(table: Mapping[str, Any], path: TablePath) -> Mapping[str, Any] | None:
    """Return the table at a path within another table, or None if the path does not lead to a table."""
    for key in path:
        value = table.get(key)
        if not isinstance(value, dict):
            return None
        table = value
    return table


def _update_text(text: str, path: TablePath, changed: Mapping[str, Any]) -> str:
    """Change values in the text of a configuration file.

    Args:
        text: the text, which is valid TOML.
        path: the path of the table to change.
        changed: the changed values by key; None removes a value.

    Raises:
        BadUsage: the value at this path is not written as a table.
    """
    # Each section is parsed alone. Otherwise, tomlkit would insert a new value below the comment that belongs
    # to the next table.
    sections = _split_into_sections(text)
    index = _find_section(sections, path) if path else 0
    if index == len(sections):
        sections.append("")
    section, is_new = sections[index], not sections[index]
    # The text is parsed again for each change, because tomlkit fails if several dotted keys change.
    # Values are removed last, so that the table is not empty, and therefore removed, in between.
    for key, value in sorted(changed.items(), key=lambda item: item[1] is None):
        document = tomlkit.parse(section)
        if path:
            _change_value_at(document, path, key, value)
        else:
            _change_value(document, key, value)
        section = tomlkit.dumps(document)
    if is_new and index > 0 and "".join(sections):
        section = f"\n{section}"
    elif is_new and index < len(sections) - 1:
        section += "\n"
    sections[index] = section
    return "".join(sections)


def _split_into_sections(text: str) -> list[str]:
    """Split a TOML file into the part before its first table, and a part for each table.

    Comments directly above the header of a table belong to its part. Every part ends with a newline.
    """
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    starts = [0]

    def is_complete(end: int) -> bool:
        """Return whether the last part, cut off before line `end`, is valid TOML. It is not within a list."""
        try:
            tomllib.loads("".join(lines[starts[-1] : end]))
        except tomllib.TOMLDecodeError:
            return False
        return True

    for index, line in enumerate(lines):
        if line.lstrip().startswith("[") and is_complete(index):
            start = index
            while start and lines[start - 1].startswith("#") and is_complete(start - 1):
                start -= 1
            starts.append(start)
    return ["".join(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]


def _find_section(sections: Sequence[str], path: TablePath) -> int:
    """Return the index of the section with the table, or the index at which to add a section for it."""
    for index, section in enumerate(sections):
        if path[-1] in (_get_table(tomllib.loads(section), path[:-1]) or {}):
            return index
    header = ".".join(tomlkit.key(key).as_string() for key in path)
    try:
        tomllib.loads(f"{''.join(sections)}\n[{header}]")
    except tomllib.TOMLDecodeError:  # Part of the path is a value, so no section can be added.
        return 0
    return len(sections)


def _change_value_at(document: tomlkit.TOMLDocument, path: TablePath, key: str, value: Any) -> None:
    """Set or remove a value of the table at a path. The table is removed if it becomes empty.

    Raises:
        BadUsage: the value at this path is not written as a table.
    """
    *parents, name = path
    parent: Any = document
    for parent_key in parents:
        parent = parent.setdefault(parent_key, tomlkit.table(is_super_table=True))
    new_table = tomlkit.inline_table() if isinstance(parent, InlineTable) else tomlkit.table()
    table = parent.setdefault(name, new_table) if isinstance(parent, MutableMapping) else None
    if not isinstance(table, MutableMapping):
        template = "{file}: {table} is not written as a table; use `dominion-setup config edit`."
        raise BadUsage(template, file=Verbatim(defaults.get_path()), table=Verbatim(".".join(path)))
    _change_value(table, key, value)
    if not table:
        del parent[name]


def _change_value(table: MutableMapping[str, Any], key: str, value: Any) -> None:
    """Set or remove a value of a table. An existing key keeps its spelling, with hyphens or underscores."""
    spellings = [each for each in table if each.replace("-", "_") == key]
    for spelling in spellings[:-1] if value is not None else spellings:
        del table[spelling]
    if value is not None:
        spelling = spellings[-1] if spellings else key.replace("_", "-")
        _set_value(table, spelling, value)


def _set_value(table: MutableMapping[str, Any], key: str, value: Any) -> None:
    """Set a value. Comments within a list are preserved, except those after a removed item."""
    current = table.get(key)
    if isinstance(current, Array) and isinstance(value, list):
        for index in reversed(range(len(current))):
            if current[index] not in value:
                del current[index]
        current.extend(item for item in value if item not in current)
    if current != value:
        table[key] = value
