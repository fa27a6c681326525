"""A table of the tea party in one call."""

from pathlib import Path

import pytest

from tests.support import tea


@pytest.fixture
def deal_tea(tmp_path: Path) -> tea.DealTea:
    """Lays a table on which Cake asks for something; the deal begins with Cake, Soup, Pie."""
    return tea.make_tea_dealer(tmp_path)
