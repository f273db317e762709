"""One frame under way: what every draw pass is given."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import moderngl
import numpy as np
from numpy.typing import NDArray

from fellview.core.height_field import HeightField
from fellview.draw.ground.cover import Cover
from fellview.draw.land.height_map import HeightMap
from fellview.draw.land.level_of_detail import DrawnBlocks
from fellview.draw.land.surroundings_frame import Around
from fellview.draw.land.terrain import Begun
from fellview.draw.light.lighting import Lighting, LightPass
from fellview.draw.target import Region, Size, Target
from fellview.scene.scene import Scene
from fellview.view import projection
from fellview.view.exaggeration import exaggerated


@dataclass(frozen=True)
class FrameOptions:
    """How a frame is drawn, whatever it shows."""

    full: bool = False
    """Whether every cell of the land is drawn with two triangles, however small they are."""
    resting: bool = False
    """Whether nothing moves, and the picture may take its time; frames of several samples do in any case."""
    hurried: bool = False
    """Whether it is waited for all the same, and does with clouds and levels of detail as while something moves."""
    transparent: bool = False
    """Whether nothing is drawn behind the land, and the picture is times alpha, which tells how much of each pixel is
    covered."""
    surfaces: bool = False
    """Whether it shows places and normals instead of light, with nothing behind the land."""

    @property
    def is_coarse(self) -> bool:
        """Whether clouds and levels of detail are as while something moves."""
        return self.hurried or not self.resting


@dataclass
class Frame:
    """What a frame shows, the maps and the light that are worked out for it, and what passes before have drawn."""

    scene: Scene
    region: Region
    """What is drawn of the picture."""
    target: Target
    """What is drawn into: of the frame, or, over the finished picture, of that."""
    height_map: HeightMap
    lighting: Lighting
    light: LightPass
    cover: Cover
    """What the ground is made of, or the map over it."""
    around: tuple[Around, ...]
    """The ground around the land, the nearest first."""
    base_m: float | None
    """The drawn height down to which the land's sides are drawn, where they are."""
    shift: NDArray[np.float64]
    """How far, in clip space, this frame of a mean lies beside its middle."""
    options: FrameOptions
    of: Size | None = None
    """The size of the picture that it is a draft of, where something moves; later frames make that of it."""
    drawn: DrawnBlocks | None = None
    """The blocks of land that were drawn."""
    begun: list[tuple[Begun, Around | None]] = field(default_factory=list)
    """Land, and what is around it, of which only places have been drawn yet."""
    clouds: moderngl.Texture | None = None
    """A picture of the clouds, of any size; none where there are none."""

    @property
    def size(self) -> Size:
        """The picture's size in pixels."""
        return self.region.whole

    @property
    def seen_size(self) -> Size:
        """The size of the picture that is seen in the end: a draft's own, in whole pixels, has other proportions."""
        return self.of or self.size

    @property
    def scale(self) -> float:
        """How large the frame is beside its picture: below 1 for a draft."""
        return self.size[1] / self.seen_size[1]

    @property
    def clouds_m(self) -> float | None:
        """The height of the clouds that are seen from below; none where there are none."""
        height_m = self.lighting.clouds_m
        return height_m if self.clouds is not None and height_m > projection.eye(self.scene.camera)[1] else None

    @property
    def field(self) -> HeightField | None:
        """The height field that is shown."""
        return self.height_map.field

    @functools.cached_property
    def view_projection(self) -> NDArray[np.float32]:
        """The matrix from the world to clip space, for row vectors; there must be land."""
        return projection.view_projection(self.scene.camera, self.seen_size, *self._clip_planes, self.shift)

    @functools.cached_property
    def unshifted(self) -> NDArray[np.float32]:
        """The same matrix without `shift`: all frames of a mean have it."""
        return projection.view_projection(self.scene.camera, self.seen_size, *self._clip_planes)

    @functools.cached_property
    def _clip_planes(self) -> tuple[float, float]:
        scene, field = self.scene, self.field
        assert field is not None
        reach_m = self.around[-1].reach_m if self.around else 0.0
        return projection.clip_planes(scene.camera, exaggerated(field, scene.view.exaggeration), self.base_m, reach_m)
