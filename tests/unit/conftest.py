"""What several files of tests draw."""

import pytest

from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.library import generate
from tests.lands import RUGGED


@pytest.fixture(scope="session")
def eroded() -> HeightField:
    """A land of 128² with the masks of its erosion."""
    return generate(scenes.load(RUGGED).replace({"grid.rows": 128, "grid.columns": 128}), "cpu")
