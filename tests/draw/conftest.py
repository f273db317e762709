"""What the tests of drawing share."""

from __future__ import annotations

import pytest

from fellview.draw.land import surroundings_ring
from tests.coarse_ground import AS_DRAWN


@pytest.fixture
def as_fine_as_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have ground around lands as fine as it is in pictures, where all others of a file have it `half_as_fine`."""
    monkeypatch.setattr(surroundings_ring, "RINGS", AS_DRAWN)
