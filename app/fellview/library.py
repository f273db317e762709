"""The public names for notebooks and scripts; `import fellview` offers them."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.io.scenes import load, presets
from fellview.mesh.triangle_list import Mesh, build_mesh
from fellview.scene.groups.view_modes import DIFFERENCE
from fellview.scene.scene import Scene
from fellview.studio import height_difference
from fellview.studio.differences import Difference, differences
from fellview.terrain.pipeline.engine import ENGINES, CpuEngine
from fellview.terrain.pipeline.masks import watered
from fellview.terrain.pipeline.pipeline import Pipeline
from fellview.terrain.progress import Progress

__all__ = [
    "ENGINES",
    "Difference",
    "HeightField",
    "Mesh",
    "Scene",
    "build_mesh",
    "diff",
    "find_views",
    "generate",
    "load",
    "presets",
    "render",
    "render_difference",
]


def generate(scene: Scene, engine: str = "auto", report: Callable[[str, float], None] | None = None) -> HeightField:
    """Return the height field of `scene`, computed in this process.

    `engine` is one of `ENGINES`; where the GPU cannot do it the CPU does, with a `UserWarning`. `report` is told each
    step's name and fraction. `InputError` for an unknown engine or a grid too large for memory.
    """
    return generate_with_notices(scene, engine, report, lambda text: warnings.warn(text, stacklevel=5))


def generate_with_notices(
    scene: Scene, engine: str, report: Callable[[str, float], None] | None, notice: Callable[[str], None]
) -> HeightField:
    """Return the same; `notice` is told in one line where the CPU does what the GPU was to do."""
    if engine == "cpu":  # which needs no OpenGL, not even to be asked
        return watered(Pipeline(CpuEngine()).run(scene.terrain_groups(), Progress(report=report)).field, scene.water)
    from fellview.gpu import choice
    from fellview.gpu.engine import GpuField

    with choice.opened(engine, notice) as pipeline:
        field = pipeline.run(scene.terrain_groups(), Progress(report=report)).field
        return watered(field.landed() if isinstance(field, GpuField) else field, scene.water)


def find_views(
    scene: Scene, field: HeightField | None = None, count: int = 6, size: tuple[int, int] = (1280, 720)
) -> tuple[Scene, ...]:
    """Return `scene` from up to `count` good views of its land, far apart, the best first; a second's work at most.

    `field` is its land where that has been generated. `size` is the picture's (width, height) in pixels.
    """
    from fellview.viewpoints import find

    field = field or generate(scene)
    return tuple(scene.with_group(view.camera) for view in find.find(scene, field, count, size[0] / size[1]))


def render(
    scene: Scene, size: tuple[int, int] = (1280, 720), samples: int = 4, engine: str = "auto"
) -> NDArray[np.uint8]:
    """Return the picture of `scene`, uint8 [row, column, rgba]; no window is needed.

    `size` is (width, height) in pixels. `FellviewError` where there is no OpenGL 3.3.
    """
    from fellview.capture import capture

    def notice(text: str) -> None:
        warnings.warn(text, stacklevel=4)

    return capture.picture(scene, generate(scene, engine), size, samples, notice)


def diff(old: Scene, new: Scene) -> tuple[Difference, ...]:
    """Return in which parameters `new` differs from `old`, in the panel's order; see `Difference`.

    What has no effect in either of them, such as what is switched off, is left out.
    """
    return differences(old, new)


def render_difference(
    old: Scene, new: Scene, size: tuple[int, int] = (1280, 720), samples: int = 4, engine: str = "auto"
) -> NDArray[np.uint8]:
    """Return the land of `new` coloured by how much higher or lower it is than that of `old`, from its own camera.

    uint8 [row, column, rgba], with a legend in metres; `size` is (width, height) in pixels. Where the lands are not of
    one size or grid a `UserWarning` says how they are compared. `FellviewError` where there is no OpenGL 3.3.
    """

    def notice(text: str) -> None:
        warnings.warn(text, stacklevel=4)

    return difference_picture(new, generate(old, engine), generate(new, engine), size, samples, notice)


def difference_picture(
    scene: Scene,
    old: HeightField,
    new: HeightField,
    size: tuple[int, int],
    samples: int,
    notice: Callable[[str], None],
) -> NDArray[np.uint8]:
    """Return the same of lands that are there, `new` as `scene` shows it; `notice` is told what is to be known."""
    from fellview.capture import capture

    if told := height_difference.remark(old, new):
        notice(told)
    seen = scene.replace({"view.mode": DIFFERENCE, "view.legend": True})
    return capture.picture(seen, height_difference.with_difference(old, new), size, samples, notice)
