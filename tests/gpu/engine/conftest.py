"""GPU engines with a context each, with the twins of all steps or with others."""

import gc

import pytest

from fellview.core.errors import FellviewError
from fellview.gpu import context as contexts
from fellview.gpu.engine import GpuEngine
from tests.gpu.engine.lands import with_twins
from tests.gpu.engine.routed import Clock


@pytest.fixture
def context():
    try:
        one = contexts.standalone()
    except FellviewError as fault:
        pytest.skip(f"no OpenGL without a display: {fault}")
    yield one
    one.release()


@pytest.fixture
def engine(context):
    one = GpuEngine(context)
    yield one
    one.release()


@pytest.fixture
def own_garbage():
    """Spare collections what other tests have left, which takes most of a second each time."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def engine_with(context):
    """What makes engines with other twins of some steps."""
    made = []

    def make(**twins):
        made.append(GpuEngine(context, with_twins(**twins)))
        return made[-1]

    yield make
    for one in made:
        one.release()


@pytest.fixture
def clock():
    return Clock()
