"""Options that are typed twice: both count, or it is refused. Nothing is lost in silence."""

import pytest
from click import Option

from tests.support import HERE, every_command, run

OPTIONS = [
    (name, option)
    for name, command, ctx in every_command()
    for option in command.get_params(ctx)
    if isinstance(option, Option)
]
EMPTY = str(HERE / "cli" / "__init__.py")
LOOKED_AT = {"--profile": "", "--config-file": EMPTY}  # before all others, so that these have to be right


def named(value: object) -> str:
    return value.opts[-1] if isinstance(value, Option) else str(value)


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=named)
def test_every_option_of_every_command(name: str, option: Option) -> None:
    """A text, a number or a file: it is not looked at yet. A mere switch says the same twice."""
    if option.multiple or (option.is_flag and not option.secondary_opts):
        return
    again = option.secondary_opts or option.opts
    values = [] if option.is_flag else [LOOKED_AT.get(option.opts[-1], "1")]
    result = run(*name.split(), option.opts[0], *values, again[-1], *values)
    assert result.exit_code == 2, result.output
    assert option.opts[-1] in result.stderr
    assert "is typed 2 times, and takes one value." in result.stderr
    assert result.stdout == ""


def test_those_that_repeat() -> None:
    """Several types, as several words: all of them."""
    both = run(
        "cards", "--type", "duration", "--type", "attack", "--does", "draw", "--does", "cursing"
    ).stdout
    assert both == run("cards", "--type", "duration,attack", "--does", "draw,cursing").stdout
    assert "Sea Witch" in both and "Warlord" not in both
    assert run("--about", "--about", "--seed", "1", "--format", "line").exit_code == 0


def test_before_and_after_the_command() -> None:
    """The same is said twice, or one of them would be lost."""
    assert "堀" in run("--lang", "ja", "cards", "--lang", "ja", "moat").stdout
    result = run("--lang", "ja", "cards", "--lang", "en", "moat")
    assert result.exit_code == 2
    assert result.stderr == "Error: --lang is typed 2 times, and takes one value.\n"
