"""QGIS and other programs for maps: a GeoTIFF of metres, which says itself where its cells lie."""

from __future__ import annotations

from fellview.targets.target import REALS, Entry, Target, Written


def entries(written: Written) -> tuple[Entry, ...]:
    """Return what is read off the file: nothing is to be typed."""
    along_z, along_x = written.cell_size
    return (Entry("Pixel Size X", along_x, "m"), Entry("Pixel Size Y", along_z, "m"))


TARGET = Target(
    name="qgis",
    title="QGIS",
    suffix=".tif",
    bits=REALS,
    size=1024,
    georeferenced=True,
    entries=entries,
    steps=("Layer, Add Layer, Add Raster Layer: the file says all of this itself.",),
    map_steps=("Maps: add them likewise. World files beside them lay them on the heights.",),
)
