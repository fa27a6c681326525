"""Escaping for untrusted text, and fallbacks for a terminal or pipe with a limited character set.

Text from outside may contain control characters that a terminal obeys, or characters that are invisible. Both
are replaced by escapes such as `\\x1b` before the text is printed.
"""

import re
from functools import cache
from typing import Any

# Characters that no line of text needs: control characters, marks that change the direction of writing,
# characters without a width, and lone surrogates.
_CONTROLS = r"\x00-\x1f"
_INVISIBLE = (
    r"\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    r"\uffa0\ufff0-\ufffb\ud800-\udfff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
# The invisible characters that `str.isprintable` accepts.
_PRINTABLE_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
# A joiner is legitimate only after a character of a script, or an emoji, that can be joined.
_STRAY_JOINER = r"(?<![\u0600-\u1cff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]"
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_ASCII_FALLBACKS = {
    "–": "-",
    "—": "-",
    "−": "-",
    "→": "->",
    "·": "|",
    "…": "...",
    "’": "'",
    "“": '"',
    "”": '"',
}


def escape_control_characters(text: str) -> str:
    """Return the text as one line with escapes for control and invisible characters: `\\x1b`, `\\n`."""
    if is_all_visible(text):
        return text
    return _compile_hidden(_CONTROLS + _INVISIBLE).sub(lambda match: ascii(match[0])[1:-1], text)


def escape_all_control_characters(value: Any) -> Any:
    """Return a copy of a JSON value whose strings are escaped by `escape_control_characters`.

    The keys of dicts stay as they are.
    """
    if isinstance(value, str):
        return escape_control_characters(value)
    if isinstance(value, dict):
        return {key: escape_all_control_characters(item) for key, item in value.items()}
    return [escape_all_control_characters(item) for item in value] if isinstance(value, list) else value


def escape_invisible_json(text: str) -> str:
    """Return JSON text with JSON escapes for the invisible characters that JSON itself allows.

    The result represents the same document.
    """
    if is_all_visible(text.replace("\n", "")):
        return text
    import json  # Hardly any text needs this, and the import takes time.

    return _compile_hidden(_INVISIBLE).sub(lambda match: json.dumps(match[0])[1:-1], text)


def is_all_visible(text: str) -> bool:
    """Return whether the text has no control characters or invisible characters."""
    return text.isprintable() and (text.isascii() or not any(blank in text for blank in _PRINTABLE_BLANKS))


@cache
def _compile_hidden(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]|{_STRAY_JOINER}")


def replace_unencodable(text: str, encoding: str) -> str:
    """Replace characters that the encoding lacks by similar ASCII characters, or by `?`."""

    def replace(char: str) -> str:
        for candidate in (char, _ASCII_FALLBACKS.get(char, "?")):
            try:
                candidate.encode(encoding)
            except UnicodeEncodeError:
                continue
            return candidate
        return "?"

    return "".join(map(replace, text))


def escape_non_ascii_html(text: str) -> str:
    """Return HTML with character references for all non-ASCII characters.

    The page stays the same as long as its styles and scripts are in ASCII.
    """
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def escape_non_ascii_json(text: str) -> str:
    """Return JSON text with `\\u` escapes for all non-ASCII characters: the same document."""

    def escape(match: re.Match[str]) -> str:
        utf_16 = match[0].encode("utf-16-be")
        return "".join(f"\\u{utf_16[index : index + 2].hex()}" for index in range(0, len(utf_16), 2))

    return re.sub(r"[^\x00-\x7f]", escape, text)


def with_nonbreaking_spaces(text: str) -> str:
    """Return the text with no-break spaces, so that no line is broken within it."""
    return text.replace(" ", _NO_BREAK_SPACE)


def with_ordinary_spaces(text: str) -> str:
    """Return the text with ordinary spaces instead of no-break spaces."""
    return text.replace(_NO_BREAK_SPACE, " ")


def escape_formula(cell: str) -> str:
    """Put an apostrophe before a cell of CSV that a spreadsheet would run as a formula.

    A leading apostrophe is escaped in the same way, so that removing one restores every cell.
    """
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "'")) else cell
