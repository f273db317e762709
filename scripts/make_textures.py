"""Makes the textures of assets/textures: the demo's ground.png, a tiling picture for every material, and reliefs.

The Fourier transform of white noise, weighted by frequency, gives fields that repeat without a seam; cells about
jittered points on a torus give stones, cracks and pits. A material is a tone (from its shadows to its lights) and a
hue, 32 by 8 steps, so that a picture of 512² takes a byte a pixel. What is broader than a quarter of a picture is
taken out: repeated over a mountain it would show, and the shader has broad variation of its own.

A relief is a tiling height map of what is smaller than a land's cells and larger than a material's grain: crags, turf,
ripples, pits and lava. Rows go up in it: in crags, which stand upright, row 0 is the lowest.

Run it after changing it; the pictures are kept in the repository, and the same script gives the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

SIZE = 512
SHADOW = np.array([58, 84, 38])  # sRGB: between the blades
GRASS = np.array([108, 142, 64])
STRAW = np.array([176, 186, 108])
FOLDER = Path(__file__).parents[1] / "assets" / "textures"
TONES, HUES = 32, 8
BROADEST = 4  # cycles a picture of what stays in it
BROADEST_RELIEF = 1.6  # the same of a relief, which lies so wide that a land shows few of them
FINEST_RELIEF = SIZE / 2.5  # what is finer is weak: steps would show their texels
RIPPLES = 26  # a picture
BEDS = 19  # of the ledges
RANGE = 0.1  # of a side: heights between 0 and the top of a relief's picture
UP = (np.arange(SIZE)[:, None] + 0.5) / SIZE

Field = np.ndarray
Generator = np.random.Generator


def band_noise(generator: Generator, wavelength: float, stretch: float = 1.0) -> Field:
    """Return periodic noise about one wavelength in pixels, mean 0 and deviation 1; `stretch` lengthens it along y."""
    frequency_x = np.fft.fftfreq(SIZE)[None, :]
    frequency_y = np.fft.fftfreq(SIZE)[:, None] * stretch
    relative = np.log2(np.maximum(np.hypot(frequency_x, frequency_y), 1e-9) * wavelength)
    spectrum = np.fft.fft2(generator.standard_normal((SIZE, SIZE))) * np.exp(-(relative**2) / 2)
    noise = np.fft.ifft2(spectrum).real
    return (noise - noise.mean()) / noise.std()


def rough(generator: Generator, longest: float, gain: float, stretch: float = 1.0) -> Field:
    """Return octaves of `band_noise` from `longest` pixels down to 3, each `gain` times as strong; deviation 1."""
    total, wavelength, strength = np.zeros((SIZE, SIZE)), longest, 1.0
    while wavelength >= 3:
        total += strength * band_noise(generator, wavelength, stretch)
        wavelength, strength = wavelength / 2, strength * gain
    return total / total.std()


def cells(generator: Generator, count: int, bend: Field | None = None) -> tuple[Field, Field, Field]:
    """Return the distances to the nearest and the second point in cells' widths, and a number of the nearest, 0 to 1.

    There are `count` points a side, one in each square; `bend` moves the places asked for, in cells.
    """
    points = generator.random((count, count, 3))
    y, x = (np.indices((SIZE, SIZE)) + 0.5) * count / SIZE
    if bend is not None:
        x, y = x + bend, y + np.roll(bend, SIZE // 3, 0)
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    nearest, second = np.full((SIZE, SIZE), 9.0), np.full((SIZE, SIZE), 9.0)
    number = np.zeros((SIZE, SIZE))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            point = points[(row + down) % count, (column + right) % count]
            away = np.hypot(column + right + point[..., 0] - x, row + down + point[..., 1] - y)
            closer = away < nearest
            second = np.where(closer, nearest, np.minimum(second, away))
            number = np.where(closer, point[..., 2], number)
            nearest = np.where(closer, away, nearest)
    return nearest, second, number


def stones(generator: Generator, count: int, share: float) -> tuple[Field, Field]:
    """Return heights of stones, 0 between them, and a number of each stone; `share` of `count`² squares have one."""
    nearest, second, number = cells(generator, count, 0.03 * band_noise(generator, 0.5 * SIZE / count))
    edge = np.clip((second - nearest) / 0.35, 0, 1)  # 0 where two stones touch
    there = number < share
    radius = 0.25 + 0.6 * (number / share) ** 2
    dome = np.sqrt(np.clip(1 - (nearest / radius) ** 2, 0, 1)) * np.sqrt(edge)
    return np.where(there, dome * radius, 0.0), (7919 * number) % 1


def level(field: Field) -> Field:
    """Return `field` without what is broader than the `BROADEST` cycles, mean 0 and deviation 1."""
    cycles = np.hypot(np.fft.fftfreq(SIZE)[None, :], np.fft.fftfreq(SIZE)[:, None]) * SIZE
    kept = np.fft.ifft2(np.fft.fft2(field) * (1 - np.exp(-((cycles / BROADEST) ** 4)))).real
    return kept / kept.std()


def grass(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of blades in tufts."""
    blades = band_noise(generator, 4, 2.2) + band_noise(generator, 8, 1.5)
    tufts = band_noise(generator, 30) + 0.7 * band_noise(generator, 70)
    return 0.8 * blades + 0.5 * tufts, band_noise(generator, 18) + 0.6 * tufts


def soil(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of crumbs with pebbles."""
    crumbs = rough(generator, 48, 0.8)
    pebbles, number = stones(generator, 40, 0.12)
    return crumbs + 2.0 * (pebbles > 0) * pebbles, np.where(pebbles > 0, 2 * number, 0.6 * band_noise(generator, 40))


def rock(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of a cliff: beds along x, blocks, cracks."""
    bent = 0.3 * band_noise(generator, 60)
    nearest, second, number = cells(generator, 7, bent)
    small_nearest, small_second, small = cells(generator, 19, 0.5 * bent)
    cracks = np.exp(-(second - nearest) / 0.05) + 0.5 * np.exp(-(small_second - small_nearest) / 0.06)
    beds = rough(generator, 40, 0.7, 3.5).T
    face = rough(generator, 90, 0.8)
    tone = face + 0.6 * beds + 1.2 * (number - 0.5) + 0.8 * (small - 0.5) - 3.0 * cracks
    return tone, rough(generator, 80, 0.6) + 0.5 * beds


def scree(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of stones on stones."""
    tone, hue = 0.35 * rough(generator, 12, 0.8), 0.4 * band_noise(generator, 20)
    for count, share in ((56, 0.9), (26, 0.55), (12, 0.3)):
        height, number = stones(generator, count, share)
        there = height > 0.02
        lit = 1.1 * (number - 0.5) + 1.6 * np.minimum(height, 0.5) + 0.15 * rough(generator, 10, 0.8)
        tone, hue = np.where(there, lit, tone - 0.25 * (height > 0)), np.where(there, 2 * (number - 0.5), hue)
    return tone, hue


def sand(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of ripples about 20 pixels apart, and grains."""
    ripples = np.sin(0.8 * band_noise(generator, 60) + 2 * np.pi * 24 * np.arange(SIZE)[:, None] / SIZE)
    strong = 0.5 + 0.35 * np.tanh(band_noise(generator, 90))
    return strong * ripples + 0.8 * band_noise(generator, 2.5), rough(generator, 50, 0.7)


def snow(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of wind-pressed snow."""
    drifts = rough(generator, 80, 0.5, 0.5)
    return drifts + 0.35 * band_noise(generator, 3), drifts + 0.5 * band_noise(generator, 60)


def basalt(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of lava: ropes, clinker and bubbles."""
    face = rough(generator, 70, 0.75)
    ropes = 1 - np.abs(band_noise(generator, 36)) - 0.5 * np.abs(band_noise(generator, 18))
    bubbles, _, size = cells(generator, 44)
    pits = np.where(size < 0.4, np.exp(-((bubbles / 0.28) ** 2)), 0)
    return face + 0.5 * ropes - 1.5 * pits, rough(generator, 60, 0.6)


def regolith(generator: Generator) -> tuple[Field, Field]:
    """Return tone and hue of dust with pits and few stones."""
    dust = rough(generator, 60, 0.78)
    tone = dust
    for count in (9, 23):
        away, _, number = cells(generator, count)
        radius = 0.12 + 0.3 * number
        rim = np.exp(-(((away - radius) / (0.25 * radius)) ** 2)) - 1.2 * np.exp(-((away / (0.8 * radius)) ** 4))
        tone = tone + np.where(number < 0.6, 1.0 * rim, 0)
    pebbles, number = stones(generator, 52, 0.08)
    return np.where(pebbles > 0, 0.4 + 2.2 * pebbles, tone), np.where(
        pebbles > 0, 2 * number, rough(generator, 40, 0.6)
    )


# what makes it; sRGB of shadows, of lights, and of lights where the hue is high; how much of the way tones reach
RECIPES: dict[str, tuple[Callable[[Generator], tuple[Field, Field]], str, str, str, float]] = {
    "grass": (grass, "#384a22", "#74863f", "#9a955a", 0.19),
    "soil": (soil, "#4a3a2a", "#8d7458", "#a08c70", 0.17),
    "rock": (rock, "#4b4947", "#9a958e", "#a39278", 0.17),
    "scree": (scree, "#4f4c49", "#a9a39b", "#a8967e", 0.21),
    "sand": (sand, "#b89a6c", "#e6cfa2", "#efdcb8", 0.20),
    "snow": (snow, "#dfe6f0", "#fafcff", "#f4f4f2", 0.20),
    "basalt": (basalt, "#1f1e1e", "#5a5653", "#6a5348", 0.18),
    "regolith": (regolith, "#5d5b58", "#a5a29c", "#aca394", 0.17),
}


def tiling(name: str, number: int) -> Image.Image:
    """Return the picture of the material `name`, of a palette of `TONES` by `HUES`."""
    make, dark, light, other, reach = RECIPES[name]
    tone, hue = (level(field) for field in make(np.random.default_rng([2026, number])))
    tone, hue = np.clip(0.5 + reach * tone, 0, 1), np.clip(0.4 + 0.2 * hue, 0, 1)
    shadows, lights, others = (np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) for code in (dark, light, other))
    tones, hues = np.linspace(0, 1, TONES)[:, None, None], np.linspace(0, 1, HUES)[None, :, None]
    colours = shadows + tones * (lights + hues * (others - lights) - shadows)
    steps = np.rint(tone * (TONES - 1)) * HUES + np.rint(hue * (HUES - 1))
    picture = Image.fromarray(steps.astype(np.uint8), mode="P")
    picture.putpalette(np.rint(colours).astype(np.uint8).tobytes())
    return picture


def facets(generator: Generator, shape: tuple[int, int], tilt: float, bend: tuple[Field, Field]) -> tuple[Field, Field]:
    """Return heights of planes that lean every way, in cells' sizes, and how far the next plane begins, in cells.

    There are `shape` planes along y and x, each about a jittered point and up to `tilt` steep; joints in rock cross at
    right angles rather than not, so that distance is between the straight one and the largest of both. `bend` moves
    the places asked for, in cells.
    """
    rows, columns = shape
    points = generator.random((rows, columns, 5))
    y, x = ((np.indices((SIZE, SIZE)) + 0.5).T / SIZE * (columns, rows)[::-1]).T + np.stack(bend)
    row, column = np.floor(y).astype(int), np.floor(x).astype(int)
    nearest, second = np.full((SIZE, SIZE), 9.0), np.full((SIZE, SIZE), 9.0)
    heights = np.zeros((SIZE, SIZE))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            point = points[(row + down) % rows, (column + right) % columns]
            aside, above = column + right + point[..., 0] - x, row + down + point[..., 1] - y
            away = 0.6 * np.maximum(np.abs(aside), np.abs(above)) + 0.4 * np.hypot(aside, above)
            closer = away < nearest
            second = np.where(closer, nearest, np.minimum(second, away))
            leaning = (2 * point[..., 3] - 1) * aside + (2 * point[..., 4] - 1) * above
            heights = np.where(closer, point[..., 2] - 0.5 + tilt * leaning, heights)
            nearest = np.where(closer, away, nearest)
    return heights, second - nearest


def crags(generator: Generator) -> Field:
    """Return the heights of a wall, row 0 lowest: buttresses between gullies, ledges, blocks of four sizes, cracks."""
    height = np.zeros((SIZE, SIZE))
    for wavelength, strength in ((230, 0.030), (95, 0.007)):
        ribs = np.abs(band_noise(generator, wavelength, 2.2))  # creases where it is 0: gullies
        height += strength * np.minimum(ribs, 1.3)
    for count, strength in ((4, 0.010), (11, 0.004)):
        lift = 0.8 * band_noise(generator, 250) + 0.25 * band_noise(generator, 80)
        up = (count * UP + lift) % 1
        ledge = np.where(up < 0.85, up / 0.85, (1 - up) / 0.15)  # the wall leans out, and steps back
        height += strength * ledge * np.clip(0.4 + 0.7 * band_noise(generator, 110), 0, 1)
    bend = 0.004 * np.stack([band_noise(generator, 150) for _ in range(2)])  # of a side: joints are nearly straight
    for rows, columns, strength in ((5, 8, 0.016), (12, 18, 0.007), (29, 39, 0.0026), (61, 73, 0.0006)):
        block, edge = facets(generator, (rows, columns), 2.3, (rows * bend[0], columns * bend[1]))
        height += strength * (block - 0.06 * np.exp(-edge / 0.05))
    return height + 0.0003 * rough(generator, 10, 0.8)


def turf(generator: Generator) -> Field:
    """Return the heights of hummocks, tussocks on them, and paths between."""
    height = 0.006 * rough(generator, 150, 0.62)
    for count, strength in ((9, 0.010), (23, 0.007), (52, 0.0032)):
        nearest, second, number = cells(generator, count, 0.12 * band_noise(generator, 0.8 * SIZE / count))
        dome = np.clip(1 - (nearest / 0.75) ** 2, 0, 1) * np.clip((second - nearest) / 0.3, 0, 1) ** 0.5
        height += strength * dome * np.clip(2.2 * number - 0.4, 0, 1)
    return height + 0.0005 * rough(generator, 8, 0.8)


def ripples(generator: Generator) -> Field:
    """Return the heights of `RIPPLES` ripples along x, which fork here and there; the wind comes from low x.

    Noise of nearly one wave and nearly one direction forks as ripples do. Its phase makes a profile with a gentle
    windward side of three quarters and a short lee.
    """
    along = np.fft.fftfreq(SIZE) * SIZE
    wide, turned = (along[None, :] - RIPPLES) / (0.10 * RIPPLES), along[:, None] / (0.17 * RIPPLES)
    spectrum = np.fft.fft2(generator.standard_normal((SIZE, SIZE))) * np.exp(-(wide**2 + turned**2) / 2)
    wave = np.fft.ifft2(np.where(along[None, :] > 0, spectrum, 0))  # a wave and its quarter turn
    phase = (np.angle(wave) / (2 * np.pi)) % 1
    profile = np.where(
        phase < 0.72, 0.5 - 0.5 * np.cos(np.pi * phase / 0.72), 0.5 + 0.5 * np.cos(np.pi * (phase - 0.72) / 0.28)
    )
    strong = np.clip(np.abs(wave) / np.abs(wave).mean(), 0, 1) ** 0.5  # none where they fork
    return strong * (profile - 0.5) / RIPPLES / 9


def pits(generator: Generator) -> Field:
    """Return the heights of dust full of small craters, young and worn, whose numbers fall with the radius' square."""
    height = 0.0012 * rough(generator, 130, 0.5)
    for radius in np.sort(2.2 * generator.random(1600) ** -0.5)[::-1]:  # pixels
        if radius > 0.045 * SIZE:
            continue
        middle, fresh = generator.random(2) * SIZE, generator.random() ** 1.5
        reach = int(2.2 * radius) + 2
        rows, columns = (np.arange(int(at) - reach, int(at) + reach + 1) for at in middle)
        away = np.hypot(rows[:, None] - middle[0], columns[None, :] - middle[1]) / radius
        soft = 0.16 + 0.5 * (1 - fresh)
        bowl = -np.clip(1 - away**2, 0, 1) + 0.32 * np.exp(-(((away - 1.05) / soft) ** 2))
        depth = (0.08 + 0.24 * fresh) * radius / SIZE
        height[np.ix_(rows % SIZE, columns % SIZE)] += depth * bowl * np.clip((2.2 - away) / 0.4, 0, 1)
    scattered, _ = stones(generator, 60, 0.06)
    return height + 0.006 * scattered + 0.00006 * rough(generator, 7, 0.8)


def lava(generator: Generator) -> Field:
    """Return the heights of lava that broke as it flowed: lobes, ropes across them, blocks and clefts."""
    lobe = band_noise(generator, 150)
    ropes = np.abs(band_noise(generator, 44, 0.5)) + 0.5 * np.abs(band_noise(generator, 20, 0.5))
    height = 0.012 * np.minimum(np.abs(lobe), 1.2) ** 0.6 - 0.0035 * ropes
    bend = 0.02 * np.stack([band_noise(generator, 120) for _ in range(2)])
    for count, strength, crack in ((9, 0.010, 0.003), (22, 0.006, 0.002), (49, 0.0028, 0.0008)):
        block, edge = facets(generator, (count, count), 0.9, (count * bend[0], count * bend[1]))
        height += strength * block * np.clip(edge / 0.14, 0, 1) ** 0.5 - crack * np.exp(-edge / 0.08)
    return height + 0.0005 * rough(generator, 9, 0.8)


def rills(generator: Generator) -> Field:
    """Return the heights of a clay slope, row 0 lowest: rounded spurs between sharp rills that join downwards."""
    height = np.zeros((SIZE, SIZE))
    bend = 0.35 * band_noise(generator, 160)
    for wavelength, strength in ((120, 0.020), (56, 0.011), (27, 0.0055), (13, 0.0022)):
        spur = np.abs(band_noise(generator, wavelength, 3.0) + bend)
        height += strength * np.minimum(spur, 1.4) ** 0.8
    return height + 0.0006 * rough(generator, 14, 0.8)


def ledges(generator: Generator) -> Field:
    """Return the heights of a wall of level beds, row 0 lowest: hard ones stand out, joints cut them into blocks."""
    lift = 0.006 * band_noise(generator, 200) + 0.0015 * band_noise(generator, 50)
    ends = np.sort(generator.random(BEDS))
    stands = generator.random(BEDS)
    place = (UP + lift) % 1
    bed = np.searchsorted(ends, place) % BEDS
    lower, upper = ends[bed - 1], ends[bed]
    within = (place - lower) % 1 / np.maximum((upper - lower) % 1, 1 / SIZE)  # 0 to 1 up a bed
    round_edge = np.clip(4 * within, 0, 1) ** 0.5 * np.clip(7 * (1 - within), 0, 1) ** 0.5
    height = 0.026 * stands[bed] * round_edge
    for wavelength, strength in ((240, 0.030), (90, 0.009)):
        height += strength * np.minimum(np.abs(band_noise(generator, wavelength, 1.7)), 1.3) ** 0.75
    bend = 0.006 * np.stack([band_noise(generator, 190) for _ in range(2)])
    for rows, columns, strength, crack in ((7, 11, 0.014, 0.001), (19, 24, 0.006, 0.0008), (43, 41, 0.0022, 0.0003)):
        block, edge = facets(generator, (rows, columns), 0.9, (rows * bend[0], columns * bend[1]))
        height += strength * block * np.clip(edge / 0.1, 0, 1) ** 0.5 - crack * np.exp(-edge / 0.06)
    return height + 0.0003 * rough(generator, 10, 0.8)


def blocks(generator: Generator, count: int, share: float) -> Field:
    """Return the heights, in sides, of angular stones on level ground; `share` of `count`² squares have one.

    A stone is what lies under six planes: a top that leans a little, and five sides about it.
    """
    points = generator.random((count, count, 4 + 2 * 5))
    y, x = (np.indices((SIZE, SIZE)) + 0.5) * count / SIZE
    column, row = np.floor(x).astype(int), np.floor(y).astype(int)
    height = np.zeros((SIZE, SIZE))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            point = points[(row + down) % count, (column + right) % count]
            aside, above = x - column - right - point[..., 0], y - row - down - point[..., 1]
            number = point[..., 2] / share
            radius = 0.2 + 0.5 * np.clip(number, 0, 1) ** 2
            turn = 2 * np.pi * point[..., 3]
            top = 0.5 * radius + 0.25 * (np.cos(turn) * aside + np.sin(turn) * above)
            for side in range(5):
                way = turn + 2 * np.pi * (side + 0.8 * (point[..., 4 + side] - 0.5)) / 5
                out = np.cos(way) * aside + np.sin(way) * above
                steep = 0.7 + 1.5 * point[..., 9 + side]
                top = np.minimum(top, steep * ((0.75 + 0.25 * point[..., 4 + side]) * radius - out))
            height = np.maximum(height, np.where(number < 1, top, 0))
    return height / count


def strewn(generator: Generator) -> Field:
    """Return the heights of angular stones of four sizes on level ground."""
    height = np.max([blocks(generator, *each) for each in ((11, 0.4), (22, 0.4), (41, 0.45), (71, 0.5))], axis=0)
    return height + 0.0002 * (height > 0) * rough(generator, 12, 0.8)


# what makes it, and how strong its slopes are to be: the deviation of both
RELIEFS: dict[str, tuple[Callable[[Generator], Field], float]] = {
    "crags": (crags, 0.95),
    "turf": (turf, 0.30),
    "ripples": (ripples, 0.11),
    "pits": (pits, 0.16),
    "lava": (lava, 0.50),
    "rills": (rills, 0.55),
    "ledges": (ledges, 0.68),
    "stones": (strewn, 0.42),
}


def relief(name: str, number: int) -> Image.Image:
    """Return the height map of `name` in the upper 12 of 16 bits: its lowest is 0, `RANGE` sides the top."""
    make, steep = RELIEFS[name]
    height = make(np.random.default_rng([2027, number]))
    cycles = np.hypot(np.fft.fftfreq(SIZE)[None, :], np.fft.fftfreq(SIZE)[:, None]) * SIZE
    kept = (1 - np.exp(-((cycles / BROADEST_RELIEF) ** 4))) * np.exp(-((cycles / FINEST_RELIEF) ** 2))
    height = np.fft.ifft2(np.fft.fft2(height) * kept).real
    slopes = [(np.roll(height, -1, axis) - np.roll(height, 1, axis)) * SIZE / 2 for axis in (0, 1)]
    height *= steep / np.sqrt(np.mean(np.square(slopes)))
    steps = np.rint(np.clip((height - height.min()) / RANGE, 0, 1) * 4095).astype(np.uint16) * 16
    return Image.fromarray(steps)


def demo_ground() -> Image.Image:
    """Return grass seen from above."""
    generator = np.random.default_rng(2026)
    blades = band_noise(generator, 5, 2.5) + band_noise(generator, 9, 1.6)
    tufts = band_noise(generator, 40) + 0.6 * band_noise(generator, 110)
    depth = np.clip(0.55 + 0.2 * blades + 0.06 * tufts, 0, 1)[..., None]
    dryness = np.clip(0.3 + 0.16 * tufts + 0.12 * band_noise(generator, 14), 0, 1)[..., None]
    lit = GRASS + dryness * (STRAW - GRASS)
    return Image.fromarray(np.rint(SHADOW + depth * (lit - SHADOW)).astype(np.uint8))


def main() -> None:
    """Write the pictures."""
    demo_ground().save(FOLDER / "ground.png", optimize=True)
    for number, name in enumerate(RECIPES):
        tiling(name, number).save(FOLDER / f"{name}.png", optimize=True)
    for number, name in enumerate(RELIEFS):
        relief(name, number).save(FOLDER / "reliefs" / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
