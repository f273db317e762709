"""Noise: one file a family; `registry.py` lists them, `evaluate.py` reads them at points, `grids.py` over grids."""

from __future__ import annotations

from fellview.noise.evaluate import at, derivatives
from fellview.noise.grids import grid
from fellview.noise.registry import kinds

__all__ = ["at", "derivatives", "grid", "kinds"]
