"""Unreal Engine: a landscape out of a PNG of 16 bits.

A landscape's height in cm is (word − 32768)/128·(Z scale) + (location Z); its vertices lie XY scale cm apart. The first
row lies at the smallest Y, which the view from above has on top.

Source: Epic Games, Landscape Technical Guide ("Calculating Heightmap Z Scale", "Recommended Landscape Sizes") and
"Importing and Exporting Landscape Heightmaps".
"""

from __future__ import annotations

from fellview.targets.target import WORDS, Entry, Target, Written

_CM = 100  # in a metre
_MIDDLE, _MOST, _UNIT = 32768, 65535, 128  # the word of height 0, the highest word, words in a cm at Z scale 1


def entries(written: Written) -> tuple[Entry, ...]:
    """Return a landscape's scale and location."""
    along_z, along_x = written.cell_size
    return (
        Entry("Scale X", along_x * _CM),
        Entry("Scale Y", along_z * _CM),
        Entry("Scale Z", written.range * _CM * _UNIT / _MOST),
        Entry("Location Z", (written.low + _MIDDLE / _MOST * written.range) * _CM, "cm"),
    )


TARGET = Target(
    name="unreal",
    title="Unreal Engine",
    suffix=".png",
    bits=WORDS,
    size=1009,
    sizes=(127, 253, 505, 1009, 2017, 4033, 8129),
    square=True,
    normals="directx",
    map_steps=(
        "Maps: for each layer of the landscape's material choose its weight_ picture, grey of 8 bits, as Layer File;"
        " they are as large as the heights.",
        "The normal map goes by DirectX, as textures do there.",
    ),
    entries=entries,
    steps=(
        "Landscape mode, Manage, New, Import from File: choose the PNG as Heightmap File, type the numbers as Scale and"
        " Location, Import.",
    ),
)
