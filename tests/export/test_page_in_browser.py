"""The page in a real browser, from disk: it draws as Fellview does, turns, compares, and asks for nothing."""

import io
from dataclasses import dataclass

import numpy as np
import pytest
from PIL import Image

from fellview import cli
from fellview.bench import browser
from fellview.capture import capture
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.gpu import context
from fellview.io import scenes
from fellview.library import generate
from fellview.studio import deck_file
from fellview.studio.deck import Deck, Slide
from fellview.view.ground import above_all

pytestmark = [
    pytest.mark.minutes,
    pytest.mark.slow,
    pytest.mark.skipif(browser.program() is None, reason="chromium is missing: sudo apt-get install chromium"),
]

SIZE, SAMPLES = (960, 540), 8
TALK_SIZE = (480, 270)
"""Of a page of slides, of which is asked which one is there: a browser without a GPU takes long over every pixel."""
REACH = 8  # pixels, how far off an outline is looked for
CHANGES = {"grid.rows": 256, "grid.columns": 256}
AS_SHIPPED = ("directx-demo", "fjords")
"""Scenes with all their cells: one whose units are cells, and the one whose outlines are the hardest to keep."""
FRAMES = "Number(document.documentElement.dataset.frames || 0)"
TRIANGLES, MOST_TRIANGLES = "Number(document.documentElement.dataset.triangles)", 400_000
BEGUN = f"{FRAMES} > 0 || document.documentElement.dataset.fault"


def words_of(changes):
    return [f"--set={name}={value}" for name, value in changes.items()]


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


def seen(page):
    with Image.open(io.BytesIO(page.picture("picture"))) as picture:
        return np.asarray(picture.convert("RGB")).astype(np.float32)


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


SHOW_WHERE_SKY_IS = """(() => {
    const made = gl.createProgram();
    for (const [kind, text] of [
        [gl.VERTEX_SHADER, `void main() {
            gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 1, 1);
        }`],
        [gl.FRAGMENT_SHADER, "precision highp float; out vec4 colour; void main() { colour = vec4(1); }"],
    ]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, "#version 300 es\\n" + text);
        gl.compileShader(shader);
        gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    draw();
    gl.clearColor(0, 0, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(made);
    gl.bindVertexArray(null);
    gl.depthFunc(gl.LEQUAL);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthFunc(gl.LESS);
    return gl.getError();
})()"""
"""Over the depth that the page has drawn: white where the sky is, and black where ground or water is before it."""


def page_ground(page):
    """Return where the page shows ground or water, bool [row, column]."""
    assert page.value(SHOW_WHERE_SKY_IS) == 0
    ground = seen(page)[..., 0] < 128
    page.value("draw()")
    return ground


def fellview_ground(renderer, scene, field):
    """Return where Fellview's picture shows ground or water, bool [row, column]."""
    renderer.show(field)
    drawing = renderer.passes(
        scene.with_group(above_all(scene, field)),
        SIZE,
        1,
        0,
        mean=renderer.accumulator(),
        transparent=True,
        resting=True,
    )
    return whole(drawing).pixels(transparent=True)[..., 3] > 127


def outline(ground):
    """Return the pixels of `ground` that have sky beside, above or below them, bool [row, column]."""
    around = np.pad(ground, 1, mode="edge")
    inside = around[:-2, 1:-1] & around[2:, 1:-1] & around[1:-1, :-2] & around[1:-1, 2:]
    return ground & ~inside


def outlines_apart(one, other, most=REACH):
    """Return how far each pixel of the outline of `one` is from that of `other`, in pixels; `most` where farther."""
    found, theirs = np.full(one.shape, float(most)), outline(other)
    rows, columns = one.shape
    padded = np.pad(theirs, most)
    for down in range(-most, most + 1):
        for across in range(-most, most + 1):
            there = padded[most + down : most + down + rows, most + across : most + across + columns]
            found[there] = np.minimum(found[there], np.hypot(down, across))
    return found[outline(one)]


@dataclass(frozen=True)
class Likeness:
    """How like Fellview's picture a page's is."""

    mean: float
    """Mean difference, in levels of 255."""
    apart: np.ndarray
    """How far the outlines of both are from each other at each of their pixels, in pixels."""


def likeness(page, renderer, scene, field):
    """Return how like `page`, which shows its first view of `scene` over `field`, is to Fellview's own picture."""
    expected = capture.still(renderer, scene, field, SIZE, SAMPLES)[..., :3].astype(np.float32)
    ours, theirs = fellview_ground(renderer, scene, field), page_ground(page)
    apart = np.concatenate([outlines_apart(ours, theirs), outlines_apart(theirs, ours)])
    return Likeness(float(np.abs(seen(page) - expected).mean()), apart)


@pytest.fixture(scope="module")
def renderer():
    with context.aside() as aside:
        yield Renderer(aside)


@pytest.mark.parametrize("preset", scenes.presets())
def test_it_shows_what_fellview_draws_with_outlines_where_they_are(renderer, tmp_path, preset):
    path, changes = tmp_path / "page.html", {} if preset in AS_SHIPPED else CHANGES
    assert cli.main(["page", preset, "-o", str(path), *words_of(changes)]) == 0
    scene = scenes.load(preset).replace(changes)
    field = generate(scene, "cpu")
    with browser.opened(SIZE) as page:
        page.open(path)
        page.wait(BEGUN)
        assert page.value("document.documentElement.dataset.fault") is None
        found = likeness(page, renderer, scene, field)
        assert found.mean <= 8
        assert len(found.apart) > SIZE[0] and (found.apart <= 2).mean() >= 0.98
        assert 0 < page.value(TRIANGLES) <= MOST_TRIANGLES
        assert page.errors == []
        if preset == "fjords":
            moved = np.roll(page_ground(page), 4, axis=0)
            assert (outlines_apart(moved, fellview_ground(renderer, scene, field)) > 2).mean() > 0.5, (
                "it would be noticed"
            )


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
