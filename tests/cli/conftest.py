"""Commands as tests run them."""

import sys
from types import SimpleNamespace

import pytest

from fellview import cli


@pytest.fixture
def run(capsys):
    """Return a function that runs one command in this process: exit status, standard output, standard error."""

    def run(*words):
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as end:
            status = end.code or 0
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def waiting():
    """Whether each compute process was to wait until there is something to compute."""
    return []


@pytest.fixture
def viewer(monkeypatch, waiting):
    """Take the viewer's place and return the list of what it is started with.

    Scene, size, folder, whether safe, and the size of the window that is on the screen before; none where none is.
    """
    started = []

    def child(waits):
        waiting.append(waits)
        return SimpleNamespace(close=lambda: None)

    stand_in = SimpleNamespace(
        run=lambda scene, size, out, engine, safe, opened, deck, child, first: started.append(
            (scene, size, out, safe, first)
        )
    )
    monkeypatch.setitem(sys.modules, "fellview.desktop.viewer", stand_in)
    opens_first = SimpleNamespace(open_with_last_picture=lambda size, child=None: size)
    monkeypatch.setitem(sys.modules, "fellview.desktop.first_frame", opens_first)
    monkeypatch.setattr("fellview.compute.child.Child", child)
    return started
