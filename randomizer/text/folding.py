"""Text normalization and tokenization for searching.

Folding removes differences of width, case, hiragana and katakana, punctuation, English plurals, and spaces
within Japanese. The language of a text is recognized by its script alone.
"""

import re
from functools import cache, lru_cache
from itertools import groupby
from unicodedata import east_asian_width, normalize

_KATAKANA_TO_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_SEPARATOR = re.compile(
    r"[^\w$+-]|_|[+-](?![\d$])"
)  # A sign before a number belongs to the word, as in `+1`.
# These two patterns are compiled on first use, because only Japanese texts need them.
_KATAKANA_RUN = "[ァ-ヺー]{2,}"
_KATAKANA_OR_OTHER_RUN = r"[ァ-ヺー]+|[^\sァ-ヺー]+"
_MINUS_SIGNS = "−‐‑–"  # Characters that people and keyboards use for the minus in `-1 Card`.


def is_unspaced_script(char: str) -> bool:
    """Check whether a character belongs to a script without spaces between words, such as Japanese."""
    return east_asian_width(char) in "WF"


def is_kana(letter: str) -> bool:
    """Check whether a folded letter is kana."""
    return "ぁ" <= letter <= "ー"


def is_spaced(text: str) -> bool:
    """Check whether a text is entirely in scripts with spaces between words, such as English."""
    return text.isascii() or not any(map(is_unspaced_script, text))


def fold(text: str) -> str:
    """Return the normalized form in which keys and queries are compared.

    Words are separated by one space; there is no space next to Japanese.
    """
    plain = text.casefold()
    if not text.isascii():
        for sign in _MINUS_SIGNS:
            plain = plain.replace(sign, "-")
        plain = normalize("NFKC", plain).casefold().translate(_KATAKANA_TO_HIRAGANA)
    plain = plain.replace("'", "").replace("’", "")
    words = [_singular(word) if is_spaced(word) else word for word in _SEPARATOR.sub(" ", plain).split()]
    return words[0] + "".join(map(_with_separator, words, words[1:])) if words else ""


def _with_separator(previous: str, word: str) -> str:
    """Return the word, preceded by a space unless it or the previous word is in an unspaced script there."""
    return word if is_unspaced_script(previous[-1]) or is_unspaced_script(word[0]) else f" {word}"


def find_word_edges(text: str) -> tuple[str, set[int]]:
    """Return the folded text, and the positions in it where a typed word or a katakana run begins or ends."""
    folded, edges = "", {0}
    for run in re.findall(_KATAKANA_OR_OTHER_RUN, normalize("NFKC", text)):
        if folded_run := fold(run):
            folded += _with_separator(folded, folded_run) if folded else folded_run
            edges |= {len(folded) - len(folded_run), len(folded)}
    return folded, edges


def find_katakana_runs(text: str) -> list[str]:
    """Return each run of katakana in a text, folded. Most of them are loanwords."""
    return [fold(run) for run in re.findall(_KATAKANA_RUN, normalize("NFKC", text))]


@lru_cache(10_000)  # Reading several kingdoms compares the names of all cards with each of them.
def normalize_key(text: str) -> str:
    """Return the letters and digits of a name, normalized in case, width and kana: `One Two` is `onetwo`."""
    plain = normalize("NFKC", text).casefold().translate(_KATAKANA_TO_HIRAGANA)
    return "".join(filter(str.isalnum, plain))


def _singular(word: str) -> str:
    """Remove the plural ending from an English word: `cards` becomes `card`, `pass` stays."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokenize(folded: str) -> list[str]:
    """Split a folded text into tokens: stems of English words; bigrams and single kanji of Japanese."""
    if folded.isascii():
        return [*map(_stem, folded.split())]
    tokens: list[str] = []
    for is_unspaced, letters in groupby(folded, is_unspaced_script):
        run = "".join(letters)
        if is_unspaced:
            tokens += [run[start : start + 2] for start in range(len(run) - 1)] or [run]
            tokens += [letter for letter in run if len(run) > 1 and not is_kana(letter)]
        else:
            tokens += map(_stem, run.split())
    return tokens


def bigrams(folded: str) -> list[str]:
    """Return the distinct pairs of neighbouring letters, including the spaces before and after the text.

    The letters of a pair are sorted, so that swapping two letters changes as few pairs as possible.
    """
    text = f" {folded} "
    pairs = (text[start : start + 2] for start in range(len(text) - 1))
    return list(dict.fromkeys(min(pair, pair[::-1]) for pair in pairs))


@lru_cache(10_000)
def _stem(word: str) -> str:
    """Remove the ending of an English word: `trash`, `trashes` and `trashing` have the same stem."""
    for ending in ("ing", "ed", "es", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and word.isalpha():
            word = word.removesuffix(ending)
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def romaji_to_hiragana(romaji: str) -> str:
    """Convert Japanese in Latin letters to hiragana; return an empty text if that is not possible.

    Args:
        romaji: folded; in Hepburn romanization or as typed with an input method: `shi` or `si`.
    """
    syllables, hiragana, rest = _syllables(), "", romaji.replace(" ", "").replace("-", "")
    while rest:
        if rest[0] == rest[1:2] and rest[0] in "kstpcgzjdb":
            hiragana, rest = hiragana + "っ", rest[1:]
        length = next((length for length in (3, 2, 1) if rest[:length] in syllables), 0)
        if not length:
            return ""
        hiragana, rest = hiragana + syllables[rest[:length]], rest[length:]
    return hiragana


@cache
def _syllables() -> dict[str, str]:
    """Return the hiragana of each syllable in Latin letters."""
    rows = "kかきくけこ sさしすせそ tたちつてと nなにぬねの hはひふへほ mまみむめも rらりるれろ"
    voiced_rows = "gがぎぐげご zざじずぜぞ dだぢづでど bばびぶべぼ pぱぴぷぺぽ あいうえお"
    row_by_consonant = {row[:-5]: row[-5:] for row in f"{rows} {voiced_rows}".split(" ")}
    syllables = {
        consonant + vowel: kana
        for consonant, row in row_by_consonant.items()
        for vowel, kana in zip("aiueo", row, strict=True)
    }
    syllables |= {"ya": "や", "yu": "ゆ", "yo": "よ", "wa": "わ", "wo": "を", "n": "ん"}
    syllables |= {"shi": "し", "chi": "ち", "tsu": "つ", "fu": "ふ", "ji": "じ"}
    palatalized = {f"{consonant}y": row[1] for consonant, row in row_by_consonant.items() if consonant}
    for consonant, kana in {**palatalized, "sh": "し", "ch": "ち", "j": "じ"}.items():
        syllables |= {consonant + vowel: kana + small for vowel, small in zip("auo", "ゃゅょ", strict=True)}
    return syllables
