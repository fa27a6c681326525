"""The command `rules`, which looks up rules."""

import re
from typing import Literal

import click

from randomizer.cli import options, output
from randomizer.cli.localization import LocalizedCommand
from randomizer.text import screen
from randomizer.text.encoding import escape_non_ascii_json
from randomizer.text.errors import BadUsage, NoResult, UnknownName, find_suggestions
from randomizer.text.language import as_verbatim, message

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


@click.command(
    cls=RulesCommand,
    context_settings={"ignore_unknown_options": True},
    epilog="""\b
Examples:
  dominion-setup rules reserve
  dominion-setup rules does a duration card stay in play
  dominion-setup rules --for
  dominion-setup rules --for game.json
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
    list_: bool,
    all_: bool,
    sources: bool,
    json: bool,
) -> None:
    """Look up a rule or card, in any language, even with typos."""
    from randomizer.rules import lookup, show
    from randomizer.rules.lookup import open_index

    index = open_index()
    if game is not None and game not in index.titles:
        raise UnknownName("game", game, as_verbatim(find_suggestions(game, index.titles) or index.titles))
    if (bool(term) or list_) == (file is not None):
        raise BadUsage("say what to look up, as in `rules reserve`, or use --for or --list.")
    if list_:
        answer = lookup.list_entries(index, game, " ".join(term))
    elif file is not None:
        from randomizer.cli.documents import read_setup  # Most look-ups do not need it.

        answer = lookup.answer_about_table(index, read_setup(file or None, line))
    else:
        answer = lookup.answer_query(index, " ".join(term), game)
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
