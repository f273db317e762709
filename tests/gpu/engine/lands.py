"""Small scenes and lands for the GPU engine, and twins that do as a test wants."""

import moderngl
import numpy as np

from fellview.gpu.engine import TWINS
from fellview.gpu.twin import Twin
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land
from fellview.terrain.steps import perturb
from tests.lands import RUGGED

DOMAIN = Domain(Grid(rows=24, columns=32), 1)
SMALL = {"grid.rows": 24, "grid.columns": 32, "erosion.kind": "thermal", "smooth.iterations": 0}


def scene(**changes) -> Scene:
    return scenes.load(RUGGED).replace(SMALL | {key.replace("__", "."): one for key, one in changes.items()})


def land(seed=1, fields=()):
    rng = np.random.default_rng(seed)
    heights, *others = rng.random((1 + len(fields), 24, 32), np.float32)
    return Land(heights, dict(zip(fields, others, strict=True)))


def with_twins(**twins):
    """Return the twins of all steps, with those of some replaced."""
    return {**TWINS, **{key: (Twin(run),) for key, run in twins.items()}}


def run(engine, below=None):
    return engine.run(perturb.STEP, perturb.Perturb(), DOMAIN, below, Progress())


def broken(passes, parameters, domain, below):
    """Lose the engine after a slice."""
    yield 0.1
    raise moderngl.Error("lost")
