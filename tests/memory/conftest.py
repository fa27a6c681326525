"""Separate folders for each test: configuration, last table and history."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from randomizer.memory import defaults
from tests.support import XDG_VARIABLES


@pytest.fixture(autouse=True)
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder that contains them. All tests share the cache."""
    for folder in XDG_VARIABLES[1:]:
        monkeypatch.setenv(folder, str(tmp_path / folder))
    yield tmp_path
    defaults.use_file("")
