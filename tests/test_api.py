"""The public Python API: its examples run, everything is documented, and importing it is cheap."""

import doctest
import re
import subprocess
import sys

import pytest

import randomizer
from tests.support import TESTS_DIR


def test_doctests_pass() -> None:
    failed, tried = doctest.testmod(randomizer)
    assert tried >= 10 and failed == 0


@pytest.mark.parametrize("name", sorted(set(randomizer.__all__) - {"__version__"}))
def test_every_public_name_is_documented(name: str) -> None:
    """Functions also document their arguments and exceptions."""
    value = getattr(randomizer, name)
    docstring = value.__doc__ or ""
    assert docstring
    if not isinstance(value, type):
        assert "Args:" in docstring or len(value.__annotations__) <= 2
        assert "Raises:" in docstring


def test_exceptions_have_their_facts_as_attributes() -> None:
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


def test_deal_again_replaces_the_kingdom() -> None:
    game = randomizer.load_game()
    first = randomizer.deal_setup(game, sets=["rising-sun"], seed="12")
    second = randomizer.deal_again(game, first)
    assert second["second_deal"]["leaves"]
    assert randomizer.read_setup(randomizer.render(second, "json")) == second


def test_importing_the_package_imports_no_module() -> None:
    """So each command only pays for the modules that it uses."""
    code = "import sys, randomizer; print(*sorted(m for m in sys.modules if m.startswith('randomizer')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TESTS_DIR.parent)
    assert done.stdout.split() == ["randomizer"]


def test_example_in_the_documentation_runs(capsys: pytest.CaptureFixture[str]) -> None:
    text = (TESTS_DIR.parent / "docs" / "python.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    exec(compile(example, "python.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "礼拝堂" in printed and "Tavern mat" in printed
