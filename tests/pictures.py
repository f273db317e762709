"""Compares pictures with approved ones.

    from tests.pictures import approve
    approve("demo-from-above", pixels)

Approved pictures stand in tests/golden/pictures. ``pytest --approve-pictures`` writes them anew; look at what changed
before you commit it. On a difference the three pictures to look at are in tests/failures.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from fellview.bench.pictures import differences

Pixels = NDArray[np.uint8]

# Both limits are in levels of 255. Measured with Mesa 22.3's llvmpipe on the presets: vector widths of 128 and 256 bits
# and CPUs from AVX up give the same bytes; without AVX the mean is 0.0002 and the worst block 0.08 apart. A preset that
# differs by more from processor to processor is named in test_approved_pictures.py.
MEAN_LIMIT = 0.05
"""The most that a whole picture may differ on the mean: a change of one level in every twentieth value."""

BLOCK_LIMIT = 6.0
"""The most that any block may differ on the mean. Blocks and not pixels, since another compiler's rounding may move an
edge past a pixel's centre: one pixel that changes by 150 levels is 150 / 25 = 6 in a block of 5×5. A moved line, a
missing notch or a wrong texel changes its block through and through."""

_AMPLIFICATION = 16  # a difference of one level becomes visible


@dataclass
class Gallery:
    """Folders of approved pictures and of those that were not."""

    approved: Path
    failures: Path
    approving: bool = False
    """Whether pictures are written instead of compared; set by ``--approve-pictures``."""

    def approve(self, name: str, pixels: Pixels, times: float = 1.0) -> None:
        """Fail unless `pixels`, uint8 [row, column, rgb or rgba], look like the approved picture `name`.

        They may differ so many `times` as much as others.

        Alpha is left out. The failure names the pictures written to tests/failures: actual, and where there was one to
        compare with, expected and their difference made sixteen times as strong.
        """
        __tracebackhide__ = True
        assert pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] in (3, 4), (
            f"{name}: {pixels.dtype} {pixels.shape}: expected uint8 [row, column, rgb or rgba]"
        )
        actual = pixels[..., :3]
        path = self.approved / f"{name}.png"
        if self.approving:
            _write(path, actual)
            return
        for kind in ("actual", "expected", "difference"):  # of an earlier run
            self._failure(name, kind).unlink(missing_ok=True)
        if not path.exists():
            _write(self._failure(name, "actual"), actual)
            pytest.fail(
                f"{name}: no picture was approved yet; look at {self._failure(name, 'actual')}, then run pytest with"
                " --approve-pictures",
                pytrace=False,
            )
        with Image.open(path) as image:
            expected = np.asarray(image.convert("RGB"))
        if actual.shape != expected.shape:
            _write(self._failure(name, "actual"), actual)
            _write(self._failure(name, "expected"), expected)
            pytest.fail(
                f"{name}: {actual.shape[1]}×{actual.shape[0]} pixels: expected {expected.shape[1]}×{expected.shape[0]};"
                f" see {self._failure(name, 'actual')} and {self._failure(name, 'expected')}",
                pytrace=False,
            )
        mean, block = differences(actual, expected)
        most_mean, most_block = times * MEAN_LIMIT, times * BLOCK_LIMIT
        if mean <= most_mean and block <= most_block:
            return
        apart = np.abs(actual.astype(np.int16) - expected)
        _write(self._failure(name, "actual"), actual)
        _write(self._failure(name, "expected"), expected)
        _write(self._failure(name, "difference"), np.minimum(apart * _AMPLIFICATION, 255).astype(np.uint8))
        pytest.fail(
            f"{name}: differs from the approved picture by {mean:.3f} of 255 on the mean (at most {most_mean}) and by"
            f" {block:.1f} in the worst block (at most {most_block}); see"
            f" {', '.join(str(self._failure(name, kind)) for kind in ('actual', 'expected', 'difference'))}",
            pytrace=False,
        )

    def _failure(self, name: str, kind: str) -> Path:
        return self.failures / f"{name}.{kind}.png"


GALLERY = Gallery(Path(__file__).parent / "golden" / "pictures", Path(__file__).parent / "failures")
approve = GALLERY.approve


def _write(path: Path, pixels: Pixels) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.ascontiguousarray(pixels)).save(path, optimize=True)
