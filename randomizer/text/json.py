"""JSON that people can read as well as programs, with escapes for what cannot be seen; and the program's.

The scanner and the encoder are those that `json` itself uses. To import `json` for them would take a
millisecond of every start, most of it to compile patterns that nobody wants here.
"""

from _json import encode_basestring, make_encoder, make_scanner
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

from randomizer.text.encoding import escape_invisible_json

T = TypeVar("T")

_GAP = "\x1f"  # a character that JSON text never has in it as itself
_BETWEEN = "\x7f"  # one that it has as itself; in the data there is none, for nobody could see it


class _Reading:
    """How JSON is read, for the scanner: just as it stands."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float, parse_int, parse_constant = float, int, float


_scan = make_scanner(cast("Any", _Reading))


def loads(text: str | bytes) -> Any:
    """What JSON text says that the program itself has written.

    Raises:
        ValueError: it is damaged. Text from anywhere is for `json` to read, which says what is wrong with it.
    """
    try:
        return _scan(text if isinstance(text, str) else text.decode(), 0)[0]
    except (StopIteration, SystemError) as problem:  # SystemError where `json` is not there to raise its own
        raise ValueError("damaged") from problem


def encoder(between: str = ", ", after_key: str = ": ") -> Callable[[Any], str]:
    """What writes values as JSON, all in a line, with this between parts and after keys."""
    encode = make_encoder(None, _refuse, encode_basestring, None, after_key, between, False, False, False)
    return lambda value: "".join(encode(value, 0))


def _refuse(value: object) -> None:
    raise TypeError(f"JSON has no {type(value).__name__}")


dumps_compact = encoder(",", ":")  # for the program itself to read


def pack_strings(texts: Mapping[str, str]) -> list[str]:
    """Texts by texts as two long ones, which are read in a fifth of the time."""
    return [_BETWEEN.join(texts), _BETWEEN.join(texts.values())]


def unpack_strings(packed: Sequence[str]) -> dict[str, str]:
    """The texts that were packed."""
    keys, values = packed
    return dict(zip(keys.split(_BETWEEN), values.split(_BETWEEN), strict=True)) if keys else {}


_encode = encoder()


def dumps(document: Mapping[str, Any]) -> str:
    """The document as JSON text: a line for each key, and for each object of a list."""
    encode = encoder(f",{_GAP}")
    parts = []
    for key, value in document.items():
        text = encode(value)
        if text.startswith("[{"):
            text = f"[\n    {text[1:-1]}\n  ]".replace(f"}},{_GAP}{{", "},\n    {")
        parts.append(f"  {encode(key)}: {text.replace(_GAP, ' ')}")
    return escape_invisible_json("{\n" + ",\n".join(parts) + "\n}")


class Kept(dict[str, Any]):
    """An object of many documents: never to be changed, because what was made of it is kept with it.

    Args:
        parts: what it holds, in turn, without a key that two of them have. The texts of those that are kept
            themselves are not made again.

    Attributes:
        text: its JSON text in UTF-8, once somebody has asked for it.
        made: the one other thing that was made of it alone.
    """

    __slots__ = ("made", "parts", "text")

    def __init__(self, *parts: Mapping[str, Any]) -> None:
        for part in parts:
            self.update(part)
        self.parts = parts
        self.text = b""
        self.made: Any = None


class KeptList(list[Any]):
    """Several parts, likewise: a list of many documents.

    Attributes:
        text, made: as those of a single part.
    """

    __slots__ = ("made", "text")

    def __init__(self, parts: Iterable[Any]) -> None:
        super().__init__(parts)
        self.text = b""
        self.made: Any = None


def made_once(part: Any, make: Callable[[Any], T]) -> T:
    """What is made of a part alone, always alike; where the part is kept, it is made once."""
    if type(part) is not Kept and type(part) is not KeptList:
        return make(part)
    found: T | None = part.made
    if found is None:
        found = part.made = make(part)
    return found


def dumps_kept(document: Mapping[str, Any] | Sequence[Any]) -> bytes:
    """The document in a single line, in UTF-8; sooner where parts of it are kept, once their texts are.

    It is joined of bytes, since one letter beyond ASCII makes every letter of a `str` as wide as itself.
    """
    texts: list[bytes] = []
    _put(document, texts)
    return b"".join(texts)


def _put(value: Any, texts: list[bytes]) -> None:
    """Add the text of a document, or of a part of one, to these."""
    kind = type(value)
    if kind is list:
        if not value:
            texts.append(b"[]")
            return
        before = b"["
        for item in value:
            texts.append(before)
            if type(item) is Kept:
                texts.append(item.text or _text(item))
            elif type(item) is str:
                texts.append(_string(item))
            else:
                _put(item, texts)
            before = b", "
        texts.append(b"]")
    elif kind is dict:
        before = b"{"
        for key, item in value.items():
            texts.append(before)
            texts.append(_key(key))
            if type(item) is str:
                texts.append(_string(item))
            else:
                _put(item, texts)
            before = b", "
        texts.append(b"}" if value else b"{}")
    elif kind is Kept or kind is KeptList:
        texts.append(value.text or _text(value))
    elif kind is str:
        texts.append(_string(value))
    else:
        texts.append(_single(value))


def _text(part: Kept | KeptList) -> bytes:
    """The text of a part that is kept, from now on too."""
    if isinstance(part, KeptList):
        part.text = dumps_kept([*part])
    else:
        texts = [
            each.text or _text(each) if type(each) is Kept else _encoded(each).encode()
            for each in part.parts
            if each
        ]
        part.text = b"{" + b", ".join([text[1:-1] for text in texts]) + b"}"
        part.parts = ()  # whose texts are in this one
    return part.text


@lru_cache(500)
def _key(key: str) -> bytes:
    return f"{_encoded(key)}: ".encode()


@lru_cache(5000)
def _string(value: str) -> bytes:
    """The text of a text; most of these come again and again, and so do numbers."""
    return escape_invisible_json(encode_basestring(value)).encode()


@lru_cache(500, typed=True)
def _single(value: float | None) -> bytes:
    return _encoded(value).encode()


def _encoded(value: Any) -> str:
    return escape_invisible_json(_encode(value))
