"""Text normalization and tokenization for searching.

Folding removes differences in width, case, kana (hiragana or katakana), punctuation, English plural endings
and spaces within Japanese. The language of a text is inferred from its script.
"""

import re
from functools import cache, lru_cache
from itertools import groupby
from unicodedata import east_asian_width, normalize

_KATAKANA_TO_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
# A plus or minus sign before a number is part of the word, as in `+1`.
_SEPARATOR = re.compile(r"[^\w$+-]|_|[+-](?![\d$])")
# These two patterns are compiled on first use, because only Japanese texts need them.
KATAKANA_RUN = "[ァ-ヺー]{2,}"
_KATAKANA_OR_OTHER_RUN = r"[ァ-ヺー]+|[^\sァ-ヺー]+"
_MINUS_SIGNS = "−‐‑–"  # characters that people type instead of the hyphen in `-1 Card`


@lru_cache(10_000)  # Most texts consist of the same few characters.
def is_unspaced_script(char: str) -> bool:
    """Return whether a character belongs to a script without spaces between words, such as Japanese."""
    return east_asian_width(char) in "WF"


def is_kana(letter: str) -> bool:
    """Return whether a folded letter is kana."""
    return "ぁ" <= letter <= "ー"


def to_katakana(folded: str) -> str:
    """Convert the hiragana in a folded text to katakana."""
    return folded.translate({code - 0x60: code for code in _KATAKANA_TO_HIRAGANA})


def is_spaced(text: str) -> bool:
    """Return whether a text is entirely in scripts with spaces between words, such as English."""
    return text.isascii() or not any(map(is_unspaced_script, text))


def fold(text: str) -> str:
    """Normalize a text for searching. Search keys and queries are compared in this form.

    In the result, words are separated by single spaces, and there are no spaces next to Japanese characters.
    """
    plain = text.casefold()
    if not text.isascii():
        for sign in _MINUS_SIGNS:
            plain = plain.replace(sign, "-")
        plain = normalize("NFKC", plain).casefold().translate(_KATAKANA_TO_HIRAGANA)
    plain = plain.replace("'", "").replace("’", "")
    words = [_remove_plural(word) if is_spaced(word) else word for word in _SEPARATOR.sub(" ", plain).split()]
    return words[0] + "".join(map(_prepend_separator, words, words[1:])) if words else ""


def _prepend_separator(previous: str, word: str) -> str:
    """Return the word, preceded by a space unless a character on either side is in an unspaced script."""
    return word if is_unspaced_script(previous[-1]) or is_unspaced_script(word[0]) else f" {word}"


def find_word_edges(text: str) -> tuple[str, set[int]]:
    """Return the folded text, and the positions in it at which words and runs of katakana begin or end."""
    folded, edges = "", {0}
    for run in re.findall(_KATAKANA_OR_OTHER_RUN, normalize("NFKC", text)):
        if folded_run := fold(run):
            folded += _prepend_separator(folded, folded_run) if folded else folded_run
            edges |= {len(folded) - len(folded_run), len(folded)}
    return folded, edges


def find_katakana_runs(text: str) -> list[str]:
    """Return the folded runs of katakana in a text. Most of them are loanwords."""
    return [fold(run) for run in re.findall(KATAKANA_RUN, normalize("NFKC", text))]


@lru_cache(10_000)  # Each parsed kingdom normalizes the names of all cards.
def normalize_key(text: str) -> str:
    """Return the letters and digits of a name, with case, width and kana normalized.

    For example, `One Two` becomes `onetwo`.
    """
    plain = normalize("NFKC", text).casefold().translate(_KATAKANA_TO_HIRAGANA)
    return "".join(filter(str.isalnum, plain))


def _remove_plural(word: str) -> str:
    """Remove the plural ending of an English word: `cards` becomes `card`, but `pass` is unchanged."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokenize(folded: str) -> list[str]:
    """Split a folded text into tokens.

    The tokens are the stems of English words, and the bigrams and individual kanji of Japanese text.
    """
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
    """Return the distinct pairs of adjacent letters in a folded text padded with a space at each end.

    The letters of each pair are sorted, so that transposing two letters of a word changes only a few pairs.
    """
    text = f" {folded} "
    pairs = (text[start : start + 2] for start in range(len(text) - 1))
    return list(dict.fromkeys(min(pair, pair[::-1]) for pair in pairs))


@lru_cache(10_000)
def _stem(word: str) -> str:
    """Return the stem of an English word. `trash`, `trashes` and `trashing` have the same stem."""
    for ending in ("ing", "ed", "es", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and word.isalpha():
            word = word.removesuffix(ending)
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def romaji_to_hiragana(romaji: str) -> str:
    """Convert romanized Japanese to hiragana; return an empty string if that is impossible.

    Args:
        romaji: a folded text, in Hepburn romanization (`shi`) or as typed with an input method (`si`).
    """
    syllables, hiragana, rest = _build_syllables(), "", romaji.replace(" ", "").replace("-", "")
    while rest:
        if rest[0] == rest[1:2] and rest[0] in "kstpcgzjdb":
            hiragana, rest = hiragana + "っ", rest[1:]
        length = next((length for length in (3, 2, 1) if rest[:length] in syllables), 0)
        if not length:
            return ""
        hiragana, rest = hiragana + syllables[rest[:length]], rest[length:]
    return hiragana


@cache
def _build_syllables() -> dict[str, str]:
    """Map each romanized syllable to its hiragana."""
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
        syllables |= {
            consonant + vowel: kana + small_kana for vowel, small_kana in zip("auo", "ゃゅょ", strict=True)
        }
    return syllables
