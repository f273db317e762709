"""The map of the land in the viewer: drawn once a land, apart from frames, and linked with camera and measuring."""

import time

import pytest

from fellview.draw.overlay import land_map
from fellview.scene.scene import Scene
from fellview.ui import drawn
from fellview.ui.map_view import MapDone
from fellview.view import projection
from fellview.view.picking import hit
from tests.headless_window import opened, turn

LAND = Scene(name="Dunes").replace(
    {
        "grid.rows": 32,
        "grid.columns": 32,
        "grid.size_x": 320.0,
        "grid.size_z": 320.0,
        "water.enabled": False,
        "camera.mode": "orbit",
        "camera.x": 160.0,
        "camera.y": 300.0,
        "camera.z": -100.0,
        "camera.pitch": -40.0,
    }
)


@pytest.fixture(scope="module")
def shared(context, tmp_path_factory):
    with opened(context, LAND, tmp_path_factory.mktemp("pictures")) as one:
        yield one


@pytest.fixture
def viewer(shared):
    shared.layout.show_map("")
    shared.picking.measuring = []
    shared.map.kind = land_map.HILLSHADE
    shared.session.start(LAND)
    settle(shared)
    yield shared


def settle(viewer):
    """Have the loop turn until the map, where it is open, is of the land that is there."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        viewer.compute.process.finish()
        turn(viewer, 2)
        is_there = not viewer.map.shown or viewer.map._want() == viewer.map._wanted is not None
        if viewer.session.settled and is_there and viewer.map._drawing is None:
            return
        time.sleep(0.01)
    pytest.fail("no map within 20 s")


def test_a_key_opens_the_map_beside_the_land_and_closes_it(viewer):
    alone = viewer.layout.area_pixels()
    viewer.act("map")
    settle(viewer)
    turn(viewer, 2)
    assert viewer.layout.area_pixels()[0] < alone[0] and not viewer.layout.land_covered
    assert "map" in drawn.places("button")
    assert viewer.map._texture is not None
    viewer.act("map")
    turn(viewer, 2)
    assert viewer.layout.area_pixels() == alone and "map" not in drawn.places("button")


def test_the_map_covers_the_land_until_escape(viewer):
    viewer.act("map.whole")
    turn(viewer, 2)
    assert viewer.layout.land_covered
    viewer.act("cancel")
    assert not viewer.layout.land_covered and not viewer.map.shown
    viewer.act("map.whole")
    viewer.act("board")
    assert viewer.layout.map_where == "" and viewer.layout.board.state.shown
    viewer.act("map.whole")
    assert viewer.layout.map_where == "whole" and not viewer.layout.board.state.shown


def test_the_map_is_drawn_once_a_land_and_not_for_the_camera(viewer, monkeypatch):
    drawings = []
    plain = land_map.land_map
    monkeypatch.setattr(land_map, "land_map", lambda *what: drawings.append(what) or plain(*what))
    viewer.act("map")
    viewer.session.set(viewer.session.scene.replace({"noise.seed": 4}), "Seed")
    settle(viewer)
    count = len(drawings)
    assert count == 1
    camera = viewer.session.scene.camera
    for yaw in range(5):
        viewer.session.set_camera(camera.replace(yaw=float(yaw)))
        viewer.redraw()
        turn(viewer, 2)
    viewer.picking.measuring = [(10.0, 10.0), (200.0, 200.0)]
    viewer.redraw()
    turn(viewer, 2)
    assert len(drawings) == count
    viewer.session.set(viewer.session.scene.replace({"noise.seed": 5}), "Seed")
    settle(viewer)
    assert len(drawings) == count + 1


def test_a_click_moves_what_the_camera_aims_at(viewer):
    viewer.act("map")
    settle(viewer)
    viewer.map._done = MapDone(aim=(100.0, 200.0))
    viewer.map.obey()
    camera, (width, height) = viewer.session.scene.camera, viewer.layout.area_pixels()
    met = hit(viewer.session.land, *projection.ray(camera, (width, height), (width / 2, height / 2)))
    assert (met[0], met[2]) == (pytest.approx(100, abs=0.1), pytest.approx(200, abs=0.1))
    assert not viewer.session.undo_label, "the camera is no step"


def test_a_drag_is_measured_along_and_m_shows_its_profile_too(viewer):
    viewer.act("map")
    settle(viewer)
    viewer.map._done = MapDone(line=((20.0, 20.0), (300.0, 260.0)))
    viewer.map.obey()
    viewer.redraw()
    assert viewer.picking.measuring == [(20.0, 20.0), (300.0, 260.0)]
    turn(viewer, 2)
    told = {one.name: one.words for one in drawn.all_of("remark")}
    assert told["profile"].startswith("3"), "of some 369 m"
    viewer.act("cancel")
    assert viewer.picking.measuring == [] and viewer.map.shown


def test_a_mask_is_asked_for_and_only_while_the_map_shows_it(viewer):
    viewer.map.kind = "slope"
    assert viewer.map.wanted_masks == frozenset()
    viewer.act("map")
    assert viewer.map.wanted_masks == {"slope"}
    viewer.map.kind = land_map.HEIGHT
    assert viewer.map.wanted_masks == frozenset()


def test_a_map_that_cannot_be_drawn_is_told_and_the_window_goes_on(viewer, monkeypatch):
    def broken(*what):
        raise ZeroDivisionError

    viewer.act("map")
    settle(viewer)
    before = len(viewer.session.notices)
    monkeypatch.setattr(land_map, "land_map", broken)
    viewer.session.set(viewer.session.scene.replace({"noise.seed": 9}), "Seed")
    settle(viewer)
    turn(viewer, 2)
    assert len(viewer.session.notices) > before
    del viewer.session.notices[before:]
