"""The terrain pass: blocks of cells by instances over the height texture, each at its level of detail.

Which level that is stands in `detail.py`, and what the surface of a level is in shaders/draw/land/terrain.vert.
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
from fellview.draw.land.block_detail import BLOCK_CELLS, LEVELS
from fellview.draw.land.deferred_shading import DeferredShading
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.level_of_detail import BlockGrid, Sight
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
_DRAFT_TRIANGLES, _DRAFT_AROUND = 180_000, 15_000
_FEWER_BELOW = 0.28  # of the picture's pixels a side: where that is late still, fewer pixels save next to nothing
"""Of a draft, however small: of the land, and of each grid around it. Steep land loses its shape with few: in a canyon
220,000 leave 0.9 dB more than 150,000, and 3.3 more than 79,000."""

_EDGES_PX, _LEAST_EDGES = 60.0, 4_000  # of the picture, a triangle whose edges are to be told apart; and as above

_OVER_THE_GROUND = (-1.0, -1.0)  # of depth, for edges that lie on it

_ALONE = Tile()

_INSTANCE_FLOATS = 7  # block column and row, level, the levels of four borders


@dataclasses.dataclass(frozen=True)
class Begun:
    """Land that has been drawn, or of which places have been."""

    drawn: level_of_detail.DrawnBlocks
    """Its blocks."""
    shade: Callable[[], Passes[None]]
    """Draws its light, where only places have been drawn."""


@dataclasses.dataclass(frozen=True)
class _Chosen:
    """The blocks of one frame, and the numbers and things by which they were chosen; things count by what they are."""

    numbers: tuple[object, ...]
    things: tuple[object, ...]
    drawn: level_of_detail.DrawnBlocks


def block_indices(level: int = 0) -> np.ndarray:
    """Return the triangle list of one block, uint16, where every 2^level-th vertex is drawn.

    Vertex [i, j] has index i·(64/2^level + 1) + j, i along rows. Triangles are the mesh's: (rc, r+1 c, r+1 c+1) and
    (rc, r+1 c+1, r c+1).
    """
    side = (BLOCK_CELLS >> level) + 1
    first = np.arange(side * side, dtype=np.uint16).reshape(side, side)
    corner, right, below, across = first[:-1, :-1], first[:-1, 1:], first[1:, :-1], first[1:, 1:]
    return np.stack([corner, below, across, corner, across, right], axis=-1).ravel()


def skirt_indices(level: int = 0) -> np.ndarray:
    """Return the triangle list of a block's skirt, which hangs down from its four sides, uint16.

    Past the block's own vertices come 64/2^level + 1 a side: at the least and the greatest x, the least and the
    greatest z (shaders/draw/land/terrain.vert).
    """
    side = (BLOCK_CELLS >> level) + 1
    number = np.arange(side * side, dtype=np.uint16).reshape(side, side)
    upper = np.stack([number[:, 0], number[:, -1], number[0], number[-1]])
    lower = side * side + np.arange(4 * side, dtype=np.uint16).reshape(4, side)
    one, other, under, across = upper[:, :-1], upper[:, 1:], lower[:, :-1], lower[:, 1:]
    return np.stack([one, under, across, one, across, other], axis=-1).ravel()


def draft_triangles(scale: float) -> float:
    """Return how many triangles of the land a draft of `scale` may have.

    At 0.24 half as many as at 0.28: a canyon's frame takes 41 ms then and not 55.
    """
    return _DRAFT_TRIANGLES * min(scale / _FEWER_BELOW, 1.0) ** 5


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
        self._levels: dict[int, list[_Level]] = {}
        self._kept: weakref.WeakKeyDictionary[HeightMap, _Chosen] = weakref.WeakKeyDictionary()
        self._seen = context.query(samples=True)
        self._software = gpu_context.is_software(context)
        self.in_steps = self._software and formats.of(context).draws(4, "f4")
        """Whether land is drawn in two steps where it can be: places first, and their light once a pixel."""

    @functools.cached_property
    def _ground(self) -> moderngl.Texture:
        """The demo's texture, which few scenes are drawn with."""
        return demo_texture.load(self._context)

    def begin(
        self,
        height_map: HeightMap,
        lighting: Lighting,
        view_projection: np.ndarray,
        mode: str,
        exaggeration: float = 1.0,
        full: bool = False,
        *,
        resting: bool = False,
        scale: float = 1.0,
        base_m: float | None = None,
        cover: Cover | None = None,
        target: Target | None = None,
        tile: Tile | None = None,
        before: Sequence[HeightMap] = (),
        unshifted: np.ndarray | None = None,
        layer: int = 0,
    ) -> Passes[Begun | None]:
        """Draw into the bound framebuffer, or where that is faster only places yet; `mode` is the view mode.

        Heights are drawn `exaggeration` times as high, and `base_m` is the base of a slab. Where it is `full`, and as
        wireframe, every cell is drawn with two triangles; a picture that rests may get more than one that moves, and
        a frame that has `scale` times its picture's pixels a side gets fewest. Only places are drawn where the bound
        framebuffer is that of a `target`; grounds of which several are begun before one is shaded have each a `layer`.
        `tile` says how this ground lies among other ground, which may be there already; `before` are those that may
        hide this. Frames of a mean, whose projections are `unshifted` but for parts of a pixel, share levels and
        blocks.
        """
        field = height_map.field
        if field is None or height_map.heights is None or height_map.normals is None or height_map.detail is None:
            return None
        context, heights, normals = self._context, height_map.heights, height_map.normals
        drawing = view_modes.drawing(mode)
        defines = cover.defines if cover else bare_defines(drawing)
        wireframe, edges = (each and not lighting.surface for each in (drawing.wireframe, drawing.edges))
        lines = wireframe or edges
        in_steps = target is not None and target.samples == 1 and self.in_steps and not (lines or lighting.surface)
        near_m = cover.near_m if cover else 0.0
        in_one = defines + "#define NEAR\n" if near_m > 0 else defines
        tile = tile or _ALONE
        left, bottom, width, height = context.viewport
        numbers = {
            "u_cell_m": (field.cell_size[1], field.cell_size[0]),
            "u_exaggeration": exaggeration,
            "u_origin_m": tile.origin_m,
            "u_skirt_m": (tile.skirt_m, tile.rim_m),
            "u_rim_sinks_m": tile.rim_sinks_m,
            "u_skirt_foot_m": tile.skirt_foot_m,
            "u_hole": tile.hole,
            "u_across_first": tile.across_first,
            "u_across_land": tile.across_land,
            "u_finer": 1 / scale,
            "u_corner_px": (-left, -bottom),
        }

        def bind(one: moderngl.Program) -> None:
            bindings.use(one, {"u_heights": heights, "u_normals": normals})
            if bindings.reads(one, "u_ground"):
                bindings.use(one, {"u_ground": self._ground})
            bindings.write(one, numbers)
            if cover:
                cover.bind(one)
            bindings.use(one, tile.textures)

        def ready() -> list[moderngl.Program]:
            """Bind what blocks are drawn with; return the programs for them and for their edges."""
            context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
            context.front_face = "cw"  # as in the demo: (rc, r+1 c, r+1 c+1) runs clockwise seen from above
            used = [self._with_levels(self._places.program) if in_steps else self._program(lighting, in_one)]
            if edges:
                used.append(self._program(lighting, "#define INK\n"))
            for one in used:
                bind(one)
                programs.write(one, "u_view_projection", view_projection)
            return used

        draft, alone = scale < 1, tile.left_out is None
        grid = _blocks(height_map, tile, base_m)
        matrix = np.asarray(view_projection if unshifted is None else unshifted, np.float64)
        sight = Sight(matrix, (width, height), exaggeration)
        error_px, most_triangles = self._limits(drawing, sight.size_px, scale, resting=resting, alone=alone)
        drawn = self._chosen(
            height_map,
            grid,
            sight,
            0.0 if full or drawing.wireframe else error_px,
            most_triangles,
            before if alone or not draft else None,  # few blocks around a draft's land: to tell costs more than to draw
        )
        shown = drawn
        if target is not None and target.size != sight.size_px:
            region = Region(-left, -bottom, target.size, sight.size_px)
            cropped = Sight(region.cropped(np.asarray(view_projection, np.float64)), target.size, exaggeration)
            shown = level_of_detail.within(drawn, grid, cropped, tile.skirt_m)
        into = self._places.begin(target, layer) if in_steps and target is not None else None
        # other ground may hide all of it: then there are no pixels to be shaded; of a draft that is not worth the wait
        counts = in_steps and not alone and not draft
        counting = self._seen if counts else contextlib.nullcontext()
        in_parts = self._software and alone and target is not None
        for number, part in enumerate(shown.parts(_PASS_TRIANGLES) if in_parts else [shown]):
            if number:
                yield
            if target is not None:
                (into or target.drawn).use()
            with stopwatch.part("land places" if in_steps else "ground"), counting:
                program, *inks = ready()
                self._draw_blocks(part, program, inks, wireframe=wireframe)
                if tile.skirt_blocks is not None:
                    self._draw_skirts(part, tile.skirt_blocks, program)
        seen = in_steps and not (counts and self._seen.samples == 0)

        def shade() -> Passes[None]:
            if seen:
                yield
                here = near_m / scale
                yield from self._places.shade(lighting, defines, bind, here, alone=alone, lit=drawing.lit, layer=layer)

        return Begun(drawn, shade)

    def _limits(
        self, drawing: view_modes.ViewDrawing, size: Size, scale: float, *, resting: bool, alone: bool
    ) -> tuple[float, float]:
        """Return how many pixels of a picture of `size` the mesh may be off, and about how many triangles it may have.

        What is not `alone` lies around the land.
        """
        if scale < 1:
            error_px, most = draft_error_px(scale), draft_triangles(scale) if alone else _DRAFT_AROUND
        else:
            error_px = _SOFTWARE_MOVING_PX if self._software and not resting else level_of_detail.ERROR_PX
            most = max((_SOFTWARE if self._software else _HARDWARE) * size[0] * size[1], _LEAST_TRIANGLES)
        if drawing.edges:
            most = max(size[0] * size[1] / _EDGES_PX, _LEAST_EDGES)
        return error_px, most

    def _chosen(
        self,
        height_map: HeightMap,
        grid: BlockGrid,
        sight: Sight,
        error_px: float,
        most_triangles: float,
        before: Sequence[HeightMap] | None,
    ) -> level_of_detail.DrawnBlocks:
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

    def places(
        self,
        height_map: HeightMap,
        drawn: level_of_detail.DrawnBlocks,
        matrix: np.ndarray,
        size: Size,
        exaggeration: float = 1.0,
    ) -> NDArray[np.float32]:
        """Return where the land is that each pixel of a picture of `size` shows, float32 [row, column, xyz and more].

        The fourth number is above 0 where there is land. Rows come from below, and both sides of triangles are drawn.
        """
        context, field = self._context, height_map.field
        assert field is not None and height_map.heights is not None
        picture = context.texture(size, 4, dtype="f4")
        framebuffer = context.framebuffer(picture, context.depth_renderbuffer(size))
        framebuffer.use()
        framebuffer.clear(depth=1.0)
        context.enable_only(moderngl.DEPTH_TEST)
        program = self._with_levels(self._places.program)
        bindings.use(program, {"u_heights": height_map.heights})
        cell_m = field.cell_size[1], field.cell_size[0]
        numbers = {"u_cell_m": cell_m, "u_exaggeration": exaggeration, "u_origin_m": _ALONE.origin_m}
        bindings.write(program, numbers)
        programs.write(program, "u_view_projection", matrix)
        self._draw_blocks(drawn, program, [])
        found = np.frombuffer(picture.read(), np.float32).reshape(size[1], size[0], 4)
        for thing in (framebuffer.depth_attachment, framebuffer, picture):
            if thing is not None:
                thing.release()
        return found

    def _draw_skirts(
        self, drawn: level_of_detail.DrawnBlocks, skirt_blocks: NDArray[np.bool_], program: moderngl.Program
    ) -> None:
        """Draw the skirts of those blocks of `drawn` that are `skirt_blocks`; either face may be seen."""
        columns, rows = drawn.blocks.astype(np.intp).T
        some = drawn.of(skirt_blocks[rows, columns])
        self._context.disable(moderngl.CULL_FACE)
        self._draw_levels(some, program, skirts=True)

    def _draw_levels(
        self, drawn: level_of_detail.DrawnBlocks, program: moderngl.Program, *, skirts: bool = False
    ) -> None:
        """Draw the blocks with `program`, or their skirts, level by level."""
        levels = self._levels[program.glo]
        for level, blocks in drawn.by_level:
            levels[level].draw(blocks, skirts=skirts)

    def _draw_blocks(
        self,
        drawn: level_of_detail.DrawnBlocks,
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

    def _program(self, lighting: Lighting, defines: str) -> moderngl.Program:
        """Return the program for `lighting` and `defines`, and see to its levels."""
        return self._with_levels(self._programs.of(lighting, defines))

    def _with_levels(self, program: moderngl.Program) -> moderngl.Program:
        """Return `program`, and see to its levels."""
        if program.glo not in self._levels:
            self._levels[program.glo] = [_Level(self._context, program, level) for level in range(LEVELS)]
        return program


def _blocks(height_map: HeightMap, tile: Tile = _ALONE, base_m: float | None = None) -> BlockGrid:
    """Return the blocks of what `height_map` has; `tile` and `base_m` are as in `TerrainPass.begin`."""
    field, detail = height_map.field, height_map.detail
    assert field is not None and detail is not None
    sides = field.rows, field.columns
    return BlockGrid(detail, sides, field.cell_size, tile.origin_m, tile.left_out, tile.rim_m, base_m)


class _Level:
    """The triangles of one level of detail, and the blocks that are drawn with them."""

    def __init__(self, context: moderngl.Context, program: moderngl.Program, level: int) -> None:
        self._context, self._program = context, program
        self._level = level
        self._instances = context.buffer(reserve=4 * _INSTANCE_FLOATS, dynamic=True)
        self._block = self._array(block_indices(level))
        self._skirts: moderngl.VertexArray | None = None

    def draw(self, blocks: NDArray[np.float32], *, skirts: bool = False) -> None:
        """Draw `blocks`, as `DrawnBlocks.by_level` has them; or their skirts."""
        self._instances.orphan(max(blocks.nbytes, self._instances.size))
        self._instances.write(blocks)
        if skirts and self._skirts is None:
            self._skirts = self._array(skirt_indices(self._level))
        (self._skirts if skirts and self._skirts else self._block).render(moderngl.TRIANGLES, instances=len(blocks))

    def _array(self, indices: np.ndarray) -> moderngl.VertexArray:
        return self._context.vertex_array(
            self._program,
            [(self._instances, "2f 1f 4f/i", "in_block", "in_level", "in_border_levels")],
            index_buffer=self._context.buffer(indices.tobytes()),
            index_element_size=2,
        )
