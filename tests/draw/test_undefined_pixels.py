"""No pixel is undefined: in no view mode, as landscape and as slab, and with no scene's look.

Eight bits hide what is no number, and so does squeezing light into them: frames are looked at as floats, before tone
mapping, and drawn by shaders that mark what is no number or endless instead of squeezing it.
"""

import moderngl
import numpy as np
import pytest

from fellview.capture import capture
from fellview.draw.draw_pass import DrawPass
from fellview.draw.light.light_block import GLSL
from fellview.draw.light.lighting import slab_base
from fellview.draw.renderer import Renderer
from fellview.draw.sky.atmosphere import Atmosphere
from fellview.gpu import context as gpu_context
from fellview.gpu import formats, programs
from fellview.gpu.passes import GridPasses
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.groups.ground import Ground
from fellview.scene.groups.view import View
from fellview.scene.scene import Scene
from fellview.view import framing
from fellview.view.exaggeration import exaggerated
from tests.lands import RUGGED
from tests.sampling import sampled

pytestmark = pytest.mark.usefixtures("half_as_fine", "coarse_light")

SIZE = (48, 27)
CELLS = 48  # a side
MARK = -64.0


@pytest.fixture(scope="module")
def renderer(context):
    """What draws frames of floats, and marks light that is no number."""
    return Renderer(context, undefined=MARK)


def undefined(renderer, scene):
    """Return the share of pixels that nothing is drawn into, that are no number, endless, marked or out of range."""
    renderer.refine(scene, SIZE, 1, 0)
    picture = renderer.frame.texture()
    values = np.frombuffer(picture.read(), formats.NUMPY[picture.dtype]).reshape(SIZE[1], SIZE[0], 4)
    good = np.isfinite(values).all(axis=-1) & (values >= -0.01).all(axis=-1) & (values <= 1.01).all(axis=-1)
    return 1.0 - (good & (values[..., 3] > 0)).mean()


SKIES_AND_WATER = ["directx-demo", "fjords", "archipelago", "moonscape"]
"""Presets of every sky, with a sea and without."""


@sampled("preset", SKIES_AND_WATER, quick=1)
def test_every_pixel_is_defined_in_every_view_mode_on_every_stage(renderer, preset):
    scene = scenes.load(preset).replace({"grid.rows": CELLS, "grid.columns": CELLS, "view.figure": True})
    field = generate(scene, "cpu")
    renderer.show(field)
    found = {}
    for stage in View.declaration("stage").options:
        staged = scene.replace({"view.stage": stage})
        if stage == "slab":
            land = exaggerated(field, scene.view.exaggeration)
            base_m = slab_base(staged, field)
            staged = staged.with_group(framing.fitted(scene.camera, land, SIZE[0] / SIZE[1], base_m))
        for mode in View.declaration("mode").options:
            share = undefined(renderer, staged.replace({"view.mode": mode}))
            if share:
                found[stage, mode] = share
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("preset", SKIES_AND_WATER)
def test_every_pixel_of_parallel_views_is_defined(renderer, preset):
    scene = scenes.load(preset).replace({"grid.rows": CELLS, "grid.columns": CELLS, "view.figure": True})
    field = generate(scene, "cpu")
    renderer.show(field)
    land = exaggerated(field, scene.view.exaggeration)
    found = {}
    for stage in View.declaration("stage").options:
        staged = scene.replace({"view.stage": stage, "camera.projection": "orthographic"})
        for pitch in (-90.0, -35.0, 0.0):
            camera = staged.camera.replace(pitch=min(pitch, -5.0), yaw=30.0)
            framed = framing.fitted(camera, land, SIZE[0] / SIZE[1], slab_base(staged, field)).replace(pitch=pitch)
            share = undefined(renderer, staged.with_group(framed))
            if share:
                found[stage, pitch] = share
    assert found == {}


MEASURED = {"grid.rows": CELLS, "grid.columns": CELLS, "ground.strata": 0.7}
LIT = {"sun.shadows": True, "sky.kind": "physical", "air.tone": "filmic", "ground.kind": "materials"}


@pytest.mark.parametrize("kind", Ground.declaration("kind").options)
def test_every_pixel_is_defined_under_contour_lines(renderer, kind):
    scene = scenes.load(RUGGED).replace({**MEASURED, "view.contours": True, "ground.kind": kind})
    field = generate(scene, "cpu")
    renderer.show(field)
    scene = scene.with_group(framing.fitted(scene.camera, field, SIZE[0] / SIZE[1]))
    modes = View.declaration("mode").options
    assert [mode for mode in modes if undefined(renderer, scene.replace({"view.mode": mode}))] == []


@sampled("preset", scenes.presets(), quick=3)
def test_every_pixel_is_defined_with_all_that_the_ground_can_have(renderer, preset):
    """As each scene looks, on one land: layers, relief, stones and their shadows."""
    looks = scenes.load(preset)
    scene = scenes.load(RUGGED).replace(MEASURED)
    for group in (looks.sun, looks.water, looks.ground, looks.sky, looks.air):
        scene = scene.with_group(group)
    scene = scene.replace({**LIT, "rock.enabled": True, "ground.boulders": 1.0, "ground.relief": 2.0})
    field = generate(scene, "cpu")
    renderer.show(field)
    scene = scene.with_group(framing.fitted(scene.camera, field, SIZE[0] / SIZE[1]))
    with np.errstate(all="raise", under="ignore"):
        assert undefined(renderer, scene) == 0


@pytest.mark.parametrize("elevation", [-5.0, 0.05, 40.0, 90.0])
def test_every_pixel_of_a_slab_is_defined_wherever_the_sun_is(renderer, elevation):
    """With water, layers, person and pole."""
    scene = scenes.load(RUGGED).replace({**MEASURED, **LIT, "rock.enabled": True, "sun.elevation": elevation})
    field = generate(scene, "cpu")
    renderer.show(field)
    figure = {"view.figure": True, "view.figure_x": field.size[1] / 2, "view.figure_z": field.size[0] / 2}
    sea = {"water.enabled": True, "water.sea_level": float(np.median(field.heights))}
    scene = scene.replace({**figure, **sea, "view.stage": "slab"})
    base_m = slab_base(scene, field)
    scene = scene.with_group(
        framing.fitted(scene.camera.replace(yaw=35.0, pitch=-25.0), field, SIZE[0] / SIZE[1], base_m)
    )
    with np.errstate(all="raise", under="ignore"):
        assert undefined(renderer, scene) == 0


class Spoilt(DrawPass):
    """Draws light of one value over all there is."""

    name = None
    light = float("nan")

    def draw(self, frame):
        vertex, _ = programs.source("gpu/full_screen.vert")
        fragment, _ = programs.source("draw/light/reversible_tone_map.glsl", [self._look.glsl, GLSL])
        fragment += "uniform vec3 u_light; out vec4 out_color;"
        fragment += "void main() { out_color = vec4(into_picture(u_light), 1.0); }"
        program = self._context.program(vertex_shader=vertex, fragment_shader=fragment)
        program["u_light"] = (0.5, self.light, 0.5)
        self._context.enable_only(moderngl.NOTHING)
        self._context.vertex_array(program, []).render(moderngl.TRIANGLES, vertices=3)


@pytest.mark.parametrize("light", [np.nan, np.inf, -np.inf, 0.5])
@pytest.mark.parametrize("tone", ["none", "filmic"])
def test_light_that_is_no_number_is_told(context, light, tone):
    """What the tests above rest on."""
    renderer = Renderer(context, (Spoilt,), undefined=MARK)
    renderer.draw_pass(Spoilt).light = light
    scene = Scene().replace({"sky.kind": "gradient", "air.tone": tone})
    assert undefined(renderer, scene) == (0 if light == 0.5 else 1)


def test_contexts_made_aside_leave_the_tables_of_the_callers_alone():
    """A context becomes current as it is made: passes of the one before would run in it, on textures that are not
    there, and read back whatever memory held.
    """
    scene = scenes.load("alpine-range").replace({"grid.rows": 33, "grid.columns": 33})
    own = gpu_context.standalone()
    try:
        air, passes = Atmosphere(own), GridPasses(own)
        air.update(20.0, 60.0)
        expected = passes.read(air.table)
        with gpu_context.aside() as other:
            assert other.error == "GL_NO_ERROR"  # it has no textures that pass for the caller's
        for between in (lambda: None, lambda: capture.picture(scene, generate(scene, "gpu"), SIZE, 1)):
            between()
            air.update(30.0, 20.0)
            moments = air.update(20.0, 60.0)
            found = passes.read(air.table)
            assert np.isfinite(found).all() and np.isfinite(moments.total).all()
            np.testing.assert_array_equal(found, expected)
            assert own.error == "GL_NO_ERROR"
    finally:
        own.release()
