"""The router without its compute process, and a clock: what jobs in the window's own thread are tested with."""

import queue

from fellview.compute.router import EngineRouter
from fellview.gpu.choice import choose


class NoProcess:
    """Stands in for the compute process and notes its jobs."""

    process_id = 1

    def __init__(self, listener):
        self.jobs, self.cancels, self.closed, self.masks = [], 0, False, []

    def submit(self, job):
        self.jobs.append(job)

    def cancel(self):
        self.cancels += 1

    def keep(self):
        pass

    def give_up_masks(self):
        self.masks.clear()

    def make_masks(self, *order):
        self.masks.append(order)

    def close(self):
        self.closed = True


class Clock:
    """Seconds that pass as a test has them."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def computing(context, engine, **named):
    events = queue.SimpleQueue()
    one = EngineRouter(events.put, NoProcess, **named)
    one.events = events
    one.use(choose("gpu", context), engine)
    return one


def said(compute):
    found = []
    while not compute.events.empty():
        found.append(compute.events.get())
    return found


def advance(compute, budget_s=0.001):
    turns = 0
    while compute.busy:
        compute.advance(budget_s)
        turns += 1
    return turns
