"""Selectors: expressions that users type to choose cards, such as `attack and not duration`.

All options that choose cards use the same grammar. A term is the name of a card in any language, a type, an
ability tag (`village`), a kind, a set or box, or a cost (`cost:3`, `cost:2-4`, `cost:-4`, `cost:5+`,
`cost:potion`, `cost:debt`). Terms are combined with `not`, `and` and `or`, in decreasing order of precedence.
A prefix (`type:`, `does:`, `kind:`, `set:`, `card:`) states the category of an ambiguous term. The grammar
uses no characters that need quoting in a shell.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from randomizer.cards.editions import map_box_names
from randomizer.cards.game import Game
from randomizer.cards.library import keep_unambiguous, require_single_name
from randomizer.cards.model import MAX_NUMBER, Card, Named
from randomizer.cards.pool import Pool
from randomizer.text.errors import BadSelector, UnknownName, find_suggestions
from randomizer.text.language import Language, Verbatim, as_verbatim, message, quote
from randomizer.text.slugs import slugify

# The categories of terms, in order of precedence. A word that is both a type and a card means the type.
TERM_CATEGORIES = ("type", "does", "kind", "set", "card")
LANDSCAPE = "landscape"  # the term for all kinds of landscapes
_OPERATORS = ("and", "or", "not")
_MAX_LENGTH = 1_000  # characters in a selector
_COST_RANGE = re.compile(r"(?=-?\d)(\d{1,3})?(?:(\+)|-(\d{1,3}))?", re.ASCII)
_OTHER_COSTS: Mapping[str, str] = {"potion": "P", "debt": "D"}


class Profile(NamedTuple):
    """The properties of a pile or landscape that selectors test.

    The names and types include those of a mixed pile's members, and those of piles beside the Supply that the
    card certainly brings into the game. So `--without attack` also excludes cards that only bring an Attack.
    Mixed piles that the card brings are not included, because which of their cards matter is up to chance.

    Attributes:
        values: by category of terms, the values that apply to the pile or landscape.
        coins: the cost in coins.
        other_costs: `potion` and `debt`, as far as they are part of the cost.
        has_cost: whether a cost is printed at all.
    """

    values: Mapping[str, frozenset[str]]
    coins: int
    other_costs: frozenset[str]
    has_cost: bool


class Selector(Protocol):
    """A condition on piles and landscapes."""

    @property
    def text(self) -> str:
        """The canonical text of the selector, the same in every language."""

    def matches(self, profile: Profile) -> bool:
        """Return whether the pile or landscape meets the condition."""


class Term(NamedTuple):
    """A selector for cards with a value in a category, such as the type Attack or the set Base.

    Attributes:
        category: one of `TERM_CATEGORIES`.
        value: the value that the cards have in this category.
        text: the canonical text of the selector.
    """

    category: str
    value: str
    text: str

    def matches(self, profile: Profile) -> bool:
        return self.value in profile.values[self.category]


class CostRange(NamedTuple):
    """A selector for cards whose cost is in a range of coins, or includes a Potion or Debt.

    Attributes:
        min_coins: the minimum cost in coins.
        max_coins: the maximum cost in coins.
        other_cost: `potion` or `debt` to select by that, ignoring coins; empty to select by coins.
        text: the canonical text of the selector.
    """

    min_coins: int
    max_coins: int
    other_cost: str
    text: str

    def matches(self, profile: Profile) -> bool:
        if self.other_cost:
            return self.other_cost in profile.other_costs
        is_in_range = self.min_coins <= profile.coins <= self.max_coins
        return profile.has_cost and not profile.other_costs and is_in_range


class Not(NamedTuple):
    """A selector for the cards that its operand does not match."""

    operand: Selector

    @property
    def text(self) -> str:
        return f"not {self.operand.text}"

    def matches(self, profile: Profile) -> bool:
        return not self.operand.matches(profile)


class Combination(NamedTuple):
    """A selector for the cards that match all (`and`) or at least one (`or`) of its operands."""

    operator: Literal["and", "or"]
    operands: tuple[Selector, ...]

    @property
    def text(self) -> str:
        return f" {self.operator} ".join(operand.text for operand in self.operands)

    def matches(self, profile: Profile) -> bool:
        results = (operand.matches(profile) for operand in self.operands)
        return all(results) if self.operator == "and" else any(results)


class SelectorParser:
    """A parser of selectors for one game.

    Args:
        game: the game.
        languages: the languages, besides English, in which terms can be written.
        named: for each of these languages, the cards' names by English name.
    """

    def __init__(
        self, game: Game, languages: Sequence[Language] = (), named: Iterable[Mapping[str, Named]] = ()
    ) -> None:
        self.game = game
        self._card_names = game.cards.find_names(named)
        self._values: dict[str, dict[str, str]] = {  # by category and slug
            "type": _map_types(game, languages),
            "does": {slugify(name): word for word in game.does for name in _translate(word, languages)},
            "kind": _map_kinds(game, languages),
            "set": _map_sets(game, languages),
            "card": keep_unambiguous(self._card_names),
        }

    def parse(self, text: str) -> Selector:
        """Parse a selector.

        Raises:
            BadSelector: the text is not a valid selector; the error includes the position of the fault.
        """
        if len(text) > _MAX_LENGTH:
            raise BadSelector(
                message("a selector can have at most {most} characters.", most=_MAX_LENGTH), (), 0, 0
            )
        return _TokenParser(self, text.split()).parse()

    def parse_term(self, text: str) -> Selector:
        """Parse a single term, with or without its category as a prefix.

        Raises:
            UnknownName: the term is unknown, or it is a name that several cards share.
        """
        prefix, colon, word = text.partition(":")
        prefix = prefix.strip().casefold()
        if colon and prefix == "cost":
            return self._parse_cost(word.strip().casefold())
        categories = (prefix,) if colon and prefix in TERM_CATEGORIES else TERM_CATEGORIES
        word = word if len(categories) == 1 else text
        for category in categories:
            value = self._values[category].get(slugify(word))
            if value is not None:
                return Term(category, value, self._format_term(category, value))
        if "card" in categories and (shared := self._card_names.get(slugify(word))):
            raise UnknownName("card", word.strip(), shared)
        expected = categories[0].replace("does", "ability") if len(categories) == 1 else "card, set or type"
        raise UnknownName(expected, word.strip(), as_verbatim(self._suggest(word, categories)))

    def find_card(self, name: str) -> Card:
        """Return the card, landscape or pile with this name in any language.

        Raises:
            UnknownName: no card has this name, or several have.
        """
        name = name.strip()
        names = self._card_names.get(slugify(name.removeprefix("card:")), ())
        return self.game.cards[
            require_single_name(names, name, lambda: find_suggestions(name, self.game.cards))
        ]

    def list_terms(self) -> list[str]:
        """Return all terms, for completion, with only the most common costs."""
        words = {word for values in self._values.values() for word in values}
        other_costs = (f"cost:{word}" for word in _OTHER_COSTS)
        return sorted({*words, "cost:2", "cost:3", "cost:4", "cost:5", *other_costs})

    def _format_term(self, category: str, value: str) -> str:
        """Return the shortest spelling of a term that is unambiguous in every language."""
        word = slugify(value)
        first = next(category for category in TERM_CATEGORIES if word in self._values[category])
        return word if first == category else f"{category}:{word}"

    def _suggest(self, word: str, categories: Sequence[str]) -> list[str]:
        """Return up to three terms that are spelled like the word or begin with it."""
        slug = slugify(word)
        terms = [name for category in categories for name in self._values[category]]
        similar = find_suggestions(slug, terms)
        longer = [name for name in terms if slug and name.startswith(slug)]
        found = list(dict.fromkeys((*similar[:1], *sorted(longer, key=len)[:2], *similar[1:])))
        return found[:3]

    def _parse_cost(self, text: str) -> Selector:
        """Parse the part of a term after `cost:`."""
        if text in _OTHER_COSTS:
            return CostRange(0, 0, text, f"cost:{text}")
        match = _COST_RANGE.fullmatch(text)
        if match is None:
            raise UnknownName("cost", text, (), message("write costs as 3, 2-4, -4, 5+, potion or debt"))
        first, plus, last = match.groups("")
        min_coins = int(first or 0)
        max_coins = MAX_NUMBER if plus else int(last or first)
        if max_coins < min_coins:
            raise UnknownName("cost", text, [Verbatim(f"{last}-{first}")])
        canonical = f"{min_coins}+" if plus else f"{min_coins}-{max_coins}" if last else str(min_coins)
        return CostRange(min_coins, max_coins, "", f"cost:{canonical}")


class _TokenParser:
    """A recursive-descent parser of a selector's tokens.

    Args:
        parser: the parser of single terms.
        tokens: the words of the selector.
    """

    def __init__(self, parser: SelectorParser, tokens: Sequence[str]) -> None:
        self._parser = parser
        self._tokens = tokens
        self._index = 0

    def parse(self) -> Selector:
        """Parse all tokens as a disjunction: conjunctions joined by `or`."""
        operands = [self._parse_conjunction()]
        while self._accept("or"):
            operands.append(self._parse_conjunction())
        return operands[0] if len(operands) == 1 else Combination("or", tuple(operands))

    def _parse_conjunction(self) -> Selector:
        operands = [self._parse_operand()]
        while self._accept("and"):
            operands.append(self._parse_operand())
        return operands[0] if len(operands) == 1 else Combination("and", tuple(operands))

    def _parse_operand(self) -> Selector:
        is_negated = False
        while self._accept("not"):
            is_negated = not is_negated
        start = self._index
        while self._index < len(self._tokens) and self._tokens[self._index].casefold() not in _OPERATORS:
            self._index += 1
        if start == self._index:
            why = message("a name or word is missing.")
            if start:
                before = quote(self._tokens[start - 1])
                why = message("a name or word is missing after {before}.", before=before)
            raise BadSelector(why, self._tokens, start, start)
        try:
            term = self._parser.parse_term(" ".join(self._tokens[start : self._index]))
        except UnknownName as problem:
            raise BadSelector(problem.message, self._tokens, start, self._index) from None
        return Not(term) if is_negated else term

    def _accept(self, operator: str) -> bool:
        """Skip the next token if it is this operator, and return whether it was."""
        here = self._tokens[self._index : self._index + 1]
        if not here or here[0].casefold() != operator:
            return False
        self._index += 1
        return True


# ── Profiles ──


def build_profile(card: Card, game: Game, pool: Pool) -> Profile:
    """Return the profile of a pile or landscape.

    Args:
        card: the pile or landscape.
        game: the game that the card belongs to.
        pool: the cards to deal from.
    """
    cards = _find_certain_cards(card, game, pool)
    kind = game.kinds[card.kind]
    values = {
        "card": frozenset(found.name for found in cards),
        "type": frozenset(type_ for found in cards for type_ in found.types),
        "does": frozenset(card.does),
        "kind": frozenset((card.kind, LANDSCAPE) if kind.is_ == "landscape" else (card.kind,)),
        "set": frozenset((card.set, *card.boxes)),
    }
    cost = card.cost
    other_costs = {"potion": cost and cost.potion, "debt": cost and cost.debt}
    return Profile(
        values,
        cost.coins if cost else 0,
        frozenset(name for name, amount in other_costs.items() if amount),
        bool(cost),
    )


def _find_certain_cards(card: Card, game: Game, pool: Pool) -> Iterable[Card]:
    """Return the card, its pile's members, and ordinary piles beside the Supply that these always bring."""
    found = {card.name: card, **{name: game.cards[name] for name, _ in card.pile}}
    unprocessed = list(found.values())
    while unprocessed:
        cause = unprocessed.pop()
        for effect in game.setup.get(cause.name, ()):
            for name in effect.brings(pool):
                other = game.cards[name]
                is_ordinary = game.kinds[other.kind].place == "beside" and not other.pile
                if is_ordinary and name not in found:
                    found[name] = other
                    unprocessed.append(other)
    return found.values()


# ── Names of the values, by category ──


def _translate(word: str, languages: Sequence[Language]) -> list[str]:
    """Return an English word and its translations."""
    return [word, *(language.translate(word) for language in languages)]


def _map_types(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """Map slugified type names, in all languages, to types."""
    types = dict.fromkeys(type_ for card in game.cards.values() for type_ in card.types)
    return {
        slugify(name): type_
        for type_ in types
        for name in (type_, *(language.types.get(type_, type_) for language in languages))
    }


def _map_kinds(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """Map slugified names and headings, in all languages, to kinds of piles and landscapes."""
    kinds = {
        slugify(name): kind
        for kind, facts in game.kinds.items()
        if facts.is_ in ("pile", "landscape")
        for name in (kind, *(_translate(facts.title, languages) if facts.title else ()))
    }
    if any(facts.is_ == "landscape" for facts in game.kinds.values()):
        for name in (*_translate(LANDSCAPE, languages), *_translate("landscapes", languages)):
            kinds[slugify(name)] = LANDSCAPE
    return kinds


def _map_sets(game: Game, languages: Sequence[Language]) -> dict[str, str]:
    """Map slugified names of sets and boxes, in all languages, to set and box slugs. Sets take precedence."""
    slugs = {}
    for name, boxes in map_box_names(game, languages).items():
        if len(boxes) == 1 and (box := next(iter(boxes))) in game.boxes:
            slugs[name] = box
    for slug, name in game.sets.items():
        translations = [language.sets.get(slug, name) for language in languages]
        for synonym in (slug, name, *translations):
            slugs[slugify(synonym)] = slug
    for language in languages:
        slugs.update((slugify(name), slug) for name, slug in language.set_aliases.items())
    return slugs
