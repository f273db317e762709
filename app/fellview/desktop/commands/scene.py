"""Commands on the scene: undo, seeds, view modes, what is measured, the sun."""

from __future__ import annotations

import math

from fellview import variants
from fellview.desktop.commands.desk import SceneDesk
from fellview.desktop.commands.registry import command, released

_SAME_M = 0.5  # a place that far from the figure is under its feet
_ENDS = 2
_LARGEST_SEED = 2**31 - 1


@command("undo")
def undo(desk: SceneDesk) -> None:
    """Take the last gesture back."""
    desk.session.undo()


@command("redo")
def redo(desk: SceneDesk) -> None:
    """Bring back what undo took."""
    desk.session.redo()


@command("steps")
def toggle_steps(desk: SceneDesk) -> None:
    """Show the list of all steps, or close it."""
    desk.beside.toggle("steps")


@command("seed.next")
def next_seed(desk: SceneDesk) -> None:
    """Go to the next seed."""
    _step_seed(desk, 1)


@command("seed.previous")
def previous_seed(desk: SceneDesk) -> None:
    """Go to the seed before."""
    _step_seed(desk, -1)


def _step_seed(desk: SceneDesk, change: int) -> None:
    scene = desk.session.scene
    seed = (scene.noise.seed + change) % (_LARGEST_SEED + 1)
    desk.session.set(scene.replace({"noise.seed": seed}), "Seed")


@command("randomise")
def randomise(desk: SceneDesk) -> None:
    """Draw all numbers anew that are not locked, in one undo step."""
    session = desk.session
    session.finish_gesture()
    changed = variants.randomise(session.scene, desk.layout.panel.sections.amount, None, session.locked)
    if changed == session.scene:
        session.notify("Nothing to randomise: all that has an effect is locked", passing=True)
    session.set(changed, "Randomise")


@command("cancel.work")
def cancel_work(desk: SceneDesk) -> None:
    """Stop what is computed and go back to the recipe of the land that is there."""
    if desk.reader.give_up():
        return
    if desk.session.busy:
        desk.session.cancel_job()
    else:
        desk.writer.give_up()


@command("keep")
def keep_so_far(desk: SceneDesk) -> None:
    """End the step at work with what it has reached."""
    desk.session.keep_so_far()


@command("scene.reset")
def reset_scene(desk: SceneDesk) -> None:
    """Go back to the scene as it was opened, in one undo step, and look at it as before."""
    desk.session.set(desk.session.home.viewed_as(desk.session.scene), "Scene as opened")


@command("view.next")
def next_view_mode(desk: SceneDesk) -> None:
    """Go to the next view mode."""
    view = desk.session.scene.view
    modes = view.declaration("mode").options
    following = modes[(modes.index(view.mode) + 1) % len(modes)]
    desk.session.set(desk.session.scene.with_group(view.replace(mode=following)), "View mode")


@command("figure")
def set_figure(desk: SceneDesk) -> None:
    """Set person and pole down under the pointer; take them away where they stand there, or over the sky."""
    spot, scene = desk.picking.spot_now(), desk.session.scene
    view = scene.view
    there = spot is not None and view.figure and math.dist((spot.x, spot.z), (view.figure_x, view.figure_z)) < _SAME_M
    if spot is None or there:
        placed = view.replace(figure=False)
    else:
        placed = view.replace(figure=True, figure_x=spot.x, figure_z=spot.z)
    desk.session.set(scene.with_group(placed), "Scale figure")


@command("measure")
def measure(desk: SceneDesk) -> None:
    """Measure from under the pointer; the second time to there; the third time no more."""
    spot = desk.picking.spot_now()
    if len(desk.picking.measuring) == _ENDS or spot is None:
        desk.picking.measuring = []
    else:
        desk.picking.measuring = [*desk.picking.measuring, (spot.x, spot.z)]


@command("compare")
def toggle_comparison(desk: SceneDesk) -> None:
    """Compare the land with what it was opened as, or another one; or no more."""
    desk.comparing.toggle()


@command("blink")
def blink(desk: SceneDesk) -> None:
    """Show the other one of the two lands that are compared."""
    desk.comparing.blink()


@command("before")
def hold_before(desk: SceneDesk) -> None:
    """Show the scene as it was opened."""
    desk.session.show_before(True)
    desk.redraw()


@released("before")
def release_before(desk: SceneDesk) -> None:
    """Show the scene as it is."""
    desk.session.show_before(False)
    desk.redraw()


@command("sun")
def hold_sun(desk: SceneDesk) -> None:
    """Have drags move the sun."""
    desk.input.sun_held = True


@released("sun")
def release_sun(desk: SceneDesk) -> None:
    """Have drags move the camera again."""
    desk.input.sun_held = False
    desk.session.finish_gesture()
