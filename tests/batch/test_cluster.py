"""A Dask cluster of this machine gives what this process gives, pictures too, though a worker is killed half way."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from fellview import variants
from fellview.batch import batch as batches
from fellview.cli import main
from fellview.core.errors import FellviewError
from fellview.io import scenes
from fellview.variants import measure

pytestmark = pytest.mark.slow

_WITHIN_S = 60
SHOTS = """
shots = 1
scene = "directx-demo"
size = "64x36"
samples = 2
[[variants]]
noise.seed = 1
grid.rows = 48
grid.columns = 48
[[variants]]
noise.seed = 2
grid.rows = 48
grid.columns = 48
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def cluster(tmp_path):
    """Give a scheduler's address and two workers, each a process that can be killed."""
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    port = address.rpartition(":")[2]
    dask = [sys.executable, "-m", "distributed.cli"]
    scheduler = [*dask[:2], "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"]
    worker = [*dask[:2], "distributed.cli.dask_worker", address, "--host", "127.0.0.1", "--nthreads", "1"]
    worker += ["--no-nanny", "--no-dashboard", "--local-directory", str(tmp_path)]
    running = [subprocess.Popen(words, stderr=subprocess.DEVNULL) for words in (scheduler, worker, worker)]
    try:
        from distributed import Client

        with Client(address, timeout=_WITHIN_S) as client:
            client.wait_for_workers(2, timeout=_WITHIN_S)
        yield address, running[1:]
    finally:
        for one in running:
            one.kill()
            one.wait()


def slowly_measured(scene):
    """Return what is measured of the land of `scene`, not before half a second is over."""
    time.sleep(0.5)
    return measure.measured(scene)


def test_a_killed_worker_changes_nothing(cluster):
    address, workers = cluster
    small = scenes.load("badlands").replace({"grid.rows": 32, "grid.columns": 32})
    candidates = variants.some(small, 16, seed=1)
    begun = threading.Event()

    def kill() -> None:
        begun.wait(_WITHIN_S)
        os.kill(workers[0].pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with batches.opened(scheduler=address) as batch:
        there = batch.map(slowly_measured, candidates, lambda fraction: begun.set() if fraction >= 0.25 else None)
    killer.join()
    assert workers[0].wait(_WITHIN_S) == -signal.SIGKILL and workers[1].poll() is None
    here = batches.InProcess().map(measure.measured, candidates)
    for one, other in zip(there, here, strict=True):
        for block, same in zip((*one.blocks, one.arrangement), (*other.blocks, other.arrangement), strict=True):
            np.testing.assert_array_equal(block, same)


def test_shots_are_the_same_files_as_this_process_takes(cluster, tmp_path):
    address, _ = cluster
    path = tmp_path / "list.toml"
    path.write_text(SHOTS)
    for words in (["here"], ["there", "--scheduler", address]):
        assert main(["shots", str(path), "--engine", "cpu", "-o", str(tmp_path / words[0]), *words[1:]]) == 0
    here, there = (sorted((tmp_path / name).iterdir()) for name in ("here", "there"))
    assert len(here) == 2 and [one.name for one in here] == [one.name for one in there]
    assert [one.read_bytes() for one in here] == [one.read_bytes() for one in there]
    assert here[0].read_bytes() != here[1].read_bytes()


def test_nobody_at_the_address_is_told_in_a_line():
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    with pytest.raises(FellviewError, match=address) as refusal, batches.opened(scheduler=address):
        pass
    assert "\n" not in str(refusal.value) and Path.cwd()
