"""Loads games and languages for the commands, chooses the language and format of output, and prints."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar

import click

from randomizer.show.formats import FORMATS, SetupSource
from randomizer.text import screen
from randomizer.text.encoding import escape_control_characters, escape_non_ascii_json, replace_unencodable
from randomizer.text.errors import BadUsage, Problem
from randomizer.text.language import (
    ENGLISH,
    ENGLISH_LANGUAGE,
    Message,
    Verbatim,
    message,
)

if TYPE_CHECKING:
    from randomizer.cards.game import Game
    from randomizer.cards.model import Named
    from randomizer.record.dealing import DealtTable
    from randomizer.setup.document import Setup
    from randomizer.show.page import RulesByLanguage
    from randomizer.text.language import Language
    from randomizer.text.screen import Style

T = TypeVar("T")

MIN_PROGRESS_BAR_COUNT = 1000  # setups, which take about a second to deal
# Setups in quick succession are written together, because each write takes time. Together they must fit into
# the buffer of stdout, so that Ctrl-C loses none of them.
_MAX_WRITE_DELAY = 0.01  # seconds
_MAX_WRITE_SIZE = 2000  # characters
_MAX_MESSAGE_LENGTH = 420  # characters


# ── Games and languages, each loaded once ──


def load_game(name: str = "") -> "Game":
    """Load a game without the user's files; the empty name means the default game.

    Raises:
        UnknownName: no game has this name.
    """
    from randomizer.load.paths import data_folder

    return _load_game(name, data_folder())


@cache
def _load_game(name: str, folder: str) -> "Game":
    from randomizer.load.games import load

    return load(name)


def load_game_with_files(name: str | None, files: Sequence[str]) -> "Game":
    """Load a game with the additions from the user's files. Without a name, load the default game.

    Raises:
        UnknownName: no game has this name.
        BadData: the files have faults.
    """
    from randomizer.load.games import load

    return load(name or "", extra_files=files) if files else load_game(name or "")


_languages_cache: dict[tuple[str, str], "Sequence[Language]"] = {}  # by data folder and hash of the game


def load_languages(game: "Game") -> "Sequence[Language]":
    """Return all languages, each of which is loaded when it is first used. English comes first."""
    from randomizer.load.languages import load_all
    from randomizer.load.paths import data_folder

    key = data_folder(), game.hash
    if key not in _languages_cache:
        _languages_cache[key] = load_all(game)
    return _languages_cache[key]


def load_document_languages(game: "Game") -> list["Language"]:
    """Load the languages of a new setup document: English, and the language of results."""
    from randomizer.load.languages import choose_code, load_for_document

    return load_for_document(choose_code(_get_option("lang")), game)


def load_card_names(game: "Game") -> Mapping[str, Mapping[str, "Named"]]:
    """Return the card names by language code. Those in the language of results take precedence."""
    from randomizer.load.languages import choose_code, load_all_card_names

    return load_all_card_names(game).prefer(choose_code(_get_option("lang")))


def choose_output_language(game: "Game | None" = None, *, is_escaped: bool = False) -> "Language":
    """Return the language of results: that of `--lang`, or else a supported language of the locale.

    If stdout cannot encode the language, print a warning and return English.

    Args:
        game: the game whose card names to load.
        is_escaped: whether the output escapes characters that stdout cannot encode, as JSON does.

    Raises:
        UnknownName: the requested language is unknown.
    """
    from randomizer.load.languages import can_encode, choose_code, load

    chosen = load(choose_code(_get_option("lang")), game)
    encoding = _get_encoding()
    if is_escaped or can_encode(encoding, chosen):
        return chosen
    warning = "Warning: {encoding} can't show {language}; using English."
    print_message(message(warning, encoding=Verbatim(encoding), language=Verbatim(chosen.code)))
    return load(ENGLISH, game)


def prefer_language(language_code: str) -> None:
    """Use a language for results and messages, unless `--lang` is typed or the language code is empty."""
    ctx = click.get_current_context()
    if language_code and not ctx.meta.get("lang") and "lang" not in ctx.meta.get("typed", ()):
        ctx.meta["lang"] = ctx.obj["lang"] = language_code


def choose_message_language(stream: TextIO | None = None) -> "Language":
    """Return the language of help, errors and warnings.

    The language is chosen as in `choose_output_language`, but an invalid choice is skipped silently, so that
    it does not hide the message itself. Translations are loaded on demand, because most commands need none.

    Args:
        stream: the stream to which the text is printed; None for stderr.
    """
    from randomizer.load.languages import can_encode, find_code, get_locale, load

    ctx = click.get_current_context(silent=True)
    meta = ctx.meta if ctx else {}
    choices = (
        meta.get("lang"),
        os.environ.get("DOMINION_SETUP_LANG"),
        _get_default_language(ctx),
        get_locale(),
    )
    language_code = next(filter(None, map(find_code, filter(None, choices))), ENGLISH)
    if language_code == ENGLISH:
        return ENGLISH_LANGUAGE
    game = None
    with suppress(Problem):
        game = load_game(meta.get("game", ""))
    with suppress(Problem):
        language = load(language_code, game)
        if can_encode(_get_encoding(stream or sys.stderr), language):
            return language
    return ENGLISH_LANGUAGE


def _get_default_language(ctx: click.Context | None) -> str:
    """Return the language code in the user's defaults, even before they are applied; empty for none."""
    applied = ctx.find_root().default_map if ctx else None
    if applied is not None:
        return str(applied.get("lang", ""))
    from randomizer.memory import defaults

    return defaults.read().get_string("lang", "")


# ── Setups ──


def print_setup(
    setup: "Setup",
    game: "Game",
    *,
    format: str | None,
    json: bool,
    keep: bool = False,
    table: tuple[int, int] | None = None,
    **render_options: Any,
) -> None:
    """Print a setup document.

    Args:
        setup: the document.
        game: the game of the setup.
        format: the value of `--format`.
        json: the value of `--json`.
        keep: whether to save the setup as the newest table.
        table: the number of the table among several tables, and their number; None for a single table.
        render_options: the other options of `setup_output_options`, and the user's own data files.

    Raises:
        BadUsage: `--format` and `--json` conflict.
    """
    if keep:
        from randomizer.memory import recent_tables

        if not recent_tables.save(SetupSource(setup).json):
            warning = "Warning: {file} can't be written, so the last setup is still an older one."
            print_message(message(warning, file=Verbatim(recent_tables.get_path())))
    name = _choose_format(format, json)
    build_source, render, _ = _build_renderers(name, game, **render_options)
    echo(render(build_source(setup, table)), escape=FORMATS[name].escape_non_ascii)


def print_setups(
    setups: Iterable["DealtTable"],
    game: "Game",
    numbers: range,
    *,
    format: str | None,
    json: bool,
    **render_options: Any,
) -> None:
    """Print many setups: one per line unless a format is given, or as a single document.

    On a terminal, each setup is printed immediately. Otherwise, setups in quick succession are printed
    together. A document is printed when all setups have been dealt.

    Args:
        setups: the dealt tables.
        game: their game.
        numbers: the number of each table.
        format: the value of `--format`.
        json: the value of `--json`.
        render_options: the other options of `setup_output_options`, and the user's own data files.

    Raises:
        BadUsage: `--format` and `--json` conflict.
    """
    chosen = _choose_format(format, json) if format or json else "line"
    name = FORMATS[chosen].series_format or chosen
    build_source, render, render_document = _build_renderers(name, game, **render_options)
    numbered = ((setup, (number, numbers[-1])) for setup, number in zip(setups, numbers, strict=True))
    if render_document:
        pages: list[Any] = []
        try:
            pages += (build_source(setup, number) for setup, number in numbered)
        finally:  # If a setup cannot be dealt, print those before it.
            if pages:
                echo(render_document(pages, get_style()), escape=FORMATS[name].escape_non_ascii)
        return
    gap = FORMATS[name].series_gap.removesuffix("\n")  # Each setup ends its own line.
    max_delay = 0 if screen.is_terminal(sys.stdout) else _MAX_WRITE_DELAY
    lines: list[str] = []
    pending_size, last_write_time, is_first = 0, 0.0, True
    try:
        for setup, number in numbered:
            text = render(build_source(setup, number))
            lines.append(text if is_first else gap + text)
            is_first = False
            pending_size += len(lines[-1])
            if pending_size >= _MAX_WRITE_SIZE or time.monotonic() - last_write_time >= max_delay:
                _echo_lines(lines, name)
                pending_size, last_write_time = 0, time.monotonic()
    finally:  # If a setup cannot be dealt, print those before it.
        _echo_lines(lines, name)


def _echo_lines(lines: list[str], format: str) -> None:
    """Print the lines and clear the list. It is cleared first, so that Ctrl-C cannot print a line twice."""
    pending_lines = lines[:]
    lines.clear()
    if pending_lines:
        echo("\n".join(pending_lines), escape=FORMATS[format].escape_non_ascii)


class _Renderers(NamedTuple):
    """The functions that render setups in a format.

    Attributes:
        build_source: returns the input of the other functions, given a setup, and the number of its table and
            of all tables, or None for a single table.
        render: renders a setup.
        render_document: renders many setups as a single document; None if the format has no such document.
    """

    build_source: "Callable[[Setup | DealtTable, tuple[int, int] | None], SetupSource]"
    render: Callable[[SetupSource], str]
    render_document: "Callable[[Sequence[Any], Style], str] | None" = None


def _build_renderers(
    name: str, game: "Game", *, about: bool, sort: str, files: Sequence[str] = ()
) -> _Renderers:
    """Return the functions that render setups in a format.

    Args:
        name: the name of the format.
        game: the game of the setups.
        about: the value of `--about`.
        sort: the value of `--sort`.
        files: the paths of the user's own data files, if they may be read for the rules of the table.
    """
    format, style = FORMATS[name], get_style()
    language = choose_output_language(game, is_escaped=format.escape_non_ascii is not None)
    format_render = format.render

    def add_description(setup: "Setup | DealtTable") -> SetupSource:
        if not about:
            return SetupSource(setup)
        from randomizer.setup.about import add_about

        return SetupSource(add_about(SetupSource(setup).document, game))

    def render(source: SetupSource) -> str:
        return format_render(source, style)

    if format.is_untranslated:
        return _Renderers(lambda setup, table: add_description(setup), render)
    from randomizer.show.page import Page

    find_rules: Callable[[Setup], RulesByLanguage] | None = None
    if format.has_rules:
        from randomizer.rules.show import load_table_rules  # The rulebooks take time to load.

        find_rules = partial(load_table_rules, files=files)

    def build_page(setup: "Setup | DealtTable", table: tuple[int, int] | None) -> Page:
        return Page(add_description(setup).source, language, sort, game, find_rules, table)

    return _Renderers(build_page, render, format.render_document)


def reject_conflicting_options(ctx: click.Context) -> None:
    """Reject options on the command line that cannot be combined.

    Raises:
        BadUsage: two options conflict; the message names both.
    """
    names = {flag: parameter.name or "" for parameter in ctx.command.params for flag in parameter.opts}
    typed = {
        flag: ctx.params.get(name)
        for flag, name in names.items()
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    if "--table" in typed:  # It makes a single setup of several.
        typed.pop("--count", None)
    if len(typed) < 2:
        return
    from randomizer.browse.request_builder import find_conflict  # Commands without a deal do not need it.

    if conflict := find_conflict(typed):
        raise BadUsage(conflict)


def _choose_format(format: str | None, json: bool) -> str:
    """Return the name of the format that `--format` and `--json` select.

    Raises:
        BadUsage: the two options conflict.
    """
    if json and format not in (None, "json"):
        template = "use either --json or --format {format}, not both."
        raise BadUsage(template, format=Verbatim(format))
    return "json" if json else format or "text"


@contextmanager
def show_progress(items: Iterable[T], count: int) -> Iterator[Iterable[T]]:
    """Yield the items, with a progress bar on stderr if there are many and stdout is not a terminal."""
    if count < MIN_PROGRESS_BAR_COUNT or screen.is_terminal(sys.stdout) or not screen.is_terminal(sys.stderr):
        yield items
    else:
        with click.progressbar(items, length=count, file=sys.stderr, show_pos=True) as counted_items:
            yield counted_items


@contextmanager
def notify_if_slow(text: str, seconds: float = 1) -> Iterator[None]:
    """Print a text on stderr if this is a terminal and the `with` block takes longer than `seconds`."""
    if not screen.is_terminal(sys.stderr):
        yield
        return
    from threading import Timer

    timer = Timer(seconds, click.echo, [text], {"err": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


# ── The screen ──


def _get_option(name: str) -> Any:
    """Return the value of an option of `options.output_options`, given before or after the command's name."""
    return click.get_current_context().obj[name]


def get_style(default_columns: int = 80) -> "Style":
    """Return the width and colours of the output.

    Args:
        default_columns: the width in columns if stdout is not a terminal.
    """
    return screen.Style(screen.get_columns(default_columns), screen.should_use_color(_get_option("color")))


def echo(text: str, *, escape: Callable[[str], str] | None = None, is_paged: bool = False) -> None:
    """Print a result, even if stdout cannot encode all of it.

    Args:
        text: the text.
        escape: escapes characters that stdout cannot encode. If it is None, they are replaced.
        is_paged: whether to use the user's pager if the text has more lines than the screen, unless
            `--no-pager` is typed.
    """
    encoding = _get_encoding()
    if not encoding.startswith("utf"):
        text = escape(text) if escape else replace_unencodable(text, encoding)
    if not (is_paged and not _get_option("no_pager") and screen.show_in_pager(text)):
        click.echo(text, color=True)  # The text has colours only if they are wanted, so Click must keep them.


def print_json(value: Mapping[str, Any]) -> None:
    """Print a result as JSON."""
    from randomizer.text.json import dumps

    echo(dumps(value), escape=escape_non_ascii_json)


def print_message(text: str | Message) -> None:
    """Print an error, a warning or a hint as one line on stderr. A long line is shortened in the middle.

    Args:
        text: a string, or a message to translate into the user's language.
    """
    rendered = text if isinstance(text, str) else choose_message_language().render(text)
    line = escape_control_characters(rendered)
    if len(line) > _MAX_MESSAGE_LENGTH:
        line = f"{line[:280]} … {line[-100:]}"
    click.echo(line, err=True)


def _get_encoding(stream: TextIO | None = None) -> str:
    """Return the name of the encoding of a stream, or of stdout, in lower case."""
    return (getattr(stream or sys.stdout, "encoding", None) or "ascii").lower()
