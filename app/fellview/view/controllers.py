"""From input to a new camera.

Two tables say which key, button and gesture means what; the window looks them up and calls the controller with words.
The camera itself lives in the scene: a controller takes one and returns another, and remembers only what a gesture
needs until it ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from fellview.core.height_field import HeightField
from fellview.scene.groups.camera import Camera
from fellview.view.extent import Vector, extent
from fellview.view.flight import Way
from fellview.view.ground import above_ground, floor_at
from fellview.view.picking import hit
from fellview.view.projection import Pixel, Size, axes, eye, half_extents, ray

KEYS: Mapping[str, str] = {
    "W": "forward",
    "S": "back",
    "A": "left",
    "D": "right",
    "U": "up",
    "J": "down",
    "UP": "forward",
    "DOWN": "back",
    "LEFT": "left",
    "RIGHT": "right",
    "Q": "sink",
    "E": "rise",
}
"""Movement by a key's place on the keyboard, in the names of a US layout."""

DRAGS: Mapping[tuple[str, str], str] = {
    ("left", ""): "orbit",
    ("left", "alt"): "orbit",
    ("left", "shift"): "pan",
    ("middle", ""): "pan",
    ("right", ""): "look",
}
"""What a drag does, by button and modifier."""

CAMERA_MOVEMENTS: Mapping[str, tuple[int, int, int]] = {
    "right": (1, 0, 0),
    "left": (-1, 0, 0),
    "up": (0, 1, 0),
    "down": (0, -1, 0),
    "forward": (0, 0, 1),
    "back": (0, 0, -1),
}
"""Movements along the camera's right, up and forward."""

WORLD_MOVEMENTS: Mapping[str, tuple[int, int, int]] = {"rise": (0, 1, 0), "sink": (0, -1, 0)}
"""Movements along the world's x, y and z."""

LONGEST_FRAME_S = 0.25  # a frame that took longer (a hitch, a sleeping laptop) moves as if it had taken this
_SHALLOWEST_AMONG_HILLS = -25.0  # degrees; slopes hide little ground behind them from there, and land around is shown
STEEPEST_DEGREES = 89.0  # of a drag: one degree short of the pole the horizon still says which way is up

# orbit mode
WIDTHS_PER_SECOND = 1 / 4  # the land is crossed in four seconds
FAST = 4.0
SLOWEST = 1 / 20  # of the full speed, near the ground: a land of 2 km passes at 25 m/s
FULL_SPEED_WIDTHS = 1 / 8  # height above the ground, in widths of the land, from which the speed is full
LONGEST_STEP_S = 0.01  # the speed changes with the height, so long frames are walked in steps
ORBIT_DEGREES_PER_HEIGHT = 180.0  # half a turn for a drag over the window's height
SPANS_PER_SECOND = 1 / 2  # an orthographic view is crossed in two seconds from its lower edge to its upper one
LOOK_FIELDS_PER_HEIGHT = 2.0  # a drag over the window's height turns two fields of view, also with a long lens
NOTCH_SHARE = 0.1  # of the distance to the point under the cursor
NOTCH_SPEED = 1.25  # a notch while looking: three of them double the speed
SPEED_LIMITS = (1 / 64, 64.0)
MOST_NOTCHES = 100.0  # at once; more is a driver's slip, and would overflow

# the DirectX demo's window
DEMO_DEGREES_PER_PIXEL = 0.2
DEMO_METRES_PER_NOTCH = 0.1
DEMO_METRES_PER_SECOND = 36.0  # 1.2 a key event, at the 30 events a second of a held key


class Controller:
    """Turns held keys, drags and wheel notches into cameras, as the camera's own mode wants it.

    It holds the keys that are down, the gesture or the flight under way and the speed set with the wheel.
    """

    def __init__(self) -> None:
        self._held: set[str] = set()
        self._fast = False
        self._speed = 1.0
        self._dragging: str | None = None
        self._cursor: Pixel = (0.0, 0.0)
        self._anchor: Vector | None = None
        self._flight: Way | None = None
        self._flown_s: float | None = None  # none before the first frame, which nothing moves in

    # flights

    def fly(self, flight: Way) -> None:
        """Start a flight from where the camera is; a movement, a drag and the wheel end it."""
        self._flight, self._flown_s = flight, None

    def end_flight(self) -> None:
        """Stay where the flight has come to."""
        self._flight = None

    def _fly_on(self, flight: Way, seconds: float, field: HeightField) -> Camera:
        """Return the camera of `flight` after another frame of `seconds`."""
        self._flown_s = 0.0 if self._flown_s is None else self._flown_s + seconds
        if self._flown_s >= flight.seconds:
            self.end_flight()
        return flight.at(self._flown_s / flight.seconds, field)

    # keys

    @property
    def moving(self) -> bool:
        """Whether a movement is held or a flight under way, so that the next frame differs."""
        return bool(self._held) or self._flight is not None

    def press(self, movement: str, fast: bool = False) -> None:
        """Start to move; `fast` says that Shift is down with it. `ValueError` lists the movements there are."""
        if movement not in CAMERA_MOVEMENTS and movement not in WORLD_MOVEMENTS:
            known = ", ".join((*CAMERA_MOVEMENTS, *WORLD_MOVEMENTS))
            raise ValueError(f"movement {movement!r}: expected one of {known}")
        self.end_flight()
        self._held.add(movement)
        self._fast = self._fast or fast

    def release(self, movement: str) -> None:
        """Stop to move; a movement that is not held is no fault, as its press may have gone to a text field."""
        self._held.discard(movement)

    def set_fast(self, fast: bool) -> None:
        """Say whether Shift is down."""
        self._fast = fast

    def clear(self) -> None:
        """Let go of all keys and of a drag, as when the window loses the focus: their releases go elsewhere.

        A flight goes on.
        """
        self._held.clear()
        self._fast = False
        self.end_drag()

    def advance(self, camera: Camera, seconds: float, field: HeightField) -> Camera:
        """Return `camera` moved by the held keys or the flight over a frame that took `seconds`; else the same one."""
        seconds = min(max(seconds, 0.0), LONGEST_FRAME_S)
        if self._flight is not None:
            return self._fly_on(self._flight, seconds, field)
        if not self._held or seconds == 0:
            return camera
        direction = self._direction(camera)
        if camera.is_parallel:
            way = SPANS_PER_SECOND * camera.span * self._speed * (FAST if self._fast else 1) * seconds
            return _placed(camera, eye(camera) + direction * (way / max(float(np.linalg.norm(direction)), 1e-9)))
        if camera.mode == "demo":
            return _placed(camera, eye(camera) + direction * DEMO_METRES_PER_SECOND * seconds)
        length = np.linalg.norm(direction)
        if length == 0:
            return camera
        direction /= length
        width = extent(field).width
        full_speed = WIDTHS_PER_SECOND * width * self._speed * (FAST if self._fast else 1)
        # the tiny part keeps 0.1 s at ten steps where rounding makes the quotient a hair more than ten
        steps = math.ceil(seconds / LONGEST_STEP_S - 1e-9)
        place = eye(camera)
        for _ in range(steps):
            height = place[1] - floor_at(field, place[0], place[2])
            share = min(max(height / (FULL_SPEED_WIDTHS * width), SLOWEST), 1.0)
            place = place + direction * full_speed * share * seconds / steps
            place[1] = max(place[1], floor_at(field, place[0], place[2]))
        return _placed(camera, place)

    def _direction(self, camera: Camera) -> Vector:
        """Return the sum of the held movements in world axes."""
        by_camera = sum((np.array(CAMERA_MOVEMENTS[name]) for name in self._held & set(CAMERA_MOVEMENTS)), np.zeros(3))
        by_world = sum((np.array(WORLD_MOVEMENTS[name]) for name in self._held & set(WORLD_MOVEMENTS)), np.zeros(3))
        frame = axes(camera.yaw, camera.pitch)
        if camera.is_parallel:  # nothing comes nearer along the view: forward is over the ground
            frame[2] = axes(camera.yaw, 0.0)[2]
        return np.asarray(by_camera @ frame + by_world, np.float64)

    # drags

    @property
    def dragging(self) -> str | None:
        """The kind of drag under way, or None."""
        return self._dragging

    def begin_drag(self, kind: str, camera: Camera, size: Size, cursor: Pixel, field: HeightField) -> None:
        """Start an "orbit", "pan" or "look" with the button pressed at `cursor`; the camera does not change yet."""
        if kind not in DRAGS.values():
            raise ValueError(f"drag {kind!r}: expected one of {', '.join(sorted(set(DRAGS.values())))}")
        self.end_flight()
        self._dragging = kind
        self._cursor = cursor
        # the eye of an orthographic view is nowhere: to look about turns the land, too
        turns_in_place = (kind == "look" or camera.mode == "demo") and not camera.is_parallel
        self._anchor = None if turns_in_place else target(camera, size, cursor, field)

    def drag(self, camera: Camera, size: Size, cursor: Pixel, field: HeightField) -> Camera:
        """Return `camera` as the cursor, now at `cursor`, has dragged it; the same one when no drag is under way."""
        across, down = cursor[0] - self._cursor[0], cursor[1] - self._cursor[1]
        if self._dragging is None or (across == 0 and down == 0):
            return camera
        self._cursor = cursor
        height = max(size[1], 1)
        if camera.mode == "demo" and not camera.is_parallel:
            return _turned(camera, DEMO_DEGREES_PER_PIXEL * across, 0.0)
        if self._anchor is None:
            degrees = LOOK_FIELDS_PER_HEIGHT * camera.field_of_view / height
            return _turned(camera, degrees * across, -degrees * down)
        if self._dragging == "pan":
            return _panned(camera, size, cursor, self._anchor, field)
        degrees = ORBIT_DEGREES_PER_HEIGHT / height
        return orbited(camera, self._anchor, degrees * across, -degrees * down, field)

    def end_drag(self) -> None:
        """Forget the drag."""
        self._dragging = None
        self._anchor = None

    # wheel

    def wheel(self, camera: Camera, size: Size, notches: float, cursor: Pixel, field: HeightField) -> Camera:
        """Return `camera` after `notches` of the wheel, positive away from the hand, which means nearer.

        While a "look" is under way the wheel sets the speed of the keys instead, and the camera stays. Nothing gets
        nearer in an orthographic view: its span shrinks about the point under the cursor.
        """
        self.end_flight()
        notches = min(max(notches, -MOST_NOTCHES), MOST_NOTCHES)
        if camera.mode == "demo" and not camera.is_parallel:
            return _placed(camera, eye(camera) + axes(camera.yaw, camera.pitch)[2] * DEMO_METRES_PER_NOTCH * notches)
        if self._dragging == "look":
            slowest, fastest = SPEED_LIMITS
            self._speed = min(max(self._speed * NOTCH_SPEED**notches, slowest), fastest)
            return camera
        towards = target(camera, size, cursor, field)
        # a power, so that a notch back undoes a notch forth, and no number of notches passes the point
        remaining = (1 - NOTCH_SHARE) ** notches
        if camera.is_parallel:
            nearer = _spanned(camera, camera.span * remaining)
            return _panned(nearer, size, cursor, towards, field)
        return above_ground(_placed(camera, towards + (eye(camera) - towards) * remaining), field)


def target(camera: Camera, size: Size, cursor: Pixel, field: HeightField) -> Vector:
    """Return the ground point (x, y, z) under `cursor`; on the sky, the point as far away as the land's centre."""
    origin, direction = ray(camera, size, cursor)
    point = hit(field, origin, direction)
    if point is not None:
        return point
    box = extent(field)
    # an eye in the very centre would get a target in itself
    if camera.is_parallel:  # as deep as the land's centre
        return origin + float(direction @ (box.centre - origin)) * direction
    distance = max(float(np.linalg.norm(box.centre - origin)), box.width / 100)
    return origin + distance * direction


def through_other_lens(camera: Camera, size: Size, field: HeightField) -> Camera:
    """Return an orthographic camera for a perspective one, and the other way round.

    What stands in the middle of the picture of `size` stays there, and as large as it is. An eye among the hills looks
    down from then on: parallel sight lines would begin before all hills on the way, and show the land's cut side.
    """
    middle = (size[0] / 2, size[1] / 2)
    half_height = half_extents(camera, 1.0)[0]
    ahead = axes(camera.yaw, camera.pitch)[2]
    if camera.is_parallel:
        place = target(camera, size, middle, field) - ahead * camera.span / (2 * half_height)
        return above_ground(_placed(camera.replace(projection="perspective"), place), field)
    away = target(camera, size, middle, field) - eye(camera)
    box = extent(field)
    among = box.low[0] <= camera.x <= box.high[0] and box.low[2] <= camera.z <= box.high[2]
    pitch = min(camera.pitch, _SHALLOWEST_AMONG_HILLS if among else 0.0)
    flat = camera.replace(projection="orthographic", pitch=pitch)
    place = eye(camera) + away - axes(flat.yaw, flat.pitch)[2] * float(away @ ahead)
    return _spanned(_placed(flat, place), 2 * half_height * float(away @ ahead))


def _spanned(camera: Camera, span_m: float) -> Camera:
    """Return `camera` with so many metres from edge to edge, brought into the declared limits."""
    declared = camera.declaration("span")
    return camera.replace(span=min(max(span_m, declared.low), declared.high))


def _panned(camera: Camera, size: Size, cursor: Pixel, anchor: Vector, field: HeightField) -> Camera:
    """Return `camera` shifted across the screen so that `anchor` appears under `cursor`.

    The eye keeps its depth. Rejected: shifting over level ground, which runs away when the view is nearly level.
    """
    origin, direction = ray(camera, size, cursor)
    ahead = axes(camera.yaw, camera.pitch)[2]
    depth = float((anchor - origin) @ ahead)
    if depth <= 0:  # keys have moved the eye past it
        return camera
    under_cursor = origin + direction * depth / float(direction @ ahead)
    return above_ground(_placed(camera, eye(camera) + anchor - under_cursor), field)


def orbited(camera: Camera, pivot: Vector, yaw_change: float, pitch_change: float, field: HeightField) -> Camera:
    """Return `camera` turned by so many degrees about `pivot`, which stays at its pixel and its distance.

    Where the eye would come under the floor, the view tilts further down until it does not.
    """
    from_eye = axes(camera.yaw, camera.pitch) @ (pivot - eye(camera))  # right, up, forward; the turn keeps it
    wanted = _turned(camera, yaw_change, pitch_change)

    def place(pitch: float) -> Vector:
        return pivot - from_eye @ axes(wanted.yaw, pitch)

    def is_clear(pitch: float) -> bool:
        x, y, z = place(pitch)
        return camera.is_parallel or bool(y >= floor_at(field, x, z))

    pitch = wanted.pitch
    blocked = pitch
    while not is_clear(pitch):
        if pitch <= -STEEPEST_DEGREES:
            return above_ground(camera, field)  # no tilt helps: under an overhanging neighbour peak, say
        blocked, pitch = pitch, max(pitch - 1, -STEEPEST_DEGREES)
    for _ in range(20 if blocked != pitch else 0):  # halves the last degree down to a millionth
        middle = (blocked + pitch) / 2
        blocked, pitch = (blocked, middle) if is_clear(middle) else (middle, pitch)
    return _placed(wanted.replace(pitch=pitch), place(pitch))


def _turned(camera: Camera, yaw_change: float, pitch_change: float) -> Camera:
    """Return `camera` turned in place by so many degrees, short of the poles."""
    # a view that already is steeper, as the one from the top, is not thrown back but may not get steeper still
    limit = max(STEEPEST_DEGREES, abs(camera.pitch))
    # seen from beneath the land has no picture, which a lens is kept from by its eye's height
    highest = max(camera.pitch, 0.0) if camera.is_parallel else limit
    pitch = min(max(camera.pitch + pitch_change, -limit), highest)
    return camera.turned(yaw_change).replace(pitch=pitch)


def _placed(camera: Camera, place: Vector) -> Camera:
    """Return `camera` with its eye at `place` (x, y, z), brought into the declared limits."""
    declarations = camera.declarations()
    return camera.replace(
        **{
            name: min(max(float(value), declarations[name].low), declarations[name].high)
            for name, value in zip("xyz", place, strict=True)
        }
    )
