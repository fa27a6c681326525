"""The user's own defaults, read from `config.toml` in the configuration folder or from another file.

Keys at the top of the file are defaults of options. Those in `[profiles.NAME]` replace them where that
profile is chosen. `[wishes]` gives names to wishes. A fault in the file causes a warning, never an error.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from reprlib import repr as short_repr
from typing import Any, NamedTuple

from randomizer.load import paths
from randomizer.load.files import read_bounded
from randomizer.text.errors import UnknownName, find_suggestions
from randomizer.text.language import (
    JoinedList,
    Message,
    Value,
    Verbatim,
    as_verbatim,
    join_with_or,
    message,
    quote,
)

FILE = "file"  # the source of a default that is not in a profile
_PROFILE, _PROFILES, _WISHES = "profile", "profiles", "wishes"  # keys that are not options

# Returns what a value should have been, or None if the value is valid.
Check = Callable[[Any], Value | None]


class Defaults(NamedTuple):
    """The parsed file, of which no value has been checked.

    Attributes:
        table: the top-level table by key, with `_` in place of `-`.
        error: why the file cannot be read; None if it can be.
    """

    table: Mapping[str, Any]
    error: Message | None = None

    @property
    def profiles(self) -> dict[str, Mapping[str, Any]]:
        """The well-formed profiles by name."""
        profiles = self.table.get(_PROFILES)
        return {
            name: table
            for name, table in (profiles.items() if isinstance(profiles, dict) else ())
            if isinstance(table, dict)
        }

    @property
    def wishes(self) -> dict[str, Sequence[str]]:
        """The texts of the user's named wishes by name; they are parsed where a wish is used."""
        wishes = self.table.get(_WISHES)
        return {
            name: [texts] if isinstance(texts, str) else texts
            for name, texts in (wishes.items() if isinstance(wishes, dict) else ())
            if _is_wish(texts)
        }

    def get_text(self, key: str, profile: str) -> str:
        """Return the text of a key in the profile or else at the top of the file; "" if it is no text."""
        value = self.profiles.get(profile, {}).get(key, self.table.get(key))
        return value if isinstance(value, str) else ""


_custom_file = ""  # the file that this command reads instead of the usual one, if any


def use_file(file: str) -> None:
    """Read another file than the usual one from now on; the empty string selects the usual one again."""
    global _custom_file
    _custom_file = file


def is_custom_file() -> bool:
    """Return whether another file than the usual one is read."""
    return bool(_custom_file)


def path() -> str:
    """Return the path of the file, which need not exist."""
    return _custom_file or os.path.join(paths.config_folder(), "config.toml")


def read() -> Defaults:
    """Parse the file. Without a file there are no defaults."""
    if not is_custom_file() and not os.path.exists(path()):
        return Defaults({})
    import tomllib

    text = ""
    try:
        text = read_bounded(path()).decode()
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        return Defaults({}, _describe_syntax_error(str(problem), text))
    except (OSError, ValueError, RecursionError) as problem:
        return Defaults({}, Message(str(getattr(problem, "strerror", None) or problem)))
    return Defaults(_with_underscores(table))


def _describe_syntax_error(problem: str, text: str) -> Message:
    """Return the line of a TOML syntax error and its likely cause.

    Args:
        problem: the message of `tomllib`, such as `Invalid value (at line 3, column 8)`.
        text: the content of the file.
    """
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", problem, re.DOTALL)
    if found is None:
        return Message(problem)
    lines = text.rstrip().split("\n")
    number = int(found[2] or len(lines))
    line = lines[number - 1] if number <= len(lines) else ""
    unquoted = re.fullmatch(r"\s*([\w-]+)\s*=\s*([^\W\d][^\"'#\[\]{}]*?)\s*(?:#.*)?", line)
    if unquoted and unquoted[2] not in ("true", "false"):
        example = Verbatim(f'{unquoted[1]} = "{unquoted[2]}"')
        return message("line {number}: text needs quotes, as in {example}", number=number, example=example)
    if any(line.count(sign) % 2 for sign in "\"'"):
        return message("line {number}: a quotation mark is missing", number=number)
    return message("line {number}: {fault}", number=number, fault=Verbatim(found[1]))


def _with_underscores(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("-", "_"): value for key, value in table.items()}


def choose_profile(defaults: Defaults, requested: str) -> str:
    """Return the requested profile, or else the one that the file chooses; empty if there is neither.

    Raises:
        UnknownName: the requested profile does not exist.
    """
    known = list(defaults.profiles)
    if not requested:
        chosen = defaults.table.get(_PROFILE)
        return chosen if isinstance(chosen, str) and chosen in known else ""
    if requested not in known:
        alternatives = message("{file} has no profiles", file=Verbatim(path()))
        if known:
            alternatives = message("choose from {names}", names=JoinedList(as_verbatim(known)))
        raise UnknownName("profile", requested, as_verbatim(find_suggestions(requested, known)), alternatives)
    return requested


def format_profile_source(profile: str) -> str:
    """Return the text that names a profile as the source of a default."""
    return f"profile {profile}"


def resolve_defaults(
    defaults: Defaults, profile: str, checks: Mapping[str, Check], *, report_unknown: bool
) -> tuple[dict[str, tuple[Any, str]], list[Message]]:
    """Return the defaults that apply, and the faults of the file.

    Args:
        defaults: the parsed file.
        profile: the chosen profile, or the empty string.
        checks: the check for each key that may have a default.
        report_unknown: whether a key without a check is a fault; otherwise it is ignored.

    Returns:
        For each key its value, which is valid, and its source: `FILE`, or the profile as
        `format_profile_source` writes it. Then a message for each fault.
    """
    if defaults.error:
        return {}, [defaults.error]
    top = {key: value for key, value in defaults.table.items() if key not in (_PROFILE, _PROFILES, _WISHES)}
    tables = [(top, FILE, "")]
    if profile:
        table = _with_underscores(defaults.profiles[profile])
        tables.append((table, format_profile_source(profile), f"{_PROFILES}.{profile}."))
    values: dict[str, tuple[Any, str]] = {}
    faults: list[Message] = []
    for table, source, prefix in tables:
        for key, value in table.items():
            if key not in checks:
                if report_unknown:
                    faults.append(_describe_unknown_key(prefix + key, find_suggestions(key, checks)))
            elif expected := checks[key](value):
                faults.append(_describe_wrong_value(prefix + key, value, expected))
            else:
                values[key] = value, source
    faults += [*_find_profile_faults(defaults), *_find_wish_faults(defaults)]
    return values, faults


def _describe_unknown_key(key: str, suggestions: Sequence[str]) -> Message:
    if suggestions:
        other = Verbatim(suggestions[0])
        return message("{key} can't have a default, but {other} can", key=quote(key), other=other)
    hint = "{key} can't have a default (`dominion-setup config` lists the options that can)"
    return message(hint, key=quote(key))


def _describe_wrong_value(key: str, value: object, expected: Value) -> Message:
    return message("{said} must be {wanted}", said=Verbatim(f"{key} = {short_repr(value)}"), wanted=expected)


def _find_profile_faults(defaults: Defaults) -> Iterable[Message]:
    """Yield the faults of `profiles`, and of `profile`, which chooses one of them."""
    profiles, known = defaults.table.get(_PROFILES, {}), defaults.profiles
    if not isinstance(profiles, dict) or len(profiles) != len(known):
        yield _describe_wrong_value(_PROFILES, profiles, message("a table of profiles"))
    chosen = defaults.table.get(_PROFILE, "")
    if chosen and chosen not in list(known):
        names = as_verbatim(find_suggestions(str(chosen), known) or known)
        expected = join_with_or(names) if names else message("the name of a profile, but there are none")
        yield _describe_wrong_value(_PROFILE, chosen, expected)


def _find_wish_faults(defaults: Defaults) -> Iterable[Message]:
    """Yield the first fault of `wishes`, if it has any."""
    wishes = defaults.table.get(_WISHES, {})
    if not isinstance(wishes, dict):
        yield _describe_wrong_value(_WISHES, wishes, message("a table of wishes"))
        return
    for name, texts in wishes.items():
        if not _is_wish(texts):
            yield _describe_wrong_value(f"{_WISHES}.{name}", texts, message("text or a list of texts"))
            return


def _is_wish(value: object) -> bool:
    """Return whether the value of a named wish is a non-empty text or a list of such texts."""
    texts = value if isinstance(value, list) and value else [value]
    return all(isinstance(text, str) and text.strip(" ,") for text in texts)


def build_warning(faults: Iterable[Value]) -> Message:
    """Return the warning that lists the faults of the file."""
    listed = JoinedList(tuple(faults), between="; ")
    return message("Warning: {file}: {faults}; this is ignored.", file=Verbatim(path()), faults=listed)
