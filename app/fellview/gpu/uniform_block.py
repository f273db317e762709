"""A uniform block made from parameter declarations: declare a look parameter, and every shader sees it.

The block `Look` holds `group_name` for every colour (vec4), real and whole number (float), switch and choice (float:
the choice's place in its list). Colours come first, so that std140 needs no further padding rules.
"""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np

from fellview.core.parameters import Declaration, Group
from fellview.gpu import bindings

_VEC4 = 4


class UniformBlock:
    """The block of some parameter groups, in GLSL and on the GPU."""

    def __init__(self, name: str, groups: Sequence[type[Group]]) -> None:
        self._name = name
        fields = [(group.key, name, one) for group in groups for name, one in group.declarations().items()]
        self._colours = [entry for entry in fields if entry[2].colour]
        # free texts are for people and files, not for shaders
        self._numbers = [entry for entry in fields if not entry[2].colour and not entry[2].free_text]
        members = [f"    vec4 {key}_{name};" for key, name, _ in self._colours]
        members += [f"    float {key}_{name};" for key, name, _ in self._numbers]
        self.glsl = "\n".join([f"layout(std140) uniform {name} {{", *members, "};"])

    def packed(self, groups: dict[str, Group]) -> bytes:
        """Return the block's bytes for the values in `groups` (by key)."""
        colours = [[*rgb(getattr(groups[key], name)), 1.0] for key, name, _ in self._colours]
        numbers = [_number(declaration, getattr(groups[key], name)) for key, name, declaration in self._numbers]
        flat = [part for colour in colours for part in colour] + numbers
        flat += [0.0] * (-len(flat) % _VEC4)
        return np.array(flat, np.float32).tobytes()

    def buffer(self, context: moderngl.Context) -> moderngl.Buffer:
        """Return a buffer of the block's size, bound where programs read the block."""
        floats = _VEC4 * len(self._colours) + len(self._numbers)
        buffer = context.buffer(reserve=4 * (floats + -floats % _VEC4), dynamic=True)
        self.bind(buffer)
        return buffer

    def bind(self, buffer: moderngl.Buffer) -> None:
        """Have programs read the block from `buffer`."""
        buffer.bind_to_uniform_block(bindings.block(self._name))


def rgb(text: str) -> tuple[float, float, float]:
    """Return the parts of ``#rrggbb`` from 0 to 1."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red / 255, green / 255, blue / 255


def _number(declaration: Declaration, value: float | int | bool | str) -> float:
    return float(declaration.options.index(value)) if isinstance(value, str) else float(value)
