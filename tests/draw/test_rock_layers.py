"""Layers of rock in pictures: as a map of their own, and on the ground."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from fellview.draw.ground import palettes, rock_layers
from fellview.draw.ground.cover import Cover
from fellview.draw.land.height_map import HeightMap
from fellview.scene.groups.ground import PALETTES, Ground
from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import rock
from fellview.view import projection
from tests.drawn_ramp import CELL_M, SIDE, SIZE, WHERE, from_above, middle, ramp, seen

LAYERS = {"rock.enabled": True, "rock.thickness": 80.0, "rock.irregularity": 0.8}


def laid(changes, degrees=55.0):
    """Return a ramp, and a scene with layers of rock whose grid is the ramp's, seen from above."""
    field = ramp(degrees)
    size = {"grid.rows": SIDE, "grid.columns": SIDE, "grid.size_x": SIDE * CELL_M, "grid.size_z": SIDE * CELL_M}
    return field, from_above(field, {**LAYERS, **size, **changes})


@pytest.mark.parametrize("bent", [{}, {"rock.tilt": 20.0, "rock.tilt_azimuth": 30.0}, {"rock.undulation": 60.0}])
def test_the_map_of_rock_shows_the_layers_of_the_masks(renderer, bent):
    """Every cell has the colour that its layer's number stands for, wherever tilt and folds have put it."""
    field, scene = laid({"view.mode": "rock", **bent})
    domain = Domain(scene.grid, scene.noise.seed, (scene.rock,))
    layer = rock.fields(domain, field.heights, np.zeros(1, np.uint8))["rock_layer"]
    pixels = seen(renderer, scene, field)
    near, far = projection.clip_planes(scene.camera, field)
    matrix = projection.view_projection(scene.camera, SIZE, near, far)
    by_layer: dict[float, list[np.ndarray]] = {}
    for r, c in itertools.product(range(8, SIDE - 8, 3), repeat=2):
        if np.ptp(layer[r - 1 : r + 2, c - 1 : c + 2]):
            continue  # a contact
        place = np.array([c * CELL_M, field.heights[r, c], r * CELL_M, 1.0]) @ matrix
        column, row = (0.5 + 0.5 * place[:2] / place[3] * (1, -1)) * SIZE
        by_layer.setdefault(float(layer[r, c]), []).append(pixels[int(row), int(column)])
    assert len(by_layer) >= 5
    means = []
    for colours in by_layer.values():
        means.append(np.median(colours, axis=0))
        assert (
            np.mean(np.abs(np.array(colours) - means[-1]).max(axis=1) <= 8) > 0.8
        )  # beside contacts a pixel covers both
    assert all(np.abs(a - b).max() > 3 for a, b in itertools.combinations(means, 2))


def test_without_layers_the_map_of_rock_is_paper(renderer):
    field, scene = laid({"view.mode": "rock", "rock.enabled": False}, 0.0)
    assert np.ptp(middle(seen(renderer, scene, field))) < 12


@pytest.mark.parametrize("palette", PALETTES)
def test_hard_layers_are_lighter_and_soft_ones_redder(palette):
    scene = Scene().replace({**LAYERS, "rock.thickness": 5.0})
    pile = rock.strata(Domain(scene.grid, scene.noise.seed, (scene.rock,)), 0.0, 1000.0)
    assert pile is not None
    tints = rock_layers.tints(pile, palettes.chosen(Ground(palette=palette)).beds, 0.0, 30.0)
    hard = rock_layers.numbers(pile.looks())[1] > 0
    assert tints[hard].mean() > 1.1 * tints[~hard].mean()
    redness = tints[:, 0] / tints[:, 2]
    assert redness[~hard].mean() >= redness[hard].mean()


def test_layers_show_on_bare_rock_and_not_on_sand(renderer):
    varied = {}
    for degrees, material in ((60.0, "rock"), (5.0, "sand")):
        field, scene = laid({**WHERE, "ground.palette": "desert"}, degrees)
        plain = scene.replace({"rock.enabled": False})
        shown, bare = (seen(renderer, one, field)[40:80, 60:100].astype(float) for one in (scene, plain))
        varied[material] = np.abs(shown - bare).mean()
    assert varied["rock"] > 5 and varied["sand"] < 2


def test_layers_change_with_the_rock_and_not_with_the_camera(context):
    cover, height_map = Cover(context), HeightMap(context)
    field, scene = laid(WHERE)
    height_map.upload(field)
    for number in range(3):
        cover.prepare(scene.replace({"camera.yaw": 10.0 * number, "sun.elevation": 50.0 + number}), height_map)
        assert cover.of_vertices["u_layer_places"].version == 1
    cover.prepare(scene.replace({"rock.thickness": 30.0}), height_map)
    assert cover.of_vertices["u_layer_places"].version == 2
