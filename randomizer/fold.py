"""Folds words so that what is meant is found however it was typed.

Width, case, hiragana and katakana, punctuation, an English plural, and spaces within Japanese make no
difference.
"""

from itertools import groupby
from unicodedata import normalize

_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_MINUS = "−‐‑–"  # what people and keyboards put for the minus of `-1 Card`


def fold(text: str) -> str:
    """The text as keys and queries are compared: folded words, one space between English ones."""
    plain = text.casefold()
    if not text.isascii():
        for sign in _MINUS:
            plain = plain.replace(sign, "-")
        plain = normalize("NFKC", plain).casefold().translate(_HIRAGANA)
    plain = plain.replace("'", "").replace("’", "")
    letters = []
    for place, char in enumerate(plain):
        after = plain[place + 1 : place + 2]
        signed = char in "+-" and (after.isdigit() or after == "$")
        letters.append(char if char.isalnum() or char == "$" or signed else " ")
    words = "".join(letters).split()
    return " ".join(map(_singular, words)) if plain.isascii() else "".join(words)


def _singular(word: str) -> str:
    """An English word without a plural's s: `cards` is `card`, `pass` stays."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def words(folded: str) -> list[str]:
    """What a folded text is made of: English words, and of Japanese every two neighbouring letters."""
    found = []
    for ascii_, run in groupby(folded, str.isascii):
        text = "".join(run)
        found += text.split() if ascii_ else pairs(text) or [text]
    return found


def pairs(text: str) -> list[str]:
    """Every two neighbouring letters."""
    return [text[place : place + 2] for place in range(len(text) - 1)]
