"""What grids around a land are told before they are made: where each lies, and what their heights go by."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from fellview.core.parameters import Group
from fellview.draw.land.seen_ground import SeenGround
from fellview.draw.land.valleys import Leaving

_SETTLES = (4.2, 5.4)  # sides from the border over which the ground sinks to the plain: the last of the coarser frame
_FAR_SETTLES = (14.0, 17.3)  # the same where it goes far: the last of the outermost frame


@dataclass(frozen=True)
class Extent:
    """Where a frame lies, and how fine it is."""

    first: float
    """Sides of the land beyond each border from which on it reaches,"""
    last: float
    """and up to which."""
    cells: int
    """Cells a side of the land: as many as make whole blocks of it, and of what is left out for the frame inside."""
    light: tuple[int, int]
    """Most cells a side of its light map, with software OpenGL and hardware."""
    sky: int
    """The same for the share of sky, which costs the most of all."""
    finer_cells: int
    """Those of the frame inside it, once all have been made."""
    coarser_cells: int
    """Those of the frame around it."""
    river_texels: int = 0
    """Texels of rivers a cell along each axis; 0 so far out that nobody sees them, nor surf."""


@dataclass(frozen=True)
class How:
    """What heights around a land go by."""

    version: int
    """Of the land's heights."""
    height: float
    """How high copies are, times the land,"""
    plain_m: float
    """over the plain."""
    is_round: bool
    """Whether that bends as the Moon does,"""
    goes_far: bool
    """and whether ground sinks to it as far out as the outermost frame ends,"""
    far_cells: int
    """with the form that its recipe makes there, so many cells a side of the land, or mirrored nearer where it is 0."""
    far: str
    """What far ground is made of, of `_LIBRARIES` in surroundings_frame.py,"""
    otherwise: str
    """and what else where the land's recipe does not tell of it."""
    sea_m: float
    """The level of the sea, where islands lie in it,"""
    seed: int
    """and what says where they lie."""
    is_one_way: bool
    """Whether the land is of a kind that looks the same turned nowhere."""
    recipe: tuple[Group, ...]
    """What of the recipe far ground has its form by,"""
    form_cells: int
    """and how many cells a side of the land that has."""
    rivers: Leaving | None = None
    """The rivers of the land that run on over that."""
    seen: SeenGround | None = None
    """The ground that they follow the land in alone: in a draft, of grids of which every second vertex is worked out,
    where the rest is as it was."""

    @property
    def comes_from(self) -> How:
        """What is made for all grids: that goes by nothing which says how far out and where heights are made.

        Nor by how high they are, unless islands lie in them, which are as high.
        """
        height = self.height if self.far == "islands" else 1.0
        return dataclasses.replace(self, height=height, plain_m=0.0, goes_far=False, far_cells=0, seen=None)

    def up_to(self, sides: float) -> How:
        """Return what they go by up to so many `sides` of the land out: only farther out counts how far it goes."""
        return dataclasses.replace(self, goes_far=False, far_cells=0) if sides <= _SETTLES[0] else self


def settles(how: How) -> tuple[float, float, float]:
    """Return from where on the ground sinks to the plain and is level, in sides from the border, and how high it is."""
    return (*(_FAR_SETTLES if how.goes_far else _SETTLES), how.height)
