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


def test_every_slide_is_a_picture_that_opens_as_its_scene(tmp_path):
    plain = list(slides.take(tmp_path / "plain", DECK, Shot(SIZE, 1), "cpu"))
    assert [path.name for path in plain] == ["slide-001.png", "slide-002.png"]
    assert [fellview.load(path) for path in plain] == [one.scene for one in DECK.slides]
    said = list(slides.take(tmp_path / "said", DECK, Shot(SIZE, 1), "cpu", captions=True))
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
        list(slides.take(tmp_path / "none", Deck(), Shot(SIZE, 1), "cpu"))
    assert not (tmp_path / "none").exists()
