"""Makes the index that look-ups use, as `search` reads it. Runs only when a rulebook has changed.

The index is a line of JSON that tells where everything is, then three tables and the entries:

- `keys`: everything an entry or card is called, folded, with what it leads to: `t12` the title of entry 12,
  `a12` an alias, reading or id of it, `c12` a card that it concerns, `k` and a name that card.
- `letters`: every two neighbouring letters of the keys, with where in `keys` those keys are.
- `words`: every word, with the entries that have it and how much it says about each (`12:8`).

A table is lines of a name, a tab and what belongs to it, so that a name is found without reading the rest.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from randomizer.fold import fold, pairs, words
from randomizer.game import Game
from randomizer.language import Named

_TITLE, _ALIAS, _CARD, _TEXT = 8, 6, 4, 1  # how much a word says about an entry, by where it stands


def make_index(
    titles: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    game: Game,
    named: Iterable[Mapping[str, Named]],
) -> bytes:
    """The index of these entries.

    Args:
        titles: of the games, by the name of their book; the default game is the first.
        entries: as `rulefile.read_books` returns them.
        game: the game whose cards they concern.
        named: what its cards are called in other languages.
    """
    called = {card.name: {card.name, *card.also} for card in game.cards.values()}
    for translated in named:
        for card, (name, reading, also) in translated.items():
            called[card] |= {name, reading, *also} - {""}
    keys: dict[str, dict[str, None]] = defaultdict(dict)
    weights: dict[str, dict[int, int]] = defaultdict(dict)

    def weigh(text: str, number: int, weight: int) -> None:
        for word in words(fold(text)):
            weights[word][number] = max(weight, weights[word].get(number, 0))

    for number, entry in enumerate(entries):
        for title in entry["title"].values():
            keys[fold(title)][f"t{number}"] = None
            weigh(title, number, _TITLE)
        for alias in (entry["reading"], entry["id"].replace("-", " "), *entry["aliases"]):
            keys[fold(alias)].setdefault(f"a{number}")
            weigh(alias, number, _ALIAS)
        for card in entry["cards"]:
            for name in called[card]:
                keys[fold(name)].setdefault(f"c{number}")
                weigh(name, number, _CARD)
        for text in (*entry["text"].values(), *(text for older in entry["older"] for text in older.values())):
            weigh(text, number, _TEXT)
    for card, names in called.items():
        for name in names:
            keys[fold(name)].setdefault(f"k{card}")
    keys.pop("", None)
    return _packed(titles, entries, keys, weights)


def _packed(
    titles: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    keys: Mapping[str, Iterable[str]],
    weights: Mapping[str, Mapping[int, int]],
) -> bytes:
    key_table, places = _table(
        {key: "\t".join(sorted(targets, key=_rank)) for key, targets in sorted(keys.items())}
    )
    letters: dict[str, list[int]] = defaultdict(list)
    for key, place in places.items():
        for pair in dict.fromkeys(pairs(f"^{key}$")):
            letters[pair].append(place)
    letter_table, _ = _table({pair: " ".join(map(str, found)) for pair, found in sorted(letters.items())})
    word_table, _ = _table(
        {
            word: " ".join(f"{n}:{weight}" for n, weight in found.items())
            for word, found in sorted(weights.items())
        }
    )
    numbers = {(entry["game"], entry["id"]): number for number, entry in enumerate(entries)}
    bodies = [
        json.dumps(
            {**entry, "related": [numbers[entry["game"], see] for see in entry["see"]]}, ensure_ascii=False
        ).encode()
        for entry in entries
    ]
    of = {game: [n for n, entry in enumerate(entries) if entry["game"] == game] for game in titles}
    head = {
        "games": {game: [title.en, title.ja] for game, title in titles.items()},
        "of": {game: [found[0], found[-1] + 1] if found else [0, 0] for game, found in of.items()},
        "tables": [len(key_table), len(letter_table), len(word_table)],
        "entries": [len(body) for body in bodies],
    }
    return b"".join(
        [json.dumps(head, ensure_ascii=False).encode(), b"\n", key_table, letter_table, word_table, *bodies]
    )


def _rank(target: str) -> tuple[int, int | str]:
    """Titles before aliases before cards that are concerned before cards themselves."""
    return "tack".index(target[0]), int(target[1:]) if target[1:].isdigit() else target


def _table(lines: Mapping[str, str]) -> tuple[bytes, dict[str, int]]:
    """The table, and where in it each name's line begins."""
    parts = [b"\n"]
    places = {}
    length = 1
    for name, belongs in lines.items():
        places[name] = length
        line = f"{name}\t{belongs}\n".encode()
        length += len(line)
        parts.append(line)
    return b"".join(parts), places
