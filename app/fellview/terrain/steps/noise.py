"""The base: a sum of octaves of one kind of noise.

    h[r, c] = amplitude · S(f·r/R, f·c/C)

S is the fractal sum of `noise/fractal.py`, of whose octaves those finer than two samples a cycle are left out
(`cut_octaves` tells how many). One octave of the classic kind is the DirectX demo's base to the last bit: the demo's
later steps compare heights, and a last bit there moves whole cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fellview.core.height_field import Heights
from fellview.core.parameters import Group, choice, real, switch, whole
from fellview.noise import classic, fractal, grids, registry
from fellview.noise.options import FADES
from fellview.noise.worley import METRICS, OUTPUTS
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.progress import Progress
from fellview.terrain.step import Step

_OWN_FADE = "own"
_ALL = registry.kinds()
_KINDS = {name: registry.get(name) for name in _ALL}
_WITH_LATTICE = {"kind": tuple(name for name in _ALL if _KINDS[name].natural_period)}
_WITH_TILES = {"kind": tuple(name for name in _ALL if _KINDS[name].tiles)}


def _with(option: str) -> dict[str, tuple[str, ...]]:
    """Return the condition that the kind has `option`."""
    return {"kind": tuple(name for name in _ALL if option in _KINDS[name].options.declarations())}


@dataclass(frozen=True)
class Noise(Group):
    """The noise that the terrain starts from."""

    key: ClassVar[str] = "noise"
    title: ClassVar[str] = "Noise"

    enabled: bool = switch(True, tip="The noise that the land starts from; off leaves a plain at height 0.")
    kind: str = choice(
        "classic",
        _ALL,
        tip="The family of noise: gradient kinds roll, value is blocky, Worley makes cells, white is grain.",
    )
    seed: int = whole(1, 0, 2**31 - 1, useful=(), tip="Another number, another land.")
    frequency: float = real(
        15.0,
        0.01,
        4096.0,
        slider=(0.5, 64),
        unit="cycles",
        scale="log",
        useful=(1, 12),
        tip="Hills across the land. Low gives a few broad hills, high many small ones.",
        only=_WITH_LATTICE,
    )
    amplitude: float = real(
        10.0,
        0.0,
        100_000.0,
        slider=(1, 5000),
        unit="m",
        scale="log",
        useful=(50, 1500),
        tip="How far hills rise and valleys fall. Low is a plain, high is alpine.",
    )
    octaves: int = whole(
        1,
        1,
        16,
        slider=(1, 12),
        useful=(3, 9),
        tip="Layers of ever finer detail. One is smooth hills, many are rugged ground.",
        only=_WITH_LATTICE,
    )
    lacunarity: float = real(
        2.0,
        1.0,
        8.0,
        slider=(1.5, 4),
        unit="×",
        useful=(1.7, 2.6),
        tip="How much finer each octave is. Low blends the layers, high sets them apart.",
        only=_WITH_LATTICE,
        more=True,
    )
    gain: float = real(
        0.5,
        0.0,
        1.0,
        unit="×",
        useful=(0.3, 0.65),
        tip="How strong each finer octave is. Low is smooth, high is rough all over.",
        only=_WITH_LATTICE,
    )
    fractal: str = choice(
        "fbm",
        fractal.MODES,
        tip="How octaves add up. fbm is even, billow rounds hills into pillows, ridged and turbulence make crests and"
        " creases, hybrid leaves valleys smooth, derivative-damped smooths slopes and roughens flats.",
        only=_WITH_LATTICE,
    )
    fade: str = choice(
        _OWN_FADE,
        (_OWN_FADE, *FADES),
        tip="How lattice cells blend. Own is the kind's; linear shows creases, cubic faint lines in the light, quintic"
        " none.",
        only=_with("fade"),
        more=True,
    )
    range: str = choice(
        "signed",
        ("signed", "unit"),
        tip="Signed lies about height 0, unit between 0 and the amplitude.",
        only=_with("range"),
        more=True,
    )
    metric: str = choice(
        "euclidean",
        METRICS,
        tip="How distance is measured: round cells, diamonds (Manhattan) or squares (Chebyshev).",
        only=_with("metric"),
        more=True,
    )
    output: str = choice(
        "f1",
        OUTPUTS,
        tip="F1 gives pits with ridges between, F2 crumpled plates, F2-F1 walls along cell borders, value plateaus.",
        only=_with("output"),
        more=True,
    )
    jitter: float = real(
        1.0,
        0.0,
        1.0,
        tip="Low sets the cells in rows and columns, high scatters them.",
        only=_with("jitter"),
        more=True,
    )
    warp: float = real(
        0.0,
        0.0,
        64.0,
        slider=(0, 4),
        unit="cycles",
        useful=(0, 1.5),
        tip="How far the noise bends itself. Low leaves hills round, high folds them over.",
        only=_WITH_LATTICE,
        more=True,
    )
    warp_levels: int = whole(
        1, 1, 2, useful=(), tip="One bends hills, two folds the folds.", only=_WITH_LATTICE, more=True
    )
    tile: bool = switch(
        False,
        tip="Opposite edges meet without a seam; the frequency is rounded to whole cycles.",
        only=_WITH_TILES,
        more=True,
    )


def cycles(parameters: Noise) -> float:
    """Return the frequency in cycles, whole where the land tiles."""
    if parameters.tile and _KINDS[parameters.kind].tiles:
        return float(max(1, round(parameters.frequency)))
    return parameters.frequency


def kept_octaves(parameters: Noise, grid: Grid) -> int:
    """Return how many octaves have at least two samples a cycle on `grid`; the first always counts."""
    if not _KINDS[parameters.kind].natural_period:
        return 1  # white noise has no frequency, so its octaves would all be alike
    return fractal.within_nyquist(
        cycles(parameters), parameters.lacunarity, parameters.octaves, grid.rows, grid.columns
    )


def cut_octaves(parameters: Noise, grid: Grid) -> int:
    """Return how many octaves are left out because they are finer than two samples a cycle on `grid`."""
    if not _KINDS[parameters.kind].natural_period:
        return 0
    return parameters.octaves - kept_octaves(parameters, grid)


def remark(parameters: Noise, domain: Domain) -> str:
    """Return a line for a person where octaves are left out, else an empty text."""
    grid = domain.grid
    cut = cut_octaves(parameters, grid)
    if not cut or not parameters.enabled:
        return ""
    return (
        f"noise: {cut} of {parameters.octaves} octaves left out, finer than two samples a cycle on"
        f" {grid.rows} × {grid.columns}"
    )


def settings(parameters: Noise) -> dict[str, Any]:
    """Return what `noise.grid` and the GLSL twin are told beside frequency, seed and amplitude."""
    kind = _KINDS[parameters.kind]
    chosen: dict[str, Any] = {name: getattr(parameters, name) for name in kind.options.declarations() if name != "fade"}
    if "fade" in kind.options.declarations() and parameters.fade != _OWN_FADE:
        chosen["fade"] = parameters.fade
    if not kind.natural_period:
        return chosen
    # without slopes there is nothing to damp by, and the damped sum is the plain one
    damped = parameters.fractal == "derivative-damped" and not kind.has_derivatives
    chosen |= {name: getattr(parameters, name) for name in ("octaves", "lacunarity", "gain", "warp", "warp_levels")}
    chosen["fractal"] = "fbm" if damped else parameters.fractal
    chosen["period"] = round(cycles(parameters)) if parameters.tile and kind.tiles else 0
    return chosen


def is_demo(parameters: Noise) -> bool:
    """Return whether the parameters ask for the DirectX demo's own base, which is kept to the last bit."""
    plain = Noise(seed=parameters.seed, frequency=parameters.frequency, amplitude=parameters.amplitude)
    unused = {
        name: getattr(plain, name) for name in ("lacunarity", "gain", "metric", "output", "jitter", "warp_levels")
    }
    return parameters.replace(**unused) == plain


def run(parameters: Noise, domain: Domain, heights: Heights, progress: Progress) -> Heights:
    """Return the sum of octaves in metres, or a plain at 0, float32 [row, column]; `heights` only gives the shape."""
    rows, columns = heights.shape
    if not parameters.enabled:
        return np.zeros((rows, columns), np.float32)
    if is_demo(parameters):
        base = classic.exact_grid(rows, columns, parameters.frequency, 0.0, domain.seed)
        base *= np.float32(parameters.amplitude)
    else:
        base = grids.kept(
            parameters.kind,
            rows,
            columns,
            cycles(parameters),
            kept_octaves(parameters, domain.grid.replace(rows=rows, columns=columns)),
            _KINDS[parameters.kind].flat_dimension,
            domain.seed,
            amplitude=parameters.amplitude,
            cancel=progress.cancel,
            **settings(parameters),
        )
    progress.report(Noise.key, 1.0)
    return base


# always active: switched off it makes the plain that the next steps start from
# 2: octaves lie apart (`fractal.SPREAD`), where they shared the lattice points at which gradient noise is zero
STEP = Step(
    Noise,
    run,
    active=lambda parameters: True,
    remark=remark,
    revision=2,
    in_cells=lambda parameters: not _KINDS[parameters.kind].natural_period,
)
