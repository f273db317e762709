"""The shelf as a value: what each change makes of it."""

import pytest

from fellview.core.errors import InputError
from fellview.scene.scene import Scene
from fellview.studio.shelf import LONGEST_NAME, MOST, Shelf, Variant

LAND = Scene(name="Dunes").replace({"grid.rows": 16, "grid.columns": 16})


def seeded(number):
    return LAND.replace({"noise.seed": number})


def shelf(count):
    kept = Shelf()
    for number in range(1, count + 1):
        kept = kept.keep(seeded(number), new_id=lambda number=number: f"{number:08x}")
    return kept


def names(kept):
    return [one.name for one in kept.variants]


def ids(kept):
    return [int(one.id, 16) for one in kept.variants]


def test_what_is_kept_comes_last_and_gets_a_name_of_its_own():
    kept = shelf(2).keep(seeded(9), "The one").keep(LAND)
    assert names(kept) == ["Dunes 1", "Dunes 2", "The one", "Dunes 3"]
    assert kept.variants[2].scene == seeded(9) and not kept.variants[2].star
    assert len({one.id for one in kept.variants}) == len(kept) == 4


def test_a_number_is_not_given_again_below_the_highest():
    kept = shelf(3).delete("00000001")
    assert names(kept.keep(LAND)) == ["Dunes 2", "Dunes 3", "Dunes 4"]
    other = kept.keep(Scene(name="Dunes 3"))
    assert names(other)[-1] == "Dunes 3 1"


def test_an_id_that_is_taken_is_drawn_anew():
    drawn = iter(["00000001", "00000002", "00000007"])
    assert ids(shelf(2).keep(LAND, new_id=lambda: next(drawn))) == [1, 2, 7]


@pytest.mark.parametrize(
    ("place", "order"), [(0, [3, 1, 2, 4]), (1, [1, 3, 2, 4]), (2, [1, 2, 3, 4]), (3, [1, 2, 4, 3]), (99, [1, 2, 4, 3])]
)
def test_moving_gives_a_place_in_the_new_order(place, order):
    assert ids(shelf(4).move("00000003", place)) == order


def test_a_copy_stands_behind_the_original():
    kept = shelf(3).star("00000002", True).duplicate("00000002", lambda: "0000000a")
    assert ids(kept) == [1, 2, 10, 3]
    assert kept["0000000a"] == Variant("0000000a", "Dunes 4", seeded(2))


def test_name_and_star_change_alone():
    before = shelf(3)
    kept = before.rename("00000002", "Best").star("00000002", True)
    assert kept["00000002"] == Variant("00000002", "Best", seeded(2), True)
    assert [one for one in kept.variants if one not in before.variants] == [kept["00000002"]]
    assert kept.star("00000002", False).rename("00000002", "Dunes 2") == before


def test_deleting_takes_one_away():
    assert ids(shelf(3).delete("00000002")) == [1, 3]
    with pytest.raises(KeyError):
        shelf(3).delete("00000009")


def test_a_scene_is_found_however_one_looks_at_it():
    kept = shelf(3)
    turned = seeded(2).with_group(LAND.camera.replace(yaw=77.0))
    assert kept.of(turned) is kept.variants[1]
    assert kept.of(seeded(9)) is None


def test_those_of_another_shelf_come_behind_and_none_twice():
    assert ids(shelf(2).add(shelf(4))) == [1, 2, 3, 4]


@pytest.mark.parametrize("name", ["", "x" * (LONGEST_NAME + 1), "\ud800", 3])
def test_what_is_no_name_is_refused_in_one_line(name):
    with pytest.raises(InputError, match=r"^name = .*expected .*80 characters$"):
        shelf(1).rename("00000001", name)


def test_a_long_name_of_a_scene_is_cut_for_the_number():
    kept = Shelf().keep(Scene(name="y" * 200)).keep(Scene(name=""))
    assert [len(one) for one in names(kept)] == [LONGEST_NAME - 2, len("Land 1")]


def test_a_full_shelf_takes_no_more():
    full = Shelf(tuple(Variant(f"{number:08x}", "x", LAND) for number in range(MOST)))
    with pytest.raises(InputError, match=f"{MOST + 1} lands: expected at most {MOST}"):
        full.keep(LAND)
    with pytest.raises(InputError, match="two lands of one id"):
        Shelf((full.variants[0], full.variants[0]))


def test_what_is_kept_of_a_difference_is_the_land_alone():
    kept = Shelf().keep(Scene().replace({"view.mode": "difference"})).variants[0].scene
    assert kept == Scene()
    slopes = Scene().replace({"view.mode": "slope"})
    assert Shelf().keep(slopes).variants[0].scene == slopes
