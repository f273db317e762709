"""The uniform block made from declarations, read back as a shader sees it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from fellview.core.parameters import Group, choice, colour, real, switch, whole
from fellview.gpu import bindings
from fellview.gpu.uniform_block import UniformBlock, rgb
from fellview.scene.scene import Scene

FULL_SCREEN = """
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
"""


@dataclass(frozen=True)
class Paint(Group):
    key: ClassVar[str] = "paint"

    strength: float = real(0.25, 0, 1, tip="A number that stands before a colour.")
    tint: str = colour("#ff8000", tip="A colour.")
    coats: int = whole(3, 0, 100, tip="A whole number.")


@dataclass(frozen=True)
class Light(Group):
    key: ClassVar[str] = "light"

    on: bool = switch(True, tip="A switch.")
    kind: str = choice("cold", ("warm", "neutral", "cold"), tip="A choice.")
    glow: str = colour("#0033cc", tip="Another colour.")


@dataclass(frozen=True)
class OnlyNumbers(Group):
    key: ClassVar[str] = "numbers"

    first: float = real(1.5, 0, 9, tip="")
    second: float = real(-2.5, -9, 9, tip="")
    third: float = real(3.5, 0, 9, tip="")
    fourth: float = real(4.5, 0, 9, tip="")
    fifth: float = real(5.5, 0, 9, tip="")


@dataclass(frozen=True)
class OnlyColours(Group):
    key: ClassVar[str] = "colours"

    one: str = colour("#010203", tip="")
    two: str = colour("#fffefd", tip="")


def seen_by_a_shader(context, groups):
    """Return every member of the block of `groups` as a shader reads it: a vec4 by ``group_name``."""
    block = UniformBlock("Look", [type(group) for group in groups])
    entries = [(group.key, name, one) for group in groups for name, one in group.declarations().items()]
    entries = [entry for entry in entries if not entry[2].free_text]
    names = [f"{key}_{name}" for key, name, _ in entries]
    reads = "".join(f"    if (column == {at}) value = vec4({name});\n" for at, name in enumerate(names))
    program = context.program(
        vertex_shader=f"#version 330 core\n{FULL_SCREEN}",
        fragment_shader=f"#version 330 core\n{block.glsl}\nout vec4 value;\nvoid main() {{\n"
        f"    int column = int(gl_FragCoord.x);\n{reads}}}\n",
    )
    buffer = block.buffer(context)
    bindings.attach(program, "probe")
    packed = block.packed({group.key: group for group in groups})
    assert len(packed) == buffer.size >= program["Look"].size
    buffer.write(packed)
    picture = context.texture((len(names), 1), 4, dtype="f4")
    framebuffer = context.framebuffer(picture)
    framebuffer.use()
    array = context.vertex_array(program, [])
    array.render(context.TRIANGLES, vertices=3)
    found = np.frombuffer(picture.read(), np.float32).reshape(-1, 4)
    for thing in (array, program, buffer, framebuffer, picture):
        thing.release()
    return dict(zip(names, found, strict=True))


def test_every_kind_of_parameter_arrives(context):
    found = seen_by_a_shader(context, [Paint(), Light()])
    expected = {
        "paint_strength": [0.25] * 4,
        "paint_tint": [1.0, 128 / 255, 0.0, 1.0],
        "paint_coats": [3.0] * 4,
        "light_on": [1.0] * 4,
        "light_kind": [2.0] * 4,  # the choice's place in its list
        "light_glow": [0.0, 0.2, 0.8, 1.0],
    }
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=0, atol=1e-6, err_msg=name)


def test_other_values_arrive_too(context):
    found = seen_by_a_shader(context, [Light(on=False, kind="warm", glow="#ffffff"), Paint(strength=1.0)])
    assert found["light_on"][0] == 0 and found["light_kind"][0] == 0 and found["paint_strength"][0] == 1
    np.testing.assert_array_equal(found["light_glow"], np.ones(4))


@pytest.mark.parametrize("group", [OnlyNumbers(), OnlyColours()], ids=["numbers", "colours"])
def test_a_block_of_one_kind_alone(context, group):
    for key, value in seen_by_a_shader(context, [group]).items():
        wanted = getattr(group, key.partition("_")[2])
        expected = [*rgb(wanted), 1.0] if isinstance(wanted, str) else [wanted] * 4
        np.testing.assert_allclose(value, expected, rtol=0, atol=1e-6, err_msg=key)


def test_every_group_of_a_scene_fits_into_a_block(context):
    groups = list(Scene().groups().values())
    found = seen_by_a_shader(context, groups)
    for group in groups:
        for name, declaration in group.declarations().items():
            value = getattr(group, name)
            if not declaration.colour and not declaration.free_text:
                number = declaration.options.index(value) if declaration.options else value
                assert found[f"{group.key}_{name}"][0] == np.float32(number), f"{group.key}.{name}"


def test_a_program_without_the_block_is_left_alone(context):
    program = context.program(vertex_shader="#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n")
    bindings.attach(program, "probe")
    program.release()
