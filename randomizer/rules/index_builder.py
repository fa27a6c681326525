"""Makes the index that look-ups use, as `index` reads it. Runs only when a rulebook has changed.

The index is a line of JSON that tells where everything is, three tables, the entries, and their conditions:

- `keys`: everything an entry or card is called, folded, with what it leads to: `t12` the title of entry 12,
  `a12` an alias, reading or id of it, `c12` a card that it concerns, `k` and a name that card.
- `letters`: every two neighbouring letters of the keys, with where in `keys` those keys are.
- `tokens`: every token, with the entries that have it and how much it says about each by Okapi's BM25, in
  hundredths; before `12:8` stands `!` if it is in one of the entry's names.

A table is lines of a name, a tab and what belongs to it, so that a name is found without reading the rest. An
entry is an array of its fields; the conditions are an object by the numbers of entries.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from randomizer.cards.game import Game
from randomizer.cards.model import Named
from randomizer.rules.applying import Conditions
from randomizer.rules.entry import Entry
from randomizer.rules.rulefile import Rulebooks
from randomizer.text.folding import fold, pairs, tokens

_TITLE, _ALIAS, _CARD, _TEXT = 4, 2, 2, 1  # how often a token counts, by where it stands
_SATURATION = 2  # BM25's k: how soon a token that stands there more often says no more
_LENGTH = 0.3  # BM25's b: how much less a token says in a long text

Called = Mapping[str, Iterable[str]]  # by a card's English name, all its names


def make_index(books: Rulebooks, games: Sequence[Game], translated: Iterable[Mapping[str, Named]]) -> bytes:
    """The index of the rulebooks.

    Args:
        books: as `rulefile.read_books` returns them.
        games: the games whose cards they concern; those of the default game, the first, can be looked up.
        translated: for each language besides English, what its cards are called.
    """
    called = _called(games, translated)
    numbers = {(entry.game, entry.id): number for number, entry in enumerate(books.entries)}
    entries = [
        entry._replace(related=[numbers[entry.game, see] for see in entry.see]) for entry in books.entries
    ]
    keys = _key_table(entries, called, games[0].cards)
    tables = [keys, _letter_table(keys), _token_table(entries, called)]
    return _packed(books._replace(entries=entries), tables)


def _called(games: Iterable[Game], translated: Iterable[Mapping[str, Named]]) -> Called:
    """Every name of every card, in all languages."""
    called = {card.name: {card.name, *card.also} for game in games for card in game.cards.values()}
    for language in translated:
        for card, (name, reading, also) in language.items():
            called[card] |= {name, reading, *also} - {""}
    return called


def _aliases(entry: Entry) -> Sequence[str]:
    """What else an entry is called besides its title."""
    return [entry.reading, entry.id.replace("-", " "), *entry.aliases]


# ── The tables ──


def _key_table(entries: Iterable[Entry], called: Called, cards: Iterable[str]) -> bytes:
    keys: dict[str, set[str]] = defaultdict(set)
    for number, entry in enumerate(entries):
        for title in entry.title.values():
            keys[fold(title)].add(f"t{number}")
        for alias in _aliases(entry):
            keys[fold(alias)].add(f"a{number}")
        for card in entry.cards:
            for name in called[card]:
                keys[fold(name)].add(f"c{number}")
    for card in cards:
        for name in called[card]:
            keys[fold(name)].add(f"k{card}")
    keys.pop("", None)
    return _table({key: "\t".join(sorted(targets, key=_rank)) for key, targets in keys.items()})


def _rank(target: str) -> tuple[int, int | str]:
    """Titles before aliases before cards that are concerned before cards themselves."""
    return "tack".index(target[0]), int(target[1:]) if target[1:].isdigit() else target


def _letter_table(keys: bytes) -> bytes:
    letters: dict[str, list[str]] = defaultdict(list)
    place = 1
    for line in keys.split(b"\n")[1:-1]:
        for pair in pairs(line.decode().partition("\t")[0]):
            letters[pair].append(str(place))
        place += len(line) + 1
    return _table({pair: " ".join(places) for pair, places in letters.items()})


def _token_table(entries: Sequence[Entry], called: Called) -> bytes:
    lengths = [sum(map(len, entry.text.values())) for entry in entries]
    mean = sum(lengths) / max(len(lengths), 1)
    having: dict[str, list[str]] = defaultdict(list)
    for number, entry in enumerate(entries):
        room = _SATURATION * (1 - _LENGTH + _LENGTH * lengths[number] / mean)
        in_names = _counted([(_TITLE, entry.title.values()), (_ALIAS, _aliases(entry))])
        cards = [name for card in entry.cards for name in called[card]]
        texts = [*entry.text.values(), *(text for older in entry.older for text in older.text.values())]
        for token, often in (in_names + _counted([(_CARD, cards), (_TEXT, texts)])).items():
            says = round(100 * often * (_SATURATION + 1) / (often + room))
            having[token].append(f"{'!' if token in in_names else ''}{number}:{says}")
    return _table({token: " ".join(entries) for token, entries in having.items()})


def _counted(texts: Iterable[tuple[int, Iterable[str]]]) -> Counter[str]:
    """How often the tokens stand in the texts, each so many times as its text counts."""
    count: Counter[str] = Counter()
    for times, several in texts:
        for text in several:
            for token in tokens(fold(text)):
                count[token] += times
    return count


def _table(lines: Mapping[str, str]) -> bytes:
    """The table, its lines in order."""
    return "".join(["\n", *(f"{name}\t{belongs}\n" for name, belongs in sorted(lines.items()))]).encode()


# ── All of it ──


def _packed(books: Rulebooks, tables: Sequence[bytes]) -> bytes:
    bodies = [_json(entry) for entry in books.entries]
    of = {game: [n for n, entry in enumerate(books.entries) if entry.game == game] for game in books.titles}
    head = {
        "titles": books.titles,
        "of": {game: [found[0], found[-1] + 1] if found else [0, 0] for game, found in of.items()},
        "tables": list(map(len, tables)),
        "entries": list(map(len, bodies)),
        "on_cards": [number for number, entry in enumerate(books.entries) if entry.cards],
    }
    conditions = {number: _plain(asks) for number, asks in enumerate(books.conditions) if asks}
    return b"".join([_json(head), b"\n", *tables, *bodies, _json(conditions)])


def _plain(conditions: Conditions) -> list[list[dict[str, Sequence[str | int]]]]:
    """The conditions in JSON's terms, without what they do not ask for."""
    return [
        [{part: wanted for part, wanted in one._asdict().items() if wanted} for one in alternatives]
        for alternatives in conditions
    ]


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
