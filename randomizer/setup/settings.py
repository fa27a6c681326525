"""Validation of settings, which are the values of options that a game defines."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from randomizer.cards.game import Game
from randomizer.cards.model import MAX_NUMBER
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import JoinedList, Value, Verbatim, as_verbatim, join_with_or, message, quote

_LANDSCAPE_SOURCES = (
    "randomizers",
    "deck",
)  # the same as in `browse.deal_options`, which is in a higher layer


class SettingType(NamedTuple):
    """The type of a setting: a choice, an integer or, if both attributes are empty, a boolean.

    Attributes:
        choices: the valid strings; empty if the setting is not a choice.
        valid_numbers: the valid integers; empty if the setting is not an integer.
    """

    choices: tuple[str, ...] = ()
    valid_numbers: range = range(0)

    def accepts(self, value: object) -> bool:
        """Return whether a value is valid for this type."""
        if self.choices:
            return isinstance(value, str) and value in self.choices
        if self.valid_numbers:
            return type(value) is int and value in self.valid_numbers
        return isinstance(value, bool)

    def describe(self) -> Value:
        """Return a description of the valid values."""
        if self.choices:
            return join_with_or(as_verbatim(self.choices))
        if self.valid_numbers:
            return message(
                "a number from {least} to {most}", least=self.valid_numbers[0], most=self.valid_numbers[-1]
            )
        return message("True or False")


def list_setting_types(game: Game) -> Iterator[tuple[str, SettingType]]:
    """Yield the name and type of each setting of a game."""
    yield "landscapes_from", SettingType(choices=_LANDSCAPE_SOURCES)
    for option in game.options:
        if option.cards:
            yield option.name, SettingType()
            yield f"{option.name}_by", SettingType(choices=option.cards)
        else:
            yield option.name, SettingType(valid_numbers=range(option.least, MAX_NUMBER + 1))


def check_settings(game: Game, settings: Mapping[str, object], other_names: tuple[str, ...] = ()) -> None:
    """Check the names and types of settings.

    Args:
        game: the game.
        settings: the values by name; None means the default.
        other_names: the names of other arguments. They are suggested, too, if a name is misspelt.

    Raises:
        UnknownName: the game has no such setting.
        BadOptions: a value has the wrong type or is out of range.
    """
    types = dict(list_setting_types(game))
    for name, value in settings.items():
        if name not in types:
            known = sorted((*types, *other_names))
            choices_hint = message("choose from {names}", names=JoinedList(as_verbatim(known)))
            raise UnknownName("option", name, as_verbatim(find_suggestions(name, known)), choices_hint)
        if value is not None and not types[name].accepts(value):
            raise build_type_error(name, types[name].describe(), value)


def build_type_error(name: str, wanted: Value, value: object) -> BadOptions:
    """Create the error for an argument of the wrong type.

    Args:
        name: the name of the argument.
        wanted: a description of the valid values.
        value: the invalid value, which is abbreviated in the message.
    """
    from reprlib import repr as short_repr  # Needed only after an error.

    given = quote(value) if isinstance(value, str) else Verbatim(short_repr(value))
    return BadOptions(
        "{name} must be {wanted}, not {given}.", name=Verbatim(name), wanted=wanted, given=given
    )
