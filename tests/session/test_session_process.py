"""The session over the real compute process."""

import os
import signal
import threading
import time

import numpy as np
import pytest

from fellview.session.session import Session
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline
from tests.session.scripted import SMALL, compute, seed

COMPUTES_WITHIN_S = 120  # may compile every kernel


@pytest.fixture
def real(tmp_path):
    woken = threading.Event()
    session = Session(wake=woken.set, folder=tmp_path / "state")
    session.woken = woken
    session.start(SMALL)
    yield session
    session.close()


def results(session):
    """Take everything in until the session is settled; return the results that came, in order."""
    seen = []
    end = time.monotonic() + COMPUTES_WITHIN_S
    while not session.settled or session.notices:
        assert time.monotonic() < end and not session.notices
        session.woken.wait(1)
        session.woken.clear()
        if session.poll() and session.result is not None and (not seen or session.result is not seen[-1]):
            seen.append(session.result)
    return seen


def test_a_burst_ends_with_the_last_values_and_never_goes_back(real):
    results(real)
    order = [real.result]
    for number in range(60):
        real.set(real.scene.replace({"noise.amplitude": 10.0 + number, "erosion.kind": "none"}), "Amplitude")
        time.sleep(0.005)
        if real.poll() and real.result is not order[-1]:  # a job that gave way brings none
            order.append(real.result)
    order += results(real)
    heights = [result.field.height_range[1] for result in order[1:]]
    assert heights == sorted(heights)
    wanted = Pipeline(CpuEngine()).run(real.scene.terrain_groups()).field
    assert np.array_equal(real.result.field.heights, wanted.heights)


def test_a_long_job_gives_way(real):
    results(real)
    real.set(real.scene.replace({"grid.rows": 1024, "grid.columns": 1024, "erosion.iterations": 10_000}), "Long")
    while real.advanced is None or real.advanced.step != "erosion":
        real.woken.wait(1)
        real.woken.clear()
        real.poll()
    start = time.monotonic()
    real.undo()
    results(real)
    assert time.monotonic() - start < 5  # the long one takes twenty
    assert real.result.field.heights.shape == (24, 32)


def test_killing_the_process_costs_a_notice_and_a_restart(real):
    results(real)
    number = compute(real).process_id
    os.kill(number, signal.SIGKILL)
    real.woken.clear()
    while not real.notices:
        assert real.woken.wait(5)
        real.woken.clear()
        real.poll()
    assert len(real.notices) == 1
    real.notices.clear()
    seed(real, 8)
    results(real)
    assert compute(real).process_id != number
    wanted = Pipeline(CpuEngine()).run(real.scene.terrain_groups()).field
    assert np.array_equal(real.result.field.heights, wanted.heights)
