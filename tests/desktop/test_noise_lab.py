"""The noise lab: its statistics against what is known of them, its maps on a software renderer, its view headless."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

from fellview import noise
from fellview.core.errors import InputError
from fellview.draw.overlay import colour_maps
from fellview.draw.overlay.noise_lab import SIZE, NoiseLab, Pace, Shown, Slice, Wanted
from fellview.noise import evaluate, fractal, hash, registry
from fellview.noise.statistics import histogram, radial_power_spectrum, value_range
from fellview.scene.scene import Scene
from fellview.terrain.steps import noise as terrain_noise
from fellview.terrain.steps.noise import Noise
from fellview.ui import noise_lab as view
from fellview.ui import plots
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Outcome, Status

RANDOM = np.random.default_rng(7)
WHITE = RANDOM.uniform(-1, 1, (128, 128))


# -- statistics --------------------------------------------------------------------------------------------------------


def test_histogram_counts_every_sample_once():
    found = histogram([[-9.0, -1.0, -0.99], [0.0, 0.99, 1.0]], -1, 1, bins=4)
    assert found.shares.tolist() == pytest.approx([3 / 6, 0, 1 / 6, 2 / 6])
    assert found.edges.tolist() == [-1, -0.5, 0, 0.5, 1]
    assert histogram(WHITE, -1, 1).shares.sum() == pytest.approx(1)


@pytest.mark.parametrize("wrong", [([], 0, 1), ([1.0], 1, 1)])
def test_histogram_refuses_what_has_no_shares(wrong):
    with pytest.raises(InputError):
        histogram(*wrong)


@pytest.mark.parametrize("cycles", [(0, 9), (9, 0), (12, 5)])
@pytest.mark.parametrize("window", [False, True])
def test_spectrum_of_a_sine_peaks_at_its_frequency(cycles, window):
    y, x = np.mgrid[:96, :96] / 96
    spectrum = radial_power_spectrum(3 + np.sin(2 * np.pi * (cycles[0] * y + cycles[1] * x)), window)
    assert (spectrum.power * spectrum.modes).argmax() == np.hypot(*cycles)


@pytest.mark.parametrize("shape", [(64, 64), (63, 63), (40, 57), (57, 40), (2, 2)])
def test_spectrum_adds_up_to_the_variance(shape):
    values = RANDOM.normal(5, 2, shape)
    spectrum = radial_power_spectrum(values)
    assert (spectrum.power * spectrum.modes).sum() == pytest.approx(values.var())
    assert spectrum.modes.sum() == values.size


@pytest.mark.parametrize("window", [False, True])
def test_spectrum_of_white_noise_is_flat(window):
    spectrum = radial_power_spectrum(RANDOM.normal(size=(256, 256)), window)
    low, high = spectrum.power[8:40].mean(), spectrum.power[90:128].mean()
    assert low == pytest.approx(high, rel=0.1)
    assert high == pytest.approx(256**-2, rel=0.05)


def test_spectrum_refuses_a_line():
    with pytest.raises(InputError):
        radial_power_spectrum(np.zeros(8))


@pytest.mark.parametrize("kind", registry.kinds())
@pytest.mark.parametrize("mode", fractal.MODES)
def test_range_holds_the_values(kind, mode):
    one = Slice(Noise(kind=kind, fractal=mode, octaves=3, frequency=9.0))
    wanted = Wanted.of(one)
    points = np.random.default_rng(3).uniform(0, 50, (4000, one.dimension))
    values = noise.at(kind, points, **terrain_noise.settings(one.noise))
    low, high = value_range(wanted.asked)
    assert (wanted.low, wanted.high) == (low, high)
    assert low - 1e-6 <= values.min() and values.max() <= high + 1e-6


# -- maps --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def lab(context):
    one = NoiseLab(context)
    yield one
    one.release()


def drawn(lab: NoiseLab, left: Slice, right: Slice, cut: float = 0.5) -> tuple[Shown, Shown]:
    """Draw until all has been read back, as the window does."""
    for now in range(5):
        lab.draw((left, right), cut, "grey", float(now))
        if lab.settled:
            break
    assert lab.settled
    return lab.shown


def reference(one: Slice, row: int) -> np.ndarray:
    points = np.zeros((SIZE, 4))
    cycles = terrain_noise.cycles(one.noise)
    points[:, 0] = cycles * row / SIZE
    points[:, 1] = cycles * np.arange(SIZE) / SIZE
    points[:, 2:] = one.place
    settings = terrain_noise.settings(one.noise)
    asked = evaluate.request(one.noise.kind, one.dimension, one.noise.seed, None, settings)
    octaves = fractal.octaves(asked.sum)[: Wanted.of(one).asked.sum.octaves]
    values = evaluate.warped(asked, np.ascontiguousarray(points[:, : one.dimension]), octaves)
    return 0.5 + 0.5 * values if asked.unit_range else values


@pytest.mark.parametrize(
    "one",
    [
        Slice(Noise(frequency=6.0)),
        Slice(Noise(kind="improved", octaves=12, frequency=9.0, gain=0.9, range="unit", warp=0.2)),
        Slice(Noise(kind="simplex", octaves=4, fractal="ridged"), "fourth", 0.3),
        Slice(Noise(kind="worley", seed=9), "third", 1.7),
    ],
)
def test_curve_is_the_scenes_own_noise_and_octaves_add_up_to_it(lab, one):
    shown, _ = drawn(lab, one, Slice(Noise(kind="white")), cut=0.25)
    assert shown.curve == pytest.approx(reference(one, SIZE // 4), abs=1e-4)
    base = 0.5 if one.noise.range == "unit" else 0.0
    assert shown.octaves.sum(axis=0) + base == pytest.approx(shown.curve, abs=1e-5)
    assert shown.histogram.shares.sum() == pytest.approx(1)
    assert shown.low - 1e-4 <= shown.lowest <= shown.curve.min() <= shown.curve.max() <= shown.highest


def test_white_is_flat_where_coherent_noise_is_steep(lab):
    coherent, white = drawn(lab, Slice(Noise(frequency=8.0)), Slice(Noise(kind="white")))
    for shown, level in ((coherent, 1e-3), (white, None)):
        share = shown.spectrum.power[100:250].mean() / shown.spectrum.power[4:12].mean()
        assert share < level if level else share == pytest.approx(1, rel=0.3)


def picture(lab: NoiseLab, side: int) -> np.ndarray:
    return np.frombuffer(lab.textures()[side].read(), np.uint8).reshape(SIZE, SIZE, 4)


def test_parts_make_the_whole_map(lab):
    """Drawn an eighth at a time the slice ends as the one that is drawn at once."""
    one = Slice(Noise(kind="improved", frequency=7.0), "third", 0.25)
    drawn(lab, one, one)
    whole = picture(lab, 0).copy()
    lab.pace.parts = 8
    away, moved = dataclasses.replace(one, position=0.5), 0
    for step in range(8):
        lab.draw((dataclasses.replace(one, position=0.5 + step / 1e6), away), 0.5, "grey", 10.0, moving=True)
        changed = (picture(lab, 0) != whole).any(axis=(1, 2))
        assert changed.sum() >= moved
        moved = int(changed.sum())
        assert not lab.settled
    assert moved > 0.99 * SIZE
    lab.pace.parts = 1
    drawn(lab, one, one)
    assert np.abs(picture(lab, 0).astype(int) - whole).max() <= 16, "colours may reach farther than before"


def test_nothing_is_drawn_twice(lab):
    one, other = Slice(Noise(frequency=6.0)), Slice(Noise(kind="white"))
    drawn(lab, one, other)
    for texture in lab.textures():
        texture.write(bytes(4 * SIZE * SIZE))
    for now in range(20, 24):
        lab.draw((one, other), 0.5, "grey", float(now))
    axis = Slice(Noise(kind="axis"), "third", 0.0)
    assert not picture(lab, 0).any() and not picture(lab, 1).any()
    assert axis.still() == dataclasses.replace(axis, position=3.0).still(), "a kind without the axis stands still"


def test_pace_keeps_frames_in_time_and_does_not_swing():
    pace = Pace()
    parts = []
    for _ in range(40):  # 8 ms for the window and 60 for whole maps
        pace.note(0.008 + 0.060 / pace.parts)
        parts.append(pace.parts)
    assert parts[-20:] == [4] * 20
    for _ in range(40):
        pace.note(0.010)
    assert pace.parts == 1
    pace.note(1.0)
    for _ in range(9):
        pace.note(0.010)
    assert pace.parts == 1, "one late frame is no reason"


def test_colour_maps_run_from_first_to_last():
    for name, anchors in colour_maps.COLOUR_MAPS.items():
        table = colour_maps.table(name)
        codes = ["#" + bytes(table[end, :3]).hex() for end in (0, -1)]
        assert codes == [anchors[0], anchors[-1]] and (table[:, 3] == 255).all()


def test_start_number_is_the_kernels():
    seeds = [0, 1, 12, 2**31, 2**32 - 1]
    assert [hash.start_number(seed) for seed in seeds] == [int(hash.start(np.uint32(seed))) for seed in seeds]


# -- view --------------------------------------------------------------------------------------------------------------


def test_importing_the_lab_leaves_numba_alone():
    code = "import sys, fellview.desktop.noise_lab; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def example(one: Slice) -> Shown:
    return Shown(
        one, -1.0, 1.0, 0, texture=5, curve=WHITE[0].repeat(4).astype(np.float32),
        octaves=WHITE[:3].repeat(4, axis=1).astype(np.float32), histogram=histogram(WHITE, -1, 1),
        spectrum=radial_power_spectrum(RANDOM.normal(size=(SIZE, SIZE))),
    )  # fmt: skip


class Person:
    """The panel with the lab open, in a window that is not there."""

    def __init__(self, size: tuple[int, int] = (1280, 720)) -> None:
        self.host, self.panel, self.view = Host(), Panel(), view.NoiseLab()
        self.host.resize(size, size)
        self.home = self.scene = Scene()
        self.lab = view.Lab(shown=True, comparison=Noise(kind="simplex", octaves=3))
        self.outcomes: list[Outcome] = []
        self.frames(4)

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.host.new_frame(1 / 60)
            self.outcomes.append(self.panel.draw(self.scene, self.home, Status(lab=True), True, self._over))
            self.data = self.host.end_frame()
            self.scene = self.outcomes[-1].scene

    def _over(self, active, home, area) -> None:
        shown = tuple(example(one) for one in self.lab.slices(active.outcome.scene.noise))
        self.lab = self.view.draw(active, home, area, self.lab, shown)

    def click(self, place: tuple[float, float, float, float], share: float = 0.5, down: float = 0.5) -> None:
        left, top, width, height = place
        self.host.mouse_move(left + share * width, top + down * height)
        self.frames()
        self.host.mouse_button(0, True)
        self.host.mouse_button(0, False)
        self.frames(40)


@pytest.fixture
def person():
    one = Person()
    yield one
    one.host.close()


def test_untouched_lab_changes_nothing(person):
    before = person.lab
    person.frames(3)
    assert person.lab == before
    assert person.scene is person.home
    assert not person.outcomes[-1].gesture


def test_white_is_one_click(person):
    person.click(person.view.place("white"))
    assert person.lab.comparison == Noise(kind="white", octaves=3)
    assert person.scene == person.home


def test_copy_takes_the_scenes_noise_over(person):
    person.click(person.view.place("copy"))
    assert person.lab.comparison == person.scene.noise


def test_left_rows_change_the_scene_and_right_rows_the_comparison(person):
    person.click(person.panel.place("noise.gain"), 0.9)
    assert person.scene.noise.gain == pytest.approx(0.9, abs=0.02)
    assert person.lab.comparison.gain == 0.5
    assert [one.label for one in person.outcomes if one.gesture_ended] == ["Noise: gain"]
    changed = person.scene
    person.click(person.view.place("noise.gain"), 0.25)
    assert person.lab.comparison.gain == pytest.approx(0.25, abs=0.02)
    assert person.scene is changed


def test_play_button_and_cut(person):
    person.click(person.view.place("play"))
    assert person.lab.playing
    person.click(person.view.place("map.right"), 0.5, 0.25)
    assert person.lab.cut == pytest.approx(0.75, abs=0.01)
    assert person.host.pointer.scene_pressed == () and not person.host.pointer.over_scene


@pytest.mark.parametrize("kind", registry.kinds())
def test_every_kind_fits_without_scrolling(person, kind):
    person.lab = dataclasses.replace(person.lab, comparison=Noise(kind=kind))
    person.scene = person.scene.replace({"noise.kind": kind})
    person.view.active.places.clear()
    person.frames(3)
    rows = [place for key, place in person.view.active.places.items() if key.startswith("noise.")]
    assert rows
    assert all(top + height < 720 - 24 and left + width <= 1280 for left, top, width, height in rows)
    declared = Noise(kind=kind)
    hidden = [name for name in declared.declarations() if not declared.shows(name)]
    assert not [name for name in hidden if f"noise.{name}" in person.view.active.places]


@pytest.mark.parametrize("size", [(400, 300), (900, 500), (2560, 1440)])
def test_any_window_size_is_drawn(size):
    one = Person(size)
    assert sum(len(each.indices) for each in one.data.lists) > 0
    one.host.close()


@pytest.mark.parametrize("kind", registry.kinds())
def test_bold_controls_of_the_panel_need_no_scrolling(person, kind):
    person.scene = person.scene.replace({"noise.kind": kind})
    person.frames(2)
    keys = ["noise.seed", "noise.amplitude", "perturb.distance", "erosion.iterations", "sun.azimuth", "sun.elevation"]
    for key in keys + ["noise.frequency"] * (kind != "white"):
        _, top, _, height = person.panel.place(key)
        assert top + height < 720 - 24


# -- state -------------------------------------------------------------------------------------------------------------


def test_playing_moves_the_slices_and_a_long_pause_does_not_jump():
    lab = view.Lab(shown=True, playing=True, speed=0.5)
    assert lab.advanced(0.02).position == pytest.approx(0.01)
    assert lab.advanced(30.0).position <= 0.05
    assert dataclasses.replace(lab, playing=False).advanced(1.0).position == 0
    assert dataclasses.replace(lab, shown=False).advanced(1.0).position == 0


def test_at_rest_the_left_side_is_the_terrains_own_plane():
    own, _ = view.Lab(shown=True).slices(Noise(kind="value"))
    assert (own.dimension, own.moves, own.place) == (2, False, (0.0, 0.0))
    moved, _ = view.Lab(shown=True, position=0.5).slices(Noise(kind="value"))
    assert (moved.dimension, moved.place) == (3, (0.5, 0.0))
    fourth, flat = view.Lab(shown=True, position=0.5, axis="fourth", comparison=Noise(kind="axis")).slices(Noise())
    assert flat.dimension == 2 and not flat.moves
    assert fourth.dimension in registry.get("classic").dimensions


def test_density_has_area_one_and_decibels_their_whole():
    x, y = view.density(histogram(WHITE, -1, 1))
    assert np.trapezoid(y, x) == pytest.approx(1)
    cycles, decibels = view.decibels(radial_power_spectrum(RANDOM.normal(size=(SIZE, SIZE))))
    assert (cycles[0], cycles[-1]) == (1, SIZE / 2)
    assert np.median(decibels) == pytest.approx(-10 * np.log10(SIZE**2), abs=1)


@pytest.mark.parametrize(
    ("low", "high", "labels"), [(-1, 1, "−1 −0.5 0 0.5 1"), (0, 5, "0 2 4"), (-0.3, 0.3, "−0.2 0 0.2")]
)
def test_ticks_are_round(low, high, labels):
    assert " ".join(plots.linear(low, high).labels) == labels


def test_logarithmic_ticks():
    assert plots.logarithmic(1, 256).labels == ("1", "4", "16", "64", "256")
