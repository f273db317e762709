"""The shelf's strip as it is drawn, clicked, dragged and typed into, without a window."""

import pytest

from fellview.scene.scene import Scene
from fellview.studio.shelf import Shelf
from fellview.ui import drawn, shelf
from fellview.ui.imgui_host import Host
from fellview.ui.panel import Panel
from fellview.ui.status import Kept, Order, Shelved, Status

LAND = Scene(name="Dunes").replace({"grid.rows": 16, "grid.columns": 16})
SIZE = (1280, 720)
ENTER, ESCAPE = 257, 256


class Hand:
    """The panel with a strip, driven by events as a window would; `orders` are what came of them."""

    def __init__(self, count, size=SIZE):
        self.host, self.panel = Host(), Panel()
        self.host.resize(size, size)
        self.shelf = Shelf()
        for number in range(count):
            self.shelf = self.shelf.keep(
                LAND.replace({"noise.seed": number}), new_id=lambda number=number: f"{number:08x}"
            )
        self.chosen, self.orders, self.actions, self.seconds = None, [], [], 1 / 60
        self.frames(4)

    def frames(self, count=2):
        for _ in range(count):
            self.host.new_frame(self.seconds)
            kept = tuple(Kept(one, None, is_chosen=one.id == self.chosen) for one in self.shelf.variants)
            outcome = self.panel.draw(LAND, LAND, Status(shelf=Shelved(kept)))
            self.host.end_frame()
            self.orders += outcome.shelf
            self.actions += outcome.actions

    def point(self, place, across=0.5, down=0.5):
        self.host.mouse_move(place[0] + across * place[2], place[1] + down * place[3])
        self.frames()

    def press(self, down=True, button=0):
        self.host.mouse_button(button, down)
        self.frames()

    def click(self, place, across=0.5, down=0.5, button=0):
        self.point(place, across, down)
        self.press(True, button)
        self.press(False, button)

    def key(self, number):
        self.host.key(number, True)
        self.frames()
        self.host.key(number, False)
        self.frames()


@pytest.fixture
def hand():
    hand = Hand(5)
    yield hand
    hand.host.close()


def entry(name):
    return drawn.places("entry")[name]


def ids(hand):
    return [one.id for one in hand.shelf.variants]


def test_thumbnails_are_large_enough_to_judge_and_the_land_is_above_them(hand):
    _, top, wide, high = entry("shelf 1")
    assert wide >= 220 and wide / high == pytest.approx(16 / 9, abs=0.01)
    assert top >= hand.panel.scene_rect[1] + hand.panel.scene_rect[3]
    assert hand.panel.scene_rect[3] > 500, "of 720 pixels the land keeps most"
    assert "5 kept" in drawn.words("remark")


def test_nothing_kept_takes_no_room():
    hand = Hand(0)
    assert hand.panel.scene_rect[3] == pytest.approx(SIZE[1] - 24, abs=1)
    hand.host.close()


@pytest.mark.parametrize("size", [(1280, 340), (700, 700)])
def test_a_small_window_is_the_lands(size):
    hand = Hand(3, size)
    assert not [name for name in drawn.places("entry") if name.startswith("shelf")]
    hand.host.close()


def test_a_click_shows_a_land(hand):
    hand.click(entry("shelf 2"))
    assert hand.orders == [Order("show", "00000001")]


def test_a_click_on_the_star_stars_it_alone(hand):
    hand.click(entry("shelf 1"), across=0.96, down=0.1)
    assert hand.orders == [Order("star", "00000000")]


def test_a_drag_moves_a_land_to_where_the_button_is_let_go(hand):
    hand.point(entry("shelf 1"))
    hand.press()
    hand.point(entry("shelf 3"), across=0.8)
    assert hand.orders == [] and hand.panel.holding
    hand.press(False)
    assert hand.orders == [Order("move", "00000000", place=2)]
    moved = hand.shelf.move("00000000", 2)
    assert [one.id for one in moved.variants] == ["00000001", "00000002", "00000000", "00000003", "00000004"]


def test_escape_leaves_a_dragged_land_where_it_was(hand):
    hand.point(entry("shelf 1"))
    hand.press()
    hand.point(entry("shelf 3"))
    hand.key(ESCAPE)
    hand.press(False)
    assert hand.orders == []


def typed(hand, text, key):
    hand.panel.shelf.rename(hand.shelf["00000001"])
    hand.frames(3)
    hand.host.text(text)
    hand.frames()
    hand.key(key)


def test_a_name_is_typed_and_taken_by_enter(hand):
    typed(hand, "Best", ENTER)
    assert hand.orders == [Order("rename", "00000001", name="Best")] and not hand.panel.holding


def test_escape_leaves_the_name(hand):
    typed(hand, "Best", ESCAPE)
    assert hand.orders == [] and not hand.panel.holding


def test_a_double_click_on_the_name_types_it(hand):
    place = entry("name 2")
    hand.seconds = 1 / 120
    hand.click(place)
    hand.click(place)
    hand.frames(3)
    assert "shelf name" in drawn.places("track") and hand.orders == []


def test_the_menu_offers_what_can_be_done(hand):
    hand.click(entry("shelf 2"), button=1)
    hand.frames(4)
    hand.click(drawn.places("button")["Duplicate"])
    hand.click(entry("shelf 3"), button=1)
    hand.frames(4)
    hand.click(drawn.places("button")["Delete"])
    assert hand.orders == [Order("duplicate", "00000001"), Order("delete", "00000002")]


def test_of_fifty_a_few_are_drawn_and_the_wheel_brings_the_others():
    hand = Hand(50)
    there = [name for name in drawn.places("entry") if name.startswith("shelf")]
    assert "shelf 1" in there and len(there) <= 6
    hand.point(entry("shelf 2"))
    for _ in range(80):
        hand.host.wheel(0.0, -1.0)
        hand.frames(1)
    hand.frames()
    assert "shelf 50" in drawn.places("entry") and "shelf 1" not in drawn.places("entry")
    hand.chosen = "00000004"
    hand.frames(3)
    assert "shelf 5" in drawn.places("entry"), "what is chosen comes into view"
    hand.host.close()


def test_buttons_do_what_the_keys_do(hand):
    for text in ("Keep", "Open…", "Save…", "Export…"):
        hand.click(drawn.places("button")[text])
    assert hand.actions == ["shelf.keep", "open", "shelf.save", "export"]


def test_a_thumbnail_is_as_wide_as_high_screens_are():
    assert shelf.THUMBNAIL[0] / shelf.THUMBNAIL[1] == pytest.approx(16 / 9)


# -- own presets in the list of scenes ---------------------------------------------------------------------------------


@pytest.fixture
def listed():
    """The panel with two own presets and its list of scenes open; gives what the frames came to."""
    hand = Hand(0)
    own = tuple(Kept(one) for one in Shelf().keep(LAND, "Ridge").keep(LAND, "Valley").variants)
    status = Status(presets=("dunes", "canyon"), titles={"dunes": "Desert dunes", "canyon": "Canyon"}, own=own)
    hand.outcomes = []

    def frames(count=2):
        for _ in range(count):
            hand.host.new_frame(hand.seconds)
            hand.outcomes.append(hand.panel.draw(LAND, LAND, status))
            hand.host.end_frame()

    hand.frames, hand.own = frames, own
    hand.frames()
    hand.click(hand.panel.place("scene"))
    hand.frames(3)
    yield hand
    hand.host.close()


def test_an_own_preset_is_opened_out_of_the_list(listed):
    listed.click(entry("own Valley"), across=0.4)
    assert [one.own for one in listed.outcomes if one.own] == [listed.own[1].variant.id]


def test_own_presets_are_searched_with_the_others(listed):
    listed.host.text("ri")
    listed.frames(3)
    assert [name for name in drawn.places("entry") if name.startswith("own")] == ["own Ridge"]


def test_an_own_preset_is_taken_out_of_the_list(listed):
    listed.click(next(one.place for one in drawn.all_of("button") if one.name == "×"))
    assert [one.forget for one in listed.outcomes if one.forget] == [listed.own[0].variant.id]
    assert not [one.own for one in listed.outcomes if one.own]
