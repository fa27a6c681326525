"""Selectors: which cards are meant, in words that people type, such as `attack and not duration`.

One grammar for everything that chooses cards: a name in any language, a type, a word for what a card does, a
kind, a set or box, a cost (`cost:3`, `cost:2-4`, `cost:-4`, `cost:5+`, `cost:potion`, `cost:debt`), put
together by `and`, `or` and `not`; `and` binds closer than `or`, and `not` closest. `type:`, `does:`, `kind:`,
`set:` and `card:` in front of a word say which is meant. Nothing in it is a sign that a shell reads.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from randomizer.cards.editions import map_box_names as box_names
from randomizer.cards.game import Game
from randomizer.cards.library import keep_unambiguous, require_single_name
from randomizer.cards.model import MAX_NUMBER, Card, Named
from randomizer.cards.pool import Pool
from randomizer.text.errors import BadSelector, UnknownName, find_suggestions
from randomizer.text.language import Language, Verbatim, as_verbatim, message, quote
from randomizer.text.slugs import slugify

# What a word may be, in the order in which it is taken for it: a word that is a card's name too is the word.
TERM_CATEGORIES = ("type", "does", "kind", "set", "card")
LANDSCAPE = "landscape"  # the word for every kind of them
_OPERATORS = ("and", "or", "not")
_LONGEST = 1_000  # letters of a selector
_RANGE = re.compile(r"(?=-?\d)(\d{1,3})?(?:(\+)|-(\d{1,3}))?", re.ASCII)
_BESIDES: Mapping[str, str] = {"potion": "P", "debt": "D"}


class Profile(NamedTuple):
    """What selectors can ask of a pile or landscape: by the sort of word, what fits it.

    Its names, and its types, are also those of the members of a mixed pile, and of the piles beside the
    Supply that come with it for certain: whoever wants no Attacks wants none of these either. A pile of
    several cards that comes with it is luck, and does not count.
    """

    values: Mapping[str, frozenset[str]]
    coins: int
    other_costs: frozenset[str]
    has_cost: bool


class Selector(Protocol):
    """Says of each pile or landscape whether it is meant; `text` is how one types it, in plain English."""

    @property
    def text(self) -> str:
        """What to type for it, the same in every language."""

    def matches(self, profile: Profile) -> bool:
        """Whether the pile or landscape is one of those meant."""


class Term(NamedTuple):
    """What is called so, or is of that type, or does that."""

    category: str
    value: str
    text: str

    def matches(self, profile: Profile) -> bool:
        return self.value in profile.values[self.category]


class CostRange(NamedTuple):
    """What costs so many coins and nothing else; or, with a `mark`, a Potion or Debt besides."""

    least: int
    most: int
    mark: str
    text: str

    def matches(self, profile: Profile) -> bool:
        if self.mark:
            return self.mark in profile.other_costs
        return profile.has_cost and not profile.other_costs and self.least <= profile.coins <= self.most


class Not(NamedTuple):
    """What is none of those."""

    part: Selector

    @property
    def text(self) -> str:
        return f"not {self.part.text}"

    def matches(self, profile: Profile) -> bool:
        return not self.part.matches(profile)


class All(NamedTuple):
    """What each of the parts means."""

    parts: tuple[Selector, ...]

    @property
    def text(self) -> str:
        return " and ".join(part.text for part in self.parts)

    def matches(self, profile: Profile) -> bool:
        return all(part.matches(profile) for part in self.parts)


class Any(NamedTuple):
    """What one of the parts means."""

    parts: tuple[Selector, ...]

    @property
    def text(self) -> str:
        return " or ".join(part.text for part in self.parts)

    def matches(self, profile: Profile) -> bool:
        return any(part.matches(profile) for part in self.parts)


class SelectorParser:
    """The words that selectors are made of, for one game.

    Args:
        game: whose cards are meant.
        languages: in which its sets, types and kinds may be called as they are shown, besides English.
        named: for each of these languages, by English name, what it calls the cards.
    """

    def __init__(
        self, game: Game, languages: Sequence[Language] = (), named: Iterable[Mapping[str, Named]] = ()
    ) -> None:
        self.game = game
        self._cards = game.cards.find_names(named)
        self._known: dict[str, dict[str, str]] = {
            "type": _types(game, languages),
            "does": {slugify(word): does for does in game.does for word in _said(does, languages)},
            "kind": _kinds(game, languages),
            "set": _sets(game, languages),
            "card": keep_unambiguous(self._cards),
        }

    def parse(self, text: str) -> Selector:
        """What a text means.

        Raises:
            BadSelector: it is not a selector; the message points at the word.
        """
        if len(text) > _LONGEST:
            raise BadSelector(message("a selector has at most {most} letters.", most=_LONGEST), (), 0, 0)
        return _Reader(self, text.split()).read()

    def parse_term(self, text: str) -> Selector:
        """What a single name or word means, with or without its sort in front.

        Raises:
            UnknownName: nothing is called that.
        """
        sort, colon, word = text.partition(":")
        sort = sort.strip().casefold()
        if colon and sort == "cost":
            return self._costs(word.strip().casefold())
        sorts = (sort,) if colon and sort in TERM_CATEGORIES else TERM_CATEGORIES
        word = word if len(sorts) == 1 else text
        for one in sorts:
            value = self._known[one].get(slugify(word))
            if value is not None:
                return Term(one, value, self._typed(one, value))
        if "card" in sorts and (alike := self._cards.get(slugify(word))):
            raise UnknownName("card", word.strip(), alike)
        what = (
            sorts[0].replace("does", "word for what a card does") if len(sorts) == 1 else "card, set or type"
        )
        raise UnknownName(what, word.strip(), as_verbatim(self._near(word, sorts)))

    def find_card(self, name: str) -> Card:
        """The card, landscape or pile of that name, in any language; a word is never meant.

        Raises:
            UnknownName: no card is called that, or several are.
        """
        name = name.strip()
        names = self._cards.get(slugify(name.removeprefix("card:")), ())
        return self.game.cards[
            require_single_name(names, name, lambda: find_suggestions(name, self.game.cards))
        ]

    def list_terms(self) -> list[str]:
        """Everything that can be typed, but for costs other than a few."""
        words = {word for known in self._known.values() for word in known}
        return sorted(
            {*words, "cost:2", "cost:3", "cost:4", "cost:5", *(f"cost:{word}" for word in _BESIDES)}
        )

    def _typed(self, sort: str, value: str) -> str:
        """The shortest thing to type for it that means it to everybody."""
        word = slugify(value)
        first = next(one for one in TERM_CATEGORIES if word in self._known[one])
        return word if first == sort else f"{sort}:{word}"

    def _near(self, word: str, sorts: Sequence[str]) -> list[str]:
        """The words that come nearest, as one types them: at most three."""
        slug = slugify(word)
        known = [name for sort in sorts for name in self._known[sort]]
        hits = find_suggestions(slug, known)
        begins = [name for name in known if slug and name.startswith(slug)]
        found = list(dict.fromkeys((*hits[:1], *sorted(begins, key=len)[:2], *hits[1:])))
        return found[:3]

    def _costs(self, said: str) -> Selector:
        """A cost, as it stands after `cost:`."""
        if said in _BESIDES:
            return CostRange(0, 0, said, f"cost:{said}")
        match = _RANGE.fullmatch(said)
        if match is None:
            raise UnknownName("cost", said, (), message("costs are 3, 2-4, -4, 5+, potion or debt"))
        least, plus, most = match.groups("")
        last, least = MAX_NUMBER if plus else int(most or least), least or "0"
        if last < int(least):
            raise UnknownName("cost", said, [Verbatim(f"{most}-{least}")])
        text = f"{int(least)}+" if plus else f"{int(least)}-{last}" if most else str(int(least))
        return CostRange(int(least), last, "", f"cost:{text}")


class _Reader:
    """Reads the words of a selector one after the other."""

    def __init__(self, words: SelectorParser, tokens: Sequence[str]) -> None:
        self._words = words
        self._tokens = tokens
        self._place = 0

    def read(self) -> Selector:
        """All of it."""
        either = [self._both()]
        while self._next("or"):
            either.append(self._both())
        return either[0] if len(either) == 1 else Any(tuple(either))

    def _both(self) -> Selector:
        both = [self._one()]
        while self._next("and"):
            both.append(self._one())
        return both[0] if len(both) == 1 else All(tuple(both))

    def _one(self) -> Selector:
        negated = False
        while self._next("not"):
            negated = not negated
        start = self._place
        while self._place < len(self._tokens) and self._tokens[self._place].casefold() not in _OPERATORS:
            self._place += 1
        if start == self._place:
            why = message("a name or word is missing.")
            if start:
                before = quote(self._tokens[start - 1])
                why = message("a name or word is missing after {before}.", before=before)
            raise BadSelector(why, self._tokens, start, start)
        try:
            found = self._words.parse_term(" ".join(self._tokens[start : self._place]))
        except UnknownName as problem:
            raise BadSelector(problem.message, self._tokens, start, self._place) from None
        return Not(found) if negated else found

    def _next(self, operator: str) -> bool:
        """Whether this is the next word; then it is passed."""
        here = self._tokens[self._place : self._place + 1]
        if not here or here[0].casefold() != operator:
            return False
        self._place += 1
        return True


# ── What there is to ask of a pile ──


def build_profile(card: Card, game: Game, pool: Pool) -> Profile:
    """What selectors can ask of a pile or landscape.

    Args:
        game: whose card it is.
        pool: the cards that one deals from.
    """
    with_it = _line(card, game, pool)
    kind = game.kinds[card.kind]
    values = {
        "card": frozenset(one.name for one in with_it),
        "type": frozenset(type_ for one in with_it for type_ in one.types),
        "does": frozenset(card.does),
        "kind": frozenset((card.kind, LANDSCAPE) if kind.is_ == "landscape" else (card.kind,)),
        "set": frozenset((card.set, *card.boxes)),
    }
    cost = card.cost
    besides = {"potion": cost and cost.potion, "debt": cost and cost.debt}
    return Profile(
        values,
        cost.coins if cost else 0,
        frozenset(name for name, much in besides.items() if much),
        bool(cost),
    )


def _line(card: Card, game: Game, pool: Pool) -> Iterable[Card]:
    """The card, those of its pile, and the piles of a single card beside the Supply that come with them."""
    found = {card.name: card, **{name: game.cards[name] for name, _ in card.pile}}
    new = list(found.values())
    while new:
        cause = new.pop()
        for effect in game.setup.get(cause.name, ()):
            for name in effect.brings(pool):
                other = game.cards[name]
                beside = game.kinds[other.kind].place == "beside" and not other.pile
                if beside and name not in found:
                    found[name] = other
                    new.append(other)
    return found.values()


# ── What everything is called, as one types it ──


def _said(word: str, languages: Sequence[Language]) -> list[str]:
    return [word, *(language.translate(word) for language in languages)]


def _types(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """By whatever a type is called, the type."""
    types = dict.fromkeys(type_ for card in game.cards.values() for type_ in card.types)
    return {
        slugify(called): type_
        for type_ in types
        for called in (type_, *(language.types.get(type_, type_) for language in languages))
    }


def _kinds(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """By whatever a kind of pile or landscape is called, be it as the heading above several, the kind."""
    known = {
        slugify(called): name
        for name, kind in game.kinds.items()
        if kind.is_ in ("pile", "landscape")
        for called in (name, *(_said(kind.title, languages) if kind.title else ()))
    }
    if any(kind.is_ == "landscape" for kind in game.kinds.values()):
        for called in (*_said(LANDSCAPE, languages), *_said("landscapes", languages)):
            known[slugify(called)] = LANDSCAPE
    return known


def _sets(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """By whatever a set or box is called, its slug; a set where both are called so."""
    known = {}
    for called, slugs in box_names(game, languages).items():
        if len(slugs) == 1 and (slug := next(iter(slugs))) in game.boxes:
            known[called] = slug
    for slug, name in game.sets.items():
        others = [language.sets.get(slug, name) for language in languages]
        for called in (slug, name, *others):
            known[slugify(called)] = slug
    for language in languages:
        known.update((slugify(name), slug) for name, slug in language.set_aliases.items())
    return known
