"""Maps of the ground drawn without a window."""

from __future__ import annotations

from collections.abc import Callable

from fellview.core.height_field import HeightField
from fellview.draw.ground import ground_maps
from fellview.draw.ground.ground_maps import GroundMapper, GroundMaps
from fellview.gpu import context as gpu_context
from fellview.scene.scene import Scene


def maps(
    scene: Scene,
    field: HeightField,
    texels: int,
    in_cells: bool = False,
    report: Callable[[str, float], None] = lambda step, fraction: None,
    notice: Callable[[str], None] = lambda text: None,
) -> GroundMaps:
    """Return the maps of `field` under the ground of `scene`, `texels` a cell; see `ground_maps`.

    `report` is told how far they are, and `notice` in one line what could not be drawn as asked. `InputError` where
    they would be too large, `FellviewError` where there is no OpenGL 3.3.
    """
    count = ground_maps.pass_count(field, texels, in_cells)
    with gpu_context.aside() as context:
        mapper = GroundMapper(context)
        passes = mapper.passes(scene, field, texels, in_cells)
        done = 0
        while True:
            try:
                next(passes)
            except StopIteration as end:
                for text in mapper.notices:
                    notice(text)
                found: GroundMaps = end.value
                return found
            done += 1
            report("maps of the ground", done / count)
