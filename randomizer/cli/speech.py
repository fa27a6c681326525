"""What Click says, in the language of whoever reads it: help, and what is wrong with a command line.

In English these are Click's own words, in its own layout.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from randomizer.cli import output
from randomizer.text.errors import BadUsage
from randomizer.text.language import (
    ENGLISH,
    Language,
    Message,
    Value,
    Verbatim,
    as_verbatim,
    join_with_or,
    message,
    quote,
)

# ── Help ──


class HelpPage(click.HelpFormatter):
    """Help in a language other than English: lines break within words, and a sign may take two columns.

    Args:
        language: what it is written in. What it has no words for stays as it is.
    """

    def __init__(self, language: Language, **size: Any) -> None:
        super().__init__(**size)
        self._language = language

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """How the command is typed."""
        super().write_usage(prog, args, prefix or f"{self._language.translate('Usage:')} ")

    def write_heading(self, heading: str) -> None:
        """A heading."""
        super().write_heading(self._language.translate(heading))

    def write_text(self, text: str) -> None:
        """Paragraphs; one that is marked as laid out already, such as examples, under its heading alone."""
        from randomizer.text.width import wrap  # most commands print no help, and start the sooner

        indent, blocks = " " * self.current_indent, []
        for paragraph in text.split("\n\n"):
            mark, laid_out, rest = paragraph.partition("\b\n")
            if laid_out and not mark:
                heading, *lines = rest.splitlines()
                said = f"{self._language.translate(heading.removesuffix(':'))}:"
                blocks.append([indent + line for line in (said, *lines)])
            else:
                said = self._language.translate(" ".join(paragraph.split()))
                blocks.append(wrap(said, self.width - self.current_indent, indent))
        self.write("\n\n".join("\n".join(block) for block in blocks) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """What there is to type, with what it means beside it."""
        from randomizer.text.width import width, wrap

        rows = list(rows)
        first = min(max(width(typed) for typed, _ in rows), col_max) + col_spacing
        indent = " " * self.current_indent
        for each, help in rows:
            above = [] if width(each) + col_spacing <= first else [indent + each]
            lines = wrap(self._said(help), max(self.width - first - col_spacing, 10)) or [""]
            beside = ["" if above else each, *[""] * (len(lines) - 1)]
            told = [
                indent + left + " " * (first - width(left)) + right
                for left, right in zip(beside, lines, strict=True)
            ]
            self.write("".join(f"{line.rstrip()}\n" for line in (*above, *told)))

    def _said(self, help: str) -> str:
        """What the help says, and then in brackets what holds by default or may be typed."""
        sentence, bracket, rest = help.partition("  [")
        said = self._language.translate(" ".join(sentence.split()))
        usual, default, value = rest.partition("default: ")
        if default and not usual:
            return f"{said}  [{self._language.translate('default: {text}', text=value)}"
        return said + bracket + rest


class SpeakingContext(click.Context):
    """The context of a command whose help is in the language of whoever reads it."""

    def make_formatter(self) -> click.HelpFormatter:
        """What lays the help out."""
        language = output.reader(sys.stdout)
        if language.code == ENGLISH:
            return super().make_formatter()
        return HelpPage(language, width=self.terminal_width, max_width=self.max_content_width)


def _print_help(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        output.echo(ctx.get_help())
        ctx.exit()


HELP = click.Option(  # Click's own looks for its words in the locale's language, at every start
    ["-h", "--help"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_help,
    help="Show this message and exit.",
)


class Command(click.Command):
    """A command whose help is in the language of whoever reads it, and that loses nothing that was typed."""

    context_class = SpeakingContext

    def make_parser(self, ctx: click.Context) -> Any:
        """What takes the command line apart; Click's own lets the later of two values win, without a word."""
        parser: Any = super().make_parser(ctx)
        taken_apart = parser.parse_args

        def parse_args(args: list[str]) -> tuple[dict[str, Any], list[str], list[click.Parameter]]:
            values, rest, typed = taken_apart(args=args)
            if not ctx.resilient_parsing:
                _refuse_repeated(typed)
            return values, rest, typed

        parser.parse_args = parse_args
        return parser

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option for help."""
        return HELP


def _refuse_repeated(typed: Sequence[click.Parameter]) -> None:
    """Refuse an option that is typed again though it takes one value; a mere switch says the same again.

    Raises:
        BadUsage: there is such an option, and which.
    """
    for each, times in Counter(typed).items():
        if times == 1 or not isinstance(each, click.Option) or each.multiple:
            continue
        if not each.is_flag or each.secondary_opts:
            raise repeated(each, times)


def repeated(option: click.Parameter, times: int) -> BadUsage:
    """That an option is typed so many times, and takes one value."""
    flags = Verbatim("/".join((option.opts[-1], *option.secondary_opts)))
    return BadUsage("{option} is typed {count} times, and takes one value.", option=flags, count=times)


class CommandGroup(Command, click.Group):
    """A command with commands below it, such as that."""

    command_class = Command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands, each with the first paragraph of its help."""
        if not isinstance(formatter, HelpPage):
            super().format_commands(ctx, formatter)
            return
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, _brief(each)) for name, each in commands if each])


def _brief(command: click.Command) -> str:
    """The first paragraph of a command's help, in English."""
    return (command.help or "").partition("\n\n")[0]


class SaidOption(click.Option):
    """An option whose help has values in it; `says` is that help."""

    def __init__(self, flags: Sequence[str], *, says: Message, **kwargs: Any) -> None:
        super().__init__(flags, help=str(says), **kwargs)
        self.says = says

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What is typed, and the help."""
        self.help = output.reader(sys.stdout).render(self.says)
        return super().get_help_record(ctx)


# ── What is wrong with a command line ──

FAULTS = (  # as Click has them; `fault` may be one of these too
    "No such command {name}.",
    "Option {name} requires an argument.",
    "Option {name} requires {count} arguments.",
    "Option {name} does not take a value.",
    "Got unexpected extra argument ({args})",
    "Got unexpected extra arguments ({args})",
    "{value} is not a valid integer range.",
    "{value} is not a valid integer.",
    "{value} is not in the range {range}.",
    "{value} is not one of {choices}.",
    "{value}: {why}",
)


def heard(problem: click.UsageError) -> Message:
    """What Click has to say of a command line, as a phrase of the program's."""
    if isinstance(problem, click.NoSuchOption):
        name, hits = quote(problem.option_name), problem.possibilities
        if hits:
            return message(
                "No such option {name}; did you mean {hits}?", name=name, hits=join_with_or(as_verbatim(hits))
            )
        return message("No such option {name}.", name=name)
    if isinstance(problem, click.BadParameter) and problem.param:
        about = Verbatim(problem.param.get_error_hint(problem.ctx) if problem.ctx else problem.param.name)
        if isinstance(problem, click.MissingParameter):
            return message("Missing: {name}.", name=about)
        return message("Invalid value for {name}: {fault}", name=about, fault=_fault(problem.message))
    return _fault(problem.format_message())


def _fault(text: str) -> Message:
    """The phrase that a text of Click's is made of, with what is put into it."""
    for phrase in FAULTS:
        blanks = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(phrase))
        if found := re.fullmatch(blanks, text, re.DOTALL):
            return message(phrase, **dict(_values(found.groupdict())))
    return Message(text)


def _values(found: dict[str, str]) -> Iterator[tuple[str, Value]]:
    """What stands in the blanks; a reason is a phrase, and anything else was typed or is to be."""
    for name, value in found.items():
        yield name, value if name == "why" else Verbatim(value)
