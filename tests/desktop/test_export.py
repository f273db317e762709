"""Exports out of the window: what the form's texts mean, and writing that the window does not wait for."""

import dataclasses
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import tifffile

from fellview.core.errors import Cancelled, FellviewError, InputError
from fellview.core.height_field import HeightField
from fellview.core.work import Work
from fellview.desktop import exporting
from fellview.desktop.exporting import HEIGHTS, MAPS, MESH, PRINT
from fellview.desktop.faults import Faults
from fellview.desktop.writing import FileWriter
from fellview.heightmaps import height_file
from fellview.io import atomic, scenes
from fellview.io.crashes import CrashLog
from fellview.scene.scene import Scene
from fellview.studio import deck_file, project
from fellview.studio.deck import Deck, Slide
from fellview.studio.shelf import Shelf
from fellview.targets.registry import TARGETS, target

PROGRAMS = [one.title for one in TARGETS]


def texts(title, **changed):
    """Return what stands in the form's page `title`, with some fields filled in."""
    page = next(one for one in exporting.pages(Path("/land/exported")) if one.title == title)
    unknown = changed.keys() - {field.name for field in page.fields}
    assert not unknown, f"{title} has no {unknown}"
    return {field.name: field.value for field in page.fields} | changed


def chosen(title, **changed):
    """Return the export of the page `title`, of a land of 12 rows and 9 columns."""
    return exporting.chosen(title, texts(title, **changed), 12, 9)


def land(*masks):
    """Return a small land that no mirror leaves as it is."""
    heights = np.random.default_rng(2).uniform(0, 50, (12, 9)).astype(np.float32)
    return HeightField(heights, (10.0, 10.0), {name: np.full((12, 9), 300, np.float32) for name in masks})


@pytest.mark.parametrize("page", [HEIGHTS, *PROGRAMS, MESH, PRINT, MAPS])
def test_what_stands_in_the_form_will_do(page):
    export = chosen(page)
    assert (export.folder == Path("/land/exported")) if export.file is None else export.folder is None


@pytest.mark.parametrize(
    ("title", "changed", "told"),
    [
        (HEIGHTS, {"range": "high"}, "range = 'high': expected LOW:HIGH in metres, or own"),
        (HEIGHTS, {"range": "5:1"}, "range = 5:1: expected two finite heights in metres, the lower one first"),
        (HEIGHTS, {"crs": "EPSG:25832"}, "crs = EPSG:25832: PNG has no room for it; expected GeoTIFF"),
        (HEIGHTS, {"origin": "here"}, "origin = 'here': expected EAST,NORTH in metres"),
        ("Unity", {"range": "5"}, "range = '5': expected LOW:HIGH"),
        ("Unity", {"maps": "lava"}, "maps = lava: expected some of colour"),
        ("Blender", {"triangles": "1"}, "triangles = 1: expected 2 to 100000000"),
        ("QGIS", {"crs": "WGS84"}, "crs = 'WGS84': expected EPSG:N"),
        ("QGIS", {"folder": ""}, "folder = '': expected a folder"),
        (MAPS, {"folder": __file__}, "folder = .*: expected a folder"),
        (MESH, {"triangles": "many"}, "triangles = 'many': expected a whole number"),
        (MESH, {"error": "x"}, "error = 'x': expected a number"),
        (MESH, {"levels": "0"}, "levels = 0: expected 1 to 8"),
        (PRINT, {"slab": ""}, "slab = 0: expected 0.1 to 1000 mm"),
        (PRINT, {"scale": "0.1"}, "scale = 0.1: expected 1 : 1 to"),
        (MAPS, {"tile": "2"}, "tile = 2: expected 3 to 16384 texels"),
        (MAPS, {"texels": "99"}, "texels = 99"),
    ],
)
def test_what_will_not_do_is_refused_in_a_line(title, changed, told):
    with pytest.raises(InputError, match=told):
        chosen(title, **changed)


@pytest.mark.parametrize(("form", "_title"), exporting._formats())
def test_heights_are_written_as_the_form_says(tmp_path, form, _title):
    export, field = chosen(HEIGHTS, format=form, range="-10:90"), land()
    path = tmp_path / export.file.name
    export.require(path)
    *_, where = export.write(path, Scene(), field, Work())
    assert where == f"Exported {path}"
    found = height_file.read(path)
    first, last = found.span
    low, high = found.metres
    metres = low + (found.values - first) * ((high - low) / (last - first))
    step = 100 / 255 if form.endswith(" 8") else 100 / 65535
    np.testing.assert_allclose(metres[::-1] if found.north_first else metres, field.heights, atol=step / 2 + 1e-5)


def test_a_mask_is_written_in_place_of_the_heights(tmp_path):
    export = chosen(HEIGHTS, what="slope", format=".npy 32")
    assert export.masks == {"slope"} and export.file.name == "slope.npy"
    export.write(tmp_path / "slope.npy", Scene(), land("slope"), Work())
    assert (np.load(tmp_path / "slope.npy") == 300).all()


def test_a_place_goes_into_a_geotiff(tmp_path):
    export = chosen(HEIGHTS, format=".tif 32", crs="EPSG:25832", origin="350000,5200000")
    export.write(tmp_path / "land.tif", Scene(), land(), Work())
    with tifffile.TiffFile(tmp_path / "land.tif") as file:
        *_, west, north, _ = file.pages[0].tags[33922].value
    assert (west, north) == (350000 - 5, 5200000 + 115)


def test_a_mesh_is_written_with_as_many_triangles_as_the_form_says(tmp_path):
    export = chosen(MESH, triangles="50", levels="2", texels="0")
    assert export.file.suffixes == (".glb",), "which alone holds several levels"
    with pytest.raises(InputError, match=r"levels = 2: land\.stl is no \.glb"):
        export.require(tmp_path / "land.stl")
    told = export.write(tmp_path / "land.glb", Scene(name="Shown"), land(), Work())
    assert (tmp_path / "land.glb").exists() and told[-1] == f"Exported {tmp_path / 'land.glb'}"
    assert int(told[0].split(" triangles")[0]) <= 50


def test_a_printed_body_is_as_large_as_the_form_says(tmp_path):
    told = chosen(PRINT, slab="4", scale="1000").write(tmp_path / "land.stl", Scene(), land(), Work())
    assert any("1 : 1000" in one and "with 4 mm of base" in one for one in told)


def test_maps_are_written_from_what_the_window_has(context, tmp_path):
    """No other mask is asked for than those that are there."""
    export = chosen(MAPS, maps="colour,drainage", folder=str(tmp_path / "maps"))
    assert export.masks == {"drainage_area"}
    export.write(export.folder, Scene().replace({"ground.kind": "materials"}), land("drainage_area"), Work())
    assert {path.name for path in export.folder.iterdir()} == {"colour.png", "drainage.png", "maps.json"}


@pytest.mark.slow
def test_a_program_has_the_land_computed_anew(tmp_path):
    scene = scenes.load("directx-demo").replace({"erosion.enabled": False})
    export = chosen("Unity", size="33", range="-200:800", maps="drainage", folder=str(tmp_path / "out"))
    with atomic.all_or_none():  # as the window has it
        *_, where = export.write(export.folder, scene, land(), Work())
    (path,) = export.folder.glob("*.raw")
    (text,) = export.folder.glob("*.txt")
    assert path.stat().st_size == 33 * 33 * 2 and list(export.folder.glob("*drainage.png"))
    assert where == f"Exported {path}; what to type in Unity stands in {text.name}"
    assert "-200 to 800 m high" in text.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("at", ["computing", "writing maps"])
def test_a_program_that_is_not_wanted_any_more_leaves_all_as_it_was(tmp_path, at):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "untitled-unity.txt").write_text("before")
    scene = Scene().replace({"erosion.kind": "thermal", "erosion.duration": 20.0, "ground.kind": "materials"})
    steps = []

    class Watched(Work):
        def report(self, step, fraction):
            super().report(step, fraction)
            steps.append(step)
            if at == "computing" or step == at:
                self.cancel()

    # tiles enough for the last step to be told of
    words = ["--size=513" if at == "computing" else "--size=129", "--maps=all", "--tile=9"]
    started = time.monotonic()
    with pytest.raises(Cancelled):
        exporting.export_for(target("unity"), scene, folder, words, Watched())
    assert steps and time.monotonic() - started < 60
    assert [path.name for path in folder.iterdir()] == ["untitled-unity.txt"]
    assert (folder / "untitled-unity.txt").read_text() == "before"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["film", "shots"])
def test_pictures_that_are_not_wanted_any_more_are_not_drawn_on(tmp_path, kind):
    text = 'scene = "directx-demo"\nsamples = 1\nsize = "64x36"\n'
    (tmp_path / "film.toml").write_text(f"film = 1\nkind = 'turntable'\nframes = 2000\n{text}")
    suns = "".join(f"[[suns]]\nname = 'at {number}'\nazimuth = {number}.0\n" for number in range(300))
    (tmp_path / "shots.toml").write_text(f"shots = 1\n{text}{suns}")
    out = tmp_path / "out"
    out.mkdir()
    target = {"film": out / "film.webp", "shots": out}[kind]

    class Watched(Work):
        def report(self, step, fraction):
            super().report(step, fraction)
            if fraction > 0:  # in the middle of it
                self.cancel()

    with pytest.raises(Cancelled):
        exporting.run([kind, str(tmp_path / f"{kind}.toml"), "-o", str(target)], kind, Watched())
    left = {path.name for path in out.iterdir()}
    assert not {name for name in left if name.startswith(".fellview")}
    assert len(left) < (300 if kind == "shots" else 1)


@pytest.mark.slow
def test_what_is_wrong_in_the_other_process_is_told_in_a_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FellviewError, match="cannot be written"):
        exporting.export_for(
            target("unity"), scenes.load("directx-demo"), tmp_path / "file" / "out", ["--size=33"], Work()
        )


@pytest.fixture
def session():
    notices, waiting = [], []

    def notify(text, passing=False, unseen=False):
        notices.append(text)
        if unseen:
            waiting.append(text)

    return SimpleNamespace(notices=notices, waiting=waiting, notify=notify, withdraw=notices.remove)


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

    def write(work):
        may_end.wait(10)
        return ["12 triangles", "Exported land.glb"]

    writer.write("land.glb", write)
    writer.take()
    assert session.notices == ["Exporting land.glb…"]
    with pytest.raises(InputError, match=r"other\.glb: land\.glb is still being written"):
        writer.write("other.glb", write)
    may_end.set()
    until_taken(writer, session)
    assert session.notices == ["12 triangles", "Exported land.glb"] and not session.waiting


def test_where_a_long_export_went_is_told_until_somebody_is_there(writer, session, monkeypatch):
    monkeypatch.setattr("fellview.desktop.writing._WATCHED_S", 0.0)
    writer.write("land.glb", lambda work: ["12 triangles", "Exported land.glb"])
    until_taken(writer, session)
    assert session.waiting == ["Exported land.glb"]


def test_what_cannot_be_written_becomes_a_notice(writer, session):
    def write(work):
        raise InputError("land.glb: cannot be written: is read-only")

    writer.write("land.glb", write)
    until_taken(writer, session)
    assert session.notices == ["land.glb: cannot be written: is read-only"]


def test_where_the_writing_is_can_be_told(writer, session):
    may_end = threading.Event()

    def write(work):
        work.report("erosion", 0.25)
        may_end.wait(10)
        return ["Exported land.glb"]

    writer.write("land.glb", write)
    name, work, seconds = writer.under_way
    assert (name, work.at) == ("land.glb", ("erosion", 0.25)) and seconds > 0
    may_end.set()
    until_taken(writer, session)
    assert writer.under_way is None


def test_what_is_given_up_leaves_everything_as_it_was(writer, session, tmp_path):
    """And another may be begun, while the first has not learnt of it yet."""
    may_end, over = threading.Event(), threading.Event()
    (tmp_path / "land.txt").write_text("before")

    def write(work):
        try:
            atomic.write_text(tmp_path / "land.txt", "after")
            may_end.wait(10)
            return ["Exported land.txt"]
        finally:
            over.set()

    writer.write("land.txt", write)
    assert writer.give_up() and not writer.give_up()
    assert writer.under_way is None and session.notices == ["land.txt: given up, nothing is written"]
    writer.write("other.txt", lambda work: ["Exported other.txt"], "what is there stays")
    assert writer.give_up() and session.notices[-1] == "other.txt: given up, what is there stays"
    writer.write("other.txt", lambda work: ["Exported other.txt"])
    until_taken(writer, session)
    assert session.notices[-1] == "Exported other.txt"
    may_end.set()
    assert over.wait(10)
    for _ in range(100):
        if len(list(tmp_path.glob(".fellview-*"))) == 0:
            break
        time.sleep(0.05)
    assert {path.name for path in tmp_path.glob("*land*")} == {"land.txt"} and not list(tmp_path.glob(".fellview-*"))
    assert (tmp_path / "land.txt").read_text() == "before"


def test_what_is_told_to_end_before_it_listens_ends_at_once():
    work, ended = Work(), []
    work.cancel()
    work.when_cancelled(lambda: ended.append(True))
    assert ended == [True]
    with pytest.raises(Cancelled):
        work.report("erosion", 0.5)


@pytest.mark.parametrize("text", ["~nobody-of-this-name/out", "a" * 300], ids=["of nobody", "too long"])
def test_a_folder_that_cannot_be_is_left_to_what_writes(text):
    assert exporting.folder_of(text) == Path(text)


# -- a whole shelf -----------------------------------------------------------------------------------------------------

SMALL = Scene(name="Small").replace({"grid.rows": 8, "grid.columns": 8})
KEPT = Shelf().keep(SMALL).keep(SMALL.replace({"noise.seed": 2}))
SHELF_TEXTS = {"what": "sheet", "size": "", "range": "", "folder": "out"}


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"size": "64x40"}, ["sheet", "--size=64x40", "OUT/sheet.png"]),
        ({"what": "pictures"}, ["render", "OUT"]),
        ({"what": ".tif", "range": "0:900"}, ["export", "--suffix", ".tif", "--range=0:900", "OUT"]),
    ],
)
def test_a_whole_shelf_goes_to_the_command_line(tmp_path, monkeypatch, texts, words):
    given = []

    def run(command, title, work):
        at = command.index("--shelf")
        given.extend([*command[:at], command[-1]])
        assert project.load(Path(command[at + 1])).shelf == KEPT
        return ["a remark"], []

    monkeypatch.setattr(exporting, "run", run)
    out = tmp_path / "out"
    export = exporting.chosen(exporting.SHELF, SHELF_TEXTS | texts | {"folder": str(out)}, 8, 8, KEPT)
    told = export.write(export.folder, SMALL, None, None)
    assert given == [word.replace("OUT", str(out)) for word in words]
    assert told[0] == "a remark" and told[1].endswith(", 2 lands")


@pytest.mark.parametrize("changed", [{"size": "big"}, {"what": ".png", "range": "9"}])
def test_what_will_not_do_for_a_shelf_is_refused(changed):
    with pytest.raises(InputError):
        exporting.chosen(exporting.SHELF, SHELF_TEXTS | changed, 8, 8, KEPT)


def test_a_page_of_the_shelf_is_there_where_lands_are_kept():
    titles = [page.title for page in exporting.pages(Path("/land"), 2)]
    assert titles == [*(page.title for page in exporting.pages(Path("/land"))), exporting.SHELF]


# -- a page ------------------------------------------------------------------------------------------------------------


def test_a_page_has_the_land_and_up_to_three_kept_ones_with_a_star(tmp_path, monkeypatch):
    given = []

    def run(command, title, work):
        given.extend((scenes.load(Path(word)).name, scenes.load(Path(word)).noise.seed) for word in command[1:-2])
        assert (command[0], command[-2:]) == ("page", ["-o", str(tmp_path / "land.html")])
        return ["a remark"], []

    monkeypatch.setattr(exporting, "run", run)
    shelf = Shelf()
    for seed in range(1, 7):
        shelf = shelf.keep(SMALL.replace({"noise.seed": seed}))
    shown = shelf.variants[1].scene
    starred = tuple(dataclasses.replace(one, star=one is not shelf.variants[0]) for one in shelf.variants)
    export = exporting.of_page(dataclasses.replace(shelf, variants=starred))
    told = export.write(tmp_path / "land.html", shown, None, None)
    assert given == [("Small", 2), *((one.name, one.scene.noise.seed) for one in starred[2:5])]
    assert told[0] == "a remark" and told[1].endswith("land.html, with 3 kept lands to compare")
    with pytest.raises(InputError):
        export.require(tmp_path / "land.png")


def test_a_page_of_slides_is_made_of_the_deck_whole(tmp_path, monkeypatch):
    deck, given = Deck((Slide(SMALL, "One"), Slide(SMALL.replace({"noise.seed": 9}), "Two", "wipe"))), []

    def run(command, title, work):
        given.append((deck_file.load(Path(command[1])), command[2:]))
        return [], []

    monkeypatch.setattr(exporting, "run", run)
    path = tmp_path / "talk.html"
    with atomic.all_or_none():  # as the writer calls it: another process reads what is written meanwhile
        told = exporting.of_deck(deck).write(path, SMALL, None, None)
    assert given == [((deck, []), ["-o", str(path)])] and told == [f"Exported {path}, 2 slides"]
    with pytest.raises(InputError, match="0 slides"):
        exporting.of_deck(Deck())
