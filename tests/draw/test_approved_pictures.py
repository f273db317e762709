"""Every preset and view mode against an approved picture."""

from __future__ import annotations

import dataclasses

import moderngl
import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from fellview.capture import capture
from fellview.core.height_field import HeightField
from fellview.draw.light.lighting import slab_base
from fellview.draw.overlay.overlay import Overlay
from fellview.draw.renderer import Renderer
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.groups.ground import PALETTES
from fellview.scene.groups.sky import Sky
from fellview.scene.groups.view import View
from fellview.scene.scene import Scene
from fellview.ui.imgui_host import Host
from fellview.view import framing
from fellview.view.exaggeration import exaggerated
from tests.lands import RUGGED
from tests.pictures import approve
from tests.sampling import sampled

SIZE = (256, 144)
CELLS = 256  # a side
TIMES = {"canyon": 2.0}
"""By how much more a preset may differ: one far hill of this one is another where a processor rounds otherwise."""
MODES = ("textured", "normals", "wireframe")
PART = (160, 90)  # of a sheet
SMALL = (128, 72)  # where any pixel will do


@pytest.fixture(scope="module")
def field() -> HeightField:
    return generate(scenes.load(RUGGED), "cpu")


@sampled("preset", scenes.presets(), quick=3)
def test_preset_looks_as_approved(preset: str, renderer: Renderer) -> None:
    scene = scenes.load(preset)
    if preset != "directx-demo":  # whose units are cells; the others are the same land on fewer cells
        scene = scene.replace({"grid.rows": CELLS, "grid.columns": CELLS})
    approve(preset, capture.still(renderer, scene, generate(scene, "cpu"), SIZE, samples=4), TIMES.get(preset, 1.0))


@pytest.mark.parametrize("mode", MODES)
def test_view_mode_looks_as_approved(mode: str, renderer: Renderer, field: HeightField) -> None:
    scene = scenes.load(RUGGED).replace({"view.mode": mode})
    approve(f"mode-{mode}", capture.still(renderer, scene, field, SIZE, samples=1))


def tiled(pictures: list[np.ndarray], across: int) -> np.ndarray:
    """Return the sheet of `pictures`, so many `across`."""
    rows = [np.concatenate(pictures[i : i + across], axis=1) for i in range(0, len(pictures), across)]
    return np.concatenate(rows)


def eroded() -> tuple[Scene, HeightField]:
    """Return a range with its erosion's masks, which materials and maps show."""
    scene = scenes.load(RUGGED).replace({
        "erosion.kind": "fluvial", "grid.rows": 256, "grid.columns": 256, "noise.amplitude": 700.0, "air.mist": 0.0,
        "ground.kind": "materials", "ground.snow_line": 120.0, "ground.strata": 0.3, "sun.elevation": 32.0,
    })  # fmt: skip
    field = generate(scene, "cpu")
    framed = framing.fitted(scene.camera.replace(yaw=35.0, pitch=-28.0), field, PART[0] / PART[1])
    framed = framed.replace(field_of_view=0.75 * framed.field_of_view)
    return scene.with_group(framed), field


def test_palettes_look_as_approved(renderer: Renderer) -> None:
    scene, field = eroded()
    varied = [scene.replace({"ground.palette": palette}) for palette in PALETTES]
    approve("palettes", tiled([capture.still(renderer, one, field, PART, samples=4) for one in varied], 4))


def test_layers_of_rock_look_as_approved(renderer: Renderer) -> None:
    """As ground and as a map."""
    scene, _ = eroded()
    scene = scene.replace({
        "rock.enabled": True, "rock.thickness": 70.0, "rock.tilt": 4.0, "rock.undulation": 40.0, "rock.contrast": 20.0,
        "ground.palette": "badlands", "ground.snow_line": 20_000.0,
    })  # fmt: skip
    field = generate(scene, "cpu")
    varied = [scene, scene.replace({"view.mode": "rock"})]
    approve("rock-layers", tiled([capture.still(renderer, one, field, (320, 180), samples=4) for one in varied], 2))


def test_view_modes_look_as_approved(renderer: Renderer) -> None:
    """All of them, the last with contour lines."""
    scene, field = eroded()
    # which have a picture of their own, and need a second land
    modes = [mode for mode in View.declaration("mode").options if mode not in ("rock", "difference")]
    varied = [scene.replace({"view.mode": mode}) for mode in modes]
    varied.append(scene.replace({"view.mode": "height", "view.colours": "terrain", "view.contours": True}))
    approve("view-modes", tiled([capture.still(renderer, one, field, PART, samples=4) for one in varied], 4))


SKIES = {
    "evening": {"sun.elevation": 4.0, "sun.azimuth": 330.0},
    "night": {"sun.elevation": -30.0},
    "space": {"sky.kind": "space", "sun.elevation": 12.0},
    "gradient-filmic": {"sky.kind": "gradient"},
    "gradient-plain": {"sky.kind": "gradient", "air.tone": "none", "sun.ambient": 0.4},
    "clouds": {"sky.clouds": 1.0, "sky.cloud_size": 0.1, "air.mist": 0.0, "sun.elevation": 50.0},
}


@pytest.mark.parametrize("sky", SKIES)
def test_sky_looks_as_approved(sky: str, renderer: Renderer, field: HeightField) -> None:
    scene = scenes.load(RUGGED).replace(SKIES[sky])
    approve(f"sky-{sky}", capture.still(renderer, scene, field, SIZE, samples=4))


STAGES = {
    "slab": {"view.stage": "slab"},
    "slab-gradient-plain": {"view.stage": "slab", "sky.kind": "gradient", "air.tone": "none", "sun.ambient": 0.4},
    "border": {"view.border": 12.0},
    "marks": {"view.scale_bar": True, "view.north_arrow": True},
}


CUT = {
    "cut-layers": {"rock.enabled": True, "rock.thickness": 60.0, "rock.tilt": 6.0, "rock.undulation": 40.0},
    "cut-sea": {"water.enabled": True, "water.sea_level": 40.0},
}


@pytest.mark.parametrize("what", CUT)
def test_a_slab_cut_open_looks_as_approved(what: str, renderer: Renderer) -> None:
    """Layers of rock as ground and sides have them, and a sea."""
    scene, field = eroded()
    scene = scene.replace({**CUT[what], "view.stage": "slab", "sun.elevation": 40.0, "sun.azimuth": 250.0})
    camera = framing.fitted(
        scene.camera.replace(yaw=30.0, pitch=-24.0), field, SIZE[0] / SIZE[1], slab_base(scene, field)
    )
    approve(f"stage-{what}", capture.still(renderer, scene.with_group(camera), field, SIZE, samples=4))


def test_person_and_pole_look_as_approved(renderer: Renderer) -> None:
    """With their shadows on level ground, which lie one beside the other."""
    level = HeightField(np.full((129, 129), 50.0, np.float32), (2.0, 2.0))
    scene = Scene().replace({
        "view.figure": True, "view.figure_x": 128.0, "view.figure_z": 128.0, "sun.shadows": True, "sun.elevation": 35.0,
        "sun.azimuth": 110.0, "sky.kind": "physical", "air.tone": "filmic", "camera.x": 134.0, "camera.y": 58.0,
        "camera.z": 108.0, "camera.pitch": -12.0, "camera.mode": "orbit", "ground.kind": "materials",
    })  # fmt: skip
    approve("figure", capture.still(renderer, scene, level, SIZE, samples=4))


def test_stones_look_as_approved(renderer: Renderer) -> None:
    """A crowd of them near the eye on a gentle slope, with their shadows."""
    row = np.tan(np.radians(10.0)) * 10.0 * np.arange(129)
    slope = HeightField(np.tile(row, (129, 1)).astype(np.float32), (10.0, 10.0))
    scene = Scene().replace({
        "ground.kind": "materials", "ground.palette": "moon", "ground.boulders": 1.0, "sun.shadows": True,
        "sun.elevation": 35.0, "sun.azimuth": 110.0, "sky.kind": "physical", "air.tone": "filmic", "camera.x": 550.0,
        "camera.y": float(row[55]) + 9.0, "camera.z": 1050.0, "camera.pitch": -35.0, "camera.mode": "orbit",
    })  # fmt: skip
    approve("stones", capture.still(renderer, scene, slope, SIZE, samples=4))


def test_the_overlay_looks_as_approved(context: moderngl.Context, renderer: Renderer, field: HeightField) -> None:
    """Letters, lines, round corners, what is cut off and what one sees through, over a picture of the land."""
    scene = scenes.load(RUGGED)
    renderer.show(field)
    target = renderer.draw(scene, SIZE, 1)
    overlay, host = Overlay(context), Host()
    host.resize(SIZE, SIZE)
    for _ in range(2):  # letters come with the second
        host.new_frame(1 / 60)
        canvas = imgui.get_foreground_draw_list()
        canvas.add_rect_filled(ImVec2(10, 10), ImVec2(150, 60), 0xC0201810, 9.0)
        canvas.add_text(ImVec2(20, 18), 0xFFFFFFFF, "1,234.5 m · 35° ✕")
        canvas.add_line(ImVec2(20, 48), ImVec2(140, 40), 0xFF30A0FF, 2.0)
        canvas.push_clip_rect(ImVec2(170, 20), ImVec2(230, 60))
        canvas.add_circle_filled(ImVec2(200, 60), 28.0, 0x9030FF60)
        canvas.pop_clip_rect()
        overlay.draw(host.end_frame(), target.picture)
        pixels = target.pixels()
        renderer.draw(scene, SIZE, 1)
    host.close()
    overlay.release()
    approve("overlay", pixels)


@pytest.mark.parametrize("stage", STAGES)
def test_stage_looks_as_approved(stage: str, renderer: Renderer, field: HeightField) -> None:
    scene = scenes.load(RUGGED).replace({**STAGES[stage], "view.exaggeration": 1.5})
    land = exaggerated(field, scene.view.exaggeration)
    camera = framing.fitted(
        scene.camera.replace(yaw=30.0, pitch=-28.0), land, SIZE[0] / SIZE[1], slab_base(scene, field)
    )
    approve(
        f"stage-{stage}", capture.still(renderer, dataclasses.replace(scene, camera=camera), field, SIZE, samples=4)
    )


def test_look_parameters_reach_the_picture(renderer: Renderer, field: HeightField) -> None:
    """Every parameter of light, ground, sky and air changes the picture under some sky; else it is not wired up."""
    opening = scenes.load(RUGGED)
    skies = [
        opening.replace({"sky.kind": kind, "air.mist": 0.4, "sun.shadows": True, "sky.clouds": 0.5})
        for kind in Sky.declaration("kind").options
    ]
    middle = field.size[0] / 2
    skies.append(skies[0].replace({"view.stage": "slab", "view.figure_x": middle, "view.figure_z": middle}))
    before_eye = skies[0].camera
    skies.append(
        skies[0].replace(
            {"view.figure": True, "view.figure_x": before_eye.x, "view.figure_z": 100.0, "camera.pitch": -60.0}
        )
    )
    # all parts of the land show, and lines over a map of heights
    materials = {"ground.kind": "materials", "ground.palette": "volcanic", "ground.snow_line": 250.0}
    skies.append(
        opening.replace({**materials, "ground.sand_height": -60.0, "ground.strata": 0.5, "ground.boulders": 0.8})
    )
    row, column = np.unravel_index(field.masks["slope"][100:-100, 100:-100].argmin(), (field.rows - 200,) * 2)
    z, x = (100 + row) * field.cell_size[0], (100 + column) * field.cell_size[1]
    on_the_ground = {"camera.x": x, "camera.y": float(field.heights[100 + row, 100 + column]) + 3, "camera.z": z}
    skies.append(skies[-1].replace(on_the_ground))  # where stones show
    skies.append(opening.replace({"view.mode": "height", "view.contours": True, "view.contour_interval": 70.0}))
    skies.append(opening.replace({"view.surroundings": "land"}))
    before = [capture.still(renderer, scene, field, SMALL, samples=1) for scene in skies]
    for key, group in skies[0].groups().items():
        if key not in ("sun", "ground", "sky", "air", "view"):
            continue
        for name, declaration in group.declarations().items():
            if declaration.free_text:
                continue
            shown = [index for index, scene in enumerate(skies) if scene.groups()[key].shows(name)]
            others = ((i, changed(skies[i], f"{key}.{name}")) for i in shown)
            changes = ((capture.still(renderer, one, field, SMALL, samples=1) != before[i]).any() for i, one in others)
            assert any(changes), f"{key}.{name} changes nothing"


def changed(scene: Scene, key: str) -> Scene:
    """Return `scene` with another accepted value at `key`."""
    group, name, declaration = scene.find(key)
    value = getattr(group, name)
    if isinstance(value, bool):
        other: object = not value
    elif declaration.options:
        other = next(option for option in declaration.options if option != value)
    elif declaration.colour:
        other = "#804020"
    else:
        low, high = declaration.slider
        other = low + 0.3 * (high - low)
    assert other != value
    return dataclasses.replace(scene).replace({key: other})
