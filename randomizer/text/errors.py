"""What can go wrong, in words for the person at the table."""

from collections.abc import Iterable, Mapping, Sequence

from randomizer.text.language import (
    PLAIN,
    Language,
    Message,
    Slug,
    Typed,
    Value,
    all_of,
    either,
    message,
    quoted,
)


class Problem(Exception):
    """Something a person can mend, told in one or two lines; nobody needs a traceback.

    `str()` of it is English. `status` is the exit status it leads to: 2 for wrong input, 1 where there is
    simply no result.

    Args:
        phrase: what is wrong, in English, with a blank for each of the values; or a message that says it.
        values: what to put into the blanks, as in a `Message`.
    """

    status = 2

    def __init__(self, phrase: str | Message, /, **values: Value) -> None:
        self.message = phrase if isinstance(phrase, Message) else message(phrase, **values)
        super().__init__(str(self.message))

    def told(self, language: Language = PLAIN) -> Sequence[str]:
        """What to tell in a language, line by line; what stands in a line may come from anywhere."""
        return (language.told(self.message),)


class NoResult(Problem):
    """The question was fine, and nothing answers it."""

    status = 1


class BadUsage(Problem):
    """Words of a command line that do nothing there, or not together."""


class UnknownName(Problem):
    """No set, card or the like is called that; says what comes nearest.

    Attributes:
        what: the sort of thing: "set", "card".
        name: what was typed.
        hits: the names that come nearest, as `nearest` finds them, or by language; those to be typed just so
            are `Typed`.
        otherwise: what to say where none does, such as what names there are.
    """

    def __init__(
        self,
        what: str,
        name: str,
        hits: Sequence[str | Mapping[str, str]] = (),
        otherwise: Message | None = None,
    ) -> None:
        self.what, self.name, self.hits, self.otherwise = what, name, tuple(hits), otherwise
        said = quoted(name)
        if hits:
            did_you = "no {what} is called {name}; did you mean {hits}?"
            super().__init__(did_you, what=what, name=said, hits=either(hits))
        elif otherwise:
            super().__init__(
                "no {what} is called {name}; {otherwise}.", what=what, name=said, otherwise=otherwise
            )
        else:
            super().__init__("no {what} is called {name}.", what=what, name=said)


class BadSelector(Problem):
    """A selector or wish that cannot be read.

    Attributes:
        message: what is wrong.
        words: those of the selector ...
        start, end: ... and which of them it is about, from this place on to before that.
    """

    def __init__(self, why: Message, words: Sequence[str], start: int, end: int) -> None:
        self.words, self.start, self.end = tuple(words), start, end
        super().__init__(why)

    @property
    def where(self) -> str:
        """The words, with those that it is about in brackets; nothing if there are no others around them."""
        if self.end - self.start == len(self.words):
            return ""
        here = f"[{' '.join(self.words[self.start : self.end])}]"
        return " ".join((*self.words[: self.start], here, *self.words[self.end :]))

    def told(self, language: Language = PLAIN) -> Sequence[str]:
        """What is wrong; and where, if there are other words around it."""
        return (*super().told(language), *([f"  {self.where}"] if self.where else ()))


class BadData(Problem):
    """A data file does not say what it should.

    Attributes:
        faults: every fault, with its file and path; for those who write such files, and in English.
    """

    def __init__(self, faults: Sequence[str | Message]) -> None:
        self.faults = tuple(faults)
        super().__init__(Typed("\n".join(map(str, faults))))

    def told(self, language: Language = PLAIN) -> Sequence[str]:
        """A line for each fault."""
        return [fault if isinstance(fault, str) else language.told(fault) for fault in self.faults]


class TooFewCards(Problem):
    """The boxes do not hold what the deal takes.

    Attributes:
        boxes: what they are called.
        found: how many cards there are ...
        wanted: ... of how many that the deal takes ...
        sort: ... and of which sort, in the plural.
        banned: how many more there are that nobody wants to deal from.
    """

    def __init__(self, boxes: Sequence[Slug], found: int, wanted: int, sort: str, banned: int = 0) -> None:
        self.boxes, self.found, self.wanted, self.sort = tuple(boxes), found, wanted, sort
        self.banned = banned
        whose = message("{boxes} has" if len(boxes) == 1 else "{boxes} have", boxes=all_of(boxes))
        number = found + banned
        cards = sort.removesuffix("s") if number == 1 else sort
        held = (
            message("{whose} {count} {cards}", whose=whose, count=number, cards=cards)
            if number
            else message("{whose} no {cards}", whose=whose, cards=cards)
        )
        if banned:
            but = (
                "{held}, of which {banned} is banned"
                if banned == 1
                else "{held}, of which {banned} are banned"
            )
            held = message(but, held=held, banned=banned)
        super().__init__("{held}: {wanted} are needed.", held=held, wanted=wanted)


class BadOptions(Problem):
    """Options that contradict each other or lie out of range."""


class BadKingdom(Problem):
    """A list of cards that names something that there is not.

    Attributes:
        faults: every fault, with the line it stands in where there are several lines.
    """

    _MOST = 20  # that are told

    def __init__(self, faults: Sequence[Message]) -> None:
        self.faults = tuple(faults)
        super().__init__(Typed("\n".join(map(str, faults))))

    def told(self, language: Language = PLAIN) -> Sequence[str]:
        """A line for each fault, as far as anybody would read them."""
        more = len(self.faults) - self._MOST
        told = [language.told(fault) for fault in self.faults[: self._MOST]]
        return [*told, language.say("and {count} more.", count=more)] if more > 0 else told


class BadDocument(Problem):
    """What was given as a saved setup document is not one, or is damaged."""


def reason(problem: OSError) -> str:
    """Why a file or the like cannot be used, in the system's words."""
    return problem.strerror or str(problem)


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """Up to `most` of the `known` names that are spelt like `name`, nearest first.

    Behind these, those that it begins with, the longest first.
    """
    from difflib import get_close_matches  # loaded only once something is wrong

    by_folded: dict[str, str] = {}
    for word in known:
        by_folded.setdefault(word.casefold(), word)
    folded = name.casefold()
    begins = sorted((word for word in by_folded if len(word) > 1 and folded.startswith(word)), key=len)
    hits = [*get_close_matches(folded, by_folded, most, 0.6), *reversed(begins)]
    return [by_folded[hit] for hit in dict.fromkeys(hits)][:most]
