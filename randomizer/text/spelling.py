"""How like one word is spelt to another."""

from collections.abc import Iterable


def edit_distance(one: str, other: str, max_distance: float = 1) -> float:
    """How much of the longer one has to be changed to make the other, as `Spelling` tells it."""
    return Spelling(one).edit_distance(other, max_distance)


def closest(text: str, others: Iterable[str], max_distance: float) -> list[tuple[float, str]]:
    """Those that are spelt at most so unlike the text, the likest first, and how unlike each is: 0 to 1."""
    spelling = Spelling(text)
    return sorted(
        (far, other)
        for other in others
        if (far := spelling.edit_distance(other, max_distance)) <= max_distance
    )


class Spelling:
    """How a word is spelt, to compare others with it."""

    def __init__(self, word: str) -> None:
        self._length = len(word)
        self._places: dict[str, int] = {}  # of each letter, a bit for each place where it stands
        for place, letter in enumerate(word):
            self._places[letter] = self._places.get(letter, 0) | 1 << place

    def edit_distance(self, other: str, most: float = 1) -> float:
        """How much of the longer word has to be changed to make the other: 0 the same, 1 all of it.

        A letter put in, left out, changed, or swapped with its neighbour is one change. Where the lengths
        alone tell that it is more than `most`, it is 1.
        """
        longer = max(self._length, len(other))
        if abs(self._length - len(other)) > longer * most:
            return 1
        return self._changes(other) / longer

    def _changes(self, other: str) -> int:
        """How many changes make it the other word (optimal string alignment).

        A column of the usual table lies in two numbers, a bit for each letter: where it goes up and where
        down. H. Hyyrö, A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances, 2003.
        """
        last, every = 1 << self._length - 1, (1 << self._length) - 1
        up, down, same, before, changes = every, 0, 0, 0, self._length
        for letter in other:
            here = self._places.get(letter, 0)
            swapped = ((~same & here) << 1) & before
            same = ((((here & up) + up) ^ up) | here | down | swapped) & every
            right, left = down | ~(same | up) & every, same & up
            changes += bool(right & last) - bool(left & last)
            right, left = right << 1 | 1, left << 1
            up, down, before = (left | ~(same | right)) & every, right & same, here
        return changes
