"""Shell completion: names of sets, cards, rules, games and so on, in every language.

A function `complete_<kind>` returns the completions of an incomplete word. `options.complete_with` calls it
with the context of the command.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    CardNames,
    complete_after_comma,
    complete_name,
    sort_completions,
)
from randomizer.cli import output
from randomizer.load.languages import choose_code, load_all_card_names, load_for_document
from randomizer.text.errors import BadUsage
from randomizer.text.language import as_verbatim, join_with_or, quote

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.text.language import Language


# ── Shells ──


class _EqualsSignMixin(ShellComplete):
    """A mixin that completes values that are joined to an option by `=`, as in `--sets=base,adv`."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        """Return the completions. They start with the option if the shell replaces the whole word."""
        # Bash treats an equals sign as a separate word and replaces only the word after it.
        words = [
            word for index, word in enumerate(args) if word != "=" or not args[index - 1].startswith("--")
        ]
        items = super().get_completions(words, "" if incomplete == "=" else incomplete)
        option, equals, _ = incomplete.partition("=")
        prefix = option + equals if equals and option.startswith("--") else ""
        return [CompletionItem(prefix + item.value, item.type, item.help) for item in items]


class Bash(_EqualsSignMixin, BashComplete):
    """Completion in bash."""


class Zsh(_EqualsSignMixin, ZshComplete):
    """Completion in zsh."""


class Fish(_EqualsSignMixin, FishComplete):
    """Completion in fish. Unlike Click's script, its script splits an item only at the first comma."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split -m 1 ","')


SHELLS = {"bash": Bash, "zsh": Zsh, "fish": Fish}


def register() -> None:
    """Replace Click's completion classes with those of this module."""
    for shell in SHELLS.values():
        add_completion_class(shell)


@click.command(
    epilog="""\b
Examples:
  dominion-setup completion bash
  dominion-setup completion fish
"""
)
@click.argument("shell", shell_complete=lambda *_: list(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script for completion with TAB.

    SHELL is bash, zsh or fish. For bash, add eval "$(dominion-setup completion bash)" to ~/.bashrc.
    """
    if shell not in SHELLS:
        shells = join_with_or(as_verbatim(SHELLS))
        raise BadUsage(
            "there is no completion for the shell {name}; use {shells}.", name=quote(shell), shells=shells
        )
    root = ctx.find_root()
    program = root.info_name or ""
    variable = f"_{program}_COMPLETE".replace("-", "_").replace(".", "_").upper()  # as in Click
    output.echo(SHELLS[shell](root.command, {}, program, variable).source().rstrip())


# ── Names ──


def build_items(names: Iterable[str]) -> list[CompletionItem[str]]:
    """Convert names to completion items of Click.

    Args:
        names: the names, or a mapping from names to help texts. Names without help texts are sorted, and
            duplicates and unprintable ones are removed.
    """
    if isinstance(names, Mapping):
        return [CompletionItem(name, help=help) for name, help in names.items()]
    return [CompletionItem(name) for name in sort_completions(names)]


def complete_sets(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a comma-separated list of boxes, with or without an edition, and of cards sold singly."""
    from randomizer.cards.editions import map_box_names, strip_edition

    game, languages = _load_context(ctx)
    names = map_box_names(game, languages)
    set_names = [name for name in names if name in game.boxes or strip_edition(name) == name]
    return complete_after_comma(set_names, incomplete)


def complete_cards(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the name of a card: an English slug such as `young-witch`, or a name in another language."""
    return complete_name(_list_cards(ctx, incomplete), incomplete)


def complete_swaps(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a swap: `CARD`, or `CARD=CARD` with the replacement after the equals sign."""
    old_card, equals_sign, new_card_start = incomplete.partition("=")
    if not equals_sign:
        return complete_cards(ctx, incomplete)
    return [f"{old_card}={name}" for name in complete_name(_list_cards(ctx, new_card_start), new_card_start)]


def complete_several_cards(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a comma-separated list of cards."""
    game, _ = _load_context(ctx)
    return completions.complete_cards(game, _list_names_by_language(game), incomplete)


def complete_vetoes(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a comma-separated list of cards that can be vetoed.

    These are the cards on the recent table that `--for` names, or else on the last table. If the veto of that
    table is not open, complete the names of any cards.
    """
    from randomizer.memory import recent_tables
    from randomizer.setup.checklist import is_veto_open

    number = ctx.params.get("file") or 1
    if isinstance(number, int) and is_veto_open(setup := recent_tables.read(number)):
        game, languages = _load_context(ctx)
        if incomplete.isascii():  # Names in many languages would hide the English ones.
            languages = load_for_document(choose_code(None), game)
        names = [language.translate_name(pile["name"]) for pile in setup["piles"] for language in languages]
        has_started = bool(incomplete.rpartition(",")[2].strip())
        return complete_after_comma(names if has_started else setup["kingdom"], incomplete)
    return complete_several_cards(ctx, incomplete)


def complete_kingdoms(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the id of a favourite or suggested kingdom, or a list of cards."""
    from randomizer.browse.suggestions import RANDOM_KINGDOM

    cards = complete_several_cards(ctx, incomplete)
    if "," in incomplete:
        return cards
    kingdom_names = sort_completions(
        (*complete_name([RANDOM_KINGDOM], incomplete), *complete_named_kingdoms(ctx, incomplete))
    )
    return dict.fromkeys([*kingdom_names, *sort_completions(cards if incomplete else [])])


def complete_named_kingdoms(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the id of a favourite or suggested kingdom."""
    from randomizer.browse.suggestions import list_kingdoms

    return complete_name([kingdom.id for kingdom in list_kingdoms(_load_context(ctx)[0])], incomplete)


def complete_kingdoms_or_actions(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a kingdom, an action on a favourite such as `rename`, or the favourite after the action."""
    if (ctx.params.get("words") or [""])[0] in ("rename", "forget"):
        from randomizer.memory import favourites

        return complete_name([each.id for each in favourites.load(_load_context(ctx)[0])], incomplete)
    return (*complete_name(("save", "rename", "forget"), incomplete), *complete_kingdoms(ctx, incomplete))


def complete_selectors(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a selector, such as `attack` or `cost:3-4`."""
    return _complete_selector(ctx, incomplete, ())


def complete_cards_or_selectors(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the name of a card, or a selector."""
    return (*complete_cards(ctx, incomplete), *complete_selectors(ctx, incomplete))


def complete_wishes(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a wish: a selector, or a named wish of the game or of the user."""
    from randomizer.memory import defaults

    named_wishes = [*_load_context(ctx)[0].wishes, *map(str, defaults.read().wishes)]
    return _complete_selector(ctx, incomplete, named_wishes)


def _complete_selector(ctx: click.Context, incomplete: str, wish_names: Iterable[str]) -> list[str]:
    game, languages = _load_context(ctx)
    return completions.complete_selector(
        game, languages, _list_names_by_language(game), incomplete, wish_names
    )


def complete_terms(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a term of the rules: the id, title or alias of an entry, or the name of a card."""
    from randomizer.rules.lookup import open_index
    from randomizer.text.language import ENGLISH

    index = open_index()
    game = _get_game_name(ctx)
    entries = [
        entry
        for name in ([game] if game in index.doc_id_ranges else index.doc_id_ranges)
        for entry in index.entries(name)
    ]
    names = [entry.id for entry in entries]
    if incomplete:  # Without a first letter, the list would be too long.
        names += [title for entry in entries for code, title in entry.title.items() if code != ENGLISH]
    aliases = [alias for entry in entries for alias in entry.aliases]
    found = complete_name(names, incomplete) or complete_name(aliases, incomplete)
    return found if game else [*found, *complete_name(_list_cards(ctx, incomplete), incomplete)]


def complete_types(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a comma-separated list of card types in any language."""
    from randomizer.browse import catalogue

    return complete_after_comma(catalogue.list_types(*_load_context(ctx)), incomplete)


def complete_kinds(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a kind of card in any language."""
    from randomizer.browse import catalogue

    return complete_name(catalogue.list_kinds(*_load_context(ctx)), incomplete)


def complete_words(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a comma-separated list of abilities of cards, such as `village,buy`, in any language."""
    from randomizer.browse import catalogue

    return complete_after_comma(catalogue.list_ability_words(*_load_context(ctx)), incomplete)


def complete_games(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the name of a game: for `rules`, one that has a rulebook; otherwise, one that can be dealt."""
    from randomizer.load.games import list_games
    from randomizer.rules.lookup import open_index

    known = open_index().titles if ctx.info_name == "rules" else list_games()
    return complete_name(known, incomplete)


def complete_languages(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the code of a language, such as `ja`."""
    from randomizer.load.languages import list_codes

    return complete_name(list_codes(), incomplete)


def complete_profiles(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the name of a profile in the user's configuration."""
    from randomizer.memory import defaults

    return [name for name in defaults.read().profiles if name.startswith(incomplete)]


def complete_tables(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the number of a recent table. The shell shows the table's time, boxes and seed beside it."""
    from randomizer.memory import recent_tables

    if incomplete and not incomplete.isdecimal():
        return {}
    return {
        str(table["number"]): " · ".join(
            (
                table["dealt"][:16].replace("T", " "),
                *(box["name"] for box in table.get("boxes", ())),
                table.get("seed", ""),
            )
        )
        for table in recent_tables.describe_tables()
        if str(table["number"]).startswith(incomplete)
    }


def complete_game_ids(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete the number of a played game. The shell shows the game's date and players beside it."""
    from randomizer.memory import played_games

    return {
        str(game.id): f"{game.date} {', '.join(name for name, _ in game.players)}".strip()
        for game in played_games.load_games()
        if str(game.id).startswith(incomplete)
    }


def complete_players(ctx: click.Context, incomplete: str) -> Iterable[str]:
    """Complete a comma-separated list of players of earlier games."""
    from randomizer.memory import played_games

    finished_names, comma, name_start = incomplete.rpartition(",")
    names = {name for game in played_games.load_games() for name, _ in game.players}
    return [
        finished_names + comma + name for name in names if name.casefold().startswith(name_start.casefold())
    ]


# ── Helpers ──


def _list_cards(ctx: click.Context, incomplete: str) -> list[str]:
    """Return the names of the cards from which to choose completions."""
    game, _ = _load_context(ctx)
    return completions.list_card_names(game, _list_names_by_language(game), incomplete)


def _list_names_by_language(game: Game) -> CardNames:
    """Return the card names in all languages, those of the user's locale first."""
    return load_all_card_names(game).prefer(choose_code(None)).values()


def _get_game_name(ctx: click.Context) -> str:
    return str(ctx.params.get("game") or "")


def _load_context(ctx: click.Context) -> tuple[Game, Sequence[Language]]:
    """Load all languages and the game that the command line selects, including the user's data files."""
    game = output.load_game_with_files(_get_game_name(ctx), ctx.params.get("files") or ())
    return game, output.load_languages(game)
