"""Maps in the place of the ground: colours that stand for known values, legends, contour lines."""

from __future__ import annotations

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.draw.ground import cover
from fellview.draw.overlay import colour_maps, maps, view_modes
from fellview.scene.groups.ground import Ground
from fellview.scene.groups.view import View
from fellview.studio.height_difference import with_difference
from fellview.view import projection
from tests.drawn_ramp import CELL_M, SIDE, SIZE, from_above, middle, ramp, seen


def test_a_ramp_of_45_degrees_has_the_colour_of_its_slope(renderer):
    field = ramp(45.0)
    table = colour_maps.between(view_modes.row_colours("slope"))
    wanted = table[round(45.0 / maps.STEEPEST_DEG * 255)][:3].astype(int)
    assert np.abs(middle(seen(renderer, from_above(field, {"view.mode": "slope"}), field)) - wanted).max() <= 2


def test_level_ground_has_the_colour_of_up_as_its_normal(renderer):
    field = ramp(0.0)
    shown = middle(seen(renderer, from_above(field, {"view.mode": "normals"}), field))
    assert np.abs(shown - [128, 255, 128]).max() <= 1


@pytest.mark.parametrize("name", ["viridis", "terrain", "grey"])
def test_heights_run_through_the_colours(renderer, name):
    """Level steps, since relief shades slopes: the middle one has the colour of its height."""
    rows = np.repeat([0.0, 30.0, 100.0], [20, 25, 20])
    field = HeightField(np.tile(rows[:, None], (1, SIDE)).astype(np.float32), (CELL_M, CELL_M))
    shown = middle(seen(renderer, from_above(field, {"view.mode": "height", "view.colours": name}), field))
    assert np.abs(shown - colour_maps.table(name)[round(0.3 * 255)][:3]).max() <= 3


@pytest.mark.parametrize("mode", View.declarations()["mode"].options)
def test_every_view_but_the_ground_itself_says_how_to_read_it(renderer, eroded, mode):
    """Values that stand beside colours are those that the shader gives them."""
    scene = from_above(eroded, {"view.mode": mode})
    seen(renderer, scene, eroded)
    legend = renderer.legend
    if mode == "textured":
        assert legend is None
        return
    assert legend.title and (legend.note or legend.colours)
    assert bool(legend.colours) == bool(legend.ticks) == (view_modes.drawing(mode).values is not None)
    shares, values = [tick[0] for tick in legend.ticks], [tick[1] for tick in legend.ticks]
    assert shares == sorted(shares) and values == sorted(values)
    if mode == "height":
        assert (values[0], values[-1]) == pytest.approx(eroded.height_range)


def test_a_legend_has_the_colours_at_their_values(renderer):
    field = ramp(45.0)
    shown = middle(seen(renderer, from_above(field, {"view.mode": "slope"}), field))
    legend = renderer.legend
    (_, low, unit, _), (_, high, _, _) = legend.ticks[0], legend.ticks[-1]
    share = (45.0 - low) / (high - low)
    assert unit == "°"
    assert np.abs(np.array(legend.colours[round(share * (len(legend.colours) - 1))]) - shown).max() <= 6


def test_a_legend_tells_how_far_contour_lines_lie_apart(renderer):
    field = ramp(45.0)
    seen(renderer, from_above(field, {"view.contours": True, "view.contour_interval": 12.5}), field)
    assert "12.5 m apart, heavy ones 62.5 m" in renderer.legend.note


def test_erosion_shows_what_was_taken_and_what_was_left(renderer):
    heights = np.zeros((SIDE, SIDE), np.float32)
    half = np.zeros_like(heights)
    half[:, : SIDE // 2] = 5.0
    # x runs to the right from above
    field = HeightField(heights, (CELL_M, CELL_M), {"erosion_depth": half, "deposition_depth": half[:, ::-1].copy()})
    pixels = seen(renderer, from_above(field, {"view.mode": "erosion"}), field)
    left, right = pixels[60, 50], pixels[60, 110]
    lost, gained = (colour_maps.between(view_modes.row_colours("erosion"))[end][:3].astype(int) for end in (0, -1))
    sides = sorted([np.abs(left - lost).max() + np.abs(right - gained).max(),
                    np.abs(left - gained).max() + np.abs(right - lost).max()])  # fmt: skip
    assert sides[0] <= 4 < sides[1]


def test_a_difference_in_height_has_as_much_of_a_colour_upwards_as_downwards(renderer):
    flat = np.zeros((SIDE, SIDE), np.float32)
    old, new = (HeightField(flat + offset, (CELL_M, CELL_M)) for offset in (0.0, 3.0))
    colours = colour_maps.between(view_modes.row_colours("difference"))[:, :3].astype(int)
    scene = from_above(old, {"view.mode": "difference"})
    for one, other, colour in ((old, new, colours[-1]), (new, old, colours[0]), (old, old, colours[128])):
        field = with_difference(one, other)
        assert np.abs(middle(seen(renderer, scene, field)) - colour).max() <= 3
        assert [value for _, value, *_ in renderer.legend.ticks] == ([-1, 0, 1] if one is other else [-3, 0, 3])
    assert not cover.wanted_masks(View(mode="difference"))  # nobody is asked for what no land has by itself


def test_masks_that_come_later_are_drawn(renderer):
    heights = np.zeros((SIDE, SIDE), np.float32)
    bare = HeightField(heights, (CELL_M, CELL_M))
    area = np.full_like(heights, 1e5)
    scene = from_above(bare, {"view.mode": "drainage"})
    before = middle(seen(renderer, scene, bare))
    after = middle(seen(renderer, scene, HeightField(heights, (CELL_M, CELL_M), {"drainage_area": area})))
    assert np.abs(before - after).max() > 50


def test_each_map_names_the_masks_that_it_needs():
    assert cover.wanted_masks(View(mode="drainage")) == {"drainage_area"}
    assert cover.wanted_masks(View(mode="erosion")) == {"erosion_depth", "deposition_depth"}
    assert not cover.wanted_masks(View()) and not cover.useful_masks(Ground(), View())
    assert "drainage_area" in cover.useful_masks(Ground(kind="materials"), View())
    assert not cover.useful_masks(Ground(kind="materials"), View(mode="slope"))


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_contour_lines_lie_where_the_ground_has_their_height_and_keep_their_width(renderer, share):
    field = ramp(20.0)
    changes = {"view.mode": "slope", "view.contours": True, "view.contour_interval": 50.0}
    scene = from_above(field, changes, share)
    pixels = seen(renderer, scene, field)
    plain = seen(renderer, scene.replace({"view.contours": False}), field)
    row = 1 - pixels[60].sum(axis=1) / plain[60].sum(axis=1)
    high = field.height_range[1]
    near, far = projection.clip_planes(scene.camera, field)
    matrix = projection.view_projection(scene.camera, SIZE, near, far)
    found = 0
    for height in np.arange(50.0, high, 50.0):
        place = np.array([height / np.tan(np.radians(20.0)), height, 0.5 * SIDE * CELL_M, 1.0]) @ matrix
        column = (place[0] / place[3] + 1) / 2 * SIZE[0] - 0.5
        if not 3 < column < SIZE[0] - 4:
            continue
        around = np.arange(int(column) - 3, int(column) + 5)
        assert abs((row[around] * around).sum() / row[around].sum() - column) < 0.75
        wide = row[around].sum()  # in pixels of full ink; every fifth line is heavier
        assert wide == pytest.approx(0.8 * 2.2 if height % 250 == 0 else 0.55 * 1.2, rel=0.3)
        found += 1
    assert found >= 2


def test_crowded_contour_lines_fade_and_do_not_beat(renderer):
    field = ramp(45.0)
    changes = {"view.mode": "slope", "view.contours": True, "view.contour_interval": 0.01}
    pixels = seen(renderer, from_above(field, changes), field)[40:80, 60:100]
    assert np.ptp(pixels, axis=(0, 1)).max() <= 3


def test_the_checker_has_squares_of_its_size(renderer):
    field = ramp(0.0, 257)
    pixels = seen(renderer, from_above(field, {"view.mode": "checker"}), field)[60, :, 0]
    bright = pixels > pixels.mean()
    turns = np.flatnonzero(bright[1:] != bright[:-1])
    across = np.ptp(turns) / (len(turns) - 1) / SIZE[0]
    scene = from_above(field)
    rise = np.tan(np.radians(scene.camera.field_of_view) / 2)
    seen_m = 2 * rise * SIZE[0] / SIZE[1] * scene.camera.y
    assert across * seen_m == pytest.approx(maps.square(field), rel=0.1)


@pytest.mark.parametrize(
    "value, wanted", [(1.0, 1.0), (1.9, 1.0), (2.0, 2.0), (49.0, 20.0), (99.0, 50.0), (0.07, 0.05)]
)
def test_intervals_are_round(value, wanted):
    assert maps.round_below(value) == pytest.approx(wanted)
