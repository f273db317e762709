"""Films as data: exact counts, closed turntables, ways over the ground, the sun, sweeps and morphs; and their files."""

import dataclasses
import itertools

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.scene.bookmarks import Bookmark
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.studio.films import film_file, sweep
from fellview.studio.films.day import Day, sun_at
from fellview.studio.films.film import Film, Setting, Timing
from fellview.studio.films.flight import BookmarkFlight
from fellview.studio.films.morph import Morph, between, blended, blended_alike
from fellview.studio.films.turntable import Turntable
from fellview.terrain.pipeline.masks import Masks
from fellview.terrain.step import Land
from fellview.view import projection
from fellview.view.ground import floor_at

SIDE, CELL = 64, 20.0
Z, X = np.mgrid[:SIDE, :SIDE] * CELL


def land(heights):
    heights = heights.astype(np.float32)
    return HeightField(heights, (CELL, CELL), Masks(Land(heights), (CELL, CELL), heights))


HILLS = land(150 * np.sin(X / 130) * np.cos(Z / 170) + 300 * np.exp(-(((X - 640) / 90) ** 2)))
SETTING = Setting(16 / 9, lambda scene: HILLS, lambda scene, field: None)
START = Scene(name="start").replace({"camera.yaw": 200.0})


def marked(*places):
    cameras = [Camera(x=x, y=y, z=z, yaw=yaw, pitch=-10.0) for x, y, z, yaw in places]
    several = tuple(Bookmark(number, f"View {number}", one) for number, one in enumerate(cameras, start=1))
    return dataclasses.replace(START, bookmarks=several)


THREE = marked((100, 30, 100, 350), (600, 40, 700, 20), (1200, 60, 300, 120))


def frames(film):
    planned = film.planned(SETTING)
    return [planned(number) for number in range(film.timing.frames)]


def cameras(scene, motion, count):
    return [one.scene.camera for one in frames(Film(scene, motion, Timing(frames=count)))]


# -- counts ------------------------------------------------------------------------------------------------------------


def test_an_open_film_reaches_its_end_and_a_closed_one_stops_a_frame_before():
    day, table = (Film(START, motion, Timing(frames=5)) for motion in (Day(), Turntable()))
    assert [day.share(number) for number in range(5)] == [0, 0.25, 0.5, 0.75, 1]
    assert [table.share(number) for number in range(5)] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert Film(START, Day(), Timing(frames=1)).share(0) == 0
    for number in (-1, 5):
        with pytest.raises(InputError, match="expected 0 to 4"):
            day.share(number)


# -- turntable ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lens", ["perspective", "orthographic"])
def test_a_turntable_is_closed_goes_evenly_and_has_all_of_the_land_in_view(lens):
    scene = START.replace({"camera.projection": lens})
    motion = Turntable(pitch=-25.0)
    places = cameras(scene, motion, 24)
    plan = motion.plan(scene, SETTING)
    assert plan(1.0).scene.camera.yaw == plan(0.0).scene.camera.yaw == 200.0
    assert projection.eye(plan(1.0).scene.camera) == pytest.approx(projection.eye(places[0]))
    turns = [(after.yaw - before.yaw) % 360 for before, after in itertools.pairwise([*places, places[0]])]
    assert turns == pytest.approx([15.0] * 24)
    low, high = HILLS.height_range
    corners = np.array(list(itertools.product((0, SIDE * CELL), (low, high), (0, SIDE * CELL))))
    for camera in places:
        across, up, depth = projection.axes(camera.yaw, camera.pitch) @ (corners - projection.eye(camera)).T
        half_height, half_width = projection.half_extents(camera, 16 / 9)
        if camera.is_parallel:
            assert max(abs(up)) <= camera.span / 2 and max(abs(across)) <= camera.span / 2 * 16 / 9
        else:
            assert (depth > 0).all()
            assert (abs(up) <= half_height * depth).all() and (abs(across) <= half_width * depth).all()


# -- flight ------------------------------------------------------------------------------------------------------------


def test_a_flight_goes_through_the_bookmarks_at_one_speed():
    scene = THREE.replace({"view.exaggeration": 1.0})
    flat = Setting(1.5, lambda scene: land(np.zeros((SIDE, SIDE))), lambda scene, field: None)
    plan = BookmarkFlight(ease=False).plan(scene, flat)
    places = np.array([projection.eye(plan(share).scene.camera) for share in np.linspace(0, 1, 301)])
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert steps.max() < 1.02 * steps.min()
    for one in scene.bookmarks:
        assert np.linalg.norm(places - projection.eye(one.camera), axis=1).min() < steps.max()
    assert places[0] == pytest.approx(projection.eye(scene.bookmarks[0].camera))
    assert places[-1] == pytest.approx(projection.eye(scene.bookmarks[-1].camera))
    assert plan(0.5).scene.camera.yaw < 180, "350° to 20° is the shorter way round"


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("height", [0.0, 25.0])
def test_a_flight_is_over_the_ground_and_moves_smoothly(closed, height):
    places = cameras(THREE, BookmarkFlight(height=height, closed=closed, ease=False), 400)
    floors = np.array([floor_at(HILLS, one.x, one.z) for one in places])
    assert (np.array([one.y for one in places]) >= floors + max(height - 3, 0) - 1e-6).all()
    rises = np.diff([one.y for one in places])
    assert np.abs(np.diff(rises)).max() < 2.5, "no kink where the lift begins"


def test_an_eased_flight_rests_at_its_ends_and_never_goes_back():
    plan = BookmarkFlight().plan(THREE, SETTING)
    x = [plan(share).scene.camera.x for share in np.linspace(0, 1, 200)]
    steps = np.diff(x)
    assert (steps >= 0).all() and steps[0] < 0.01 * steps.max() and steps[-1] < 0.01 * steps.max()


def test_look_ahead_looks_where_it_flies_to_up_to_the_end():
    plan = BookmarkFlight(look_ahead=50.0, ease=False).plan(THREE, SETTING)
    for share in (0.2, 0.7, 1.0):
        before, here = (projection.eye(plan(at).scene.camera) for at in (share - 1e-3, share))
        way = (here - before) / np.linalg.norm(here - before)
        camera = plan(share).scene.camera
        assert projection.axes(camera.yaw, camera.pitch)[2] @ way > 0.8


def test_speed_makes_the_number_of_frames():
    straight = marked((0, 500, 0, 0), (0, 500, 1000, 0))
    assert BookmarkFlight(speed=100.0).frames(straight, 24.0) == 241
    assert BookmarkFlight().frames(straight, 24.0) is None


@pytest.mark.parametrize(
    "scene, told",
    [
        (START, "0 bookmarks in the scene: expected at least 2"),
        (marked((0, 1, 2, 3)), "1 bookmarks"),
        (marked((0, 1, 2, 3), (0, 1, 2, 90)), "bookmarks 1 and 2 are at one place"),
    ],
)
def test_a_flight_that_cannot_be_is_told(scene, told):
    with pytest.raises(InputError, match=told):
        BookmarkFlight().frames(scene, 24.0)


def test_a_flight_takes_no_more_frames_than_a_film_may_have():
    with pytest.raises(InputError, match=r"flight.speed = 1e-310: expected at least \d.* m/s for 100,000 frames"):
        BookmarkFlight(speed=1e-310).frames(THREE, 24.0)


# -- day, sweep, erosion -----------------------------------------------------------------------------------------------


def test_the_sun_is_where_it_should_be():
    azimuth, elevation = sun_at(46.0, 172, 12.0)
    assert azimuth == pytest.approx(180.0, abs=0.1) and elevation == pytest.approx(90 - 46 + 23.44, abs=0.1)
    assert sun_at(0.0, 81, 6.0) == pytest.approx((90.0, 0.0), abs=0.5), "it rises in the east at an equinox"
    assert sun_at(-35.0, 172, 12.0)[0] == pytest.approx(0.0, abs=0.1), "in the south it stands in the north"
    with pytest.raises(InputError, match=r"day.end = 5: expected more than day.start, which is 7"):
        Day(start=7.0, end=5.0).frames(START, 24.0)


def test_a_sweep_goes_through_its_values():
    motion = sweep.from_table(
        START, {"noise.frequency": [2, 8, 4], "noise.octaves": [1, 5], "erosion.kind": ["none", "thermal"]}
    )
    plan = motion.plan(START, SETTING)
    found = [plan(share).scene for share in (0, 0.25, 0.5, 0.75, 1)]
    assert [one.noise.octaves for one in found] == [1, 2, 3, 4, 5]
    assert [one.erosion.kind for one in found] == ["none", "none", "thermal", "thermal", "thermal"]
    frequencies = [one.noise.frequency for one in found]
    assert frequencies[::2] == [2, 8, 4]
    assert 2 < frequencies[1] < 8 > frequencies[3] > 4


@pytest.mark.parametrize("kind, name", [("fluvial", "duration"), ("demo", "iterations")])
def test_erosion_grows_from_nothing_to_what_it_is(kind, name):
    scene = START.replace({"erosion.kind": kind})
    plan = sweep.growing_erosion(scene).plan(scene, SETTING)
    assert getattr(plan(0.0).scene.erosion, name) == 0
    assert plan(1.0).scene == scene
    with pytest.raises(InputError, match="wears nothing"):
        sweep.growing_erosion(START.replace({"erosion.kind": "none"}))


# -- morph -------------------------------------------------------------------------------------------------------------


def test_a_morph_begins_as_the_one_and_ends_as_the_other():
    other = START.replace({"camera.yaw": 350.0, "sun.light": "#000000", "view.mode": "slope", "sun.elevation": 75.0})
    plan = Morph(other).plan(START.replace({"camera.yaw": 10.0, "sun.light": "#204060"}), SETTING)
    assert plan(1.0).scene == other and plan(1.0).blend is None
    middle = plan(0.5)
    assert middle.blend is not None and middle.blend.share == 0.5
    assert middle.scene.camera.yaw == 0.0
    assert middle.scene.sun.light == "#102030"
    assert middle.scene.sun.elevation == pytest.approx((START.sun.elevation + 75) / 2)
    assert [between(START, other, share).view.mode for share in (0.49, 0.51)] == [START.view.mode, "slope"]


def test_heights_are_blended_on_the_grid_of_the_first():
    flat, high = land(np.zeros((SIDE, SIDE))), land(np.full((SIDE // 2, SIDE // 2), 100.0))
    found = blended(flat, high, 0.25)
    assert found.heights.shape == (SIDE, SIDE)
    assert found.heights == pytest.approx(25.0)
    assert found.size == pytest.approx(tuple(0.75 * a + 0.25 * b for a, b in zip(flat.size, high.size, strict=True)))
    assert (blended(HILLS, HILLS, 0.5).heights == HILLS.heights).all()
    assert found.masks["erosion_depth"].max() == 0


def test_lands_on_one_grid_are_blended_without_a_kernel():
    flat = HeightField(np.zeros((SIDE, SIDE), np.float32), (CELL, CELL), {"one": np.zeros((SIDE, SIDE), np.float32)})
    wet = {"one": np.full((SIDE, SIDE), 8.0, np.float32), "other": np.ones((SIDE, SIDE), np.float32)}
    high = HeightField(np.full((SIDE, SIDE), 100.0, np.float32), (CELL, CELL), wet)
    found = blended_alike(flat, high, 0.25)
    assert (found.heights == 25.0).all() and found.masks.keys() == {"one"} and (found.masks["one"] == 2.0).all()
    wet["one"][3, 4] = -np.inf
    assert (blended_alike(flat, high, 0.25).masks["one"] == 0).all(), "what is nowhere switches half way"
    assert blended_alike(flat, land(np.zeros((SIDE // 2, SIDE // 2))), 0.5) is None


# -- files -------------------------------------------------------------------------------------------------------------


def read(text, folder):
    return film_file.from_text(text, "a.toml", folder)[0]


def test_a_film_file_is_read(tmp_path):
    scenes.save(tmp_path / "valley.toml", THREE)
    text = """
        film = 1
        kind = "flight"
        scene = "valley.toml"
        set = { "sun.elevation" = 12 }
        frames = 48
        rate = 24
        size = "640x360"
        [flight]
        look_ahead = 200
    """
    found = read(text, tmp_path)
    expected = THREE.replace({"sun.elevation": 12.0})
    assert found == Film(expected, BookmarkFlight(look_ahead=200.0), Timing(frames=48, rate=24.0), (640, 360))


@pytest.mark.parametrize("kind", [kind for kind in film_file.KINDS if kind not in ("flight", "sweep", "morph")])
def test_a_kind_needs_nothing_but_its_name(kind, tmp_path):
    assert read(f'film = 1\nkind = "{kind}"\nscene = "highlands"', tmp_path).timing.frames == 120


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "not a film: expected film = 1 in it"),
        ("film = 2", "film = 2: expected 1"),
        ("film = true", "film = True: expected 1"),
        ("film = 1", "kind = None: expected one of turntable, flight, day, sweep, morph, erosion"),
        ("film = 1\nkind = []", r"kind = \[\]"),
        ('film = 1\nkind = "day"\nfps = 3', "fps: no such key"),
        ('film = 1\nkind = "day"\nday = 3', "day = 3: expected a table"),
        ('film = 1\nkind = "day"\n[flight]', "flight: no such key"),
        ('film = 1\nkind = "day"\nframes = 0', "film.frames = 0: expected a whole number, 1 to 100000"),
        ('film = 1\nkind = "day"\nsize = "wide"', "size = 'wide': expected WIDTHxHEIGHT"),
        (f'film = 1\nkind = "day"\nsize = 0x{"f" * 4000}', r"size = 10\*\*"),
        ('film = 1\nkind = "day"\nscene = "nowhere"', "nowhere.*no such scene"),
        ('film = 1\nkind = "day"\nscene = 7', "scene = 7"),
        ('film = 1\nkind = "day"\nset = { a = 1 }', "a: no such key"),
        ('film = 1\nkind = "day"\n[day]\nself = 1', "day.self: no such parameter"),
        ('film = 1\nkind = "sweep"', "sweep: no parameter"),
        ('film = 1\nkind = "sweep"\n[sweep]\n"noise.seed" = 3', "expected a list of 2 to 1,000 values"),
        ('film = 1\nkind = "sweep"\n[sweep]\n"noise.seed" = [1, "x"]', "noise.seed = 'x'"),
        ('film = 1\nkind = "morph"', "morph.to: is not there; expected the other scene"),
        ('film = 1\nkind = "erosion"\n[erosion]\nkind = 1', "erosion.kind: no such key; expected none"),
    ],
)
def test_a_film_file_that_is_wrong_is_told_in_one_line(text, told, tmp_path):
    with pytest.raises(InputError, match=told) as fault:
        read(text, tmp_path)
    assert str(fault.value).startswith("a.toml: ")


def test_frames_and_a_speed_are_not_both_taken(tmp_path):
    scenes.save(tmp_path / "valley.toml", THREE)
    head = 'film = 1\nkind = "flight"\nscene = "valley.toml"\n'
    assert read(f"{head}[flight]\nspeed = 1000", tmp_path).timing.frames > 20
    with pytest.raises(InputError, match="frames = 9: is not taken with a speed"):
        read(f"{head}frames = 9\n[flight]\nspeed = 1000", tmp_path)
