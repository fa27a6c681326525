"""Selectors: expressions that users type to choose cards, such as `attack and not duration`.

All options that choose cards use the same grammar. A term is the name of a card in any language, a type, an
ability tag (`village`), a kind, a set or box, or a cost (`cost:3`, `cost:2-4`, `cost<=4`, `cost:5+`,
`cost:potion`, `cost:debt`). Terms are combined with `not`, `and` and `or`, in decreasing order of precedence.
A prefix (`type:`, `does:`, `kind:`, `set:`, `card:`) specifies the category of an ambiguous term. The prefix
`brings:` selects cards by the types of the cards that come with them. The grammar is documented in
docs/wishes.md.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple
from unicodedata import normalize

from randomizer.cards.condition import Combination, CostRange, Not, Profile, Selector, Term
from randomizer.cards.editions import map_box_names
from randomizer.cards.game import Game
from randomizer.cards.library import keep_unambiguous, require_single_name
from randomizer.cards.model import MAX_NUMBER, Card, Named
from randomizer.cards.pool import Pool
from randomizer.text.errors import BadSelector, UnknownName, find_suggestions
from randomizer.text.language import Language, Message, Verbatim, as_verbatim, message, quote
from randomizer.text.slugs import slugify

# The categories of terms, in order of precedence: a word that is both a type and a card name means the type.
TERM_CATEGORIES = ("type", "does", "kind", "set", "card", "brings")
LANDSCAPE = "landscape"  # the term for all kinds of landscapes
_OPERATORS = ("and", "or", "not", "!", "if")
_MAX_SELECTOR_LENGTH = 1_000  # characters in a selector
_OTHER_COSTS = ("potion", "debt")

# A comparison, a negation, or a run of other characters. A `!` inside a word is not an operator.
_TOKEN_PATTERN = re.compile(r"!?[<>=≤≥≠]+|!|(?:[^\s<>=≤≥≠!]|!(?![<>=≤≥≠]))+")
_COMPARISON_CHARACTERS = frozenset("<>=≤≥≠")
_COMPARISONS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="} | {
    each: each for each in ("=", "!=", "<", "<=", ">", ">=")
}
_RANGE_PATTERN = re.compile(
    r"(?=-?\d)(\d{1,3})?(?:(-|\+(?!\d))(\d{1,3})?)?", re.ASCII
)  # 3, 3-, 3+, -5 or 3-5
_MAX_RANGE_NUMBER = 999
_OPERATOR_SPELLINGS = {"&": "and", "|": "or"}
# A character in no name: an unusual one, or a hyphen, underscore or slash that does not join words.
_MISPLACED_CHARACTER = re.compile(r"(?P<char>[^\w\s'/:-]|^[-_/]|[-_/]$|(?<=[-_/])[-_/])")
_ASCII_FORMS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5E)} | {
    **dict.fromkeys(map(ord, "‐‑–−〜～"), "-"),
    **dict.fromkeys(map(ord, "‘’"), "'"),
}


def normalize_text(text: str) -> str:
    """Compose accents (NFC), and convert full-width forms, dashes and quotation marks to ASCII."""
    return normalize("NFC", text).translate(_ASCII_FORMS)


def normalize_spelling(name: str) -> str:
    """Return the normalized form in which names are compared with user input.

    Case is ignored, and spaces, hyphens, underscores and slashes between words are equivalent. All other
    characters are kept, so that a name with a superfluous character is rejected.
    """
    return re.sub(r"\s*[-_/]\s*|\s+", "-", normalize_text(name).strip().casefold())


def _normalize_slug(name: str) -> str:
    return slugify(normalize_text(name))


class SelectorParser:
    """A parser for the selectors of a game.

    Args:
        game: the game.
        languages: the languages, in addition to English, in which terms can be written.
        translated_names: the names of cards by English name, for each of these languages.
    """

    def __init__(
        self,
        game: Game,
        languages: Sequence[Language] = (),
        translated_names: Collection[Mapping[str, Named]] = (),
    ) -> None:
        self.game = game
        self._languages = languages
        self._translated_names = translated_names
        self._get_tables = cache(self._build_tables)

    def parse(self, text: str) -> Selector:
        """Parse a selector.

        Raises:
            BadSelector: the text is not a valid selector; the error includes the position of the fault.
        """
        tokens = TokenParser(self, text)
        selector = tokens.parse_selector()
        tokens.require_end()
        return selector

    def parse_term(self, text: str) -> Selector:
        """Parse a single term, with or without its category as a prefix.

        Raises:
            UnknownName: the term is unknown, or several cards have this name.
        """
        prefix, colon, word = text.partition(":")
        prefix = prefix.strip().casefold()
        categories = (prefix,) if colon and prefix in TERM_CATEGORIES else TERM_CATEGORIES
        word = word if len(categories) == 1 else text
        (values_by_category, card_names), key = self._choose_tables(word)
        for category in categories:
            value = values_by_category[category].get(key)
            if value is not None:
                return Term(category, value, self._format_term(category, value))
        if "set" in categories:
            unspaced = {name.replace("-", ""): slug for name, slug in values_by_category["set"].items()}
            if key in unspaced:
                return Term("set", unspaced[key], self._format_term("set", unspaced[key]))
        if "card" in categories and (shared := card_names.get(key)):
            raise UnknownName("card", word.strip(), shared)
        expected = categories[0] if len(categories) == 1 else "card, set or type"
        expected = {"does": "ability", "brings": "type"}.get(expected, expected)
        raise UnknownName(expected, word.strip(), as_verbatim(self._suggest(word, categories)))

    def find_card(self, name: str) -> Card:
        """Return the card, landscape or pile with this name in any language.

        Raises:
            UnknownName: no card has this name, or several cards have it.
        """
        name = name.strip()
        tables, key = self._choose_tables(name.removeprefix("card:"))
        names = tables.card_names.get(key, ())
        return self.game.cards[
            require_single_name(names, name, lambda: find_suggestions(name, self.game.cards))
        ]

    def list_terms(self) -> list[str]:
        """Return all terms for shell completion, with only the most common of the costs."""
        values_by_category = self._get_tables(_normalize_slug, is_english=False).values_by_category
        words = {word for values in values_by_category.values() for word in values}
        other_costs = (f"cost:{word}" for word in _OTHER_COSTS)
        return sorted({*words, "cost:2", "cost:3", "cost:4", "cost:5", *other_costs})

    def _choose_tables(self, word: str) -> "tuple[_Tables, str]":
        """Return the lookup tables for a word, and the key of the word in these tables.

        Most words are typed like slugs. A word with other characters must match the spelling of a name. A
        word has a meaning in another language only if it has none in English.
        """
        spelling, slug = normalize_spelling(word), _normalize_slug(word)
        normalize_name, key = (_normalize_slug, slug) if spelling == slug else (normalize_spelling, spelling)
        tables = self._get_tables(normalize_name, is_english=True)
        is_known = key in tables.card_names or any(
            key in values for values in tables.values_by_category.values()
        )
        return tables if is_known else self._get_tables(normalize_name, is_english=False), key

    def _build_tables(self, normalize_name: Callable[[str], str], is_english: bool) -> "_Tables":
        """Build the lookup tables whose keys are names that have been normalized by a function.

        Args:
            normalize_name: the function that normalizes a name.
            is_english: whether to include only English names.
        """
        game, languages = self.game, () if is_english else self._languages
        card_names = game.cards.find_names(() if is_english else self._translated_names, normalize_name)
        names_by_category = {
            "type": _list_type_names(game, languages),
            "does": [(name, word) for word in game.does for name in _translate(word, languages)],
            "kind": _list_kind_names(game, languages),
            "set": _list_set_names(game, languages),
        }
        values = {
            category: {normalize_name(name): value for name, value in names}
            for category, names in names_by_category.items()
        }
        return _Tables({**values, "card": keep_unambiguous(card_names), "brings": values["type"]}, card_names)

    def _format_term(self, category: str, value: str) -> str:
        """Return the shortest spelling of a term that is unambiguous."""
        word = slugify(value)
        values_by_category = self._get_tables(_normalize_slug, is_english=True).values_by_category
        first = next(category for category in TERM_CATEGORIES if word in values_by_category[category])
        return word if first == category else f"{category}:{word}"

    def _suggest(self, word: str, categories: Sequence[str]) -> list[str]:
        """Return up to three terms that are similar to a word or start with it, English ones if possible."""
        slug = slugify(word)
        for is_english in (True, False):
            values_by_category = self._get_tables(_normalize_slug, is_english).values_by_category
            terms = [name for category in categories for name in values_by_category[category]]
            similar = find_suggestions(slug, terms)
            longer = [name for name in terms if slug and name.startswith(slug)]
            if found := list(dict.fromkeys((*similar[:1], *sorted(longer, key=len)[:2], *similar[1:]))):
                return found[:3]
        return []


class _Tables(NamedTuple):
    """Lookup tables for the words that users type.

    Attributes:
        values_by_category: the value of each normalized word, by the category of the term.
        card_names: the English names of the cards that each normalized name means.
    """

    values_by_category: Mapping[str, Mapping[str, str]]
    card_names: Mapping[str, Sequence[str]]


class Token(NamedTuple):
    """A word, an operator or a comparison in user input.

    Attributes:
        text: the characters of the token.
        start: the index of its first character.
        end: the index after its last character.
    """

    text: str
    start: int
    end: int


class TokenParser:
    """A recursive-descent parser for selectors, and for the numbers after them in wishes and weights.

    Each method consumes the tokens that it accepts. Call `require_end` at the end, so that no input is
    ignored.

    Args:
        parser: the parser for single terms.
        text: the user input.

    Raises:
        BadSelector: the text is too long.
    """

    def __init__(self, parser: SelectorParser, text: str) -> None:
        self._parser = parser
        self.text = normalize_text(text)
        # Error messages show the original text, unless normalization has changed the positions of characters.
        self._typed_text = text if len(text) == len(self.text) else self.text
        if len(text) > _MAX_SELECTOR_LENGTH:
            raise BadSelector(
                message("a selector can have at most {most} characters.", most=_MAX_SELECTOR_LENGTH)
            )
        self._tokens = [Token(match[0], *match.span()) for match in _TOKEN_PATTERN.finditer(self.text)]
        self._index = 0

    def parse_selector(self) -> Selector:
        """Parse a disjunction: conjunctions joined by `or`."""
        return self._parse_operands("or", lambda: self._parse_operands("and", self._parse_operand))

    def accept(self, *words: str) -> bool:
        """Consume the next token if it is one of the words. Return whether a token was consumed."""
        if self._peek().text.casefold() not in words:
            return False
        self._index += 1
        return True

    def accept_comparison(self) -> str:
        """Consume the next token if it is a comparison, and return it; otherwise return an empty string.

        Spelling variants are normalized: `==` becomes `=`.

        Raises:
            BadSelector: the comparison is unknown, such as `=>`.
        """
        token = self._peek()
        if _COMPARISON_CHARACTERS.isdisjoint(token.text):
            return ""
        if token.text not in _COMPARISONS:
            template = "{operator} is not a comparison; write =, !=, <, <=, > or >=."
            raise self.error(message(template, operator=quote(token.text)), token)
        self._index += 1
        return _COMPARISONS[token.text]

    def accept_word(self) -> Token:
        """Consume the next token if it is a word or number, and return it; if not, return an empty token."""
        token = self._peek()
        if token.text.casefold() in _OPERATORS or not _COMPARISON_CHARACTERS.isdisjoint(token.text):
            return Token("", token.start, token.start)
        self._index += bool(token.text)
        return token

    def parse_range(self, comparison: str, token: Token, invalid: Message) -> tuple[int, int | None]:
        """Return the minimum and maximum that a comparison allows; None means no maximum.

        Args:
            comparison: `=`, `<`, `<=`, `>` or `>=`; `!=` is treated like `=`.
            token: the number after the comparison; after `=` and `!=`, it may also be a range.
            invalid: the error message for a token that is not valid.

        Raises:
            BadSelector: the token is not a valid number or range, or no number can meet the comparison.
        """
        match = _RANGE_PATTERN.fullmatch(token.text)
        first, sign, last = match.groups("") if match else ("", "", "")
        if match is None or (sign and comparison not in ("=", "!=")):
            raise self.error(invalid, token)
        if comparison in ("=", "!="):
            if first and last and int(last) < int(first):
                template = "{count} is the wrong way round; did you mean {turned}?"
                turned = Verbatim(f"{last}-{first}")
                raise self.error(message(template, count=quote(token.text), turned=turned), token)
            return int(first or 0), int(last or first) if last or not sign else None
        number = int(first) + {"<": -1, ">": 1}.get(comparison, 0)
        if not 0 <= number <= _MAX_RANGE_NUMBER:
            raise self.error(message("no number is {text}.", text=f"{comparison}{first}"), token)
        return (0, number) if "<" in comparison else (number, None)

    def require_end(self) -> None:
        """Check that all tokens have been consumed.

        Raises:
            BadSelector: there is another token.
        """
        token = self._peek()
        if token.text.casefold() in ("not", "!"):
            raise self.error(
                message("'and' or 'or' is missing before {word}.", word=quote(token.text)), token
            )
        if token.text:
            raise self.error(message("{char} has no meaning here.", char=quote(token.text)), token)

    def error(self, why: Message, token: Token) -> BadSelector:
        """Create an error about a token."""
        return BadSelector(why, self._typed_text, token.start, token.end)

    def _peek(self) -> Token:
        """Return the next token without consuming it; return an empty token at the end of the text."""
        end = len(self.text)
        return self._tokens[self._index] if self._index < len(self._tokens) else Token("", end, end)

    def _parse_operands(
        self, operator: Literal["and", "or"], parse_operand: Callable[[], Selector]
    ) -> Selector:
        """Parse one or more operands that are joined by the operator."""
        operands = [parse_operand()]
        while self.accept(operator):
            operands.append(parse_operand())
        return operands[0] if len(operands) == 1 else Combination(operator, tuple(operands))

    def _parse_operand(self) -> Selector:
        """Parse a term with any number of negations."""
        is_negated = False
        while self.accept("not", "!"):
            is_negated = not is_negated
        previous = self._tokens[self._index - 1] if self._index else None
        words = []
        while (word := self.accept_word()).text:
            words.append(word)
        if not words:
            why = message("a name or word is missing.")
            if previous:
                why = message("a name or word is missing after {before}.", before=quote(previous.text))
            raise self.error(why, word)
        term = Token(self.text[words[0].start : words[-1].end], words[0].start, words[-1].end)
        prefix, _, cost = term.text.partition(":")
        if prefix.strip().casefold() == "cost":
            selector = self._parse_cost(Token(cost.strip(), term.start, term.end))
        else:
            selector = self._parse_term(term)
        return (selector.operand if isinstance(selector, Not) else Not(selector)) if is_negated else selector

    def _parse_term(self, term: Token) -> Selector:
        try:
            return self._parser.parse_term(term.text)
        except UnknownName as problem:
            if match := _MISPLACED_CHARACTER.search(term.text):
                raise self._explain_character(term, match) from None
            raise self.error(problem.message, term) from None

    def _explain_character(self, term: Token, match: re.Match[str]) -> BadSelector:
        """Create an error about a misplaced character, with the correct spelling if possible."""
        char = match["char"]
        spelling = _OPERATOR_SPELLINGS.get(char, "")
        if char == "-" and term.text.startswith("-"):
            spelling = f"not {term.text.lstrip('-')}"
        start = term.start + match.start("char")
        template = "{char} has no meaning here; write {right}." if spelling else "{char} has no meaning here."
        why = message(template, char=quote(char), **({"right": Verbatim(spelling)} if spelling else {}))
        return self.error(why, Token(char, start, start + 1))

    def _parse_cost(self, cost: Token) -> Selector:
        """Parse a cost after the word `cost`: an amount, or a comparison and an amount.

        Args:
            cost: the amount; empty if the next token is a comparison.
        """
        comparison = "=" if cost.text else self.accept_comparison()
        amount = cost if cost.text else self.accept_word()
        text = amount.text.casefold()
        if text in _OTHER_COSTS and comparison in ("=", "!="):
            selector: Selector = CostRange(0, 0, text)
        else:
            hint = message("write costs as 3, 2-4, -4, 5+, potion or debt")
            invalid = UnknownName("cost", text, (), hint).message
            token = amount if comparison else Token(text, cost.start, cost.end)
            min_coins, max_coins = self.parse_range(comparison or "=", token, invalid)
            selector = CostRange(min_coins, MAX_NUMBER if max_coins is None else max_coins)
        return Not(selector) if comparison == "!=" else selector


# ── Profiles ──


def build_profile(card: Card, game: Game, pool: Pool) -> Profile:
    """Build the profile of a pile or landscape.

    Args:
        card: the pile or landscape.
        game: the game to which the card belongs.
        pool: the cards from which the table is dealt.
    """
    cards = _find_certain_cards(card, game, pool)
    own_cards = [card, *(game.cards[name] for name, _ in card.pile)]
    kind = game.kinds[card.kind]
    values = {
        "card": frozenset(found.name for found in cards),
        "type": frozenset(type_ for found in own_cards for type_ in found.types),
        "brings": frozenset(type_ for found in cards if found not in own_cards for type_ in found.types),
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


def _find_certain_cards(card: Card, game: Game, pool: Pool) -> Collection[Card]:
    """Return a card, the members of its pile, and the ordinary piles outside the Supply that come with it."""
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


def _list_type_names(game: Game, languages: Sequence[Language]) -> list[tuple[str, str]]:
    """Return (name, type) pairs for the names of all types in all languages."""
    types = dict.fromkeys(type_ for card in game.cards.values() for type_ in card.types)
    return [
        (name, type_)
        for type_ in types
        for name in (type_, *(language.types.get(type_, type_) for language in languages))
    ]


def _list_kind_names(game: Game, languages: Sequence[Language]) -> list[tuple[str, str]]:
    """Return (name, kind) pairs for the names and headings of all kinds of piles and landscapes."""
    kinds = [
        (name, kind)
        for kind, facts in game.kinds.items()
        if facts.is_ in ("pile", "landscape")
        for name in (kind, *(_translate(facts.title, languages) if facts.title else ()))
    ]
    if any(facts.is_ == "landscape" for facts in game.kinds.values()):
        names = (*_translate(LANDSCAPE, languages), *_translate("landscapes", languages))
        kinds += [(name, LANDSCAPE) for name in names]
    return kinds


def _list_set_names(game: Game, languages: Sequence[Language]) -> list[tuple[str, str]]:
    """Return (name, slug) pairs for the names of all sets and boxes in all languages.

    If a name occurs several times, the last slug applies.
    """
    names = []
    for name, slugs in map_box_names(game, languages).items():
        if len(slugs) == 1 and (slug := next(iter(slugs))) in game.boxes:
            box = game.boxes[slug]
            full_names = (box.name, *box.also, *(language.boxes.get(slug, "") for language in languages))
            names += [(name, slug), *((full, slug) for full in full_names if slugify(full) == name)]
    for slug, name in game.sets.items():
        translations = [language.sets.get(slug, name) for language in languages]
        names += [(synonym, slug) for synonym in (slug, name, *translations)]
    for language in languages:
        names += language.set_aliases.items()
    return names
