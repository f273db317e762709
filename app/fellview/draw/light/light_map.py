"""The light that the land itself keeps away and sends: shadows of the sun, the part of the sky that each place sees,
and the light of the ground around.

All come from a height texture of at most a few hundred cells a side, made when the heights change; the shadows and the
ground's light again when the sun moves. Drawing a frame reads one texture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import moderngl
import numpy as np

from fellview.draw import stopwatch
from fellview.draw.land.height_map import HeightMap
from fellview.draw.passes import Passes
from fellview.draw.stage.studio import Outline
from fellview.gpu import mipmaps
from fellview.gpu.passes import GridPasses, Number

_BOUNCE_CELLS = 4  # cells of the light map a cell for the ground's light, which comes from all around
_DRAFT_BOUNCE_CELLS = 8  # in a map beside a finer one, which is made anew in each frame while the sun moves
_SKY_CELLS = 4  # cells of the light map a cell for the share of sky, which changes slowly and costs more
_STEEPEST = math.radians(89.0)  # limbs are held to this: a tangent of 57 reaches less than a cell on any land
_LEAST_RISE = math.radians(-1.0)  # below it no limb of the sun shows over level land
_SOFT_CELLS = 0.35  # of a cell's width times the sun's slope: the most that a smooth slope's cells stand out of it
_COLUMNS_OVER = 2  # of the sheared grid: lines that share a column are never both over the land, nor beside it
_BESIDE_CELLS = 0.5  # of the land, lines that are asked for there: as sheared_heights.frag has it
_OVER_RELIEF_M = 1.0  # so much higher than any land is what shadows are looked for: no rounding cuts one short
_OCTAVE_STEPS = 3  # as in occlusion.frag
_SKY_STRIP_CELLS = 1 << 14  # 16 ms of it on two cores of software OpenGL

LEAST_SKY_SIDE = 128
"""Cells a side for the share of sky over a land in a window's pictures, at the least."""


@dataclass(frozen=True)
class GroundLight:
    """What decides which light the ground sends: the `numbers` of draw/light/sent_light.frag, none where it sends none.

    `open` are red and blue of the light over pi that comes from the ground where no land is told apart.
    """

    open: tuple[float, float] = (0.0, 0.0)
    numbers: Mapping[str, Number] = field(default_factory=dict)


DARK = GroundLight()
"""That of ground that sends none."""


class LightMap:
    """The texture of what reaches each place: red the share of the sun's disc that is seen, green that of the sky's.

    Blue and alpha are the red and the blue of the light over pi that the ground around sends.

    It has at most `largest_side` cells a side. A shadow's edge is smoothed over three of them. Where a `finer` map of
    the same heights has a share of sky of as many cells, it is that one's.
    """

    def __init__(
        self,
        context: moderngl.Context,
        largest_side: int = 512,
        least_sky_side: int = LEAST_SKY_SIDE,
        finer: LightMap | None = None,
    ) -> None:
        self._largest_side, self._finer = largest_side, finer
        self._grids = GridPasses(context)
        self._heights: moderngl.Texture | None = None
        self._crests: moderngl.Texture | None = None
        self._seen: moderngl.Texture | None = None
        self._own_seen: moderngl.Texture | None = None
        self._light: moderngl.Texture | None = None
        self._cell_m = (1.0, 1.0)
        self._relief_m = 0.0
        self._shown: tuple[object, ...] = ()  # whose heights they are
        self._sky_of: tuple[object, ...] = ()  # and whose the share of sky
        self._sky_side = max(largest_side // _SKY_CELLS, least_sky_side)
        self._lit_by: tuple[object, ...] | None = None  # the sun and the ground that the light is of
        self._taken = 0
        self._bounce_side = largest_side // (_BOUNCE_CELLS if finer is None else _DRAFT_BOUNCE_CELLS)
        self._sources: tuple[moderngl.Texture, moderngl.Texture] | None = None
        self._bounced: moderngl.Texture | None = None
        self._bounced_of: tuple[object, ...] = ()  # whose heights, and what lit them
        self._open: tuple[float, float] | None = None
        self._nothing_hidden: moderngl.Texture | None = None
        self._outline = Outline(self._grids)
        self.is_new = False
        """Whether shadows were cast anew for the last texture."""

    def passes(
        self,
        height_map: HeightMap,
        sun: np.ndarray,
        angular_radius: float,
        shaded: bool,
        exaggeration: float = 1.0,
        surface: moderngl.Texture | None = None,
        version: int = 0,
        *,
        ground: GroundLight = DARK,
        rough: bool = False,
    ) -> Passes[moderngl.Texture]:
        """Return the light map of `height_map` under a sun in the direction `sun` (xyz) of `angular_radius` radians.

        Heights count `exaggeration` times. Without `shaded` it is one cell that sees everything. `surface` takes the
        place of the heights, such as where water covers them; its `version` tells when it has changed. The `ground`
        sends light, or none. Where that is enough, `rough`, the share of sky stays that of the heights before, and so
        does the light that the ground sends, as long as sun and sky stay and the `finer` map has none of these heights;
        shadows follow a sun that moves in every second call, the first at once.

        Closed between two passes, the texture of the call before is left as it is.
        """
        was_new, self.is_new = self.is_new, False
        field = height_map.field
        if not shaded or field is None or height_map.heights is None or min(field.rows, field.columns) < 2:
            return self._unshaded(ground.open)
        shown, lit_by = asked_for(height_map, sun, angular_radius, exaggeration, version, ground)
        heights = surface or height_map.heights
        if shown != self._shown:
            self._shown, self._lit_by = (), None
            yield from self._take_heights(heights, field.cell_size, exaggeration)
            self._shown = shown
            low, high = field.height_range  # which water that stands on the land does not widen
            self._relief_m = exaggeration * (high - low)
            self._sources = heights, height_map.heights
            yield
        finer = self._finer
        gone = self.shares_sky and finer is not None and finer._sky_of != self._sky_of
        waits = rough and (finer is None or finer._sky_of != shown)
        if self._seen is None or gone or (self._sky_of != shown and not waits):
            self._lit_by = None
            yield from self._take_sky(heights, field.cell_size, exaggeration)
            self._sky_of = shown
            yield
        bounced_of = shown, lit_by
        keeps_bounced = rough and (finer is None or finer._bounced_of != bounced_of)
        if self._bounced_of != bounced_of and not keeps_bounced:
            self._lit_by = None
        waits = rough and was_new and self._lit_by is not None
        if lit_by != self._lit_by and not waits:
            keeps_bounced &= self._bounced_of[1:] == (lit_by,)
            yield from self._cast(sun, angular_radius, exaggeration, ground, keeps_bounced=keeps_bounced)
            if not keeps_bounced:
                self._bounced_of = bounced_of
            self.is_new, self._lit_by = True, lit_by
        assert self._light is not None
        return self._light

    def is_of(self, asked: tuple[tuple[object, ...], tuple[object, ...]]) -> bool:
        """Return whether the last texture is what `passes` makes of what is `asked_for`, and keeps nothing older."""
        shown, lit_by = asked
        return self._shown == self._sky_of == shown and self._lit_by == lit_by and self._bounced_of == asked

    @property
    def shares_sky(self) -> bool:
        """Return whether the share of sky is that of the finer map."""
        return self._seen is not None and self._own_seen is None

    def outline(
        self, sun: np.ndarray, base_m: float, land_m: tuple[float, float], place: tuple[float, ...]
    ) -> moderngl.Texture | None:
        """Return how far the shadow of the land of the last texture reaches on a floor; see `studio.Outline`.

        None where nothing is shaded.
        """
        if self._heights is None or sun[1] <= 0:
            return None
        return self._outline.texture(self._heights, self._taken, sun, base_m, land_m, place)

    def _unshaded(self, ground: tuple[float, float]) -> moderngl.Texture:
        """Return one cell that sees all of sun and sky, and `ground`."""
        if self._nothing_hidden is None or ground != self._open:
            if self._nothing_hidden is not None:
                self._grids.give_back(self._nothing_hidden)
            self._open = ground
            self._nothing_hidden = self._grids.upload(np.array([[[1.0, 1.0, *ground]]], np.float32))
        return self._nothing_hidden

    def _take_heights(
        self, heights: moderngl.Texture, cell_size: tuple[float, float], exaggeration: float
    ) -> Passes[None]:
        """Make the coarse heights."""
        self._taken += 1
        grids = self._grids
        for old in (self._heights, self._crests):
            if old is not None:
                grids.give_back(old)
        columns, rows = _within(heights.size, self._largest_side)
        self._heights, self._crests = grids.texture(rows, columns, 2), grids.texture(rows, columns)
        with _filtered(heights):
            yield from _make_coarse(grids, heights, self._heights, exaggeration)
        grids.run("draw/light/ridge_heights.frag", self._crests, {"u_coarse": self._heights})
        self._cell_m = (cell_size[1] * heights.size[0] / columns, cell_size[0] * heights.size[1] / rows)

    def _take_sky(self, heights: moderngl.Texture, cell_size: tuple[float, float], exaggeration: float) -> Passes[None]:
        """Make the share of sky, or take the finer map's."""
        finer, before = self._finer, self._own_seen
        if finer is not None and finer._sky_of == self._shown and finer._sky_side == self._sky_side:
            self._seen, self._own_seen = finer._seen, None
        else:
            seen = yield from sky_share(self._grids, heights, cell_size, self._sky_side, exaggeration)
            if finer is None:
                seen = yield from self._with_hollows(seen)
            self._seen = self._own_seen = seen
        if before is not None:
            self._grids.give_back(before)

    def _with_hollows(self, far: moderngl.Texture) -> Passes[moderngl.Texture]:
        """Return the share of sky `far`, told on its coarse cells, with what keeps sky away within those."""
        assert self._heights is not None
        columns, rows = self._heights.size
        try:
            with _filtered(self._heights), self._grids.unfinished(rows, columns) as seen, stopwatch.part("occlusion"):
                textures = {"u_heights": self._heights, "u_far_seen": far}
                numbers: dict[str, Number] = {"u_cell_m": self._cell_m}
                yield from self._grids.run_in_strips("draw/light/near_occlusion.frag", seen, textures, numbers)
        finally:
            self._grids.give_back(far)
        seen.filter = (moderngl.LINEAR, moderngl.LINEAR)
        return seen

    def _cast(
        self,
        sun: np.ndarray,
        angular_radius: float,
        exaggeration: float,
        ground: GroundLight,
        *,
        keeps_bounced: bool,
    ) -> Passes[None]:
        """Fill the light map for a sun in the direction `sun` over such `ground`, whose light may be kept."""
        assert self._heights is not None and self._crests is not None
        assert self._seen is not None
        grids, heights = self._grids, self._heights
        columns, rows = heights.size
        elevation = math.asin(min(max(float(sun[1]), -1.0), 1.0))
        turn = math.atan2(float(sun[0]), float(sun[2]))
        along = (math.sin(turn) / self._cell_m[0], math.cos(turn) / self._cell_m[1])  # cells a metre, x and z
        across = abs(along[0]) >= abs(along[1])  # whether columns are the major axis
        major, minor = along if across else along[::-1]
        steps, minors = (columns, rows) if across else (rows, columns)
        lean = minor / abs(major)
        first_line = math.floor(min(0.0, -lean * (steps - 1))) - 1
        # of one size wherever the sun stands, so that spare textures fit
        sheared_columns = minors + _COLUMNS_OVER
        # and no power of two: software OpenGL compiles for those and for others
        sheared_columns += sheared_columns & (sheared_columns - 1) == 0
        step_m = 1.0 / abs(major)
        lower, upper = (
            math.tan(min(max(elevation + side * angular_radius, _LEAST_RISE), _STEEPEST)) for side in (-1, 1)
        )
        shear: dict[str, Number] = {
            "u_major": (1, 0) if across else (0, 1),
            "u_towards": 1 if major > 0 else -1,
            "u_lean": lean,
            "u_first_line": first_line,
            "u_columns": sheared_columns,
            "u_cells": (columns, rows),
        }
        drops_m = lower * step_m, upper * step_m
        farthest = _farthest(self._relief_m, drops_m, lean, steps)
        soft_m = _SOFT_CELLS * step_m * max(upper, math.tan(angular_radius))
        with grids.temporary(rows, columns) as visible:
            visible.filter = (moderngl.LINEAR, moderngl.LINEAR)
            with (
                grids.temporary(steps, sheared_columns, 2) as one,
                grids.temporary(steps, sheared_columns, 2) as another,
            ):
                reach, other, stride, crests = one, another, 1, {"u_heights": self._crests}
                yield from grids.run_in_strips("draw/light/sheared_heights.frag", reach, crests, shear)
                while stride < farthest:
                    steps_on = {**shear, "u_stride": stride, "u_skip": int(stride == 1), "u_drop_m": drops_m}
                    yield from grids.run_in_strips("draw/light/shadow_reach.frag", other, {"u_reach": reach}, steps_on)
                    reach, other, stride = other, reach, 4 * stride
                textures = {"u_heights": heights, "u_reach": reach}
                softened = {**shear, "u_soft_m": soft_m}
                yield from grids.run_in_strips("draw/light/shadow.frag", visible, textures, softened)
            if not keeps_bounced or self._bounced is None:
                before, self._bounced = self._bounced, None
                if before is not None:
                    grids.give_back(before)
                self._bounced = yield from self._light_of_ground(visible, sun, exaggeration, ground)
            if self._light is None or self._light.size != heights.size:
                if self._light is not None:
                    grids.give_back(self._light)
                self._light = grids.texture(rows, columns, 4)
                self._light.filter = (moderngl.LINEAR, moderngl.LINEAR)
            reaching = {"u_visible": visible, "u_seen": self._seen, "u_bounced": self._bounced}
            grids.run("draw/light/light_map.frag", self._light, reaching)

    def _light_of_ground(
        self, visible: moderngl.Texture, sun: np.ndarray, exaggeration: float, light: GroundLight
    ) -> Passes[moderngl.Texture]:
        """Return the `light` that the ground around sends to each place, where so much of the sun is `visible`."""
        grids, numbers = self._grids, light.numbers
        assert self._heights is not None and self._seen is not None and self._sources is not None
        if not numbers:
            return grids.upload(np.zeros((1, 1, 4), np.float32))
        (columns, rows), whole = _within(self._heights.size, self._bounce_side), self._heights.size
        cell_m = (self._cell_m[0] * whole[0] / columns, self._cell_m[1] * whole[1] / rows)
        with (
            grids.temporary(rows, columns, 2) as coarse,
            grids.temporary(rows, columns, 4, levels=True) as sent,
            grids.unfinished(rows, columns, 4) as bounced,
        ):
            yield from _make_coarse(grids, self._heights, coarse, 1.0)
            surface, ground_m = self._sources
            textures = {
                "u_coarse": coarse,
                "u_surface": surface,
                "u_ground_m": ground_m,
                "u_visible": visible,
                "u_seen": self._seen,
            }
            here: dict[str, Number] = {
                "u_cell_m": cell_m,
                "u_exaggeration": exaggeration,
                "u_sun_dir": tuple(sun.tolist()),
            }
            with stopwatch.part("light of the ground"):
                grids.run("draw/light/sent_light.frag", sent, textures, {**numbers, **here})
                mipmaps.build(sent)
                sent.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
                grids.run("draw/light/bounced_light.frag", bounced, {"u_sent": sent}, {"u_cell_m": cell_m})
        bounced.filter = (moderngl.LINEAR, moderngl.LINEAR)
        return bounced


def asked_for(
    height_map: HeightMap,
    sun: np.ndarray,
    angular_radius: float,
    exaggeration: float,
    version: int,
    ground: GroundLight,
) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return what says whose heights a light map is of, and what lights them, as `LightMap.passes` takes them."""
    return (height_map, height_map.version, exaggeration, version), (*map(float, sun), angular_radius, ground)


def _farthest(relief_m: float, drops_m: tuple[float, float], lean: float, steps: int) -> int:
    """Return how many steps towards the sun, of `steps`, land may stand whose shadow counts.

    Rays from the sun's lower and upper limb fall by `drops_m` a step. From farther on, no land so high as the relief
    reaches over the lowest ground, nor over the upper limb's ray from the first ground on the line. That is the next
    step's, but where a line comes to the land from half a cell beside it, `lean` cells a step.
    """
    lower_m, upper_m = drops_m
    if lower_m <= 0:
        return steps
    first = min(math.ceil(_BESIDE_CELLS / abs(lean)), steps) if abs(lean) * steps > _BESIDE_CELLS else 0
    return min(first + math.ceil((relief_m + upper_m + _OVER_RELIEF_M) / lower_m), steps)


def sky_share(
    grids: GridPasses,
    heights: moderngl.Texture,
    cell_size: tuple[float, float],
    largest_side: int,
    exaggeration: float = 1.0,
) -> Passes[moderngl.Texture]:
    """Return a texture of the share of the sky's light that each place of `heights` gets, of at most that many a side.

    `heights` are of vertices `cell_size` (z, x) metres apart. Whoever asks gives the texture back.
    """
    columns, rows = _within(heights.size, largest_side)
    cell_m = (cell_size[1] * heights.size[0] / columns, cell_size[0] * heights.size[1] / rows)
    steps = 1 + _OCTAVE_STEPS * math.ceil(math.log2(math.hypot(columns, rows)))
    with grids.temporary(rows, columns, 2, levels=True) as coarse, grids.unfinished(rows, columns) as seen:
        with _filtered(heights):
            yield from _make_coarse(grids, heights, coarse, exaggeration)
        mipmaps.build(coarse)
        coarse.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
        with stopwatch.part("occlusion"):
            numbers: dict[str, Number] = {"u_cell_m": cell_m, "u_steps": steps}
            fragment, textures = "draw/light/occlusion.frag", {"u_heights": coarse}
            yield from grids.run_in_strips(fragment, seen, textures, numbers, strip_cells=_SKY_STRIP_CELLS)
    seen.filter = (moderngl.LINEAR, moderngl.LINEAR)
    return seen


def _make_coarse(
    grids: GridPasses, heights: moderngl.Texture, coarse: moderngl.Texture, exaggeration: float
) -> Passes[None]:
    """Fill the texture `coarse` with coarser `heights`, read between vertices as those are filtered."""
    columns, rows = coarse.size
    # read at vertices alone, where filters give the same, to the bit, in 2.5 times the time on software OpenGL
    at_vertices = heights.width % columns == heights.height % rows == 0
    with _filtered(heights, moderngl.NEAREST) if at_vertices else nullcontext():
        numbers: dict[str, Number] = {"u_size": (columns, rows), "u_exaggeration": exaggeration}
        yield from grids.run_in_strips("draw/light/coarse_heights.frag", coarse, {"u_heights": heights}, numbers)


@contextmanager
def _filtered(texture: moderngl.Texture, by: int = moderngl.LINEAR) -> Iterator[None]:
    """Read `texture` filtered that way."""
    before = texture.filter
    texture.filter = (by, by)
    try:
        yield
    finally:
        texture.filter = before


def _within(size: tuple[int, int], largest: int) -> tuple[int, int]:
    """Return `size` (columns, rows) shrunk in proportion until no side is over `largest`."""
    share = min(1.0, largest / max(size))
    return max(2, round(size[0] * share)), max(2, round(size[1] * share))
