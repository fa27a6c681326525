"""Shows help in the user's language, and translates Click's error messages."""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from randomizer.cli import output
from randomizer.text.errors import BadUsage, describe_os_error
from randomizer.text.language import (
    Language,
    Message,
    Verbatim,
    as_verbatim,
    join_with_or,
    message,
    quote,
)

# ── Help ──


class LocalizedFormatter(click.HelpFormatter):
    """A formatter for help in any language.

    It allows for languages without spaces between words and for characters that are two columns wide. Text
    without a translation remains English.

    Args:
        language: the user's language.
        size: the keyword arguments of `click.HelpFormatter` for the width and the indentation.
    """

    def __init__(self, language: Language, **size: Any) -> None:
        super().__init__(**size)
        self._language = language

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        super().write_usage(prog, args, prefix or f"{self._language.translate('Usage:')} ")

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        self.write(f"{'':>{self.current_indent}}{self._translate_heading(heading)}\n")

    def write_text(self, text: str) -> None:
        r"""Write paragraphs. A paragraph that starts with `\b`, such as examples, keeps its line breaks."""
        from randomizer.text.width import wrap  # Most commands print no help.

        indent, blocks = " " * self.current_indent, []
        for paragraph in text.split("\n\n"):
            if paragraph.startswith("\b\n"):
                _, heading, *lines = paragraph.splitlines()
                blocks.append([indent + line for line in (self._translate_heading(heading), *lines)])
            else:
                translated = self._language.translate(" ".join(paragraph.split()))
                blocks.append(wrap(translated, self.width - self.current_indent, indent))
        self.write("\n\n".join("\n".join(block) for block in blocks) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms and their help texts in two columns. The help of a long term is on the next line."""
        from randomizer.text.width import width, wrap

        rows = list(rows)
        first_width = min(max(width(term) for term, _ in rows), col_max) + col_spacing
        indent = " " * self.current_indent
        for term, help in rows:
            lines = wrap(self._translate_help(help), max(self.width - first_width - col_spacing, 10)) or [""]
            if width(term) + col_spacing > first_width:
                self.write(f"{indent}{term}\n")
                term = ""
            for line in lines:
                padding = " " * (first_width - width(term))
                self.write(f"{indent}{term}{padding}{line}".rstrip() + "\n")
                term = ""

    def _translate_heading(self, heading: str) -> str:
        """Translate a heading, and add a colon as the language writes it."""
        return self._language.translate("{text}:", text=self._language.translate(heading.removesuffix(":")))

    def _translate_help(self, help: str) -> str:
        """Translate the help of an option. Of the part in brackets, only the word `default` is translated."""
        sentence, bracket, remainder = help.partition("  [")
        translated = self._language.translate(" ".join(sentence.split()))
        before, default, value = remainder.partition("default: ")
        if default and not before:
            return f"{translated}  [{self._language.translate('default: {text}', text=value)}"
        return translated + bracket + remainder


class LocalizedContext(click.Context):
    """The context of a command with localized help and errors.

    Attributes:
        typed_values: the unconverted values on the command line, by the name of the parameter.
    """

    typed_values: Mapping[str, Any] = {}

    def make_formatter(self) -> click.HelpFormatter:
        """Return a formatter of help in the user's language."""
        language = output.choose_message_language(sys.stdout)
        return LocalizedFormatter(language, width=self.terminal_width, max_width=self.max_content_width)


def _print_help(ctx: click.Context, parameter: click.Parameter, is_requested: bool) -> None:
    if is_requested and not ctx.resilient_parsing:
        output.echo(ctx.get_help())
        ctx.exit()


# Click's own option calls gettext, which takes time at every start.
HELP_OPTION = click.Option(
    ["-h", "--help"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_help,
    help="Show this message and exit.",
)


class LocalizedCommand(click.Command):
    """A command with localized help and errors.

    It rejects a repeated option, where Click would silently use the last value.
    """

    context_class = LocalizedContext
    allow_extra_args = (
        True  # Click's error has no attributes to translate, so `parse_args` rejects extra arguments.
    )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line.

        Raises:
            BadUsage: an option with one value is repeated, or there are too many arguments.
            click.UsageError: Click cannot parse the command line.
        """
        try:
            values, _, parameters = self.make_parser(ctx).parse_args(args=list(args))
            if isinstance(ctx, LocalizedContext):
                ctx.typed_values = values
            ctx.meta.setdefault("typed_names", set()).update(values)
            if not ctx.resilient_parsing:
                _reject_repeated_options(parameters)
            remaining_args = super().parse_args(ctx, args)
        except click.NoSuchOption as problem:
            suggestions = _find_close_options(problem)
            raise click.NoSuchOption(problem.option_name, possibilities=suggestions, ctx=ctx) from None
        except click.UsageError as problem:
            problem.ctx = problem.ctx or ctx
            raise
        if ctx.args and not ctx.resilient_parsing and not isinstance(self, click.Group):
            singular, plural = (
                "Got unexpected extra argument ({args})",
                "Got unexpected extra arguments ({args})",
            )
            raise BadUsage(singular if len(ctx.args) == 1 else plural, args=Verbatim(" ".join(ctx.args)))
        return remaining_args

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the `--help` option."""
        return HELP_OPTION


def _find_close_options(problem: click.NoSuchOption) -> list[str]:
    """Return Click's suggestions, except those that resemble the option only in the leading dashes."""
    from difflib import get_close_matches  # Needed only after an error.

    name = problem.option_name.lstrip("-")
    return [flag for flag in problem.possibilities or () if get_close_matches(name, [flag.lstrip("-")])]


def _reject_repeated_options(parameters: Iterable[click.Parameter]) -> None:
    """Reject a repeated option. Switches may be repeated, because that makes no difference.

    Args:
        parameters: the parameters in the order of the command line.

    Raises:
        BadUsage: an option with one value is repeated.
    """
    for parameter, count in Counter(parameters).items():
        if count == 1 or not isinstance(parameter, click.Option) or parameter.multiple:
            continue
        if not parameter.is_flag or parameter.secondary_opts:
            raise build_repetition_error(parameter, count)


def build_repetition_error(option: click.Parameter, count: int) -> BadUsage:
    """Build the error for a single-value option that is given several times."""
    flags = Verbatim("/".join((option.opts[-1], *option.secondary_opts)))
    return BadUsage("{option} was given {count} times, but takes only one value.", option=flags, count=count)


class LocalizedGroup(LocalizedCommand, click.Group):
    """A command with subcommands and localized help and errors."""

    command_class = LocalizedCommand

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands, each with the first paragraph of its help."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, (command.help or "").partition("\n\n")[0]) for name, command in commands if command]
            )


class MessageOption(click.Option):
    """An option whose help is a translatable message with values.

    Args:
        flags: the flags of the option, such as `--players`.
        help_message: the help text.
        kwargs: passed on to `click.Option`.
    """

    def __init__(self, flags: Sequence[str], *, help_message: Message, **kwargs: Any) -> None:
        super().__init__(flags, help=str(help_message), **kwargs)
        self.help_message = help_message

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the flags of the option, and its help text in the user's language."""
        self.help = output.choose_message_language(sys.stdout).render(self.help_message)
        return super().get_help_record(ctx)


# ── Errors ──


def translate_usage_error(problem: click.UsageError) -> Message | Verbatim:
    """Convert a Click error to a translatable message. An error without useful attributes remains English."""
    if isinstance(problem, click.NoSuchOption):
        name, suggestions = quote(problem.option_name), problem.possibilities
        if suggestions:
            hits = join_with_or(as_verbatim(suggestions))
            return message("No such option {name}; did you mean {hits}?", name=name, hits=hits)
        return message("No such option {name}.", name=name)
    if command_name := getattr(problem, "command_name", ""):  # Click 8.4 and later
        return message("No such command {name}.", name=quote(command_name))
    if isinstance(problem, click.BadOptionUsage):
        name = quote(problem.option_name)
        if _takes_value(problem):
            return message("Option {name} requires an argument.", name=name)
        return message("Option {name} does not take a value.", name=name)
    if isinstance(problem, click.BadParameter) and problem.param and problem.ctx:
        name = Verbatim(problem.param.get_error_hint(problem.ctx))
        if isinstance(problem, click.MissingParameter):
            return message("Missing: {name}.", name=name)
        fault = _translate_fault(problem, problem.param, problem.ctx)
        return message("Invalid value for {name}: {fault}", name=name, fault=fault)
    return Verbatim(problem.format_message())


def _takes_value(problem: click.BadOptionUsage) -> bool:
    """Return whether the option that caused the error takes a value."""
    parameters = problem.ctx.command.get_params(problem.ctx) if problem.ctx else ()
    return any(
        problem.option_name in parameter.opts
        and isinstance(parameter, click.Option)
        and not parameter.is_flag
        for parameter in parameters
    )


def _translate_fault(
    problem: click.BadParameter, parameter: click.Parameter, ctx: click.Context
) -> Message | Verbatim:
    """Return a message about a parameter's invalid value; for an unknown type, Click's English text."""
    cause = problem.__context__
    if isinstance(cause, OSError):
        return message("{value}: {why}", value=quote(cause.filename), why=describe_os_error(cause))
    typed = getattr(ctx, "typed_values", {}).get(parameter.name)
    value = quote(" ".join(typed) if isinstance(typed, tuple | list) else typed)
    if isinstance(parameter.type, click.Choice):
        choices = Verbatim(", ".join(map(repr, parameter.type.choices)))
        return message("{value} is not one of {choices}.", value=value, choices=choices)
    if isinstance(parameter.type, click.IntRange) and not isinstance(cause, ValueError):
        min_value, max_value = parameter.type.min, parameter.type.max
        allowed = f"x>={min_value}" if max_value is None else f"{min_value}<=x<={max_value}"
        return message("{value} is not in the range {range}.", value=Verbatim(typed), range=Verbatim(allowed))
    if isinstance(cause, ValueError):
        return message("{value} is not a valid integer.", value=value)
    return Verbatim(problem.message)
