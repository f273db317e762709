"""Measuring goes by where the pointer was at each press, however long a frame takes."""

from types import SimpleNamespace

import numpy as np
import pytest

from fellview.core.height_field import HeightField
from fellview.desktop import commands
from fellview.desktop.events import EventQueue
from fellview.desktop.layout import Layout
from fellview.desktop.picking import Picking
from fellview.scene.scene import Scene
from fellview.ui.imgui_host import Host
from fellview.view import projection
from fellview.view.scale import measured, spot_at

SIZE = (1000, 600)
LEFT = 300.0
"""Where the land's part of the window begins: the panel stands before it."""

LAND = HeightField(np.full((129, 129), 50.0, np.float32), (2.0, 2.0))
SCENE = Scene().replace(
    {"camera.mode": "orbit", "camera.x": 128.0, "camera.y": 200.0, "camera.z": -60.0, "camera.pitch": -40.0}
)


@pytest.fixture
def viewer():
    """What tells the ground under the pointer, without a window: fed by a host as the window feeds it."""
    host = Host()
    host.resize((SIZE[0] + LEFT, SIZE[1]), (SIZE[0] + round(LEFT), SIZE[1]))
    session = SimpleNamespace(land=LAND, scene=SCENE, visible=SCENE, set=lambda scene, label: None)
    panel = SimpleNamespace(scene_rect=(LEFT, 0.0, *SIZE))
    closed = SimpleNamespace(state=SimpleNamespace(shown=False), take_extent=lambda extent: None)
    layout = Layout(host, panel, closed, closed, SIZE[0])
    one = SimpleNamespace(host=host, session=session, picking=Picking(host, session, EventQueue(host), layout))
    frame(one)
    yield one
    host.close()


def frame(viewer):
    viewer.host.new_frame(0.1)
    viewer.host.end_frame()


def point(viewer, x, z):
    """Have the pointer move over the ground at (x, z)."""
    across, down = projection.project(SCENE.camera, SIZE, (x, 50.0, z))
    viewer.host.mouse_move(across + LEFT, down)


def test_two_presses_within_one_frame_measure_from_one_place_to_the_other(viewer):
    point(viewer, 100.0, 90.0)
    commands.scene.measure(viewer)
    point(viewer, 160.0, 170.0)
    commands.scene.measure(viewer)
    spots = [spot_at(LAND, x, z) for x, z in viewer.picking.measuring]
    assert measured(*spots).distance == pytest.approx(100.0, abs=0.01)  # 60 across, 80 on


def test_a_press_after_its_frame_measures_from_where_the_pointer_rests(viewer):
    point(viewer, 100.0, 90.0)
    frame(viewer)
    commands.scene.measure(viewer)
    assert viewer.picking.measuring == [pytest.approx((100.0, 90.0), abs=0.01)]


def test_off_the_land_and_off_the_window_nothing_is_measured(viewer):
    point(viewer, 100.0, 90.0)
    commands.scene.measure(viewer)
    viewer.host.mouse_move(LEFT / 2, 300.0)  # over the panel
    commands.scene.measure(viewer)
    assert viewer.picking.measuring == []
    point(viewer, 100.0, 90.0)
    viewer.host.mouse_leave()
    commands.scene.measure(viewer)
    assert viewer.picking.measuring == []
