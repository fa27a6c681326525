"""Fixtures of the tests of the deal."""

from pathlib import Path

import pytest

from tests.support import tea


@pytest.fixture
def deal_tea(tmp_path: Path) -> tea.DealTea:
    """Return a function that makes a tea game and deals a table of it; see `make_tea_game`."""
    return tea.make_tea_dealer(tmp_path)
