"""Completes partly typed card names and selectors."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from randomizer.cards.game import Game
from randomizer.text.encoding import escape_control_characters
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.cards.model import Named
    from randomizer.text.language import Language

CardNames = Collection[Mapping[str, "Named"]]  # the names of the cards in each language, the user's first


def list_card_names(game: Game, card_names: CardNames, prefix: str) -> list[str]:
    """Return the card names from which to choose completions.

    These are the English names and those that `_choose_translations` chooses.

    Args:
        game: the game.
        card_names: the names of the cards in each language; loaded when they are first used.
        prefix: the part of the name that has been typed.
    """
    translations = _choose_translations(card_names, prefix)
    translated_names = [
        name for names in translations for card in names.values() for name in (card.name, card.reading)
    ]
    return [*game.cards, *translated_names]


def _choose_translations(card_names: CardNames, prefix: str) -> "list[Mapping[str, Named]]":
    """Return the translated card names that may complete a prefix.

    These are the names in all languages for a prefix with other than ASCII letters, and otherwise those in
    the first language, which is the user's, because names in many languages would hide the English ones. If
    nothing has been typed, there are none.
    """
    if not prefix:
        return []
    return list(islice(card_names, 1)) if prefix.isascii() else list(card_names)


def complete_cards(game: Game, card_names: CardNames, incomplete: str) -> list[str]:
    """Complete the last name in a comma-separated list of cards."""
    return complete_after_comma(
        list_card_names(game, card_names, incomplete.rpartition(",")[2].lstrip()), incomplete
    )


def complete_selector(
    game: Game,
    languages: "Sequence[Language]",
    card_names: CardNames,
    incomplete: str,
    extra_terms: Iterable[str] = (),
) -> list[str]:
    """Complete the last term of a selector. Terms are separated by commas and spaces.

    Args:
        game: the game.
        languages: the languages in which sets, types, kinds and abilities may be named.
        card_names: the names of the cards in each language; loaded when they are first used.
        incomplete: the selector that has been typed so far.
        extra_terms: additional completions, such as the names of wishes.
    """
    from randomizer.cards.selector import SelectorParser

    prefix = re.split("[, ]", incomplete)[-1]
    typed = incomplete[: len(incomplete) - len(prefix)]
    parser = SelectorParser(game, languages, _choose_translations(card_names, prefix))
    return [
        typed + term for term in (*extra_terms, *parser.list_terms()) if term.startswith(prefix.casefold())
    ]


def complete_name(names: Iterable[str], prefix: str) -> list[str]:
    """Return the completions of a prefix.

    Each is the slug of a name. If only the name itself starts with the prefix, it is the name.
    """
    folded_prefix, completions = prefix.casefold(), []
    for name in names:
        slug = slugify(name)
        if slug.startswith(folded_prefix):
            completions.append(slug)
        elif name.casefold().startswith(folded_prefix):
            completions.append(name)
    return completions


def complete_after_comma(names: Iterable[str], incomplete: str) -> list[str]:
    """Complete the last name in a comma-separated list. Each completion repeats the names before it."""
    typed, comma, prefix = incomplete.rpartition(",")
    space = prefix[: len(prefix) - len(prefix.lstrip())]
    return [typed + comma + space + name for name in complete_name(names, prefix.lstrip())]


def sort_completions(names: Iterable[str]) -> list[str]:
    """Return the names in alphabetical order, omitting duplicates and names with control characters."""
    return [name for name in sorted(set(names)) if name and name == escape_control_characters(name)]
