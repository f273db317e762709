"""The board as it is drawn and clicked, without a window: axes, pictures, marks, and the strip along a slider."""

from __future__ import annotations

import dataclasses

import pytest

from fellview.io import scenes
from fellview.ui import along_slider, board, drawn
from fellview.ui.board import Axis, Board, Pictures
from fellview.ui.board_view import BoardView
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Status
from fellview.variants import mix, some
from fellview.variants.disperse import Spread

SCENE = scenes.load("highlands")
SIZE = (1280, 720)
CONTROL, ALT = 341, 342


class Hand:
    """The panel with the board, driven by events as a window would."""

    def __init__(self, state: Board) -> None:
        self.host, self.panel, self.view, self.strip = Host(), Panel(), BoardView(), along_slider.Strip()
        self.host.resize(SIZE, SIZE)
        self.state, self.scene = state, SCENE
        self.ended: list[str] = []
        self.pictures = Pictures({})
        self.frames(4)

    def frames(self, count: int = 2) -> None:
        for _ in range(count):
            self.host.new_frame(1 / 60)
            outcome = self.panel.draw(self.scene, SCENE, Status(), True, self._over_land)
            self.data = self.host.end_frame()
            if outcome.gesture_ended:
                self.ended.append(outcome.label)
            self.scene = outcome.scene

    def _over_land(self, active, home, area) -> None:
        if self.state.shown:
            self.state = self.view.draw(active, area, self.state, self.pictures, 0)
        self.strip.draw(active, area, self.pictures)

    def point(self, place, share: float = 0.5) -> None:
        self.host.mouse_move(place[0] + share * place[2], place[1] + place[3] / 2)
        self.frames()

    def click(self, place) -> None:
        self.point(place)
        self.host.mouse_button(0, True)
        self.frames()
        self.host.mouse_button(0, False)
        self.frames()

    def opacities(self) -> dict[int, set[int]]:
        """How opaque textures are drawn, 0 to 255, by their ids."""
        found: dict[int, set[int]] = {}
        for each in self.data.lists:
            for one in each.commands:
                used = each.indices[one.first_index :][: one.count].astype(int) + one.base_vertex
                found.setdefault(one.texture, set()).update(each.vertices["color"][used, 3].tolist())
        return found

    def entry(self, name: str):
        return drawn.places("entry")[name]


@pytest.fixture
def hand():
    hand = Hand(board.opened(Board(), SCENE))
    yield hand
    hand.host.close()


def test_it_opens_along_a_parameter_that_has_an_effect():
    state = board.opened(Board(), SCENE)
    assert (state.kind, state.across.key, state.up.key) == ("along", "erosion.duration", "noise.amplitude")
    moon = board.opened(state, scenes.load("moonscape").replace({"erosion.enabled": False}))
    assert moon.across.key == "noise.amplitude"


def test_an_axis_reaches_the_own_value_where_that_is_not_a_usual_one():
    scene = SCENE.replace({"erosion.duration": 0.5})
    state = board.opened(Board(), scene)
    assert state.across == Axis("erosion.duration", 0.5, 200)
    assert board.cells(state, scene)[0][0].scene == scene


def test_pictures_are_large_enough_to_judge(hand):
    assert hand.view.picture_size[0] >= 220
    assert len([name for name in drawn.places("entry") if name.startswith("board")]) == 9


def test_a_click_takes_a_picture_in_one_gesture(hand):
    found, _ = board.cells(hand.state, SCENE)
    hand.click(hand.entry("board 5"))
    assert hand.scene == found[5].scene and hand.ended == ["Variant"]
    assert board.cells(hand.state, hand.scene)[0] == found  # and nothing jumps


def test_control_click_marks_the_last_two_and_takes_nothing(hand):
    found, _ = board.cells(hand.state, SCENE)
    hand.host.key(CONTROL, True)
    for number in (0, 4, 8):
        hand.click(hand.entry(f"board {number}"))
    assert hand.state.marked == (found[4].scene, found[8].scene) and hand.scene == SCENE
    hand.click(hand.entry("board 4"))
    assert hand.state.marked == (found[8].scene,)


def test_kinds_and_sizes_are_chosen_by_a_click(hand):
    hand.click(drawn.places("button")["5×5"])
    assert hand.state.side == 5 and len(board.cells(hand.state, SCENE)[0]) == 25
    hand.click(drawn.places("button")["Plane"])
    found, in_a_row = board.cells(hand.state, SCENE)
    assert in_a_row == 5
    assert found[0].scene.noise.amplitude > found[-1].scene.noise.amplitude
    hand.click(drawn.places("button")["Seeds"])
    assert [one.scene.noise.seed for one in board.cells(hand.state, SCENE)[0]][:3] == [14, 15, 16]
    hand.click(drawn.places("button")["Different"])
    assert hand.state.wanted == Spread(SCENE, hand.state.amount, frozenset())
    hand.click(drawn.places("button")["From above"])
    assert hand.state.look == "above"
    hand.click(drawn.places("button")["×"])
    assert not hand.state.shown


def test_every_kind_has_its_pictures_at_the_same_height(hand):
    tops = set()
    for name in ("Along", "Plane", "Seeds"):
        hand.click(drawn.places("button")[name])
        tops.add(hand.entry("board 0")[1])
    assert len(tops) == 1


def test_the_own_value_is_marked_between_its_neighbours_and_on_a_plane(hand):
    axis, own = hand.state.across, float(SCENE.get("erosion.duration"))
    assert (axis.low, axis.high) == (5, 200) and 5 < own < 29
    left, _, width, _ = hand.entry("board 0")
    assert left + width < drawn.places("remark")["own"][0] < hand.entry("board 1")[0]
    hand.click(drawn.places("button")["Plane"])
    x, y, width, height = drawn.places("remark")["own"]
    across = board.own_place(hand.state.across, SCENE, 3)
    first, second = hand.entry("board 3"), hand.entry("board 4")
    assert x + width / 2 == pytest.approx(first[0] + first[2] / 2 + across * (second[0] - first[0]), abs=0.5)
    assert first[1] < y + height / 2 < hand.entry("board 6")[1] + first[3] / 2


def test_no_value_is_marked_that_is_a_picture_or_lies_beyond_the_axis(hand):
    found, _ = board.cells(hand.state, SCENE)
    hand.click(hand.entry("board 5"))
    assert "own" not in drawn.places("remark") and hand.scene == found[5].scene
    assert board.own_place(Axis("erosion.duration", 20, 200), SCENE, 9) is None


def test_good_views_are_of_the_land_wherever_it_is_looked_at_from_and_are_taken_with_it(hand):
    hand.click(drawn.places("button")["Good views"])
    assert hand.state.look == "views"
    elsewhere = SCENE.with_group(SCENE.camera.replace(x=7.0, yaw=12.0))
    found, _ = board.cells(hand.state, SCENE)
    assert board.cells(hand.state, elsewhere)[0] == found
    good = SCENE.camera.replace(x=50.0, z=60.0)
    hand.pictures = Pictures({}, cameras={found[4].scene: good})
    hand.click(hand.entry("board 4"))
    assert hand.scene == found[4].scene.with_group(good)
    hand.click(hand.entry("board 3"))
    assert hand.scene == found[3].scene.with_group(good), "no view has been found for it yet"
    hand.click(drawn.places("button")["Good views"])
    assert hand.state.look == "camera"


def test_pictures_stay_dimmed_until_those_of_a_changed_scene_have_come(hand):
    found, _ = board.cells(hand.state, SCENE)
    before = {cell.scene: 9000 + number for number, cell in enumerate(found)}
    hand.pictures = Pictures(before)
    hand.frames()
    assert hand.opacities()[9004] == {255}
    hand.scene = SCENE.replace({"noise.amplitude": 700.0})
    hand.frames()
    assert all(max(hand.opacities()[id]) < 128 for id in before.values())
    changed, _ = board.cells(hand.state, hand.scene)
    hand.pictures = Pictures({**before, changed[4].scene: 9100}, faults={changed[0].scene: "no land"})
    hand.frames()
    opacities = hand.opacities()
    assert opacities[9100] == {255} and 9004 not in opacities and 9000 not in opacities and 9001 in opacities
    hand.click(drawn.places("button")["Seeds"])
    assert not opacities.keys() & hand.opacities().keys() & {9100, *before.values()}


def test_a_pointer_that_rests_on_a_picture_has_it_large_within_the_board(hand):
    found, _ = board.cells(hand.state, SCENE)
    hand.pictures = Pictures({found[8].scene: 1})
    hand.point(hand.entry("board 8"))
    assert hand.view.wake_after is not None and "enlarged" not in drawn.places("remark")
    hand.frames(40)
    x, y, wide, high = drawn.places("remark")["enlarged"]
    small = hand.entry("board 8")
    assert wide > 1.5 * small[2] and x + wide <= SIZE[0] and y + high <= SIZE[1]
    assert hand.state.under == found[8].scene
    hand.point(hand.entry("board 0"))
    assert hand.state.under is None


def test_the_ends_of_an_axis_are_typed(hand):
    hand.click(drawn.places("track")["board across low"])
    hand.frames()
    hand.host.text("20")
    hand.frames()
    hand.host.key(257, True)
    hand.frames()
    hand.host.key(257, False)
    hand.frames()
    assert hand.state.across == Axis("erosion.duration", 20.0, 200.0)


def test_a_label_of_the_panel_is_dragged_onto_an_axis(hand):
    left, top, _, height = hand.panel.place("noise.gain")
    hand.point((left - 60, top, 20, height))
    hand.host.mouse_button(0, True)
    hand.frames()
    assert "carried" not in drawn.places("remark"), "a press alone drags nothing"
    hand.point(hand.entry("board 4"))
    assert "Noise: gain" in drawn.words("remark")
    hand.point(hand.panel.place("board across"))
    hand.host.mouse_button(0, False)
    hand.frames()
    assert hand.state.across == Axis("noise.gain", 0.3, 0.65)
    assert hand.scene == SCENE


def test_axes_that_meet_change_places():
    state = board.opened(Board(kind="plane"), SCENE)
    turned = board.with_axis(state, SCENE, "across", state.up.key)
    assert (turned.across, turned.up) == (state.up, state.across)


def test_marked_ones_are_narrowed_around_and_mixed(hand):
    one, other = some(SCENE, 2, 0.5, 1)
    state = dataclasses.replace(hand.state, kind="dispersed", found=(one, other))
    hand.state = dataclasses.replace(state, marked=(one,))
    hand.frames()
    hand.click(drawn.places("button")["More like this"])
    assert hand.state.wanted.around == one and hand.state.wanted.amount < hand.state.amount
    assert hand.state.by == "like"
    hand.state = dataclasses.replace(state, marked=(one, other))
    hand.frames()
    hand.click(drawn.places("button")["Mix"])
    assert list(hand.state.found) == mix(one, other, 12) and not hand.state.marked and hand.state.by == "mixed"


def test_pictures_are_dimmed_while_others_that_differ_are_looked_for(hand):
    one, other = some(SCENE, 2, 0.5, 1)
    hand.pictures = Pictures({one: 9000, other: 9001})
    for wanted, least in ((Spread(SCENE, 0.5), 0), (None, 255)):
        hand.state = dataclasses.replace(hand.state, kind="dispersed", found=(one, other), wanted=wanted)
        hand.frames()
        opacities = hand.opacities()
        assert opacities[9000] == opacities[9001] and (min(opacities[9000]) == 255) == (least == 255)


def test_how_many_are_marked_is_told_on_every_board(hand):
    one, other = some(SCENE, 2, 0.5, 1)
    for marked, told in (((), []), ((one,), ["1 marked, for More like this"]), ((one, other), ["2 marked, for Mix"])):
        hand.state = dataclasses.replace(hand.state, marked=marked)
        hand.frames()
        assert [words for words in drawn.words("remark") if "marked" in words] == told


def test_the_middle_comes_first():
    order = board.nearest_first(9, 3)
    assert order[0] == 4 and set(order[1:5]) == {1, 3, 5, 7} and set(order[5:]) == {0, 2, 6, 8}


def test_alt_over_a_slider_shows_seven_and_a_click_sets_one(hand):
    hand.state = Board()
    hand.point(hand.panel.place("noise.amplitude"))
    hand.host.key(ALT, True, 4)
    hand.frames(3)
    assert hand.strip.key == "noise.amplitude"
    values = along_slider.along(SCENE, "noise.amplitude")
    assert (values[0], values[-1], len(values)) == (50, 1500, 7)
    hand.click(hand.entry(f"preview {values[4]}"))
    assert hand.scene == SCENE.replace({"noise.amplitude": values[4]}) and hand.ended == ["Noise: amplitude"]
    assert [f"preview {value}" for value in values] == [
        name for name in drawn.places("entry") if name.startswith("preview")
    ], "the way back stays"
    hand.host.key(ALT, False, 0)
    hand.frames()
    assert hand.strip.key is None


def test_a_preview_that_the_pointer_rests_on_is_shown_large_beside_the_others(hand):
    hand.state = Board()
    hand.point(hand.panel.place("noise.amplitude"))
    hand.host.key(ALT, True, 4)
    hand.frames(3)
    value = along_slider.along(SCENE, "noise.amplitude")[5]
    scene = SCENE.replace({"noise.amplitude": value})
    hand.pictures = Pictures({scene: 9000})
    hand.point(hand.entry(f"preview {value}"))
    hand.frames(40)
    x, y, wide, high = drawn.places("remark")["enlarged"]
    _, top, width, height = hand.entry(f"preview {value}")
    assert hand.strip.under == scene and (wide, high) == hand.strip.large_size
    assert wide > 2 * width and x + wide <= SIZE[0] and (y >= top + height or y + high <= top)
    hand.host.key(ALT, False, 0)
    hand.frames()
    assert hand.strip.under is None and "enlarged" not in drawn.places("remark")


def test_the_present_value_is_one_of_the_previews():
    values = along_slider.along(SCENE, "noise.amplitude")
    assert SCENE.noise.amplitude in values and len(values) == 7 and list(values) == sorted(values)


def test_previews_of_few_whole_numbers_are_each_another():
    values = along_slider.along(SCENE.replace({"landform1.tributaries": 2}), "landform1.tributaries")
    assert values == [0, 1, 2, 3, 4, 5, 6]
    assert along_slider.along(SCENE, "noise.warp_levels") == [1, 2]


def test_previews_reach_the_present_value_and_go_around_what_wraps():
    assert along_slider.along(SCENE.replace({"noise.amplitude": 4000}), "noise.amplitude")[-1] == 4000
    assert along_slider.along(SCENE, "sun.azimuth") == pytest.approx(
        [number * 360 / 7 for number in range(7)], abs=1e-3
    )
