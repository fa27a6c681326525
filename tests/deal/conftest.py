"""A table of the tea party in one call."""

from pathlib import Path

import pytest

from tests.support import tea


@pytest.fixture
def party(tmp_path: Path) -> tea.Party:
    """Lays a table on which Cake asks for something; the deal begins with Cake, Soup, Pie."""
    return tea.party(tmp_path)
