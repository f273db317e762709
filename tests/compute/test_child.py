"""The compute process is started before what it is asked, and ends with whoever started it."""

import os
import queue

import pytest

from fellview.compute.child import Child
from fellview.compute.flags import ROOM
from fellview.compute.process import ComputeProcess
from fellview.compute.protocol import Finished, Job
from tests.session.scripted import SMALL


def test_a_child_that_nobody_took_ends_and_leaves_no_memory():
    child = Child()
    process, flags = child.process, child.flags.size
    assert process.is_alive() and flags == ROOM
    child.close()
    child.close()  # whoever took it closes it, too
    assert not process.is_alive()


def test_a_compute_process_takes_the_child_that_runs_already():
    child = Child()
    number = child.process.pid
    computing = ComputeProcess(lambda event: None, child=child)
    assert computing.process_id == number and computing.alive
    computing.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_child_that_waits_is_started_with_the_first_job():
    child = Child(waits=True)
    events = queue.SimpleQueue()
    computing = ComputeProcess(events.put, child=child)
    assert computing.process_id is None and not computing.alive
    computing.submit(Job(SMALL.terrain_groups()))
    while not isinstance(event := events.get(timeout=60), Finished):
        pass
    assert event.result.field.rows == SMALL.grid.rows and computing.alive
    computing.get_ready()
    number = computing.process_id
    computing.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_child_that_waits_is_started_by_getting_ready_and_else_leaves_nothing():
    child = Child(waits=True)
    child.begin()
    child.begin()
    assert child.process.is_alive()
    child.close()
    for taken in (False, True):
        waiting = Child(waits=True)
        if taken:
            ComputeProcess(lambda event: None, child=waiting).close()
        waiting.close()
        assert not waiting.has_begun
