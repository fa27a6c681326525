"""Wishes for a deal: required and banned cards, limits on numbers of matching cards, and weights."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from reprlib import repr as short_repr
from typing import TypeVar

from randomizer.cards.condition import Not, Selector, Weight, Wish
from randomizer.cards.game import Wishes
from randomizer.cards.selector import SelectorParser, Token, TokenParser, normalize_spelling
from randomizer.text.errors import BadOptions, BadSelector, Problem, UnknownName, find_suggestions
from randomizer.text.language import Clause, Message, Verbatim, as_verbatim, join_with_or, message, quote
from randomizer.text.slugs import slugify

MAX_WISHES = 50  # maximum number of values for each option
MAX_BANS = 2_000
MAX_WEIGHT = 1_000
_WEIGHT_PATTERN = re.compile(r"\d{1,4}(?:\.\d{1,3})?", re.ASCII)
_T = TypeVar("_T")


def parse_wishes(
    parser: SelectorParser,
    with_: Iterable[str] = (),
    without: Iterable[str] = (),
    want: Iterable[str] = (),
    weight: Iterable[str] = (),
    *,
    box_count: int = 0,
    own_wishes: Mapping[str, Sequence[Wish]] = {},
) -> Wishes:
    """Parse the values of the options `--with`, `--without`, `--want` and `--weight`.

    Each string may contain several values, separated by commas.

    Args:
        parser: the selector parser for the game.
        with_: the names of required cards.
        without: selectors for banned cards.
        want: limits on numbers of matching cards, or names of wishes.
        weight: weights.
        box_count: the number of chosen boxes to pick at random; 0 means all of them.
        own_wishes: the wishes that the user has defined, by name, as returned by `parse_named_wishes`.

    Raises:
        BadSelector, UnknownName: a value cannot be parsed, or contains an unknown name.
        BadOptions: there are too many values, or a number is out of range.
    """
    cards = [_parse_card(parser, name) for name in _split(with_)]
    bans = [parser.parse(text) for text in _split(without)]
    wants = [wish for text in _split(want) for wish in _parse_want(parser, text, own_wishes)]
    weights = [_parse_weight(parser, text) for text in _split(weight)]
    for option, values, max_count in (
        ("--with", cards, MAX_WISHES),
        ("--without", bans, MAX_BANS),
        ("--want", wants, MAX_WISHES),
        ("--weight", weights, MAX_WISHES),
    ):
        if len(values) > max_count:
            raise BadOptions(
                "{option} can have at most {most} items.", option=Verbatim(option), most=max_count
            )
    return Wishes(_deduplicate(cards), _deduplicate(bans), _deduplicate(wants), tuple(weights), box_count)


def parse_named_wishes(
    parser: SelectorParser, texts_by_name: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Sequence[Wish]], list[Message]]:
    """Parse the named wishes that users define for themselves.

    A name that already has another meaning is rejected, so that a command means the same for all users.

    Args:
        parser: the selector parser for the game.
        texts_by_name: the wishes as strings, by the name that the user has given them. A name can stand for
            several wishes.

    Returns:
        The valid wishes, by the slug and by the normalized spelling of their name, and a message for each
        invalid name or wish.
    """
    wishes_by_name: dict[str, Sequence[Wish]] = {}
    messages = []
    for name, texts in texts_by_name.items():
        slug = slugify(name)
        try:
            spellings = (slug, slug.replace("-", " "), normalize_spelling(name))
            if not slug or any(_is_parsable(parser, spelling) for spelling in spellings):
                raise BadOptions("the name already has another meaning")
            wishes = [wish for text in _split(texts) for wish in _parse_want(parser, text)]
            wishes_by_name |= {slug: wishes, normalize_spelling(name): wishes}
        except Problem as problem:
            fault = Clause(problem.message)
            messages.append(message("wish {name}: {fault}", name=Verbatim(short_repr(name)), fault=fault))
    return wishes_by_name, messages


def _is_parsable(parser: SelectorParser, text: str) -> bool:
    with suppress(BadSelector, UnknownName):
        return bool(_parse_want(parser, text))
    return False


def _deduplicate(values: Sequence[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(values))


def _split(texts: Iterable[str]) -> list[str]:
    return [part.strip() for text in texts for part in re.split("[,、，]", text) if part.strip()]


def _parse_card(parser: SelectorParser, name: str) -> str:
    """Parse a value of `--with`: the name of a single card.

    Raises:
        UnknownName: no card has this name.
        BadSelector: a character cannot be part of a name.
        BadOptions: the value is a selector for several cards, which `--want` accepts.
    """
    try:
        return parser.find_card(name).name
    except UnknownName as problem:
        try:
            selector = parser.parse(name)
        except BadSelector as fault:
            raise fault if fault.highlighted else problem from None
    template = "{name} is not a single card; use --want {meant}."
    raise BadOptions(template, name=quote(name), meant=Verbatim(selector.text))


def _parse_want(
    parser: SelectorParser, text: str, own_wishes: Mapping[str, Sequence[Wish]] = {}
) -> Sequence[Wish]:
    """Parse a value of `--want`: a wish, or the name of wishes that the game or the user has defined."""
    predefined = {slugify(name): texts for name, texts in parser.game.wishes.items()}
    name = normalize_spelling(text)
    if name in predefined:
        return [_parse_wish(parser, wish) for wish in predefined[name]]
    return own_wishes.get(name) or [_parse_wish(parser, text, [*predefined, *own_wishes])]


def _parse_wish(parser: SelectorParser, text: str, names: Sequence[str] = ()) -> Wish:
    """Parse a single wish, such as `attack=1-2 if village`.

    Args:
        parser: the selector parser for the game.
        text: the text of the wish.
        names: the names of wishes to suggest in an error message if the text is similar.
    """
    tokens = TokenParser(parser, text)
    if tokens.text.startswith("-") and not re.search("[<>=]", tokens.text):
        template = "{char} has no meaning here; write {right}."
        right = Verbatim(f"{text[1:].strip()}=0")
        raise tokens.error(message(template, char=quote(text[0]), right=right), Token(text[0], 0, 1))
    try:
        selector = tokens.parse_selector()
        comparison = tokens.accept_comparison()
        min_count, max_count = _parse_count(tokens, selector, comparison) if comparison else (1, None)
        condition = tokens.parse_selector() if tokens.accept("if") else None
        tokens.require_end()
    except BadSelector as problem:
        if suggestions := find_suggestions(text, names):
            unknown = UnknownName("wish", text, as_verbatim(suggestions[:1]))
            raise BadSelector(unknown.message, text, 0, len(text)) from None
        raise problem
    if not comparison and isinstance(selector, Not) and tokens.text.startswith("!"):
        template = (
            "{wish} is ambiguous; write {none} for no such card, or {other} for at least one other card."
        )
        none, other = f"{selector.operand.text}=0", f"{selector.text}=1-"
        raise BadSelector(
            message(template, wish=quote(text), none=Verbatim(none), other=Verbatim(other)),
            text,
            0,
            len(text),
        )
    return Wish(selector, min_count, max_count, condition)


def _parse_count(tokens: TokenParser, selector: Selector, comparison: str) -> tuple[int, int | None]:
    """Parse the count after a comparison, and return the minimum and maximum; None means no maximum."""
    count = tokens.accept_word()
    template = "{count} is not a number of cards; write 2, 1-2, 3- or -2."
    min_count, max_count = tokens.parse_range(comparison, count, message(template, count=quote(count.text)))
    if comparison != "!=":
        return min_count, max_count
    alternatives = []
    if min_count:
        alternatives.append(Wish(selector, 0, min_count - 1))
    if max_count is not None:
        alternatives.append(Wish(selector, max_count + 1))
    if len(alternatives) == 1:
        return alternatives[0].min_count, alternatives[0].max_count
    template = "{wish} can't be one wish; write {choices}."
    choices = join_with_or(Verbatim(wish.text) for wish in alternatives)
    raise tokens.error(
        message(template, wish=Verbatim(f"{selector.text}!={count.text}"), choices=choices), count
    )


def _parse_weight(parser: SelectorParser, text: str) -> Weight:
    """Parse a value of `--weight`, such as `village=3`."""
    tokens = TokenParser(parser, text)
    selector = tokens.parse_selector()
    comparison = tokens.accept_comparison()
    number = tokens.accept_word()
    if comparison not in ("", "=") and _WEIGHT_PATTERN.fullmatch(number.text):
        template = "{weight}: a weight is a factor; write {right}."
        right = Verbatim(f"{selector.text}={number.text}")
        raise tokens.error(message(template, weight=quote(text), right=right), number)
    is_number = comparison and _WEIGHT_PATTERN.fullmatch(number.text)
    if not is_number or not 0 < Fraction(number.text) <= MAX_WEIGHT:
        template = (
            "{weight}: a weight must be a number from 0.001 to {most} with at most 3 decimals, such as "
            "attack=0.5 or village=3; to exclude cards, use --without."
        )
        raise tokens.error(message(template, weight=quote(text), most=MAX_WEIGHT), number)
    tokens.require_end()
    return Weight(selector, Fraction(number.text))
