"""Exports out of the window: what a form's texts mean, and writing that the window does not wait for."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from fellview.core.errors import InputError
from fellview.core.height_field import HeightField
from fellview.desktop.commands import export
from fellview.desktop.faults import Faults
from fellview.desktop.writing import FileWriter
from fellview.export import map_files, mesh_files
from fellview.io.crashes import CrashLog
from fellview.mesh.land_mesh import Wanted
from fellview.mesh.slab import Print
from fellview.scene.scene import Scene

MESH, PRINT, MAPS = (page.title for page in export._PAGES)


def texts(title, **changed):
    """Return what stands in the form's page `title`, with some fields filled in."""
    page = next(one for one in export._PAGES if one.title == title)
    return {field.name: field.value for field in page.fields} | changed


def test_what_stands_in_the_form_is_the_usual():
    assert export.chosen(MESH, texts(MESH)) == mesh_files.Options()
    assert export.chosen(PRINT, texts(PRINT)) == mesh_files.Options(texels=0, printed=Print())
    assert export.chosen(MAPS, texts(MAPS)) == map_files.Options()


def test_fields_are_numbers_and_names():
    mesh = export.chosen(MESH, texts(MESH, triangles="5000", error="2.5", levels="3", texels="0"))
    assert mesh == mesh_files.Options(Wanted(5000, 2.5, 3), 0)
    body = export.chosen(PRINT, texts(PRINT, slab="4", scale="50000"))
    assert body.printed == Print(4.0, 50_000.0)
    maps = export.chosen(MAPS, texts(MAPS, maps="colour,weights", texels="2", normals="directx", tile="129"))
    assert maps == map_files.Options(("colour", "weights"), 2, "directx", 129)


@pytest.mark.parametrize(
    ("title", "changed", "told"),
    [
        (MESH, {"triangles": "many"}, "triangles = 'many': expected a whole number"),
        (MESH, {"triangles": "1"}, "triangles = 1: expected 2 to 100000000"),
        (MESH, {"error": "x"}, "error = 'x': expected a number"),
        (MESH, {"levels": "0"}, "levels = 0: expected 1 to 8"),
        (PRINT, {"slab": ""}, "slab = 0: expected 0.1 to 1000 mm"),
        (PRINT, {"scale": "0.1"}, "scale = 0.1: expected 1 : 1 to"),
        (MAPS, {"maps": "lava"}, "maps = lava: expected some of colour"),
        (MAPS, {"tile": "2"}, "tile = 2: expected 3 to 16384 texels"),
        (MAPS, {"normals": ""}, "normals = : expected one of opengl, directx"),
    ],
)
def test_what_will_not_do_is_refused_in_a_line(title, changed, told):
    with pytest.raises(InputError, match=told):
        export.chosen(title, texts(title, **changed))


@pytest.fixture
def session():
    notices = []

    def notify(text, passing=False):
        notices.append(text)

    return SimpleNamespace(notices=notices, notify=notify, withdraw=notices.remove)


@pytest.fixture
def writer(session, tmp_path, monkeypatch):
    monkeypatch.setattr("fellview.desktop.window.wake", lambda: None)  # there is none
    return FileWriter(session, Faults(CrashLog(tmp_path), session.notify, lambda: None), lambda: None)


def until_taken(writer, session):
    for _ in range(200):
        writer.take()
        if not any(text.startswith("Exporting") for text in session.notices):
            return
        threading.Event().wait(0.05)
    pytest.fail("nothing was taken within ten seconds")


def test_the_window_goes_on_while_something_is_written(writer, session):
    may_end = threading.Event()

    def write():
        may_end.wait(10)
        return ["12 triangles", "Exported land.glb"]

    writer.write("land.glb", write)
    writer.take()
    assert session.notices == ["Exporting land.glb…"]
    with pytest.raises(InputError, match=r"other\.glb: land\.glb is still being written"):
        writer.write("other.glb", write)
    may_end.set()
    until_taken(writer, session)
    assert session.notices == ["12 triangles", "Exported land.glb"]


def test_what_cannot_be_written_becomes_a_notice(writer, session):
    def write():
        raise InputError("land.glb: cannot be written: is read-only")

    writer.write("land.glb", write)
    until_taken(writer, session)
    assert session.notices == ["land.glb: cannot be written: is read-only"]


def test_a_mesh_and_maps_are_written_from_what_the_window_has(context, tmp_path):
    """Maps go by the name of their facts; no other mask is asked for than those that are there."""
    heights = np.random.default_rng(2).uniform(0, 50, (12, 9)).astype(np.float32)
    land = HeightField(heights, (10.0, 10.0), {"drainage_area": np.full((12, 9), 300, np.float32)})
    scene = Scene(name="Shown").replace({"ground.kind": "materials"})
    told = export._written(tmp_path / "land.glb", scene, land, mesh_files.Options(Wanted(triangles=50)))
    assert (tmp_path / "land.glb").exists() and told[-1] == f"Exported {tmp_path / 'land.glb'}"
    export._written(tmp_path / "alps.json", scene, land, map_files.Options(("colour", "drainage")))
    assert {path.name for path in tmp_path.iterdir()} > {"alps-colour.png", "alps-drainage.png", "alps-maps.json"}
