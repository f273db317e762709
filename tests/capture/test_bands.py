"""Large pictures are drawn in bands: every scene's are the whole picture.

Where the rasterizer interpolates places on the land it rounds by how far a pixel is from the framebuffer's corner, and
materials change from pixel to pixel: a millimetre in ten kilometres is another stone. So whole and bands are compared
twice: as they are, but for lone pixels, and with the land's places of the whole, where all is alike but stones' edges.
"""

import numpy as np
import pytest

from fellview.capture import capture
from fellview.draw.land.deferred_shading import DeferredShading
from fellview.draw.renderer import Renderer
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate

pytestmark = pytest.mark.slow

CELLS = 256  # a side
FRAMES = 2  # of a mean, so that moved pixels count
BLOCK = 16  # pixels a side, over which lone pixels hardly count
MOST_LONE = 2e-3  # of all pixels, that differ by more than 1/255: of 1920x1080 up to 8e-4 as measured
MOST_ON_STONES = 2e-5  # and with the land's places of the whole: 8e-6, and without stones none
HD = ("alpine-range",)


@pytest.fixture(scope="module")
def renderer():
    with gpu_context.aside() as context:
        yield Renderer(context)


class Places:
    """The land's places of a whole picture, read while it is drawn and given to its bands."""

    def __init__(self, monkeypatch):
        self._whole = {}
        self._still, self._given = None, False
        shade = DeferredShading.shade

        def shaded(shading, lighting, *more, alone=True, layer=0, **how):
            self._exchange(shading.places(layer), lighting, alone)
            return shade(shading, lighting, *more, alone=alone, layer=layer, **how)

        monkeypatch.setattr(DeferredShading, "shade", shaded)

    def drawn(self, still, *, given=False):
        """Return the picture of `still`, with the places of the one before where they are `given`."""
        self._still, self._given = still, given
        return still.drawn().astype(np.int16)

    def _exchange(self, texture, lighting, alone):
        ground = "land" if alone else tuple(lighting.map_place)
        region, frame = self._still.bands[self._still.bands_done], self._still._number
        if not self._given:
            self._whole.setdefault((ground, frame), texture.read())
        elif (whole := self._whole.get((ground, frame))) is not None:
            row = 4 * 4 * region.size[0]
            texture.write(whole[region.bottom * row : (region.bottom + region.size[1]) * row])


def block_means(differences):
    """Return the means of `differences` [row, column, rgba] over blocks; what is left at the borders is left out."""
    rows, columns = (side // BLOCK * BLOCK for side in differences.shape[:2])
    blocks = differences[:rows, :columns].reshape(rows // BLOCK, BLOCK, columns // BLOCK, BLOCK, 4)
    return blocks.mean(axis=(1, 3))


@pytest.mark.parametrize(
    ("preset", "size"),
    [*((name, (480, 270)) for name in scenes.presets()), *((name, (1920, 1080)) for name in HD)],
)
def test_bands_are_the_whole_picture(renderer, monkeypatch, preset, size):
    scene = scenes.load(preset)
    if preset != "directx-demo":  # whose units are cells
        scene = scene.replace({"grid.rows": CELLS, "grid.columns": CELLS})
    field = generate(scene, "cpu")

    def still(most_pixels):
        return capture.Still(renderer, scene, field, size, FRAMES, most_pixels=most_pixels)

    places = Places(monkeypatch)
    whole = places.drawn(still(size[0] * size[1]))
    in_bands = still(size[0] * size[1] // 4)
    assert len(in_bands.bands) > 3
    given = np.abs(places.drawn(in_bands, given=True) - whole).max(axis=-1)
    assert (given > 1).mean() < MOST_ON_STONES
    monkeypatch.undo()
    differences = still(size[0] * size[1] // 4).drawn().astype(np.int16) - whole
    assert (np.abs(differences).max(axis=-1) > 1).mean() < MOST_LONE
    assert np.abs(block_means(differences)).max() < 1
