"""Makes the index that look-ups use, as `index` reads it. Runs only when a rulebook has changed.

The index is a line of JSON that tells where everything is, then three tables and the entries:

- `keys`: everything an entry or card is called, folded, with what it leads to: `t12` the title of entry 12,
  `a12` an alias, reading or id of it, `c12` a card that it concerns, `k` and a name that card.
- `letters`: every two neighbouring letters of the keys, with where in `keys` those keys are.
- `words`: every word, with the entries that have it and how much it says about each by Okapi's BM25, in
  hundredths; before `12:8` stands `!` if it is in one of the entry's names.

A table is lines of a name, a tab and what belongs to it, so that a name is found without reading the rest.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from randomizer.cards.game import Game
from randomizer.cards.model import Named
from randomizer.text.folding import fold, pairs, tokens

_TITLE, _ALIAS, _CARD, _TEXT = 4, 2, 2, 1  # how often a word counts, by where it stands
_SATURATION = 2  # BM25's k: how soon a word that stands there more often says no more
_LENGTH = 0.3  # BM25's b: how much less a word says in a long text


def make_index(
    titles: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    games: Sequence[Game],
    named: Iterable[Mapping[str, Named]],
) -> bytes:
    """The index of these entries.

    Args:
        titles: of the games, by the name of their book; the default game is the first.
        entries: as `rulefile.read_books` returns them.
        games: the games whose cards they concern; those of the default game, the first, can be looked up.
        named: what cards are called in other languages.
    """
    called = {card.name: {card.name, *card.also} for game in games for card in game.cards.values()}
    for translated in named:
        for card, (name, reading, also) in translated.items():
            called[card] |= {name, reading, *also} - {""}
    keys: dict[str, dict[str, None]] = defaultdict(dict)
    counts: list[Counter[str]] = []
    names: list[set[str]] = []
    lengths = []
    for number, entry in enumerate(entries):
        count: Counter[str] = Counter()
        aliases = [entry["reading"], entry["id"].replace("-", " "), *entry["aliases"]]
        for title in entry["title"].values():
            keys[fold(title)][f"t{number}"] = None
            _count(title, _TITLE, count)
        for alias in aliases:
            keys[fold(alias)].setdefault(f"a{number}")
            _count(alias, _ALIAS, count)
        names.append(set(count))
        for card in entry["cards"]:
            for name in called[card]:
                keys[fold(name)].setdefault(f"c{number}")
                _count(name, _CARD, count)
        for text in (*entry["text"].values(), *(text for older in entry["older"] for text in older.values())):
            _count(text, _TEXT, count)
        counts.append(count)
        lengths.append(sum(len(text) for text in entry["text"].values()))
    for card in games[0].cards:
        for name in called[card]:
            keys[fold(name)].setdefault(f"k{card}")
    keys.pop("", None)
    mean = sum(lengths) / len(lengths)
    having: dict[str, list[str]] = defaultdict(list)
    for number, count in enumerate(counts):
        room = _SATURATION * (1 - _LENGTH + _LENGTH * lengths[number] / mean)
        for word, often in count.items():
            says = round(100 * often * (_SATURATION + 1) / (often + room))
            having[word].append(f"{'!' if word in names[number] else ''}{number}:{says}")
    return _packed(titles, entries, keys, having)


def _count(text: str, times: int, count: Counter[str]) -> None:
    for word in tokens(fold(text)):
        count[word] += times


def _packed(
    titles: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    keys: Mapping[str, Iterable[str]],
    having: Mapping[str, Iterable[str]],
) -> bytes:
    key_table = _table({key: "\t".join(sorted(targets, key=_rank)) for key, targets in sorted(keys.items())})
    letters: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        place = str(key_table.index(f"\n{key}\t".encode()) + 1)
        for pair in pairs(key):
            letters[pair].append(place)
    tables = [
        key_table,
        _table({pair: " ".join(places) for pair, places in sorted(letters.items())}),
        _table({word: " ".join(found) for word, found in sorted(having.items())}),
    ]
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
        "tables": list(map(len, tables)),
        "entries": [len(body) for body in bodies],
        "on_cards": [number for number, entry in enumerate(entries) if entry["cards"]],
    }
    return b"".join([json.dumps(head, ensure_ascii=False).encode(), b"\n", *tables, *bodies])


def _rank(target: str) -> tuple[int, int | str]:
    """Titles before aliases before cards that are concerned before cards themselves."""
    return "tack".index(target[0]), int(target[1:]) if target[1:].isdigit() else target


def _table(lines: Mapping[str, str]) -> bytes:
    return "".join(["\n", *(f"{name}\t{belongs}\n" for name, belongs in lines.items())]).encode()
