"""Unity: a terrain out of a RAW file of 16 bits, little-endian, whose first row lies at z = 0 in the south.

Unity takes word / 65536 of the terrain's height, so that the highest word is a little below it.

Source: Unity C# reference, TerrainWizard.cs (`ImportRawHeightmap`: 1 / (1 << 16)); Manual, "Working with Heightmaps";
Terrain Tools, "Import Splatmaps".
"""

from __future__ import annotations

from fellview.targets.target import WORDS, Entry, Target, Written

_LEVELS, _MOST = 65536, 65535
_POWERS = range(5, 13)  # 33 to 4097, what a terrain's resolution can be


def entries(written: Written) -> tuple[Entry, ...]:
    """Return what the dialog "Import Heightmap" asks for, and where the terrain goes."""
    span_z, span_x = written.span
    return (
        Entry("Depth", "Bit 16"),
        Entry("Resolution", written.columns),
        Entry("Byte Order", "Windows"),
        Entry("Flip Vertically", "off"),
        Entry("Terrain Size X", span_x, "m"),
        Entry("Terrain Size Y", written.range * _LEVELS / _MOST, "m"),
        Entry("Terrain Size Z", span_z, "m"),
        Entry("Position Y", written.low, "m"),
    )


TARGET = Target(
    name="unity",
    title="Unity",
    suffix=".raw",
    bits=WORDS,
    size=1025,
    sizes=tuple(2**power + 1 for power in _POWERS),
    square=True,
    maps_in_cells=True,
    map_steps=(
        "Maps: set Control Texture Resolution to the maps' side, give the terrain as many layers as there are weights,"
        " in their order, and put weights_0 and weights_1 into the list of splatmaps of the package Terrain Tools:"
        " Window, Terrain, Terrain Toolbox, Terrain Utilities, Terrain Splatmaps; then Export to Terrain.",
        "Import them without sRGB and without compression.",
    ),
    entries=entries,
    steps=(
        "In the inspector of a terrain: Terrain Settings (the gear), Texture Resolutions (On Terrain Data), Import Raw:"
        " choose the file, type the numbers, Import.",
        "Position Y belongs into the terrain's Transform.",
    ),
)
