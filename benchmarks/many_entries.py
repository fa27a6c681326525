"""A large index for benchmarks: `python -m benchmarks.many_entries FILE` writes it.

It simulates more rulebooks with copies of all entries. In a copy, all longer words in the names are replaced,
and half of the longer words in the text, because another rulebook has different names, but shares many words.
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
    """Write the index to the file that is named on the command line."""
    with open(sys.argv[1], "wb") as file:
        file.write(build_large_index(open_index(), ENTRY_COUNT))


def build_large_index(index: Index, entry_count: int) -> bytes:
    """Build an index with this number of entries: those of an index, and copies of them.

    The games keep their shares of the entries.
    """
    entries: list[Entry] = []
    for game in index.titles:
        own_entries = list(index.entries(game))
        copies = (_copy(entry, copy_number) for copy_number in count(1) for entry in own_entries)
        entries += islice(
            chain(own_entries, copies), round(entry_count * len(own_entries) / index.entry_count)
        )
    rulebooks = Rulebooks(index.titles, entries, [()] * len(entries))
    return build_index(rulebooks, [load(game) for game in list_games()], [])


def _copy(entry: Entry, copy_number: int) -> Entry:
    return entry._replace(
        id=f"{entry.id}-{copy_number}",
        title=_replace_words_of_texts(entry.title, copy_number, 1),
        text=_replace_words_of_texts(entry.text, copy_number, 0.5),
        reading=_replace_words(entry.reading, copy_number, 1),
        aliases=[_replace_words(alias, copy_number, 1) for alias in entry.aliases],
        see=[],
    )


def _replace_words_of_texts(texts: Texts, copy_number: int, fraction: float) -> Texts:
    return {code: _replace_words(text, copy_number, fraction) for code, text in texts.items()}


def _replace_words(text: str, copy_number: int, fraction: float) -> str:
    """Replace a fraction of the longer words in a text. The choice of words is deterministic."""

    def replace(match: re.Match[str]) -> str:
        word = match.group().lower()
        if crc32(f"{word} {copy_number}".encode()) >= fraction * 2**32:
            return match.group()
        return "".join(
            chr((ord(letter) - 97 + copy_number) % 26 + 97)
            if letter.isascii()
            else chr(ord(letter) + copy_number)
            for letter in word
        )

    return _WORD.sub(replace, text)


if __name__ == "__main__":
    main()
