"""Decks: what each change makes of them, and that they come back from their files, or are refused in one line."""

from dataclasses import replace

import pytest

from fellview import paths
from fellview.core.errors import InputError
from fellview.io import scenes
from fellview.scene.bookmarks import Bookmark, with_bookmark
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.studio import caption, deck_file
from fellview.studio.deck import LONGEST_CAPTION, MOST, Deck, Showing, Slide, of_bookmarks, of_starred, slide_of
from fellview.studio.shelf import Shelf

LAND = Scene(name="Small").replace({"grid.rows": 16, "grid.columns": 16})
OTHER = LAND.replace({"noise.seed": 5})
ONE, TWO, THREE = Slide(LAND, "One"), Slide(OTHER, "Two", "wipe"), Slide(LAND, "Three", "cut")
DECK = Deck((ONE, TWO, THREE))


def test_slides_are_put_in_order():
    assert DECK.move(0, 2).slides == (TWO, THREE, ONE)
    assert DECK.move(2, -7).slides == (THREE, ONE, TWO)
    assert DECK.move(0, 99) == DECK.move(0, 2)
    assert DECK.delete(1).slides == (ONE, THREE)
    assert Deck().add([ONE, THREE]).add([TWO], 1) == DECK
    assert DECK.change(1, ONE).slides == (ONE, ONE, THREE)


def test_over_the_same_land_one_flies_and_to_another_one_wipes():
    assert slide_of(LAND).transition == "flight"
    assert slide_of(LAND.with_group(Camera(x=7.0)), before=ONE).transition == "flight"
    assert slide_of(OTHER, before=ONE).transition == "wipe"
    difference = LAND.replace({"view.mode": "difference"})
    assert slide_of(difference).scene == LAND, "the other land is not kept with it"


def test_bookmarks_become_slides_of_their_cameras_and_starred_lands_of_their_own():
    marks = with_bookmark(with_bookmark((), Bookmark(3, "Low", Camera(y=3.0))), Bookmark(1, "High", Camera(y=900.0)))
    found = of_bookmarks(replace(LAND, bookmarks=marks), before=TWO)
    assert [(one.caption, one.scene.camera.y, one.transition) for one in found] == [
        ("High", 900.0, "wipe"),
        ("Low", 3.0, "flight"),
    ]
    shelf = Shelf().keep(LAND, "Plain").keep(OTHER, "Starred")
    starred = shelf.star(shelf.variants[1].id, True)
    assert [one.caption for one in of_starred(starred)] == ["Starred"]


def test_what_no_slide_can_be_is_refused():
    with pytest.raises(InputError, match=r"^caption = 'x.*: expected a text in Unicode of at most 240 characters$"):
        Slide(LAND, "x" * (LONGEST_CAPTION + 1))
    with pytest.raises(InputError, match=r"^transition = 'fade': expected one of flight, wipe, morph, cut$"):
        Slide(LAND, transition="fade")
    with pytest.raises(InputError, match=rf"^the deck: {MOST + 1} slides: expected at most {MOST}$"):
        Deck((ONE,) * (MOST + 1))


def test_a_deck_comes_back_whole_from_one_readable_file(tmp_path):
    deck = Deck(
        (*DECK.slides, Slide(scenes.load("fjords"), 'He said "so"\n# [[slides]]')), Showing(turn=True, seconds=4.5)
    )
    path = tmp_path / "talk" / "deck.toml"
    deck_file.save(path, deck)
    assert deck_file.load(path) == (deck, [])
    assert deck_file.is_deck(path) and not deck_file.is_deck(paths.assets() / "rugged-upland.toml")
    text = path.read_text()
    assert text.startswith("deck = 1\n") and "turn_speed" not in text, "what is usual is left out"


def test_files_are_named_from_where_the_deck_lies(tmp_path):
    textured = Slide(LAND.with_group(LAND.ground.replace(textures=str(tmp_path / "stones"))))
    path = tmp_path / "talks" / "deck.toml"
    deck_file.save(path, Deck((textured,)))
    assert 'textures = "../stones"' in path.read_text()
    assert deck_file.load(path)[0].slides == (textured,)


SLIDE = "deck = 1\n[[slides]]\n{}[slides.scene]\nversion = 1\n"
WRONG = {
    "version = 1\n": "not a deck: expected deck = 1 to 1 in it",
    "deck = 7\n": "deck = 7: expected 1 to 1; a newer Fellview wrote it?",
    "deck = 1\nslide = 3\n": "slide: no such key; expected deck, fellview, show, slides",
    "deck = 1\nslides = 3\n": "slides = 3: expected a list of tables",
    "deck = 1\nslides = [3]\n": "slide 1: expected a table with caption, transition, scene",
    "deck = 1\nshow = 3\n": "show = 3: expected a table",
    "deck = 1\n[show]\nturn_speed = 99\n": "show.turn_speed = 99: expected -30 to 30 °/s",
    "deck = 1\n[show]\nspeed = 1\n": "show.speed: no such parameter; show has turn, turn_speed, seconds, changes",
    SLIDE.format("caption = 3\n"): "slide 1: caption = 3: expected a text in Unicode",
    SLIDE.format('transition = "fade"\n'): "slide 1: transition = 'fade': expected one of flight, wipe, morph, cut",
    SLIDE.format("title = 1\n"): "slide 1: title: no such key; expected caption, transition, scene",
    SLIDE.format("") + "[slides.scene.noise]\nseed = -1\n": "slide 1: noise.seed = -1: expected a whole number, 0",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_deck_is_told_in_one_line(text, tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refusal:
        deck_file.load(path)
    assert str(refusal.value).startswith(f"{path}: {WRONG[text]}") and "\n" not in str(refusal.value)


# -- captions ----------------------------------------------------------------------------------------------------------


def test_a_caption_is_broken_between_words_and_stands_in_the_lower_left():
    def width(text):
        return 12.0 * len(text)

    text = "The valleys that glaciers cut below the level of the sea, which it has filled since " + "x" * 90
    for size in ((1280, 720), (1920, 1080), (320, 200), (400, 900)):
        placed = caption.placed(text, size, width)
        assert "".join(placed.lines).replace(" ", "") == text.replace(" ", "")
        assert placed.right <= size[0] - placed.left + 1e-6 or max(map(len, placed.lines)) == 1
        assert placed.top + len(placed.lines) * caption.LINE * placed.font < size[1], "nothing is cut off below"
    assert caption.placed("Two\nlines", (1280, 720), width).lines == ("Two", "lines")


def test_the_ground_of_a_caption_is_dark_below_it_and_gone_around_it():
    placed = caption.placed("Snow", (1280, 720), lambda text: 100.0)
    assert placed.down(placed.ground_top) == 0 == placed.across(placed.ground_right)
    contrast = 1.05 / (((1 - placed.down(placed.top) + 0.055) / 1.055) ** 2.4 + 0.05)
    assert contrast > 4.5 and placed.across(placed.right) == 1, "white is read over white"
