"""Pages that tests open in a real browser."""

import io

import numpy as np
from PIL import Image

SIZE = (960, 540)
CHANGES = {"grid.rows": 256, "grid.columns": 256}
FRAMES = "Number(document.documentElement.dataset.frames || 0)"
TRIANGLES, MOST_TRIANGLES = "Number(document.documentElement.dataset.triangles)", 400_000
BEGUN = f"{FRAMES} > 0 || document.documentElement.dataset.fault"


def words_of(changes):
    return [f"--set={name}={value}" for name, value in changes.items()]


def seen(page):
    with Image.open(io.BytesIO(page.picture("picture"))) as picture:
        return np.asarray(picture.convert("RGB")).astype(np.float32)
