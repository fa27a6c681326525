"""Repeated options: either all values are used, or the command line is refused."""

import pytest
from click import Option

from tests.support import TESTS_DIR, iter_commands, run

OPTIONS = [
    (name, option)
    for name, command, ctx in iter_commands()
    for option in command.get_params(ctx)
    if isinstance(option, Option)
]
EMPTY = str(TESTS_DIR / "cli" / "__init__.py")
VALID_VALUES = {"--profile": "", "--config-file": EMPTY}  # These are checked before repetitions.


def get_id(value: object) -> str:
    return value.opts[-1] if isinstance(value, Option) else str(value)


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=get_id)
def test_repeated_option_with_one_value_is_refused(name: str, option: Option) -> None:
    """Values are not checked yet. Plain switches may be repeated."""
    if option.multiple or (option.is_flag and not option.secondary_opts):
        return
    again = option.secondary_opts or option.opts
    values = [] if option.is_flag else [VALID_VALUES.get(option.opts[-1], "1")]
    result = run(*name.split(), option.opts[0], *values, again[-1], *values)
    assert result.exit_code == 2, result.output
    assert option.opts[-1] in result.stderr
    assert "was given 2 times, but takes only one value." in result.stderr
    assert result.stdout == ""


def test_values_of_repeatable_options_are_combined() -> None:
    """Repeated options of `cards` are combined; a repeated switch changes nothing."""
    both = run(
        "cards", "--type", "duration", "--type", "attack", "--does", "draw", "--does", "cursing"
    ).stdout
    assert both == run("cards", "--type", "duration,attack", "--does", "draw,cursing").stdout
    assert "Sea Witch" in both and "Warlord" not in both
    assert run("--about", "--about", "--seed", "1", "--format", "line").exit_code == 0


def test_option_before_and_after_the_command_needs_one_value() -> None:
    """Equal values are accepted, different ones refused."""
    assert "堀" in run("--lang", "ja", "cards", "--lang", "ja", "moat").stdout
    result = run("--lang", "ja", "cards", "--lang", "en", "moat")
    assert result.exit_code == 2
    assert result.stderr == "Error: --lang was given 2 times, but takes only one value.\n"
