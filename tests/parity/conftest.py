"""What runs the twins; skipped without OpenGL."""

import pytest

from fellview.gpu.passes import GridPasses


@pytest.fixture(scope="module")
def passes(context):
    one = GridPasses(context)
    yield one
    one.release()
