"""The textures of the ground: an array of materials' colours and slopes, an array of reliefs, and patches of noise.

Pictures of any size and mode are brought to one size. A person's folder may hold others: rock.png, grass.jpg and so on
take the place of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview import paths
from fellview.core import foreign
from fellview.core.errors import InputError, quoted
from fellview.draw.colour import LUMINANCE
from fellview.gpu import formats, mipmaps
from fellview.io import array_cache
from fellview.scene.groups.ground import MATERIALS

if TYPE_CHECKING:
    from PIL import Image

SIZE = 512
"""Texels a side of every layer."""

TILE_M = (6.0, 5.0, 13.0, 9.0, 6.0, 12.0, 11.0, 9.0)
"""How wide one picture lies on the ground, by material: blades of 5 cm, stones of 1 m, blocks of 2 m."""

_RELIEF_M = (0.06, 0.05, 0.36, 0.17, 0.035, 0.06, 0.25, 0.09)  # between its shadows and its lights, by material
STEEPEST = 2.0
"""What a slope of 1 in the array of slopes stands for."""

RELIEFS = ("crags", "turf", "ripples", "pits", "lava", "rills", "ledges", "stones")
"""Height maps of what is smaller than a land's cells, in the order of their layers."""

RELIEF_M = {
    "crags": (380.0, 57.0),
    "turf": (140.0, 11.0),
    "ripples": (37.0, 3.7),
    "pits": (310.0, 37.0),
    "lava": (230.0, 26.0),
    "rills": (67.0, 11.0),
    "ledges": (290.0, 47.0),
    "stones": (6.3, 1.9),
}
"""How wide a relief lies on the ground, and how wide its smaller copy in it."""

_RELIEF_RANGE = 0.1  # of a side: the top of a relief's picture, as scripts/make_textures.py has it
MOST_DEVIATIONS = 3.0
_HOLLOW = 7.0  # texels about which hollows are hollow

_TONES_DEVIATION = 0.17  # of the heights that are made of tones: three deviations reach the ends
ANISOTROPY = 8.0
"""The most samples along a slanting view that are worth their price."""

_MOST_TAKEN = 4
"""Folders whose pictures are remembered, 6 MB each."""

_PATCH_SEED = 1
_MAKERS = (Path(__file__), Path(mipmaps.__file__))
"""What decides the textures beside the pictures they are made of."""
Pixels = NDArray[np.uint8]


def read(path: Path) -> Pixels:
    """Return the picture at `path` as a layer, uint8 (SIZE, SIZE, 3); `InputError` says why it cannot be one.

    Grey, palette, 16-bit and transparent pictures are taken; transparent parts lie on middle grey. One that is not
    square is stretched.
    """
    picture = _as_rgb(path, foreign.picture(path, foreign.TEXTURE))
    if picture.size != (SIZE, SIZE):
        from PIL import Image

        picture = picture.resize((SIZE, SIZE), Image.Resampling.LANCZOS)
    return np.asarray(picture)


def _as_rgb(path: Path, image: Image.Image) -> Image.Image:
    """Return `image` in eight bits a colour; 16 bits and floats lose their lower ones, not their upper ones."""
    from PIL import Image

    if image.mode in ("I;16", "I;16L", "I;16B", "I;16N", "I", "F"):
        with np.errstate(invalid="ignore"):  # of what is no number, which is refused below
            values = np.asarray(image, np.float64)
        if not np.isfinite(values).all():
            raise InputError(f"{path}: has values that are no numbers")
        top = 65535.0 if image.mode != "F" else max(float(values.max()), 1.0)
        return Image.fromarray(np.rint(np.clip(values / top, 0, 1) * 255).astype(np.uint8)).convert("RGB")
    if image.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info:
        clear = image.convert("RGBA")
        ground = Image.new("RGBA", clear.size, (128, 128, 128, 255))
        return Image.alpha_composite(ground, clear).convert("RGB")
    return image.convert("RGB")


def found(folder: str) -> dict[str, Path]:
    """Return the pictures in a person's `folder` by material; `InputError` where it is no folder."""
    if not folder:
        return {}
    place = Path(folder)
    pictures: dict[str, Path] = {}
    try:
        if not place.is_dir():
            raise InputError(f"ground.textures = {quoted(folder)}: no such folder")
        for path in sorted(place.iterdir()):
            if path.stem.lower() in MATERIALS and path.is_file():
                pictures.setdefault(path.stem.lower(), path)
    except OSError as fault:
        raise InputError(f"ground.textures = {quoted(folder)}: cannot be read: {fault.strerror or fault}") from None
    if not pictures:
        raise InputError(
            f"ground.textures = {quoted(folder)}: no picture there; expected {', '.join(MATERIALS)} .png, ..."
        )
    return pictures


def with_heights(colours: Pixels) -> Pixels:
    """Return colours and, as the fourth, heights: how bright a place is, its mean and deviation brought to one."""
    bright = colours @ LUMINANCE
    heights = 0.5 + _TONES_DEVIATION * (bright - bright.mean()) / max(float(bright.std()), 1e-3)
    return np.dstack([colours, np.rint(255 * np.clip(heights, 0, 1)).astype(np.uint8)])


def slopes(heights: Pixels, tile_m: float, relief_m: float) -> Pixels:
    """Return slopes along columns and rows, uint8 (SIZE, SIZE, 4), from -`STEEPEST` to `STEEPEST`; 127.5 is level.

    The last two are 0: slopes are layers of the array of colours, since OpenGL promises 16 textures a pass and no more.
    """
    metres = heights.astype(np.float64) / 255 * relief_m
    step = 2 * tile_m / SIZE
    along = [(np.roll(metres, -1, axis) - np.roll(metres, 1, axis)) / step for axis in (1, 0)]
    both = np.rint(127.5 + 127.5 * np.clip(np.stack(along, -1) / STEEPEST, -1, 1)).astype(np.uint8)
    return np.dstack([both, np.zeros_like(both)])


def patches() -> Pixels:
    """Return noise that tiles, uint8 (SIZE, SIZE, 4): two of 127.5 ± 42, and slopes along columns and rows, 127.5 ± 42.

    Noise reaches from a third of a side down to four texels; its spectrum falls as 1/f^1.2, so that borders made of
    it have bays in bays and nothing looks soft. The slopes are those of the first noise with a spectrum of 1/f^1.6: of
    the noise as it is they would be as good as all of the finest, and every rock an orange's skin.
    """
    generator = np.random.default_rng(_PATCH_SEED)
    along = np.fft.fftfreq(SIZE) * SIZE
    cycles = np.hypot(along[:, None], along[None, :])
    weight = np.where(cycles > 0, np.maximum(cycles, 1.0) ** -1.2, 0) * (1 - np.exp(-((cycles / 3) ** 2)))
    weight *= np.exp(-((4 * cycles / SIZE) ** 4))
    spectra = [np.fft.fft2(generator.standard_normal((SIZE, SIZE))) * weight for _ in range(2)]
    noises = [np.fft.ifft2(spectrum).real for spectrum in spectra]
    turns = 2j * np.pi * along
    soft = np.maximum(cycles, 1.0) ** (1.2 - 1.6)
    bends = [np.fft.ifft2(spectra[0] * soft * factor).real for factor in (turns[None, :], turns[:, None])]
    steepness = np.hypot(bends[0].std(), bends[1].std()) / 2**0.5
    layers = [127.5 + 42.0 * noise / noise.std() for noise in noises]
    layers += [127.5 + 42.0 * bend / steepness for bend in bends]
    return np.rint(np.clip(np.stack(layers, -1), 0, 255)).astype(np.uint8)


def relief_heights(path: Path) -> NDArray[np.float64]:
    """Return the height map at `path`, (SIZE, SIZE), in sides of it."""
    return foreign.own_picture(path).astype(np.float64) / 65535 * _RELIEF_RANGE


def relief(heights: NDArray[np.float64]) -> NDArray[np.float16]:
    """Return a height map in sides as slopes along columns and rows, height and hollow, (SIZE, SIZE, 4).

    Slopes are cut off at `STEEPEST`. Heights and hollows, how far a place stands out from those around it, are in
    deviations. The mean of each is 0.
    """
    slopes = [(np.roll(heights, -1, axis) - np.roll(heights, 1, axis)) * SIZE / 2 for axis in (1, 0)]
    cycles = np.fft.fftfreq(SIZE)
    softer = np.exp(-2 * (np.pi * _HOLLOW) ** 2 * (cycles[:, None] ** 2 + cycles[None, :] ** 2))
    hollows = heights - np.fft.ifft2(np.fft.fft2(heights) * softer).real
    bends = [np.clip(one, -STEEPEST, STEEPEST) for one in slopes]
    tones = [np.clip(one / one.std(), -MOST_DEVIATIONS, MOST_DEVIATIONS) for one in (heights - heights.mean(), hollows)]
    return np.stack([one - one.mean() for one in (*bends, *tones)], -1).astype(np.float16)


@dataclass
class GroundTextures:
    """What the materials' shader reads. `means` are the layers' mean colours, sRGB 0 to 1, (materials, 3).

    `deviations` are those of the reliefs' heights, in sides.
    `replaced` are the materials whose pictures are a person's own, `notices` lines for the person on those that could
    not be.
    """

    materials: moderngl.TextureArray
    reliefs: moderngl.TextureArray
    patches: moderngl.Texture
    means: NDArray[np.float64]
    deviations: tuple[float, ...]
    replaced: frozenset[str]
    anisotropy: float
    notices: tuple[str, ...]

    def release(self) -> None:
        """Give the memory back."""
        for texture in (self.materials, self.reliefs, self.patches):
            texture.release()


@dataclass(frozen=True)
class _Taken:
    """A person's own pictures by material, and lines on those that could not be taken."""

    pictures: dict[str, Pixels]
    notices: tuple[str, ...]


_taken: dict[str, _Taken] = {}  # by folder, the newest last


def is_taken(folder: str) -> bool:
    """Return whether the pictures of a person's `folder` have been read; there are none where it is empty."""
    return not folder or folder in _taken


def take(folder: str) -> None:
    """Read the pictures of a person's `folder` for `load`; may be called in another thread.

    What cannot be taken from there stays ours, and a notice says why.
    """
    pictures, notices = {}, []
    try:
        theirs = found(folder)
    except InputError as fault:
        theirs = {}
        notices.append(f"{fault}; the ground keeps its own")
    for name, path in theirs.items():
        try:
            pictures[name] = read(path)
        except InputError as fault:
            notices.append(f"{fault}; {name} keeps its own")
    _remember(folder, _Taken(pictures, tuple(notices)))


def leave(folder: str, reason: str) -> None:
    """Do without the pictures of a person's `folder`; `reason` is told to the person."""
    _remember(folder, _Taken({}, (f"{reason}; the ground keeps its own",)))


def _remember(folder: str, taken: _Taken) -> None:
    for old in list(_taken)[: -_MOST_TAKEN + 1]:
        del _taken[old]
    _taken[folder] = taken


def load(context: moderngl.Context, folder: str = "", anisotropy: float = 1.0) -> GroundTextures:
    """Return the textures, with those of a person's `folder` in their places; at an `anisotropy` of 1 there is none.

    Its pictures are those that were taken last, or are taken now.
    """
    if not is_taken(folder):
        take(folder)
    taken = _taken[folder] if folder else _Taken({}, ())
    pictures = taken.pictures
    ours = {name: paths.assets() / "textures" / f"{name}.png" for name in MATERIALS}
    if pictures:
        every = [pictures[name] if name in pictures else foreign.own_picture(ours[name]) for name in MATERIALS]
        means, *colours = _materials(every)
    else:
        means, *colours = array_cache.cached(
            "ground-materials",
            [*_MAKERS, *ours.values()],
            lambda: _materials([foreign.own_picture(path) for path in ours.values()]),
        )
    lying = [paths.assets() / "textures" / "reliefs" / f"{name}.png" for name in RELIEFS]
    deviations, *reliefs = array_cache.cached("ground-reliefs", [*_MAKERS, *lying], lambda: _reliefs(lying))
    spots = array_cache.cached("ground-patches", _MAKERS, lambda: mipmaps.levels(patches()))
    dtype = formats.of(context).kept(4, formats.WIDE, "the ground's relief")
    materials = mipmaps.array(context, colours, "f1")
    standing = mipmaps.array(context, [each.astype(formats.NUMPY[dtype], copy=False) for each in reliefs], dtype)
    if anisotropy > 1:
        materials.anisotropy = standing.anisotropy = anisotropy
    noise = mipmaps.texture(context, spots)
    high = tuple(float(each) for each in deviations)
    return GroundTextures(materials, standing, noise, means, high, frozenset(pictures), anisotropy, taken.notices)


def _materials(pictures: list[Pixels]) -> list[NDArray[Any]]:
    """Return the pictures' mean colours, and the levels of materials' layers: colours and then slopes."""
    layers = [with_heights(picture) for picture in pictures]
    bumps = [
        slopes(layer[..., 3], tile_m, relief_m)
        for layer, tile_m, relief_m in zip(layers, TILE_M, _RELIEF_M, strict=True)
    ]
    means = np.array([picture.reshape(-1, 3).mean(axis=0) / 255 for picture in pictures])
    return [means, *mipmaps.levels(np.stack([*layers, *bumps]))]


def _reliefs(places: list[Path]) -> list[NDArray[Any]]:
    """Return the deviations of the heights at `places`, in sides, and the levels of the reliefs' layers."""
    heights = [relief_heights(place) for place in places]
    return [np.array([each.std() for each in heights]), *mipmaps.levels(np.stack([relief(each) for each in heights]))]
