"""How like one word is spelt to another."""


def unlike(one: str, other: str, most: float = 1) -> float:
    """How much of the longer one has to be changed to make the other: 0 the same, 1 all of it.

    A letter put in, left out, changed, or swapped with its neighbour is one change. Where the lengths alone
    tell that it is more than `most`, it is 1.
    """
    longer = max(len(one), len(other))
    return _changes(one, other) / longer if abs(len(one) - len(other)) <= longer * most else 1


def _changes(one: str, other: str) -> int:
    """How many changes make the one the other (optimal string alignment).

    A column of the usual table lies in two numbers, a bit for each letter: where it goes up and where down.
    H. Hyyrö, A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances, 2003.
    """
    last, every = 1 << len(one) - 1, (1 << len(one)) - 1
    places: dict[str, int] = {}
    for place, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << place
    up, down, same, before, changes = every, 0, 0, 0, len(one)
    for letter in other:
        here = places.get(letter, 0)
        swapped = ((~same & here) << 1) & before
        same = ((((here & up) + up) ^ up) | here | down | swapped) & every
        right, left = down | ~(same | up) & every, same & up
        changes += bool(right & last) - bool(left & last)
        right, left = right << 1 | 1, left << 1
        up, down, before = (left | ~(same | right)) & every, right & same, here
    return changes
