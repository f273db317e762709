"""The land drawn in two steps: where each pixel meets it, and then its light, once a pixel.

Software OpenGL shades whole squares of 4×4 pixels under every triangle that touches them, and a land's triangles are of
a few pixels each: in one step its light was worked out three times and more for every pixel seen. Hardware has no such
squares, and frames of several samples want the light of each triangle at a pixel: both draw in one step.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import moderngl

from fellview.draw import stopwatch
from fellview.draw.land.full_grid_places import FullGridPlaces
from fellview.draw.light.lighting import Lighting, LitPrograms
from fellview.draw.passes import Passes
from fellview.draw.target import Target
from fellview.draw.water.shelter_map import NOWHERE_M
from fellview.gpu import bindings, programs, state
from fellview.gpu.uniform_block import UniformBlock

_DRY, _FAR_DRY, _NEAR_DRY = (0.25, ">"), (0.0625, ">"), (0.125, "==")
_WET, _FAR_WET, _NEAR_WET, _DEEP = (0.75, "<"), (0.9375, "<"), (0.875, "=="), (0.625, "==")
"""Depths and tests that choose among those of shaders/draw/land/depth_classes.frag: dry land 0 and near dry land 1/8,
no land a half, deep sea 5/8, near water 7/8 and water 1. The eighths are what 24 bits and floats hold alike."""

_NEAR_LINE = "#define NEAR\n"
_BANDS, _BAND_PIXELS = 8, 80_000
"""Parts of the picture, one above the other, in which the land is shaded, and the fewest pixels of one: all of a
window's at once takes some 150 ms."""


class DeferredShading:
    """The places of one picture's pixels on the land, and the passes that shade them."""

    def __init__(self, context: moderngl.Context, look: UniformBlock) -> None:
        self._context = context
        self.program = programs.program(context, "draw/land/terrain.vert", "draw/land/land_positions.frag")
        """The program that land is to be drawn with between `begin` and `shade`."""
        self._lit = LitPrograms(context, look, "draw/land/full_screen_at_depth.vert", "draw/land/terrain.frag")
        self._deep = LitPrograms(context, look, "draw/land/full_screen_at_depth.vert", "draw/land/deep_sea.frag")
        self._marking = programs.program(context, "gpu/full_screen.vert", "draw/land/depth_classes.frag")
        self._marks = context.vertex_array(self._marking, [])
        self._no_water = context.texture((1, 1), 1, bytes(1))
        self._arrays: dict[int, moderngl.VertexArray] = {}
        self._target: Target | None = None
        self._layers: dict[int, tuple[moderngl.Texture, moderngl.Framebuffer]] = {}
        self._places: moderngl.Texture | None = None  # of the layer that is shaded
        self._moved: moderngl.Texture | None = None  # those of the land, once they are on the full grid
        self._marked: moderngl.Framebuffer | None = None
        self._bare_marks: moderngl.Framebuffer | None = None

    @functools.cached_property
    def _full_grid(self) -> FullGridPlaces:
        """What moves the places of drafts; pictures for files have none."""
        return FullGridPlaces(self._context)

    def begin(self, target: Target, layer: int = 0) -> moderngl.Framebuffer:
        """Bind and return what places are drawn into; depth is that of `target`, which has one sample.

        Each `layer` keeps places of its own, so that several can be drawn before the first is shaded.
        """
        self._moved = None
        if self._target is not target:
            self._forget()
            self._target = target
            depth = self._context.depth_renderbuffer(target.size)
            self._marked = self._context.framebuffer(target.texture(), depth)
            # without colours, which the pass leaves undefined: other ground's light may be there already
            self._bare_marks = self._context.framebuffer(depth_attachment=depth)
        if layer not in self._layers:
            places = self._context.texture(target.size, 4, dtype="f4")
            places.filter = (moderngl.NEAREST, moderngl.NEAREST)
            self._layers[layer] = places, self._context.framebuffer(places, target.drawn.depth_attachment)
        framebuffer: Any = self._layers[layer][1]
        for each in (framebuffer, self._marked, self._bare_marks):
            target.limit_columns(each)
        framebuffer.viewport = target.drawn.viewport  # of the picture, of which the target may have a region
        framebuffer.use()
        framebuffer.depth_mask = False
        framebuffer.clear()
        framebuffer.depth_mask = True
        return self._layers[layer][1]

    def places(self, layer: int = 0) -> moderngl.Texture:
        """Return where each pixel of the picture meets a `layer` of the land, rgba32f, once that has begun."""
        return self._layers[layer][0]

    def shade(
        self,
        lighting: Lighting,
        defines: str,
        bind: Callable[[moderngl.Program], None],
        near_m: float = 0.0,
        *,
        alone: bool = True,
        lit: bool = True,
        layer: int = 0,
        onto_grid: bool = False,
    ) -> Passes[None]:
        """Draw the light of a `layer` of the land into the target; `bind` sets what a program reads.

        Pixels that cover less than `near_m` metres get a program of their own, with what only shows there: software
        OpenGL computes both ways of a branch at every pixel; so does deep sea. Where it is not `alone`, depth in the
        target is that of other ground as well. What is not `lit` shows through water. Places of few triangles are to be
        moved `onto_grid`.
        """
        assert self._target is not None
        self._places = self.places(layer)
        if onto_grid:
            with stopwatch.part("land places"):
                self._moved = self._moved or self._full_grid.moved(self._places, self._target, bind)
            self._places = self._moved
        if lighting.water is None and near_m == 0 and alone:
            with stopwatch.part("ground"):
                yield from self._shade(self._target.drawn, lighting, defines, bind, 1.0, ">", _BANDS)
            return
        has_deep = lit and lighting.water is not None and "SEA" in lighting.water.kinds and not lighting.cut
        self._mark(lighting, near_m, has_deep=has_deep)
        bands = _BANDS if alone else 1  # of other ground there is little to be seen
        with stopwatch.part("ground"):
            dry = defines + "#define DRY\n" if lighting.water else defines
            yield from self._shade_marked(lighting, dry, bind, (_DRY, _FAR_DRY, _NEAR_DRY), near_m, bands)
        if lighting.water:
            with stopwatch.part("water"):
                yield from self._shade_marked(lighting, defines, bind, (_WET, _FAR_WET, _NEAR_WET), near_m, bands)
                if has_deep:
                    assert self._marked is not None
                    yield from self._shade(self._marked, lighting, defines, bind, *_DEEP, bands, self._deep)

    def _mark(self, lighting: Lighting, near_m: float, *, has_deep: bool) -> None:
        """Write into depth which pixels show dry land and which water, which of them are near, and which deep sea."""
        assert self._places is not None and self._bare_marks is not None
        context = self._context
        self._bare_marks.use()
        context.enable_only(moderngl.DEPTH_TEST)
        water_near = lighting.water.near if lighting.water else self._no_water
        bindings.use(self._marking, {"u_places": self._places, "u_water_near": water_near})
        self._marking["u_place"] = lighting.map_place
        self._marking["u_near_m"] = near_m
        self._marking["u_dry_m"] = lighting.water.dry_m if lighting.water else NOWHERE_M
        self._marking["u_sea_m"] = lighting.water.sea_m if has_deep and lighting.water else NOWHERE_M
        context.depth_func = "1"
        self._marks.render(moderngl.TRIANGLES, vertices=3)
        context.depth_func = "<"

    def _shade_marked(
        self,
        lighting: Lighting,
        defines: str,
        bind: Callable[[moderngl.Program], None],
        marks: tuple[tuple[float, str], ...],
        near_m: float,
        bands: int,
    ) -> Passes[None]:
        """Draw the pixels of the first of `marks`, or far ones of the second and near ones of the third."""
        assert self._marked is not None
        both, far, near = marks
        if near_m > 0:
            yield from self._shade(self._marked, lighting, defines, bind, *far, bands)
            yield from self._shade(self._marked, lighting, defines + _NEAR_LINE, bind, *near, bands)
        else:
            yield from self._shade(self._marked, lighting, defines, bind, *both, bands)

    def _shade(
        self,
        framebuffer: Any,  # moderngl's own types refuse what its setters take
        lighting: Lighting,
        defines: str,
        bind: Callable[[moderngl.Program], None],
        depth: float,
        test: str,
        bands: int,
        lit_programs: LitPrograms | None = None,
    ) -> Passes[None]:
        """Draw those pixels at which `depth` passes the `test` against what is in `framebuffer`, band by band.

        They are drawn with `lit_programs`, or those of all land.
        """
        assert self._target is not None and self._places is not None
        context, (width, height) = self._context, self._target.size
        bands = max(1, round(bands * min(1.0, width * height / _BAND_PIXELS / _BANDS)))
        edges = [height * number // bands for number in range(bands + 1)]
        for first, last in itertools.pairwise(edges):
            framebuffer.use()
            context.enable_only(moderngl.DEPTH_TEST)
            context.depth_func = test
            program = (lit_programs or self._lit).of(lighting, defines + "#define DEFERRED\n")
            bind(program)
            bindings.write(program, {"u_depth": depth})
            bindings.use(program, {"u_places": self._places})
            if program.glo not in self._arrays:
                self._arrays[program.glo] = context.vertex_array(program, [])
            framebuffer.depth_mask = False  # marks, and what depth the target has, stay as they are
            try:
                with state.rows_only(framebuffer, first, last - first, self._target.columns):
                    self._arrays[program.glo].render(moderngl.TRIANGLES, vertices=3)
            finally:
                framebuffer.depth_mask = True
            context.depth_func = "<"
            yield

    def _forget(self) -> None:
        if self._marked is not None and self._marked.depth_attachment is not None:
            self._marked.depth_attachment.release()
        for thing in (self._marked, self._bare_marks):
            if thing is not None:
                thing.release()
        for places, framebuffer in self._layers.values():
            framebuffer.release()
            places.release()
        self._layers = {}
