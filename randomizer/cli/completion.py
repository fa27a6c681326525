"""What a shell offers after TAB: sets, cards, rules, games, in every language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from randomizer.browse import completions
from randomizer.browse.completions import (
    CardNamesLoader,
    complete_after_comma,
    complete_name,
    sort_completions,
)
from randomizer.cli import output

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.text.language import Language


# ── Shells: what Click does not do for `--sets=base,adv` ──


class _Joined(ShellComplete):
    """An option and its value may be joined by `=`; the shell then has to be told of both."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        """What may come next, as it replaces what stands there."""
        apart = [  # bash takes `=` for a word of its own, and replaces only what comes after it
            word for place, word in enumerate(args) if word != "=" or not args[place - 1].startswith("--")
        ]
        items = super().get_completions(apart, "" if incomplete == "=" else incomplete)
        option, equals, _ = incomplete.partition("=")
        joined = option + equals if equals and option.startswith("--") else ""
        return [CompletionItem(joined + item.value, item.type, item.help) for item in items]


class Bash(_Joined, BashComplete):
    """For bash."""


class Zsh(_Joined, ZshComplete):
    """For zsh."""


class Fish(_Joined, FishComplete):
    """For fish, where Click's own script cuts an item at its first comma."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


def register() -> None:
    """Have Click use these."""
    for shell in (Bash, Zsh, Fish):
        add_completion_class(shell)


# ── What there is ──


def sets(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Boxes, with or without their edition, and cards sold by themselves; after the last comma."""
    from randomizer.cards.editions import map_box_names, strip_edition

    game, languages = _known(ctx)
    every = map_box_names(game, languages)
    plain = [name for name in every if name in game.boxes or strip_edition(name) == name]
    return _after_comma(plain, incomplete)


def cards(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Names of cards as one types them, `young-witch`; of other languages those that have been begun."""
    return _items(complete_name(_cards(ctx, incomplete), incomplete))


def swaps(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """A card, and after `=` another one."""
    goes, equals, begun = incomplete.partition("=")
    if not equals:
        return cards(ctx, parameter, incomplete)
    return _items(f"{goes}={name}" for name in complete_name(_cards(ctx, begun), begun))


def several_cards(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """The same after the last comma."""
    game, _ = _known(ctx)
    return _items(completions.complete_cards(game, _named(game), incomplete))


def kingdoms(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Ids of the kingdoms that rulebooks suggest; or cards, after a comma above all."""
    from randomizer.browse.suggestions import RANDOM_KINGDOM
    from randomizer.load.kingdoms import load_kingdoms

    cards = several_cards(ctx, parameter, incomplete)
    if "," in incomplete:
        return cards
    ids = [kingdom.id for kingdom in load_kingdoms(_known(ctx)[0])]
    return [*_items(complete_name([RANDOM_KINGDOM, *ids], incomplete)), *(cards if incomplete else [])]


def selectors(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Whatever a selector may be made of, after the last comma or space."""
    return _of_selectors(ctx, incomplete, ())


def cards_or_selectors(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Both."""
    both = (*cards(ctx, parameter, incomplete), *selectors(ctx, parameter, incomplete))
    return _items(item.value for item in both)


def wishes(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """What selectors are made of, and the wishes that the data, or the user, have by name."""
    from randomizer.memory import defaults

    return _of_selectors(ctx, incomplete, [*_known(ctx)[0].wishes, *map(str, defaults.read().wishes)])


def _of_selectors(ctx: click.Context, incomplete: str, more: Iterable[str]) -> list[CompletionItem[str]]:
    game, languages = _known(ctx)
    return _items(completions.complete_selector(game, languages, _named(game), incomplete, more))


def terms(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """The rules' ids, or what they are called in another language where that has been begun; and cards."""
    from randomizer.rules.lookup import open_index
    from randomizer.text.language import ENGLISH

    index = open_index()
    game = _game(ctx)
    entries = [
        entry
        for name in ([game] if game in index.doc_id_ranges else index.doc_id_ranges)
        for entry in index.entries(name)
    ]
    names = [entry.id for entry in entries]
    if incomplete:
        names += [title for entry in entries for code, title in entry.title.items() if code != ENGLISH]
    aliases = [alias for entry in entries for alias in entry.aliases]
    found = complete_name(names, incomplete) or complete_name(aliases, incomplete)
    return _items(found if game else [*found, *complete_name(_cards(ctx, incomplete), incomplete)])


def types(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Types of cards, as they are called in any language; after the last comma."""
    from randomizer.browse import catalogue

    return _after_comma(catalogue.list_types(*_known(ctx)), incomplete)


def kinds(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Kinds of things, as they are called in any language."""
    from randomizer.browse import catalogue

    return _items(complete_name(catalogue.list_kinds(*_known(ctx)), incomplete))


def words(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Words for what a card does, as they are called in any language; after the last comma."""
    from randomizer.browse.catalogue import list_ability_words as called

    return _after_comma(called(*_known(ctx)), incomplete)


def games(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Games: those with rules, or for a deal those with data."""
    from randomizer.load.games import list_games as dealt
    from randomizer.rules.lookup import open_index

    known = open_index().titles if ctx.info_name == "rules" else dealt()
    return _items(complete_name(known, incomplete))


def languages(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Codes of languages."""
    from randomizer.load.languages import list_codes

    return _items(complete_name(list_codes(), incomplete))


def profiles(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Profiles of the user's own defaults."""
    from randomizer.memory import defaults

    return _items(name for name in defaults.read().profiles if name.startswith(incomplete))


def numbers(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """The numbers of the games that were played, with what they were."""
    from randomizer.memory import played_games

    return [
        CompletionItem(
            str(game.id), help=f"{game.date} {', '.join(name for name, _ in game.players)}".strip()
        )
        for game in played_games.load_games()
        if str(game.id).startswith(incomplete)
    ]


def players(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Names of those who have played, after the last comma."""
    from randomizer.memory import played_games

    typed, comma, begun = incomplete.rpartition(",")
    names = {name for game in played_games.load_games() for name, _ in game.players}
    return _items(typed + comma + name for name in names if name.casefold().startswith(begun.casefold()))


def _cards(ctx: click.Context, begun: str) -> list[str]:
    """What the cards are called: in English, and where something has been begun in every language."""
    game, _ = _known(ctx)
    return completions.list_card_names(game, _named(game), begun)


def _named(game: Game) -> CardNamesLoader:
    """What each language but English calls the cards, loaded when somebody asks."""
    return lambda: output.card_names(game).values()


def _game(ctx: click.Context) -> str:
    return str(ctx.params.get("game") or "")


def _known(ctx: click.Context) -> tuple[Game, list[Language]]:
    """The game that has been named so far, with the user's files, and all languages."""
    game = output.game_of(_game(ctx), ctx.params.get("files") or ())
    return game, output.languages(game)


def _after_comma(names: Iterable[str], incomplete: str) -> list[CompletionItem[str]]:
    """What has been typed up to the last comma, and after it the names that go on so."""
    return _items(complete_after_comma(names, incomplete))


def _items(names: Iterable[str]) -> list[CompletionItem[str]]:
    """What Click hands to the shell: each name once, in the order of the alphabet, if it can be seen."""
    return [CompletionItem(name) for name in sort_completions(names)]
