"""Events in, draw data out."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import ImVec2, imgui

from fellview.ui.imgui_host import Host

FRAME = 1 / 60
CONTROL, SHIFT = 341, 340


@pytest.fixture
def host():
    clipboard = ["pasted"]
    one = Host(lambda: clipboard[0], lambda text: clipboard.__setitem__(0, text))
    one.clipboard = clipboard
    one.resize((800, 600), (800, 600))
    yield one
    one.close()


def window():
    imgui.set_next_window_pos(ImVec2(0, 0))
    imgui.set_next_window_size(ImVec2(400, 600))
    imgui.begin("window", None, imgui.WindowFlags_.no_decoration)


def run(host, draw=None, count=1, seconds=FRAME):
    for _ in range(count):
        host.new_frame(seconds)
        window()
        result = draw() if draw else None
        imgui.end()
        data = host.end_frame()
    return result, data


def test_leaves_no_file_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    host = Host()
    host.resize((800, 600), (800, 600))
    run(host, count=3, seconds=10.0)
    host.close()
    assert list(tmp_path.iterdir()) == []


def test_click_within_one_frame_is_not_lost(host):
    run(host, count=2)
    pressed = []
    host.mouse_move(20, 20)
    host.mouse_button(0, True)
    host.mouse_button(0, False)
    for _ in range(4):
        run(host, lambda: pressed.append(imgui.button("here", ImVec2(200, 200))))
    assert pressed.count(True) == 1


def test_all_wheel_events_of_a_frame_count(host):
    host.mouse_move(600, 300)
    run(host)
    for _ in range(3):
        host.wheel(0, 1)
    host.wheel(2, 0)
    run(host)
    assert host.pointer.scene_wheel == (2, 3)


def test_time_is_real(host):
    before = imgui.get_time()
    run(host, seconds=0.25)
    assert imgui.get_time() - before == pytest.approx(0.25)
    run(host, seconds=0.0)


def test_a_name_is_typed_within_a_frame_however_many_letters_it_repeats(host):
    """Keys come beside their letters; a frame on software OpenGL takes a tenth of a second."""
    text = [""]

    def field():
        imgui.set_keyboard_focus_here()
        _, text[0] = imgui.input_text("##field", text[0])

    run(host, field, 4)
    assert host.wants_text
    for letter in "mississippi":
        host.key(ord(letter.upper()), True)
        host.text(letter)
        host.key(ord(letter.upper()), False)
    run(host, field, 2)
    assert text[0] == "mississippi"


def test_text_keys_repeat_and_clipboard(host):
    text = ["", None]

    def field():
        imgui.set_next_item_width(300)
        _, text[0] = imgui.input_text("##field", text[0])

    run(host, field, 2)
    host.mouse_move(30, 18)
    host.mouse_button(0, True)
    host.mouse_button(0, False)
    run(host, field, 4)
    assert host.wants_text
    host.text("höhe 日本語 α")
    run(host, field, 3)
    assert text[0] == "höhe 日本語 α"
    host.key(259, True)  # backspace, held
    run(host, field, 2)
    host.key(259, True)  # as a repeat is reported
    run(host, field, 60)
    host.key(259, False)
    run(host, field)
    assert text[0] == ""
    host.key(CONTROL, True, 0)
    host.key(ord("V"), True, 2)
    host.key(ord("V"), False, 2)
    host.key(CONTROL, False, 2)
    run(host, field, 6)
    assert text[0] == "pasted"
    host.key(CONTROL, True, 0)
    for letter in "AC":
        host.key(ord(letter), True, 2)
        host.key(ord(letter), False, 2)
    host.clipboard[0] = ""
    run(host, field, 8)
    assert host.clipboard[0] == "pasted"


@pytest.mark.parametrize("first", [CONTROL, ord("A")])
def test_a_chord_counts_whichever_key_is_let_go_first_in_its_frame(host, first):
    text = ["old"]

    def field():
        imgui.set_keyboard_focus_here()
        _, text[0] = imgui.input_text("##field", text[0])

    run(host, field, 4)
    host.key(262, True)  # to the end: a field that takes the keyboard so has all of its text selected
    host.key(262, False)
    run(host, field, 2)
    host.key(CONTROL, True, 0)
    run(host, field)
    host.key(ord("A"), True, 2)
    for key in (first, CONTROL + ord("A") - first):
        host.key(key, False, 0 if key != first else 2)
    host.text("new")
    run(host, field, 4)
    assert text[0] == "new"


def test_focus_loss_releases_keys_and_buttons(host):
    host.key(SHIFT, True, 0)
    host.mouse_button(0, True)
    run(host, count=2)
    assert imgui.get_io().key_shift and imgui.is_mouse_down(0)
    host.focus(False)
    run(host, count=2)
    assert not imgui.get_io().key_shift and not imgui.is_mouse_down(0)


@pytest.mark.parametrize(
    ("press", "other", "owner"), [((20, 20), (700, 300), "panel"), ((700, 300), (20, 20), "scene")]
)
def test_owner_is_chosen_at_the_press_and_kept(host, press, other, owner):
    run(host, count=2)
    host.mouse_move(*other)
    run(host)
    host.mouse_move(*press)  # a jump and a press in one frame: the owner must not be that of the place before
    host.mouse_button(0, True)
    run(host, count=2)
    assert host.pointer.owner == owner
    assert host.pointer.scene_delta == (0, 0)
    host.mouse_move(*other)
    run(host)
    assert host.pointer.owner == owner
    expected = (other[0] - press[0], other[1] - press[1]) if owner == "scene" else (0, 0)
    assert host.pointer.scene_delta == expected
    host.mouse_button(0, False)
    run(host)
    assert host.pointer.released == ((0,) if owner == "scene" else ())
    run(host)
    assert host.pointer.owner is None


@pytest.mark.parametrize(("place", "hurried"), [((20, 20), True), ((700, 300), False)])
def test_a_frame_of_a_release_is_hurried_but_at_the_end_of_a_drag_over_the_land(host, place, hurried):
    run(host, count=2)
    host.mouse_move(*place)
    host.mouse_button(0, True)
    assert host.hurried
    run(host, count=4)
    assert not host.hurried and host.held_by is not None
    host.mouse_button(0, False)
    assert host.hurried == hurried
    run(host)
    assert host.pointer.released == (() if hurried else (0,)) and host.held_by is None
    run(host)
    assert host.settled != hurried, "there is nothing in the panel that the end of such a drag changes"


def test_frames_that_pass_the_panel_over_have_the_pointers_moves_each_once(host):
    run(host, count=2)
    host.mouse_move(700, 300)
    run(host)
    host.mouse_button(0, True)
    assert not host.only_moved, "a press is for the panel to see"
    run(host, count=2)
    moved = []
    for x, passed in ((710, True), (711, True), (731, False), (739, True), (740, False)):
        host.mouse_move(x, 300)
        assert host.only_moved
        if passed:
            host.pass_over(0.1)
        else:
            run(host)
        moved.append(host.pointer.scene_delta)
        assert host.pointer.position == (x, 300) and host.pointer.owner == "scene"
    assert moved == [(10, 0), (1, 0), (20, 0), (8, 0), (1, 0)]
    host.wheel(0.0, 1.0)
    assert not host.only_moved
    run(host)
    host.mouse_button(0, False)
    run(host)
    assert host.pointer.released == (0,)


def test_a_move_after_the_release_is_no_part_of_the_drag_in_a_frame_that_is_passed_over(host):
    run(host, count=2)
    host.mouse_move(700, 300)
    host.mouse_button(0, True)
    run(host, count=2)
    host.mouse_button(0, False)
    run(host)
    assert host.pointer.released == (0,) and host.pointer.owner == "scene"
    host.mouse_move(900, 310)
    assert host.only_moved
    host.pass_over(0.1)
    assert host.pointer.owner is None and host.pointer.scene_delta == (0, 0)


def test_time_that_is_passed_over_is_the_next_frames(host):
    run(host, count=2)
    before = imgui.get_time()
    host.pass_over(0.4)
    run(host)
    assert imgui.get_time() - before >= 0.4


def test_large_draw_lists_stay_consistent(host):
    def many():
        canvas = imgui.get_window_draw_list()
        for i in range(30_000):
            x, y = i % 200, i // 200
            canvas.add_rect_filled(ImVec2(x, y), ImVec2(x + 1, y + 1), 0xFF0000FF)

    _, data = run(host, many, 2)
    assert sum(len(one.indices) for one in data.lists) > 2 * 65_536
    assert sum(len(one.vertices) for one in data.lists) > 65_536
    for one in data.lists:
        assert sum(command.count for command in one.commands) == len(one.indices)
        for command in one.commands:
            part = one.indices[command.first_index : command.first_index + command.count]
            assert command.base_vertex + int(part.max(initial=0)) < len(one.vertices)


def test_draw_data_outlives_the_next_frame(host):
    _, data = run(host, lambda: imgui.button("here"), 2)
    before = [one.vertices.copy() for one in data.lists]
    run(host, lambda: imgui.text("something else"), 2)
    assert all(np.array_equal(one.vertices, kept) for one, kept in zip(data.lists, before, strict=True))


def test_new_glyphs_come_as_texture_updates(host):
    _, first = run(host, lambda: imgui.text("abc"))
    assert [one.kind for one in first.textures] == ["create"]
    assert first.textures[0].pixels.shape[2] == 4
    _, still = run(host, lambda: imgui.text("abc"))
    assert still.textures == ()
    _, more = run(host, lambda: imgui.text("Ωλ ° × ² → ▾ ↺ ⚄ −"))
    assert more.textures and {one.kind for one in more.textures} <= {"create", "update", "destroy"}
    known = {one.texture for data in (first, more) for one in data.textures}
    assert {command.texture for one in more.lists for command in one.commands} <= known


def test_font_has_the_signs_that_the_panel_shows(host):
    font = imgui.get_io().fonts.fonts[0]
    assert all(font.is_glyph_in_font(ord(sign)) for sign in "ΑΩαωμ×°²→▾↶↷↺⚄✕●−·…—≈•▸")


def test_settles_after_a_few_frames_and_wakes_for_what_is_pending(host):
    run(host, count=6)
    assert host.settled and host.wake_after is None
    host.mouse_move(20, 20)
    assert not host.settled
    run(host, count=6)
    assert host.settled and host.wake_after is not None, "a tooltip may be due"
    run(host, count=1, seconds=2.0)
    assert host.wake_after is None
    host.mouse_button(0, True)
    run(host, count=6)
    assert host.settled and host.wake_after is not None, "a held widget may move on its own"


def test_scale_follows_the_screen_but_not_where_the_window_is_in_points(host):
    def spacing():
        return imgui.get_style().item_spacing.x, imgui.get_font_size()

    (space, size), _ = run(host, spacing, 2)
    host.content_scale(2.0)
    assert run(host, spacing, 2)[0] == (2 * space, 2 * size)
    host.resize((400, 300), (800, 600))
    (points, height), data = run(host, spacing, 2)
    assert (points, height) == (space, size)
    assert data.framebuffer_scale == (2.0, 2.0)
