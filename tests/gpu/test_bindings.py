"""Texture units and uniform blocks by name: nothing collides, and a program that asks for too much is named."""

import moderngl
import numpy as np
import pytest

from fellview.core.errors import FellviewError
from fellview.gpu import bindings, programs

VERTEX = "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n"


@pytest.fixture
def linked(tmp_path, context):
    """Return a function that links a fragment shader of the samplers `names`, which gives the sum of their reds."""
    (tmp_path / "all.vert").write_text(VERTEX, encoding="utf-8")

    def link(names, *lines, alone=False):
        reads = " + ".join([f"texture({name}, vec2(0.5)).r" for name in names] or ["1.0"])
        samplers = "".join(f"uniform sampler2D {name}; // read once\n" for name in names)
        main = f"void main() {{ out_color = vec4({reads}); }}\n"
        (tmp_path / "sum.frag").write_text("\n".join([*lines, samplers, "out vec4 out_color;", main]), encoding="utf-8")
        return programs.program(context, "all.vert", "sum.frag", alone=alone, folder=tmp_path)

    return link


def test_shared_textures_have_units_that_nothing_else_has(linked):
    units = [linked([name])[name].value for name in bindings.TEXTURES]
    assert len(set(units)) == len(units)
    assert not {*bindings.OWN, bindings.SCRATCH}.intersection(units)
    assert max(units) < bindings.MOST_UNITS


def test_a_shared_texture_has_one_unit_in_every_program(linked):
    one, other = linked(["u_heights", "u_mine"]), linked(["u_theirs", "u_waves", "u_heights"])
    assert one["u_heights"].value == other["u_heights"].value
    assert one["u_mine"].value in bindings.OWN and other["u_theirs"].value in bindings.OWN


def test_a_program_alone_has_all_textures_to_itself(linked):
    assert linked(["u_heights"], alone=True)["u_heights"].value in bindings.OWN


def test_textures_are_read_by_the_names_that_they_are_bound_by(linked, context):
    names = ["u_heights", "u_one", "u_two", "u_lakes"]
    things = {
        name: context.texture((1, 1), 1, np.float32(4**row).tobytes(), dtype="f4") for row, name in enumerate(names)
    }
    program = linked(names)
    picture = context.texture((1, 1), 1, dtype="f4")
    framebuffer = context.framebuffer(picture)
    framebuffer.use()
    array = context.vertex_array(program, [])
    for skipped in (None, *names):
        for thing in things.values():
            thing.write(np.float32(0.0 if thing is things.get(skipped) else 4 ** list(things.values()).index(thing)))
        bindings.use(program, {**things, "u_not_there": picture})
        array.render(moderngl.TRIANGLES, vertices=3)
        expected = sum(4**row for row, name in enumerate(names) if name != skipped)
        assert np.frombuffer(picture.read(), np.float32)[0] == expected
    for thing in (array, framebuffer, picture, program, *things.values()):
        thing.release()


def test_blocks_have_bindings_of_their_own():
    found = [bindings.block(name) for name in bindings.BLOCKS]
    assert len(set(found)) == len(found) and max(found) < bindings.MOST_BLOCKS


def test_an_unknown_block_is_told_with_its_program(linked):
    block = "layout(std140) uniform Nobody { vec4 nobody; };"
    with pytest.raises(FellviewError, match=r"all\.vert \+ sum\.frag: uniform block Nobody: expected one of Look, "):
        linked(["u_heights"], block, "#define texture(sampler, place) (texture(sampler, place) + nobody)")


def test_more_textures_than_a_stage_has_are_told_with_the_program(linked):
    names = [f"u_number_{number}" for number in range(bindings.MOST_IN_A_STAGE)]
    linked(names)
    with pytest.raises(FellviewError, match=r"all\.vert \+ sum\.frag: 17 textures in one stage.* 16: u_number_0, "):
        linked([*names, "u_too_many"])


def test_names_that_collide_and_tables_that_are_too_long_are_told():
    assert bindings.numbered(["a", "b"], range(3, 5), "texture") == {"a": 3, "b": 4}
    with pytest.raises(FellviewError, match="texture a: stands 2 times; expected once"):
        bindings.numbered(["a", "b", "a"], range(9), "texture")
    with pytest.raises(FellviewError, match="3 textures: expected at most 2"):
        bindings.numbered(["a", "b", "c"], range(2), "texture")


def test_moderngl_makes_textures_where_no_pass_reads(context):
    assert context.default_texture_unit == bindings.SCRATCH
