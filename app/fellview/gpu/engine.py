"""The GPU engine: runs steps by their twins and keeps heights in textures; what has no twin the CPU computes.

A handle's textures go back to the pool when nobody holds the handle any more. Fields that one step leaves to the next
are held by both handles and go back once.
"""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import Cancelled, FellviewError, InputError
from fellview.core.height_field import HeightField, Heights
from fellview.core.parameters import Group
from fellview.gpu.extremes import Extremes, extremes
from fellview.gpu.passes import GridPasses, size_bytes
from fellview.gpu.twin import GpuLand, Iterated, Twin
from fellview.gpu.twins.registry import twins_of
from fellview.terrain.domain import Domain
from fellview.terrain.pipeline.engine import CpuEngine, NotFiniteError
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.pipeline.pipeline import STEPS
from fellview.terrain.progress import Progress
from fellview.terrain.step import Land, Step

TWINS: Mapping[str, tuple[Twin, ...]] = {step.key: twins for step in STEPS if (twins := twins_of(step.key))}
"""The twins of a step by its key; the first that covers the parameters runs."""


class EngineLost(FellviewError):  # noqa: N818 - it is the engine that is lost
    """OpenGL cannot go on: an error, no memory left, a shader that does not compile. The CPU can."""


class Held:
    """A texture out of the pool, which goes back there when nobody holds this any more."""

    def __init__(self, passes: GridPasses, texture: moderngl.Texture) -> None:
        self.texture = texture
        weakref.finalize(self, passes.give_back, texture).atexit = False


@dataclass(frozen=True)
class Handle:
    """Land on the GPU: textures of heights and fields, and the extremes of the heights."""

    heights: Held
    fields: Mapping[str, Held]
    extremes: Extremes


class GpuEngine:
    """Runs steps in one OpenGL context, which must be the current one whenever a method is called.

    `twins` are what runs each step; a step without any the CPU computes.
    """

    name = "gpu"

    def __init__(self, context: moderngl.Context, twins: Mapping[str, tuple[Twin, ...]] = TWINS) -> None:
        self.passes = GridPasses(context)
        self._twins = twins
        self._cpu = CpuEngine()

    def twin_of(self, step: Step, parameters: Group) -> Twin | None:
        """Return what runs `step` on the GPU; none where only the CPU computes it."""
        return next((twin for twin in self._twins.get(step.key, ()) if twin.covers(parameters)), None)

    def run(self, step: Step, parameters: Group, domain: Domain, below: Handle | None, progress: Progress) -> Handle:
        """Return a handle to the result of `step`, all at once."""
        work = self.begin(step, parameters, domain, below, progress)
        while True:
            try:
                next(work)
            except StopIteration as end:
                handle: Handle = end.value
                return handle

    def begin(
        self, step: Step, parameters: Group, domain: Domain, below: Handle | None, progress: Progress
    ) -> Generator[float, None, Handle]:
        """Return the same in slices: a generator that yields the fraction done after every few passes.

        `FellviewError` where heights are not finite, `EngineLost` where OpenGL fails, `Cancelled` as `progress` says.
        """
        twin = self.twin_of(step, parameters)
        if twin is None:
            yield 0.0
            land = self._cpu.run(step, parameters, domain, self.to_cpu(below) if below else None, progress)
            with self._guarded(step):
                return self.from_cpu(land)
        with self._guarded(step):
            ground = below.heights if below else self._level(domain)
            fields = {name: held.texture for name, held in below.fields.items()} if below else {}
            work = twin.run(self.passes, parameters, domain, GpuLand(ground.texture, fields))
        with contextlib.closing(work):
            ends = None  # before the first yield there is nothing to answer
            while True:
                with self._guarded(step):
                    try:
                        fraction = work.send(ends)  # type: ignore[arg-type]
                    except StopIteration as end:
                        made: GpuLand = end.value
                        break
                if isinstance(fraction, Iterated):
                    at, iterations = fraction.iteration, fraction.iterations
                    progress.report(step.key, fraction, at, iterations)
                    yield fraction
                    ends = at < iterations and progress.ends_with(at)
                else:
                    progress.report(step.key, fraction)
                    yield fraction
                    ends = False
        progress.check()
        with self._guarded(step):
            return self._handle(step, made, below)

    @contextlib.contextmanager
    def _guarded(self, step: Step) -> Iterator[None]:
        """Turn whatever goes wrong with OpenGL into `EngineLost`."""
        try:
            yield
        except (Cancelled, InputError, NotFiniteError, StopIteration):
            raise
        except Exception as fault:  # moderngl raises plain exceptions of many kinds
            first_line = next(iter(str(fault).splitlines()), "")
            raise EngineLost(f"{step.key} on the GPU: {type(fault).__name__}: {first_line}") from fault
        error = self.passes.context.error
        if error != "GL_NO_ERROR":
            raise EngineLost(f"{step.key} on the GPU: {error}")

    def _level(self, domain: Domain) -> Held:
        """Return heights of 0, what the first step finds below it."""
        level = Held(self.passes, self.passes.texture(domain.grid.rows, domain.grid.columns))
        self.passes.target(level.texture).clear()
        return level

    def _handle(self, step: Step, made: GpuLand, below: Handle | None) -> Handle:
        """Return the handle to what `step` made; what it only passes on stays held by `below` too."""
        known = {id(held.texture): held for held in ((below.heights, *below.fields.values()) if below else ())}

        def held(texture: moderngl.Texture) -> Held:
            return known.get(id(texture)) or Held(self.passes, texture)

        heights = held(made.heights)
        fields = {name: held(texture) for name, texture in made.fields.items()}
        measured = extremes(self.passes, made.heights)
        if not measured.finite:
            raise NotFiniteError(step)
        return Handle(heights, {**(below.fields if below else {}), **fields}, measured)

    def from_cpu(self, land: Land) -> Handle:
        """Return a handle to `land`, uploaded."""

        def held(values: Heights) -> Held:
            return Held(self.passes, self.passes.upload(values))

        heights = held(land.heights)
        fields = {name: held(values) for name, values in land.fields.items()}
        return Handle(heights, fields, extremes(self.passes, heights.texture))

    def to_cpu(self, handle: Handle) -> Land:
        """Return the land behind `handle`, read back; its arrays are read-only."""
        read = self.passes.read
        return Land(read(handle.heights.texture), {name: read(held.texture) for name, held in handle.fields.items()})

    def plus_change(self, handle: Handle, before: Handle, after: Handle) -> Handle:
        """Return `handle` changed by as much as `after` is from `before`; its extremes stay, for nobody draws it."""
        texture = handle.heights.texture
        heights = Held(self.passes, self.passes.texture(texture.height, texture.width))
        self.passes.run(
            "gpu/changed.frag",
            heights.texture,
            {"u_heights": texture, "u_before": before.heights.texture, "u_after": after.heights.texture},
        )
        return Handle(heights, {}, handle.extremes)

    def size_bytes(self, handle: Handle) -> int:
        """Return the bytes of the textures; fields of earlier steps count again."""
        return sum(size_bytes(held.texture) for held in (handle.heights, *handle.fields.values()))

    def field(self, handle: Handle, base: Handle, cell_size: tuple[float, float]) -> GpuField:
        """Return the height field of `handle`, whose heights stay where they are until somebody reads them."""
        return GpuField(self, handle, base, cell_size)

    def release(self) -> None:
        """Give everything back, textures in use too."""
        self.passes.release()


_FEW_CELLS = 1 << 12  # that are read back on their own, in far less time than a frame


class GpuField(HeightField):
    """A height field whose heights are a texture; `heights` and `masks` are read back when first asked for.

    `rows`, `columns`, `height_range` and `block_tops` are known without, `border` and a few points (`at`) read alone.
    """

    def __init__(
        self,
        engine: GpuEngine,
        handle: Handle,
        base: Handle,
        cell_size: tuple[float, float],
        masks: Mapping[str, Heights] | None = None,
    ) -> None:
        # not the base's, which would want the heights
        self._engine, self._handle, self._base_handle, self._cell_size = engine, handle, base, cell_size
        self._masks = masks
        self.height_range = handle.extremes.low, handle.extremes.high
        self.block_tops = handle.extremes.block_tops

    @property
    def cell_size(self) -> tuple[float, float]:  # type: ignore[override]
        """Side of a cell (z, x) in metres."""
        return self._cell_size

    @functools.cached_property
    def heights(self) -> Heights:  # type: ignore[override]
        """Heights in metres, float32 [row, column], read-only."""
        return self._read(self._handle)

    @property
    def masks(self) -> Mapping[str, Heights]:  # type: ignore[override]
        """The masks by name; the base is read back for them too."""
        if self._masks is None:
            self._masks = Masks(self._land, self.cell_size, self._base())
        return self._masks

    def _base(self) -> Heights:
        return self._read(self._base_handle)

    def _read(self, handle: Handle) -> Heights:
        """Return the heights of `handle` without its fields."""
        return self._engine.to_cpu(Handle(handle.heights, {}, handle.extremes)).heights

    def read_back(self) -> tuple[Land, Heights]:
        """Return the land and the heights that erosion started from, for whoever makes masks of them."""
        return self._engine.to_cpu(self._handle), self._base()

    @functools.cached_property
    def _land(self) -> Land:
        read = self._engine.passes.read
        return Land(self.heights, {name: read(held.texture) for name, held in self._handle.fields.items()})

    @property
    def masks_there(self) -> bool:
        """Return whether asking for `masks` computes nothing but those."""
        return self._masks is not None

    def with_masks(self, masks: Mapping[str, Heights]) -> GpuField:
        """Return the same heights with other masks."""
        return GpuField(self._engine, self._handle, self._base_handle, self.cell_size, masks)

    def at(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Heights:
        """Return the heights in metres of the vertices [rows, columns]; where they lie close, only these are read."""
        row, column = int(rows.min()), int(columns.min())
        high, wide = int(rows.max()) - row + 1, int(columns.max()) - column + 1
        if "heights" in vars(self) or high * wide > _FEW_CELLS:
            return self.heights[rows, columns]
        part = self._engine.passes.read_part(self._handle.heights.texture, row, column, high, wide)
        return part[rows - row, columns - column]

    @functools.cached_property
    def border(self) -> Heights:  # type: ignore[override]
        """Heights in metres along the edge; see the base."""
        return np.concatenate(self._engine.passes.read_border(self._handle.heights.texture))

    def has_heights_of(self, other: HeightField) -> bool:
        """Return whether `other` has the very same heights, whatever its masks."""
        return isinstance(other, GpuField) and other._handle is self._handle

    @property
    def rows(self) -> int:
        """Number of cells along z."""
        return int(self._handle.heights.texture.height)

    @property
    def columns(self) -> int:
        """Number of cells along x."""
        return int(self._handle.heights.texture.width)

    def texture_in(self, context: moderngl.Context) -> moderngl.Texture | None:
        """Return the texture of heights, to draw from while this field is held; none in another context."""
        return self._handle.heights.texture if context is self._engine.passes.context else None

    def before_erosion_in(self, context: moderngl.Context) -> moderngl.Texture | None:
        """Return the texture of the heights that erosion began with; none in another context."""
        return self._base_handle.heights.texture if context is self._engine.passes.context else None

    def landed(self) -> HeightField:
        """Return the same field with everything in the processor's memory, so that it outlives the context."""
        return HeightField(self.heights, self.cell_size, self.masks)
