"""TIFF of one channel, GeoTIFF among them: read only, the northernmost row first."""

from __future__ import annotations

from fellview.heightmaps import picture
from fellview.heightmaps.height_format import HeightFormat

FORMAT = HeightFormat("TIFF", (".tif", ".tiff"), "north", picture.read)
