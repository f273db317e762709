"""What moves is drawn smaller, without the panel and in a simple look, and in full once it rests."""

import itertools
import time

import numpy as np
import pytest

from fellview.compute.protocol import Masked
from fellview.desktop import frames, hand_at_rest
from fellview.desktop.background_warm_up import BackgroundWarmUp
from tests.desktop.frames.slow import aim, compute, reseed
from tests.headless_window import SIZE, opened, turn
from tests.session.scripted import SMALL


class SmallScale:
    """Has moving pictures drawn with half the pixels a side."""

    scale = 0.5

    def __init__(self):
        self.noted = []

    def note(self, seconds):
        self.noted.append(seconds)


class Panels:
    """Counts how often the panel is drawn, and how often it is passed over."""

    def __init__(self, viewer):
        self.drawn = self.passed = 0
        draw, pass_over = viewer.layout.panel.draw, viewer.host.pass_over

        def drawn(*arguments):
            self.drawn += 1
            return draw(*arguments)

        def passed(seconds):
            self.passed += 1
            pass_over(seconds)

        viewer.layout.panel.draw, viewer.host.pass_over = drawn, passed


def test_the_panel_is_passed_over_while_the_hand_moves_over_the_land_and_seen_a_quarter_second_later(
    viewer, monkeypatch
):
    viewer.pictures.drawing_scale, panels = SmallScale(), Panels(viewer)
    viewer.host.mouse_move(400, 150)
    turn(viewer, 8)
    viewer.host.mouse_button(0, True)
    turn(viewer, 8)
    panels.drawn = panels.passed = 0
    monkeypatch.setattr(frames, "BUSY_TICK_S", 1000.0)
    yaws = [viewer.session.scene.camera.yaw]
    for x in range(410, 500, 5):
        viewer.host.mouse_move(x, 150)
        turn(viewer)
        yaws.append(viewer.session.scene.camera.yaw)
    assert panels.passed >= 15 and panels.drawn <= 3, "the first alone is drawn, to be held"
    assert len(set(yaws)) == len(yaws), "every move turns the camera"
    monkeypatch.setattr(frames, "BUSY_TICK_S", 0.0)
    before = panels.drawn
    viewer.host.mouse_move(500, 150)
    turn(viewer)
    assert panels.drawn > before
    viewer.host.mouse_button(0, False)
    turn(viewer, 8)
    passed = panels.passed
    viewer.host.mouse_move(20, 150)
    turn(viewer, 8)
    assert panels.passed == passed, "the panel answers the pointer"


def test_a_picture_is_sharp_as_soon_as_the_hand_has_let_go_and_after_a_wheel_once_it_rests(viewer, monkeypatch):
    """The next notch of a wheel comes soon, and would have to wait for a pass."""
    viewer.pictures.drawing_scale = SmallScale()
    monkeypatch.setattr(hand_at_rest, "_DRAFT_REST_S", 1000.0)
    viewer.pictures.hand.after_s = 1000.0
    viewer.host.mouse_move(400, 150)
    turn(viewer, 8)
    waits = {}
    viewer.host.mouse_button(0, True)
    turn(viewer, 4)
    viewer.host.mouse_move(450, 150)
    turn(viewer, 4)
    waits["held"] = viewer.pictures.refine_in
    viewer.host.mouse_button(0, False)
    turn(viewer, 8)
    waits["let go"] = viewer.pictures.refine_in
    assert viewer.pictures._refined == 1, "the first frame at rest has all pixels"
    viewer.input.let_go_at -= 1.0  # some time later
    viewer.host.wheel(0.0, 1.0)
    turn(viewer, 4)
    waits["wheel"] = viewer.pictures.refine_in
    assert min(waits["held"], waits["wheel"]) > 900 and waits["let go"] > 900 and viewer.pictures._refined == 0


def test_the_end_of_a_drag_costs_two_panels_and_one_picture_before_the_land_is_drawn_sharp(viewer, slow):
    """Each panel takes as long as a part of the picture that the hand waits for."""
    viewer.pictures.drawing_scale, panels = SmallScale(), Panels(viewer)
    viewer.host.mouse_move(400, 150)
    turn(viewer, 8)
    viewer.host.mouse_button(0, True)
    turn(viewer, 8)
    passes, at_rest = viewer.renderer.passes, []

    def noted(scene, size, samples, number, **settings):
        if samples > 1:
            at_rest.append((panels.drawn, panels.passed, slow.log.count("finished")))
        return passes(scene, size, samples, number, **settings)

    viewer.renderer.passes = noted
    viewer.host.mouse_move(430, 150)
    viewer.host.mouse_button(0, False)
    panels.drawn = panels.passed = 0
    slow.log.clear()
    turn(viewer, 8)
    assert at_rest[0] == (2, 0, 1)


def test_a_press_over_the_land_and_what_moves_then_cost_a_picture_under_way_two_frames(viewer, slow):
    viewer.pictures.drawing_scale = SmallScale()
    viewer.host.mouse_move(400, 150)
    turn(viewer, 8)
    slow.log.clear()
    slow.passes_drawn = 0
    slow.at_pass[1] = lambda: viewer.host.mouse_button(0, True)
    for number in range(2, slow.PASSES):
        slow.at_pass[number] = lambda x=400 + number: viewer.host.mouse_move(x, 150)
    aim(viewer, 2.0)
    turn(viewer, 3 * slow.PASSES)
    begun = slow.log.index("pass")
    assert slow.log[begun : slow.log.index("finished")].count("shown") <= 3, "one began it, one is of the press"
    after = slow.after("finished")
    assert after.index("shown") < after.index("pass"), "and the picture is seen before the next one is drawn"


def test_a_window_whose_panel_is_held_looks_as_if_it_were_drawn(viewer, monkeypatch):
    viewer.pictures.drawing_scale = SmallScale()
    viewer.host.mouse_move(400, 150)
    turn(viewer, 8)
    viewer.host.mouse_button(0, True)
    turn(viewer, 8)
    monkeypatch.setattr(frames, "BUSY_TICK_S", 1000.0)
    for x in (410, 420):
        viewer.host.mouse_move(x, 150)
        turn(viewer, 3)
    held = viewer.window.pixels().copy()
    left, bottom, width, height = viewer.layout.area()
    viewer.pictures.present.draw(viewer.window.fbo, SIZE, (left, bottom, width, height))
    land = viewer.window.pixels()[: SIZE[1] - bottom, left:]
    clear = np.abs(held[: SIZE[1] - bottom, left:].astype(int) - land).max(axis=-1) == 0
    assert clear.mean() > 0.5, "the land is the newest"
    monkeypatch.setattr(frames, "BUSY_TICK_S", 0.0)
    camera = viewer.session.scene.camera
    viewer.host.mouse_button(0, False)
    turn(viewer, 8)
    viewer.session.set_camera(camera)
    drawn = viewer.window.pixels()
    beside = np.abs(held[: SIZE[1] - bottom, :left].astype(int) - drawn[: SIZE[1] - bottom, :left])
    assert np.percentile(beside, 99) <= 1


def pictures_begun(viewer):
    """Samples and scale of each picture that is begun from now on, while what moves has half the pixels a side."""
    begun, passes = [], viewer.renderer.passes

    def noted(scene, size, samples, number, **settings):
        begun.append((samples, settings.get("scale", 1.0)))
        return passes(scene, size, samples, number, **settings)

    viewer.renderer.passes, viewer.pictures.drawing_scale = noted, SmallScale()
    return begun


def test_the_first_frame_at_rest_is_hurried_after_a_coarse_picture_alone(viewer):
    hurried, passes = [], viewer.renderer.passes

    def noted(scene, size, samples, number, **settings):
        if samples > 1:
            hurried.append((number, settings["options"].hurried))
        return passes(scene, size, samples, number, **settings)

    viewer.renderer.passes, viewer.pictures.drawing_scale = noted, SmallScale()
    aim(viewer, 2.0)
    turn(viewer, 8)
    until_refined(viewer)
    assert hurried[0] == (0, True) and not any(one for _, one in hurried[1:]) and len(hurried) > 1
    hurried.clear()
    viewer.pictures.drawing_scale.scale = 1.0
    aim(viewer, 2.5)
    turn(viewer, 8)
    until_refined(viewer)
    assert hurried and not any(one for _, one in hurried), "all pixels are there"


def test_what_moves_is_drawn_smaller_and_in_full_once_it_rests(viewer):
    begun = pictures_begun(viewer)
    for yaw in (2.0, 2.5):
        aim(viewer, yaw)
        turn(viewer, 8)
    assert begun[0] == (1, 0.5) and len({one for one in begun if one[0] == 1}) == 1
    small = viewer.pictures.present.kept.pixels()
    until_refined(viewer)
    assert begun[-1] == (viewer.renderer.resting_samples, 1.0)
    rested = viewer.pictures.present.kept.pixels()
    assert small.shape == rested.shape and (small != rested).any()


@pytest.mark.parametrize("rests_at_once", [False, True])
def test_new_land_is_sharp_before_what_its_picture_at_rest_waits_for_is_made(viewer, monkeypatch, rests_at_once):
    monkeypatch.setattr(viewer.renderer, "rests_at_once", lambda scene: rests_at_once)
    begun, resting = pictures_begun(viewer), (viewer.renderer.resting_samples, 1.0)
    reseed(viewer, 7)
    compute(viewer).finish()
    until_refined(viewer)
    one_of_each = [one for one, _ in itertools.groupby(begun)]
    assert one_of_each == [(1, 0.5), *([] if rests_at_once else [(1, 1.0)]), resting]


def test_masks_that_come_when_the_hand_has_let_go_blur_no_picture(viewer):
    """They come behind their land, when its picture may be sharp already; under a hand pictures are small."""
    viewer.more_masks = frozenset({"flow"})
    viewer.redraw()
    turn(viewer)
    compute(viewer).finish()
    until_refined(viewer)
    flow = np.ones(viewer.session.land.heights.shape, np.float32)
    begun, resting = pictures_begun(viewer), (viewer.renderer.resting_samples, 1.0)
    compute(viewer).say(Masked(compute(viewer).job, {"flow": flow}))
    until_refined(viewer)
    assert viewer.renderer.field.masks and [one for one, _ in itertools.groupby(begun)] == [(1, 1.0), resting]


def until_refined(viewer):
    for _ in range(2000):
        turn(viewer)
        if viewer.pictures.up_to_date and viewer.pictures.refine_in is None:
            return
        time.sleep(0.005)
    pytest.fail("the picture is not refined after 2000 turns")


def test_no_picture_is_drawn_from_under_the_sea_while_a_slider_raises_it(viewer):
    turn(viewer, 8)
    panel, session = viewer.layout.panel, viewer.session
    draw, levels = panel.draw, [session.scene.camera.y + 10.0 * step for step in range(1, 6)]

    def raised(*arguments):
        outcome = draw(*arguments)
        changes = {"water.enabled": True, "water.sea": True, "water.sea_level": levels.pop(0)} if levels else {}
        outcome.scene = outcome.scene.replace(changes)
        return outcome

    panel.draw, highest = raised, levels[-1]
    seen = viewer.pictures.drawn_groups
    while seen["water"].sea_level != highest:
        viewer.redraw()
        turn(viewer)
        seen = viewer.pictures.drawn_groups
        assert not seen["water"].enabled or seen["camera"].y > seen["water"].sea_level


def test_water_that_moves_in_a_view_that_stands_is_drawn_in_full(viewer):
    small = viewer.pictures.drawing_scale = SmallScale()
    session = viewer.session
    session.set(session.scene.replace({"water.enabled": True, "water.animate": True}), "Water")
    turn(viewer, 8)
    begun, passes = [], viewer.renderer.passes

    def noted(*arguments, **settings):
        begun.append(settings["scale"])
        return passes(*arguments, **settings)

    viewer.renderer.passes = noted
    small.noted.clear()
    turn(viewer, 12)
    assert begun and set(begun) == {1.0}
    assert not small.noted, "what whole frames take says nothing of small ones"


def test_land_that_is_there_is_shown_in_the_simple_look_while_other_land_is_computed(context, tmp_path, monkeypatch):
    monkeypatch.setattr(BackgroundWarmUp, "has", lambda self, scene: False)
    with opened(context, SMALL, tmp_path) as viewer:
        reseed(viewer, 7)
        for _ in range(200):
            turn(viewer)
            if viewer.renderer.field is not None and viewer.pictures.up_to_date:
                break
        assert viewer.session.busy
        assert viewer.renderer.field is viewer.session.land is not None
