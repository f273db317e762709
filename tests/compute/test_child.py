"""The compute process is started before what it is asked, and ends with whoever started it."""

import os

import pytest

from fellview.compute.child import Child
from fellview.compute.flags import ROOM
from fellview.compute.process import ComputeProcess


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
