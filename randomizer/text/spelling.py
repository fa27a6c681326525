"""Normalized edit distances between words, to find what a misspelt word may mean."""

from collections.abc import Iterable


def edit_distance(word: str, other: str, max_distance: float = 1) -> float:
    """Return the normalized edit distance of two words: 0 for equal words, 1 for completely different ones.

    It is the number of edits divided by the length of the longer word. An edit inserts, deletes or replaces a
    letter, or swaps two neighbouring ones. If the lengths alone show that the distance exceeds
    `max_distance`, 1 is returned.
    """
    return _WordPattern(word).distance_to(other, max_distance)


def closest(word: str, candidates: Iterable[str], max_distance: float) -> list[tuple[float, str]]:
    """Return (distance, candidate) for each candidate within the maximum distance, the closest first.

    Args:
        word: the word that may be misspelt.
        candidates: the words to compare it with.
        max_distance: the maximum normalized edit distance, 0 to 1.
    """
    pattern = _WordPattern(word)
    distances = ((pattern.distance_to(candidate, max_distance), candidate) for candidate in candidates)
    return sorted(pair for pair in distances if pair[0] <= max_distance)


class _WordPattern:
    """A word prepared for comparing it with many others."""

    def __init__(self, word: str) -> None:
        self._length = len(word)
        self._masks: dict[str, int] = {}  # letter -> bit mask of the positions at which it occurs
        for position, letter in enumerate(word):
            self._masks[letter] = self._masks.get(letter, 0) | 1 << position

    def distance_to(self, other: str, max_distance: float) -> float:
        """Return the normalized edit distance, as `edit_distance` does."""
        longer = max(self._length, len(other))
        if abs(self._length - len(other)) > longer * max_distance:
            return 1
        return self._count_edits(other) / longer

    def _count_edits(self, other: str) -> int:
        """Return the optimal string alignment distance.

        Two integers represent a column of the dynamic programming table, with a bit for each letter of the
        word: `up` where the distance increases by one, `down` where it decreases. See H. Hyyrö, A Bit-Vector
        Algorithm for Computing Levenshtein and Damerau Edit Distances, 2003.
        """
        last_bit, all_bits = 1 << self._length - 1, (1 << self._length) - 1
        up, down, diagonal, previous_mask, edits = all_bits, 0, 0, 0, self._length
        for letter in other:
            mask = self._masks.get(letter, 0)
            swapped = ((~diagonal & mask) << 1) & previous_mask
            diagonal = ((((mask & up) + up) ^ up) | mask | down | swapped) & all_bits
            right, left = down | ~(diagonal | up) & all_bits, diagonal & up
            edits += bool(right & last_bit) - bool(left & last_bit)
            right, left = right << 1 | 1, left << 1
            up, down, previous_mask = (left | ~(diagonal | right)) & all_bits, right & diagonal, mask
        return edits
