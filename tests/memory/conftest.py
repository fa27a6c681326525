"""Folders of a test's own, for the last table and the history."""

from pathlib import Path

import pytest

from tests.support import FOLDERS


@pytest.fixture(autouse=True)
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where they are; the cache is everybody's."""
    for folder in FOLDERS[1:]:
        monkeypatch.setenv(folder, str(tmp_path / folder))
    return tmp_path
