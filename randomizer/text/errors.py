"""Errors that the user can fix, with translatable messages."""

from collections.abc import Iterable, Mapping, Sequence

from randomizer.text.language import (
    ENGLISH_LANGUAGE,
    Language,
    Message,
    Slug,
    Value,
    Verbatim,
    join_with_and,
    join_with_or,
    message,
    quote,
)


class Problem(Exception):
    """The base class of errors that the user can fix. They are reported without a traceback.

    `str()` returns the English message.

    Args:
        phrase: the English template of the message, or a complete message.
        values: the values of the template's placeholders, as in a `Message`.

    Attributes:
        message: the translatable message.
        status: the exit status of a command that fails with this error: 2 for invalid input, 1 for no result.
    """

    status = 2

    def __init__(self, phrase: str | Message, /, **values: Value) -> None:
        self.message = phrase if isinstance(phrase, Message) else message(phrase, **values)
        super().__init__(str(self.message))

    def render_lines(self, language: Language = ENGLISH_LANGUAGE) -> Sequence[str]:
        """Return the message in a language, as lines. They may contain unescaped user input."""
        return (language.render(self.message),)


class NoResult(Problem):
    """A valid query without a result."""

    status = 1


class BadUsage(Problem):
    """A command line whose arguments conflict or have no effect."""


class UnknownName(Problem):
    """A name that no set, card or other item has.

    Attributes:
        what: the kind of item that the name should refer to, such as "set" or "card".
        name: the name that the user typed.
        suggestions: similar names, as returned by `find_suggestions`, or mappings from language code to text.
            Names that must not be translated are `Verbatim`.
        hint: what to show if there are no suggestions, such as the list of valid names.
    """

    def __init__(
        self,
        what: str,
        name: str,
        suggestions: Sequence[str | Mapping[str, str]] = (),
        hint: Message | None = None,
    ) -> None:
        self.what, self.name, self.suggestions, self.hint = what, name, tuple(suggestions), hint
        quoted_name = quote(name)
        if suggestions:
            template = "unknown {what} {name}; did you mean {hits}?"
            super().__init__(template, what=what, name=quoted_name, hits=join_with_or(suggestions))
        elif hint:
            super().__init__(
                "unknown {what} {name}; {otherwise}.", what=what, name=quoted_name, otherwise=hint
            )
        else:
            super().__init__("unknown {what} {name}.", what=what, name=quoted_name)


class BadSelector(Problem):
    """A selector or wish that cannot be parsed.

    Attributes:
        message: the description of the fault.
        text: the selector or wish that the user typed.
        start: the index of the first faulty character.
        end: the index after the last faulty character.
    """

    def __init__(self, reason: Message, text: str = "", start: int = 0, end: int = 0) -> None:
        self.text, self.start, self.end = text, start, end
        super().__init__(reason)

    @property
    def highlighted(self) -> str:
        """The typed text with the faulty part in brackets; empty if all of the text is faulty."""
        before, fault, after = (
            self.text[: self.start],
            self.text[self.start : self.end],
            self.text[self.end :],
        )
        if not (before + after).strip():
            return ""
        highlighted = f"{before}[{fault}]{after}" if fault else f"{before.rstrip()} [] {after.lstrip()}"
        return "".join(char if char.isprintable() else repr(char)[1:-1] for char in highlighted.strip())

    def render_lines(self, language: Language = ENGLISH_LANGUAGE) -> Sequence[str]:
        """Return the message, and a line that marks the faulty part unless all of the text is faulty."""
        return (*super().render_lines(language), *([f"  {self.highlighted}"] if self.highlighted else ()))


class _Faults(Problem):
    """A problem that consists of one or more faults.

    Attributes:
        faults: a translatable message or an English string for each fault.
        max_lines: the maximum number of faults to render.
    """

    max_lines: int | None = None

    def __init__(self, faults: Sequence[str | Message]) -> None:
        self.faults = tuple(faults)
        super().__init__(Verbatim("\n".join(map(str, faults))))

    def render_lines(self, language: Language = ENGLISH_LANGUAGE) -> Sequence[str]:
        """Return a line for each fault, up to the maximum, and a line with the number of further faults."""
        lines = [
            fault if isinstance(fault, str) else language.render(fault)
            for fault in self.faults[: self.max_lines]
        ]
        rest_count = len(self.faults) - len(lines)
        if not rest_count:
            return lines
        return [*lines, language.translate("and {count} more.", count=rest_count)]


class BadData(_Faults):
    """An invalid data file.

    Each fault is described with its file and the path within the file. Nearly all descriptions are in
    English, because only authors of data files read them.
    """


class TooFewCards(Problem):
    """A deal that needs more cards than the chosen boxes contain.

    Attributes:
        boxes: the chosen boxes.
        found: the number of cards in these boxes that could be dealt.
        wanted: the number of cards that the deal needs.
        sort: the kind of cards, in the plural, such as "Kingdom cards".
        banned: the number of cards of this kind that are also in the boxes, but banned.
    """

    def __init__(self, boxes: Sequence[Slug], found: int, wanted: int, sort: str, banned: int = 0) -> None:
        self.boxes, self.found, self.wanted, self.sort = tuple(boxes), found, wanted, sort
        self.banned = banned
        whose = message("{boxes} has" if len(boxes) == 1 else "{boxes} have", boxes=join_with_and(boxes))
        count = found + banned
        cards = sort.removesuffix("s") if count == 1 else sort
        held = (
            message("{whose} {count} {cards}", whose=whose, count=count, cards=cards)
            if count
            else message("{whose} no {cards}", whose=whose, cards=cards)
        )
        if banned:
            of_which = (
                "{held}, of which {banned} is excluded"
                if banned == 1
                else "{held}, of which {banned} are excluded"
            )
            held = message(of_which, held=held, banned=banned)
        super().__init__("{held}; {wanted} are needed.", held=held, wanted=wanted)


class BadOptions(Problem):
    """Options that conflict or are out of range."""


class ExceededBound(BadOptions):
    """A choice for which every suitable card would exceed the upper bound of a wish.

    Attributes:
        wish: the text of the wish.
    """

    def __init__(self, wish: str, slot: str) -> None:
        self.wish = wish
        template = "{wish} can't be met: every card that could be chosen for {slot} exceeds it."
        super().__init__(template, wish=Verbatim(wish), slot=slot)


class BadKingdom(_Faults):
    """A list of cards with unknown names or other faults. Faults in a multi-line list have line numbers."""

    max_lines = 20


class BadDocument(Problem):
    """A file that is not a setup document, or is damaged."""


def describe_os_error(problem: OSError) -> str:
    """Return the operating system's description of an error."""
    return problem.strerror or str(problem)


def find_suggestions(name: str, known_names: Iterable[str], max_count: int = 3) -> list[str]:
    """Return the known names that are most similar to a misspelt one.

    Names with a similar spelling come first, in decreasing order of similarity. Known names that are a prefix
    of the misspelt one follow, longest first.

    Args:
        name: the misspelt name.
        known_names: the names to choose from.
        max_count: the maximum number of names to return.
    """
    from difflib import get_close_matches  # Needed only after an error.

    names_by_casefolded: dict[str, str] = {}
    for known_name in known_names:
        names_by_casefolded.setdefault(known_name.casefold(), known_name)
    casefolded = name.casefold()
    prefixes = [other for other in names_by_casefolded if len(other) > 1 and casefolded.startswith(other)]
    matches = [
        *get_close_matches(casefolded, names_by_casefolded, max_count, cutoff=0.6),
        *sorted(prefixes, key=len, reverse=True),
    ]
    return [names_by_casefolded[match] for match in dict.fromkeys(matches)][:max_count]
