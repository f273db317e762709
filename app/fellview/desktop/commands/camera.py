"""Commands that place the camera."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fellview.desktop.commands.desk import CameraDesk
from fellview.desktop.commands.registry import command
from fellview.desktop.picking import drawn_land
from fellview.draw.light.lighting import cut_base
from fellview.scene import bookmarks
from fellview.ui.actions import BOOKMARK, SET_BOOKMARK
from fellview.view import framing
from fellview.view.controllers import through_other_lens
from fellview.view.ground import above_all


@command("frame")
def frame_land(desk: CameraDesk) -> None:
    """Show the whole land, looking down on it, from the present side where that is free; mark its edge for a moment."""
    land, scene = desk.session.land, desk.session.visible
    if land is not None:
        falling = scene.with_group(scene.camera.replace(pitch=framing.USEFUL_PITCHES[0]))
        _look(desk, partial(framing.frame, around=desk.renderer.ground_around(falling, land)))
        desk.picking.mark_edge()


@command("camera.top")
def look_from_top(desk: CameraDesk) -> None:
    """Show the whole land from above; from there go back to where the camera was."""
    session, camera = desk.session, desk.session.scene.camera
    home, before = desk.left_for_top or (session.home, session.home.camera)
    if framing.is_top(camera) and home is session.home and session.land is not None:
        session.set_camera(above_all(session.visible.with_group(before), session.land))
    else:
        desk.left_for_top = session.home, camera
        _look(desk, framing.top)


@command("camera.front")
def look_from_front(desk: CameraDesk) -> None:
    """Show the whole land, and nothing else, from the front."""
    _look(desk, framing.front)


@command("camera.side")
def look_from_side(desk: CameraDesk) -> None:
    """Show the whole land, and nothing else, from the side."""
    _look(desk, framing.side)


def _look(desk: CameraDesk, placed: Callable[..., Any]) -> None:
    land, scene = drawn_land(desk.session), desk.session.scene
    if land is not None:
        width, height = desk.layout.area_pixels()
        turned = scene.with_group(placed(scene.camera, land, width / height))  # which may have sides in view
        base_m = cut_base(turned, desk.session.land)
        desk.session.set_camera(placed(scene.camera, land, width / height, base_m))


@command("camera.projection")
def change_projection(desk: CameraDesk) -> None:
    """Go from perspective to orthographic or back; what is in the middle stays as large as it is."""
    land = drawn_land(desk.session)
    if land is not None:
        desk.session.set_camera(through_other_lens(desk.session.scene.camera, desk.layout.area_pixels(), land))


@command("views")
def show_good_views(desk: CameraDesk) -> None:
    """Show good views of the land as thumbnails to choose one from, or no more."""
    desk.views.toggle()


@command("camera.home")
def reset_camera(desk: CameraDesk) -> None:
    """Put the camera where the scene has it."""
    desk.session.set_camera(desk.session.home.camera)


@command("bookmarks")
def toggle_bookmarks(desk: CameraDesk) -> None:
    """Show the list of bookmarks, or close it."""
    desk.beside.toggle("bookmarks")


def _set_bookmark(desk: CameraDesk, number: int) -> None:
    """Have the scene remember the camera as a bookmark."""
    desk.bookmarks.set(number)


def _fly_to_bookmark(desk: CameraDesk, number: int) -> None:
    """Fly to a bookmark."""
    desk.bookmarks.fly(number)


for _number in range(1, bookmarks.MOST + 1):
    command(f"{SET_BOOKMARK}{_number}")(partial(_set_bookmark, number=_number))
    command(f"{BOOKMARK}{_number}")(partial(_fly_to_bookmark, number=_number))
