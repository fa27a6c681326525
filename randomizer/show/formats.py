"""The output formats of setups.

To add a format, add a module to this package and a line to `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from randomizer.text.encoding import escape_non_ascii_html, escape_non_ascii_json
from randomizer.text.language import Value, Verbatim, message

if TYPE_CHECKING:
    from randomizer.record.dealing import DealtTable
    from randomizer.setup.document import Setup
    from randomizer.text.screen import Style


class SetupSource:
    """A setup as input for formats that print the document itself, without translating it.

    Args:
        setup: the setup document, or a dealt table from which the document is built when it is needed.
    """

    def __init__(self, setup: Setup | DealtTable) -> None:
        self.source = setup

    @cached_property
    def document(self) -> Setup:
        """The setup document."""
        return self.source if isinstance(self.source, dict) else self.source.document

    @cached_property
    def json(self) -> str:
        """The document as indented JSON, which is the form in which it is printed and saved."""
        from randomizer.text.json import dumps  # Commands that print no setup need no JSON.

        return dumps(self.document)


class Format(NamedTuple):
    """An output format.

    Attributes:
        module_name: the name of the module that renders the format.
        help: a template for `--help` with the placeholder {name}; empty if the name of the format explains
            itself.
        series_format: the name of the format to use instead when many setups are printed; empty for the
            format itself.
        series_gap: the text between two setups when many are printed.
        function_name: the name of the function in the module that renders a setup as text.
        document_function_name: the name of the function in the module that renders many setups as a single
            document; empty if they are printed one after another.
        escape_non_ascii: replaces non-ASCII characters with escape sequences; None if the format has no
            escape sequences.
        has_rules: whether the output includes the rules that apply to the table.
        is_untranslated: whether the format prints the document itself, without translating it.
    """

    module_name: str
    help: str = ""
    series_format: str = ""
    series_gap: str = "\n"
    function_name: str = "render"
    document_function_name: str = ""
    escape_non_ascii: Callable[[str], str] | None = None
    has_rules: bool = False
    is_untranslated: bool = False

    def describe(self, name: str) -> Value:
        """Return the description of this format for `--help`.

        Args:
            name: the key of the format in `FORMATS`.
        """
        return message(self.help, name=Verbatim(name)) if self.help else Verbatim(name)

    @property
    def render(self) -> Callable[[SetupSource, Style], str]:
        """The function that renders a setup as text.

        The setup must be a `Page` unless the format is untranslated.
        """
        render: Callable[[SetupSource, Style], str] = getattr(
            import_module(self.module_name), self.function_name
        )
        return render

    @property
    def render_document(self) -> Callable[[Sequence[Any], Style], str] | None:
        """The function that renders many setups as a single document; None if the format has none.

        The setups must be pages, `Page`.
        """
        if not self.document_function_name:
            return None
        render: Callable[[Sequence[Any], Style], str] = getattr(
            import_module(self.module_name), self.document_function_name
        )
        return render

    def join(self, texts: Iterable[str]) -> str:
        """Join the texts of many setups that are printed one after another."""
        return self.series_gap.join(texts)


FORMATS: Mapping[str, Format] = {
    "text": Format("randomizer.show.text", "{name} (the checklist)", series_gap="\n\n\n"),
    "line": Format("randomizer.show.line", "{name} (short)"),
    "names": Format("randomizer.show.names"),
    "online": Format("randomizer.show.online"),
    "kingdomcreator": Format("randomizer.show.kingdomcreator"),
    "html": Format(
        "randomizer.show.html",
        "{name} (a page)",
        document_function_name="render_tables",
        escape_non_ascii=escape_non_ascii_html,
        has_rules=True,
    ),
    "markdown": Format("randomizer.show.markdown", document_function_name="render_tables"),
    "json": Format(
        "randomizer.show.json",
        series_format="ndjson",
        escape_non_ascii=escape_non_ascii_json,
        is_untranslated=True,
    ),
    "ndjson": Format(
        "randomizer.show.json",
        function_name="render_line",
        escape_non_ascii=escape_non_ascii_json,
        is_untranslated=True,
    ),
}
