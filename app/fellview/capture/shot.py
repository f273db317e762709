"""Shots: a picture of a scene taken into a file, of any size, with its passes if they are wanted.

The picture is drawn and written band by band, so that no more of it is in memory than a band.
"""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fellview.capture import capture
from fellview.capture.passes import Passes, require
from fellview.core.errors import InputError, named, quoted
from fellview.core.height_field import HeightField
from fellview.draw.colour import from_srgb
from fellview.draw.ground.ground_maps import GroundMapper
from fellview.draw.renderer import Renderer
from fellview.draw.target import Region, Size, require_size
from fellview.gpu import context as gpu_context
from fellview.io import atomic, picture_files, pictures, scenes
from fellview.scene.scene import Scene

_COLOURS = ("R", "G", "B", "A")
_Types = dict[str, type[np.generic]]
_Rows = Mapping[str, NDArray[np.floating]]


@dataclass(frozen=True)
class Shot:
    """How a picture of a scene is taken: its size in pixels, samples a pixel, what is behind it, and its passes."""

    size: Size = (1280, 720)
    samples: int = 4
    transparent: bool = False
    passes: tuple[str, ...] = ()

    def require(self) -> None:
        """Raise `InputError` where no picture can be taken so."""
        require_size(self.size)
        low, high = capture.SAMPLES
        if not low <= self.samples <= high:
            raise InputError(f"--samples {quoted(self.samples)}: expected {low} to {high}")
        require(self.passes)

    @property
    def text(self) -> str:
        """What a picture tells of how it was taken, beside its size: TOML."""
        return f"samples = {self.samples}\ntransparent = {str(self.transparent).lower()}\n"


@dataclass(frozen=True)
class Taken:
    """What has become of one shot: its files, or why it has `failed`, and what a person should know, a line each."""

    files: tuple[Path, ...] = ()
    failed: str = ""
    notices: tuple[str, ...] = ()


def taken(path: Path) -> Shot:
    """Return how the picture at `path` was taken; `InputError` where it is no picture, or what it tells is damaged."""
    size, text = pictures.read_taken(path)
    try:
        told = tomllib.loads(text)
        shot = Shot(size, told.get("samples", Shot.samples), told.get("transparent", Shot.transparent))
    except tomllib.TOMLDecodeError:
        raise InputError(f"{path}: {pictures.TAKEN_KEY} = {named(text)}: expected TOML") from None
    if type(shot.samples) is not int or type(shot.transparent) is not bool:
        raise InputError(
            f"{path}: {pictures.TAKEN_KEY} = {quoted(told)}: expected whole samples, and transparent or not"
        )
    return shot


def files(path: Path, shot: Shot) -> tuple[Path, ...]:
    """Return the files that `shot` is written to: `path`, and one for each pass unless that is OpenEXR and has all."""
    if path.suffix.lower() == picture_files.EXR:
        return (path,)
    return path, *(path.with_suffix(f".{name}{picture_files.EXR}") for name in shot.passes)


def require_files(path: Path, shot: Shot) -> None:
    """Raise `InputError` where `shot` cannot be written to `path`, before anything is drawn."""
    picture_files.require(path, shot.size, transparent=shot.transparent)
    atomic.require_writable(*files(path, shot))


Finish = Callable[[NDArray[np.uint8], Region], NDArray[np.uint8]]
"""Makes of a band of a picture, uint8 [row, column, rgba], and where it is, what is written of it."""


def as_drawn(pixels: NDArray[np.uint8], region: Region) -> NDArray[np.uint8]:
    """Return the `pixels` of a band as they are."""
    return pixels


class Taker:
    """Takes shots with a `renderer`, and with a `mapper` of the same context for what grounds are."""

    def __init__(self, renderer: Renderer, mapper: GroundMapper) -> None:
        self._renderer, self._mapper = renderer, mapper

    def take(
        self,
        path: Path,
        scene: Scene,
        field: HeightField,
        shot: Shot,
        report: Callable[[str, float], None] = lambda step, fraction: None,
        notice: Callable[[str], None] = lambda text: None,
        finish: Finish = as_drawn,
    ) -> tuple[Path, ...]:
        """Write the picture of `scene` over `field` to `path` by its suffix, and its passes.

        Returned are its files, which come all or not at all. `report` is told how far it is, and `notice` in one line
        what could not be drawn as asked. `finish` makes of each band of colours what is written of it. `InputError`
        where a file cannot be written or the land has no such pass.
        """
        renderer, band = self._renderer, list[NDArray[np.uint8]]()
        still = capture.Still(
            renderer, scene, field, shot.size, shot.samples, band.append, transparent=shot.transparent
        )
        passes = Passes(self._mapper, still.scene, field, shot.passes)
        recipe = scenes.to_text(scene, path.parent, shared=True)
        with atomic.all_or_none(), _writers(path, shot, passes, recipe) as write:
            for number, region in enumerate(still.bands):
                while still.bands_done == number:
                    still.draw_frame()
                    report("drawing", still.share_done)
                rows = passes.rows(*renderer.surfaces(still.scene, region)) if shot.passes else {}
                write(finish(band.pop(), region), rows)
        for text in renderer.take_notices():
            notice(text)
        return files(path, shot)


@contextlib.contextmanager
def taking() -> Iterator[Taker]:
    """Give what takes shots, with a context of its own; `FellviewError` where there is no OpenGL 3.3."""
    with gpu_context.aside() as context:
        yield Taker(Renderer(context), GroundMapper(context))


@contextlib.contextmanager
def _writers(
    path: Path, shot: Shot, passes: Passes, recipe: str
) -> Iterator[Callable[[NDArray[np.uint8], _Rows], None]]:
    """Give what writes the next rows of a picture's colours and passes to all of its files."""
    with contextlib.ExitStack() as opened:
        of_passes: dict[str, _Types] = {name: dict.fromkeys(passes.channels(name), np.float32) for name in passes.names}
        if files(path, shot) == (path,) and path.suffix.lower() == picture_files.EXR:
            channels: _Types = dict.fromkeys(_COLOURS, np.float16)
            for more in of_passes.values():
                channels |= more
            write_channels = opened.enter_context(picture_files.rows_of_channels(path, shot.size, channels, recipe))
            yield lambda pixels, rows: write_channels({**_light(pixels), **rows})
            return
        write_colours = opened.enter_context(
            picture_files.rows_of_colours(path, shot.size, recipe, shot.text, transparent=shot.transparent)
        )
        write_passes = [
            opened.enter_context(picture_files.rows_of_channels(beside, shot.size, channels, recipe))
            for beside, channels in zip(files(path, shot)[1:], of_passes.values(), strict=True)
        ]

        def write(pixels: NDArray[np.uint8], rows: _Rows) -> None:
            write_colours(pixels)
            for each in write_passes:
                each(rows)

        yield write


def _light(pixels: NDArray[np.uint8]) -> _Rows:
    """Return the colours of `pixels` as light times alpha, as OpenEXR has them, by channel."""
    alpha = pixels[..., 3] / np.float32(255)
    levels = from_srgb(np.arange(256) / 255).astype(np.float32)
    return {name: levels[pixels[..., axis]] * alpha for axis, name in enumerate(_COLOURS[:3])} | {"A": alpha}
