"""The user's defaults for options, which are read from `config.toml` or from another file.

Top-level keys are defaults of options. If a profile is chosen, the keys in `[profiles.NAME]` override them.
`[wishes]` defines named wishes. A fault in the file causes a warning, never an error.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from reprlib import repr as short_repr
from typing import Any, NamedTuple

from randomizer.load import paths
from randomizer.load.files import describe_encoding_error, read_bounded
from randomizer.text.errors import UnknownName, describe_os_error, find_suggestions
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

FILE_SOURCE = "file"  # the label of the source of a default outside profiles
PROFILE, PROFILES, WISHES = "profile", "profiles", "wishes"  # the keys that are not names of options

# A check returns a description of the valid values, or None if the given value is valid.
Check = Callable[[Any], Value | None]


class Defaults(NamedTuple):
    """The parsed configuration file. Its values have not been checked yet.

    Attributes:
        table: the top-level table. Hyphens in keys have been replaced with underscores.
        error: the reason why the file could not be read or parsed; None if there was no error.
    """

    table: Mapping[str, Any]
    error: Message | None = None

    @property
    def profiles(self) -> dict[str, Mapping[str, Any]]:
        """The profiles by name. Malformed profiles are omitted."""
        profiles = self.table.get(PROFILES)
        return {
            name: table
            for name, table in (profiles.items() if isinstance(profiles, dict) else ())
            if isinstance(table, dict)
        }

    @property
    def wishes(self) -> dict[str, Sequence[str]]:
        """The unparsed values of the user's named wishes, by name. Malformed wishes are omitted."""
        wishes = self.table.get(WISHES)
        return {
            name: [value] if isinstance(value, str) else value
            for name, value in (wishes.items() if isinstance(wishes, dict) else ())
            if _is_valid_wish(value)
        }

    def get_string(self, key: str, profile: str) -> str:
        """Return the string value of a key in a profile or, if the profile lacks the key, at the top level.

        Return an empty string if the value is missing or not a string.
        """
        value = self.profiles.get(profile, {}).get(key, self.table.get(key))
        return value if isinstance(value, str) else ""


_custom_file = ""  # the file to read instead of `config.toml`, if any


def use_file(file: str) -> None:
    """Set the path of the file to read from now on. An empty string selects the standard file again."""
    global _custom_file
    _custom_file = file


def is_custom_file() -> bool:
    """Return whether `use_file` has replaced the standard file."""
    return bool(_custom_file)


def get_path() -> str:
    """Return the path of the file, which need not exist."""
    return _custom_file or os.path.join(paths.config_folder(), "config.toml")


def read() -> Defaults:
    """Read and parse the file. If the standard file does not exist, there are no defaults."""
    if not is_custom_file() and not os.path.exists(get_path()):
        return Defaults({})
    try:
        return parse(read_bounded(get_path()))
    except OSError as problem:
        return Defaults({}, Message(describe_os_error(problem)))


def parse(content: bytes) -> Defaults:
    """Parse the content of a configuration file."""
    import tomllib

    text = ""
    try:
        text = content.decode("utf-8-sig")  # Some editors on Windows insert a byte order mark.
        return Defaults(normalize_keys(tomllib.loads(text)))
    except tomllib.TOMLDecodeError as problem:
        return Defaults({}, _describe_syntax_error(str(problem), text))
    except UnicodeDecodeError as problem:
        return Defaults({}, describe_encoding_error(problem))
    except (ValueError, RecursionError) as problem:
        return Defaults({}, Message(str(problem)))


def _describe_syntax_error(problem: str, text: str) -> Message:
    """Return a message with the line number and the likely cause of a TOML syntax error.

    Args:
        problem: the error message of `tomllib`, such as `Invalid value (at line 3, column 8)`.
        text: the content of the file.
    """
    match = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", problem, re.DOTALL)
    if match is None:
        return Message(problem)
    lines = text.rstrip().split("\n")
    line_number = int(match[2] or len(lines))
    line = lines[line_number - 1] if line_number <= len(lines) else ""
    unquoted = re.fullmatch(r"\s*([\w-]+)\s*=\s*([^\W\d][^\"'#\[\]{}]*?)\s*(?:#.*)?", line)
    if unquoted and unquoted[2] not in ("true", "false"):
        # The message does not quote the line, because `--config-file` may name a file with secrets.
        example = Verbatim('sets = "base"')
        return message(
            "line {number}: text needs quotes, as in {example}", number=line_number, example=example
        )
    if any(line.count(sign) % 2 for sign in "\"'"):
        return message("line {number}: a quotation mark is missing", number=line_number)
    return message("line {number}: {fault}", number=line_number, fault=Verbatim(match[1]))


def normalize_keys(table: Mapping[str, Any]) -> dict[str, Any]:
    """Replace hyphens in the top-level keys of a table with underscores."""
    return {key.replace("-", "_"): value for key, value in table.items()}


def choose_profile(defaults: Defaults, requested: str) -> str:
    """Return the name of the requested profile, or else of the one that the file selects; empty for none.

    Raises:
        UnknownName: the requested profile does not exist.
    """
    known = list(defaults.profiles)
    if not requested:
        chosen = defaults.table.get(PROFILE)
        return chosen if isinstance(chosen, str) and chosen in known else ""
    if requested not in known:
        alternatives = message("{file} has no profiles", file=Verbatim(get_path()))
        if known:
            alternatives = message("choose from {names}", names=JoinedList(as_verbatim(known)))
        raise UnknownName("profile", requested, as_verbatim(find_suggestions(requested, known)), alternatives)
    return requested


def format_profile_source(profile: str) -> str:
    """Return the label for a profile as the source of a default, such as `profile family`."""
    return f"profile {profile}"


def resolve_defaults(
    defaults: Defaults, profile: str, checks: Mapping[str, Check], *, report_unknown: bool
) -> tuple[dict[str, tuple[Any, str]], list[Message]]:
    """Return the defaults that apply, without invalid ones, and the faults of the file.

    Args:
        defaults: the parsed file.
        profile: the name of the chosen profile; empty for none.
        checks: the check for each key that may have a default.
        report_unknown: whether keys without a check are faults; otherwise, they are ignored.

    Returns:
        A pair: the value and the source of each default by key, and a message for each fault. The source is
        `FILE_SOURCE`, or the label of the profile from `format_profile_source`.
    """
    if defaults.error:
        return {}, [defaults.error]
    top_level = {
        key: value for key, value in defaults.table.items() if key not in (PROFILE, PROFILES, WISHES)
    }
    tables = [(top_level, FILE_SOURCE, "")]
    if profile:
        table = normalize_keys(defaults.profiles[profile])
        tables.append((table, format_profile_source(profile), f"{PROFILES}.{profile}."))
    values: dict[str, tuple[Any, str]] = {}
    faults: list[Message] = []
    for table, source, prefix in tables:
        for key, value in table.items():
            if key not in checks:
                if report_unknown:
                    faults.append(describe_unknown_key(key, checks, prefix))
            elif expected := checks[key](value):
                faults.append(describe_wrong_value(prefix + key, value, expected))
            else:
                values[key] = value, source
    faults += [*_find_profile_faults(defaults), *_find_wish_faults(defaults)]
    return values, faults


def describe_unknown_key(key: str, known: Iterable[str], prefix: str = "") -> Message:
    """Return a message about a key that cannot have a default, with the most similar key that can.

    Args:
        key: the key.
        known: all keys that can have a default.
        prefix: the path of the table that contains the key, such as `profiles.family.`.
    """
    if suggestions := find_suggestions(key, known):
        other = Verbatim(suggestions[0])
        return message("{key} can't have a default, but {other} can", key=quote(prefix + key), other=other)
    template = "{key} can't have a default (`dominion-setup config` lists the options that can)"
    return message(template, key=quote(prefix + key))


def describe_wrong_value(key: str, value: object, expected: Value) -> Message:
    """Return a message about an invalid value, with a description of the values that were expected."""
    setting = Verbatim(f"{key} = {short_repr(value)}")
    return message("{setting} must be {wanted}", setting=setting, wanted=expected)


def _find_profile_faults(defaults: Defaults) -> Iterable[Message]:
    """Yield the faults in the values of `profiles` and `profile`."""
    profiles, known = defaults.table.get(PROFILES, {}), defaults.profiles
    if not isinstance(profiles, dict) or len(profiles) != len(known):
        yield describe_wrong_value(PROFILES, profiles, message("a table of profiles"))
    chosen = defaults.table.get(PROFILE, "")
    if chosen and chosen not in list(known):
        names = as_verbatim(find_suggestions(str(chosen), known) or known)
        expected = join_with_or(names) if names else message("the name of a profile, but there are none")
        yield describe_wrong_value(PROFILE, chosen, expected)


def _find_wish_faults(defaults: Defaults) -> Iterable[Message]:
    """Yield the first fault in the value of `wishes`, if there is one."""
    wishes = defaults.table.get(WISHES, {})
    if not isinstance(wishes, dict):
        yield describe_wrong_value(WISHES, wishes, message("a table of wishes"))
        return
    for name, value in wishes.items():
        if not _is_valid_wish(value):
            yield describe_wrong_value(f"{WISHES}.{name}", value, message("text or a list of texts"))
            return


def _is_valid_wish(value: object) -> bool:
    """Return whether the value of a named wish is a non-empty string or a non-empty list of such strings."""
    items = value if isinstance(value, list) and value else [value]
    return all(isinstance(item, str) and item.strip(" ,") for item in items)


def build_warning(faults: Iterable[Value]) -> Message:
    """Build the warning that lists the faults of the file."""
    listed = JoinedList(tuple(faults), separator="; ")
    return message("Warning: {file}: {faults}; this is ignored.", file=Verbatim(get_path()), faults=listed)
