"""Tasks done here, by processes of this machine, and where a cluster may be."""

from __future__ import annotations

import os

import pytest

from fellview.batch import batch as batches
from fellview.batch import cluster
from fellview.core.errors import FellviewError, InputError


def where(item: int) -> tuple[int, int, str]:
    return item, os.getpid(), os.environ.get("NUMBA_NUM_THREADS", "")


def failing(item: int) -> int:
    if item == 2:
        raise InputError(f"item {item}")
    return item


def dying(item: int) -> int:
    os._exit(1)


def test_one_worker_is_this_process():
    told = []
    with batches.opened() as batch:
        assert [one[:2] for one in batch.map(where, [3, 1, 2], told.append)] == [(n, os.getpid()) for n in (3, 1, 2)]
    assert told == pytest.approx([1 / 3, 2 / 3, 1])


def test_workers_are_other_processes_and_results_stand_in_order():
    told = []
    with batches.opened(2) as batch:
        done = batch.map(where, list(range(8)), told.append)
    assert [item for item, *_ in done] == list(range(8))
    assert os.getpid() not in {number for _, number, _ in done}
    assert {threads for *_, threads in done} == {str(max((os.cpu_count() or 1) // 2, 1))}
    assert len(told) == 8 and told[-1] == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_what_goes_wrong_in_a_task_is_raised(workers):
    with batches.opened(workers) as batch, pytest.raises(InputError, match="item 2"):
        batch.map(failing, [1, 2, 3])


def test_a_worker_that_dies_is_told():
    with batches.opened(2) as batch, pytest.raises(FellviewError, match="worker process has died"):
        batch.map(dying, [1, 2])


@pytest.mark.parametrize("workers", [0, -1, 65])
def test_numbers_of_workers_are_limited(workers):
    with pytest.raises(InputError, match=f"--workers {workers}: expected 1 to 64"), batches.opened(workers):
        pass


@pytest.mark.parametrize(
    "address", ["tls://far.example:8786", "tcp://127.0.0.1:1", "tcp://[::1]:1", "tcp://localhost:1"]
)
def test_clusters_of_this_machine_or_over_tls_are_taken(address):
    cluster.require_safe(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "tcp://10.0.0.1:8786",
        "tcp://far.example:1",
        "127.0.0.1:8786",
        "ucx://127.0.0.1:1",
        "tcp://:1",
        "tcp://127.0.0.1.far.example:1",
    ],
)
def test_all_others_are_refused(address):
    with pytest.raises(InputError, match="--scheduler"):
        cluster.require_safe(address)
