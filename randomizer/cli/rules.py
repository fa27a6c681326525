"""The command `rules`, which looks up rules."""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from randomizer.cli import options, output
from randomizer.cli.localization import LocalizedCommand
from randomizer.text import screen
from randomizer.text.encoding import escape_non_ascii_json
from randomizer.text.errors import BadUsage, NoResult, UnknownName, find_suggestions
from randomizer.text.language import as_verbatim, join_with_and, message

if TYPE_CHECKING:
    from randomizer.rules.index import Index
    from randomizer.setup.document import Setup

_MINUS_SIGN = "\N{MINUS SIGN}"


class RulesCommand(LocalizedCommand):
    """A command whose arguments may start with a minus sign, as in `-$1 token`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, replacing dashes that Click would mistake for those of options."""
        return super().parse_args(ctx, [re.sub("^-(?=[^-a-zA-Z])", _MINUS_SIGN, arg) for arg in args])


def _normalize_arguments(
    ctx: click.Context, parameter: click.Parameter, arguments: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the arguments with the dashes that `RulesCommand` has replaced.

    Raises:
        click.NoSuchOption: an argument starts with a dash and a letter, or with two dashes.
    """
    for argument in arguments:
        if argument.startswith("-") and (argument[1:2].isalpha() or argument[1:2] == "-"):
            flags = [flag for option in ctx.command.params for flag in option.opts]
            raise click.NoSuchOption(argument, possibilities=find_suggestions(argument, flags), ctx=ctx)
    return tuple(argument.replace(_MINUS_SIGN, "-") for argument in arguments)


def _list_readable_files(setup: "Setup") -> list[str]:
    """Return the user's own data files that a setup names; print a warning for those that do not exist."""
    from randomizer.setup.replay import extract_files

    files = extract_files(setup)
    missing = [file for file in files if not os.path.isfile(file)]
    if missing:
        template = "Warning: {files} can't be read, so its cards have no rules here."
        output.print_message(message(template, files=join_with_and(as_verbatim(missing))))
    return [file for file in files if file not in missing]


def _open_index(files: Sequence[str]) -> "Index":
    """Open the index of the rulebooks and of the user's own data files. Print a notice if that takes long."""
    from randomizer.rules.lookup import open_index

    if not files:
        return open_index()
    language = output.choose_message_language()
    with output.notify_if_slow(language.translate("Preparing cards and rules")):
        return open_index(extra_files=files)


@click.command(
    cls=RulesCommand,
    context_settings={"ignore_unknown_options": True},
    epilog="""\b
Examples:
  dominion-setup rules reserve
  dominion-setup rules does a duration card stay in play
  dominion-setup rules --for
  dominion-setup rules --for game.json
  dominion-setup rules reserve --for game.json
  dominion-setup rules topiary --cards my-cards.yaml
  dominion-setup rules --list adventures
""",
)
@click.argument(
    "term", nargs=-1, callback=_normalize_arguments, shell_complete=options.complete_with("terms")
)
@options.game_option
@click.option(
    "--for",
    "file",
    type=options.FileOrLastTable("rb"),
    is_flag=False,
    flag_value=options.LAST_TABLE,
    metavar="[FILE|N]",
    help="Show rules for the last or a saved setup; - reads stdin.",
)
@options.line_option
@options.files_option
@click.option("--list", "list_", is_flag=True, help="List all entries, or those with the term in their name.")
@click.option("--all", "all_", is_flag=True, help="Show everything, even if it is long.")
@click.option("--sources", is_flag=True, help="Show sources and related entries in full.")
@options.json_option
@options.output_options
def rules(
    term: tuple[str, ...],
    game: str | None,
    file: "options.FileOrNumber | Literal[''] | None",
    line: int | None,
    files: Sequence[str],
    list_: bool,
    all_: bool,
    sources: bool,
    json: bool,
) -> None:
    """Look up a rule or card, in any language, even with typos.

    With a term and --for, what concerns the table comes first.
    """
    from randomizer.rules import lookup, show
    from randomizer.rules.translation import translate_query

    if list_ and file is not None:
        raise BadUsage("use either --list or --for, not both.")
    if not (term or list_ or file is not None):
        raise BadUsage("say what to look up, as in `rules reserve`, or use --for or --list.")
    setup = None
    if file is not None:
        from randomizer.cli.documents import read_setup  # Most look-ups do not need it.

        setup = read_setup(file or None, line)
        files = files or _list_readable_files(setup)
    index = _open_index(files)
    if game is not None:
        name, game = game, index.find_game(game)
        if not game:
            raise UnknownName("game", name, as_verbatim(find_suggestions(name, index.titles) or index.titles))
    if list_:
        answer = lookup.list_entries(index, game, " ".join(term))
    elif setup and not term:
        answer = lookup.answer_about_table(index, setup)
    else:
        query = translate_query(index, " ".join(term), output.choose_message_language().code)
        answer = (
            lookup.answer_query_for_table(index, query, setup, game)
            if setup
            else lookup.answer_query(index, query, game)
        )
        output.prefer_language(answer.language)
    if answer and answer.notes:
        language = output.choose_message_language()
        output.print_message(language.join_sentences(map(language.render, answer.notes)))
    if json:
        output.echo(show.render_json(answer), escape=escape_non_ascii_json)
    elif answer:
        language, style = output.choose_output_language(), output.get_style()
        rows = None if all_ or list_ else screen.get_rows()
        text = show.render_text(answer, index, language, style, rows=rows, show_all_sources=sources)
        output.echo(text, is_paged=True)
    if not answer:
        raise NoResult(
            answer.notes[0] if answer.notes else message("no rule applies specifically to this table.")
        )
