"""Both engines on the same input: every noise, every way of every step, and whole scenes, walked over the registries.

`tests/parity/` and `gpu_check.py` hold them together by it. A way of a step is a choice of its `kind`, `mode`, `shape`
or `blend`. Where the output is continuous the largest difference is held, in metres on a land of some 400 m; where it
jumps, the share of cells that differ by more. What has no twin is computed by the CPU inside the GPU engine, and equal
to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField, Heights
from fellview.core.parameters import Group
from fellview.gpu.engine import TWINS, GpuEngine
from fellview.gpu.noise_map import NoiseMap
from fellview.io import scenes
from fellview.noise import evaluate, registry
from fellview.noise.kind import Given
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.landforms import registry as landforms
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step
from fellview.terrain.steps import landform
from fellview.terrain.steps.edge import SHAPES
from fellview.terrain.steps.landform import SLOTS

GRID = Grid(rows=160, columns=224, size_x=3500.0, size_z=2500.0)
AMPLITUDE_M = 400.0
FILE = GRID.replace(rows=90, columns=300)  # finer than the grid one way, coarser the other
SEED = 12


@dataclass(frozen=True)
class Allowed:
    """What may differ: more than `metres` in at most `share` of the cells; `cpu_only` steps differ nowhere.

    Where `alike` is given, last bits grow without end: the change to the land then correlates by more than that.
    """

    metres: float = 0.0
    share: float = 0.0
    cpu_only: bool = False
    alike: float = 0.0
    grid: Grid = GRID


# 1e-5 of the range is what noise maps promise; float32 metres of 400 have a last bit of 3e-5
SMOOTH_NOISE = Allowed(metres=1e-5 * 2 * AMPLITUDE_M)
CPU_ONLY = Allowed(cpu_only=True)
SOME_ROUNDINGS = Allowed(metres=2e-3)
"""Some dozen products and sums in the same order: of a twin that says nothing else."""
# two levels of the pyramids, of which software OpenGL makes some seconds' work
CARVED = Allowed(alike=0.99, grid=GRID.replace(rows=70, columns=98))
# as noise maps, times the slopes of ridges and craters; a place on the border of two cells may fall either way
LAID = Allowed(metres=0.05, share=2e-3)

ONE_OF = {"landform2": "islands", "landform3": "cone", "landform4": "dunes"}
"""Slots of the first one's functions: one landform of theirs is walked beside all of its."""

WAYS: Mapping[tuple[str, str], Allowed] = {
    # of each kind of noise the sum of several octaves; white noise has one, and jumps nowhere between equal coordinates
    **{("noise", kind): SMOOTH_NOISE for kind in registry.kinds()},
    # the same weights of the same cells, rounded twice, of heights up to 1000 m with a last bit of 6e-5
    ("imported", "replace"): Allowed(metres=1e-3),
    ("imported", "add"): Allowed(metres=1e-3),
    **{("landform1", kind): LAID for kind in landforms.names()},
    **dict.fromkeys(ONE_OF.items(), LAID),
    # shifts of up to 32 cells from noise that is equal to 1e-6: one cell in some 10,000 rounds to its neighbour
    ("perturb", "demo"): Allowed(metres=0.0, share=1e-3),
    # noise equal to 1e-5 of its range bends by 1e-5 of the reach, over ground that rises some metres a cell
    ("perturb", "smooth"): Allowed(metres=2e-2),
    # a curve as steep as 3, of heights whose range is the same to the bit
    ("curve", ""): Allowed(metres=2e-3),
    # a riser is some ten times as steep as the slope it was cut from, and wanders by noise equal to 1e-5 of its range
    ("terrace", ""): Allowed(metres=2e-2),
    **{("edge", shape): Allowed(metres=1e-2) for shape in SHAPES},  # the same noise times the land's height
    # in place and in raster order by definition
    ("erosion", "demo"): CPU_ONLY,
    # some 20 stages of sums of eight differences, each rounded to a last bit of 3e-5 m, in the same order
    ("erosion", "thermal"): Allowed(metres=2e-3),
    ("erosion", "fluvial"): CARVED,
    ("erosion", "hydraulic"): CARVED,
    # ribs turn with the fall line, which on nearly level discs is told from last bits
    ("crags", ""): Allowed(metres=2e-2, share=1e-3),
    # some dozen rounds that move metres by differences whose last bit is 3e-5 m
    ("scree", ""): Allowed(metres=1e-2),
    ("smooth", "demo"): CPU_ONLY,
    ("smooth", "radius"): Allowed(metres=2e-3),  # means of hundreds of cells, rounded a pass at a time
}
"""What ways may differ by, by step and choice; others may by `SOME_ROUNDINGS` with a twin, and not at all without."""

_MORE: Mapping[str, Mapping[str, Any]] = {
    "noise": {"octaves": 5, "frequency": 3.2, "amplitude": AMPLITUDE_M},
    "erosion": {"threshold": 5.0, "iterations": 3},
    "smooth": {"iterations": 2},
    "crags": {"size": 300.0, "strength": 40.0, "slope": 15.0, "ledge_height": 120.0, "ledges": 0.8},
    "scree": {"walls": 25.0, "angle": 20.0},
    **{slot.key: {"x": 43.0, "z": 61.0, "rotation": 33.0, "irregularity": 0.8} for slot in SLOTS},
}  # by step: with what it does a lot; all are switched on


def ways(step: Step) -> list[tuple[str, str]]:
    """Return the choices of a step's `kind`, `mode`, `shape` or `blend`, or one empty text."""
    declared = step.parameters.declarations()
    name = next((name for name in ("kind", "mode", "shape", "blend") if name in declared), "")
    options = ("none", ONE_OF[step.key]) if step.key in ONE_OF else declared[name].options if name else ("",)
    return [(name, option) for option in options]


CASES = tuple((step, name, option) for step in STEPS for name, option in ways(step))
"""Every way of every step: the step, the parameter that says so, and its value."""


def ground(grid: Grid = GRID, seed: int = 3) -> Heights:
    """Return heights that no twin made."""
    rng = np.random.default_rng(seed)
    z, x = np.mgrid[: grid.rows, : grid.columns] * (GRID.rows / grid.rows / 20.0)
    rough = rng.normal(0, 4, (grid.rows, grid.columns))
    return (200 * np.sin(x) * np.cos(0.7 * z) + 60 * np.sin(3.1 * x + z) + rough).astype(np.float32)


@dataclass(frozen=True)
class Apart:
    """How far two engines' results of one way are apart."""

    largest_m: float
    share: float
    """Of the cells, those that differ by more than is allowed."""
    alike: float
    """What the changes to the land correlate by."""
    moved_m: float
    """How far the step moved the land where it did most."""


@dataclass(frozen=True)
class StepCase:
    """One way of a step, with all that decides its result."""

    step: Step
    parameters: Group
    allowed: Allowed
    below: Land | None

    @property
    def active(self) -> bool:
        """Whether the step does anything this way."""
        return self.step.active(self.parameters)

    @property
    def domain(self) -> Domain:
        """Where it runs."""
        return Domain(self.allowed.grid, SEED)

    def on_cpu(self) -> Land:
        """Return what the CPU makes of it."""
        return CpuEngine().run(self.step, self.parameters, self.domain, self.below, Progress())

    def on_gpu(self, engine: GpuEngine) -> Land:
        """Return what the GPU makes of it, read back."""
        below = None if self.below is None else engine.from_cpu(self.below)
        return engine.to_cpu(engine.run(self.step, self.parameters, self.domain, below, Progress()))

    def apart(self, cpu: Land, gpu: Land) -> Apart:
        """Return how far both results are apart."""
        difference = np.abs(gpu.heights.astype(np.float64) - cpu.heights)
        below = np.zeros_like(cpu.heights) if self.below is None else self.below.heights
        done = [(land.heights - below).ravel() for land in (cpu, gpu)]
        return Apart(
            largest_m=float(difference.max()),
            share=np.count_nonzero(difference > self.allowed.metres) / difference.size,
            alike=_correlation(*done),
            moved_m=float(np.abs(done[0]).max()),
        )

    def holds(self, apart: Apart) -> bool:
        """Return whether so much is allowed."""
        return apart.alike > self.allowed.alike if self.allowed.alike else apart.share <= self.allowed.share


def step_case(step: Step, name: str, option: str, folder: Path) -> StepCase:
    """Return one of `CASES`; a file that it reads is written into `folder`."""
    declared = step.parameters.declarations()
    on = {"enabled": True} if "enabled" in declared else {}
    parameters: Any = step.parameters(**({name: option} if name else {}), **on, **_MORE.get(step.key, {}))
    allowed = WAYS.get((step.key, option)) or (SOME_ROUNDINGS if _has_twin(step, parameters) else CPU_ONLY)
    domain = Domain(allowed.grid, SEED)
    if "path" in declared:
        np.save(folder / "land.npy", ground(FILE, seed=4))
        parameters = parameters.replace(path=str(folder / "land.npy"))
    if step.parameters in SLOTS and parameters.kind != "none":
        parameters = landform.natural(parameters, domain)
    return StepCase(step, parameters, allowed, None if step is STEPS[0] else Land(ground(allowed.grid)))


def _has_twin(step: Step, parameters: Group) -> bool:
    return any(twin.covers(parameters) for twin in TWINS.get(step.key, ()))


def _correlation(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Return the correlation of two arrays, 1 of equal ones that are the same everywhere."""
    if np.array_equal(one, other):
        return 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.corrcoef(one, other)[0, 1])


OF_RANGE = 1e-5
"""The share of their range that noises which do not jump may differ by."""
CELLS_A_JUMP = 10_000
"""Of so many cells one may differ by more, where a noise jumps."""
SMOOTH_SIZE, JUMPING_SIZE = (40, 30), (130, 100)  # columns, rows; the second has over 10,000 cells
PROMISED_WARP = {1: 1.0, 2: 0.3}
"""By levels: up to where the warp keeps the promise."""

Place = tuple[tuple[float, float], tuple[float, float], float, float]
"""Where a map of noise lies: (x, y), extent, z, w."""

PLACES: tuple[Place, ...] = (
    ((0.0, 0.0), (8.0, 8.0), 0.0, 0.0),
    ((-3.71, 2.213), (0.5, 0.7183), 0.3, -0.6),
    ((-400.31, -11.917), (13.37, 9.119), -7.45, 3.2),
    ((5.53, -60.013), (64.0, 63.319), 12.0, 0.5),
)
FAMILIES = tuple((kind, dimension) for kind in registry.kinds() for dimension in registry.get(kind).dimensions)
"""Every kind of noise in every dimension that it has."""


@dataclass(frozen=True)
class NoiseCase:
    """A map of one noise: its kind and settings, and where it lies."""

    kind: str
    dimension: int
    seed: int
    place: Place
    tables: Given | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def request(self) -> evaluate.Request:
        """All of it, checked."""
        return evaluate.request(self.kind, self.dimension, self.seed, self.tables, self.settings)

    @property
    def jumps(self) -> bool:
        """Whether the output jumps: the kind does, or a sum that is damped by slopes that do."""
        asked = self.request
        smoothness = asked.kind.smoothness(asked.options)
        return smoothness < 0 or (asked.sum.fractal == "derivative-damped" and smoothness < 1)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the map."""
        columns, rows = JUMPING_SIZE if self.jumps else SMOOTH_SIZE
        return (columns * rows, 1) if self.dimension == 1 else (columns, rows)

    def on_cpu(self) -> Heights:
        """Return the reference at the samples, (rows · columns,)."""
        points = sample_points(self.size, self.place, self.dimension)
        return evaluate.at(self.kind, points, self.seed, tables=self.tables, precise=True, **self.settings)

    def on_gpu(self, noise_map: NoiseMap) -> Heights:
        """Return the map that the GPU draws, (rows · columns,)."""
        return drawn(noise_map, self.request, self.size, self.place).ravel()

    def excess(self, cpu: Heights, gpu: Heights) -> float:
        """Return how far both are apart, as a share of what is allowed."""
        apart = np.abs(gpu - cpu) / (OF_RANGE * _span(self.request) * _stretch(self.request))
        return float(np.count_nonzero(apart > 1) / (gpu.size / CELLS_A_JUMP) if self.jumps else apart.max())


def _span(asked: evaluate.Request) -> float:
    """Return the width of the output's range."""
    low, high = asked.kind.bounds(asked.dimension, asked.options)
    largest = max(abs(low), abs(high))
    span = {"fbm": high - low, "derivative-damped": high - low, "billow": 2 * largest, "turbulence": largest}
    return span.get(asked.sum.fractal, 1.0) * (0.5 if asked.unit_range else 1.0)


def _stretch(asked: evaluate.Request) -> float:
    """Return how often more than promised a strong warp may magnify the error of its float32 displacement."""
    levels = asked.sum.warp_levels
    return max(1.0, (asked.sum.warp / PROMISED_WARP[levels]) ** levels)


def sample_points(size: tuple[int, int], place: Place, dimension: int) -> NDArray[np.float64]:
    """Return where the samples of a map lie, (rows · columns, dimension)."""
    (x, y), (span_x, span_y), z, w = place
    columns, rows = size
    row, column = np.mgrid[:rows, :columns]
    along = span_x * column / columns if dimension == 1 else span_x * row / rows
    every = [x + along, y + span_y * column / columns, np.full(row.shape, z), np.full(row.shape, w)]
    return np.stack(every[:dimension], axis=-1).reshape(-1, dimension)


def drawn(
    noise_map: NoiseMap,
    asked: evaluate.Request,
    size: tuple[int, int],
    place: tuple[Any, Any, float, float],
    **more: Any,
) -> Heights:
    """Return the map that the GPU draws, float32 [row, column]."""
    origin, extent, z, w = place
    texture = noise_map.draw(asked, size, origin=origin, extent=extent, z=z, w=w, **more)
    heights = np.frombuffer(texture.read(), np.float32).reshape(size[1], size[0])
    texture.release()
    return heights


def scene_of(preset: str, side: int) -> Scene:
    """Return a preset on `side`² cells; the demo, whose units are cells, as it is."""
    scene = scenes.load(preset)
    return scene if preset == "directx-demo" else scene.replace({"grid.rows": side, "grid.columns": side})


def fields_apart(cpu: HeightField, gpu: HeightField, masks: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return how far the lands of one scene by two engines are apart, and by name what `masks` correlate by."""
    apart = np.abs(cpu.heights.astype(np.float64) - gpu.heights)
    return {
        "correlation": round(_correlation(cpu.heights.ravel(), gpu.heights.ravel()), 7),
        "largest_m": round(float(apart.max()), 5),
        "mean_m": round(float(apart.mean()), 6),
        "range_m": round(float(np.ptp(cpu.heights)), 1),
        "masks": {name: round(_correlation(cpu.masks[name].ravel(), gpu.masks[name].ravel()), 5) for name in masks},
    }
