"""Separate folders for each test: configuration, last table and history."""

from pathlib import Path

import pytest

from tests.support import FOLDERS


@pytest.fixture(autouse=True)
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder that contains them. All tests share the cache."""
    for folder in FOLDERS[1:]:
        monkeypatch.setenv(folder, str(tmp_path / folder))
    return tmp_path
