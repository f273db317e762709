"""The texture of the classic demo's ground, which few scenes are drawn with."""

from __future__ import annotations

import moderngl

from fellview import paths
from fellview.core import foreign


def load(context: moderngl.Context) -> moderngl.Texture:
    """Return the texture, which repeats, with its coarser levels."""
    colours = foreign.own_picture(paths.assets() / "textures" / "ground.png")
    texture = context.texture((colours.shape[1], colours.shape[0]), 3, colours.tobytes())
    texture.build_mipmaps()  # three components, which OpenGL need not draw into
    texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return texture
