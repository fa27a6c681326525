"""Chance, and the seeds that it comes from: the same for a seed on every machine and every Python."""

import os
from collections.abc import Iterator
from struct import unpack

try:  # what hashlib re-exports; hashlib itself would load OpenSSL, 2 ms of start-up
    from _blake2 import blake2s
except ImportError:  # pragma: no cover - Pythons built otherwise
    from hashlib import blake2s

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that look alike
_RANGE = 2**32


def places(seed: str, question: str, many: int) -> Iterator[int]:
    """Where to take the next card from, for each card of a deck.

    Args:
        seed: any text.
        question: what the deck is shuffled for; each question has dice of its own.
        many: how many cards the deck has, at most 2³².

    Yields:
        A place from 0 on among those that are left, each as likely as any other: first one of `many`, then
        one of one less, and so on.
    """
    key = f"{seed}\0{question}\0".encode()
    rolled = 0
    numbers: list[int] = []
    for left in range(many, 0, -1):
        uneven = _RANGE % left
        number = -1
        while number < uneven:  # the rest divides evenly
            if not numbers:
                numbers += _rolled(key, rolled)
                rolled += 1
            number = numbers.pop()
        yield number % left


class Dice:
    """Dice of one question, to ask for a number again and again.

    Args:
        seed: any text.
        question: what they decide.
    """

    def __init__(self, seed: str, question: str) -> None:
        self._key = f"{seed}\0{question}\0".encode()
        self._times = 0
        self._numbers: list[int] = []

    def below(self, number: int) -> int:
        """A whole number from 0 on and below this one, each as likely as any other."""
        whole = _RANGE
        while whole < number:
            whole *= _RANGE
        uneven, rolled = whole % number, -1
        while rolled < uneven:  # the rest divides evenly
            rolled, size = self._roll(), _RANGE
            while size < whole:
                rolled, size = rolled * _RANGE + self._roll(), size * _RANGE
        return rolled % number

    def _roll(self) -> int:
        if not self._numbers:
            self._numbers += _rolled(self._key, self._times)
            self._times += 1
        return self._numbers.pop()


def _rolled(key: bytes, time: int) -> tuple[int, ...]:
    """Eight numbers from 0 on and below 2³², others for every key and every time."""
    return unpack(">8I", blake2s(key + b"%d" % time).digest())


def fresh_seed() -> str:
    """A short seed that nobody has asked for."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(5))
