"""Recipes, and the files that are written like them: projects, decks, lists of shots, films, and pasted text."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path
from random import Random

import numpy as np

from fellview.capture import shot_list
from fellview.core.height_field import HeightField
from fellview.io import scenes
from fellview.scene import recipe
from fellview.scene.bookmarks import Bookmark
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.studio import deck_file, project
from fellview.studio.deck import Deck, Showing, Slide
from fellview.studio.films import film_file
from fellview.studio.films.film import Setting
from fellview.studio.shelf import Shelf, Variant
from tests.fuzz import damage
from tests.fuzz.inputs.kind import Kind, placed, with_neighbours
from tests.fuzz.inputs.still import shown


@functools.cache
def recipes() -> tuple[str, ...]:
    return tuple(recipe.to_text(scenes.load(name)) for name in scenes.presets())


def recipe_bytes(random: Random) -> bytes:
    return damage.recipe(random, random.choice(recipes()), random.choice(recipes()))


def _make_recipe(random: Random, folder: Path) -> Path:
    with_neighbours(random, folder)
    path = folder / random.choice(("scene.toml", "scene.toml", "scene.TOML", "a\nb.toml", "\x1b[31m.toml"))
    placed(random, path, lambda: recipe_bytes(random))
    return path


def read_scene(path: Path, folder: Path) -> list[str]:
    scene, notices = scenes.load_with_notices(path)
    again, _ = recipe.from_text(recipe.to_text(scene))
    assert again == scene, "what was read is not what is written of it"
    return shown(notices, folder)


def _make_project(random: Random, folder: Path) -> Path:
    shelves = [
        Shelf((Variant("0123abcd", "One", one), Variant("4567cdef", "Another", Scene(name="one"), star=True)))
        for one in map(scenes.load, scenes.presets()[:3])
    ]
    path = folder / "lands.toml"
    one, other = (project.to_text(random.choice(shelves)) for _ in range(2))
    placed(random, path, lambda: damage.recipe(random, one, other))
    return path


def _read_project(path: Path, folder: Path) -> list[str]:
    found = project.load(path)
    assert project.from_text(project.to_text(found.shelf), "again", folder)[0] == found.shelf
    return list(found.notices)


def _make_deck(random: Random, folder: Path) -> Path:
    lands = [scenes.load(name) for name in scenes.presets()[:3]]
    decks = [Deck((Slide(one, "A land"), Slide(Scene(name="one"), "", "cut")), Showing(turn=True)) for one in lands]
    path = folder / "deck.toml"
    one, other = (deck_file.to_text(random.choice(decks)) for _ in range(2))
    placed(random, path, lambda: damage.recipe(random, one, other))
    return path


def _read_deck(path: Path, folder: Path) -> list[str]:
    deck, notices = deck_file.load(path)
    assert deck_file.from_text(deck_file.to_text(deck), "again", folder)[0] == deck
    return notices


_SHOTS = """
shots = 1
scene = "dunes"
size = "64x40"
samples = 1
passes = ["depth"]
name = "{scene}-{camera}-{number}"
[[variants]]
name = "one"
noise.seed = 7
[[variants]]
scene = "lands.toml"
[[cameras]]
name = "low"
y = 40.0
[[suns]]
azimuth = 80
elevation = 6.5
[[views]]
mode = "slope"
"""


def _make_shots(random: Random, folder: Path) -> Path:
    with_neighbours(random, folder)
    (folder / "lands.toml").write_text(recipes()[0])
    path = folder / "list.toml"
    placed(random, path, lambda: damage.recipe(random, _SHOTS, random.choice((_SHOTS, recipes()[1]))))
    return path


def _read_shots(path: Path, folder: Path) -> list[str]:
    listed, notices = shot_list.load(path, folder / "out")
    assert all(one.path.parent == folder / "out" for one in listed), "a picture in a folder of the list's choice"
    assert not any(one.is_taken() for one in listed)
    return shown(notices, folder)


_FILMS = (
    'film = 1\nkind = "turntable"\nframes = 9\nrate = 24.5\nsize = "64x48"\n[turntable]\npitch = -20\n',
    'film = 1\nkind = "day"\nset = { "sun.elevation" = 3 }\n[day]\nlatitude = 60\ndate = 12\nstart = 3\nend = 22\n',
    'film = 1\nkind = "sweep"\n[sweep]\n"noise.frequency" = [2, 8, 3]\n"erosion.kind" = ["none", "thermal"]\n',
    'film = 1\nkind = "morph"\nscene = "scene.toml"\n[morph]\nto = "volcano"\n',
    'film = 1\nkind = "flight"\nscene = "scene.toml"\n[flight]\nspeed = 90\nlook_ahead = 20\nclosed = true\n',
    'film = 1\nkind = "erosion"\nscene = "canyon"\n',
)


def _make_film(random: Random, folder: Path) -> Path:
    cameras = [Camera(x=random.uniform(0, 900), z=random.uniform(0, 900)) for _ in range(random.randrange(4))]
    bookmarks = tuple(Bookmark(number, "a", one) for number, one in enumerate(cameras, start=1))
    text = recipe.to_text(dataclasses.replace(Scene(), bookmarks=bookmarks))
    whole = random.random() < 0.8
    (folder / "scene.toml").write_bytes(text.encode() if whole else damage.recipe(random, text, text))
    path = folder / "film.toml"
    placed(random, path, lambda: damage.recipe(random, random.choice(_FILMS), random.choice(_FILMS)))
    return path


def _read_film(path: Path, folder: Path) -> list[str]:
    film, notices = film_file.load(path)
    plain = HeightField(np.zeros((8, 8), np.float32), (100.0, 100.0))
    frame = film.planned(Setting(1.5, lambda scene: plain, lambda scene, field: None))
    for number in {0, film.timing.frames // 2, film.timing.frames - 1}:
        frame(number)
    return shown(notices, folder)


def _make_text(random: Random, folder: Path) -> str:
    with_neighbours(random, folder)
    return recipe_bytes(random).decode(errors="surrogateescape" if random.random() < 0.05 else "replace")


def _read_text(text: str, folder: Path) -> list[str]:
    _, notices = scenes.from_text(text, "pasted text", folder)
    return shown(notices, folder)


KINDS: dict[str, Kind] = {
    "recipe": Kind(_make_recipe, read_scene),
    "project": Kind(_make_project, _read_project),
    "deck": Kind(_make_deck, _read_deck),
    "shots": Kind(_make_shots, _read_shots),
    "film": Kind(_make_film, _read_film),
    "pasted": Kind(_make_text, _read_text),
}
