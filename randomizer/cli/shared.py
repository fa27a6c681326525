"""What all commands share: options, languages, printing."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from randomizer.text.language import ENGLISH

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from randomizer.cards.game import Game
    from randomizer.setup.document import Setup
    from randomizer.text.language import Language
    from randomizer.text.style import Style

PROGRAM = "dominion-setup"
MANY = 1000  # which take about a second
T = TypeVar("T")


def _either_place(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """An option that may stand before or after the command's name; the later one wins."""
    seen = ctx.ensure_object(dict)
    if value is not None or parameter.name not in seen:
        seen[parameter.name] = value
    return seen[parameter.name]


def completing(what: str) -> Callable[[click.Context, click.Parameter, str], list["CompletionItem"]]:
    """What a shell offers for a parameter, a function of `completion`, which is loaded only then."""

    def complete(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list["CompletionItem"]:
        from randomizer.cli import completion

        items: list[CompletionItem] = getattr(completion, what)(ctx, parameter, incomplete)
        return items

    return complete


game_option = click.option(
    "--game",
    metavar="GAME",
    shell_complete=completing("games"),
    callback=_either_place,
    help="Another game than Dominion; `rules` has more of them than can be dealt.",
)
lang_option = click.option(
    "--lang",
    metavar="CODE",
    shell_complete=completing("languages"),
    envvar="DOMINION_SETUP_LANG",
    callback=_either_place,
    help="Language of the output, en or ja; by default that of the locale.",
)
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    callback=_either_place,
    help="Colours; auto, the default, only on a terminal.",
)
json_option = click.option("--json", "json", is_flag=True, help="Print JSON, for other programs.")
sort_option = click.option(
    "--sort",
    type=click.Choice(["box", "cost", "name", "dealt"]),
    default="box",
    show_default=True,
    help="Order of the Kingdom.",
)


_languages: dict[str, list["Language"]] = {}


def languages(game: "Game") -> list["Language"]:
    """All languages, English first; kept, because a process may deal more than once."""
    from randomizer.load import languages as language

    if game.hash not in _languages:
        _languages[game.hash] = [language.load(code, game) for code in language.codes()]
    return _languages[game.hash]


def chosen_language(code: str | None, game: "Game | None" = None) -> "Language":
    """The language asked for, else the locale's where there is a file for it, else English."""
    from randomizer.load import languages as language

    if code is None:
        code = locale_language()
        code = code if code in language.codes() else ENGLISH
    return language.load(code, game)


def locale_language() -> str:
    """The two letters of the user's language, or nothing."""
    setting = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not setting and sys.platform == "win32":
        from locale import getlocale

        setting = {"Japanese": "ja"}.get((getlocale()[0] or "").partition("_")[0], "")
    return setting[:2]


def show(setup: "Setup", game: "Game", *, json: bool, lang: str | None, color: str | None, sort: str) -> None:
    """Print a setup document in the way that was asked for."""
    from randomizer.show.text import RENDERERS

    text = RENDERERS["json" if json else "text"](setup, chosen_language(lang, game), style(color, sort))
    echo(text, json=json)


def show_each(
    setups: Iterable["Setup"], game: "Game", *, json: bool, lang: str | None, color: str | None, sort: str
) -> None:
    """Print setup documents, each in a line, as they come."""
    from randomizer.show.text import RENDERERS

    render, language, look = (
        RENDERERS["json line" if json else "line"],
        chosen_language(lang, game),
        style(color, sort),
    )
    for setup in setups:
        echo(render(setup, language, look), json=json)


@contextmanager
def progress(things: Iterable[T], number: int) -> Iterator[Iterable[T]]:
    """The things, with a bar on stderr that tells how many are left, where one is any use."""
    if number < MANY or _is_terminal(sys.stdout) or not _is_terminal(sys.stderr):
        yield things
    else:
        with click.progressbar(things, length=number, file=sys.stderr, show_pos=True) as counted:
            yield counted


def style(color: str | None, sort: str = "box") -> "Style":
    """How text is to look on this screen."""
    from randomizer.text.style import Style

    return Style(columns(), colored(color), sort)


def columns() -> int:
    """The width of the screen; 80 where there is none."""
    if os.environ.get("COLUMNS", "").isdecimal():
        return max(int(os.environ["COLUMNS"]), 20)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError, AttributeError):  # no screen, or no stdout at all
        return 80


def colored(choice: str | None) -> bool:
    """Whether to use colours: as asked for, else by FORCE_COLOR and NO_COLOR, else only on a terminal."""
    if choice in ("always", "never"):
        return choice == "always"
    if os.environ.get("FORCE_COLOR"):
        return True
    return not os.environ.get("NO_COLOR") and _is_terminal(sys.stdout)


def _is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at it; a closed one is None."""
    return stream is not None and stream.isatty()


def echo(text: str, *, json: bool = False) -> None:
    """Print, also where the screen or pipe cannot take every character."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    if not encoding.startswith("utf"):
        from randomizer.text.encoding import escaped, plain

        text = escaped(text) if json else plain(text, encoding)
    click.echo(text, color=True)  # the text has escape sequences only where they are wanted
