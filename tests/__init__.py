"""The tests; see CONTRIBUTING.md."""

import pytest

pytest.register_assert_rewrite("tests.support.laws")
