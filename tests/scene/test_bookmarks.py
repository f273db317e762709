"""Bookmarks: nine cameras of a scene, in its recipe and its short text."""

import dataclasses

import pytest

from fellview.core.errors import InputError
from fellview.io import scenes, short_texts
from fellview.scene import bookmarks, recipe, short_text
from fellview.scene.bookmarks import Bookmark
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene

ABOVE = Bookmark(2, "Above the lake", Camera(x=812.25, y=340.5, z=-77.03, yaw=211.4, pitch=-31.25, mode="demo"))
MAP = Bookmark(9, "Käse · map", Camera(projection="orthographic", span=1234.5))


def marked(*several):
    return dataclasses.replace(Scene(name="Marked"), bookmarks=several)


@pytest.mark.parametrize("several", [(), (ABOVE,), (ABOVE, MAP)])
def test_a_recipe_has_them(several):
    scene = marked(*several)
    assert recipe.from_text(recipe.to_text(scene)) == (scene, [])
    assert recipe.from_data(recipe.differing(scene), "recipe") == (scene, [])
    assert ("bookmarks" in recipe.to_text(scene)) == bool(several)


def test_a_short_text_has_them_and_stays_short():
    plain = scenes.load("alpine-range")
    scene = dataclasses.replace(plain, bookmarks=(ABOVE, MAP))
    text = short_texts.to_text(scene)
    assert short_texts.from_text(text) == (scene, [])
    assert len(text) <= len(short_texts.to_text(plain)) + 170, "two names, and nine values of four digits"


def test_a_short_text_takes_back_one_that_the_shipped_scene_has():
    base, without = marked(ABOVE, MAP), marked(MAP)
    text = short_text.to_text(without, "base", 1, base)
    assert short_text.from_text(text, "short text", lambda name, revision: base) == (without, [])


def test_all_keys_of_bookmarks_have_marks_of_their_own():
    keys = [key for key, _ in short_text._values(Scene())]
    assert len({short_text.key_mark(key) for key in keys}) == len(keys)


@pytest.mark.parametrize(
    "lines, told",
    [
        ("bookmarks = 3", "bookmarks = 3: expected at most 9"),
        ("bookmarks = [1]", "expected at most 9"),
        ("bookmarks = [{number = 1}]", "name = ''"),
        ("bookmarks = [{name = 'a'}]", "number = 0: expected 1 to 9"),
        ("bookmarks = [{number = true, name = 'a'}]", "number = True"),
        ("bookmarks = [{number = 10, name = 'a'}]", "number = 10: expected 1 to 9"),
        ("bookmarks = [{number = 1, name = 7}]", "name = 7: expected a text"),
        ("bookmarks = [{number = 1, name = 'a', x = 'far'}]", "camera.x = 'far'"),
        ("bookmarks = [{number = 1, name = 'a', self = 2}]", "camera.self: no such parameter"),
        ("bookmarks = [{number = 1, name = 'a'}, {number = 1, name = 'b'}]", "each number once"),
    ],
)
def test_what_is_none_is_told_in_one_line(lines, told):
    with pytest.raises(InputError, match=r"^file: ") as fault:
        recipe.from_text(lines, "file")
    assert told in str(fault.value)


def test_rounding_never_sinks_the_eye():
    camera = Camera(x=1.23456, y=7.001, z=-5.678, yaw=359.999, pitch=-12.3456)
    found = bookmarks.rounded(camera)
    assert (found.x, found.y, found.z, found.yaw, found.pitch) == (1.23, 7.01, -5.68, 360.0, -12.35)
    assert bookmarks.rounded(found) == found


def test_one_takes_the_place_of_its_number():
    again = dataclasses.replace(ABOVE, name="Again")
    several = bookmarks.with_bookmark(bookmarks.with_bookmark((MAP,), ABOVE), again)
    assert several == (again, MAP)
    assert bookmarks.numbered(several, 2) is again
    assert bookmarks.numbered(several, 3) is None


def test_they_are_no_part_of_how_one_looks_at_a_scene():
    scene = marked(ABOVE)
    assert scene.changed_since(marked())
    assert marked().viewed_as(scene).bookmarks == ()
