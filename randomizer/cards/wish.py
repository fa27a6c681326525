"""Wishes for a deal: cards asked for or banned, how many of a sort there are to be, and weights."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from reprlib import repr as short
from typing import NamedTuple, TypeVar

from randomizer.cards.game import Game, Wishes
from randomizer.cards.pool import get_or_compute
from randomizer.cards.selector import Selector, SelectorParser
from randomizer.text.errors import BadOptions, BadSelector, Problem, UnknownName, find_suggestions
from randomizer.text.language import Clause, Message, Verbatim, as_verbatim, message, quote
from randomizer.text.slugs import slugify

MAX_WISHES = 50  # of a sort
MAX_BANS = 2_000  # so many cards may be banned one by one
_COUNT = re.compile(r"(\d{1,3})|(\d{1,3})?-(\d{1,3})?", re.ASCII)
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,3})?", re.ASCII)
_T = TypeVar("_T")


class Wish(NamedTuple):
    """How many of those that are turned up and used a selector is to mean.

    Attributes:
        selector: which cards count.
        least, most: how many there are to be; None is any number.
        given: only if there is at least one of these.
    """

    selector: Selector
    min_count: int = 1
    max_count: int | None = None
    condition: Selector | None = None

    @property
    def text(self) -> str:
        """What to type for it, the same in every language."""
        if (self.min_count, self.max_count) == (1, None):
            count = ""
        elif self.min_count == self.max_count:
            count = f"={self.min_count}"
        else:
            count = f"={self.min_count or ''}-{'' if self.max_count is None else self.max_count}"
        return f"{self.selector.text}{count}" + (f" if {self.condition.text}" if self.condition else "")


class Weight(NamedTuple):
    """The cards that a selector means come up so many times as readily."""

    selector: Selector
    factor: Fraction

    @property
    def text(self) -> str:
        """What to type for it, the same in every language."""
        whole, thousandths = divmod(int(self.factor * 1000), 1000)
        return f"{self.selector.text}={f'{whole}.{thousandths:03}'.rstrip('0').rstrip('.')}"


class ParsedWishes(NamedTuple):
    """The wishes of a request, read: the cards asked for by name, the bans, the counts, and the weights."""

    cards: tuple[str, ...]
    bans: tuple[Selector, ...]
    wants: tuple[Wish, ...]
    weights: tuple[Weight, ...]

    def to_texts(self, of: int = 0) -> Wishes:
        """The same as a request and its command have it, in words that everybody understands.

        Args:
            of: of the boxes named, so many are drawn first; 0 is all of them.
        """
        return Wishes(
            tuple(map(slugify, self.cards)),
            tuple(ban.text for ban in self.bans),
            tuple(wish.text for wish in self.wants),
            tuple(weight.text for weight in self.weights),
            of,
        )


def parse_wishes(game: Game, wishes: Wishes) -> ParsedWishes:
    """The wishes of a request, read; kept, because the next deal asks for them again.

    Raises:
        BadSelector, UnknownName, BadOptions: as `read` does.
    """
    with_, without, want, weight, _ = wishes
    return get_or_compute(
        game.cards.wishes, wishes, lambda: parse_options(SelectorParser(game), with_, without, want, weight)
    )


def parse_options(
    words: SelectorParser,
    with_: Iterable[str] = (),
    without: Iterable[str] = (),
    want: Iterable[str] = (),
    weight: Iterable[str] = (),
    *,
    own: Mapping[str, Sequence[Wish]] = {},
) -> ParsedWishes:
    """What the texts of options, or of a request, wish for; in each, commas part one from the next.

    Args:
        own: by slug, what else can be wanted by name, as `own_wishes` has it.

    Raises:
        BadSelector, UnknownName: a text cannot be read, or nothing is called so.
        BadOptions: there are too many of a sort, or a number is out of range.
    """
    cards = [_card(words, name) for name in _parts(with_)]
    bans = [words.parse(text) for text in _parts(without)]
    wants = [wish for text in _parts(want) for wish in _wishes(words, text, own)]
    weights = [_weight(words, text) for text in _parts(weight)]
    for name, many, most in (
        ("--with", cards, MAX_WISHES),
        ("--without", bans, MAX_BANS),
        ("--want", wants, MAX_WISHES),
        ("--weight", weights, MAX_WISHES),
    ):
        if len(many) > most:
            raise BadOptions("{option} takes at most {most} of them.", option=Verbatim(name), most=most)
    return ParsedWishes(tuple(dict.fromkeys(cards)), _once(bans), _once(wants), tuple(weights))


def parse_named_wishes(
    words: SelectorParser, said: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Sequence[Wish]], list[Message]]:
    """The wishes that somebody has given names, by slug; and what is wrong with others, a line each.

    A name that can be read already is refused: a command that somebody sends is to mean the same here.
    """
    found: dict[str, Sequence[Wish]] = {}
    faults = []
    for name, texts in said.items():
        slug = slugify(name)
        try:
            if not slug or _is_read(words, slug) or _is_read(words, slug.replace("-", " ")):
                raise BadOptions("that is no name of its own")
            found[slug] = [wish for text in _parts(texts) for wish in _wishes(words, text)]
        except Problem as problem:
            fault = Clause(problem.message)
            faults.append(
                message("{name} among the wishes: {fault}", name=Verbatim(short(name)), fault=fault)
            )
    return found, faults


def _is_read(words: SelectorParser, text: str) -> bool:
    with suppress(BadSelector, UnknownName):
        return bool(_wishes(words, text))
    return False


def _once(many: Sequence[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(many))


def _parts(texts: Iterable[str]) -> list[str]:
    return [part.strip() for text in texts for part in re.split("[,、，]", text) if part.strip()]


def _card(words: SelectorParser, name: str) -> str:
    """The name of a card that is asked for; a word that means many has an option of its own."""
    try:
        return words.find_card(name).name
    except UnknownName as problem:
        try:
            meant = words.parse(name).text
        except Problem:
            raise problem from None
    said = "{name} is no single card; --want {meant} asks for one of those."
    raise BadOptions(said, name=quote(name), meant=Verbatim(meant))


def _wishes(words: SelectorParser, text: str, own: Mapping[str, Sequence[Wish]] = {}) -> Sequence[Wish]:
    """A wish; or those that the data, or somebody's own, have under a name."""
    ready = {slugify(name): wishes for name, wishes in words.game.wishes.items()}
    name = "" if ":" in text or "=" in text else slugify(text)
    if name in ready:
        return [_wish(words, each) for each in ready[name]]
    return own.get(name) or [_wish(words, text, [*ready, *own])]


def _wish(words: SelectorParser, text: str, ready: Sequence[str] = ()) -> Wish:
    tokens = text.split()
    places = [place for place, token in enumerate(tokens) if token.casefold() == "if"]
    end = places[0] if places else len(tokens)
    what, equals, count = " ".join(tokens[:end]).partition("=")
    least, most = _numbers(count.strip()) if equals else (1, None)
    try:
        given = words.parse(" ".join(tokens[end + 1 :])) if places else None
        return Wish(words.parse(what), least, most, given)
    except BadSelector as problem:
        if hits := find_suggestions(text, ready):
            unknown = UnknownName("wish", text, as_verbatim(hits[:1]))
            raise BadSelector(unknown.message, (), 0, 0) from None
        raise problem


def _numbers(count: str) -> tuple[int, int | None]:
    """The least and the most that `2`, `1-2`, `3-` and `-2` say."""
    match = _COUNT.fullmatch(count)
    exact, least, most = match.groups() if match else (None, None, None)
    if exact is not None:
        return int(exact), int(exact)
    if least is None and most is None:
        why = message("{count} is not a number of cards, such as 2, 1-2, 3- or -2.", count=quote(count))
        raise BadSelector(why, (), 0, 0)
    if most is not None and int(least or 0) > int(most):
        turned = Verbatim(f"{most}-{least}")
        why = message(
            "{count} goes from more to less; did you mean {turned}?", count=quote(count), turned=turned
        )
        raise BadSelector(why, (), 0, 0)
    return int(least or 0), None if most is None else int(most)


def _weight(words: SelectorParser, text: str) -> Weight:
    what, _, number = text.partition("=")
    number = number.strip()
    if not _NUMBER.fullmatch(number) or not 0 < Fraction(number) <= 1000:
        raise BadOptions(
            "{weight}: a weight is a number above 0, such as attack=0.5 or village=3; --without bans cards.",
            weight=quote(text),
        )
    return Weight(words.parse(what), Fraction(number))
