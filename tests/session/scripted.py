"""A computer that says what a test has it say, and the clock and the lands of a session over it."""

import numpy as np

from fellview.compute.protocol import Finished, Previewed
from fellview.core.height_field import HeightField
from fellview.scene.scene import Scene
from fellview.terrain.pipeline.pipeline import Result

SMALL = Scene(name="small").replace({"grid.rows": 24, "grid.columns": 32})

# how one looks at the scene: what views, figure and camera are; the land, its light and its stage are not
ASIDE = {"view.mode": "slope", "view.colours": "grey", "view.figure": True, "view.figure_x": 7.0, "view.figure_z": 9.0}


class ScriptedCompute:
    """Takes jobs as the compute process does, and says what a test has it say."""

    def __init__(self, listener):
        self.say = listener
        self.jobs = []
        self.cancels = self.keeps = 0
        self.masks = []
        self.seen = []
        self.buried = 0
        self.closed = False
        self.name = "scripted"

    def get_ready(self):
        pass

    def submit(self, job):
        self.jobs.append(job.groups)
        self.masks.append(job.masks)
        self.seen.append(job.seen)

    def acknowledge_death(self):
        self.buried += 1

    def cancel(self):
        self.cancels += 1

    def keep(self):
        self.keeps += 1

    def close(self):
        self.closed = True

    @property
    def job(self):
        return self.jobs[-1]

    def finish(self, groups=None):
        groups = groups or self.job
        self.say(Finished(groups, Result(level(groups), ())))

    def preview(self):
        self.say(Previewed(self.job, level(self.job, 2)))


def level(groups, coarser_by=1):
    """The land of `groups` as the scripted computer has it: as high as its seed."""
    grid = groups["grid"]
    heights = np.full((grid.rows // coarser_by, grid.columns // coarser_by), groups["noise"].seed, np.float32)
    return HeightField(heights, tuple(coarser_by * side for side in grid.cell_size))


class Clock:
    """Seconds that pass as a test has them."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def compute(session):
    return session.jobs.computer


def finish(session):
    compute(session).finish()
    assert session.poll()


def seed(session, number, label="Seed"):
    session.set(session.scene.replace({"noise.seed": number}), label)


def shown_seed(session):
    return int(session.result.field.heights[0, 0])


def keep(session):
    """Have the session keep what it would, and wait until that is written and what went wrong is taken in."""
    session.keep()
    session.store.flush()
    session.poll()
