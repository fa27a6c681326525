"""Completions of incomplete input: names of cards, and terms of selectors."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from randomizer.cards.game import Game
from randomizer.text.encoding import escape_control_characters
from randomizer.text.slugs import slugify

if TYPE_CHECKING:
    from randomizer.cards.model import Named
    from randomizer.text.language import Language

CardNamesLoader = Callable[
    [], "Iterable[Mapping[str, Named]]"
]  # returns the names of the cards in each language except English


def list_card_names(game: Game, named: CardNamesLoader, begun: str) -> list[str]:
    """Return the names of the cards: in English only if nothing has been typed, else in every language.

    Args:
        game: the game.
        named: called only if something has been typed.
        begun: the beginning of the name.
    """
    called = named() if begun else ()
    others = [name for each in called for card in each.values() for name in (card.name, card.reading)]
    return [*game.cards, *others]


def complete_cards(game: Game, named: CardNamesLoader, incomplete: str) -> list[str]:
    """Complete the last name of a list of cards with commas."""
    return complete_after_comma(
        list_card_names(game, named, incomplete.rpartition(",")[2].lstrip()), incomplete
    )


def complete_selector(
    game: Game,
    languages: "Sequence[Language]",
    named: CardNamesLoader,
    incomplete: str,
    more: Iterable[str] = (),
) -> list[str]:
    """Complete the last term of a selector, after a comma or a space.

    Args:
        game: the game.
        languages: the languages in which sets, types, kinds and abilities may be named.
        named: called only if something has been typed.
        incomplete: the text so far.
        more: further completions.
    """
    from randomizer.cards.selector import SelectorParser

    begun = re.split("[, ]", incomplete)[-1]
    typed = incomplete[: len(incomplete) - len(begun)]
    words = SelectorParser(game, languages, named() if begun else ())
    return [typed + word for word in (*more, *words.list_terms()) if word.startswith(begun.casefold())]


def complete_name(names: Iterable[str], begun: str) -> list[str]:
    """Return the names that begin like this: as slugs, or as they are if only the name itself matches."""
    folded, found = begun.casefold(), []
    for name in names:
        slug = slugify(name)
        if slug.startswith(folded):
            found.append(slug)
        elif name.casefold().startswith(folded):
            found.append(name)
    return found


def complete_after_comma(names: Iterable[str], incomplete: str) -> list[str]:
    """What has been typed up to the last comma, and after it the names that go on so."""
    typed, comma, begun = incomplete.rpartition(",")
    space = begun[: len(begun) - len(begun.lstrip())]
    return [typed + comma + space + name for name in complete_name(names, begun.lstrip())]


def sort_completions(names: Iterable[str]) -> list[str]:
    """Return the names in alphabetical order, without duplicates and control characters."""
    return [name for name in sorted(set(names)) if name and name == escape_control_characters(name)]
