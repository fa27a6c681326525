"""Renders played games, recent tables and the user's configuration as text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from randomizer.cards.game import Game
from randomizer.memory.defaults import format_profile_source
from randomizer.memory.played_game import PlayedGame, infer_winners
from randomizer.setup.replay import build_replay_command
from randomizer.text.encoding import escape_control_characters
from randomizer.text.language import ENGLISH, Language
from randomizer.text.screen import Style
from randomizer.text.width import render_table, wrap

# Takes the name of a game, and returns the output language with the card names of this game. If the name is
# empty, the language has no card names.
GetLanguage = Callable[[str], Language]


def render_history(games: Sequence[PlayedGame], get_language: GetLanguage, style: Style) -> str:
    """Render played games as a table with a row for each game.

    Args:
        games: the games, in the order of the rows.
        get_language: the function that returns the output language for the name of a game.
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
                language.join(_translate_names(game.kingdom, language)),
                language.join(_translate_names(game.landscapes, language)),
                escape_control_characters(game.note),
            )
        )
    translate = get_language("").translate
    headers = [
        translate(header) for header in ("no.", "date", "players", "rating", "Kingdom", "landscapes", "note")
    ]
    heading, *lines = render_table(headers, rows, style.columns, right=[0, 3])
    return "\n".join([style.style_heading(heading), *lines])


def render_tables(tables: Sequence[Mapping[str, Any]], language: Language, style: Style) -> str:
    """Render the recent tables as a table with a row for each of them.

    Args:
        tables: the facts from `recent_tables.describe_tables`.
        language: the output language.
        style: the width and colours of the output.
    """
    translate = language.translate
    rows = []
    for table in tables:
        dealt_at = table["dealt"][:16].replace("T", " ")
        if "damaged" in table:
            rows.append((str(table["number"]), dealt_at, translate("damaged"), "", "", ""))
            continue
        boxes = language.join(language.boxes.get(box["slug"], box["name"]) for box in table["boxes"])
        record_labels = language.join(translate("game {number}", number=number) for number in table["games"])
        cells = (
            table["seed"],
            str(table["players"]),
            boxes or translate(table["title"][ENGLISH]),
            record_labels,
        )
        rows.append((str(table["number"]), dealt_at, *map(escape_control_characters, cells)))
    headers = [translate(header) for header in ("no.", "dealt", "seed", "players", "boxes", "recorded as")]
    heading, *lines = render_table(headers, rows, style.columns, right=[0, 3])
    return "\n".join([style.style_heading(heading), *lines])


def render_game(played: PlayedGame, game: Game | None, language: Language, style: Style) -> str:
    """Render the details of a played game, and a command that deals its table again.

    Args:
        played: the played game.
        game: the game that was played; None if the program does not have its data.
        language: the output language, with the names for the game.
        style: the width and colours of the output.
    """
    heading, *facts = _format_facts(played, language)
    if game is not None:
        document: Any = {"options": played.options, "seed": played.seed, "generator": {"data": ""}}
        if command := build_replay_command(game, document):
            facts.append(language.translate("Deal again: {text}", text=command))
    lines = list(map(style.style_heading, wrap(heading, style.columns)))
    for fact in facts:
        first, *rest = wrap(fact, style.columns - 2)
        lines += [first, *(f"  {line}" for line in rest)]
    return "\n".join(lines)


def _format_facts(game: PlayedGame, language: Language) -> Iterator[str]:
    """Yield a heading, then a line for each detail that is known."""
    translate = language.translate
    heading = (translate("game {number}", number=game.id), game.date, _format_players(game, language))
    yield " · ".join(filter(None, heading))
    for title, names in (
        ("Kingdom", game.kingdom),
        ("landscapes", game.landscapes),
        ("also chosen", game.others),
    ):
        if names:
            text = language.join(_translate_names(names, language))
            yield translate("{title}: {text}", title=title, text=text)
    if game.winners:
        yield translate(
            "{title}: {text}",
            title="winner",
            text=language.join(map(escape_control_characters, game.winners)),
        )
    if game.rating:
        yield translate("{title}: {text}", title="rating", text=str(game.rating))
    if game.note:
        yield translate("{title}: {text}", title="note", text=escape_control_characters(game.note))


def _format_players(game: PlayedGame, language: Language) -> str:
    """Return the names of the players, with their scores if known.

    The winners are marked if the scores do not show who has won.
    """
    marked_winners = () if game.winners == infer_winners(game.players) else game.winners
    players = []
    for name, score in game.players:
        text = escape_control_characters(name if score is None else f"{name} {score}")
        players.append(language.translate("{text} (won)", text=text) if name in marked_winners else text)
    return language.join(players)


def _translate_names(names: Sequence[str], language: Language) -> Iterator[str]:
    return (escape_control_characters(language.translate_name(name)) for name in names)


def render_config(facts: Mapping[str, Any], language: Language, style: Style) -> str:
    """Render the paths of the user's files, and a table of the options with their values and sources.

    Args:
        facts: the paths `file`, `last` and `played`, the names of the `profiles`, a list of `options`, and
            the values of the named `wishes` by name. Each option has a `name`, a `value` and a source `from`.
        language: the output language.
        style: the width and colours of the output.
    """
    translate = language.translate
    labelled_facts = [
        ("configuration file", facts["file"]),
        ("last setup", facts["last"]),
        ("played games", facts["played"]),
        ("profiles", language.join(facts["profiles"])),
    ]
    lines = [
        translate("{title}: {text}", title=title, text=escape_control_characters(text))
        for title, text in labelled_facts
        if text
    ]
    rows = [
        (option["name"], _format_value(option["value"]), _translate_source(option["from"], language))
        for option in facts["options"]
    ]
    rows += [
        (escape_control_characters(f"wishes.{name}"), _format_value(list(values)), language.translate("file"))
        for name, values in facts["wishes"].items()
    ]
    heading, *rest = render_table(
        [translate(header) for header in ("option", "value", "from")], rows, style.columns
    )
    return "\n".join([*lines, "", style.style_heading(heading), *rest])


def _translate_source(source: str, language: Language) -> str:
    """Translate the label of a default's source, except for the name of a profile."""
    profile = source.removeprefix(format_profile_source(""))
    return (
        language.translate(source)
        if profile == source
        else language.translate("profile {text}", text=escape_control_characters(profile))
    )


def _format_value(value: Any) -> str:
    """Format a value as in the configuration file, but without quotation marks."""
    if isinstance(value, bool):
        return str(value).lower()
    return escape_control_characters(
        ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    )
