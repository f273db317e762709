"""The page in a real browser, from disk: it turns, compares, goes through slides, and asks for nothing."""

import numpy as np
import pytest

from fellview import cli
from fellview.bench import browser
from fellview.io import scenes
from fellview.studio import deck_file
from fellview.studio.deck import Deck, Slide
from tests.export.pages import BEGUN, CHANGES, FRAMES, MOST_TRIANGLES, SIZE, TRIANGLES, seen, words_of

pytestmark = [
    pytest.mark.minutes,
    pytest.mark.slow,
    pytest.mark.skipif(browser.program() is None, reason="chromium is missing: sudo apt-get install chromium"),
]

TALK_SIZE = (480, 270)
"""Of a page of slides, of which is asked which one is there: a browser without a GPU takes long over every pixel."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    assert cli.main(["page", "fjords", "highlands", "-o", str(path), *words_of(CHANGES)]) == 0
    return path


@pytest.fixture(scope="module")
def page(path):
    with browser.opened(SIZE) as opened:
        opened.open(path.with_name("page.html"))
        opened.wait(BEGUN)
        yield opened


def drawn_after(page, do):
    """Do something, wait for the next frame, and return by how much it differs from the one before, in levels."""
    before, frames = seen(page), page.value(FRAMES)
    do()
    page.wait(f"{FRAMES} > {frames}")
    return float(np.abs(seen(page) - before).mean())


def chosen(name, value):
    """Return JavaScript that does as if a person had set the control `name`."""
    tell = "['input', 'change'].forEach(kind => one.dispatchEvent(new Event(kind)))"
    return f"(() => {{ const one = document.getElementById('{name}'); one.value = {value}; {tell} }})()"


def drag(page, start, end):
    for kind, (x, y), held in (("mousePressed", start, 0), ("mouseMoved", end, 1), ("mouseReleased", end, 0)):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=held, clickCount=1)


def press(page, key):
    for kind in ("keyDown", "keyUp"):
        page.send("Input.dispatchKeyEvent", type=kind, key=key)


@pytest.fixture(scope="module")
def talk(tmp_path_factory):
    """The page of a deck: twice over one land, and another one."""
    fjords, highlands = (scenes.load(name).replace(CHANGES) for name in ("fjords", "highlands"))
    turned = fjords.with_group(fjords.camera.replace(yaw=(fjords.camera.yaw + 20) % 360))
    deck = Deck((Slide(fjords, "Fjords"), Slide(turned, "The same"), Slide(highlands, "Highlands, lower")))
    folder = tmp_path_factory.mktemp("talk")
    deck_file.save(folder / "deck.toml", deck)
    assert cli.main(["page", str(folder / "deck.toml"), "-o", str(folder / "talk.html")]) == 0
    with browser.opened(TALK_SIZE) as opened:
        opened.open(folder / "talk.html")
        opened.wait(f"({BEGUN}) && document.documentElement.dataset.slide === '0'")
        yield opened


def test_slides_are_walked_through_by_keys_and_buttons(talk):
    def there(number, caption):
        talk.wait(f"document.documentElement.dataset.slide === '{number}'")
        assert talk.value("document.getElementById('caption').textContent") == caption
        return seen(talk)

    first = there(0, "Fjords")
    press(talk, "ArrowRight")
    assert np.abs(there(1, "The same") - first).mean() > 5
    talk.value("document.getElementById('next-slide').click()")
    assert np.abs(there(2, "Highlands, lower") - first).mean() > 5
    assert talk.value("document.getElementById('name').textContent") == scenes.load("highlands").name
    press(talk, "Home")
    assert np.abs(there(0, "Fjords") - first).mean() < 0.5
    assert talk.errors == []


def test_it_turns_by_mouse_and_keys_and_comes_back(page):
    first = seen(page)
    assert drawn_after(page, lambda: drag(page, (500, 200), (650, 180))) > 2
    assert drawn_after(page, lambda: press(page, "ArrowLeft")) > 1
    assert (
        drawn_after(
            page, lambda: page.send("Input.dispatchMouseEvent", type="mouseWheel", x=500, y=200, deltaX=0, deltaY=300)
        )
        > 1
    )
    drawn_after(page, lambda: press(page, "r"))
    assert np.abs(seen(page) - first).mean() < 0.5


def test_its_views_differ(page):
    for _ in range(2):
        assert drawn_after(page, lambda: press(page, "z")) > 5
    assert drawn_after(page, lambda: press(page, "z")) > 5


def test_two_lands_are_wiped_between(page):
    first = seen(page)
    assert drawn_after(page, lambda: page.value(chosen("beside", 1))) > 2
    off = np.abs(seen(page) - first).mean(axis=-1)[120:400]
    middle = SIZE[0] // 2
    assert off[:, 20 : middle - 20].mean() < 1 < off[:, middle + 20 :].mean()
    drag(page, (middle, 300), (200, 300))
    page.wait("document.getElementById('wipe').style.left !== '50%'")
    page.value(chosen("beside", 0))


def test_higher_land_is_higher(page):
    assert drawn_after(page, lambda: page.value(chosen("exaggeration", 1))) > 2


def test_triangles_are_bounded_and_nothing_was_asked_for_or_complained_of(page, path):
    assert 0 < page.value(TRIANGLES) <= MOST_TRIANGLES
    assert page.errors == []
    assert set(page.requests) <= {path.absolute().as_uri(), "data:,"}
