"""Nobody can tell where the land ends: across its border a picture changes as it does across lines inside."""

import dataclasses

import numpy as np
import pytest

from fellview.capture import capture
from fellview.draw.target import whole_of
from fellview.io import scenes
from fellview.library import generate
from fellview.view import framing, projection
from tests import border_seams

SIZE = (640, 640)
CELLS = 512
WIDER = 1.25  # than the land, so that ground around it is in the picture
TILT = -35.0
MOST_PERCENT = 98
"""Of lands without a border, how many have no more odd values. Any two lines inside, taken for borders, have three of
the 32 in half of all cases, in one of twenty more than seven or eight, and in one of fifty more than eight or nine."""

ROUND_ABOUT = [name for name in scenes.presets() if scenes.load(name).view.surroundings == "land"]


def views(scene, field):
    """Yield cameras with parallel sight lines whose pictures show two borders as columns, and which they are."""
    span = WIDER * framing.top(scene.camera, field, 1.0).span
    for yaw in (0.0, 90.0):
        for pitch in (-90.0, TILT):
            camera = framing.top(scene.camera, field, 1.0).replace(yaw=yaw, pitch=pitch)
            camera = framing.fitted(camera, field, 1.0).replace(span=span)
            yield dataclasses.replace(scene, camera=camera), yaw


def borders(camera, field, yaw):
    """Return the columns of SIZE in which two borders of `field` lie, and the rows between which all of it is."""
    z, x = ((cells - 1) * size for cells, size in zip(field.heights.shape, field.cell_size, strict=True))
    corners = np.array([[at_x, field.height_range[1], at_z] for at_x in (0, x) for at_z in (0, z)])
    turned = projection.axes(camera.yaw, camera.pitch)
    across, up, _ = turned @ (corners - projection.eye(camera)).T
    scale = SIZE[1] / camera.span
    columns = SIZE[0] / 2 + scale * across
    rows = SIZE[1] / 2 - scale * up
    return round(columns.min()), round(columns.max()), slice(max(int(rows.min()), 0), min(int(rows.max()), SIZE[1]))


def sea(renderer, scene):
    """Return which pixels show the sea, bool [row, column]."""
    places, _ = renderer.surfaces(scene, whole_of(SIZE))
    level_m = scene.water.sea_level if scene.water.enabled and scene.water.sea else -np.inf
    return places[..., 1] < scene.view.exaggeration * level_m


@pytest.mark.slow
@pytest.mark.parametrize("preset", ROUND_ABOUT)
def test_the_border_is_like_any_line_inside(preset, renderer):
    """Of its 32 values as few lie outside of nine tenths of those inside as lines inside themselves have there."""
    scene = scenes.load(preset).replace({"grid.rows": CELLS, "grid.columns": CELLS})
    field = generate(scene, "cpu")
    along, odd = {}, []
    for seen, yaw in views(scene, field):
        pixels = capture.still(renderer, seen, field, SIZE, samples=4)[..., :3].astype(float).mean(axis=-1)
        first, last, rows = borders(seen.camera, field, yaw)
        found = border_seams.lines(pixels[rows], sea(renderer, seen)[rows], first, last)
        along.setdefault(yaw, []).extend(found.values())
        for name, lines in found.items():
            for end, line in (("first", 0), ("last", -1)):
                assert not np.isnan(lines.places[line]), "too few lines to compare it with"
                if lines.odd[line]:
                    odd.append((name, end, yaw, seen.camera.pitch, round(float(lines.places[line]), 3)))
    assert len(odd) <= border_seams.by_chance(along.values(), MOST_PERCENT), odd
