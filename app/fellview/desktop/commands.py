"""What a person can have the viewer do; `actions.py` gives each a title and keys.

Every function takes the viewer. What one refuses (`FellviewError`) the viewer shows as a notice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.capture import capture
from fellview.draw.ground import ground_textures
from fellview.draw.light.lighting import cut_base
from fellview.io import heights, imports, pictures, scenes
from fellview.scene import recipe
from fellview.scene.groups.ground import MATERIALS
from fellview.scene.scene import Scene
from fellview.ui.file_dialog import FileDialog
from fellview.view import framing
from fellview.view.controllers import through_other_lens
from fellview.view.ground import above_all

if TYPE_CHECKING:
    from fellview.desktop.viewer import Viewer

SAVING = "Saving a picture…"
_SAME_M = 0.5  # a place that far from the figure is under its feet
_ENDS = 2
_TEXTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp")
_LARGEST_SEED = 2**31 - 1


# -- files -------------------------------------------------------------------------------------------------------------


def open_scene(viewer: Viewer) -> None:
    """Ask for a scene file or a picture and open it."""
    dialog = FileDialog("open", "Open a scene", viewer.folder, (".toml", ".png"))
    viewer.ask(dialog, lambda path: open_source(viewer, path))


def open_source(viewer: Viewer, source: str | Path) -> None:
    """Open a preset, recipe file or picture."""
    viewer.read(Path(source).name, lambda: _scene_of(viewer, source))


def open_dropped(viewer: Viewer, path: Path) -> None:
    """Open the scene or picture at `path`, or take the land from it where it is a height map."""
    before = viewer.session.scene

    def look() -> Callable[[], None]:
        scene_file = path.suffix.lower() == ".toml" or (path.suffix.lower() == ".png" and pictures.has_recipe(path))
        if path.suffix.lower() in imports.SUFFIXES and not scene_file:
            return _heights_of(viewer, before, path)
        return _scene_of(viewer, path)

    viewer.read(path.name, look)


def _scene_of(viewer: Viewer, source: str | Path) -> Callable[[], None]:
    """Return what opens the scene of `source`; called apart from the window."""
    scene, notices = scenes.load_with_notices(source)

    def open_it() -> None:
        viewer.session.open(scene, notices)
        # neither presets nor what other windows have left are files of the person's
        if str(source) not in scenes.presets() and not Path(source).is_relative_to(paths.state_folder()):
            viewer.recent.note(Path(source))

    return open_it


def _heights_of(viewer: Viewer, before: Scene, path: Path) -> Callable[[], None]:
    """Return what takes the land from the height map at `path`, and shows the whole of it.

    It is called apart from the window, while the scene may go on from `before`.
    """
    chosen, notices = imports.chosen(before, path)

    def take() -> None:
        session = viewer.session
        size = {"grid.size_z": chosen.grid.size_z, "grid.size_x": chosen.grid.size_x}
        grid = session.scene.grid
        session.set(session.scene.with_group(chosen.imported).replace(size), "Import")
        for notice in notices:
            session.notify(notice)
        if (grid.size_z, grid.size_x) != tuple(size.values()):
            viewer.when_settled(lambda: frame_land(viewer))

    return take


def save_scene(viewer: Viewer) -> None:
    """Ask where to and save the scene."""

    def save(path: Path) -> None:
        scenes.save(path, viewer.session.scene)
        viewer.recent.note(path)
        viewer.session.notify(f"Saved {path}", passing=True)

    viewer.ask(FileDialog("save", "Save the scene", viewer.folder, (".toml",), "scene.toml"), save)


def export_heights(viewer: Viewer) -> None:
    """Ask where to and export the heights."""

    def export(path: Path) -> None:
        heights.require_suffix(path)
        viewer.when_settled(lambda: write(path))

    def write(path: Path) -> None:
        result = viewer.session.result
        assert result is not None
        heights.export(path, result.field, scenes.to_text(viewer.session.scene, path.parent))
        viewer.session.notify(f"Exported {path}", passing=True)

    viewer.ask(FileDialog("save", "Export the heights", viewer.folder, heights.SUFFIXES, "heights.png"), export)


def import_heights(viewer: Viewer) -> None:
    """Ask for a height map and take the land from it."""
    viewer.ask(
        FileDialog("open", "Import a height map", viewer.folder, imports.SUFFIXES),
        lambda path: take_heights(viewer, path),
    )


def take_heights(viewer: Viewer, path: Path) -> None:
    """Take the land from the height map at `path`, and show the whole of it."""
    before = viewer.session.scene
    viewer.read(path.name, lambda: _heights_of(viewer, before, path))


def choose_textures(viewer: Viewer) -> None:
    """Ask for a picture named after a material and take all such pictures of its folder for the ground."""

    def set_them(folder: str) -> None:
        ground = viewer.session.scene.ground.replace(textures=folder)
        viewer.session.set(viewer.session.scene.with_group(ground), "Textures")

    def look(folder: str) -> Callable[[], None]:
        ground_textures.take(folder)
        return lambda: set_them(folder)

    def take(path: Path) -> None:
        folder = path.absolute().parent
        viewer.read(folder.name, lambda: look(str(folder)))

    names = ", ".join(MATERIALS)
    viewer.ask(FileDialog("open", f"A folder of {names}", viewer.folder, _TEXTURES), take)


def save_picture(viewer: Viewer) -> None:
    """Save what is seen, without the panel, with its recipe inside; it is drawn between the window's frames."""
    seen = viewer.session.scene
    viewer.session.notify(SAVING)

    def draw() -> None:
        session, samples = viewer.session, viewer.renderer.resting_samples
        # what was under way at the press may have become another land since
        scene = seen if seen.terrain_groups() == session.scene.terrain_groups() else session.scene
        assert session.result is not None
        picture = capture.Still(viewer.renderer, scene, session.result.field, viewer.area_pixels(), samples)
        viewer.draw_still(picture, lambda pixels: write(scene, pixels))

    def write(scene: Scene, pixels: NDArray[np.uint8]) -> None:
        path = capture.stamped_path(viewer.pictures, scene, ".png")
        capture.save(path, scene, pixels)
        viewer.recent.note(path)
        viewer.session.notify(f"Saved {path}", passing=True)

    viewer.when_settled(draw)


def copy_recipe(viewer: Viewer) -> None:
    """Put the recipe on the clipboard."""
    viewer.window.set_clipboard(recipe.to_text(viewer.session.scene))
    viewer.session.notify("The recipe is on the clipboard", passing=True)


def paste_recipe(viewer: Viewer) -> None:
    """Open the recipe on the clipboard."""
    text = viewer.window.clipboard()

    def look() -> Callable[[], None]:
        scene, notices = scenes.from_text(text, "pasted text", Path.cwd())
        return lambda: viewer.session.open(scene, notices)

    viewer.read("pasted text", look)


# -- scene -------------------------------------------------------------------------------------------------------------


def undo(viewer: Viewer) -> None:
    """Take the last gesture back."""
    viewer.session.undo()


def redo(viewer: Viewer) -> None:
    """Bring back what undo took."""
    viewer.session.redo()


def next_seed(viewer: Viewer) -> None:
    """Go to the next seed."""
    _step_seed(viewer, 1)


def previous_seed(viewer: Viewer) -> None:
    """Go to the seed before."""
    _step_seed(viewer, -1)


def _step_seed(viewer: Viewer, change: int) -> None:
    scene = viewer.session.scene
    seed = (scene.noise.seed + change) % (_LARGEST_SEED + 1)
    viewer.session.set(scene.replace({"noise.seed": seed}), "Seed")


def cancel_work(viewer: Viewer) -> None:
    """Stop what is computed and go back to the recipe of the land that is there."""
    if not viewer.give_up_reading():
        viewer.session.cancel_job()


def keep_so_far(viewer: Viewer) -> None:
    """End the step at work with what it has reached."""
    viewer.session.keep_so_far()


def reset_scene(viewer: Viewer) -> None:
    """Go back to the scene as it was opened, in one undo step, and look at it as before."""
    viewer.session.set(viewer.session.home.viewed_as(viewer.session.scene), "Scene as opened")


def next_view_mode(viewer: Viewer) -> None:
    """Go to the next view mode."""
    view = viewer.session.scene.view
    modes = view.declaration("mode").options
    following = modes[(modes.index(view.mode) + 1) % len(modes)]
    viewer.session.set(viewer.session.scene.with_group(view.replace(mode=following)), "View mode")


def set_figure(viewer: Viewer) -> None:
    """Set person and pole down under the pointer; take them away where they stand there, or over the sky."""
    spot, scene = viewer.spot_now(), viewer.session.scene
    view = scene.view
    there = spot is not None and view.figure and math.dist((spot.x, spot.z), (view.figure_x, view.figure_z)) < _SAME_M
    if spot is None or there:
        placed = view.replace(figure=False)
    else:
        placed = view.replace(figure=True, figure_x=spot.x, figure_z=spot.z)
    viewer.session.set(scene.with_group(placed), "Scale figure")


def measure(viewer: Viewer) -> None:
    """Measure from under the pointer; the second time to there; the third time no more."""
    spot = viewer.spot_now()
    if len(viewer.measuring) == _ENDS or spot is None:
        viewer.measuring = []
    else:
        viewer.measuring = [*viewer.measuring, (spot.x, spot.z)]


def hold_before(viewer: Viewer) -> None:
    """Show the scene as it was opened."""
    viewer.session.show_before(True)
    viewer.redraw()


def release_before(viewer: Viewer) -> None:
    """Show the scene as it is."""
    viewer.session.show_before(False)
    viewer.redraw()


def hold_sun(viewer: Viewer) -> None:
    """Have drags move the sun."""
    viewer.sun_held = True


def release_sun(viewer: Viewer) -> None:
    """Have drags move the camera again."""
    viewer.sun_held = False
    viewer.session.finish_gesture()


# -- camera ------------------------------------------------------------------------------------------------------------


def frame_land(viewer: Viewer) -> None:
    """Show the whole land, looking down on it, from the present side where that is free; mark its edge for a moment."""
    land, scene = viewer.session.land, viewer.session.visible
    if land is not None:
        falling = scene.with_group(scene.camera.replace(pitch=framing.USEFUL_PITCHES[0]))
        _look(viewer, partial(framing.frame, around=viewer.renderer.ground_around(falling, land)))
        viewer.mark_edge()


def look_from_top(viewer: Viewer) -> None:
    """Show the whole land from above; from there go back to where the camera was."""
    session, camera = viewer.session, viewer.session.scene.camera
    home, before = viewer.left_for_top or (session.home, session.home.camera)
    if framing.is_top(camera) and home is session.home and session.land is not None:
        session.set_camera(above_all(session.visible.with_group(before), session.land))
    else:
        viewer.left_for_top = session.home, camera
        _look(viewer, framing.top)


def look_from_front(viewer: Viewer) -> None:
    """Show the whole land, and nothing else, from the front."""
    _look(viewer, framing.front)


def look_from_side(viewer: Viewer) -> None:
    """Show the whole land, and nothing else, from the side."""
    _look(viewer, framing.side)


def _look(viewer: Viewer, placed: Callable[..., Any]) -> None:
    land, scene = viewer.drawn_land(), viewer.session.scene
    if land is not None:
        width, height = viewer.area_pixels()
        turned = scene.with_group(placed(scene.camera, land, width / height))  # which may have sides in view
        base_m = cut_base(turned, viewer.session.land)
        viewer.session.set_camera(placed(scene.camera, land, width / height, base_m))


def change_projection(viewer: Viewer) -> None:
    """Go from perspective to orthographic or back; what is in the middle stays as large as it is."""
    land = viewer.drawn_land()
    if land is not None:
        viewer.session.set_camera(through_other_lens(viewer.session.scene.camera, viewer.area_pixels(), land))


def reset_camera(viewer: Viewer) -> None:
    """Put the camera where the scene has it."""
    viewer.session.set_camera(viewer.session.home.camera)


# -- window ------------------------------------------------------------------------------------------------------------


def toggle_panel(viewer: Viewer) -> None:
    """Show or hide the panel."""
    viewer.panel_shown = not viewer.panel_shown


def find_parameter(viewer: Viewer) -> None:
    """Have the panel search its parameters for what is typed next."""
    viewer.find_parameter()


def toggle_bare(viewer: Viewer) -> None:
    """Show or hide everything but the land."""
    viewer.bare = not viewer.bare


def toggle_fullscreen(viewer: Viewer) -> None:
    """Enter or leave fullscreen."""
    viewer.window.fullscreen = not viewer.window.fullscreen
    viewer.on_resize()


def toggle_lab(viewer: Viewer) -> None:
    """Open or close the noise lab."""
    viewer.controller.clear()  # a movement key's release still comes, but the land is not to drift meanwhile
    viewer.bare = False
    viewer.lab.toggle()


def play_lab(viewer: Viewer) -> None:
    """Play or pause the noise lab's slices."""
    viewer.lab.play()


def toggle_help(viewer: Viewer) -> None:
    """Show or hide the window of all keys."""
    viewer.help_shown = not viewer.help_shown


def cancel(viewer: Viewer) -> None:
    """Put back what is dragged, or close what is open over the land, or else stop long work; never quit."""
    if viewer.take_drag_back() or viewer.give_up_reading():
        return
    covered = viewer.help_shown or viewer.bare or viewer.holding or bool(viewer.measuring)
    viewer.measuring = []
    if not covered and not viewer.lab.state.shown:
        viewer.session.cancel_job()
    viewer.help_shown = viewer.bare = False
    viewer.controller.clear()
    if viewer.lab.state.shown and not covered:
        viewer.lab.toggle()
