"""A page: heights come back from what is packed, names harm nothing, nothing leads outside, and sizes are kept."""

import dataclasses
import json
import zlib
from html.parser import HTMLParser

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.export import page, page_land
from fellview.export.page_land import Grid, Map, PageLand
from fellview.io import scenes
from fellview.scene.scene import Scene
from fellview.studio.deck import Deck, Slide

WICKED = '</script><script>alert("&")</script>'


class Elements(HTMLParser):
    """What a browser finds: the scripts' texts by id, and all attributes."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.attributes, self._id = {}, [], None
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.attributes += attrs
        self._id = dict(attrs).get("id", "code") if tag == "script" else tag

    def handle_endtag(self, tag):
        self._id = None

    def handle_data(self, data):
        if self._id == "title":
            self.title += data
        elif self._id is not None:
            self.scripts[self._id] = data


def unpacked(part, rows, columns):
    """Return what the page makes of a packed grid."""
    low, high = np.frombuffer(zlib.decompress(part), np.uint8).reshape(2, rows, columns).astype(np.int64)
    folded = low + 256 * high
    off = np.where(folded % 2, -(folded + 1) // 2, folded // 2)
    return (np.cumsum(np.cumsum(off, axis=0), axis=1) % 65536).astype(np.uint16)


def picture(rows, columns, seed=3):
    return np.random.default_rng(seed).integers(0, 256, (rows, columns, 3), np.uint8)


def a_land(name="A land", water=None):
    heights = np.random.default_rng(5).uniform(-20, 30, (9, 12)).astype(np.float32)
    maps = tuple(Map((0.0, 0.0, 11.0, 8.0), picture(40, 40, seed)) for seed in range(4))
    numbers = {"tone": 2.0, "sun": [1.0, 0.5, 0.25]}
    sky = tuple(picture(8, 8, face) for face in range(6))
    table = np.ones((4, 4, 4), np.float16)
    grids = (Grid(heights, water, (0.0, 0.0), (1.0, 1.0)),)
    return PageLand(Scene(name=name), grids, maps, picture(36, 64), picture(18, 32), sky, table, numbers)


@pytest.mark.parametrize("kind", ["noise", "slope", "ends"])
def test_numbers_come_back_by_inflate(kind):
    rows, columns = 37, 53
    numbers = {
        "noise": np.random.default_rng(1).integers(0, 65536, (rows, columns)),
        "slope": np.add.outer(np.arange(rows) * 300, np.arange(columns) * 700),
        "ends": 65535 * (np.indices((rows, columns)).sum(axis=0) % 2),
    }[kind].astype(np.uint16)
    np.testing.assert_array_equal(unpacked(page.packed(numbers), rows, columns), numbers)


def test_a_plane_is_packed_to_next_to_nothing():
    plane = np.add.outer(np.arange(500) * 60, np.arange(500) * 50).astype(np.uint16)
    assert len(page.packed(plane)) < plane.nbytes / 200


def test_heights_keep_16_bits_and_water_that_is_none_lies_lowest():
    land = a_land(water=np.full((9, 12), -np.inf, np.float32))
    land.grids[0].water[2, 3] = 41.0
    low, step = page.steps_of(land.grids[0])
    heights = low + step * page.in_steps(land.grids[0].heights, low, step)
    assert np.abs(heights - land.grids[0].heights).max() <= 0.51 * step and step <= 61.1 / 65535
    water = page.in_steps(land.grids[0].water, low, step)
    assert water[2, 3] == 65535 and np.count_nonzero(water) == 1


def test_a_scene_of_any_name_is_harmless():
    text = page.text([a_land(WICKED)], [WICKED])
    found = Elements(text)
    facts = json.loads(found.scripts["facts"])
    assert facts["lands"][0]["name"] == facts["lands"][0]["recipe"] == WICKED
    assert found.title == WICKED and WICKED not in text
    assert text.count("<script") == page.text([a_land()], ["recipe"]).count("<script")


def test_nothing_leads_outside():
    text = page.text([a_land()], ["recipe"])
    assert "://" not in text
    found = Elements(text)
    addresses = [value for name, value in found.attributes if name in ("src", "href", "action", "data")]
    assert addresses == ["data:,"]
    assert ("content", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:") in (
        found.attributes
    )
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "import("):
        assert word not in text


def test_all_that_lands_name_is_there():
    text = page.text([a_land(), a_land("Another")], ["one", "two"])
    found = Elements(text)
    lands = json.loads(found.scripts["facts"])["lands"]
    assert [one["name"] for one in lands] == ["A land", "Another"]
    for one in lands:
        grid = one["grids"][0]
        names = [grid["heights"], one["first"], one["first_sky"], one["sky_table"]["texels"], *one["sky"]]
        assert {*names, *(each["picture"] for each in one["maps"])} <= set(found.scripts)


def test_pictures_are_coarser_where_a_page_would_be_too_large(monkeypatch):
    most = len(page.text([a_land()], ["recipe"])) - 2000
    monkeypatch.setattr(page, "MOST_BYTES", most)
    assert most - 10_000 < len(page.text([a_land()], ["recipe"])) <= most


def test_a_common_land_fits_with_its_worst_heights():
    # the roughest of heights, of which 16 bits are noise in all but the highest four, as after a mountain's erosion
    rough = np.random.default_rng(2).integers(0, 4096, (1024, 1024)).astype(np.uint16)
    assert len(page.packed(rough)) * 4 / 3 < page.MOST_MORE_BYTES


def test_heights_where_another_grid_lies_cost_next_to_nothing_and_all_others_come_back():
    numbers = np.random.default_rng(3).integers(0, 65536, (321, 321)).astype(np.uint16)
    without = page.packed(page.seen(numbers, (1, 4)))
    back, inside = unpacked(without, 321, 321), np.zeros((321, 321), bool)
    inside[65:256, 65:256] = True
    np.testing.assert_array_equal(back[~inside], numbers[~inside])
    assert len(without) < 0.67 * len(page.packed(numbers)), "0.65 of the cells are seen"
    np.testing.assert_array_equal(page.seen(numbers, (0, 0)), numbers)


def test_a_further_land_as_rough_as_badlands_fits_with_all_around_it():
    # whose heights are noise in the lowest eight bits, and around it in a thousand of the finest steps
    random = np.random.default_rng(2)
    own = Grid(random.uniform(0, 256, (1024, 1024)).astype(np.float32), None, (0.0, 0.0), (1.0, 1.0))
    own.heights[0, 0] = 65535
    around = Grid(random.uniform(0, 8.0, (513, 513)).astype(np.float32), None, (-1536.0, -1536.0), (4.0, 4.0), (2, 6))
    land = dataclasses.replace(a_land(), grids=(own, around, around, around))
    told, elements = page._within(1, land, "recipe", page.MOST_MORE_BYTES)
    assert sum(map(len, elements)) < page.MOST_MORE_BYTES
    fine, coarse = told["grids"][0]["step"], told["grids"][1]["step"]
    assert fine == pytest.approx(1.0) and coarse > 4.0 / 500, "the land itself keeps its 16 bits"


def test_pictures_take_no_more_memory_than_half_of_what_two_lands_may():
    flat = [(page_land.LAND_TEXELS,) * 2, (page_land.NEAR_TEXELS,) * 2, (page_land.AROUND_TEXELS,) * 2]
    flat += [(page_land.FAR_TEXELS,) * 2, page_land.FIRST, page_land.FIRST_SKY]
    texels = sum(4 / 3 * wide * high for wide, high in flat) + 6 * page_land.SKY_TEXELS**2
    texels += page_land.FIRST[0] * page_land.FIRST[1]  # how far away it is
    heights = page_land.MOST_CELLS**2 + 2 * (page_land.MOST_AROUND + 1) ** 2 + 385**2  # and the water over them
    assert 4 * (texels + heights) <= 32 * 2**20


@pytest.mark.parametrize("name", ["page.png", "page", "html"])
def test_another_suffix_is_refused(name, tmp_path):
    with pytest.raises(InputError, match=r"expected the suffix \.html or \.htm"):
        page.require(tmp_path / name, 1)


@pytest.mark.parametrize("lands", [0, 5])
def test_too_many_scenes_are_refused(lands, tmp_path):
    with pytest.raises(InputError, match=f"{lands} scenes: expected 1 to 4"):
        page.require(tmp_path / "page.html", lands)


def test_nothing_is_left_where_it_cannot_be_written(tmp_path):
    (tmp_path / "page.html").mkdir()
    with pytest.raises(InputError, match=r"page.html: cannot be written"):
        page.write(tmp_path / "page.html", [a_land()], ["recipe"])
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


def test_film_tells_all_light_apart_that_a_screen_does():
    light = np.linspace(0, 6, 200).astype(np.float32)
    told = page_land.film(light)
    assert told[0] == 0 and (np.diff(told) > 0).all() and told[-1] < 1
    assert page_land.film(np.float32(page_land.MIDDLE)) == pytest.approx(0.537, abs=0.001)  # a quarter as sRGB


def test_recipes_of_pages_open_again(tmp_path):
    scene = scenes.load("fjords")
    text = page.text([a_land()], [scenes.to_text(scene, tmp_path, shared=True)])
    recipe = json.loads(Elements(text).scripts["facts"])["lands"][0]["recipe"]
    assert scenes.from_text(recipe, "page", tmp_path)[0] == scene


def test_slides_of_one_land_and_light_share_it_and_no_more_go_on_a_page_than_lands_do():
    scene, camera = Scene(name="One"), Scene().camera
    turned = scene.with_group(camera.replace(yaw=30.0))
    dawn, other = scene.replace({"sun.elevation": 4.0}), scene.replace({"noise.seed": 9})
    deck = Deck(tuple(map(Slide, (scene, turned, dawn, other, scene))))
    assert page.lands_of(deck) == ([scene, dawn, other], [0, 0, 1, 2, 0])
    many = Deck(tuple(Slide(scene.replace({"noise.seed": number})) for number in range(page.MOST_LANDS + 1)))
    with pytest.raises(InputError, match=r"^the deck: 5 lands: expected at most 4 on a page"):
        page.lands_of(many)


def test_what_slides_say_is_there_and_harmless():
    slides = [page.PageSlide(0, Scene().camera, WICKED), page.PageSlide(0, Scene().camera.replace(yaw=30.0), "Two")]
    text = page.text([a_land()], ["recipe"], slides)
    told = json.loads(Elements(text).scripts["facts"])["slides"]
    assert [(one["land"], one["caption"], one["camera"][3]) for one in told] == [(0, WICKED, 0.0), (0, "Two", 30.0)]
    assert WICKED not in text
