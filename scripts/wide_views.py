"""Where a land is looked at from that is not its own camera: what its maker has not framed gives it away.

Camera yaw 0° looks along +z and 90° along +x, as the sun's azimuth goes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fellview.capture.contact_sheet import Labelled
from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.view import framing, projection
from fellview.view.extent import extent
from fellview.view.picking import heights_at

WIDER = 2.2  # than the whole land: as much ground around it as of it
OUTSIDE = 0.3  # widths of the land from its border to an eye that looks inward
RAISED = 0.22  # of them above the highest ground there
INWARD_PITCH = -24.0
LENS = 45.0  # degrees, of all views that are not from above
EYE_M = 2.0
LEVEL_DEGREES = 12.0  # ground that a person stands on without hands
STANDS = np.linspace(0.06, 0.94, 45)  # sides of the land, of the places that are tried for one to stand on
LOW_SUN, DUSK, NIGHT = 8.0, -3.0, -25.0  # degrees of the sun's elevation
MORE_SEEDS = (101, 202, 303, 404)  # added to the scene's own
INWARD = {"west": 90.0, "east": 270.0, "south": 0.0, "north": 180.0}  # border to the yaw that looks inward from it


def places(scene: Scene, field: HeightField, aspect: float) -> Iterator[Labelled]:
    """Yield `scene` from its own camera and from nine places that are not; `field` is its land.

    `aspect` is of the pictures, width by height.
    """
    yield Labelled(scene, f"{scene.name}: own camera")
    above = framing.top(scene.camera, field, aspect)
    above = above.replace(span=WIDER * above.span)
    yield _seen("above", scene, above)
    for border, yaw in INWARD.items():
        yield _seen(f"from the {border} border inward", scene, _inward(scene.camera, field, yaw))
    yield _seen(f"from {EYE_M:g} m", scene, _standing(scene, field))
    against = _inward(scene.camera, field, scene.sun.azimuth).replace(pitch=INWARD_PITCH / 2)
    low = min(scene.sun.elevation, LOW_SUN)
    yield _seen("against the sun", scene.replace({"sun.elevation": low}), against)
    yield _seen("at dusk", scene.replace({"sun.elevation": DUSK}), _inward(scene.camera, field, scene.camera.yaw))
    yield _seen("at night", scene.replace({"sun.elevation": NIGHT}), _inward(scene.camera, field, scene.camera.yaw))


def seeds(scene: Scene) -> Iterator[Labelled]:
    """Yield `scene` with other seeds, from its own camera."""
    for more in MORE_SEEDS:
        seed = scene.noise.seed + more
        yield Labelled(scene.replace({"noise.seed": seed}), f"seed {seed}")


def _seen(label: str, scene: Scene, camera: Camera) -> Labelled:
    return Labelled(scene.with_group(camera), label)


def _eye(camera: Camera, x: float, y: float, z: float, yaw: float, pitch: float) -> Camera:
    angles = {"yaw": yaw % 360, "pitch": pitch, "field_of_view": LENS}
    return camera.replace(projection="perspective", mode="orbit", x=x, y=y, z=z, **angles)


def _inward(camera: Camera, field: HeightField, yaw: float) -> Camera:
    """Return a raised eye outside of the land that looks over it along `yaw` in degrees, through its middle."""
    box = extent(field)
    way = projection.axes(yaw, 0.0)[2]
    x, _, z = box.centre - (0.5 + OUTSIDE) * box.width * way
    return _eye(camera, x, box.high[1] + RAISED * box.width, z, yaw, INWARD_PITCH)


def _standing(scene: Scene, field: HeightField) -> Camera:
    """Return the eye of a person on dry and level ground, the nearest to the land's border, who looks out across it."""
    box = extent(field)
    x, z = (axis.ravel() for axis in np.meshgrid(STANDS * box.high[0], STANDS * box.high[2]))
    height_m, step_m = heights_at(field, x, z), 2 * max(field.cell_size)
    rise_x, rise_z = (
        (heights_at(field, x + dx, z + dz) - height_m) / step_m for dx, dz in ((step_m, 0.0), (0.0, step_m))
    )
    slope = np.degrees(np.arctan(np.hypot(rise_x, rise_z)))
    is_dry = height_m > (scene.water.sea_level if scene.water.enabled and scene.water.sea else -np.inf)
    ways_out_m = np.stack([x, box.high[0] - x, z, box.high[2] - z])
    chosen = np.argmin(ways_out_m.min(axis=0) + 1e9 * (slope > LEVEL_DEGREES) + 1e12 * ~is_dry)
    yaw = (list(INWARD.values())[int(np.argmin(ways_out_m[:, chosen]))] + 180) % 360
    return _eye(scene.camera, float(x[chosen]), float(height_m[chosen]) + EYE_M, float(z[chosen]), yaw, 0.0)
