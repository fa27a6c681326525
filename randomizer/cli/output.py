"""Printing: in which language and format, how wide, with which colours and characters."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from randomizer.errors import either
from randomizer.show.formats import FORMATS

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Named
    from randomizer.setup.document import Setup
    from randomizer.text.language import Language
    from randomizer.text.style import Style

MANY = 1000  # which take about a second
T = TypeVar("T")


# ── Languages ──


_languages: dict[tuple[str, str], list["Language"]] = {}


def languages(game: "Game") -> list["Language"]:
    """All languages, English first; kept, because a process may deal more than once."""
    from randomizer.load.paths import data_folder
    from randomizer.text import language

    made_from = data_folder(), game.hash
    if made_from not in _languages:
        _languages[made_from] = [language.load(code, game) for code in language.codes()]
    return _languages[made_from]


def card_names(game: "Game") -> dict[str, Mapping[str, "Named"]]:
    """By the code of each language but English, what it calls the cards."""
    from randomizer.text import language

    return {code: language.card_names(code, game) for code in language.codes() if code != language.ENGLISH}


def chosen_language(code: str | None, game: "Game | None" = None) -> "Language":
    """The language asked for, else the locale's where there is a file for it, else English."""
    from randomizer.text import language

    if code is None:
        return language.load(language.meant(_locale()) or language.ENGLISH, game)
    return language.load(language.meant(code) or code, game)


def _locale() -> str:
    """The locale's setting, or nothing."""
    setting = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not setting and sys.platform == "win32":
        from locale import getlocale, normalize

        setting = normalize((getlocale()[0] or "").partition("_")[0])  # `ja_JP.eucJP` of `Japanese`
    return setting


# ── Setups ──


def show(setup: "Setup", game: "Game", *, format: str | None, json: bool, **look: Any) -> None:
    """Print a setup document in the way that was asked for."""
    _printing(_format(format, json), game, **look)(setup)


def show_each(
    setups: Iterable["Setup"], game: "Game", *, format: str | None, json: bool, **look: Any
) -> None:
    """Print setup documents, each in a line, as they come."""
    name = _format(format, json)
    if not FORMATS[name].each:
        lines = [each for each, other in FORMATS.items() if other.each == each]
        raise click.UsageError(f"--format {name} prints one setup; for --count take {either(lines)}.")
    show = _printing(FORMATS[name].each, game, **look)
    for setup in setups:
        show(setup)


def _printing(
    name: str, game: "Game", *, lang: str | None, color: str | None, sort: str
) -> Callable[["Setup"], None]:
    """Prints setup documents in the format of that name."""
    from randomizer.show.page import Page

    format, language, look = FORMATS[name], chosen_language(lang, game), style(color)
    render = format.render
    return lambda setup: echo(render(Page(setup, language, sort), look), json=format.json)


def _format(format: str | None, json: bool) -> str:
    """The name of the format that was asked for, in its long form or as `--json`."""
    if json and format not in (None, "json"):
        raise click.UsageError(f"--json is short for --format json; leave it or --format {format} out.")
    return "json" if json else format or "text"


@contextmanager
def progress(things: Iterable[T], number: int) -> Iterator[Iterable[T]]:
    """The things, with a bar on stderr that tells how many are left, where one is any use."""
    if number < MANY or _is_terminal(sys.stdout) or not _is_terminal(sys.stderr):
        yield things
    else:
        with click.progressbar(things, length=number, file=sys.stderr, show_pos=True) as counted:
            yield counted


# ── The screen ──


def style(color: str | None) -> "Style":
    """How text is to look on this screen."""
    from randomizer.text.style import Style

    return Style(columns(), colored(color))


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
