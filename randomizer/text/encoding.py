"""Escaping for untrusted text, and fallbacks for a terminal or pipe with a limited character set.

Untrusted text may contain control characters that a terminal would interpret, or invisible characters. Both
are replaced with escapes such as `\\x1b` before the text is printed.
"""

import re
from functools import cache
from typing import Any

# Characters that no line of text needs: control characters, marks that change the writing direction,
# zero-width characters and lone surrogates.
_CONTROLS = r"\x00-\x1f"
_INVISIBLE = (
    r"\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    r"\uffa0\ufff0-\ufffb\ud800-\udfff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
# The invisible characters that `str.isprintable` accepts.
_PRINTABLE_INVISIBLE = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_FORMULA_SIGNS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are full-width
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
    """Replace control characters (including line breaks) and invisible characters with escapes: `\\x1b`."""
    if is_all_visible(text):
        return text
    return _compile_hidden(_CONTROLS + _INVISIBLE).sub(lambda match: ascii(match[0])[1:-1], text)


def escape_all_control_characters(value: Any) -> Any:
    """Return a copy of a JSON value in which every string is escaped by `escape_control_characters`.

    The keys of dictionaries are not escaped.
    """
    if isinstance(value, str):
        return escape_control_characters(value)
    if isinstance(value, dict):
        return {key: escape_all_control_characters(item) for key, item in value.items()}
    return [escape_all_control_characters(item) for item in value] if isinstance(value, list) else value


def escape_invisible_json(text: str) -> str:
    """Escape invisible characters in JSON text. The result parses to the same document.

    JSON itself requires escapes only for control characters.
    """
    if is_all_visible(text.replace("\n", "")):
        return text
    import json  # The import takes time, and hardly any text needs it.

    return _compile_hidden(_INVISIBLE).sub(lambda match: json.dumps(match[0])[1:-1], text)


def is_all_visible(text: str) -> bool:
    """Return whether the text contains neither control characters nor invisible characters."""
    return text.isprintable() and (text.isascii() or not any(char in text for char in _PRINTABLE_INVISIBLE))


@cache
def _compile_hidden(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]|{_STRAY_JOINER}")


def replace_unencodable(text: str, encoding: str) -> str:
    """Replace characters that the encoding cannot represent with similar ASCII characters, or with `?`."""

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
    """Replace all non-ASCII characters in HTML with character references.

    Browsers render the result like the original, provided that its styles and scripts are ASCII.
    """
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def escape_non_ascii_json(text: str) -> str:
    """Replace all non-ASCII characters in JSON text with `\\u` escapes, which parse to the same document."""

    def escape(match: re.Match[str]) -> str:
        utf_16 = match[0].encode("utf-16-be")
        return "".join(f"\\u{utf_16[index : index + 2].hex()}" for index in range(0, len(utf_16), 2))

    return re.sub(r"[^\x00-\x7f]", escape, text)


def with_nonbreaking_spaces(text: str) -> str:
    """Replace spaces with no-break spaces, so that the text is never wrapped."""
    return text.replace(" ", _NO_BREAK_SPACE)


def with_ordinary_spaces(text: str) -> str:
    """Replace no-break spaces with ordinary spaces."""
    return text.replace(_NO_BREAK_SPACE, " ")


def escape_formula(cell: str) -> str:
    """Prefix a CSV cell with an apostrophe if a spreadsheet would evaluate it as a formula.

    A cell that already starts with an apostrophe gets another one, so that removing an apostrophe always
    restores the original. Spreadsheets skip whitespace before a formula, and Japanese ones evaluate
    full-width signs; see https://owasp.org/www-community/attacks/CSV_Injection.
    """
    is_formula = cell.lstrip().startswith(_FORMULA_SIGNS)
    return f"'{cell}" if is_formula or cell.startswith("'") else cell
