"""Folds words so that what is meant is found however it was typed.

Width, case, hiragana and katakana, punctuation, an English plural, and spaces within Japanese make no
difference. Which language a text is in is told by its script alone.
"""

import re
from functools import cache, lru_cache
from itertools import groupby
from unicodedata import east_asian_width, normalize

_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_GAP = re.compile(r"[^\w$+-]|_|[+-](?![\d$])")  # what is no part of a word; a sign is, before a number
_KATAKANA = "[ァ-ヺー]{2,}"  # compiled only once a text is Japanese, as is the next
_RUN = r"[ァ-ヺー]+|[^\sァ-ヺー]+"
_MINUS = "−‐‑–"  # what people and keyboards put for the minus of `-1 Card`


def is_unspaced_script(char: str) -> bool:
    """Whether the character is of a script without spaces between words, as Japanese is."""
    return east_asian_width(char) in "WF"


def is_kana(letter: str) -> bool:
    """Whether the folded letter is one of the kana."""
    return "ぁ" <= letter <= "ー"


def is_spaced(text: str) -> bool:
    """Whether all of the text is in a script with spaces between words, as English is."""
    return text.isascii() or not any(map(is_unspaced_script, text))


def fold(text: str) -> str:
    """The text as keys and queries are compared: folded words, one space between those that have spaces."""
    plain = text.casefold()
    if not text.isascii():
        for sign in _MINUS:
            plain = plain.replace(sign, "-")
        plain = normalize("NFKC", plain).casefold().translate(_HIRAGANA)
    plain = plain.replace("'", "").replace("’", "")
    words = [_singular(word) if is_spaced(word) else word for word in _GAP.sub(" ", plain).split()]
    return words[0] + "".join(map(_after, words, words[1:])) if words else ""


def _after(one: str, other: str) -> str:
    """The second of two words, with a space before it where both have spaces around them."""
    return other if is_unspaced_script(one[-1]) or is_unspaced_script(other[0]) else f" {other}"


def find_word_edges(text: str) -> tuple[str, set[int]]:
    """The folded text, and the places in it where katakana or a word as it was typed begins or ends."""
    folded, places = "", {0}
    for run in re.findall(_RUN, normalize("NFKC", text)):
        if more := fold(run):
            folded += _after(folded, more) if folded else more
            places |= {len(folded) - len(more), len(folded)}
    return folded, places


def find_katakana_runs(text: str) -> list[str]:
    """What is in katakana in a text, folded: mostly words from abroad."""
    return [fold(run) for run in re.findall(_KATAKANA, normalize("NFKC", text))]


@lru_cache(10_000)  # for whoever reads one kingdom after the other: each time against all names
def normalize_key(text: str) -> str:
    """Only the letters and digits of a name, whatever their case, width and kana: `one_two` is `One Two`."""
    plain = normalize("NFKC", text).casefold().translate(_HIRAGANA)
    return "".join(filter(str.isalnum, plain))


def _singular(word: str) -> str:
    """An English word without a plural's s: `cards` is `card`, `pass` stays."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokenize(folded: str) -> list[str]:
    """What a folded text is made of: stems of English words; of Japanese kanji and every two letters."""
    if folded.isascii():
        return [*map(_stem, folded.split())]
    found: list[str] = []
    for without_spaces, run in groupby(folded, is_unspaced_script):
        text = "".join(run)
        if without_spaces:
            found += [text[place : place + 2] for place in range(len(text) - 1)] or [text]
            found += [letter for letter in text if len(text) > 1 and not is_kana(letter)]
        else:
            found += map(_stem, text.split())
    return found


def bigrams(folded: str) -> list[str]:
    """Every two neighbouring letters, whichever comes first, with where words begin and end."""
    text = f" {folded} "
    both = (text[place : place + 2] for place in range(len(text) - 1))
    return list(dict.fromkeys(min(pair, pair[::-1]) for pair in both))


@lru_cache(10_000)
def _stem(word: str) -> str:
    """An English word without its ending: `trash`, `trashes`, `trashed` and `trashing` are one."""
    for ending in ("ing", "ed", "es", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and word.isalpha():
            word = word.removesuffix(ending)
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word[:-1] + "i" if len(word) > 3 and word.endswith("y") else word


def romaji_to_hiragana(romaji: str) -> str:
    """Japanese that was typed in Latin letters, as kana; nothing if it cannot be Japanese.

    Args:
        romaji: folded; in the spelling of Hepburn or that of keyboards: `shi` or `si`, long vowels as typed.
    """
    kana, found, rest = _syllables(), "", romaji.replace(" ", "").replace("-", "")
    while rest:
        if rest[0] == rest[1:2] and rest[0] in "kstpcgzjdb":
            found, rest = found + "っ", rest[1:]
        length = next((length for length in (3, 2, 1) if rest[:length] in kana), 0)
        if not length:
            return ""
        found, rest = found + kana[rest[:length]], rest[length:]
    return found


@cache
def _syllables() -> dict[str, str]:
    """Kana by what is typed for them."""
    rows = "kかきくけこ sさしすせそ tたちつてと nなにぬねの hはひふへほ mまみむめも rらりるれろ"
    more = "gがぎぐげご zざじずぜぞ dだぢづでど bばびぶべぼ pぱぴぷぺぽ あいうえお"
    starts = {row[:-5]: row[-5:] for row in f"{rows} {more}".split(" ")}
    found = {
        start + vowel: kana for start, row in starts.items() for vowel, kana in zip("aiueo", row, strict=True)
    }
    found |= {"ya": "や", "yu": "ゆ", "yo": "よ", "wa": "わ", "wo": "を", "n": "ん"}
    found |= {"shi": "し", "chi": "ち", "tsu": "つ", "fu": "ふ", "ji": "じ"}
    before_y = {start + "y": row[1] for start, row in starts.items() if start}
    for start, kana in {**before_y, "sh": "し", "ch": "ち", "j": "じ"}.items():
        found |= {start + vowel: kana + small for vowel, small in zip("auo", "ゃゅょ", strict=True)}
    return found
