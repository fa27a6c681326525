"""The public face: its examples run, all of it is documented, and it costs nothing until it is used."""

import doctest
import re
import subprocess
import sys

import pytest

import randomizer
from tests.support import HERE


def test_its_examples_run() -> None:
    failed, tried = doctest.testmod(randomizer)
    assert tried >= 10 and failed == 0


@pytest.mark.parametrize("name", sorted(set(randomizer.__all__) - {"__version__"}))
def test_all_of_it_is_documented(name: str) -> None:
    """With what it takes and what may go wrong, where it takes or does anything."""
    thing = getattr(randomizer, name)
    said = thing.__doc__ or ""
    assert said
    if not isinstance(thing, type):
        assert "Args:" in said or len(thing.__annotations__) <= 2
        assert "Raises:" in said


def test_errors_hold_their_facts() -> None:
    game = randomizer.load_game()
    with pytest.raises(randomizer.UnknownName) as unknown:
        randomizer.deal_setup(game, sets=["advntures"])
    assert (unknown.value.what, unknown.value.name, unknown.value.suggestions) == (
        "set",
        "advntures",
        ("adventures",),
    )
    with pytest.raises(randomizer.TooFewCards) as few:
        randomizer.deal_setup(game, sets=["envoy"])
    assert (few.value.found, few.value.wanted, few.value.sort) == (1, 10, "Kingdom cards")
    with pytest.raises(randomizer.BadOptions):
        randomizer.deal_setup(game, players=9)


def test_a_second_deal() -> None:
    game = randomizer.load_game()
    first = randomizer.deal_setup(game, sets=["rising-sun"], seed="12")
    second = randomizer.deal_again(game, first)
    assert second["second_deal"]["leaves"]
    assert randomizer.read_setup(randomizer.render(second, "json")) == second


def test_importing_it_loads_nothing() -> None:
    """A command pays for what it uses."""
    code = "import sys, randomizer; print(*sorted(m for m in sys.modules if m.startswith('randomizer')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=HERE.parent)
    assert done.stdout.split() == ["randomizer"]


def test_the_example_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (HERE.parent / "docs" / "python.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    exec(compile(example, "python.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "礼拝堂" in printed and "Tavern mat" in printed
