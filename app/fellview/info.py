"""What `fellview info` tells: renderer, engine, versions, folders."""

from __future__ import annotations

import platform
from importlib import metadata

from fellview import paths
from fellview.core.errors import FellviewError
from fellview.gpu import choice
from fellview.gpu import context as gpu_context
from fellview.io import film_files
from fellview.version import VERSION

_LIBRARIES = ("moderngl", "moderngl-window", "imgui-bundle", "numpy", "numba", "pyrr", "pillow", "glfw")


def text(engine: str = "auto") -> str:
    """Return the facts, one a line; a missing OpenGL is one of them, and which engine is taken for `engine`."""
    lines = [("Fellview", VERSION), ("Python", f"{platform.python_version()} on {platform.platform(terse=True)}")]
    lines += [("OpenGL", _opengl()), ("Engine", choice.here(engine).text)]
    lines.append(("Films", f"WebP by Pillow; MP4 by {film_files.codec()}"))
    lines += [(name, _version(name)) for name in _LIBRARIES]
    lines += [
        ("Shaders", str(paths.shaders())),
        ("Assets", str(paths.assets())),
        ("Pictures", str(paths.pictures_folder())),
        ("Session", str(paths.state_folder())),
        ("Kernel cache", str(paths.cache_folder())),
    ]
    return "\n".join(f"{name:16} {value}" for name, value in lines)


def _opengl() -> str:
    try:
        with gpu_context.aside() as context:
            kind = "software" if gpu_context.is_software(context) else "hardware"
            return f"{gpu_context.version_text(context)}, {gpu_context.renderer(context)} ({kind})"
    except FellviewError as fault:
        return f"none ({fault})"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "missing"
