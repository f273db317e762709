"""Noise by name, at points: arguments checked, tables made, octaves summed.

Coordinates are in cycles (lattice cells). Results follow float64 coordinates exactly; a float32 coordinate keeps 2⁻ᵏ of
a cell while it is below 2²⁴⁻ᵏ, so pass float64 far from the origin. Beyond 2⁵² cells no fraction is left: such a
coordinate is brought below it (or below the period) by the remainder, and gradient kinds are 0 there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fellview.core.errors import InputError, named, quoted
from fellview.core.height_field import Heights
from fellview.noise import fractal, registry
from fellview.noise.fractal import Fractal, Octave
from fellview.noise.kind import Given, Kind, Points
from fellview.noise.options import Options, Tables

LARGEST_COORDINATE = 2.0**52
"""Cells; from here on float64 has no fraction. A multiple of 256 and of 2³², so lattices wrap as if it were exact."""

SEEDS = 2**32


@dataclasses.dataclass(frozen=True)
class Request:
    """A kind with everything that decides its values, checked."""

    kind: Kind
    dimension: int
    options: Options
    sum: Fractal
    seed: int
    tables: Tables

    @property
    def unit_range(self) -> bool:
        """Return whether the sum is to be mapped from [−1, 1] to [0, 1]."""
        return getattr(self.options, "range", "") == "unit" and self.sum.fractal in fractal.SIGNED_MODES


def request(kind: str, dimension: int, seed: int, tables: Given | None, settings: Mapping[str, Any]) -> Request:
    """Return the checked request; `InputError` names what is wrong and what is accepted."""
    found = registry.get(kind)
    if dimension not in found.dimensions:
        accepted = ", ".join(map(str, found.dimensions))
        raise InputError(f"dimension = {dimension!r}: {kind} noise has {accepted}")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < SEEDS:
        raise InputError(f"noise.seed = {quoted(seed)}: expected a whole number, 0 to {SEEDS - 1}")
    sum_names, option_names = Fractal.declarations(), found.options.declarations()
    for name in settings:
        if name not in sum_names and name not in option_names:
            accepted = ", ".join([*sum_names, *option_names])
            raise InputError(f"noise.{named(name)}: {kind} noise has no such option; expected {accepted}")
    sums = Fractal(**{name: value for name, value in settings.items() if name in sum_names})
    if sums.period and not found.tiles:
        raise InputError(f"noise.period = {sums.period}: {kind} noise does not tile; expected 0")
    if sums.fractal == "derivative-damped" and not found.has_derivatives:
        accepted = ", ".join(mode for mode in fractal.MODES if mode != sums.fractal)
        raise InputError(
            f"noise.fractal = {sums.fractal!r}: {kind} noise has no derivatives; expected one of {accepted}"
        )
    options = found.options(**{name: value for name, value in settings.items() if name in option_names})
    return Request(found, dimension, options, sums, int(seed), found.tables(int(seed), dimension, tables or {}))


def at(
    kind: str,
    points: ArrayLike,
    seed: int = 1,
    *,
    tables: Given | None = None,
    precise: bool = False,
    **settings: Any,
) -> Heights:
    """Return the noise of `kind` at `points`, real (n, d), as float32 (n,).

    `settings` are the kind's own options and those of `fractal.Fractal` (octaves, lacunarity, gain, fractal, spread,
    warp, warp_levels, period). `tables` replaces a faithful kind's tables by name. With `precise` the result is
    float64. `InputError` for an unknown kind or option and for coordinates that are not finite.
    """
    wide = checked(points)
    asked = request(kind, wide.shape[1], seed, tables, settings)
    noise = warped(asked, wide, fractal.octaves(asked.sum))
    if asked.unit_range:
        noise = 0.5 + 0.5 * noise
    return noise if precise else noise.astype(np.float32)  # type: ignore[return-value]


def derivatives(
    kind: str, points: ArrayLike, seed: int = 1, *, tables: Given | None = None, **options: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return one octave of noise at `points`, real (n, d), as float64 (n,) and its derivatives, float64 (n, d).

    Derivatives are by the point's coordinates. `InputError` as for `at`, and for kinds without derivatives.
    """
    wide = checked(points)
    asked = request(kind, wide.shape[1], seed, tables, options)
    if not asked.kind.has_derivatives:
        raise InputError(f"noise.kind = {kind!r}: no derivatives; expected one of {', '.join(smooth_kinds())}")
    if asked.sum.replace(period=0) != Fractal():
        raise InputError("derivatives: one octave only; expected no settings of the sum but period")
    values = asked.kind.evaluate(_reduced(wide, asked.sum.period), asked.options, asked.tables, seed, asked.sum.period)
    if asked.unit_range:
        values *= 0.5
        values[:, 0] += 0.5
    return values[:, 0].copy(), values[:, 1:].copy()


def smooth_kinds() -> tuple[str, ...]:
    """Return the names of the kinds that have derivatives."""
    return tuple(name for name in registry.kinds() if registry.get(name).has_derivatives)


def checked(points: ArrayLike) -> Points:
    """Return `points` as float64 (n, d); `InputError` unless they are real, finite and two-dimensional."""
    array = np.asarray(points)
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(f"points: {array.dtype} {array.shape}, expected real numbers (n, d)")
    wide = np.ascontiguousarray(array, np.float64)
    if not np.isfinite(wide).all():
        raise InputError("points: NaN or infinity among the coordinates; expected finite numbers")
    return wide


def _reduced(points: Points, period: int) -> Points:
    """Return coordinates that have a fraction, equal up to whole periods; far ones by the remainder."""
    if points.size and np.abs(points).max() >= LARGEST_COORDINATE:
        return np.fmod(points, period or LARGEST_COORDINATE)
    return points


def warped(asked: Request, points: Points, octaves: Sequence[Octave]) -> NDArray[np.float64]:
    """Return the sum of octaves at `points` after the domain warp, float64 (n,)."""
    if not asked.sum.warp:
        return summed(asked, points, octaves)
    bent = points
    for level in range(asked.sum.warp_levels):
        shifts = np.zeros_like(points)
        for axis in range(min(2, points.shape[1])):
            moved = bent.copy()
            moved[:, :2] += fractal.OFFSETS[2 * level + axis][: points.shape[1]]
            shifts[:, axis] = asked.sum.warp * summed(asked, moved, octaves)
        bent = points + shifts
    return summed(asked, bent, octaves)


def summed(asked: Request, points: Points, octaves: Sequence[Octave]) -> NDArray[np.float64]:
    """Return the sum of octaves at `points`, float64 (n,)."""
    count, dimension = points.shape
    damped = asked.sum.fractal == "derivative-damped"
    total = np.zeros(count)
    state_x = np.zeros(count) if damped else np.ones(count)
    state_y = np.zeros(count)
    nothing = np.zeros(count)
    for octave in octaves:
        place = _reduced(points * octave.factor + np.array(octave.shift[:dimension]), octave.period)
        values = asked.kind.evaluate(place, asked.options, asked.tables, asked.seed, octave.period)
        slope_x = values[:, 1].copy() if damped else nothing
        slope_y = values[:, 2].copy() if damped and dimension > 1 else nothing
        fractal.accumulate(
            fractal.MODES.index(asked.sum.fractal),
            octave.amplitude,
            values[:, 0].copy(),
            slope_x,
            slope_y,
            total,
            state_x,
            state_y,
        )
    return total
