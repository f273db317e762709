"""Coarser levels of textures: means of what they stand for, and what OpenGL then reads."""

import numpy as np
import pytest

from fellview.gpu import mipmaps

READ = """#version 330
uniform sampler2D u_flat;
uniform sampler2DArray u_array;
uniform float u_level;
uniform int u_layer;
out vec4 out_value;
void main() {
    vec2 place = gl_FragCoord.xy / 16.0 * exp2(u_level);
    out_value = u_layer < 0 ? textureLod(u_flat, place, u_level) : textureLod(u_array, vec3(place, u_layer), u_level);
}
"""
EVERYWHERE = """#version 330
void main() { gl_Position = vec4(vec2[3](vec2(-1, -1), vec2(3, -1), vec2(-1, 3))[gl_VertexID], 0, 1); }
"""


@pytest.fixture
def bytes_of_layers():
    return np.random.default_rng(3).integers(0, 256, (3, 16, 16, 4), np.uint8)


def test_a_texel_is_the_mean_of_all_under_it(bytes_of_layers):
    made = mipmaps.levels(bytes_of_layers)
    assert [each.shape for each in made] == [(3, side, side, 4) for side in (16, 8, 4, 2, 1)]
    for level, values in enumerate(made):
        side = 16 >> level
        exact = bytes_of_layers.reshape(3, side, 16 // side, side, 16 // side, 4).mean(axis=(2, 4))
        assert np.abs(values - exact).max() <= 0.5  # rounded once, so that nothing drifts from level to level


def test_half_floats_keep_their_mean():
    values = np.random.default_rng(4).normal(0, 1, (8, 8, 4)).astype(np.float16)
    top = mipmaps.levels(values)[-1]
    assert top.dtype == np.float16
    assert np.abs(top - values.astype(np.float64).mean(axis=(0, 1))).max() < 1e-3


def read(context, level, layer, side):
    """Return what a shader reads of a level, texel by texel."""
    program = context.program(vertex_shader=EVERYWHERE, fragment_shader=READ)
    program["u_flat"], program["u_array"], program["u_level"], program["u_layer"] = 0, 1, float(level), layer
    target = context.framebuffer(context.texture((side, side), 4, dtype="f4"))
    target.use()
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    return np.frombuffer(target.read(components=4, dtype="f4"), np.float32).reshape(side, side, 4)


@pytest.mark.parametrize("told", [True, False])
def test_shaders_read_the_levels_that_were_made(context, bytes_of_layers, told, monkeypatch):
    if not told:
        monkeypatch.setattr(mipmaps, "_address", lambda context, name: 0)  # the driver then makes them
    made = mipmaps.levels(bytes_of_layers)
    halves = [each.astype(np.float16) for each in made]
    flat = mipmaps.texture(context, [each[0] for each in made])
    for array, scale in ((mipmaps.array(context, made, "f1"), 255), (mipmaps.array(context, halves, "f2"), 1)):
        flat.use(0)
        array.use(1)
        for level, values in enumerate(made):
            # the driver rounds its levels one by one, and may do so downwards
            most = 0.01 if told else 1.01 * level + 0.01
            side = 16 >> level
            assert np.abs(255 * read(context, level, -1, side) - values[0]).max() <= most
            assert np.abs(scale * read(context, level, 2, side) - values[2]).max() <= most
    assert context.error == "GL_NO_ERROR"
