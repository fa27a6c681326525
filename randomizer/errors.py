"""What can go wrong, in words for the person at the table."""

from collections.abc import Iterable, Sequence


class Problem(Exception):
    """Something a person can mend. `str()` of it is one or two lines; nobody needs a traceback.

    `status` is the exit status it leads to: 2 for wrong input, 1 where there is simply no result.
    """

    status = 2


class NoResult(Problem):
    """The question was fine, and nothing answers it."""

    status = 1


class UnknownName(Problem):
    """No set, card or the like is called that; says what comes nearest.

    Args:
        what: the sort of thing, with its article: "set", "card".
        name: what was typed.
        known: every name that would have worked.
    """

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.nearest = nearest(name, known)
        hint = f"; did you mean {either(self.nearest)}?" if self.nearest else ""
        super().__init__(f"no {what} is called {name!r}{hint or '.'}")


class BadData(Problem):
    """A data file does not say what it should; lists every fault with its path."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


class TooFewCards(Problem):
    """The sets do not hold what the deal takes."""


class BadOptions(Problem):
    """Options that contradict each other or lie out of range."""


class BadDocument(Problem):
    """A saved setup document that is none, or is damaged."""


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Up to `most` of the `known` names that are spelt like `name`, nearest first."""
    from difflib import get_close_matches  # loaded only once something is wrong

    by_folded: dict[str, str] = {}
    for word in known:
        by_folded.setdefault(word.casefold(), word)
    return [by_folded[hit] for hit in get_close_matches(name.casefold(), by_folded, most, 0.6)]


def either(names: Sequence[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    return " or ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
