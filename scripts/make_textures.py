"""Makes the tiling ground texture, assets/textures/ground.png: grass seen from above.

The Fourier transform of white noise, weighted by frequency, gives fields that repeat without a seam: a broad one for
tufts, a fine one for blades. Run it after changing it; the picture is kept in the repository.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

SIZE = 512
SHADOW = np.array([58, 84, 38])  # sRGB: between the blades
GRASS = np.array([108, 142, 64])
STRAW = np.array([176, 186, 108])
PICTURE = Path(__file__).parents[1] / "assets" / "textures" / "ground.png"


def band_noise(generator: np.random.Generator, wavelength: float, stretch: float = 1.0) -> np.ndarray:
    """Return periodic noise about one wavelength in pixels, mean 0 and deviation 1; `stretch` lengthens it along y."""
    frequency_x = np.fft.fftfreq(SIZE)[None, :]
    frequency_y = np.fft.fftfreq(SIZE)[:, None] * stretch
    relative = np.log2(np.maximum(np.hypot(frequency_x, frequency_y), 1e-9) * wavelength)
    spectrum = np.fft.fft2(generator.standard_normal((SIZE, SIZE))) * np.exp(-(relative**2) / 2)
    noise = np.fft.ifft2(spectrum).real
    return (noise - noise.mean()) / noise.std()


def main() -> None:
    """Write the picture."""
    generator = np.random.default_rng(2026)
    blades = band_noise(generator, 5, 2.5) + band_noise(generator, 9, 1.6)
    tufts = band_noise(generator, 40) + 0.6 * band_noise(generator, 110)
    depth = np.clip(0.55 + 0.2 * blades + 0.06 * tufts, 0, 1)[..., None]
    dryness = np.clip(0.3 + 0.16 * tufts + 0.12 * band_noise(generator, 14), 0, 1)[..., None]
    lit = GRASS + dryness * (STRAW - GRASS)
    Image.fromarray(np.rint(SHADOW + depth * (lit - SHADOW)).astype(np.uint8)).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
