"""What a shell offers after TAB: sets, cards, rules, games, in either language."""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def sets(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Boxes, with or without their edition, and cards sold by themselves; after the last comma."""
    from randomizer.browse.boxes import any_edition, names
    from randomizer.load.games import load
    from randomizer.text.language import codes
    from randomizer.text.language import load as language

    typed, comma, begun = incomplete.rpartition(",")
    game = load(_game(ctx))
    every = names(game, [language(code, game) for code in codes()])
    plain = [name for name in every if name in game.boxes or any_edition(name) == name]
    return [CompletionItem(typed + comma + name) for name in _beginning(plain, begun)]


def cards(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of cards as one types them, `young-witch`; in Japanese where that has been begun."""
    return list(map(CompletionItem, _beginning(_cards(incomplete), incomplete)))


def terms(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Cards, the rules' ids, and once letters have been typed whatever they are called in other languages."""
    from randomizer.rules.index import open_index
    from randomizer.text.language import ENGLISH

    index = open_index()
    game = _game(ctx)
    names = [] if game else _cards(incomplete)
    letters = any(map(str.isalpha, incomplete))
    for entry in (
        entry for name in ([game] if game in index.of else index.of) for entry in index.entries(name)
    ):
        names.append(entry.id)
        if letters:
            names += [title for code, title in entry.title.items() if code != ENGLISH]
        if not incomplete.isascii():
            names += [entry.title[ENGLISH], *entry.aliases]
    return list(map(CompletionItem, _beginning(names, incomplete)))


def games(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Games: those with rules, or for a deal those with data."""
    from randomizer.load.games import games as dealt
    from randomizer.rules.index import open_index

    known = open_index().titles if ctx.info_name == "rules" else dealt()
    return list(map(CompletionItem, _beginning(known, incomplete)))


def languages(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes of languages."""
    from randomizer.text.language import codes

    return list(map(CompletionItem, _beginning(codes(), incomplete)))


def _cards(incomplete: str) -> list[str]:
    from randomizer.cards.game import slug_of
    from randomizer.load.games import load
    from randomizer.text.language import ENGLISH, card_names, codes

    game = load()
    if incomplete.isascii():
        return list(map(slug_of, game.cards))
    others = [card_names(code, game) for code in codes() if code != ENGLISH]
    return [name for names in others for called in names.values() for name in (called.name, called.reading)]


def _game(ctx: click.Context) -> str:
    return str(ctx.params.get("game") or "")


def _beginning(names: Iterable[str], begun: str) -> list[str]:
    """The names that begin so, each once."""
    return sorted({name for name in names if name and name.startswith(begun)})
