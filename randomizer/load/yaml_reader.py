"""Reads YAML files, and reports all their faults, not only the first one.

The annotations of named tuples serve as the schema. The structure of a file is checked while it is read.
References to names are checked when all files have been read.
"""

import re
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from reprlib import repr as short_repr
from typing import Any, ClassVar

import yaml

from randomizer.cards.model import MAX_NUMBER, Amount, Cost, Count, Year
from randomizer.deal.verbs import VERBS
from randomizer.load.annotations import Shape, describe, get_fields
from randomizer.load.entryfile import LongText
from randomizer.load.files import describe_encoding_error, read_bounded
from randomizer.text.encoding import escape_control_characters
from randomizer.text.errors import BadData, find_suggestions
from randomizer.text.language import Message, Verbatim, message

_COST = re.compile(r"(?:(\d{1,4})([*+]?))?(?: ?(P))?(?: ?(\d{1,4})D)?")
_MAX_LINE_LENGTH = 300  # characters of a single-line text
_MAX_TEXT_LENGTH = 20_000  # characters of a multi-line text
_MAX_DEPTH = 50  # levels of nesting; PyYAML is recursive, so deeper nesting could overflow the stack
# What messages call a kind of name that is not called by the name of its `NewType`.
_KIND_LABELS = {"DoesName": "word"}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A safe loader that rejects duplicate keys and reads `on`, `1e` and dates as strings."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen_keys = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key that is not a name", key.start_mark
                )
            if key.value in seen_keys:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key.value!r} is given twice", key.start_mark
                )
            seen_keys.add(key.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


for _tag, _pattern, _first_characters in (
    ("bool", "true|false", "tf"),
    ("int", "0|[1-9][0-9]{0,8}", "0123456789"),
    ("null", "~|null|", ["~", "n", ""]),
):
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), list(_first_characters)
    )


class YamlReader:
    """A reader for one or more files that refer to each other.

    Args:
        multiline: whether strings may contain line breaks.

    Attributes:
        faults: a message for each fault so far, with its file and the path within the file.
        digest: the SHA-256 hash of the contents of all files so far.
        is_complete: whether all files so far were valid. If not, some definitions may be missing, so that
            references cannot be checked.
        file: the name of the current file in messages.
        given_fields: the names of the fields that the current file sets, by the class and the path of each
            record.
    """

    def __init__(self, *, multiline: bool = False) -> None:
        self._multiline = multiline
        self.faults: list[str | Message] = []
        self.digest = sha256()
        self.is_complete = True
        self.file = ""
        self.given_fields: dict[tuple[Any, str], Collection[str]] = {}
        self._references: list[tuple[str, str, str]] = []  # kind, name and location

    def read_file(self, path: str, annotation: Any, label: str = "") -> Any:
        """Read a file and convert it to a type; if it is invalid, record the faults and return None.

        Args:
            path: the path of the file.
            annotation: the type, usually a named tuple.
            label: the name of the file in messages; by default, the last component of its path.

        Raises:
            OSError: the file cannot be read.
        """
        content = read_bounded(path)
        self.digest.update(content)
        self.file = label or re.split(r"[/\\]", path)[-1]
        self.given_fields = {}
        value = self._parse(content, annotation)
        self.is_complete = self.is_complete and value is not None
        return value

    def _parse(self, content: bytes, annotation: Any) -> Any:
        try:
            text = content.decode("utf-8-sig")
            if problem := _find_syntax_fault(text):
                self.add_fault("", problem)
                return None
            node = yaml.load(text, Loader=_Loader)  # noqa: S506  # a safe loader
            shape = describe(annotation)
            if problem := _find_format_fault(node, shape):
                self.add_fault("", problem)
                return None
            return self._read(node, shape, "")
        except UnicodeDecodeError as error:
            why = describe_encoding_error(error)
            self.faults.append(message("{file}: {why}", file=Verbatim(self.file), why=why))
        except (yaml.YAMLError, ValueError) as error:
            mark = getattr(error, "problem_mark", None)
            problem = getattr(error, "problem", None) or str(error)
            fields = _list_fields(describe(annotation))
            if fields and not re.search(rf"\b({'|'.join(fields)})\b['\"]?\s*:", text):
                problem = "not a data file"  # PyYAML's message could reveal part of an unrelated file.
            self.add_fault(f"line {mark.line + 1}" if mark else "", problem)
        return None

    def add_fault(self, path: str, problem: str, file: str = "") -> None:
        """Record a fault.

        Args:
            path: the path of the faulty value within the file; empty for the whole file.
            problem: the description of the fault.
            file: the name of the file; by default, the current file.
        """
        parts = filter(None, (file or self.file, path, problem))
        self.faults.append(escape_control_characters(": ".join(parts)))

    def list_references(self) -> set[tuple[str, str]]:
        """Return (name of the `NewType`, name) for each name to which the files so far refer."""
        return {(kind, name) for kind, name, _ in self._references}

    def check_names(self, defined_names: Mapping[str, Collection[str]]) -> None:
        """Check that all names to which the files refer are defined, and raise the recorded faults.

        The names are not checked if a file was invalid.

        Args:
            defined_names: the defined names, by the name of their `NewType`, such as `CardName`.

        Raises:
            BadData: there are faults.
        """
        for kind, name, location in self._references if self.is_complete else ():
            if name not in defined_names[kind]:
                label = _KIND_LABELS.get(kind) or kind.removesuffix("Name").lower()
                suggestion = _format_suggestion(name, defined_names[kind])
                self.faults.append(
                    escape_control_characters(f"{location}: no {label} named {name!r}{suggestion}")
                )
        self.raise_faults()

    def raise_faults(self) -> None:
        """Raise the recorded faults, if there are any.

        Raises:
            BadData: there are faults.
        """
        if self.faults:
            raise BadData(self.faults)

    def _read(self, node: Any, shape: Shape, path: str) -> Any:
        """Convert a node to the type that a shape describes. If that fails, record why and return None."""
        match shape:
            case Shape(type=type_) if type_ in _SCALARS:
                return self._read_scalar(node, type_, path)
            case Shape("reference", kind):
                name = self._read_scalar(node, str, path)
                if name is not None:
                    self._references.append((kind.__name__, name, f"{self.file}: {path}"))
                return name
            case Shape("enumeration", constants=constants):
                if node in constants:
                    return node
                self.add_fault(path, f"not one of {', '.join(filter(None, constants))}: {short_repr(node)}")
                return None
            case Shape("nullable", parts=(value,)):
                return self._read(node, value, path)
            case Shape("list", parts=(Shape("pair", parts=(key, value)),)):
                return self._read_pairs(node, key, value, path)
            case Shape("list", parts=(item,)):
                return self._read_list(node, item, path)
            case Shape("effects"):
                return self._read_effects(node, path)
            case Shape("record", record):
                return self.read_record(node, record, path)
        raise TypeError(f"no data file can contain a {shape}")

    def _read_scalar(self, node: Any, type_: Any, path: str) -> Any:
        description, parse = _SCALARS[type_]
        value = parse(node)
        if value is None:
            self.add_fault(path, f"not {description}: {short_repr(node)}")
        elif type_ in (str, LongText) and (
            problem := self._find_text_fault(value, multiline=self._multiline or type_ is LongText)
        ):
            self.add_fault(path, f"{problem}: {short_repr(node)}")
            return None
        return value

    def _find_text_fault(self, text: str, *, multiline: bool) -> str:
        """Return a description of what is wrong with a text; empty if it is valid."""
        lines = text.split("\n") if multiline else [text]
        if any(line != escape_control_characters(line) for line in lines):
            return "a text with invisible characters"
        max_length = _MAX_TEXT_LENGTH if multiline else _MAX_LINE_LENGTH
        return f"a text of more than {max_length} characters" if len(text) > max_length else ""

    def read_record(self, node: Any, record: Any, path: str) -> Any:
        """Convert a mapping to a named tuple; if it is invalid, record the faults and return None.

        In files, fields such as `is_` are written without the trailing underscore.

        Args:
            node: the parsed YAML.
            record: the class of the named tuple.
            path: the path of the node within the file.
        """
        if not isinstance(node, Mapping):
            self.add_fault(path, f"not a mapping: {short_repr(node)}")
            return None
        shapes = get_fields(record)
        fields = {field.rstrip("_"): field for field in shapes}
        values = {}
        for key, value in node.items():
            if key not in fields:
                self.add_fault(path, f"unknown field {short_repr(key)}{_format_suggestion(str(key), fields)}")
                continue
            field = fields[key]
            values[field] = self._read(value, shapes[field], f"{path}.{key}" if path else key)
        self.given_fields[record, path] = values.keys()
        missing = [
            key
            for key, field in fields.items()
            if field not in values and field not in record._field_defaults
        ]
        if hasattr(record, "list_missing"):
            missing += record.list_missing(values)
        if missing:
            self.add_fault(path, f"{', '.join(missing)} missing")
        is_valid = not missing and None not in values.values()
        return record(**values) if is_valid else None

    def _read_list(self, node: Any, item: Shape, path: str) -> Any:
        """Convert a list to a tuple. A list of one item may be written as the item alone.

        In the paths of faults, an item is identified by its id or name, or by the name of what it replaces.
        If it has none of these, it is identified by its index.
        """
        if not isinstance(node, list):
            values = [self._read(node, item, path)]
        else:
            values = []
            for index, value in enumerate(node):
                keys = ("id", "name", "replaces") if isinstance(value, Mapping) else ()
                name = next((value[key] for key in keys if key in value), None)
                values.append(self._read(value, item, name if isinstance(name, str) else f"{path}[{index}]"))
        return None if None in values else tuple(values)

    def _read_pairs(self, node: Any, key_shape: Shape, value_shape: Shape, path: str) -> Any:
        """Convert a mapping to a tuple of pairs, in the order of the file."""
        if not isinstance(node, Mapping):
            self.add_fault(path, f"not a mapping: {short_repr(node)}")
            return None
        prefix = f"{path}." if path else ""
        pairs = [
            (self._read(key, key_shape, path), self._read(value, value_shape, f"{prefix}{key}"))
            for key, value in node.items()
        ]
        return None if any(None in pair for pair in pairs) else tuple(pairs)

    def _read_effects(self, node: Any, path: str) -> Any:
        """Convert a mapping from verbs to their fields, or a list of such mappings, to effects."""
        effects = []
        for index, step in enumerate(node if isinstance(node, list) else [node]):
            step_path = f"{path}[{index}]" if isinstance(node, list) else path
            if not isinstance(step, Mapping):
                self.add_fault(step_path, f"not a verb with its arguments: {short_repr(step)}")
                return None
            for word, fields in step.items():
                verb: Any = VERBS.get(word)
                if verb is None:
                    suggestion = _format_suggestion(str(word), VERBS)
                    self.add_fault(step_path, f"unknown verb {short_repr(word)}{suggestion}")
                    continue
                if verb.default_field and not (
                    isinstance(fields, Mapping) and set(fields) & set(get_fields(verb))
                ):
                    fields = {verb.default_field: fields}
                effects.append(self.read_record(fields, verb, f"{step_path}.{word}"))
        return None if None in effects else tuple(effects)


def _find_format_fault(node: Any, shape: Shape) -> str:
    """Return a description of the fault if a file is probably not a data file; empty if it seems to be one.

    The description quotes nothing from the file, because its path may come from an untrusted source.
    """
    fields = _list_fields(shape)
    if fields and node is None:
        return "the file is empty"
    if not fields or not node:
        return ""
    if not isinstance(node, Mapping):
        return "not a mapping"
    has_known_field = any(key in fields for key in node)
    return "" if has_known_field else f"no known field; the fields are {', '.join(fields)}"


def _list_fields(shape: Shape) -> list[str]:
    """Return the names of a record's fields as written in files; empty for other shapes."""
    return [field.rstrip("_") for field in get_fields(shape.type)] if shape.kind == "record" else []


def _find_syntax_fault(text: str) -> str:
    """Return a description of the fault if a YAML text uses unsupported syntax; empty if it does not."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if getattr(event, "anchor", None):  # With aliases, a short file could expand to a huge value.
            return "anchors and aliases are not supported"
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_DEPTH:
            return "nested too deeply"
    return ""


def _format_suggestion(name: str, known_names: Collection[str]) -> str:
    suggestions = find_suggestions(name, known_names, 1)
    return f"; did you mean {suggestions[0]}?" if suggestions else ""


# ── Scalars: each function returns None if the node is invalid ──


def _parse_text(node: Any) -> str | None:
    return str(node) if isinstance(node, (str, int)) and not isinstance(node, bool) else None


def _parse_integer(node: Any, max_value: int) -> int | None:
    is_integer = isinstance(node, int) and not isinstance(node, bool)
    return node if is_integer and 0 <= node <= max_value else None


def _parse_number(node: Any) -> int | None:
    return _parse_integer(node, MAX_NUMBER)


def _parse_flag(node: Any) -> bool | None:
    return node if isinstance(node, bool) else None


def _parse_cost(node: Any) -> Cost | None:
    """Parse a cost, such as `2`, `3+`, `7*`, `2 P`, `8D` or `4 3D`."""
    match = _COST.fullmatch(_parse_text(node) or "")
    if not match or not match.group():
        return None
    coins, mark, potion, debt = match.groups()
    cost = Cost(int(coins or 0), 1 if potion else 0, int(debt or 0), mark or "")
    return cost if max(cost.coins, cost.debt) <= MAX_NUMBER else None


def _parse_count(node: Any) -> Count | None:
    """Parse a count: a number, or numbers by player count, such as `{2: 8, 3: 12}`."""
    steps = node if isinstance(node, Mapping) else {0: node}
    if not steps or any(_parse_number(value) is None for step in steps.items() for value in step):
        return None
    return Count(tuple(sorted(steps.items())))


def _parse_amount(node: Any) -> Amount | None:
    """Parse an amount: a number, `all`, or an option with a default, as in `{option: ways, default: 1}`."""
    if node == "all":
        return Amount(None)
    if isinstance(node, Mapping) and set(node) == {"option", "default"}:
        option, default = node["option"], _parse_number(node["default"])
        is_option = isinstance(option, str) and option == escape_control_characters(option)
        return Amount(default, option) if is_option and default is not None else None
    number = _parse_number(node)
    return None if number is None else Amount(number)


# The description and the parser of each type that is written as a scalar or has a special notation.
_SCALARS: Mapping[Any, tuple[str, Callable[[Any], Any]]] = {
    str: ("a text", _parse_text),
    LongText: ("a text", _parse_text),
    int: (f"a number from 0 to {MAX_NUMBER}", _parse_number),
    Year: ("a year", lambda node: _parse_integer(node, 9999)),
    bool: ("true or false", _parse_flag),
    Cost: ("a cost", _parse_cost),
    Count: ("a count", _parse_count),
    Amount: ("a number, `all`, or an option with its default", _parse_amount),
}
