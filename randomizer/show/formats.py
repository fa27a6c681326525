"""The output formats of setups. A new format is a module of this package and a line in `FORMATS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from randomizer.text.encoding import escape_non_ascii_html, escape_non_ascii_json
from randomizer.text.json import dumps
from randomizer.text.language import Value, Verbatim, message

if TYPE_CHECKING:
    from randomizer.record.dealing import DealtTable
    from randomizer.setup.document import Setup
    from randomizer.text.screen import Style


class SetupSource:
    """A setup, for formats that print the document itself in no language.

    Args:
        setup: the document, or a dealt table.
    """

    def __init__(self, setup: Setup | DealtTable) -> None:
        self.of = setup

    @cached_property
    def document(self) -> Setup:
        """The document."""
        return self.of if isinstance(self.of, dict) else self.of.document

    @cached_property
    def json(self) -> str:
        """The document as JSON that people can read too; it is printed and saved in this form."""
        return dumps(self.document)


class Format(NamedTuple):
    """An output format.

    Attributes:
        module: the module that renders it.
        help: a template for `--help` with the format's {name}, where the name does not explain itself.
        each: the name of the format that prints one of many setups as a line; empty if there is none.
        function: the function of the module that renders a page in a style as text.
        bytes_function: the function that renders the same text in UTF-8, if that is faster.
        escape: replaces all non-ASCII characters of the text by escapes, if the format has such escapes.
        rules: whether it includes the rules that matter on the table.
        bare: whether it prints the document itself, in no language.
    """

    module: str
    help: str = ""
    each: str = ""
    function: str = "render"
    bytes_function: str = ""
    escape: Callable[[str], str] | None = None
    rules: bool = False
    bare: bool = False

    def describe(self, name: str) -> Value:
        """Return the description of the format of this name in `--help`."""
        return message(self.help, name=Verbatim(name)) if self.help else Verbatim(name)

    @property
    def render(self) -> Callable[[SetupSource, Style], str]:
        """The function that renders a page, or any setup if the format is `bare`, as text."""
        render: Callable[[SetupSource, Style], str] = getattr(import_module(self.module), self.function)
        return render

    @property
    def render_for_output(self) -> Callable[[SetupSource, Style], str | bytes]:
        """The function that renders the same text, in UTF-8 if that is faster."""
        return (
            getattr(import_module(self.module), self.bytes_function) if self.bytes_function else self.render
        )


FORMATS: Mapping[str, Format] = {
    "text": Format("randomizer.show.text", "{name} (the checklist)", each="line"),
    "line": Format("randomizer.show.line", "{name} (short)", each="line"),
    "names": Format("randomizer.show.names", each="names"),
    "online": Format("randomizer.show.online", each="online"),
    "html": Format("randomizer.show.html", "{name} (a page)", escape=escape_non_ascii_html, rules=True),
    "markdown": Format("randomizer.show.markdown"),
    "json": Format("randomizer.show.json", each="ndjson", escape=escape_non_ascii_json, bare=True),
    "ndjson": Format(
        "randomizer.show.json",
        each="ndjson",
        function="render_line",
        bytes_function="render_line_as_bytes",
        escape=escape_non_ascii_json,
        bare=True,
    ),
}
