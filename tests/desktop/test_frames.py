"""The viewer's frames in a window that no display shows: one size a frame, and events while a slow one is drawn."""

import itertools
import time
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from fellview.capture import capture, shot
from fellview.capture.shot import Shot
from fellview.compute.protocol import Stopped
from fellview.desktop import frames, pace, window
from fellview.desktop.background_warm_up import BackgroundWarmUp
from fellview.desktop.pictures import DRAWING
from fellview.desktop.window import Extent, Key, Window
from fellview.draw.renderer import Renderer
from fellview.io import scenes
from tests.headless_window import SIZE, opened, turn
from tests.session.scripted import SMALL


@pytest.fixture
def viewer(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 6)
        yield viewer


def test_a_window_resized_in_the_middle_of_a_frame_has_one_size_for_all_of_it(viewer):
    asked, shown = [], []

    def extent():
        asked.append(True)
        return Extent(SIZE if len(asked) == 1 else (16, 16), SIZE, 1.0)  # as asked while the system is at it

    while viewer.pictures.under_way or not viewer.pictures.up_to_date:
        turn(viewer)  # a frame that a slow picture interrupts is drawn twice
    viewer.window.extent = extent
    viewer.window.swap_buffers = lambda: shown.append(viewer.layout.area_pixels())
    before = viewer.layout.area_pixels()
    viewer.redraw()
    turn(viewer)
    assert shown[0] == before
    viewer.redraw()
    for _ in range(200):  # a slow picture is drawn over several turns
        turn(viewer)
        if len(shown) > 1:
            break
    assert shown[-1] != before, "the next frame has the new size"


def test_a_windows_sizes_are_of_one_moment(monkeypatch):
    sizes = iter([(1280, 720), (40, 30), (40, 30), (40, 30)])
    monkeypatch.setattr(window.glfw, "get_window_size", lambda handle: next(sizes))
    monkeypatch.setattr(window.glfw, "get_framebuffer_size", lambda handle: (40, 30))
    monkeypatch.setattr(window.glfw, "get_window_content_scale", lambda handle: (1.0, 1.0))
    assert Window.extent(SimpleNamespace(_window=None)) == Extent((40, 30), (40, 30), 1.0)


def test_a_land_larger_than_opengl_draws_is_drawn_as_large_as_it_can(viewer):
    viewer.window.size = (100_000, 300)
    viewer.layout.bare = True
    viewer.on_resize()
    turn(viewer, 2)
    assert viewer.layout.area_pixels() == (viewer.window.context.info["GL_MAX_TEXTURE_SIZE"], 300)


def test_the_land_follows_the_window_with_the_frame_after(viewer):
    viewer.window.size = (500, 300)
    viewer.on_resize()
    turn(viewer, 4)
    width, height = viewer.layout.area_pixels()
    assert width + round(viewer.layout.panel.scene_rect[0]) == 500
    assert np.ptp(viewer.window.pixels()[-200:, :500], axis=(0, 1)).min() > 0
    assert height < 300


class Slow:
    """Draws as the renderer does, after passes that take long, and tells what was begun, finished and shown."""

    PASSES = 12
    PASS_S = 0.011  # longer than what the viewer takes for short

    def __init__(self, viewer):
        self._viewer, self._passes = viewer, viewer.renderer.passes
        self.begun, self.finished, self.log = [], [], []
        self.at_pass = {}
        """What happens while a pass of this number, counted from the first of all, is drawn."""
        self.passes_drawn = 0
        viewer.renderer.passes = self.passes
        self._swap = viewer.window.swap_buffers
        viewer.window.swap_buffers = self.swap

    def passes(self, scene, size, samples, number, **settings):
        self.begun.append(scene)
        for _ in range(self.PASSES):
            time.sleep(self.PASS_S)
            event = self.at_pass.pop(self.passes_drawn, None)
            if event is not None:
                self._viewer.window.events.append(event)
            self.passes_drawn += 1
            self.log.append("pass")
            yield
        target = yield from self._passes(scene, size, samples, number, **settings)
        self.finished.append(scene)
        self.log.append("finished")
        return target

    def swap(self):
        self._swap()
        self.log.append("shown")

    def after(self, mark):
        return self.log[self.log.index(mark) :]


@pytest.fixture
def slow(viewer):
    """The viewer whose pictures are slow, with one of them finished."""
    slow = Slow(viewer)
    aim(viewer, 1.0)
    turn(viewer, 6)
    slow.begun.clear(), slow.finished.clear(), slow.log.clear()
    slow.passes_drawn = 0
    return slow


def test_a_picture_comes_to_its_end_though_keys_come_without_end(viewer, slow):
    """As a held key's repeats do where a frame takes longer than the time between two."""
    wait, down = viewer.window.wait, itertools.cycle((True, False))

    def wait_and_press(seconds):
        wait(seconds)
        viewer.on_key(Key(ord("Y"), "", "Y", next(down), False, 0))

    viewer.window.wait = wait_and_press
    aim(viewer, 2.0)
    turn(viewer, 4 * Slow.PASSES)
    assert slow.finished and slow.finished[0].camera.yaw == 2.0


def test_repeats_of_a_held_key_ask_for_no_frame_at_once(viewer):
    viewer.on_key(Key(ord("Y"), "", "Y", True, False, 0))
    turn(viewer, 8)
    viewer.on_key(Key(ord("Y"), "", "Y", True, True, 0))
    viewer.on_text("y")
    assert len(viewer.queue) == 0 and not viewer.host.hurried


def aim(viewer, yaw):
    """Turn the camera as a drag does, without a command."""
    viewer.session.set_camera(viewer.session.scene.camera.replace(yaw=yaw))
    viewer.redraw()


def press(viewer, chord):
    """Press and let go of a key."""
    number = {"F1": 290, "Home": 268, "Escape": 256}.get(chord) or ord(chord[-1])
    for down in (True, False):
        viewer.on_key(Key(number, "", chord, down, False, 0))


def until_finished(viewer, slow, count):
    for _ in range(200):
        if len(slow.finished) >= count:
            return
        turn(viewer)
    pytest.fail(f"{len(slow.finished)} of {count} pictures after 200 turns")


def test_a_press_in_the_middle_of_a_slow_picture_shows_before_its_end(viewer, slow):
    slow.at_pass[3] = lambda: (press(viewer, "F1"), slow.log.append("pressed"))
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    after = slow.after("pressed")
    assert viewer.layout.help_shown
    assert after.index("shown") < after.index("finished")
    assert "pass" not in after[: after.index("shown")], "drawn on before the press was answered"
    assert len(slow.begun) == 1, "the picture still shows the scene as it is, and goes on"


def test_no_event_acts_while_a_pass_is_drawn(viewer, slow):
    seen = []
    slow.at_pass[3] = lambda: (press(viewer, "F1"), seen.append(viewer.layout.help_shown))
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    assert seen == [False] and viewer.layout.help_shown


def test_a_picture_that_a_command_puts_out_of_date_is_given_up(viewer, slow):
    home = viewer.session.home.camera
    slow.at_pass[3] = lambda: press(viewer, "Home")
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    assert [scene.camera.yaw for scene in slow.begun] == [2.0, home.yaw]
    assert [scene.camera.yaw for scene in slow.finished] == [home.yaw]
    assert slow.passes_drawn < 2 * slow.PASSES


def compute(viewer):
    return viewer.compute.process


def reseed(viewer, number):
    """Change the land as a slider does, without a command."""
    viewer.session.set(viewer.session.scene.replace({"noise.seed": number}), "Seed")
    viewer.redraw()


def test_land_that_is_under_way_is_drawn_once_it_has_come_and_not_before(viewer, slow):
    viewer.pictures.rest_s = 60.0
    reseed(viewer, 7)
    turn(viewer, 10)
    assert 7 not in [scene.noise.seed for scene in slow.begun], "the land would be the one before"
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    compute(viewer).preview()
    until_finished(viewer, slow, 2)
    assert viewer.renderer.field.heights[0, 0] == 7
    compute(viewer).finish()
    until_finished(viewer, slow, 3)
    turn(viewer, 2 * slow.PASSES)
    assert viewer.pictures.drawn_groups["noise"].seed == 7 and len(slow.finished) == 3


def test_no_frame_of_the_panel_comes_before_land_that_the_hand_waits_for_but_before_a_view_it_does(
    viewer, slow, monkeypatch
):
    for room in (frames, pace):
        monkeypatch.setattr(room, "BUSY_TICK_S", 60.0)
    viewer.pictures.rest_s = 60.0
    reseed(viewer, 7)
    turn(viewer)
    slow.log.clear()
    compute(viewer).preview()
    until_finished(viewer, slow, 1)
    assert slow.log.index("finished") < slow.log.index("shown")
    slow.log.clear()
    aim(viewer, 2.0)
    until_finished(viewer, slow, 2)
    assert slow.log.index("shown") < slow.log.index("finished")


def test_a_picture_of_a_preview_is_drawn_to_its_end_and_then_the_land_that_has_come_meanwhile(viewer, slow):
    """It is there sooner than one of the land itself."""
    viewer.pictures.rest_s = 60.0
    reseed(viewer, 7)
    turn(viewer)
    slow.at_pass[3] = compute(viewer).finish
    compute(viewer).preview()
    until_finished(viewer, slow, 1)
    assert slow.passes_drawn == slow.PASSES and not viewer.pictures.up_to_date
    until_finished(viewer, slow, 2)
    assert slow.passes_drawn == 2 * slow.PASSES
    assert viewer.session.settled and viewer.pictures.up_to_date


def test_newer_land_is_ordered_once_the_picture_of_the_one_on_its_way_is_drawn(viewer, slow):
    """Or it would be computed on the cores that draw what the hand waits for."""
    viewer.pictures.rest_s = 60.0
    reseed(viewer, 7)
    turn(viewer)
    passes, submit = [], compute(viewer).submit

    def note(job):
        passes.append(slow.passes_drawn)
        submit(job)

    def newer():
        reseed(viewer, 8)
        compute(viewer).say(Stopped())

    compute(viewer).submit = note
    slow.at_pass[3] = newer
    compute(viewer).preview()
    until_finished(viewer, slow, 1)
    assert passes == [slow.PASSES] and compute(viewer).job["noise"].seed == 8


def test_a_picture_that_rests_is_given_up_for_land_under_way(viewer, slow):
    viewer.pictures.rest_s = 0.0
    aim(viewer, 2.0)
    until_finished(viewer, slow, 1)
    slow.at_pass[slow.PASSES + 3] = lambda: reseed(viewer, 7)
    turn(viewer, 2 * slow.PASSES)
    assert len(slow.finished) == 1 and slow.passes_drawn <= slow.PASSES + 5


def test_the_next_job_does_not_wait_for_a_slow_picture(viewer, slow):
    reseed(viewer, 7)
    turn(viewer)
    compute(viewer).preview()
    slow.at_pass[2] = lambda: reseed(viewer, 8)
    slow.at_pass[4] = lambda: compute(viewer).say(Stopped())
    until_finished(viewer, slow, 1)
    assert compute(viewer).job["noise"].seed == 8


def test_commands_one_after_the_other_do_not_keep_pictures_from_coming(viewer, slow):
    for number in range(5, 500, 6):  # another place to look from in the middle of every picture
        slow.at_pass[number] = lambda yaw=number: viewer.attempt(lambda: aim(viewer, yaw))
    aim(viewer, 2.0)
    until_finished(viewer, slow, 3)
    assert len(slow.begun) <= 2 * len(slow.finished) + 2


def test_pictures_of_a_drag_are_all_finished(viewer, slow):
    for number in range(500):
        slow.at_pass[number] = lambda number=number: aim(viewer, 2.0 + 0.01 * number)
    aim(viewer, 2.0)
    until_finished(viewer, slow, 4)
    assert slow.begun[:4] == slow.finished[:4]
    yaws = [scene.camera.yaw for scene in slow.finished]
    assert yaws == sorted(set(yaws)), "each shows where the drag had come"


def test_a_picture_that_rests_is_given_up_at_once(viewer, slow):
    viewer.pictures.rest_s = 0.0
    slow.at_pass[2 * slow.PASSES + 3] = lambda: aim(viewer, 3.0)
    aim(viewer, 2.0)
    until_finished(viewer, slow, 3)
    assert [scene.camera.yaw for scene in slow.begun[:4]] == [2.0, 2.0, 2.0, 3.0], "one that moves, two that rest"
    assert [scene.camera.yaw for scene in slow.finished[:3]] == [2.0, 2.0, 3.0]


def test_keys_of_one_slow_picture_act_each_once_in_order_where_the_pointer_was(viewer, slow):
    press(viewer, "Num 7")
    viewer.host.mouse_move(400, 150)
    turn(viewer, 8)
    set_before, log = viewer.session.set, []
    viewer.session.set = lambda scene, label: (set_before(scene, label), log.append(scene.view))
    count = len(slow.finished)

    def keys():
        for x in (380, 380, 520):
            viewer.host.mouse_move(x, 200)
            press(viewer, "K")
        viewer.host.mouse_move(600, 300)

    slow.at_pass[slow.passes_drawn + 3] = keys
    aim(viewer, 2.0)
    until_finished(viewer, slow, count + 1)
    views = [view for view in log if view is not None]
    changes = [one for one, before in zip(views, [None, *views], strict=False) if one != before]
    assert [view.figure for view in changes[-3:]] == [True, False, True]
    assert changes[-1].figure_x != changes[-3].figure_x


def test_a_key_waits_for_the_press_before_it(viewer, slow):
    acted = []
    viewer.host.mouse_move(100, 200)
    turn(viewer, 4)
    viewer.host.mouse_button(0, True)
    viewer.queue.add(lambda: acted.append(viewer.host.presses_seen))
    presses = viewer.host.presses
    viewer.queue.carry_out()
    assert not acted
    turn(viewer, 4)
    assert acted == [presses]
    viewer.host.mouse_button(0, False)


def test_what_is_typed_right_behind_a_double_click_goes_into_the_field_that_it_opens(viewer):
    left, top, width, height = viewer.layout.panel.place("noise.amplitude")
    viewer.host.mouse_move(left + 0.3 * width, top + height / 2)
    turn(viewer, 4)
    for down in (True, False, True, False):
        viewer.host.mouse_button(0, down)
    viewer.on_key(Key(ord("Y"), "", "Y", True, False, 0))
    viewer.on_text("7")
    viewer.on_key(Key(ord("Y"), "", "Y", False, False, 0))
    turn(viewer, 16)
    assert not viewer.beside.shown, "no key is for an action"
    assert viewer.layout.panel.active.typing is not None and viewer.layout.panel.active.typing.text == "7"
    press(viewer, "Escape")
    turn(viewer, 4)
    assert viewer.layout.panel.active.typing is None


def test_escape_in_the_middle_of_a_picture_takes_a_drag_back_and_nothing_else(viewer):
    before, compute, passes = viewer.session.scene.noise, viewer.compute.process, viewer.renderer.passes
    left, top, width, height = viewer.layout.panel.place("noise.amplitude")
    viewer.host.mouse_move(left + 0.3 * width, top + height / 2)
    turn(viewer, 4)
    viewer.host.mouse_button(0, True)
    for share in (0.5, 0.6):
        viewer.host.mouse_move(left + share * width, top + height / 2)
        turn(viewer, 4)
        if share == 0.5:
            compute.finish()  # the land of half the drag is there, and that of its end is being computed
    assert viewer.session.scene.noise != before and viewer.session.can_cancel

    def pressed_before_the_last(*arguments, **settings):
        viewer.renderer.passes = passes
        target = yield from passes(*arguments, **settings)
        viewer.window.events.append(lambda: press(viewer, "Escape"))
        time.sleep(Slow.PASS_S)
        yield
        return target

    viewer.renderer.passes = pressed_before_the_last
    aim(viewer, 2.0)
    viewer.pictures.seconds = 0.0  # the frame waits for its picture
    turn(viewer, 8)
    viewer.host.mouse_button(0, False)
    turn(viewer, 4)
    assert viewer.session.scene.noise == before


def pictures(folder):
    return sorted(folder.glob("*.png"))


def until_saved(viewer, folder, count):
    for _ in range(400):
        turn(viewer)
        if len(pictures(folder)) == count and not viewer.pictures.stills_wait:
            return
    pytest.fail(f"{len(pictures(folder))} of {count} pictures are saved after 400 turns: {viewer.session.notices}")


def test_a_press_for_a_picture_is_answered_before_it_is_drawn_and_when_it_is_saved(viewer, slow, tmp_path):
    noticed, draw = [], viewer.overlay.draw
    viewer.overlay.draw = lambda *arguments: (noticed.append(tuple(viewer.session.notices)), draw(*arguments))
    press(viewer, "P")
    turn(viewer)
    assert noticed == [(DRAWING,)] and not slow.finished, "shown at once"
    seen, height = viewer.session.scene, viewer.layout.area_pixels()
    aim(viewer, 3.0)  # what comes after the press is not in the picture
    until_saved(viewer, tmp_path, 1)
    (path,) = pictures(tmp_path)
    assert viewer.session.notices == [f"Saved {path}"]
    assert scenes.load(path).camera == seen.camera
    assert shot.taken(path) == Shot(height, viewer.renderer.resting_samples), "rendered again it is the same"
    with Image.open(path) as picture:
        pixels = np.asarray(picture)
    fresh = Renderer(viewer.window.context)
    field = viewer.session.result.field
    expected = capture.still(fresh, seen, field, height, fresh.resting_samples)[..., :3]
    np.testing.assert_array_equal(pixels, expected)
    assert viewer.pictures.drawn_groups["camera"].yaw == 3.0, "the window went on meanwhile"


def test_as_many_pictures_as_views_are_made_however_often_the_key_is_pressed(viewer, slow, tmp_path):
    for yaw in (1.0, 1.0, 2.0):
        aim(viewer, yaw)
        press(viewer, "P"), press(viewer, "P")
        turn(viewer)
    until_saved(viewer, tmp_path, 2)
    assert [scenes.load(path).camera.yaw for path in pictures(tmp_path)] == [1.0, 2.0]


def test_the_window_answers_while_a_picture_for_a_file_is_drawn(viewer, slow, tmp_path):
    slow.at_pass[2 * slow.PASSES + 3] = lambda: (press(viewer, "F1"), slow.log.append("pressed"))
    press(viewer, "P")
    until_saved(viewer, tmp_path, 1)
    after = slow.after("pressed")
    assert viewer.layout.help_shown
    assert after.index("shown") < after.index("finished")


def test_a_picture_asked_for_before_the_end_is_saved(context, tmp_path):
    with opened(context, SMALL, tmp_path) as viewer:
        turn(viewer, 6)
        press(viewer, "P")
        viewer.queue.carry_out()
        viewer.run_settled()
        assert viewer.pictures.stills_wait and not pictures(tmp_path)
        viewer.act("picture.copy")
        viewer.queue.carry_out()
        viewer.run_settled()
        shown, attempt = [], viewer.attempt
        viewer.attempt = lambda command: (shown.append(viewer.window.visible), attempt(command))
    assert len(pictures(tmp_path)) == 1
    assert shown == [False], "a window that answers no more is not seen"


@pytest.mark.parametrize("gesture", ["drag", "wheel over the panel", "a press in the panel", "a key"])
def test_the_greeting_goes_with_the_first_gesture(viewer, gesture):
    assert viewer.status().hints
    x = 400 if gesture == "drag" else 60
    viewer.host.mouse_move(x, 200)
    turn(viewer, 4)
    assert viewer.status().hints, "to look is no gesture"
    if gesture == "wheel over the panel":
        viewer.host.wheel(0.0, -1.0)
    elif gesture == "a key":
        press(viewer, "F1")
    else:
        viewer.host.mouse_button(0, True)
    turn(viewer, 3)
    assert not viewer.status().hints
    viewer.host.mouse_button(0, False)


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


def test_what_moves_is_drawn_smaller_and_in_full_once_it_rests(viewer):
    begun, passes = [], viewer.renderer.passes

    def noted(scene, size, samples, number, **settings):
        begun.append((samples, settings.get("scale", 1.0)))
        return passes(scene, size, samples, number, **settings)

    viewer.renderer.passes, viewer.pictures.drawing_scale = noted, SmallScale()
    for yaw in (2.0, 2.5):
        aim(viewer, yaw)
        turn(viewer, 8)
    assert begun[0] == (1, 0.5) and len({one for one in begun if one[0] == 1}) == 1
    small = viewer.pictures.present.kept.pixels()
    until_refined(viewer)
    assert begun[-1] == (viewer.renderer.resting_samples, 1.0)
    rested = viewer.pictures.present.kept.pixels()
    assert small.shape == rested.shape and (small != rested).any()


def until_refined(viewer):
    for _ in range(2000):
        turn(viewer)
        if viewer.pictures.up_to_date and viewer.pictures.refine_in is None:
            return
        time.sleep(0.005)
    pytest.fail("the picture is not refined after 2000 turns")


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
