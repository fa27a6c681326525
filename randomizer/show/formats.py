"""The formats in which a setup can be printed: a new one is a room of this wing and a line in the list."""

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


class Bare:
    """A setup without words, for formats that print the document as it is.

    Args:
        setup: the document, which may come from anywhere; or the table that has been laid.
    """

    def __init__(self, setup: Setup | DealtTable) -> None:
        self.of = setup

    @cached_property
    def document(self) -> Setup:
        """The document as it is, for other programs."""
        return self.of if isinstance(self.of, dict) else self.of.document

    @cached_property
    def json(self) -> str:
        """The document as JSON that people can read too: the same text to print and to keep."""
        return dumps(self.document)


class Format(NamedTuple):
    """A way to print a setup.

    Attributes:
        room: the module that does it.
        help: its {name} and what it is, for `--help`, where its name does not say it.
        each: the format that prints one of many setups in a line; "" if there is none.
        function: the function of it that makes text of a page and a style.
        in_utf8: the function that makes the same in UTF-8, where that is sooner.
        escape: where every character can be written in plain ASCII, does that to a whole text.
        rules: whether the rules that matter on the table are part of it.
        bare: whether it prints the document as it is, in no language.
    """

    room: str
    help: str = ""
    each: str = ""
    function: str = "render"
    in_utf8: str = ""
    escape: Callable[[str], str] | None = None
    rules: bool = False
    bare: bool = False

    def told(self, name: str) -> Value:
        """What `--help` says of the format of that name."""
        return message(self.help, name=Verbatim(name)) if self.help else Verbatim(name)

    @property
    def render(self) -> Callable[[Bare, Style], str]:
        """Makes text of a page; where it is `bare`, of any setup. The room is loaded only now."""
        render: Callable[[Bare, Style], str] = getattr(import_module(self.room), self.function)
        return render

    @property
    def print_(self) -> Callable[[Bare, Style], str | bytes]:
        """Makes what is printed: the same text, or the same in UTF-8 where that is sooner."""
        return getattr(import_module(self.room), self.in_utf8) if self.in_utf8 else self.render


FORMATS: Mapping[str, Format] = {
    "text": Format("randomizer.show.text", "{name} (the checklist)", each="line"),
    "line": Format("randomizer.show.line", "{name} (its gist)", each="line"),
    "names": Format("randomizer.show.names", each="names"),
    "online": Format("randomizer.show.online", each="online"),
    "html": Format("randomizer.show.html", "{name} (a page)", escape=escape_non_ascii_html, rules=True),
    "markdown": Format("randomizer.show.markdown"),
    "json": Format("randomizer.show.json", each="ndjson", escape=escape_non_ascii_json, bare=True),
    "ndjson": Format(
        "randomizer.show.json",
        each="ndjson",
        function="render_line",
        in_utf8="render_line_as_bytes",
        escape=escape_non_ascii_json,
        bare=True,
    ),
}
