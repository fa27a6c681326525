"""Played games, and what holds of the user's own defaults, for people to read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.cards.game import Game
from randomizer.memory.defaults import source_of
from randomizer.memory.noted import PlayedGame
from randomizer.setup.dealt import again
from randomizer.text.encoding import visible
from randomizer.text.language import Language
from randomizer.text.screen import Style
from randomizer.text.width import table, wrap

Speaking = Callable[[str], Language]  # the language with the names of a game


def history_text(games: Sequence[PlayedGame], speaking: Speaking, style: Style) -> str:
    """The games as a table, a row each.

    Args:
        games: in the order in which they are shown.
        speaking: the reader's language, with the names of the game of that name.
        style: how it is to look.
    """
    rows = [
        (
            str(game.id),
            game.date,
            _players(game, speaking(game.game)),
            str(game.rating or ""),
            speaking(game.game).listed(_names(game.kingdom, speaking(game.game))),
            speaking(game.game).listed(_names(game.landscapes, speaking(game.game))),
            visible(game.note),
        )
        for game in games
    ]
    say = speaking("").say
    heads = [say(head) for head in ("no.", "date", "players", "rating", "Kingdom", "landscapes", "note")]
    first, *lines = table(heads, rows, style.columns, right=[0, 3])
    return "\n".join([style.heading(first), *lines])


def game_text(played: PlayedGame, game: Game | None, language: Language, style: Style) -> str:
    """Everything that is known of one game.

    Args:
        played: the game.
        game: its data, as they come; None where there are none.
        language: the reader's, with the names of the game.
        style: how it is to look.
    """
    first, *others = _facts(played, language)
    if line := _again(played, game):
        others.append(language.say("Again: {text}", text=line))
    lines = list(map(style.heading, wrap(first, style.columns)))
    for fact in others:
        begins, *more = wrap(fact, style.columns - 2)
        lines += [begins, *(f"  {line}" for line in more)]
    return "\n".join(lines)


def _facts(game: PlayedGame, language: Language) -> Iterator[str]:
    """A line each."""
    say, listed = language.say, language.listed
    yield " · ".join(
        filter(None, (say("game {number}", number=game.id), game.date, _players(game, language)))
    )
    for title, names in (
        ("Kingdom", game.kingdom),
        ("landscapes", game.landscapes),
        ("chosen besides", game.others),
    ):
        if names:
            yield say("{title}: {text}", title=title, text=listed(_names(names, language)))
    if game.rating:
        yield say("{title}: {text}", title="rating", text=str(game.rating))
    if game.note:
        yield say("{title}: {text}", title="note", text=visible(game.note))


def _again(played: PlayedGame, game: Game | None) -> str:
    """The command that deals its table again; nothing where there is none."""
    if game is None:
        return ""
    document: Any = {"options": played.options, "seed": played.seed, "generator": {"data": ""}}
    return again(game, document)


def _players(game: PlayedGame, language: Language) -> str:
    """Names with their scores."""
    return language.listed(
        visible(name if score is None else f"{name} {score}") for name, score in game.players
    )


def _names(names: Sequence[str], language: Language) -> Iterator[str]:
    return (visible(language.name(name)) for name in names)


def config_text(facts: Mapping[str, Any], language: Language, style: Style) -> str:
    """Where files are, and which options hold from where.

    Args:
        facts: `file`, `last`, `played`: paths; `profiles`: names; `options`: of each its `name`, its `value`
            and where that is `from`.
        language: the reader's.
        style: how it is to look.
    """
    say = language.say
    places = [
        ("your defaults", facts["file"]),
        ("last table", facts["last"]),
        ("played games", facts["played"]),
        ("profiles", language.listed(facts["profiles"])),
    ]
    lines = [say("{title}: {text}", title=title, text=visible(text)) for title, text in places if text]
    rows = [
        (option["name"], _shown(option["value"]), _from(option["from"], language))
        for option in facts["options"]
    ]
    first, *others = table([say(head) for head in ("option", "value", "from")], rows, style.columns)
    return "\n".join([*lines, "", style.heading(first), *others])


def _from(source: str, language: Language) -> str:
    """Where a default is from; the name of a profile stays as it is."""
    name = source.removeprefix(source_of(""))
    return language.say(source) if name == source else language.say("profile {text}", text=visible(name))


def _shown(value: Any) -> str:
    """A value as the file has it, without quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    return visible(", ".join(value) if isinstance(value, list) else "" if value is None else str(value))
