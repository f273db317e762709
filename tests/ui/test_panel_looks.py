"""What is seen of the panel: whether it has room, is readable, and stays on the land."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from imgui_bundle import imgui

from fellview.draw.overlay.legend import Legend
from fellview.draw.overlay.overlay import Overlay
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.ui import overlays, theme, widgets
from fellview.ui.actions import rows
from fellview.ui.active_widget import ActiveWidget
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from tests.ui.person import FRAME


@pytest.mark.parametrize("name", ["directx-demo", "alpine-range"])
def test_bold_controls_need_no_scrolling(person, name):
    """At 1280 × 720: what is used most, of the demo and of the scene that the first window opens with."""
    person.scene = person.home = scenes.load(name)
    person.frames(3)
    bold = ["noise.seed", "noise.frequency", "noise.amplitude", "sun.azimuth", "sun.elevation", "sun.ambient"]
    bold += ["perturb.distance" if person.scene.perturb.mode == "demo" else "perturb.reach"]
    bold += ["erosion.iterations" if person.scene.erosion.kind == "demo" else "erosion.duration"]
    for key in bold:
        _, top, width, height = person.tracks[key]
        assert top + height < 720 - 24 and width > 100, key
    middle = person.tracks["sun.elevation"][1] + theme.ROW_HEIGHT / 2
    assert middle + theme.PAD_DIAMETER / 2 <= 720 - 24, "the whole pad"


def tooltip() -> tuple[float, float, float, float] | None:
    """Return left, top, right, bottom of the tooltip that is shown."""
    window = imgui.internal.find_window_by_name("##Tooltip_00")
    if window is None or not window.active:
        return None
    return window.pos.x, window.pos.y, window.pos.x + window.size.x, window.pos.y + window.size.y


@pytest.mark.parametrize("size", [(1280, 720), (1000, 600), (400, 300)])
def test_tooltips_stand_beside_the_rows(person, size):
    """Neither the slider nor the next one is covered, and nothing is cut off."""
    person.host.resize(size, size)
    person.frames(4)
    shown = 0
    for key, (left, top, width, height) in tuple(person.tracks.items()):
        if top + height > size[1] - 30 or key == "noise.seed":
            continue
        person.move((left + width / 2, top + height / 2))
        person.frames(12, seconds=0.1)
        box = tooltip()
        assert box is not None, key
        shown += 1
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1], key
        beside = box[0] >= person.panel.scene_rect[0]
        assert beside or box[3] <= top or box[1] >= top + height, key
        assert beside or size[0] == 400, "beside it wherever there is room"
        person.move((size[0] - 20, size[1] - 60))
        person.frames(3, seconds=0.1)
    assert shown >= 2


@pytest.fixture(scope="module")
def overlay(context):
    one = Overlay(context)
    yield one
    one.release()


def picture_of(context, overlay, data, updates, size=(1280, 720)) -> np.ndarray:
    """Return `data` as pixels, rows from above."""
    target = context.framebuffer([context.texture(size, 4)])
    target.clear(0.0, 0.0, 0.0, 1.0)
    overlay.draw(dataclasses.replace(data, textures=tuple(updates)), target)
    pixels = np.frombuffer(target.read(components=3), np.uint8).reshape(size[1], size[0], 3)[::-1]
    target.color_attachments[0].release()
    target.release()
    return pixels


def contrast(pixels: np.ndarray) -> float:
    """Return the contrast of the brightest to the most frequent of the pixels' luminances, as WCAG 2 has it."""
    linear = np.where(pixels <= 10, pixels / 255 / 12.92, ((pixels / 255 + 0.055) / 1.055) ** 2.4)
    luminance = linear @ (0.2126, 0.7152, 0.0722)
    ground = np.median(luminance)
    return float((luminance.max() + 0.05) / (ground + 0.05))


def test_rows_of_what_is_switched_off_are_readable_and_look_off(context, overlay):
    host, panel, updates = Host(), Panel(), []
    host.resize((1280, 720), (1280, 720))
    seen = []
    for on in (True, False):
        scene = Scene().replace({"noise.enabled": on})
        for _ in range(4):
            host.new_frame(FRAME)
            panel.draw(scene, scene, Status())
            data = host.end_frame()
            updates += data.textures
        seen.append(picture_of(context, overlay, data, updates))
        updates = []
    for key in ("noise.frequency", "noise.amplitude", "noise.octaves", "noise.gain"):
        left, top, width, height = map(round, panel.place(key))
        for on, pixels in zip((True, False), seen, strict=True):
            label = pixels[top : top + height, 10 : left - 4]
            value = pixels[top : top + height - 7, left + 4 : left + width - 4]
            assert contrast(label) >= 4.5 and contrast(value) >= 4.5, (key, on)
        groove = [pixels[top + height - 2, left + 4 : left + width - 4].astype(int) for pixels in seen]
        assert np.ptp(groove[0], axis=-1).max() > 60 > 40 > np.ptp(groove[1], axis=-1).max(), (
            "no colour where it is off"
        )
    host.close()


def test_the_grip_never_crosses_the_words_of_a_slider(context, overlay):
    """From one end to the other, the pixels of value and note are the same."""
    host = Host()
    host.resize((300, 100), (300, 100))
    pictures, updates = [], []
    for fraction in [None, *np.linspace(0, 1, 41)]:
        one = widgets.Track("key", "label", (), "−13,333.33 cycles/yg", "", fraction or 0.0, None, None, "jagged gÄ")
        host.new_frame(FRAME)
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((300, 100))
        imgui.begin("one", None, imgui.WindowFlags_.no_decoration)
        imgui.set_cursor_screen_pos(imgui.ImVec2(10, 20))
        widgets.track(ActiveWidget(), one, 240, theme.ROW_HEIGHT)
        imgui.end()
        data = host.end_frame()
        updates = [*updates, *data.textures]
        if fraction is not None:
            pictures.append(picture_of(context, overlay, data, updates, (300, 100))[20:42, 14:246])
            updates = []
    host.close()
    words = np.any(pictures[20][: 22 - 6] > 120, axis=-1)
    assert words.sum() > 300, "there are words"
    rows = np.flatnonzero(words.any(axis=1))
    assert all(np.array_equal(one[: rows[-1] + 1], pictures[0][: rows[-1] + 1]) for one in pictures)
    assert not np.array_equal(pictures[0], pictures[-1]), "the grip moves"


def test_every_label_has_room(person):
    """A label that is cut off at its end leaves a person guessing."""
    person.host.new_frame(FRAME)
    wide = {
        f"{key}.{name}": declared.label
        for key, group in Scene().groups().items()
        for name, declared in group.declarations().items()
        if imgui.calc_text_size(declared.label).x > widgets.px(theme.LABEL_WIDTH - 4)
    }
    person.host.end_frame()
    assert wide == {}


@pytest.mark.parametrize("name", scenes.presets())
def test_the_most_used_controls_show_without_scrolling(person, name):
    """Of every scene, at 1280 × 720: noise, how far it is bent, and erosion."""
    person.scene = person.home = scenes.load(name)
    person.frames(3)
    foot = 720 - 24
    for key in ("noise.seed", "noise.frequency", "noise.amplitude"):
        assert person.tracks[key][1] + person.tracks[key][3] < foot
    if person.scene.perturb.enabled:
        reach = next(key for key in person.tracks if key in ("perturb.distance", "perturb.reach"))
        assert person.tracks[reach][1] + person.tracks[reach][3] < foot
    assert person.ticks["erosion"][1] < foot


def test_a_narrow_window_leaves_room_for_the_land(person):
    person.host.resize((400, 300), (400, 300))
    person.frames(3)
    left, _, width, _ = person.panel.scene_rect
    assert left + width == 400 and width >= 0.5 * 400
    person.host.resize((1280, 720), (1280, 720))
    person.frames(3)
    assert person.panel.scene_rect[0] == pytest.approx(theme.PANEL_WIDTH, abs=4)


def test_hints_stand_over_scale_bar_and_north_arrow(person):
    person.status = dataclasses.replace(person.status, hints=("Drag — turn",))
    tops = []
    for on in (False, True):
        person.scene = person.scene.replace({"view.scale_bar": on, "view.north_arrow": on})
        person.frames(3)
        window = imgui.internal.find_window_by_name("##hints")
        tops.append(window.pos.y + window.size.y)
    _, _, _, high = person.panel.scene_rect
    unit = high / 720
    # the bar's letters and the needle stand within the lower 22 + 10 + 6 + 15 and 2 (26 + 13) units
    assert tops[0] - tops[1] >= (53 + 78) * unit - 15


@pytest.mark.parametrize("size", [(1280, 720), (400, 300)])
def test_what_floats_over_the_land_stays_on_it(person, size):
    """Badges and the legend, however long their words are: they would hide the panel."""
    person.host.resize(size, size)
    legend = Legend("Slope", "A word " * 30, ((0, 0, 0), (255, 255, 255)), ((0.0, 0.0, "°", ""), (1.0, 60.0, "°", "x")))
    person.status = dataclasses.replace(person.status, badges=("noise: octaves left out " * 9,), legend=legend)
    person.frames(4)
    left, _, width, _ = person.panel.scene_rect
    for name in ("##badges", "##legend"):
        window = imgui.internal.find_window_by_name(name)
        if window is None:
            assert name == "##legend" and size[0] == 400, "a legend needs room"
            continue
        assert window.pos.x >= left and window.pos.x + window.size.x <= left + width + 1, name
    both = [imgui.internal.find_window_by_name(name) for name in ("##badges", "##legend")]
    if None not in both:
        badges, shown = both
        assert badges.pos.x >= shown.pos.x + shown.size.x or badges.pos.y >= shown.pos.y + shown.size.y


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_help_has_every_section_once_and_shows_them_all_or_scrolls_to_the_last(person, size):
    sections = [section for section, *_ in rows()]
    assert [one for one, before in zip(sections, [None, *sections[:-1]], strict=True) if one != before] == list(
        dict.fromkeys(sections)
    )
    person.host.resize(size, size)

    def frames():
        for _ in range(4):
            person.host.new_frame(FRAME)
            person.panel.draw(person.scene, person.home, person.status)
            overlays.help_window(rows(), person.panel.room)
            person.host.end_frame()
        return imgui.internal.find_window_by_name("Keys and mouse")

    window = frames()
    assert window.pos.y >= 0 and window.pos.y + window.size.y <= size[1]
    person.host.mouse_move(window.pos.x + window.size.x / 2, window.pos.y + window.size.y / 2)
    frames()
    person.host.wheel(0, -100)
    assert frames().scroll.y == window.scroll_max.y
    assert size[1] < 1080 or window.scroll_max.y == 0
