"""View modes: each that recipes name is drawn, and what one needs stands in its two records."""

import dataclasses

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.draw.overlay import colour_maps, view_modes
from fellview.draw.renderer import Renderer
from fellview.scene.groups import view_modes as scene_modes
from fellview.scene.groups.view import View
from tests.drawn_ramp import CELL_M, SIDE, from_above, middle, seen


def test_every_view_mode_has_its_drawing_and_every_drawing_its_view_mode():
    assert [each.name for each in view_modes.DRAWINGS] == list(scene_modes.NAMES)
    assert View.declaration("mode").options == scene_modes.NAMES


@pytest.mark.parametrize("mode", scene_modes.VIEW_MODES, ids=lambda mode: mode.name)
def test_a_view_mode_shows_values_where_it_has_their_unit(mode):
    drawing = view_modes.drawing(mode.name)
    assert bool(mode.unit) == (drawing.values is not None)
    assert bool(drawing.layers or drawing.square or drawing.values) <= bool(drawing.shading)
    assert mode.tip in View.declaration("mode").tip


def test_an_unknown_view_mode_is_refused_by_name():
    for find in (scene_modes.named, view_modes.drawing):
        with pytest.raises(InputError, match=r"view\.mode = 'fog': expected one of textured, normals"):
            find("fog")


def test_a_view_mode_of_a_mask_costs_its_two_records(monkeypatch, context):
    """Here they stand in the place of another's, since the choices of a recipe are fixed by now."""
    black_to_white = ("#000000", "#ffffff")
    found, ours = view_modes.drawing, view_modes.of_mask("slope", "scree_depth", black_to_white)
    monkeypatch.setattr(view_modes, "drawing", lambda mode: ours if mode == "slope" else found(mode))
    renderer = Renderer(context)  # whose colours are not made yet
    depths = np.linspace(0, 8, SIDE, dtype=np.float32)
    field = HeightField(
        np.zeros((SIDE, SIDE), np.float32), (CELL_M, CELL_M), {"scree_depth": np.tile(depths, (SIDE, 1))}
    )
    scene = from_above(field, {"view.mode": "slope"})
    shown = seen(renderer, scene, field)
    assert np.abs(middle(shown) - 127).max() <= 6
    assert renderer.legend.ticks[0][1] == 0.0 and renderer.legend.ticks[-1][1] == 8.0
    level = dataclasses.replace(field, masks={})
    assert middle(seen(renderer, scene, level)).max() <= 1  # without the mask there is nothing of it


def test_colours_that_a_scene_chooses_stand_beside_those_of_view_modes():
    assert set(colour_maps.COLOUR_MAPS) <= set(view_modes.ROWS)
    assert len(set(view_modes.ROWS)) == len(view_modes.ROWS)
    assert all(view_modes.row_colours(row) for row in view_modes.ROWS)
