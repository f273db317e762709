"""ASCII grids of Esri: a header of six lines and metres as decimal text, the northernmost row first."""

from __future__ import annotations

from typing import BinaryIO

from fellview.heightmaps.height_format import HeightFormat, Raster


def write(file: BinaryIO, raster: Raster) -> None:
    """Write the numbers of `raster` with nine digits, which is as exact as float32.

    Cells that are not square have `dx` and `dy`, as GDAL reads them, in place of the one `cellsize`.
    """
    rows, columns = raster.values.shape
    along_z, along_x = raster.cell_size
    cells = f"cellsize {along_x!r}" if along_x == along_z else f"dx {along_x!r}\ndy {along_z!r}"
    place = raster.georeference
    header = (
        f"ncols {columns}\nnrows {rows}\nxllcenter {place.east!r}\nyllcenter {place.north!r}\n"
        f"{cells}\nNODATA_value {raster.no_data:g}\n"
    )
    file.write(header.encode())
    line = " ".join(["%.9g"] * columns) + "\n"
    for row in raster.values:
        file.write((line % tuple(row)).encode())


FORMAT = HeightFormat("ASC", (".asc",), "north", write=write, layout=", decimal text")
