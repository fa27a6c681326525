"""Reads YAML into the values that the code declares, and collects every fault with its path.

The annotations are the schema: a record takes exactly the fields of its named tuple, each read as its
annotation says. Shapes are checked while reading, names once everything has been read.
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from hashlib import sha256
from reprlib import repr as short
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, NewType, Union, get_args, get_origin, get_type_hints

import yaml

from randomizer.cards.effect import Effects
from randomizer.cards.model import MOST, Amount, Cost, Count, Year
from randomizer.deal.verbs import VERBS
from randomizer.load.files import contents
from randomizer.text.encoding import visible
from randomizer.text.errors import BadData, nearest

_COST = re.compile(r"(?:(\d{1,4})([*+]?))?(?: ?(P))?(?: ?(\d{1,4})D)?")
_LONGEST = 300  # letters of a text ...
_LONGEST_PROSE = 20_000  # ... or of one with many lines
_CALLED = {"DoesName": "word"}  # sorts of names that are not called after their `NewType`
_DEEPEST = 50  # levels; the reader of YAML calls itself for each, and takes the program down at some depth


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The safe loader, in which a key stands once, and `on`, `1e` or a date is just text."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key that is not a name", key.start_mark
                )
            if key.value in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key.value!r} is given twice", key.start_mark
                )
            seen.add(key.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


for _tag, _pattern, _first in (
    ("bool", "true|false", "tf"),
    ("int", "0|[1-9][0-9]{0,8}", "0123456789"),
    ("null", "~|null|", ["~", "n", ""]),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), list(_first))


class Reader:
    """Reads any number of files, one after the other.

    Args:
        prose: a text may have many lines.

    Attributes:
        faults: every fault so far, each with its file and path.
        digest: of all the files.
        whole: every file so far could be made into a record; what one defines is missing otherwise.
    """

    def __init__(self, *, prose: bool = False) -> None:
        self._prose = prose
        self.faults: list[str] = []
        self.digest = sha256()
        self.whole = True
        self._file = ""
        self._names: list[tuple[str, str, str]] = []

    def file(self, path: str, wanted: Any) -> Any:
        """A file as a record; None, and faults, where it is none.

        Raises:
            OSError: the file cannot be read.
        """
        content = contents(path)
        self.digest.update(content)
        self._file = re.split(r"[/\\]", path)[-1]
        record = self._record_of(content, wanted)
        self.whole = self.whole and record is not None
        return record

    def _record_of(self, content: bytes, wanted: Any) -> Any:
        """The content of a file as a record; None, and faults, where it is none."""
        try:
            text = content.decode("utf-8-sig")
            refused = _refused(text)
            if not refused:
                return self.read(yaml.load(text, Loader=_Loader), wanted, "")  # noqa: S506  # a safe loader
            self.fault("", refused)
        except UnicodeDecodeError as problem:
            self.fault(f"byte {problem.start + 1}", "not UTF-8")
        except (yaml.YAMLError, ValueError) as problem:
            mark = getattr(problem, "problem_mark", None)
            what = getattr(problem, "problem", None) or str(problem)
            self.fault(f"line {mark.line + 1}" if mark else "", what)
        return None

    def fault(self, path: str, what: str) -> None:
        """Note that what stands at the path of the present file is wrong."""
        self.faults.append(visible(": ".join(filter(None, (self._file, path, what)))))

    def finish(self, known: Mapping[str, Collection[str]]) -> None:
        """Check every name that was read against the known ones of its sort, if all of those have been read.

        Args:
            known: by the name of the `NewType` that the annotations use.

        Raises:
            BadData: with all the faults there are.
        """
        for sort, name, where in self._names if self.whole else ():
            if name not in known[sort]:
                called = _CALLED.get(sort) or sort.removesuffix("Name").lower()
                self.faults.append(visible(f"{where}: no {called} named {name!r}{_hint(name, known[sort])}"))
        if self.faults:
            raise BadData(self.faults)

    def read(self, node: Any, wanted: Any, path: str) -> Any:
        """The node as a value of the annotated type; None, and a fault, where it is none."""
        if wanted == Effects:
            return self._effects(node, path)
        if wanted in _SCALARS:
            called, scalar = _SCALARS[wanted]
            value = scalar(node)
            if value is None:
                self.fault(path, f"not {called}: {short(node)}")
            elif wanted is str and (unfit := self._unfit(value)):
                self.fault(path, f"{unfit}: {short(node)}")
                return None
            return value
        if isinstance(wanted, NewType):
            text = self.read(node, str, path)
            if text is not None:
                self._names.append((wanted.__name__, text, f"{self._file}: {path}"))
            return text
        origin, parts = get_origin(wanted), get_args(wanted)
        if origin is Literal:
            if node in parts:
                return node
            self.fault(path, f"not one of {', '.join(filter(None, parts))}: {short(node)}")
            return None
        if origin in (UnionType, Union):
            (inner,) = (part for part in parts if part is not NoneType)
            return self.read(node, inner, path)
        if origin is tuple:
            return (self._pairs if get_origin(parts[0]) is tuple else self._list)(node, parts[0], path)
        return self.record(node, wanted, path)

    def _unfit(self, text: str) -> str:
        """What is wrong with a text, whatever it says."""
        lines = text.split("\n") if self._prose else [text]
        if any(line != visible(line) for line in lines):
            return "a text with characters that cannot be seen"
        most = _LONGEST_PROSE if self._prose else _LONGEST
        return f"a text of more than {most} letters" if len(text) > most else ""

    def record(self, node: Any, wanted: Any, path: str) -> Any:
        """A named tuple from a mapping: no field unknown, none missing that has no default."""
        if not isinstance(node, Mapping):
            self.fault(path, f"not a mapping: {short(node)}")
            return None
        fields = {field.rstrip("_"): field for field in wanted._fields}
        values = {}
        for key, value in node.items():
            if key not in fields:
                self.fault(path, f"unknown field {short(key)}{_hint(str(key), fields)}")
                continue
            field = fields[key]
            values[field] = self.read(value, _hints(wanted)[field], f"{path}.{key}" if path else key)
        missing = [
            key
            for key, field in fields.items()
            if field not in values and field not in wanted._field_defaults
        ]
        if missing:
            self.fault(path, f"{', '.join(missing)} missing")
        whole = not missing and None not in values.values()
        return wanted(**values) if whole else None

    def _list(self, node: Any, item: Any, path: str) -> Any:
        """A list, of which a single value is the short form. What has a name goes by it in a path."""
        if not isinstance(node, list):
            values = [self.read(node, item, path)]
        else:
            values = []
            for place, value in enumerate(node):
                name = value.get("id", value.get("name")) if isinstance(value, Mapping) else None
                values.append(self.read(value, item, name if isinstance(name, str) else f"{path}[{place}]"))
        return None if None in values else tuple(values)

    def _pairs(self, node: Any, item: Any, path: str) -> Any:
        """A mapping as pairs, in the order of the file."""
        if not isinstance(node, Mapping):
            self.fault(path, f"not a mapping: {short(node)}")
            return None
        key_type, value_type = get_args(item)
        pairs = [
            (self.read(key, key_type, path), self.read(value, value_type, f"{path}.{key}"))
            for key, value in node.items()
        ]
        return None if any(None in pair for pair in pairs) else tuple(pairs)

    def _effects(self, node: Any, path: str) -> Any:
        """Verbs with what they say: a mapping, or a list of mappings."""
        effects = []
        for place, step in enumerate(node if isinstance(node, list) else [node]):
            here = f"{path}[{place}]" if isinstance(node, list) else path
            if not isinstance(step, Mapping):
                self.fault(here, f"not a verb with what it says: {short(step)}")
                return None
            for word, says in step.items():
                verb = VERBS.get(word)
                if verb is None:
                    self.fault(here, f"no verb is called {short(word)}{_hint(str(word), VERBS)}")
                    continue
                fields: tuple[str, ...] = getattr(verb.effect, "_fields", ())
                if verb.bare and not (isinstance(says, Mapping) and set(says) & set(fields)):
                    says = {verb.bare: says}
                effects.append(self.record(says, verb.effect, f"{here}.{word}"))
        return None if None in effects else tuple(effects)


def _refused(text: str) -> str:
    """Why the YAML is not to be read, before any of it is made into values."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if getattr(event, "anchor", None):  # with those a short file could stand for a gigantic one
            return "anchors and aliases are not read"
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            return "nested too deeply"
    return ""


@cache
def _hints(wanted: Any) -> dict[str, Any]:
    return get_type_hints(wanted)


def _hint(name: str, known: Collection[str]) -> str:
    hits = nearest(name, known, 1)
    return f"; {hits[0]}?" if hits else ""


def _text(node: Any) -> str | None:
    return str(node) if isinstance(node, (str, int)) and not isinstance(node, bool) else None


def _whole(node: Any) -> int | None:
    return node if isinstance(node, int) and not isinstance(node, bool) else None


def _number(node: Any) -> int | None:
    number = _whole(node)
    return None if number is None or not 0 <= number <= MOST else number


def _year(node: Any) -> int | None:
    year = _whole(node)
    return None if year is None or not 0 <= year <= 9999 else year


def _flag(node: Any) -> bool | None:
    return node if isinstance(node, bool) else None


def _cost(node: Any) -> Cost | None:
    """`2`, `3+`, `7*`, `2 P`, `8D`, `4 3D`."""
    found = _COST.fullmatch(_text(node) or "")
    if not found or not found.group():
        return None
    coins, mark, potion, debt = found.groups()
    cost = Cost(int(coins or 0), 1 if potion else 0, int(debt or 0), mark or "")
    return cost if max(cost.coins, cost.debt) <= MOST else None


def _count(node: Any) -> Count | None:
    """`10`, or by the number of players `{2: 8, 3: 12}`."""
    steps = node if isinstance(node, Mapping) else {0: node}
    if not steps or any(_number(value) is None for step in steps.items() for value in step):
        return None
    return Count(tuple(sorted(steps.items())))


def _amount(node: Any) -> Amount | None:
    """`3`, `all`, or with the option that changes it `{option: ways, default: 1}`."""
    if node == "all":
        return Amount(None)
    if isinstance(node, Mapping) and set(node) == {"option", "default"}:
        option, default = node["option"], _number(node["default"])
        named = isinstance(option, str) and option == visible(option)
        return Amount(default, option) if named and default is not None else None
    number = _number(node)
    return None if number is None else Amount(number)


_SCALARS: Mapping[Any, tuple[str, Callable[[Any], Any]]] = {
    str: ("a text", _text),
    int: (f"a number from 0 to {MOST}", _number),
    Year: ("a year", _year),
    bool: ("true or false", _flag),
    Cost: ("a cost", _cost),
    Count: ("a count", _count),
    Amount: ("a number, `all`, or an option with its default", _amount),
}
