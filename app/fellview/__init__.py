"""Fellview: an interactive viewer for procedural terrain.

    import fellview
    scene = fellview.load("directx-demo").replace({"noise.frequency": 8.0})
    field = fellview.generate(scene)

Names come from `library.py` when they are first used, so that importing the package costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fellview import noise, variants
    from fellview.library import (
        Difference,
        HeightField,
        Mesh,
        Scene,
        build_mesh,
        diff,
        find_views,
        generate,
        load,
        presets,
        render,
        render_difference,
    )

__all__ = [
    "Difference",
    "HeightField",
    "Mesh",
    "Scene",
    "build_mesh",
    "diff",
    "find_views",
    "generate",
    "load",
    "noise",
    "presets",
    "render",
    "render_difference",
    "variants",
]


def __getattr__(name: str) -> Any:
    if name in ("noise", "variants"):
        return importlib.import_module(f"fellview.{name}")
    if name in __all__:
        from fellview import library

        return getattr(library, name)
    raise AttributeError(f"module 'fellview' has no attribute {name!r}")
