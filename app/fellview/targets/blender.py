"""Blender: a plane that an EXR of metres displaces.

A picture covers the plane whole, its first row on the side of +Y; a pixel's middle lies half a pixel inside of its
border, so that the plane is as large as the land, n cells. A texture sets what is below 0 to 0 unless Clamp is off.

Source: Blender Manual, "Displace Modifier": the offset is (value − Midlevel)·Strength. Labels are those of the panels.
"""

from __future__ import annotations

from fellview.targets.target import REALS, Entry, Target, Written


def entries(written: Written) -> tuple[Entry, ...]:
    """Return the plane's size and what the modifier asks for."""
    along_z, along_x = written.cell_size
    return (
        Entry("Dimensions X", written.columns * along_x, "m"),
        Entry("Dimensions Y", written.rows * along_z, "m"),
        Entry("Color Space", "Non-Color"),
        Entry("Extension", "Extend"),
        Entry("Clamp", "off"),
        Entry("Direction", "Z"),
        Entry("Coordinates", "UV"),
        Entry("Strength", 1.0),
        Entry("Midlevel", 0.0),
    )


TARGET = Target(
    name="blender",
    title="Blender",
    suffix=".exr",
    bits=REALS,
    size=1024,
    entries=entries,
    map_steps=(
        "Maps: colour lies over the plane as Base Color; all others are Non-Color. With a texel a cell they lie as the"
        " heights do.",
        "A GLB beside it is the land itself: File, Import, glTF 2.0.",
    ),
    steps=(
        "Add a plane, give it the dimensions and apply its scale, subdivide it, add a Displace modifier.",
        "Its texture, made in the texture properties, is the EXR as an image; then choose and type what follows.",
        "Extension stands there under Image, Mapping, and Clamp under Colors; left on, all land below 0 m is flat.",
    ),
)
