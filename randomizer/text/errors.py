"""What can go wrong, in words for the person at the table."""

from collections.abc import Iterable, Sequence


class Problem(Exception):
    """Something a person can mend. `str()` of it is one or two lines; nobody needs a traceback.

    `status` is the exit status it leads to: 2 for wrong input, 1 where there is simply no result.
    """

    status = 2

    @property
    def lines(self) -> Sequence[str]:
        """What to tell, line by line; what stands in a line may come from anywhere."""
        return (str(self),)


class NoResult(Problem):
    """The question was fine, and nothing answers it."""

    status = 1


class UnknownName(Problem):
    """No set, card or the like is called that; says what comes nearest.

    Attributes:
        what: the sort of thing: "set", "card".
        name: what was typed.
        hits: the names that come nearest, as `nearest` finds them.
        otherwise: what to say where none does, such as what names there are.
    """

    def __init__(self, what: str, name: str, hits: Sequence[str], otherwise: str = "") -> None:
        self.what, self.name, self.hits, self.otherwise = what, name, tuple(hits), otherwise
        hint = f"; did you mean {either(hits)}?" if hits else f"; {otherwise}." if otherwise else "."
        super().__init__(f"no {what} is called {name!r}{hint}")


class BadSelector(Problem):
    """A selector or wish that cannot be read.

    Attributes:
        why: what is wrong.
        words: those of the selector ...
        start, end: ... and which of them it is about, from this place on to before that.
    """

    def __init__(self, why: str, words: Sequence[str], start: int, end: int) -> None:
        self.why, self.words, self.start, self.end = why, tuple(words), start, end
        super().__init__(why)

    @property
    def lines(self) -> Sequence[str]:
        """What is wrong; and where, if there are other words around it."""
        if self.end - self.start == len(self.words):
            return (self.why,)
        here = f"[{' '.join(self.words[self.start : self.end])}]"
        return (self.why, f"  {' '.join((*self.words[: self.start], here, *self.words[self.end :]))}")


class BadData(Problem):
    """A data file does not say what it should.

    Attributes:
        faults: every fault, with its file and path.
    """

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))

    @property
    def lines(self) -> Sequence[str]:
        """A line for each fault."""
        return self.faults


class TooFewCards(Problem):
    """The boxes do not hold what the deal takes.

    Attributes:
        boxes: what they are called.
        found: how many cards there are ...
        wanted: ... of how many that the deal takes ...
        sort: ... and of which sort, in the plural.
        banned: how many more there are that nobody wants to deal from.
    """

    def __init__(self, boxes: Sequence[str], found: int, wanted: int, sort: str, banned: int = 0) -> None:
        self.boxes, self.found, self.wanted, self.sort = tuple(boxes), found, wanted, sort
        self.banned = banned
        have = "has" if len(boxes) == 1 else "have"
        cards = sort.removesuffix("s") if found + banned == 1 else sort
        but = f", of which {banned} {'is' if banned == 1 else 'are'} banned" if banned else ""
        number = found + banned or "no"
        super().__init__(f"{all_of(boxes)} {have} {number} {cards}{but}: {wanted} are needed.")


class BadOptions(Problem):
    """Options that contradict each other or lie out of range."""


class BadKingdom(Problem):
    """A list of cards that names something that there is not.

    Attributes:
        faults: every fault, with the line it stands in where there are several lines.
    """

    _MOST = 20  # that are told

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))

    @property
    def lines(self) -> Sequence[str]:
        """A line for each fault, as far as anybody would read them."""
        more = len(self.faults) - self._MOST
        return (*self.faults[: self._MOST], *([f"and {more} more."] if more > 0 else ()))


class BadDocument(Problem):
    """What was given as a saved setup document is not one, or is damaged."""


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


def all_of(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
