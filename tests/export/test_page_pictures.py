"""The page's pictures in a real browser are like Fellview's own, in every scene."""

from dataclasses import dataclass

import numpy as np
import pytest

from fellview import cli
from fellview.bench import browser
from fellview.capture import capture
from fellview.draw.frame import FrameOptions
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.gpu import context
from fellview.io import scenes
from fellview.library import generate
from fellview.view.ground import above_all
from tests.export.pages import BEGUN, CHANGES, MOST_TRIANGLES, SIZE, TRIANGLES, seen, words_of

pytestmark = [
    pytest.mark.minutes,
    pytest.mark.slow,
    pytest.mark.skipif(browser.program() is None, reason="chromium is missing: sudo apt-get install chromium"),
]

SAMPLES = 8
REACH = 8  # pixels, how far off an outline is looked for
AS_SHIPPED = ("directx-demo", "fjords")
"""Scenes with all their cells: one whose units are cells, and the one whose outlines are the hardest to keep."""
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
        options=FrameOptions(transparent=True, resting=True),
        mean=renderer.accumulator(),
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
