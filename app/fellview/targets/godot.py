"""Godot with Terrain3D: regions out of an EXR of metres.

A vertex stands for a pixel, Vertex Spacing apart, and a region has as many as it is wide: the land's n cells are n
vertices. The first row lies at the smallest z, in the north. From position 0 on there is room for 16 regions along x
and z; what a region has beyond the land is flat.

Source: Terrain3D's documentation, "Importing & Exporting Data", its importer.gd, and `import_images` in
terrain_3d_data.cpp; Godot reads an EXR's channel R.
"""

from __future__ import annotations

from fellview.targets.target import REALS, Entry, Target, Written

_REGIONS = (64, 128, 256, 512, 1024, 2048)  # vertices of a region's side
_REGION = _REGIONS[0]
_ACROSS = 16  # regions from position 0 to the world's edge


def entries(written: Written) -> tuple[Entry, ...]:
    """Return what the importer and the node ask for."""
    along_z, along_x = written.cell_size
    sides = written.rows, written.columns
    room = [one for one in _REGIONS if one * _ACROSS >= max(sides)]
    filled = [one for one in room if all(side % one == 0 for side in sides)]
    return (
        Entry("Region Size", max(filled, default=room[0])),
        Entry("Vertex Spacing", (along_x + along_z) / 2, "m"),
        Entry("Import Position", "0, 0"),
        Entry("Import Scale", 1.0),
        Entry("Height Offset", 0.0),
    )


TARGET = Target(
    name="godot",
    title="Godot, Terrain3D",
    suffix=".exr",
    bits=REALS,
    channel="R",
    size=1024,
    takes=lambda side: side % _REGION == 0,
    accepted=f"multiples of {_REGION}",
    entries=entries,
    map_steps=(
        "Maps: colour is the Color File Name of the same import and needs a texel a cell; weights are for a shader of"
        " your own.",
    ),
    steps=(
        "Open addons/terrain_3d/tools/importer.tscn and choose Importer in the scene tree. In its inspector type the"
        " numbers, the first two before the others, choose the EXR as Height File Name, and tick Run Import.",
        "Then choose a Destination Directory and tick Save to Disk: a Terrain3D node has that as Data Directory, and"
        " the same Region Size and Vertex Spacing.",
    ),
)
