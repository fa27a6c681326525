"""Folds words so that what is meant is found however it was typed.

Width, case, hiragana and katakana, punctuation, an English plural, and spaces within Japanese make no
difference. Which language a text is in is told by its script alone.
"""

import re
from itertools import groupby
from unicodedata import east_asian_width, normalize

_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_GAP = re.compile(r"[^\w$+-]|_|[+-](?![\d$])")  # what is no part of a word; a sign is, before a number
_MINUS = "−‐‑–"  # what people and keyboards put for the minus of `-1 Card`


def unspaced(char: str) -> bool:
    """Whether the character is of a script without spaces between words, as Japanese is."""
    return east_asian_width(char) in "WF"


def spaced(text: str) -> bool:
    """Whether all of the text is in a script with spaces between words, as English is."""
    return text.isascii() or not any(map(unspaced, text))


def fold(text: str) -> str:
    """The text as keys and queries are compared: folded words, one space between those that have spaces."""
    plain = text.casefold()
    if not text.isascii():
        for sign in _MINUS:
            plain = plain.replace(sign, "-")
        plain = normalize("NFKC", plain).casefold().translate(_HIRAGANA)
    plain = plain.replace("'", "").replace("’", "")
    words = _GAP.sub(" ", plain).split()
    return " ".join(map(_singular, words)) if all(map(spaced, words)) else "".join(words)


def letters(text: str) -> str:
    """Only the letters and digits of a name, whatever their case, width and kana: `one_two` is `One Two`."""
    plain = normalize("NFKC", text).casefold().translate(_HIRAGANA)
    return "".join(char for char in plain if char.isalnum())


def _singular(word: str) -> str:
    """An English word without a plural's s: `cards` is `card`, `pass` stays."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokens(folded: str) -> list[str]:
    """What a folded text is made of: stems of English words; of Japanese kanji and every two letters."""
    if folded.isascii():
        return [*map(_stem, folded.split())]
    found: list[str] = []
    for without_spaces, run in groupby(folded, unspaced):
        text = "".join(run)
        if without_spaces:
            found += [text[place : place + 2] for place in range(len(text) - 1)] or [text]
            found += [letter for letter in text if len(text) > 1 and not "ぁ" <= letter <= "ー"]
        else:
            found += map(_stem, text.split())
    return found


def pairs(folded: str) -> list[str]:
    """Every two neighbouring letters, whichever comes first, with where words begin and end."""
    text = f" {folded} "
    both = (text[place : place + 2] for place in range(len(text) - 1))
    return list(dict.fromkeys(min(pair, pair[::-1]) for pair in both))


def _stem(word: str) -> str:
    """An English word without its ending: `trash`, `trashes`, `trashed` and `trashing` are one."""
    for ending in ("ing", "ed", "es", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and word.isalpha():
            word = word.removesuffix(ending)
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word
