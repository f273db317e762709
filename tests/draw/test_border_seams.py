"""Nobody can tell where the land ends: across its border a picture changes as it does across lines inside."""

import dataclasses

import numpy as np
import pytest

from fellview.capture import capture
from fellview.io import scenes
from fellview.library import generate
from fellview.view import framing, projection
from tests import border_seams

SIZE = (640, 640)
CELLS = 512
WIDER = 1.25  # than the land, so that ground around it is in the picture
TILT = -35.0
FIRST, LAST = 0.05, 0.95  # shares of the lines inside, among which a border lies
MOST_OUTSIDE = {
    "alpine-range": 8,
    "archipelago": 8,
    "badlands": 12,
    "canyon": 3,
    "dunes": 1,
    "fjords": 2,
    "highlands": 2,
    "moonscape": 3,
    "rocky-coast": 6,
    "volcano": 17,
}
"""Of the 32 values of a scene, how many may lie farther out: one more than were found. Three would by chance. Where an
island is, borders lie in the sea, which is smoother than lines through rock; around badlands the ground is a tenth
smoother than within."""

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


@pytest.mark.slow
@pytest.mark.parametrize("preset", ROUND_ABOUT)
def test_the_border_is_like_any_line_inside(preset, renderer):
    scene = scenes.load(preset).replace({"grid.rows": CELLS, "grid.columns": CELLS})
    field = generate(scene, "cpu")
    found = {}
    for seen, yaw in views(scene, field):
        pixels = capture.still(renderer, seen, field, SIZE, samples=4)[..., :3].astype(float).mean(axis=-1)
        first, last, rows = borders(seen.camera, field, yaw)
        for name, places in border_seams.places(pixels[rows], first, last).items():
            for end, place in zip(("first", "last"), places, strict=True):
                found[name, end, yaw, seen.camera.pitch] = round(place, 3)
    outside = {key: place for key, place in found.items() if not FIRST <= place <= LAST}
    assert len(outside) <= MOST_OUTSIDE[preset], outside
