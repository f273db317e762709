"""A session over a scripted computer, and what its parts tell."""

import pytest

from fellview.session import store
from fellview.session.session import Session
from tests.session.scripted import SMALL, Clock, ScriptedCompute, finish


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def told():
    """What a person is told."""
    return []


@pytest.fixture
def woken():
    """One entry a time that the window is woken."""
    return []


@pytest.fixture
def session(tmp_path, clock, woken, monkeypatch):
    monkeypatch.setattr(store, "_lands", lambda: tmp_path / "lands")  # none that other tests have kept
    session = Session(lambda: woken.append(True), tmp_path / "state", [ScriptedCompute] * 2, clock)
    session.start(SMALL)
    finish(session)
    return session
