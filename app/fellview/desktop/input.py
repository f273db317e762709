"""The window's events, turned into actions, movements and drags: of the camera, or of the sun while its key is held."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial

from fellview.core.height_field import HeightField
from fellview.desktop.events import EventQueue
from fellview.desktop.layout import Layout
from fellview.desktop.picking import drawn_land
from fellview.desktop.window import BUTTONS, Key
from fellview.scene.groups.camera import Camera
from fellview.session.session import Session
from fellview.ui.actions import BY_KEYS, Action
from fellview.ui.imgui_host import Host, Pointer
from fellview.view.controllers import DRAGS, KEYS, Controller, through_other_lens
from fellview.view.flight import flight
from fellview.view.ground import above_all, above_water

_SUN_DEGREES_PER_PIXEL = 0.25


class Input:
    """Takes keys, text and the pointer's gestures in.

    What keys do waits in `queue` until a frame has seen the presses before them; text and keys that come behind a key
    which asks for text wait for what it opens. `act` carries an action of the table
    out, `release` ends a held one; both are given its id.
    """

    def __init__(
        self,
        host: Host,
        session: Session,
        queue: EventQueue,
        layout: Layout,
        act: Callable[[str], None],
        release: Callable[[str], None],
    ) -> None:
        self._host, self._session, self._queue, self._layout = host, session, queue, layout
        self._act, self._release = act, release
        self.controller = Controller()
        self.greeting = True
        """Whether no gesture has come yet."""
        self.sun_held = False
        """Whether drags move the sun."""
        self.let_go_at = -math.inf
        """When a button over the land or a movement's key was let go last, in seconds of `time.monotonic`."""
        self._pressed_at = -math.inf  # a button or the wheel, be it over the panel
        self._button_modifier = ""
        self._drag_start: Camera | None = None
        self._flown_to: Camera | None = None  # where a flight was in the last frame
        self._held: dict[int, Action] = {}  # by the number of the key
        self._asking = 0  # keys that wait and ask for text
        self.keys_first: Callable[[str], bool] = lambda chord: False
        """Is given a key that is pressed, and returns whether it has taken it."""

    # -- events ----------------------------------------------------------------------------------------------------

    def on_button_modifiers(self, modifier: str) -> None:
        """Remember which modifier a button was pressed with: it decides what the drag does."""
        self._button_modifier = modifier

    def on_text(self, text: str) -> None:
        """Take typed text in; a question mark outside a text field asks for the keys, wherever its key is."""
        self._feed(lambda: self._host.text(text))
        if text == "?":
            self._queue.add(self._ask_for_keys)

    def on_key(self, key: Key) -> None:
        """Take a key in: for a text field, for the camera by its place, or for an action by its letter."""
        if key.repeated:
            return  # Dear ImGui repeats keys itself
        self._feed(lambda: self._host.key(key.number, key.down, key.modifiers))
        asks_text = key.down and _asks_text(key)
        self._asking += asks_text

        def take() -> None:
            self._asking -= asks_text
            self._take_key(key)

        self._queue.add(take)

    def let_all_go(self) -> None:
        """Let all keys go, as when the window loses the focus: their releases go elsewhere."""
        self.controller.clear()
        for number in tuple(self._held):
            self._let_go(number)

    def _ask_for_keys(self) -> None:
        if not self._host.wants_keys:
            self._act(BY_KEYS["?"].id)

    def _feed(self, take_in: Callable[[], None]) -> None:
        """Have the panel take something typed in: at once, or once there is what came before it has asked for.

        A key may have asked for text, and a press that no frame has seen may open a field.
        """
        if self._asking or self._host.presses > self._host.presses_seen:
            self._queue.add(take_in)
        else:
            take_in()

    def _take_key(self, key: Key) -> None:
        if key.is_shift:
            self.controller.set_fast(key.down)
        if not key.down:
            # releases are always taken: the press may have come before a text field did
            if key.place in KEYS:
                self.controller.release(KEYS[key.place])
                self.let_go_at = time.monotonic()
            self._let_go(key.number)
        elif not self.keys_first(key.chord) and not self._host.wants_keys:
            self._press(key)

    def _press(self, key: Key) -> None:
        self.controller.end_flight()
        if key.place in KEYS and not key.commanding and not self._layout.land_covered:
            self.greeting = False
            self.controller.press(KEYS[key.place], key.shift)
            return
        action = BY_KEYS.get(key.chord)
        if action is not None:
            self.greeting = False
            self._act(action.id)
            if action.held:
                self._held[key.number] = action

    def _let_go(self, number: int) -> None:
        """End what a held action's key began."""
        action = self._held.pop(number, None)
        if action is not None:
            self._release(action.id)

    def fly_to(self, camera: Camera) -> None:
        """Have the camera fly to another, as far as there is a land to fly over, and else be there at once.

        A key, a drag and whatever else moves it end the flight.
        """
        session, land = self._session, drawn_land(self._session)
        if land is None or session.land is None:
            session.set_camera(camera)
            return
        end = above_all(session.visible.with_group(camera), session.land)
        through = partial(through_other_lens, size=self._layout.area_pixels(), field=land)
        way = flight(session.scene.camera, end, land, through)
        self.controller.fly(way)
        self._flown_to = way.start

    # -- gestures over the land ------------------------------------------------------------------------------------

    @property
    def moves_on_land(self) -> bool:
        """Return whether a drag, a held key or a flight acts on the land, which alone answers it."""
        return self._host.pointer.owner == "scene" or self.controller.moving

    @property
    def holds_something(self) -> bool:
        """Return whether a movement's key or a button is held, so that a picture is to follow."""
        return self.controller.moving or self._host.held_by is not None

    @property
    def held_for_s(self) -> float:
        """The seconds for which a button has been held, be it over the panel; endless where none is."""
        return math.inf if self._host.held_by is None else time.monotonic() - self._pressed_at

    def move(self, seconds: float) -> None:
        """Turn the pointer's and the held keys' part in a frame of `seconds` into a camera, or the sun's place."""
        pointer, session = self._host.pointer, self._session
        if pointer.gesture:
            self.greeting, self._pressed_at = False, time.monotonic()
        if session.previews:
            if not (pointer.scene_pressed or pointer.scene_wheel[1] or self.controller.moving):
                return
            session.preview(None)  # the hand moves the camera that the scene has
        if session.scene.camera != self._flown_to:
            self.controller.end_flight()
        land, drawn = session.land, drawn_land(session)
        if land is not None and drawn is not None:
            camera = self._moved(session.scene.camera, drawn, pointer, seconds)
            camera = above_water(camera, session.visible, land)
            if camera is not session.scene.camera:
                session.set_camera(camera)
                self._flown_to = camera
        if pointer.released:
            self.let_go_at = time.monotonic()
            self.controller.end_drag()
            session.finish_gesture()

    def _moved(self, camera: Camera, field: HeightField, pointer: Pointer, seconds: float) -> Camera:
        """Return `camera` after this frame's drag, wheel and held keys; the same one where there were none."""
        cursor, size = self._layout.on_land(pointer.position)
        for button in pointer.scene_pressed:
            if self.sun_held:
                self._session.begin_gesture("Sun")
                continue
            kind = DRAGS.get((BUTTONS[button], self._button_modifier)) or DRAGS.get((BUTTONS[button], ""))
            if kind is not None:
                self.controller.begin_drag(kind, camera, size, cursor, field)
                self._drag_start = camera
        if self.sun_held and pointer.owner == "scene":
            self._drag_sun(*pointer.scene_delta)
        elif self.controller.dragging:
            camera = self.controller.drag(camera, size, cursor, field)
        if pointer.scene_wheel[1]:
            camera = self.controller.wheel(camera, size, pointer.scene_wheel[1], cursor, field)
        return self.controller.advance(camera, seconds, field)

    def take_drag_back(self) -> bool:
        """Put back what a drag over the land has changed, and end it; return whether one was under way."""
        if self.sun_held:
            self.sun_held = False
            return self._session.take_back()
        if self.controller.dragging is None or self._drag_start is None:
            return False
        self.controller.end_drag()
        self._session.set_camera(self._drag_start)
        return True

    def _drag_sun(self, right: float, down: float) -> None:
        sun = self._session.scene.sun
        low, high = sun.declaration("elevation").slider
        moved = sun.replace(
            azimuth=(sun.azimuth + right * _SUN_DEGREES_PER_PIXEL) % 360,
            elevation=min(max(sun.elevation - down * _SUN_DEGREES_PER_PIXEL, low), high),
        )
        self._session.set(self._session.scene.with_group(moved), "Sun")


def _asks_text(key: Key) -> bool:
    action = BY_KEYS.get(key.chord)
    return action is not None and action.asks_text
