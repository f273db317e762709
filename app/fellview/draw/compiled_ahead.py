"""Which scenes' kernels and shaders have been compiled ahead, as a file in the cache folder notes it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable
from pathlib import Path

from fellview import paths
from fellview.core import compiled, foreign
from fellview.core.errors import InputError
from fellview.draw.land import recipe_form
from fellview.draw.light.lighting import goes_on, is_linear
from fellview.io.atomic import write_text
from fellview.scene.scene import Scene

PRESETS = "presets"
"""Stands for the kinds of all presets."""

_NAME = "warm-up.txt"
_KIND = foreign.Kind("note", 1_000_000)  # a line of 16 letters a kind of scene
_LETTERS = 16


def kind(scene: Scene) -> str:
    """Return a digest of what decides which kernels and shaders `scene` takes, and in what states they are drawn."""
    view, sky, water, ground, grid = scene.view, scene.sky, scene.water, scene.ground, scene.grid
    around = goes_on(scene), recipe_form.goes_on(scene)
    look = (view.stage, view.border > 0, around, view.mode, view.contours, view.figure, scene.sun.shadows)
    above = (sky.kind, is_linear(scene), sky.clouds > 0, sky.cirrus > 0, scene.camera.is_parallel)
    wet = (water.sea, water.lakes, water.rivers) if water.enabled else ()
    below = (ground.kind, ground.boulders > 0, scene.rock.enabled)
    steps = tuple(getattr(group, "kind", "") for group in scene.terrain_groups().values())
    # software OpenGL tells textures whose sides are powers of two from others
    even = tuple(side & (side - 1) == 0 for side in (grid.rows, grid.columns))
    return hashlib.sha256(repr((look, above, wet, below, steps, even)).encode()).hexdigest()[:_LETTERS]


def is_done(scene: Scene, folder: Path | None = None) -> bool:
    """Return whether what `scene` takes is compiled of the kernels and shaders as they are now, as noted in `folder`.

    That is the cache folder where none is given.
    """
    return kind(scene) in _done(folder or paths.cache_folder())


def presets_are_done(folder: Path | None = None) -> bool:
    """Return the same of all presets."""
    return PRESETS in _done(folder or paths.cache_folder())


def note(kinds: Iterable[str], folder: Path | None = None) -> None:
    """Note that what scenes of these `kinds` take is compiled; where that cannot be written, it is done again."""
    folder = folder or paths.cache_folder()
    with contextlib.suppress(InputError):
        write_text(folder / _NAME, "\n".join([_sources(), *sorted(_done(folder) | set(kinds))]), durable=False)


def _done(folder: Path) -> set[str]:
    """Return the kinds that are noted as done with the kernels and shaders of now."""
    try:
        sources, *kinds = foreign.text(folder / _NAME, _KIND).splitlines()
    except (InputError, ValueError):
        return set()
    return set(kinds) if sources == _sources() else set()


def _sources() -> str:
    """Return what tells the kernels and shaders of now from others."""
    digest = hashlib.sha256(compiled.sources().encode())
    for source in sorted(paths.shaders().rglob("*.*")):
        digest.update(source.relative_to(paths.shaders()).as_posix().encode() + source.read_bytes())
    return digest.hexdigest()
