"""Validation of settings, which are the values of options that a game defines."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeVar

from randomizer.cards.game import Game
from randomizer.cards.share import parse_share
from randomizer.text.errors import BadOptions, UnknownName, find_suggestions
from randomizer.text.language import JoinedList, Value, Verbatim, as_verbatim, join_with_or, message, quote

_T = TypeVar("_T")
_LANDSCAPE_SOURCES = (
    "randomizers",
    "deck",
)  # the same as in `browse.deal_options`, which is in a higher layer


class SettingType(NamedTuple):
    """The type of a setting: a choice, an integer or, if the attributes are empty, a boolean.

    Attributes:
        choices: the valid strings; empty if the setting is not a choice.
        valid_numbers: the valid integers; empty if the setting is not an integer.
        allows_share: whether a share such as `1/3` is valid, too.
    """

    choices: tuple[str, ...] = ()
    valid_numbers: range = range(0)
    allows_share: bool = False

    def accepts(self, value: object) -> bool:
        """Return whether a value is valid for this type."""
        if self.choices:
            is_share = self.allows_share and parse_share(value) is not None
            return isinstance(value, str) and (is_share or value in self.choices)
        if self.valid_numbers:
            return type(value) is int and value in self.valid_numbers
        return isinstance(value, bool)

    def describe(self) -> Value:
        """Return a description of the valid values."""
        if self.choices:
            choices: list[Value] = [*as_verbatim(self.choices)]
            if self.allows_share:
                choices.append(message("a share of the games such as {share}", share="1/3"))
            return join_with_or(choices)
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
            yield f"{option.name}_by", SettingType(choices=option.cards, allows_share=True)
        else:
            yield option.name, SettingType(valid_numbers=range(option.least, option.most + 1))


def move_shares(game: Game, settings: Mapping[str, _T]) -> dict[str, _T]:
    """Return settings in which a share such as `colony="1/3"` decides the question: `colony_by="1/3"`."""
    moved = dict(settings)
    for option in game.options:
        if option.cards and parse_share(settings.get(option.name)):
            moved[f"{option.name}_by"] = moved.pop(option.name)
    return moved


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
