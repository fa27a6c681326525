"""What may come next in what somebody has begun to type: names of cards, and words of wishes."""

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
]  # for each language but English, what it calls the cards


def list_card_names(game: Game, named: CardNamesLoader, begun: str) -> list[str]:
    """What the cards are called: in English, and where something has been begun in every language.

    Args:
        game: whose cards they are.
        named: is asked only where something has been begun.
        begun: what has been typed of a name.
    """
    called = named() if begun else ()
    others = [name for each in called for card in each.values() for name in (card.name, card.reading)]
    return [*game.cards, *others]


def complete_cards(game: Game, named: CardNamesLoader, incomplete: str) -> list[str]:
    """What has been typed up to the last comma, and after it the cards that go on so."""
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
    """Whatever a selector may be made of, after the last comma or space of what has been typed.

    Args:
        game: whose cards are meant.
        languages: in which types, kinds and words may be called as they are shown.
        named: is asked only where something has been begun.
        incomplete: what has been typed.
        more: what else may stand there.
    """
    from randomizer.cards.selector import SelectorParser

    begun = re.split("[, ]", incomplete)[-1]
    typed = incomplete[: len(incomplete) - len(begun)]
    words = SelectorParser(game, languages, named() if begun else ())
    return [typed + word for word in (*more, *words.list_terms()) if word.startswith(begun.casefold())]


def complete_name(names: Iterable[str], begun: str) -> list[str]:
    """The names that begin so, as one types them: as slugs, but where only the name itself begins so."""
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
    """Each name once, in the order of the alphabet, if it can be seen."""
    return [name for name in sorted(set(names)) if name and name == escape_control_characters(name)]
