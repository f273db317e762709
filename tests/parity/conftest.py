"""OpenGL for the comparisons; without it they are skipped."""

import pytest

from fellview.core.errors import FellviewError
from fellview.gpu import context as contexts
from fellview.gpu.grid_passes import GridPasses


@pytest.fixture(scope="module")
def context():
    try:
        one = contexts.standalone()
    except FellviewError as fault:
        pytest.skip(f"no OpenGL without a display: {fault}")
    yield one
    one.release()


@pytest.fixture(scope="module")
def passes(context):
    one = GridPasses(context)
    yield one
    one.release()
