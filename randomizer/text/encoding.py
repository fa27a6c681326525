"""What is safe to print, and text for a screen or pipe that does not take every character.

What comes from outside may hold characters that a terminal obeys, or that nobody sees: such are written as
escapes before they get anywhere.
"""

import re
from functools import cache
from typing import Any

# What no line of text needs: controls, marks that change its direction, signs without a width, halves of
# surrogate pairs. Only after letters and emoji that can be joined, a joiner is in its place.
_CONTROLS = r"\x00-\x1f"
_UNSEEN = (
    r"\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    r"\uffa0\ufff0-\ufffb\ud800-\udfff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # those of them that Python takes for printable
_ASTRAY = r"(?<![\u0600-\u1cff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]"
_NO_BREAK = "\N{NO-BREAK SPACE}"
_PLAIN = {"–": "-", "—": "-", "−": "-", "→": "->", "·": "|", "…": "...", "’": "'", "“": '"', "”": '"'}


def visible(text: str) -> str:
    """The text as one line in which everything can be seen: `\\x1b` for an escape, `\\n` for a new line."""
    if _seen(text):
        return text
    return _hidden(_CONTROLS + _UNSEEN).sub(lambda found: ascii(found[0])[1:-1], text)


def all_visible(value: Any) -> Any:
    """The same value, with all texts in its lists and dicts made visible."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {key: all_visible(item) for key, item in value.items()}
    return [all_visible(item) for item in value] if isinstance(value, list) else value


def visible_json(text: str) -> str:
    """JSON text with escapes also for what JSON itself lets stand and nobody sees: the same document."""
    if _seen(text.replace("\n", "")):
        return text
    import json  # few texts have any such character, and the others start the sooner

    return _hidden(_UNSEEN).sub(lambda found: json.dumps(found[0])[1:-1], text)


def _seen(text: str) -> bool:
    """Whether every character of it can be seen."""
    return text.isprintable() and (text.isascii() or not any(blank in text for blank in _BLANK))


@cache
def _hidden(characters: str) -> re.Pattern[str]:
    return re.compile(f"[{characters}]|{_ASTRAY}")


def plain(text: str, encoding: str) -> str:
    """The text with plainer signs, or at worst `?`, for what the encoding lacks."""

    def fitting(char: str) -> str:
        for option in (char, _PLAIN.get(char, "?")):
            try:
                option.encode(encoding)
            except UnicodeEncodeError:
                continue
            return option
        return "?"

    return "".join(map(fitting, text))


def referenced(text: str) -> str:
    """HTML with character references for everything beyond ASCII: the same page, but for style and script."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


def escaped(text: str) -> str:
    """JSON text with JSON's own escapes for everything beyond ASCII: the same document."""
    units = (char.encode("utf-16-be") for char in text)
    return "".join(
        chr(unit[1])
        if unit[0] == 0 and unit[1] < 128
        else "".join(f"\\u{unit[place]:02x}{unit[place + 1]:02x}" for place in range(0, len(unit), 2))
        for unit in units
    )


def unbroken(text: str) -> str:
    """The text with spaces at which no line is broken."""
    return text.replace(" ", _NO_BREAK)


def breakable(text: str) -> str:
    """The text with ordinary spaces again."""
    return text.replace(_NO_BREAK, " ")
