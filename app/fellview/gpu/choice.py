"""Which engine computes, and why; and a pipeline that goes over to the CPU when the GPU engine is lost."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import moderngl

from fellview.core.errors import FellviewError, InputError
from fellview.core.parameters import Group
from fellview.gpu import context as gpu_context
from fellview.gpu.engine import EngineLost, GpuEngine
from fellview.terrain.pipeline.engine import ENGINES, CpuEngine
from fellview.terrain.pipeline.pipeline import Pipeline, Result
from fellview.terrain.progress import Progress

_FORMATS = {1: "R32F", 2: "RG32F", 4: "RGBA32F"}  # by components: what passes draw into


@dataclass(frozen=True)
class Choice:
    """An engine's name, "cpu" or "gpu", and why it is that one."""

    name: str
    reason: str

    @property
    def text(self) -> str:
        """Both, for a person."""
        return f"{self.name}: {self.reason}"

    def engine_in(self, context: moderngl.Context | None) -> GpuEngine | None:
        """Return the GPU engine in `context` where that is the choice; None where the CPU computes."""
        return GpuEngine(context) if self.name == "gpu" and context is not None else None


def require_engine(asked: str) -> None:
    """Raise `InputError` where no engine is called `asked`."""
    if asked not in ENGINES:
        raise InputError(f"engine = {asked!r}: expected one of {', '.join(ENGINES)}")


def choose(asked: str, context: moderngl.Context) -> Choice:
    """Return the engine for "auto", "cpu" or "gpu" where `context` draws.

    Auto is the GPU on hardware; software OpenGL computes slower than compiled kernels. Where OpenGL cannot draw into
    float textures it is the CPU, whatever was asked for.
    """
    require_engine(asked)
    if asked == "cpu":
        return Choice("cpu", "asked for")
    name = gpu_context.short_renderer(context)
    if asked == "auto" and gpu_context.is_software(context):
        return Choice("cpu", f"{name} is a software renderer")
    missing = _missing_format(context)
    if missing:
        return Choice("cpu", f"{name} cannot draw into {missing} textures")
    return Choice("gpu", name)


def _missing_format(context: moderngl.Context) -> str:
    """Return the first format that passes need and `context` cannot draw into; empty where it has all."""
    for components, name in _FORMATS.items():
        texture = framebuffer = None
        try:
            texture = context.texture((1, 1), components, dtype="f4")
            framebuffer = context.framebuffer(texture)
        except Exception:  # moderngl raises plain exceptions of many kinds
            return name
        finally:
            for thing in (framebuffer, texture):
                if thing is not None:
                    thing.release()
    return ""


@functools.cache
def here(asked: str) -> Choice:
    """Return the engine for `asked` where no window is open; the CPU where there is no OpenGL. Found out once."""
    require_engine(asked)
    if asked == "cpu":
        return Choice("cpu", "asked for")
    try:
        with gpu_context.aside() as context:
            return choose(asked, context)
    except FellviewError as fault:
        return Choice("cpu", str(fault))


class SteadyPipeline:
    """A pipeline that goes over to the CPU when its GPU `engine` is lost, and tells `notice` so in one line.

    Without an engine the CPU computes from the start.
    """

    def __init__(self, engine: GpuEngine | None, notice: Callable[[str], None]) -> None:
        self._notice = notice
        self._engine = engine
        self._pipeline = Pipeline(engine or CpuEngine())

    def run(self, groups: Mapping[str, Group], progress: Progress | None = None) -> Result:
        """Return the terrain of `groups`; see `Pipeline.run`."""
        try:
            return self._pipeline.run(groups, progress)
        except EngineLost as fault:
            self._notice(f"{fault}; computed on the CPU instead")
            self._pipeline = Pipeline(CpuEngine())
            return self._pipeline.run(groups, progress)

    def release(self) -> None:
        """Give back what the GPU holds."""
        if self._engine is not None:
            self._engine.release()


def note_refusal(asked: str, choice: Choice, notice: Callable[[str], None]) -> None:
    """Tell `notice` where the GPU was asked for and it is the CPU that computes."""
    if asked == "gpu" and choice.name != "gpu":
        notice(f"engine = 'gpu': {choice.reason}; computed on the CPU instead")


@contextlib.contextmanager
def opened(asked: str, notice: Callable[[str], None]) -> Iterator[SteadyPipeline]:
    """Give a pipeline with the engine for `asked`, with an OpenGL context of its own where it needs one."""
    choice = here(asked)
    note_refusal(asked, choice, notice)
    with gpu_context.aside() if choice.name == "gpu" else contextlib.nullcontext() as context:
        pipeline = SteadyPipeline(choice.engine_in(context), notice)
        try:
            yield pipeline
        finally:
            pipeline.release()
