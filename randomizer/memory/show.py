"""Text output of played games and of the user's own defaults."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.cards.game import Game
from randomizer.memory.defaults import format_profile_source
from randomizer.memory.played_game import PlayedGame
from randomizer.setup.dealt import again
from randomizer.text.encoding import visible
from randomizer.text.language import Language
from randomizer.text.screen import Style
from randomizer.text.width import table, wrap

# Returns the reader's language with the names of the named game; the empty name stands for no game.
GetLanguage = Callable[[str], Language]


def render_history(games: Sequence[PlayedGame], get_language: GetLanguage, style: Style) -> str:
    """Render the games as a table with one row each.

    Args:
        games: the games in the order of the rows.
        get_language: returns the reader's language for a game.
        style: the width and colours of the output.
    """
    rows = []
    for game in games:
        language = get_language(game.game)
        rows.append(
            (
                str(game.id),
                game.date,
                _format_players(game, language),
                str(game.rating or ""),
                language.listed(_translate_names(game.kingdom, language)),
                language.listed(_translate_names(game.landscapes, language)),
                visible(game.note),
            )
        )
    say = get_language("").say
    heads = [say(head) for head in ("no.", "date", "players", "rating", "Kingdom", "landscapes", "note")]
    heading, *lines = table(heads, rows, style.columns, right=[0, 3])
    return "\n".join([style.heading(heading), *lines])


def render_game(played: PlayedGame, game: Game | None, language: Language, style: Style) -> str:
    """Render all facts of one played game, and the command that deals its table again.

    Args:
        played: the played game.
        game: its data; None if there are none for a game of its name.
        language: the reader's language with the names of the game.
        style: the width and colours of the output.
    """
    heading, *facts = _format_facts(played, language)
    if game is not None:
        document: Any = {"options": played.options, "seed": played.seed, "generator": {"data": ""}}
        if command := again(game, document):
            facts.append(language.say("Again: {text}", text=command))
    lines = list(map(style.heading, wrap(heading, style.columns)))
    for fact in facts:
        first, *rest = wrap(fact, style.columns - 2)
        lines += [first, *(f"  {line}" for line in rest)]
    return "\n".join(lines)


def _format_facts(game: PlayedGame, language: Language) -> Iterator[str]:
    """Yield a heading, then a line for each fact that is known."""
    say = language.say
    heading = (say("game {number}", number=game.id), game.date, _format_players(game, language))
    yield " · ".join(filter(None, heading))
    for title, names in (
        ("Kingdom", game.kingdom),
        ("landscapes", game.landscapes),
        ("chosen besides", game.others),
    ):
        if names:
            text = language.listed(_translate_names(names, language))
            yield say("{title}: {text}", title=title, text=text)
    if game.rating:
        yield say("{title}: {text}", title="rating", text=str(game.rating))
    if game.note:
        yield say("{title}: {text}", title="note", text=visible(game.note))


def _format_players(game: PlayedGame, language: Language) -> str:
    """Return the players' names with their scores."""
    return language.listed(
        visible(name if score is None else f"{name} {score}") for name, score in game.players
    )


def _translate_names(names: Sequence[str], language: Language) -> Iterator[str]:
    return (visible(language.name(name)) for name in names)


def render_config(facts: Mapping[str, Any], language: Language, style: Style) -> str:
    """Render the paths of the user's files, and a table of the options with their values and sources.

    Args:
        facts: `file`, `last` and `played` are paths, `profiles` are names. Each of the `options` has a
            `name`, a `value`, and where that is `from`.
        language: the reader's language.
        style: the width and colours of the output.
    """
    say = language.say
    titled = [
        ("your defaults", facts["file"]),
        ("last table", facts["last"]),
        ("played games", facts["played"]),
        ("profiles", language.listed(facts["profiles"])),
    ]
    lines = [say("{title}: {text}", title=title, text=visible(text)) for title, text in titled if text]
    rows = [
        (option["name"], _format_value(option["value"]), _translate_source(option["from"], language))
        for option in facts["options"]
    ]
    heading, *rest = table([say(head) for head in ("option", "value", "from")], rows, style.columns)
    return "\n".join([*lines, "", style.heading(heading), *rest])


def _translate_source(source: str, language: Language) -> str:
    """Return where a default comes from, in words. The name of a profile is not translated."""
    profile = source.removeprefix(format_profile_source(""))
    return (
        language.say(source) if profile == source else language.say("profile {text}", text=visible(profile))
    )


def _format_value(value: Any) -> str:
    """Return a value as in the file, but without quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    return visible(", ".join(value) if isinstance(value, list) else "" if value is None else str(value))
