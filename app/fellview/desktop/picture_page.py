"""Pictures of any size out of the window: a page of the form of exports, and what takes them.

They are drawn by a process of their own, so that the window goes on, and the land is computed anew there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fellview.capture import capture
from fellview.capture.shot import Shot
from fellview.core.errors import InputError, quoted
from fellview.core.height_field import HeightField
from fellview.core.work import Work
from fellview.desktop.exporting import Export, folder_of, run
from fellview.draw.target import Size, require_size
from fellview.io import picture_files, scenes
from fellview.scene.scene import Scene
from fellview.ui.form_dialog import Field, Page

PICTURE = "Picture"
"""The page's title."""

_TIMES, _SAMPLES = (1, 2, 3, 4, 6, 8), (1, 4, 16, 64, 256)
_TRANSPARENT, _STUDIO = "transparent", "studio"
_MARKS = ("view.legend", "view.scale_bar", "view.north_arrow")
_FORMATS = (
    (".png", "PNG, with the recipe inside"),
    (".jpg", "JPEG"),
    (".webp", "WebP"),
    (picture_files.EXR, "OpenEXR, with all passes"),
)


def page(folder: Path, name: str) -> Page:
    """Return the page, which proposes `folder` and `name`."""
    passes = "Depth, normal, position, heights, materials and masks, with commas between: beside it, or in OpenEXR."
    return Page(
        PICTURE,
        "What is seen, in any size, and what its pixels show in numbers.",
        (
            Field("times", "Size", "2", "Of the window's land.", tuple((str(n), f"{n} × the window") for n in _TIMES)),
            Field("size", "Or pixels", "", "WIDTHxHEIGHT, up to 16384x16384.", empty="as above"),
            Field("samples", "Samples a pixel", "16", "Many are smooth.", tuple((str(n), str(n)) for n in _SAMPLES)),
            Field(
                "behind",
                "Behind the land",
                "",
                "Nothing leaves alpha, for other pictures to be laid under it.",
                (("", "What is seen"), (_TRANSPARENT, "Nothing"), (_STUDIO, "A studio, the land cut out")),
            ),
            Field(
                "marks",
                "Marks over it",
                "",
                "Legend, scale bar and north arrow.",
                (("", "As they are seen"), ("none", "None"), ("all", "All")),
            ),
            Field("passes", "Passes", "", passes, empty="none"),
            Field("format", "Format", ".png", "Only PNG opens as the scene again.", _FORMATS),
            Field("name", "Name", name, f"With {', '.join(capture.PLACEHOLDERS)} in it; no file is replaced."),
            Field("folder", "Folder", str(folder), "Where it goes; it is made where there is none."),
        ),
        "Take",
    )


def size(texts: Mapping[str, str], window: Size) -> Size:
    """Return the size that the page is filled in for, in a window whose land has `window` pixels.

    `InputError` where what is typed is none, or no picture has it.
    """
    if not texts["size"]:
        return int(texts["times"]) * window[0], int(texts["times"]) * window[1]
    asked = capture.size_of(texts["size"])
    require_size(asked)
    return asked


def chosen(
    texts: Mapping[str, str], window: Size, note: Callable[[str, Path], None] = lambda told, path: None
) -> Export:
    """Return the picture that the page is filled in for, in a window whose land has `window` pixels.

    `note` is told what is told of it, and its path, once it is written. `InputError` names what will not do.
    """
    shot = Shot(
        size(texts, window),
        int(texts["samples"]),
        texts["behind"] == _TRANSPARENT,
        tuple(word.strip() for word in texts["passes"].split(",") if word.strip()),
    )
    shot.require()
    name = f"{texts['name']}{texts['format']}"
    if not texts["name"] or Path(name).name != name:
        raise InputError(f"name = {quoted(texts['name'])}: expected a file's name, without its folder")
    picture_files.require(Path(name), shot.size, transparent=shot.transparent)
    capture.named_path(Path(), name, Scene(), shot.size)  # with no placeholder that is none
    words = [f"--size={shot.size[0]}x{shot.size[1]}", f"--samples={shot.samples}", f"--passes={','.join(shot.passes)}"]
    words += ["--transparent"] * shot.transparent
    words += ["--set=view.stage=slab"] * (texts["behind"] == _STUDIO)
    if texts["marks"]:
        words += [f"--set={key}={str(texts['marks'] == 'all').lower()}" for key in _MARKS]

    def write(folder: Path, scene: Scene, land: HeightField, work: Work) -> Sequence[str]:
        path = capture.named_path(folder.absolute(), name, scene, shot.size)
        with tempfile.TemporaryDirectory() as place:
            recipe = Path(place) / "scene.toml"
            recipe.write_text(scenes.to_text(scene, recipe.parent), encoding="utf-8")  # at once
            told, files = run(["render", str(recipe), "-o", str(path), *words], PICTURE, work)
        beside = f", and {len(files) - 1} passes" if files[1:] else ""
        saved = f"Saved {path}{beside}"
        note(saved, path)
        return [*told, saved]

    return Export(write, "a picture", folder_of(texts["folder"]), proposed=False)
