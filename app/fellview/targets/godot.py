"""Godot with Terrain3D: regions out of an EXR of metres.

A vertex stands for a pixel, Vertex Spacing apart, and a region has as many as it is wide: the land's n cells are n
vertices. The first row lies at the smallest z, in the north.

Source: Terrain3D's documentation, "Importing & Exporting Data"; Godot reads an EXR's channel R.
"""

from __future__ import annotations

from fellview.targets.target import REALS, Entry, Target, Written

_REGION = 64  # vertices of the smallest region; all larger ones are of powers of two


def entries(written: Written) -> tuple[Entry, ...]:
    """Return what the importer and the node ask for."""
    along_z, along_x = written.cell_size
    side = min(written.rows, written.columns)
    return (
        Entry("Region Size", max(one for one in (64, 128, 256, 512, 1024) if one == _REGION or side % one == 0)),
        Entry("Import Scale", 1.0),
        Entry("Height Offset", 0.0),
        Entry("Vertex Spacing", (along_x + along_z) / 2, "m"),
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
    map_steps=("Maps: colour is the Color File of the same import; weights are for a shader of your own.",),
    steps=(
        "Open addons/terrain_3d/tools/importer.tscn, choose the EXR as height file, type scale and offset, Run Import.",
        "Region Size and Vertex Spacing belong to the Terrain3D node.",
    ),
)
