"""Texture units and uniform blocks by name: the one table of which number each has.

Shaders know textures and blocks by name, OpenGL by number. `attach` points a linked program to the numbers once, and
from then on a pass says by name what it binds:

    bindings.use(program, {"u_heights": heights, "u_normals": normals})

A texture that passes share, or that is bound by another hand than the pass's, has a row in `TEXTURES` and a unit that
nothing else has. All other samplers are their pass's own, and need no row: they are numbered in each program by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import moderngl

from fellview.core.errors import FellviewError

TEXTURES = (
    # the grid of ground that is drawn, the land's or one around it: TerrainPass, SlabPass, BoulderPass, FarLand
    "u_heights",
    "u_normals",
    "u_ground",
    # what the ground is made of, or the map over it: Cover
    "u_shape",
    "u_patches",
    "u_materials",
    "u_reliefs",
    "u_colour_maps",
    "u_layer_colours",
    "u_layer_places",
    # light: LitPrograms
    "u_light_map",
    "u_sky_table",
    "u_clouds",
    "u_outline",
    "u_far_land",
    # water: WaterMaps
    "u_ground_m",
    "u_lakes",
    "u_rivers",
    "u_waves",
)
"""Textures that are bound together for one draw by several owners, by their samplers' names."""

BLOCKS = (
    "Look",  # parameters of how a scene looks: the renderer's
    "Light",  # the light of a frame: LightPass
    "Permutation",  # tables of noise: NoiseMap
    "Vectors",
)
"""Uniform blocks by their names in GLSL. All share one context, so each has a binding of its own."""

# What OpenGL 3.3 has at least, table 6.49 and on of its specification: a driver may have no more.
MOST_IN_A_STAGE, MOST_UNITS, MOST_BLOCKS = 16, 48, 36

OWN = range(MOST_IN_A_STAGE)
"""The units of passes' own textures, shared on purpose: a pass binds them right before it draws, and no other relies on
what is left in them."""

SCRATCH = MOST_UNITS - 1
"""The unit at which moderngl makes, fills and completes textures; no pass reads it."""

Bound = moderngl.Texture | moderngl.TextureArray | moderngl.Texture3D | moderngl.Sampler
Units = Mapping[str, int]


@dataclass(frozen=True)
class _Attached:
    """What is known of a program: its textures' units, its uniforms, and what `write` has set those to."""

    units: Units
    uniforms: Mapping[str, moderngl.Uniform]
    written: dict[str, Any] = field(default_factory=dict)


def numbered(names: Sequence[str], numbers: range, what: str) -> dict[str, int]:
    """Return a number out of `numbers` for each of `names`; `FellviewError` where two collide, or some have none."""
    for name in names:
        if names.count(name) > 1:
            raise FellviewError(f"{what} {name}: stands {names.count(name)} times; expected once")
    if len(names) > len(numbers):
        raise FellviewError(f"{len(names)} {what}s: expected at most {len(numbers)}, all that OpenGL 3.3 promises")
    return dict(zip(names, numbers, strict=False))


_UNITS = numbered(TEXTURES, range(OWN.stop, SCRATCH), "shared texture")
_BINDINGS = numbered(BLOCKS, range(MOST_BLOCKS), "uniform block")

# OpenGL 3.3, table 2.10: sampler1D to sampler2DRectShadow, sampler1DArray to samplerCubeShadow with the integer ones,
# and those of several samples
_SAMPLER_TYPES = frozenset({*range(0x8B5D, 0x8B65), *range(0x8DC0, 0x8DD9), *range(0x9108, 0x910E)}) - {
    *range(0x8DC6, 0x8DC9)  # unsigned vectors
}
_SAMPLER = re.compile(r"^[^/\n]*\buniform\s+[iu]?sampler\w+\s+(\w+)", re.MULTILINE)


def block(name: str) -> int:
    """Return where the uniform block `name` is bound."""
    if name not in _BINDINGS:
        raise FellviewError(f"uniform block {name}: expected one of {', '.join(BLOCKS)}")
    return _BINDINGS[name]


def attach(program: moderngl.Program, where: str, stages: Sequence[str] = (), *, alone: bool = False) -> None:
    """Point the samplers and blocks of `program` to their numbers; whoever asks for `use` relies on that.

    Where it is `alone`, all its samplers are its own, those with a shared name too. `FellviewError` names the program
    as `where`, if it reads more textures than OpenGL 3.3 promises to any of its `stages` (their GLSL), or a block
    that has no binding.
    """
    members = {name: program[name] for name in program}
    samplers = [name for name, each in members.items() if getattr(each, "gl_type", 0) in _SAMPLER_TYPES]
    for text in stages if len(samplers) > MOST_IN_A_STAGE else ():
        read = set(_SAMPLER.findall(text)).intersection(samplers)
        if len(read) > MOST_IN_A_STAGE:
            names = ", ".join(sorted(read))
            raise FellviewError(
                f"{where}: {len(read)} textures in one stage: OpenGL 3.3 promises {MOST_IN_A_STAGE}: {names}"
            )
    shared = {} if alone else _UNITS
    units = {name: shared[name] for name in samplers if name in shared}
    try:
        units |= numbered([name for name in samplers if name not in units], OWN, "texture of its own")
        for name, each in members.items():
            if isinstance(each, moderngl.UniformBlock):
                each.binding = block(name)
    except FellviewError as fault:
        raise FellviewError(f"{where}: {fault}") from None
    for name, unit in units.items():
        program[name] = unit
    uniforms = {name: each for name, each in members.items() if isinstance(each, moderngl.Uniform)}
    program.extra = _Attached(units, uniforms)


def use(program: moderngl.Program, things: Mapping[str, Bound]) -> None:
    """Bind textures, or samplers that say how they are read, where `program` has them; others are left alone."""
    units = _units(program)
    for name, thing in things.items():
        if name in units:
            thing.use(units[name])


def reads(program: moderngl.Program, name: str) -> bool:
    """Return whether `program` has the uniform `name`, a texture's or another; `in` asks for all of them one by one."""
    attached: _Attached = program.extra
    return name in attached.uniforms


def write(program: moderngl.Program, numbers: Mapping[str, Any]) -> None:
    """Set uniforms where `program` has them; others are left alone.

    Of an array, as much is taken as its compiler keeps. A uniform that holds its value already is not set again, so
    nothing else may set one that is set here.
    """
    attached: _Attached = program.extra
    for name, value in numbers.items():
        uniform = attached.uniforms.get(name)
        if uniform is None or attached.written.get(name) == value:
            continue
        attached.written[name] = value
        if isinstance(value, list):
            length = uniform.array_length
            uniform.value = value[:length] if length > 1 else value[0]
        else:
            uniform.value = value


def clear(program: moderngl.Program, things: Mapping[str, moderngl.Sampler]) -> None:
    """Take samplers away again that `use` bound for `program`."""
    units = _units(program)
    for name, thing in things.items():
        if name in units:
            thing.clear(units[name])


def _units(program: moderngl.Program) -> Units:
    attached: _Attached = program.extra
    return attached.units
