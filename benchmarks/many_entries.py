"""A large index for benchmarks: `python -m benchmarks.many_entries FILE` writes it.

It simulates more rulebooks by copies of all entries. In a copy, each longer word of the names is replaced,
and half of those in the text, because another rulebook has other names but partly the same words.
"""

import re
import sys
from itertools import chain, count, islice
from zlib import crc32

from randomizer.load.games import list_games, load
from randomizer.rules.entry import Entry, Texts
from randomizer.rules.index import Index
from randomizer.rules.index_builder import build_index
from randomizer.rules.lookup import open_index
from randomizer.rules.rulefile import Rulebooks

ENTRY_COUNT = 5_000
_WORD = re.compile("[a-z]{4,}|[一-龠]+|[ァ-ヴ]+", re.IGNORECASE)


def main() -> None:
    """Write the file."""
    with open(sys.argv[1], "wb") as file:
        file.write(build_large_index(open_index(), ENTRY_COUNT))


def build_large_index(index: Index, entry_count: int) -> bytes:
    """Return an index with this number of entries: those of the given one and copies of them, by game."""
    entries: list[Entry] = []
    for game in index.titles:
        own = list(index.entries(game))
        copies = (_copy(entry, copy) for copy in count(1) for entry in own)
        entries += islice(chain(own, copies), round(entry_count * len(own) / index.entry_count))
    rulebooks = Rulebooks(index.titles, entries, [()] * len(entries))
    return build_index(rulebooks, [load(game) for game in list_games()], [])


def _copy(entry: Entry, copy: int) -> Entry:
    return entry._replace(
        id=f"{entry.id}-{copy}",
        title=_replace_words_of_texts(entry.title, copy, 1),
        text=_replace_words_of_texts(entry.text, copy, 0.5),
        reading=_replace_words(entry.reading, copy, 1),
        aliases=[_replace_words(alias, copy, 1) for alias in entry.aliases],
        see=[],
    )


def _replace_words_of_texts(texts: Texts, copy: int, share: float) -> Texts:
    return {code: _replace_words(text, copy, share) for code, text in texts.items()}


def _replace_words(text: str, copy: int, share: float) -> str:
    """Replace a share of the longer words of a text, always the same ones."""

    def replace(found: re.Match[str]) -> str:
        word = found.group().lower()
        if crc32(f"{word} {copy}".encode()) >= share * 2**32:
            return found.group()
        return "".join(
            chr((ord(letter) - 97 + copy) % 26 + 97) if letter.isascii() else chr(ord(letter) + copy)
            for letter in word
        )

    return _WORD.sub(replace, text)


if __name__ == "__main__":
    main()
