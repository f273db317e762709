"""Pictures of decks: one a slide, that opens as its scene, and captions in their lower left alone."""

import numpy as np
import pytest
from PIL import Image

import fellview
from fellview.capture import slides
from fellview.capture.shot import Shot
from fellview.core.errors import InputError
from fellview.draw.target import Region
from fellview.scene.scene import Scene
from fellview.studio.deck import Deck, Slide

SCENE = Scene(name="small").replace({"grid.rows": 24, "grid.columns": 24, "erosion.kind": "none"})
DECK = Deck((Slide(SCENE, "A land"), Slide(SCENE.replace({"noise.seed": 5}))))
SIZE = (160, 120)


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def taken(folder, deck, **how):
    """Return the pictures of all slides, none of which may fail."""
    each = list(slides.take(folder, deck, Shot(SIZE, 1), "cpu", **how))
    assert not any(one.failed for one in each)
    return [path for one in each for path in one.files]


def test_every_slide_is_a_picture_that_opens_as_its_scene(tmp_path):
    plain = taken(tmp_path / "plain", DECK)
    assert [path.name for path in plain] == ["slide-001.png", "slide-002.png"]
    assert [fellview.load(path) for path in plain] == [one.scene for one in DECK.slides]
    said = taken(tmp_path / "said", DECK, captions=True)
    change = np.abs(pixels(said[0]) - pixels(plain[0])).sum(axis=2)
    assert change[SIZE[1] // 2 :].any() and not change[: SIZE[1] // 4].any(), "its caption stands below"
    assert (pixels(said[1]) == pixels(plain[1])).all(), "and nothing where there is none"


def test_a_caption_goes_over_the_borders_of_bands():
    size, white = (640, 360), np.full((360, 640, 4), 255, np.uint8)
    written = slides.Written("A caption of two lines,\nas it may be", size)
    whole = written.over(white, Region(0, 0, size, size))
    bands = [written.over(white[top : top + 60], Region(0, 300 - top, (640, 60), size)) for top in range(0, 360, 60)]
    assert (np.concatenate(bands) == whole).all()
    assert (whole[..., 3] == 255).all() and (whole[:150] == 255).all()


def test_a_deck_without_slides_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"^the deck: 0 slides: expected at least one$"):
        taken(tmp_path / "none", Deck())
    assert not (tmp_path / "none").exists()


def test_a_slide_that_fails_ends_no_other(tmp_path):
    lost = Slide(SCENE.replace({"imported.enabled": True, "imported.path": "lost.png"}))
    first, second = slides.take(tmp_path, Deck((lost, *DECK.slides[1:])), Shot(SIZE, 1), "cpu")
    assert first.failed.startswith("slide 1: ") and "lost.png" in first.failed and not first.files
    assert [path.name for path in second.files] == ["slide-002.png"] and not second.failed


def test_pictures_of_an_earlier_deck_are_replaced_and_nothing_else(tmp_path):
    taken(tmp_path, DECK)
    other = Deck(DECK.slides[::-1])
    assert [fellview.load(path) for path in taken(tmp_path, other)] == [one.scene for one in other.slides]
    foreign = tmp_path / "slide-002.png"
    foreign.write_bytes(b"a photograph")
    with pytest.raises(
        InputError, match=r"slide-002\.png: is there already, and is something else: it is not replaced$"
    ):
        taken(tmp_path, DECK)
    assert foreign.read_bytes() == b"a photograph"
    assert fellview.load(tmp_path / "slide-001.png") == other.slides[0].scene, "and none before it"
