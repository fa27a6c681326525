"""Normalized edit distances between words, for correcting misspelt words."""

from collections.abc import Iterable


def edit_distance(word: str, other: str, max_distance: float = 1) -> float:
    """Return the normalized edit distance between two words: 0 if they are equal, 1 if nothing matches.

    This is the number of edits divided by the length of the longer word. An edit inserts, deletes or replaces
    a letter, or transposes two adjacent letters. If the difference in length alone exceeds `max_distance`,
    return 1 without counting the edits.
    """
    return _WordPattern(word).distance_to(other, max_distance)


def closest(word: str, candidates: Iterable[str], max_distance: float) -> list[tuple[float, str]]:
    """Return (distance, candidate) for each candidate within a maximum edit distance, closest first.

    Args:
        word: the word that may be misspelt.
        candidates: the words with which to compare it.
        max_distance: the maximum normalized edit distance, 0 to 1.
    """
    pattern = _WordPattern(word)
    distances = ((pattern.distance_to(candidate, max_distance), candidate) for candidate in candidates)
    return sorted(pair for pair in distances if pair[0] <= max_distance)


class _WordPattern:
    """A word that is preprocessed for fast comparison with many others."""

    def __init__(self, word: str) -> None:
        self._length = len(word)
        self._masks: dict[str, int] = {}  # letter -> bit mask of the positions at which it occurs
        for position, letter in enumerate(word):
            self._masks[letter] = self._masks.get(letter, 0) | 1 << position

    def distance_to(self, other: str, max_distance: float) -> float:
        """Return the normalized edit distance to another word (see `edit_distance`)."""
        max_length = max(self._length, len(other))
        if abs(self._length - len(other)) > max_length * max_distance:
            return 1
        return self._count_edits(other) / max_length

    def _count_edits(self, other: str) -> int:
        """Return the optimal string alignment distance to another word.

        Two bit masks represent a column of the dynamic programming table. They have a bit for each letter of
        the word: in `up`, it is set where the distance increases by one, and in `down`, where it decreases.
        See H. Hyyrö, A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances, 2003.
        """
        last_bit, all_bits = 1 << self._length - 1, (1 << self._length) - 1
        up, down, diagonal, previous_mask, edit_count = all_bits, 0, 0, 0, self._length
        for letter in other:
            mask = self._masks.get(letter, 0)
            swapped = ((~diagonal & mask) << 1) & previous_mask
            diagonal = ((((mask & up) + up) ^ up) | mask | down | swapped) & all_bits
            right, left = down | ~(diagonal | up) & all_bits, diagonal & up
            edit_count += bool(right & last_bit) - bool(left & last_bit)
            right, left = right << 1 | 1, left << 1
            up, down, previous_mask = (left | ~(diagonal | right)) & all_bits, right & diagonal, mask
        return edit_count
