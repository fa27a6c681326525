"""Separate folders for each test: configuration, last table and history."""

from pathlib import Path

import pytest

from tests.support import XDG_VARIABLES


@pytest.fixture(autouse=True)
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder that contains them. All tests share the cache."""
    for folder in XDG_VARIABLES[1:]:
        monkeypatch.setenv(folder, str(tmp_path / folder))
    return tmp_path
