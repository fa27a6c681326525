"""Writes an index of thousands of entries into the file that is named, as if there were more rulebooks.

Every entry is copied several times. In a copy each longer word of its names is changed, and half of those in
its text: another rulebook has names of its own, and in part the same words.
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

NUMBER = 5_000
_WORD = re.compile("[a-z]{4,}|[一-龠]+|[ァ-ヴ]+", re.IGNORECASE)


def main() -> None:
    """Write the file."""
    with open(sys.argv[1], "wb") as file:
        file.write(many_entries(open_index(), NUMBER))


def many_entries(index: Index, number: int) -> bytes:
    """An index of so many entries: those of the given one and, game by game, copies of them."""
    entries: list[Entry] = []
    for game in index.titles:
        own = list(index.entries(game))
        copies = (_copy(entry, copy) for copy in count(1) for entry in own)
        entries += islice(chain(own, copies), round(number * len(own) / index.entry_count))
    rulebooks = Rulebooks(index.titles, entries, [()] * len(entries))
    return build_index(rulebooks, [load(game) for game in list_games()], [])


def _copy(entry: Entry, copy: int) -> Entry:
    return entry._replace(
        id=f"{entry.id}-{copy}",
        title=_texts(entry.title, copy, 1),
        text=_texts(entry.text, copy, 0.5),
        reading=_changed(entry.reading, copy, 1),
        aliases=[_changed(alias, copy, 1) for alias in entry.aliases],
        see=[],
    )


def _texts(texts: Texts, copy: int, share: float) -> Texts:
    return {code: _changed(text, copy, share) for code, text in texts.items()}


def _changed(text: str, copy: int, share: float) -> str:
    """The text with that share of its longer words changed, always the same ones."""

    def other(found: re.Match[str]) -> str:
        word = found.group().lower()
        if crc32(f"{word} {copy}".encode()) >= share * 2**32:
            return found.group()
        return "".join(
            chr((ord(letter) - 97 + copy) % 26 + 97) if letter.isascii() else chr(ord(letter) + copy)
            for letter in word
        )

    return _WORD.sub(other, text)


if __name__ == "__main__":
    main()
