"""A session over a scripted computer."""

import pytest

from fellview.session.session import Session
from tests.session.scripted import SMALL, Clock, ScriptedCompute, finish


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def session(tmp_path, clock):
    woken = []
    session = Session(lambda: woken.append(True), tmp_path / "state", [ScriptedCompute] * 2, clock)
    session.woken = woken
    session.start(SMALL)
    finish(session)
    return session
