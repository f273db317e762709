"""A panel, and a person before it."""

from __future__ import annotations

import pytest

from tests.ui.person import Person


@pytest.fixture
def person():
    one = Person()
    yield one
    one.host.close()
