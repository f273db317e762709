"""Where things are: shaders and assets in a checkout or an install, and the user's folders."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_PACKAGE = Path(__file__).parent


def shaders() -> Path:
    """Return the folder of GLSL sources."""
    return _data_folder("shaders")


def assets() -> Path:
    """Return the folder of presets, textures, fonts and icons."""
    return _data_folder("assets")


def _data_folder(name: str) -> Path:
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parents[1] / name


@functools.cache
def cache_folder() -> Path:
    """Return a writable folder for what can be made again: the user's cache folder, else one for this process alone.

    Where no folder can be written, as on a full disk, it is the user's all the same: nothing can be kept there.
    """
    folder = _chosen("FELLVIEW_CACHE", "user_cache_path")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        pass
    try:
        own = Path(tempfile.mkdtemp(prefix="fellview-cache-"))
    except OSError:
        return folder
    atexit.register(remove_tree, own)
    return own


def state_folder() -> Path:
    """Return the folder that holds the sessions."""
    return _chosen("FELLVIEW_STATE", "user_state_path")


def _chosen(variable: str, usual: str) -> Path:
    """Return the folder that the environment names, or the `usual` one of the system."""
    chosen = os.environ.get(variable)
    if chosen:
        return Path(chosen)
    import platformdirs  # here, so that a check of a bare machine, which names its folders, does without

    folder: Path = getattr(platformdirs, usual)("fellview", appauthor=False)
    return folder


@contextlib.contextmanager
def temporary() -> Iterator[None]:
    """Have cache and state be empty folders that go when the block ends, also in processes that are started in it."""
    with tempfile.TemporaryDirectory(prefix="fellview-", ignore_cleanup_errors=True) as folder:
        names = {name: str(Path(folder) / name) for name in ("FELLVIEW_CACHE", "FELLVIEW_STATE")}
        before = {name: os.environ.get(name) for name in names}
        os.environ.update(names)
        cache_folder.cache_clear()
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
            cache_folder.cache_clear()


def pictures_folder() -> Path:
    """Return the folder that pictures are saved to when nobody says otherwise."""
    import platformdirs

    return platformdirs.user_pictures_path() / "Fellview"


def named(text: str) -> Path:
    """Return the path that `text` names; ~ at its beginning is the own folder of a person whom the system knows."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_folder(path: Path) -> bool:
    """Return whether there is a folder `path`; False, too, where nothing can have that name or it is out of reach."""
    try:
        return path.is_dir()
    except OSError:  # a name too long, or a folder above that may not be entered
        return False


def is_there(path: Path) -> bool:
    """Return whether there is anything called `path`; False, too, where nothing can be or it is out of reach."""
    try:
        return path.exists()
    except OSError:
        return False


def remove_tree(folder: Path) -> None:
    """Remove `folder` and all in it; what another process still holds stays."""
    shutil.rmtree(folder, ignore_errors=True)
