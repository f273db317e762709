"""Two lands compared and the history's branches in the real window, by mouse and keys.

One window serves all tests, in this order: the first one's history has begun just now.
"""

from __future__ import annotations

import pytest

from fellview.studio.comparison import BEFORE, Comparison
from fellview.studio.differences import differences
from fellview.ui import drawn
from fellview.ui.comparison import ComparisonView, Told
from fellview.ui.imgui_host import Host
from fellview.ui.steps import Row, StepsView
from tests.end_to_end.window import SIZE, alike, on, places, screen, until, xdotool

pytestmark = pytest.mark.usefixtures("let_go")

LEFT = slice(190, 420), slice(390, 620)
"""Rows and columns to the left of the wipe's line in its middle, and to the right, under the window of the list."""
RIGHT = slice(300, 420), slice(980, 1200)


def laid_out(draw):
    """Return where widgets are that `draw` draws over the land, by kind: a window that is not there has them, too."""
    host = Host()
    host.resize(SIZE, SIZE)
    for _ in range(4):
        host.new_frame(1 / 60)
        draw()
        host.end_frame()
    found = {kind: drawn.places(kind) for kind in ("button", "track", "entry")}
    host.close()
    return found


def comparison(scene, other, way="wipe"):
    view, area = ComparisonView(), places(scene)[1]
    told = Told(differences(other, scene, looks=False), (BEFORE,))
    return laid_out(lambda: view.draw(Comparison(way=way), told, area))


def click(viewer, place):
    viewer.point(on(place, 0.5))
    xdotool("click", 1, "sleep", 0.2)
    viewer.park()


@pytest.mark.slow
def test_after_going_back_and_changing_something_the_other_future_is_found_again(viewer):
    start = viewer.scene()
    viewer.key("r")
    one_way = viewer.scene(lambda now: now.noise.seed == start.noise.seed + 1, "the next seed")
    viewer.key("ctrl+z")
    viewer.scene(lambda now: now.noise.seed == start.noise.seed, "the seed from before")
    viewer.key("shift+r")
    other_way = viewer.scene(lambda now: now.noise.seed == start.noise.seed - 1, "another seed")
    viewer.key("y")
    viewer.rest()
    rows = [Row(number, None, "", "", 0, True) for number in range(3)]
    view, area = StepsView(), places(other_way)[1]
    where = laid_out(lambda: view.draw(rows, 2, {}, area))
    for step, scene, what in (
        (1, one_way, "the other future"),
        (2, other_way, "the present from before"),
        (0, start, "the start"),
    ):
        click(viewer, where["entry"][f"step {step}"])
        viewer.scene(lambda now, scene=scene: now.noise.seed == scene.noise.seed, what)
    viewer.key("y")
    viewer.rest()


def test_both_lands_are_seen_blink_and_give_their_values(viewer):
    viewer.park()
    home, before = viewer.scene(), viewer.rest()
    viewer.key("r")
    viewer.changed(before[LEFT], LEFT)
    changed, after = viewer.scene(), viewer.rest()
    viewer.key("c")
    until(lambda: alike(screen(LEFT), before[LEFT]), "the land from before, left of the line")
    assert alike(screen(RIGHT), after[RIGHT])
    viewer.key("b")
    until(lambda: alike(screen(RIGHT), before[RIGHT]), "the land from before alone")
    viewer.key("b")
    until(lambda: alike(screen(LEFT), after[LEFT]), "the land alone")
    where = comparison(changed, home, "blink")
    click(viewer, where["entry"]["differs noise.seed"])
    viewer.scene(lambda now: now.noise.seed == home.noise.seed, "the seed from before")
    viewer.key("ctrl+z")
    viewer.scene(lambda now: now.noise.seed == changed.noise.seed, "the seed that was taken back")
    viewer.key("Escape")


@pytest.mark.slow
def test_the_line_is_dragged_and_the_difference_has_its_colours(viewer):
    home = viewer.scene()
    viewer.key("r")
    now = viewer.scene(lambda one: one.noise.seed != home.noise.seed, "another seed")
    viewer.rest()
    viewer.key("c")
    viewer.rest()
    seen = screen(LEFT)
    where = comparison(now, home)
    line = where["track"]["wipe"]
    viewer.drag(on(line, 0.5), (400, line[1] + line[3] / 2))
    viewer.changed(seen, LEFT)
    wiped = viewer.rest()
    click(viewer, where["button"]["Difference"])
    viewer.changed(wiped[RIGHT], RIGHT)
    viewer.scene(lambda one: one.view.mode == "difference", "the view mode of differences")
    viewer.key("Escape")
    viewer.scene(lambda one: one.view.mode == now.view.mode, "the view mode from before")
