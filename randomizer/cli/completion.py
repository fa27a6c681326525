"""What a shell offers after TAB: sets, cards, rules, games, in every language."""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def sets(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Boxes, with or without their edition, and cards sold by themselves; after the last comma."""
    from randomizer.browse.boxes import names
    from randomizer.cards.editions import any_edition
    from randomizer.load.games import load
    from randomizer.load.languages import codes
    from randomizer.load.languages import load as language

    typed, comma, begun = incomplete.rpartition(",")
    game = load(_game(ctx))
    every = names(game, [language(code, game) for code in codes()])
    plain = [name for name in every if name in game.boxes or any_edition(name) == name]
    return _items(typed + comma + name for name in _beginning(plain, begun))


def cards(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of cards as one types them, `young-witch`; of other languages those that have been begun."""
    return _items(_cards(incomplete))


def terms(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The rules' ids, or what they are called in another language where that has been begun; and cards."""
    from randomizer.rules.index import open_index
    from randomizer.text.language import ENGLISH

    index = open_index()
    game = _game(ctx)
    entries = [entry for name in ([game] if game in index.of else index.of) for entry in index.entries(name)]
    names = [entry.id for entry in entries]
    if incomplete:
        names += [title for entry in entries for code, title in entry.title.items() if code != ENGLISH]
    found = _typed(names, incomplete) or _typed([a for entry in entries for a in entry.aliases], incomplete)
    return _items(found if game else [*found, *_cards(incomplete)])


def games(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Games: those with rules, or for a deal those with data."""
    from randomizer.load.games import games as dealt
    from randomizer.rules.index import open_index

    known = open_index().titles if ctx.info_name == "rules" else dealt()
    return _items(_beginning(known, incomplete))


def languages(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes of languages."""
    from randomizer.load.languages import codes

    return _items(_beginning(codes(), incomplete))


def _cards(begun: str) -> list[str]:
    from randomizer.load.games import load
    from randomizer.load.languages import card_names, codes
    from randomizer.text.language import ENGLISH

    game = load()
    names = list(game.cards)
    if begun:
        called = [card_names(code, game) for code in codes() if code != ENGLISH]
        names += [name for each in called for card in each.values() for name in (card.name, card.reading)]
    return _typed(names, begun)


def _game(ctx: click.Context) -> str:
    return str(ctx.params.get("game") or "")


def _typed(names: Iterable[str], begun: str) -> list[str]:
    """The names that begin so, as one types them: as slugs, but where only the name itself begins so."""
    from randomizer.text.slugs import slug_of

    folded, found = begun.casefold(), []
    for name in names:
        slug = slug_of(name)
        if slug.startswith(folded):
            found.append(slug)
        elif name.casefold().startswith(folded):
            found.append(name)
    return found


def _beginning(names: Iterable[str], begun: str) -> list[str]:
    """The names that begin so."""
    return [name for name in names if name.startswith(begun)]


def _items(names: Iterable[str]) -> list[CompletionItem]:
    """What Click hands to the shell: each name once, in the order of the alphabet."""
    return [CompletionItem(name) for name in sorted(set(filter(None, names)))]
