"""The terrain pass: blocks of cells by instances over the height texture, each at its level of detail.

Which level that is stands in `level_of_detail.py`, its triangles in `block_mesh.py`, and what the surface of a level is
in shaders/draw/land/terrain.vert.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import weakref
from collections.abc import Callable, Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.draw import stopwatch
from fellview.draw.ground import demo_texture
from fellview.draw.ground.cover import Cover, bare_defines
from fellview.draw.land import level_of_detail
from fellview.draw.land.block_detail import LEVELS
from fellview.draw.land.block_mesh import BlockMesh
from fellview.draw.land.deferred_shading import DeferredShading
from fellview.draw.land.draft_mesh import DraftMesh
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.level_of_detail import BlockGrid, DrawnBlocks, Sight
from fellview.draw.land.tile import Tile
from fellview.draw.light.lighting import Lighting, LitPrograms
from fellview.draw.overlay import view_modes
from fellview.draw.passes import Passes
from fellview.draw.target import Region, Size, Target
from fellview.gpu import bindings, formats, programs, state
from fellview.gpu import context as gpu_context
from fellview.gpu.uniform_block import UniformBlock

# Most triangles for every pixel of the viewport, as `select_blocks` counts them: on llvmpipe a triangle costs about as
# much as a pixel.
_SOFTWARE, _HARDWARE = 1.0, 4.0
_SOFTWARE_MOVING_PX = 1.2  # of error, while something moves: 2 pixels in the worst corner of a border, as measured
_PASS_TRIANGLES = 120_000  # most in a row on software OpenGL, so that none takes longer than some 30 ms
_LEAST_TRIANGLES = 300_000  # in a small picture too, or the blocks about the eye would take all that there are
_DRAFT_PX = 3.0  # of error in a draft's own pixels at most, of a bound seldom reached; 2 take up to a sixth longer
_DRAFT_FINER = 0.3  # pixels of error, times the pixels of the picture for each of a draft's: the less, the more it has
_DRAFT_TRIANGLES = 180_000
"""Of the land in a draft of blocks. Steep land loses its shape with few: in a canyon 220,000 leave 0.9 dB more than
150,000, and 3.3 more than 79,000."""
_AROUND_TRIANGLES, _AROUND_PX = 30_000, 1.0
"""Of each grid around the land in a draft of 0.28, and the error in a draft's own pixels that wants no more. At 0.24
they are 22,000: where ground around is seen, dunes have 1.4 to 1.7 dB more than with 15,000 and the land's error,
badlands, canyons, rocky coasts and the Moon 0.2 to 0.8; a frame takes up to 5 ms longer."""
_FEW_SEEN, _HIDDEN_AROUND = 0.01, 0.3
"""The share of a draft's pixels that show a grid around the land below which the next draft has fewer triangles of it,
and how many times as many: mostly the land hides all of it."""
_MESH_TRIANGLES, _MESH_FINER = 54_000, 0.15
"""Triangles of a draft of 0.28 whose land has some of its own, and how many of its pixels a split changes at least,
times those of the picture for each. With 40,000 at 0.24 a frame takes as long as with blocks."""

_HURRIED_AROUND = 0.1
"""Times as many for each grid around the land while a hand waits for all pixels, on software OpenGL: fjords, where
those have 588,000 otherwise, take a tenth less time and lose 0.04 dB."""
_FEWER_BELOW = 0.28  # of the picture's pixels a side: where that is late still, fewer pixels save next to nothing

_EDGES_PX, _LEAST_EDGES = 60.0, 4_000  # of the picture, a triangle whose edges are to be told apart; and as above

_OVER_THE_GROUND = (-1.0, -1.0)  # of depth, for edges that lie on it

_ALONE = Tile()


@dataclasses.dataclass(frozen=True, eq=False)
class GroundView:
    """How one frame shows ground, be it the land or around it."""

    view_projection: NDArray[np.float32]
    """From the world to clip space, for row vectors."""
    drawing: view_modes.ViewDrawing
    """How its view mode is drawn."""
    exaggeration: float = 1.0
    """How many times as high as they are heights are drawn."""
    full: bool = False
    """Whether every cell is drawn with two triangles, as it is in a wireframe."""
    resting: bool = False
    """Whether nothing moves, so that there may be more triangles."""
    hurried: bool = False
    """Whether a hand waits for it that rests."""
    scale: float = 1.0
    """How large the frame is beside its picture: below 1 for a draft, which has fewest triangles."""
    cover: Cover | None = None
    target: Target | None = None
    """What is drawn into, where only places may be drawn at first."""
    unshifted: NDArray[np.float32] | None = None
    """The projection without the part of a pixel by which it is another in each frame of a mean: those share levels and
    blocks."""

    @property
    def is_draft(self) -> bool:
        """Whether it is of fewer pixels than its picture."""
        return self.scale < 1

    @property
    def every_cell(self) -> bool:
        """Whether no cells are left out."""
        return self.full or self.drawing.wireframe

    @property
    def near_m(self) -> float:
        """How many metres a picture's pixel covers at most where what only shows near by is drawn; 0 for nowhere."""
        return self.cover.near_m if self.cover else 0.0

    @property
    def defines(self) -> str:
        """The lines of its shading."""
        return self.cover.defines if self.cover else bare_defines(self.drawing)


@dataclasses.dataclass(frozen=True, eq=False)
class Ground:
    """One grid of ground to be drawn, and how it lies among others."""

    height_map: HeightMap
    lighting: Lighting
    tile: Tile = _ALONE
    base_m: float | None = None
    """The drawn height of a slab's base."""
    before: Sequence[HeightMap] = ()
    """Other ground that may hide this."""
    layer: int = 0
    """Which of the grids it is whose places are drawn before the first is shaded."""
    has_places: bool = False
    """Whether its places are there, and its depth in the target, as the frame before has left them."""

    @property
    def is_alone(self) -> bool:
        """Whether it is the land: what lies around that leaves it out."""
        return self.tile.left_out is None

    @property
    def is_whole(self) -> bool:
        """Whether it is the land, with nothing cut off below it."""
        return self.is_alone and self.base_m is None

    @property
    def blocks(self) -> BlockGrid:
        """Its blocks."""
        return _blocks(self.height_map, self.tile, self.base_m)


@dataclasses.dataclass(frozen=True)
class Begun:
    """Ground that has been drawn, or of which places have been."""

    drawn: DrawnBlocks | None
    """Its blocks; none where it has triangles of its own instead."""
    shade: Callable[[], Passes[None]]
    """Draws its light, where only places have been drawn."""
    only_places: bool = False
    """Whether that is so."""


@dataclasses.dataclass(frozen=True)
class _Chosen:
    """The blocks of one frame, and the numbers and things by which they were chosen; things count by what they are."""

    numbers: tuple[object, ...]
    things: tuple[object, ...]
    drawn: DrawnBlocks


def draft_triangles(scale: float) -> float:
    """Return how many triangles of the land a draft of `scale` may have.

    At 0.24 half as many as at 0.28: a canyon's frame takes 41 ms then and not 55.
    """
    return _DRAFT_TRIANGLES * min(scale / _FEWER_BELOW, 1.0) ** 5


def around_triangles(scale: float) -> float:
    """Return how many triangles each grid around the land may have in a draft of `scale`."""
    return min(_AROUND_TRIANGLES * (scale / _FEWER_BELOW) ** 2, _DRAFT_TRIANGLES)


def mesh_limits(scale: float) -> tuple[float, float]:
    """Return how many of its own pixels each split of a draft's mesh is to change, and about the most triangles.

    Both are finer where frames have time for more pixels.
    """
    return _MESH_FINER / scale**2, min(_MESH_TRIANGLES * (scale / _FEWER_BELOW) ** 2, _DRAFT_TRIANGLES)


def draft_error_px(scale: float) -> float:
    """Return the error in its own pixels that the mesh of a draft of `scale` may have.

    Where frames have time for more pixels, they have it for more triangles, and smooth land is the nearer to its
    picture: dunes at a scale of 0.34 lack 8.6 dB of a full frame with 3 pixels and 7.0 with 1.5, a volcano 7.3 and 5.6.
    Rejected: as much at every scale, which is a fifth of the time of those that have none to spare.
    """
    return min(max(_DRAFT_FINER / scale**2, _SOFTWARE_MOVING_PX), _DRAFT_PX)


class TerrainPass:
    """Draws the height map as indexed triangle lists."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        files = "draw/land/terrain.vert", "draw/land/terrain.frag", "draw/land/land_surface.frag"
        self._programs = LitPrograms(context, look, *files)
        self._places = DeferredShading(context, look)
        self._meshes: dict[int, list[BlockMesh]] = {}
        self._kept: weakref.WeakKeyDictionary[HeightMap, _Chosen] = weakref.WeakKeyDictionary()
        self._seen = context.query(samples=True)
        self._seen_in_drafts: dict[int, moderngl.Query] = {}  # by layer: of the last draft, which OpenGL has drawn
        self._software = gpu_context.is_software(context)
        self.in_steps = self._software and formats.of(context).draws(4, "f4")
        """Whether land is drawn in two steps where it can be: places first, and their light once a pixel."""

    @functools.cached_property
    def draft_mesh(self) -> DraftMesh:
        """What draws the land of drafts, where it can; pictures for files have none."""
        return DraftMesh(self._context)

    @functools.cached_property
    def _ground(self) -> moderngl.Texture:
        """The demo's texture, which few scenes are drawn with."""
        return demo_texture.load(self._context)

    def begin(self, ground: Ground, view: GroundView) -> Passes[Begun | None]:
        """Draw `ground` into the bound framebuffer, or where that is faster only places yet; None where there is none.

        The bound framebuffer is that of the view's target where it has one.
        """
        height_map, target = ground.height_map, view.target
        if height_map.field is None or height_map.normals is None or height_map.detail is None:
            return None
        drawing, surface = view.drawing, ground.lighting.surface
        lines = not surface and (drawing.wireframe or drawing.edges)
        single = target is not None and target.samples == 1
        in_steps = self.in_steps and single and not (lines or surface)
        bind = self._binding(ground, view)
        drawn, parts = self._parts(ground, view, bind, in_steps=in_steps)
        into = None
        if in_steps and target is not None and not ground.has_places:
            into = self._places.begin(target, ground.layer)
        # other ground may hide all of it: then there are no pixels to be shaded; of a draft that is not worth the wait
        counts = in_steps and not ground.is_alone and not view.is_draft
        counting: moderngl.Query | contextlib.nullcontext[None] = self._seen if counts else contextlib.nullcontext()
        if in_steps and view.is_draft and not ground.is_alone and not ground.has_places:
            if ground.layer not in self._seen_in_drafts:
                self._seen_in_drafts[ground.layer] = self._context.query(samples=True)
            counting = self._seen_in_drafts[ground.layer]
        for number, draw in enumerate([] if ground.has_places else parts):
            if number:
                yield
            if target is not None:
                (into or target.drawn).use()
            with stopwatch.part("land places" if in_steps else "ground"), counting:
                draw()
        seen = in_steps and not (counts and self._seen.samples == 0)

        def shade() -> Passes[None]:
            if seen:
                yield
                yield from self._places.shade(
                    ground.lighting,
                    view.defines,
                    bind,
                    view.near_m / view.scale,
                    alone=ground.is_alone,
                    lit=drawing.lit,
                    layer=ground.layer,
                    onto_grid=view.is_draft and ground.is_alone,
                )

        return Begun(drawn, shade, only_places=in_steps)

    def _parts(
        self, ground: Ground, view: GroundView, bind: Callable[[moderngl.Program], None], *, in_steps: bool
    ) -> tuple[DrawnBlocks | None, list[Callable[[], None]]]:
        """Return the blocks of `ground` that its picture shows, and what draws them, or their places, part by part.

        A draft's land has triangles of its own instead, where it can.
        """
        height_map, target, tile = ground.height_map, view.target, ground.tile
        if in_steps and view.is_draft and ground.is_whole and not view.every_cell and self.draft_mesh.takes(height_map):
            sight, limits = self._sight(view), mesh_limits(view.scale)

            def draw_mesh() -> None:
                mesh = self.draft_mesh.chosen(height_map, ground.blocks, sight, *limits)
                self.draft_mesh.draw(mesh, tile, view.view_projection)

            return None, [draw_mesh]
        drawn, shown = self._selected(ground, view)
        in_parts = self._software and ground.is_alone and target is not None
        parts = shown.parts(_PASS_TRIANGLES) if in_parts else [shown]
        return drawn, [functools.partial(self._draw, part, ground, view, bind, in_steps=in_steps) for part in parts]

    def _sight(self, view: GroundView) -> Sight:
        """Return how `view` looks at ground in the viewport."""
        matrix = np.asarray(view.view_projection if view.unshifted is None else view.unshifted, np.float64)
        return Sight(matrix, self._context.viewport[2:], view.exaggeration)

    def _binding(self, ground: Ground, view: GroundView) -> Callable[[moderngl.Program], None]:
        """Return what binds all that a program reads of `ground` but the projection."""
        height_map, tile = ground.height_map, ground.tile
        field, heights, normals = height_map.field, height_map.heights, height_map.normals
        assert field is not None and heights is not None and normals is not None
        left, bottom, *_ = self._context.viewport
        numbers = {
            "u_cell_m": (field.cell_size[1], field.cell_size[0]),
            "u_exaggeration": view.exaggeration,
            "u_origin_m": tile.origin_m,
            "u_skirt_m": (tile.skirt_m, tile.rim_m),
            "u_rim_sinks_m": tile.rim_sinks_m,
            "u_skirt_foot_m": tile.skirt_foot_m,
            "u_hole": tile.hole,
            "u_across_first": tile.across_first,
            "u_across_land": tile.across_land,
            "u_finer": 1 / view.scale,
            "u_corner_px": (-left, -bottom),
        }

        def bind(one: moderngl.Program) -> None:
            bindings.use(one, {"u_heights": heights, "u_normals": normals})
            if bindings.reads(one, "u_ground"):
                bindings.use(one, {"u_ground": self._ground})
            bindings.write(one, numbers)
            if view.cover:
                view.cover.bind(one)
            bindings.use(one, tile.textures)

        return bind

    def _selected(self, ground: Ground, view: GroundView) -> tuple[DrawnBlocks, DrawnBlocks]:
        """Return the blocks of `ground` that the picture shows, and those of the region of it that is drawn."""
        left, bottom, width, height = self._context.viewport
        target, grid, exaggeration = view.target, ground.blocks, view.exaggeration
        matrix = np.asarray(view.view_projection if view.unshifted is None else view.unshifted, np.float64)
        sight = Sight(matrix, (width, height), exaggeration)
        error_px, most_triangles = self._limits(view, sight.size_px, ground)
        # few blocks around a draft's land: to tell which are hidden costs more than to draw them
        before = ground.before if ground.is_alone or not view.is_draft else None
        drawn = self._chosen(ground.height_map, grid, sight, error_px, most_triangles, before)
        if target is None or target.size == sight.size_px:
            return drawn, drawn
        region = Region(-left, -bottom, target.size, sight.size_px)
        cropped = region.cropped(np.asarray(view.view_projection, np.float64))
        seen = Sight(cropped, target.size, exaggeration)
        return drawn, level_of_detail.within(drawn, grid, seen, ground.tile.skirt_m)

    def _draw(
        self,
        blocks: DrawnBlocks,
        ground: Ground,
        view: GroundView,
        bind: Callable[[moderngl.Program], None],
        *,
        in_steps: bool,
    ) -> None:
        """Draw `blocks` of `ground`, or `in_steps` only their places, with what `bind` binds."""
        context, drawing, tile = self._context, view.drawing, ground.tile
        context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        context.front_face = "cw"  # as in the demo: (rc, r+1 c, r+1 c+1) runs clockwise seen from above
        near = "#define NEAR\n" if view.near_m > 0 else ""
        program = self._places.program if in_steps else self._programs.of(ground.lighting, view.defines + near)
        lines = not ground.lighting.surface
        inks = [self._programs.of(ground.lighting, "#define INK\n")] if drawing.edges and lines else []
        for one in (program, *inks):
            bind(one)
            programs.write(one, "u_view_projection", view.view_projection)
        self._draw_blocks(blocks, program, inks, wireframe=drawing.wireframe and lines)
        if tile.skirt_blocks is not None:
            self._draw_skirts(blocks, tile.skirt_blocks, program)

    def _limits(self, view: GroundView, size: Size, ground: Ground) -> tuple[float, float]:
        """Return how many pixels of a picture of `size` the mesh of `ground` may be off, and its most triangles."""
        if view.is_draft:
            error_px, most = draft_error_px(view.scale), draft_triangles(view.scale)
            if not ground.is_alone:
                error_px, most = _AROUND_PX, around_triangles(view.scale)
                before = self._seen_in_drafts.get(ground.layer)
                if before is not None and before.samples < _FEW_SEEN * size[0] * size[1]:
                    most *= _HIDDEN_AROUND
        else:
            moves = self._software and not view.resting
            error_px = _SOFTWARE_MOVING_PX if moves else level_of_detail.ERROR_PX
            most = max((_SOFTWARE if self._software else _HARDWARE) * size[0] * size[1], _LEAST_TRIANGLES)
            if view.hurried and self._software and not ground.is_alone:
                most *= _HURRIED_AROUND
        if view.drawing.edges:
            most = max(size[0] * size[1] / _EDGES_PX, _LEAST_EDGES)
        return 0.0 if view.every_cell else error_px, most

    def _chosen(
        self,
        height_map: HeightMap,
        grid: BlockGrid,
        sight: Sight,
        error_px: float,
        most_triangles: float,
        before: Sequence[HeightMap] | None,
    ) -> DrawnBlocks:
        """Return the blocks to draw, those of the last frame where nothing has changed by which they are chosen."""
        of_grid = grid.origin_m, grid.rim_m, grid.base_m
        numbers = (*of_grid, sight.matrix.tobytes(), sight.size_px, sight.exaggeration, error_px, most_triangles)
        things = (grid.detail, grid.left_out, *(each.detail for each in before or ()))
        kept = self._kept.get(height_map)
        if kept and kept.numbers == numbers and list(map(id, kept.things)) == list(map(id, things)):
            return kept.drawn
        hide = None if before is None else [_blocks(each).occluder(sight.exaggeration) for each in before]
        drawn = level_of_detail.select_blocks(grid, sight, error_px, most_triangles, hide)
        self._kept[height_map] = _Chosen(numbers, things, drawn)
        return drawn

    def places(self, height_map: HeightMap, drawn: DrawnBlocks, sight: Sight) -> NDArray[np.float32]:
        """Return where the land is that each pixel of a picture shows, float32 [row, column, xyz and more].

        The fourth number is above 0 where there is land. Rows come from below, and both sides of triangles are drawn.
        """
        context, field, size = self._context, height_map.field, sight.size_px
        assert field is not None and height_map.heights is not None
        picture = context.texture(size, 4, dtype="f4")
        framebuffer = context.framebuffer(picture, context.depth_renderbuffer(size))
        framebuffer.use()
        framebuffer.clear(depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        program = self._places.program
        bindings.use(program, {"u_heights": height_map.heights})
        cell_m = field.cell_size[1], field.cell_size[0]
        numbers = {"u_cell_m": cell_m, "u_exaggeration": sight.exaggeration, "u_origin_m": _ALONE.origin_m}
        bindings.write(program, numbers)
        programs.write(program, "u_view_projection", sight.matrix)
        self._draw_blocks(drawn, program, [])
        found = np.frombuffer(picture.read(), np.float32).reshape(size[1], size[0], 4)
        for thing in (framebuffer.depth_attachment, framebuffer, picture):
            if thing is not None:
                thing.release()
        return found

    def _draw_skirts(self, drawn: DrawnBlocks, skirt_blocks: NDArray[np.bool_], program: moderngl.Program) -> None:
        """Draw the skirts of those blocks of `drawn` that are `skirt_blocks`; either face may be seen."""
        columns, rows = drawn.blocks.astype(np.intp).T
        some = drawn.of(skirt_blocks[rows, columns])
        self._context.disable(moderngl.CULL_FACE)
        self._draw_levels(some, program, skirts=True)

    def _draw_levels(self, drawn: DrawnBlocks, program: moderngl.Program, *, skirts: bool = False) -> None:
        """Draw the blocks with `program`, or their skirts, level by level."""
        meshes = self._meshes.get(program.glo)
        if meshes is None:
            meshes = [BlockMesh(self._context, program, level) for level in range(LEVELS)]
            self._meshes[program.glo] = meshes
        for level, blocks in drawn.by_level:
            meshes[level].draw(blocks, skirts=skirts)

    def _draw_blocks(
        self,
        drawn: DrawnBlocks,
        program: moderngl.Program,
        inks: list[moderngl.Program],
        *,
        wireframe: bool = False,
    ) -> None:
        """Draw the blocks with `program`, and their edges over them with those of `inks`."""
        context = self._context
        context.wireframe = wireframe
        try:
            self._draw_levels(drawn, program)
            for ink in inks:
                context.wireframe = True
                context.enable(moderngl.BLEND)
                context.blend_func = state.OVER
                context.polygon_offset = _OVER_THE_GROUND
                self._draw_levels(drawn, ink)
        finally:
            context.wireframe = False
            context.polygon_offset = (0.0, 0.0)
            context.disable(moderngl.BLEND)


def _blocks(height_map: HeightMap, tile: Tile = _ALONE, base_m: float | None = None) -> BlockGrid:
    """Return the blocks of what `height_map` has; `tile` and `base_m` are as in `TerrainPass.begin`."""
    field, detail = height_map.field, height_map.detail
    assert field is not None and detail is not None
    sides = field.rows, field.columns
    return BlockGrid(detail, sides, field.cell_size, tile.origin_m, tile.left_out, tile.rim_m, base_m)
