"""The output formats of setups.

To add a format, add a module to this package and a line to `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from randomizer.text.encoding import escape_non_ascii_html, escape_non_ascii_json
from randomizer.text.language import Value, Verbatim, message

if TYPE_CHECKING:
    from randomizer.record.dealing import DealtTable
    from randomizer.setup.document import Setup
    from randomizer.text.screen import Style


class SetupSource:
    """A setup for formats that print the document itself, without translating it.

    Args:
        setup: the setup document, or a dealt table from which the document is built when it is needed.
    """

    def __init__(self, setup: Setup | DealtTable) -> None:
        self.of = setup

    @cached_property
    def document(self) -> Setup:
        """The setup document."""
        return self.of if isinstance(self.of, dict) else self.of.document

    @cached_property
    def json(self) -> str:
        """The document as indented JSON, which is the form in which it is printed and saved."""
        from randomizer.text.json import dumps  # Commands that print no setup need no JSON.

        return dumps(self.document)


class Format(NamedTuple):
    """An output format.

    Attributes:
        module: the name of the module that renders the format.
        help: a template for `--help` with the placeholder {name}; empty if the name of the format explains
            itself.
        each: the name of the format to use when many setups are printed, one per line; empty if there is
            none.
        function: the name of the function in the module that renders a setup as text.
        escape: replaces non-ASCII characters with escape sequences; None if the format has no escape
            sequences.
        rules: whether the format includes the rules that apply to the table.
        bare: whether the format prints the document itself, without translating it.
    """

    module: str
    help: str = ""
    each: str = ""
    function: str = "render"
    escape: Callable[[str], str] | None = None
    rules: bool = False
    bare: bool = False

    def describe(self, name: str) -> Value:
        """Return the description of this format for `--help`.

        Args:
            name: the key of the format in `FORMATS`.
        """
        return message(self.help, name=Verbatim(name)) if self.help else Verbatim(name)

    @property
    def render(self) -> Callable[[SetupSource, Style], str]:
        """The function that renders a setup as text.

        The setup must be a `Page` unless the format is `bare`.
        """
        render: Callable[[SetupSource, Style], str] = getattr(import_module(self.module), self.function)
        return render


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
        escape=escape_non_ascii_json,
        bare=True,
    ),
}
