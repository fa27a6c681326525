"""Error messages quote nothing from a file that is not of the expected format."""

from pathlib import Path

import pytest

from tests.support import run

SECRET = "hunter2"
CONTENTS = {
    "text": f"{SECRET}:x:0:0:{SECRET}:/home\n{SECRET} and more\n",
    "settings": f"{SECRET}={SECRET}\n",
    "mapping": f"{SECRET}: {SECRET}\n",
    "faulty mapping": f"{SECRET}: 1\n{SECRET}: 2\n",
    "tagged": f"key: !{SECRET} value\n",
    "JSON": f'{{"{SECRET}": "{SECRET}"}}',
    "JSON with a schema": f'{{"schema": "{SECRET}", "{SECRET}": 1}}',
    "CSV": f"{SECRET},{SECRET}\n{SECRET},{SECRET}\n",
    "TOML": f'[{SECRET}]\n{SECRET} = "{SECRET}\n',
}


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize(
    "arguments",
    [
        ["--cards"],
        ["sets", "--cards"],
        ["--kingdom"],
        ["--config-file"],
        ["show"],
        ["swap", "moat", "--for"],
        ["rules", "reserve", "--for"],
        ["played"],
        ["divine-wind"],
        ["history", "import"],
    ],
    ids=" ".join,
)
def test_nothing_of_a_file_of_another_format_is_quoted(
    tmp_path: Path, arguments: list[str], kind: str
) -> None:
    file = tmp_path / "file.txt"
    file.write_text(CONTENTS[kind], encoding="utf-8")
    result = run(*arguments, str(file))
    assert SECRET not in result.stderr + result.stdout


def test_fault_in_a_list_of_cards_is_quoted(tmp_path: Path) -> None:
    file = tmp_path / "kingdom.txt"
    file.write_text("Moat\nWitch\nVilage\n", encoding="utf-8")
    assert "line 3: unknown card 'Vilage'" in run("--kingdom", str(file)).stderr


def test_file_that_is_no_list_of_cards_is_named(tmp_path: Path) -> None:
    file = tmp_path / "diary.txt"
    file.write_text("Dear diary\ntoday I\n", encoding="utf-8")
    result = run("--kingdom", str(file))
    assert (result.exit_code, result.stderr) == (2, f"Error: {file} is not a list of cards.\n")
