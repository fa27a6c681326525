"""What commands show: of which game, in which language and format, how wide, with which characters."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from randomizer.show.formats import FORMATS, Bare
from randomizer.text import screen
from randomizer.text.encoding import escape_control_characters, replace_unencodable
from randomizer.text.errors import BadUsage, Problem
from randomizer.text.language import (
    ENGLISH,
    ENGLISH_LANGUAGE,
    Message,
    Verbatim,
    as_verbatim,
    join_with_or,
    message,
)

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Named
    from randomizer.record.laid import Laid
    from randomizer.setup.document import Setup
    from randomizer.show.page import RulesByLanguage
    from randomizer.text.language import Language
    from randomizer.text.screen import Style

MANY = 1000  # which take about a second
# Setups are printed together that come so many seconds after one another at most, and fit into the buffer of
# stdout, of which Ctrl-C loses nothing: the fewer writings, the sooner all are there.
_MOMENT, _ROOM = 0.01, 2000
T = TypeVar("T")


# ── Games and languages, each loaded once ──


def loaded(game: str = "") -> "Game":
    """The game as it comes, without the user's files."""
    from randomizer.load.paths import data_folder

    return _loaded(game, data_folder())


@cache
def _loaded(game: str, folder: str) -> "Game":
    from randomizer.load.games import load

    return load(game)


def game_of(name: str | None, files: Sequence[str]) -> "Game":
    """The game of that name, or the default one, with what the user's files add to it."""
    from randomizer.load.games import load

    return load(name or "", extra=files) if files else loaded(name or "")


_languages: dict[tuple[str, str], list["Language"]] = {}


def languages(game: "Game") -> list["Language"]:
    """All languages, English first."""
    from randomizer.load.languages import load_all
    from randomizer.load.paths import data_folder

    made_from = data_folder(), game.hash
    if made_from not in _languages:
        _languages[made_from] = load_all(game)
    return _languages[made_from]


def card_names(game: "Game") -> Mapping[str, Mapping[str, "Named"]]:
    """By the code of each language but English, what it calls the cards."""
    from randomizer.load.languages import load_all_card_names

    return load_all_card_names(game)


def chosen_language(code: str | None, game: "Game | None" = None, *, escapes: bool = False) -> "Language":
    """The language to show things in: the one asked for, else the locale's where there is a file for it.

    English where there is none, or where what is printed to cannot hold it.

    Args:
        escapes: what is printed has escapes for every letter, as JSON has, and so can be held by everything.
    """
    from randomizer.load.languages import can_encode, choose_code, load

    chosen = load(choose_code(code), game)
    encoding = _encoding()
    if escapes or can_encode(encoding, chosen):
        return chosen
    lacks = "Warning: {encoding} does not have the letters of {language}; this is English."
    tell(message(lacks, encoding=Verbatim(encoding), language=Verbatim(chosen.code)))
    return load(ENGLISH, game)


def reader(stream: TextIO | None = None, lang: str | None = None) -> "Language":
    """The language to tell something in that is not a command's result: help, what is wrong, a warning.

    It is chosen as for results. Where nobody has looked yet whether that can be done, or it cannot, the next
    best is taken without a word: whoever reads this has something else to mend. Words are loaded only now.

    Args:
        stream: what is printed to; by default stderr.
        lang: the code that was typed, where there is no context of a command to say so.
    """
    from randomizer.load.languages import can_encode, find_code, get_locale, load

    ctx = click.get_current_context(silent=True)
    said = ctx.meta if ctx else {}
    settings = (lang or said.get("lang"), os.environ.get("DOMINION_SETUP_LANG"), _usual(ctx), get_locale())
    code = next(filter(None, map(find_code, filter(None, settings))), ENGLISH)
    if code == ENGLISH:
        return ENGLISH_LANGUAGE
    game = None
    with suppress(Problem):
        game = loaded(said.get("game", ""))
    with suppress(Problem):
        language, encoding = load(code, game), _encoding(stream or sys.stderr)
        if can_encode(encoding, language):
            return language
    return ENGLISH_LANGUAGE


def _usual(ctx: click.Context | None) -> str:
    """The language that the user's own defaults say, also where nobody has come to take these yet."""
    taken = ctx.find_root().default_map if ctx else None
    if taken is not None:
        return str(taken.get("lang", ""))
    from randomizer.memory import defaults

    return defaults.read().get_text("lang", "")


# ── Setups ──


def show(
    setup: "Setup", game: "Game", *, format: str | None, json: bool, keep: bool = False, **look: Any
) -> None:
    """Print a setup document in the way that was asked for.

    Args:
        keep: make it the last table.
    """
    bare = Bare(setup)
    if keep:
        _keep(bare)
    name = _format(format, json)
    echo(_rendering(name, game, **look)(bare), escape=FORMATS[name].escape)


def _keep(setup: Bare) -> None:
    from randomizer.memory import last_table

    if not last_table.save(setup.json):
        kept = "Warning: {file} cannot be written, so the last table is still an older one."
        tell(message(kept, file=Verbatim(last_table.path())))


def show_each(setups: Iterable["Laid"], game: "Game", *, format: str | None, json: bool, **look: Any) -> None:
    """Print setups, each in a line: on a terminal as they come, elsewhere some together that come fast."""
    name = _format(format, json)
    if not FORMATS[name].each:
        lines = [each for each, other in FORMATS.items() if other.each == each]
        said = "--format {name} prints one setup; for --count take {formats}."
        raise BadUsage(said, name=Verbatim(name), formats=join_with_or(as_verbatim(lines)))
    each = FORMATS[name].each
    render, moment = _rendering(each, game, **look), 0 if screen.is_terminal(sys.stdout) else _MOMENT
    texts: list[str | bytes] = []
    before, long = 0.0, 0
    try:
        for setup in setups:
            texts.append(render(Bare(setup)))
            long += len(texts[-1])
            now = time.monotonic()
            if long >= _ROOM or now - before >= moment:
                _echo_all(texts, each)
                long = 0
            before = now
    finally:  # also what came before a setup that cannot be dealt
        _echo_all(texts, each)


def _echo_all(texts: list[str | bytes], format: str) -> None:
    """Print texts, each in a line, and take them off the list."""
    whole: list[Any] = texts[:]  # all of them in UTF-8, or none
    texts.clear()
    if whole:
        between = b"\n" if isinstance(whole[0], bytes) else "\n"
        echo(between.join(whole), escape=FORMATS[format].escape)


def _rendering(
    name: str, game: "Game", *, about: bool, lang: str | None, color: str | None, sort: str, no_pager: bool
) -> Callable[[Bare], str | bytes]:
    """Renders setups in the format of that name."""
    format, look = FORMATS[name], style(color)
    language = chosen_language(lang, game, escapes=format.escape is not None)
    render, told = format.print_, _telling(game) if about else lambda setup: setup
    if format.bare:
        return lambda setup: render(told(setup), look)
    from randomizer.show.page import Page

    rules = _rules() if format.rules else None  # the rulebooks are another wing to load
    return lambda setup: render(Page(told(setup).of, language, sort, game, rules), look)


def _rules() -> "Callable[[Setup], RulesByLanguage]":
    """What finds the rules that matter on a table."""
    from randomizer.rules.show import load_table_rules

    return load_table_rules


def _telling(game: "Game") -> Callable[[Bare], Bare]:
    """Makes setups that say what kind of game it is."""
    from randomizer.setup.about import with_about

    return lambda setup: Bare(with_about(setup.document, game))


def refuse_clashes(ctx: click.Context) -> None:
    """Refuse options that were typed, of which one would do nothing with the other there.

    Raises:
        BadUsage: there are such, and which.
    """
    names = {flag: each.name or "" for each in ctx.command.params for flag in each.opts}
    typed = {
        flag: ctx.params.get(name)
        for flag, name in names.items()
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    if len(typed) < 2:
        return
    from randomizer.browse.request_builder import (  # which a look-up has no other use for
        DEAL_CONFLICTS,
        OptionConflict,
        find_conflict,
    )

    listed = message("such a list has its own order, and nothing but names")
    clashes = (
        *DEAL_CONFLICTS,
        OptionConflict("--keep", True, ("--count",), message("nobody knows yet which table will be played")),
        OptionConflict("--format", "names", ("--about", "--sort"), listed),
        OptionConflict("--format", "online", ("--about", "--sort"), listed),
    )
    if clash := find_conflict(typed, clashes):
        raise BadUsage(clash)


def _format(format: str | None, json: bool) -> str:
    """The name of the format that was asked for, in its long form or as `--json`."""
    if json and format not in (None, "json"):
        said = "--json is short for --format json; leave it or --format {format} out."
        raise BadUsage(said, format=Verbatim(format))
    return "json" if json else format or "text"


@contextmanager
def progress(things: Iterable[T], number: int) -> Iterator[Iterable[T]]:
    """The things, with a bar on stderr that tells how many are left, where one is any use."""
    if number < MANY or screen.is_terminal(sys.stdout) or not screen.is_terminal(sys.stderr):
        yield things
    else:
        with click.progressbar(things, length=number, file=sys.stderr, show_pos=True) as counted:
            yield counted


@contextmanager
def patience(word: str, seconds: float = 1) -> Iterator[None]:
    """Say a word on stderr if what is done takes longer, and somebody waits for it."""
    if not screen.is_terminal(sys.stderr):
        yield
        return
    from threading import Timer

    timer = Timer(seconds, click.echo, [word], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


# ── The screen ──


def style(color: str | None, otherwise: int = 80) -> "Style":
    """How text is to look on this screen; `otherwise` is its width where there is none."""
    from randomizer.text.screen import Style

    return Style(screen.get_columns(otherwise), screen.use_color(color))


def echo(text: str | bytes, *, escape: Callable[[str], str] | None = None, paged: bool = False) -> None:
    """Print, also where the screen or pipe cannot take every character.

    Args:
        text: as it is, or in UTF-8.
        escape: the text has escapes of its own, as JSON has, and this writes them.
        paged: show it in the user's pager if it is higher than the screen.
    """
    encoding = _encoding()
    if isinstance(text, bytes):
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer and encoding == "utf-8" and os.linesep == "\n":  # it is printed as it is
            sys.stdout.flush()
            buffer.write(text + b"\n")
            buffer.flush()
            return
        text = text.decode()
    if not encoding.startswith("utf"):
        text = escape(text) if escape else replace_unencodable(text, encoding)
    if not (paged and screen.show_in_pager(text)):
        click.echo(text, color=True)  # the text has escape sequences only where they are wanted


def tell(said: str | Message) -> None:
    """Print an error, or something else beside the result, in one line in which everything can be seen.

    Whatever is long in it is cut in the middle.

    Args:
        said: a line as it is, or a message to tell in the language of whoever reads it.
    """
    text = escape_control_characters(said if isinstance(said, str) else reader().render(said))
    click.echo(text if len(text) <= 420 else f"{text[:280]} … {text[-100:]}", err=True)


def _encoding(stream: TextIO | None = None) -> str:
    """That of what is printed to: by default stdout."""
    return (getattr(stream or sys.stdout, "encoding", None) or "ascii").lower()
