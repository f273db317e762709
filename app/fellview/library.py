"""The public names for notebooks and scripts; `import fellview` offers them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.core.progress import Progress
from fellview.io.scenes import load, presets
from fellview.mesh.triangle_list import Mesh, build_mesh
from fellview.scene.scene import Scene
from fellview.terrain.engine import CpuEngine
from fellview.terrain.pipeline import Pipeline

__all__ = ["HeightField", "Mesh", "Scene", "build_mesh", "generate", "load", "presets", "render"]

ENGINES = ("auto", "cpu")


def generate(scene: Scene, engine: str = "auto", report: Callable[[str, float], None] | None = None) -> HeightField:
    """Return the height field of `scene`, computed in this process.

    `report` is told each step's name and fraction. `InputError` for an unknown engine or a grid too large for memory.
    """
    require_engine(engine)
    return Pipeline(CpuEngine()).run(scene.terrain_groups(), Progress(report=report)).field


def render(
    scene: Scene, size: tuple[int, int] = (1280, 720), samples: int = 4, engine: str = "auto"
) -> NDArray[np.uint8]:
    """Return the picture of `scene`, uint8 [row, column, rgba]; no window is needed.

    `size` is (width, height) in pixels. `FellviewError` where there is no OpenGL 3.3.
    """
    from fellview import capture

    return capture.picture(scene, generate(scene, engine), size, samples)


def require_engine(engine: str) -> None:
    """Raise `InputError` where no engine is called `engine`."""
    if engine not in ENGINES:
        raise InputError(f"engine = {engine!r}: expected one of {', '.join(ENGINES)}")
