"""A session over a scripted computer."""

import pytest

from fellview.session import session as module
from fellview.session.session import Session
from tests.session.scripted import SMALL, Clock, ScriptedCompute, finish


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def session(tmp_path, clock):
    woken = []
    session = Session(lambda: woken.append(True), tmp_path / "state", computers=[ScriptedCompute] * 2)
    session.woken = woken
    session.start(SMALL)
    finish(session)
    return session
