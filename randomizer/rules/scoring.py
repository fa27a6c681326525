"""How well entries answer a query: Okapi BM25 over its tokens, and more for the names that it has in it."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import log

from randomizer.rules.index import Index, among
from randomizer.text.folding import spaced, tokens

_PHRASE = {"t": 0.5, "a": 0.4, "c": 0.2}  # how much more a word says in the name of an entry or of its card
_OFF_TOPIC = 0.9  # what is left of what an entry on single cards says, if none of them is asked about
_COMMON = 0.5  # what a word counts that English questions are full of
_KANJI = 1.5  # what a kanji counts, against two neighbouring letters
_UNKNOWN = 3.0  # what a word counts that no entry has
_GRAMMAR = 1.0  # ... or Japanese letters, which are mostly the ending of a verb
_LONGEST = 12  # words, or Japanese letters, that a name within a question has at most
_QUESTION_WORDS = frozenset(  # stems, as `tokens` gives them
    "a after am an and any are as at be been befor but by can could did do doe for from get had has "  # noqa: SIM905
    "hav he her his how i if in into is it its just may me my no not of on or our out she should so som "
    "than that the their them then there they this to up was we what when which who will with would you "
    "your".split()
)


class Scores:
    """How well each entry of a game answers a query.

    Args:
        query: folded.
        game: whose entries.
    """

    def __init__(self, index: Index, query: str, game: str) -> None:
        self._on_cards = index.on_cards
        self._numbers = index.of[game]
        self._having = {token: index.having(token) for token in dict.fromkeys(tokens(query))}
        self._worths = {
            token: worth(token, len(numbers), index.count) for token, (numbers, _) in self._having.items()
        }
        self._points = [0.0] * index.count
        self._count_tokens()
        self._asked_about = self._count_names(index, query)

    def points(self, number: int) -> float:
        """What the entry has; it means something only beside what another has for the same query."""
        off_topic = number in self._on_cards and number not in self._asked_about
        return self._points[number] * _OFF_TOPIC if off_topic else self._points[number]

    def part(self, number: int) -> float:
        """How much of the query the entry says: 0 nothing, 1 every word."""
        says = (much for token, much in self._worths.items() if among(self._having[token][0], number))
        return sum(says) / sum(self._worths.values())

    def best(self, share: float) -> list[int]:
        """The entries that have at least this share of the points of the best one, in order."""
        points = self._points
        most = max(points[self._numbers.start : self._numbers.stop], default=0)
        if not most:
            return []
        least = most * _OFF_TOPIC * share
        likely = [number for number in self._numbers if points[number] >= least]
        first, *others = self.in_order(likely)
        return [first, *(other for other in others if self.points(other) >= self.points(first) * share)]

    def in_order(self, numbers: Iterable[int]) -> list[int]:
        """These entries, the best first, and of equal ones in the order of the book."""
        return sorted(numbers, key=lambda number: (-self.points(number), number))

    def _count_tokens(self) -> None:
        """Give the game's entries the points for the tokens that they have."""
        points, game = self._points, self._numbers
        for numbers, gives in self._having.values():
            here = slice(bisect_left(numbers, game.start), bisect_left(numbers, game.stop))
            for number, more in zip(numbers[here], gives[here], strict=True):
                points[number] += more

    def _count_names(self, index: Index, query: str) -> set[int]:
        """Give points for the names in the query; the entries that are called so, or concern such a card."""
        asked_about: set[int] = set()
        for name in _names_in(query, index):
            said = sum(self._worths.get(token, 0) for token in tokens(name))
            for sort, numbers in index.called(name).entries.items():
                asked_about.update(numbers)
                for number in numbers:
                    self._points[number] += _PHRASE[sort] * said
        return asked_about


def worth(token: str, having: int, count: int) -> float:
    """How much it tells that an entry has the token, by how many of all the entries have it."""
    if not having:
        return _UNKNOWN if spaced(token) else _GRAMMAR
    rare = log(1 + (count - having + 0.5) / (having + 0.5))
    if token in _QUESTION_WORDS:
        return rare * _COMMON
    return rare * _KANJI if len(token) == 1 and not spaced(token) else rare


def _names_in(query: str, index: Index) -> list[str]:
    """Every run of words, or of at least two Japanese letters, that is a key; the longest first."""
    words = spaced(query)
    parts: Sequence[str] = query.split(" ") if words else query
    joint, shortest = (" ", 1) if words else ("", 2)
    found = []
    for start in range(len(parts)):
        for length in range(1, min(len(parts) - start, _LONGEST) + 1):
            run = joint.join(parts[start : start + length])
            begun = index.keys.beginning(run)
            if not begun:
                break
            if length >= shortest and index.keys.name(begun[0]) == run:
                found.append((-length, start, run))
    return [run for _, _, run in sorted(found)]
