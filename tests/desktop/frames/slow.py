"""A viewer's pictures drawn slowly, and the hand at its window meanwhile."""

import time

import pytest

from fellview.desktop.window import Key
from tests.headless_window import turn


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


def compute(viewer):
    return viewer.compute.process


def reseed(viewer, number):
    """Change the land as a slider does, without a command."""
    viewer.session.set(viewer.session.scene.replace({"noise.seed": number}), "Seed")
    viewer.redraw()
