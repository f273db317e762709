"""What drawing takes on this machine: still frames, new heights, and a flight over ever larger lands."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from fellview.core.height_field import HeightField
from fellview.draw.atmosphere import Atmosphere
from fellview.draw.height_map import HeightMap
from fellview.draw.light_map import LightMap
from fellview.draw.lighting import sun_direction
from fellview.draw.renderer import Renderer
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.look import Camera
from fellview.scene.scene import Scene
from fellview.stopwatch import timed
from fellview.view import framing

Measured = tuple[str, list[float], dict[str, Any]]

_SIZE = (1280, 720)
_SIDES = (256, 512, 1024, 2048)
_FLIGHT_SIDES = (512, 2048, 4096)
_WHOLE_SIDE = 512  # the land whose every cell is drawn, which the others are compared with
_RUNS = 7
_FLIGHT_FRAMES = 24
_FLIGHT_RUNS = 3  # of every frame; its median counts


def measure() -> list[Measured]:
    """Return name, seconds of each run and figures of every benchmark of drawing."""
    context = gpu_context.standalone()
    try:
        renderer = Renderer(context)
        reports = [report for side in _SIDES for report in _still(renderer, context.finish, side)]
        reports += _flights(renderer, context.finish)
        reports += _light(context, renderer)
        reports += _ground(context, renderer)
        for _, _, figures in reports:
            figures["renderer"] = gpu_context.renderer(context)
        return reports
    finally:
        context.release()


def flight(field: HeightField, camera: Camera, frames: int, aspect: float) -> list[Camera]:
    """Return cameras along a flight that sees the land in every way: whole, at grazing angles, close, and from above.

    It comes down from a view of the whole land to its edge, crosses it at a fiftieth of its width over the ground,
    lower than the hills, and rises until it looks straight down. `camera` gives the lens, `aspect` is width by height.
    """
    whole = framing.frame(camera.replace(mode="orbit", yaw=45.0, pitch=-30.0), field, aspect)
    above = framing.top(whole, field, aspect).replace(yaw=45.0, mode="orbit")
    wide, lowest = field.size[1], field.height_range[0]
    in_and_out = (0.12, 0.6)  # of the diagonal; where the crossing begins and ends

    def ground(share: float) -> float:
        row, column = (min(int(share * side), side - 1) for side in field.heights.shape)
        around = field.heights[max(row - field.rows // 50, 0) : row + field.rows // 50 + 1]
        return float(around[:, max(column - field.columns // 50, 0) : column + field.columns // 50 + 1].max())

    def crossing(share: float) -> Camera:
        place = in_and_out[0] + share * (in_and_out[1] - in_and_out[0])
        height = max(ground(place) + wide / 50, lowest)
        return whole.replace(x=place * field.size[1], z=place * field.size[0], y=height, pitch=-8.0 + 4 * share)

    legs = (
        lambda share: _between(whole, crossing(0.0), share),
        crossing,
        lambda share: _between(crossing(1.0), above, share),
    )
    times = np.linspace(0.0, len(legs), frames)
    return [legs[min(int(at), len(legs) - 1)](float(at - min(int(at), len(legs) - 1))) for at in times]


def _between(one: Camera, other: Camera, share: float) -> Camera:
    smooth = share * share * (3 - 2 * share)
    numbers = ("x", "y", "z", "pitch")
    return one.replace(**{name: (1 - smooth) * getattr(one, name) + smooth * getattr(other, name) for name in numbers})


def _land(scene: Scene, side: int) -> HeightField:
    return generate(scene.replace({"grid.rows": side, "grid.columns": side}))


def _still(renderer: Renderer, finish: Callable[[], None], side: int) -> list[Measured]:
    """A still frame of the whole demo land, with one sample and with four; and its heights brought to the GPU."""
    scene = scenes.load("directx-demo").replace({"camera.mode": "orbit", "camera.pitch": -30.0})
    field = _land(scene, side)
    framed = scene.with_group(framing.frame(scene.camera, field, _SIZE[0] / _SIZE[1]))
    renderer.show(field)
    reports: list[Measured] = []
    for samples in (1, 4):
        seconds = timed(lambda samples=samples: renderer.draw(framed, _SIZE, samples), _RUNS, finish)  # type: ignore[misc]
        name = f"draw: {side}², {samples} sample{'s' if samples > 1 else ''}"
        reports.append((name, seconds, {}))
    upload = timed(lambda: renderer.show(dataclasses.replace(field)), _RUNS, finish)
    reports.append((f"draw: {side}², upload and normals", upload, {}))
    return reports


def _flights(renderer: Renderer, finish: Callable[[], None]) -> list[Measured]:
    """The flight over the measured scene, one sample a pixel; `ratio` is of worst frames, to a 512² one drawn whole."""
    scene = scenes.load(scenes.MEASURED)
    reports: list[Measured] = []
    whole_worst = 0.0
    for side, full in ((_WHOLE_SIDE, True), *((side, False) for side in _FLIGHT_SIDES)):
        field = _land(scene, side)
        renderer.show(field)
        seconds = []
        for camera in flight(field, scene.camera, _FLIGHT_FRAMES, _SIZE[0] / _SIZE[1]):
            seen = scene.with_group(camera)
            runs = timed(lambda seen=seen, full=full: renderer.draw(seen, _SIZE, 1, full), _FLIGHT_RUNS, finish)  # type: ignore[misc]
            seconds.append(statistics.median(runs))
        worst = max(seconds)
        whole_worst = whole_worst or worst
        figures = {"worst_ms": round(1000 * worst, 3), "ratio": round(worst / whole_worst, 3)}
        reports.append((f"draw: flight over {side}²{', every cell' if full else ''}", seconds, figures))
    return reports


def _light(context: Any, renderer: Renderer) -> list[Measured]:
    """Frames under each kind of light, over one land of 512², and what is made anew when sun, air or heights change."""
    scene = scenes.load(scenes.OPENING_PRESET)
    field = generate(scene)
    renderer.show(field)
    plain = {"sky.kind": "gradient", "air.tone": "none", "sun.shadows": False}
    reports: list[Measured] = []
    kinds = {
        "display colours": plain,
        "display colours and shadows": {**plain, "sun.shadows": True},
        "gradient, filmic": {**plain, "air.tone": "filmic"},
        "physical, filmic, shadows": {"sky.kind": "physical", "air.tone": "filmic", "sun.shadows": True},
    }
    for (name, changes), samples in itertools.product(kinds.items(), (1, 4)):

        def frame(changes: Any = changes, samples: int = samples) -> None:
            renderer.draw(scene.replace(changes), _SIZE, samples)

        label = f"light: {name}, {samples} sample{'s' if samples > 1 else ''}"
        reports.append((label, timed(frame, _RUNS, context.finish), {}))

    air, height_map, light_map = Atmosphere(context), HeightMap(context), LightMap(context, 256)
    turn = itertools.count()

    def sun_moves() -> None:
        air.update(20.0 + next(turn), 60.0)

    def air_changes() -> None:
        air.update(20.0, 60.0 + next(turn))

    def cast(one: HeightField) -> None:
        if one is not height_map.field:
            height_map.upload(one)
        light_map.texture(height_map, sun_direction(290.0 + next(turn), 20.0), 0.0046, shaded=True)

    reports.append(("light: sky, the sun moves", timed(sun_moves, _RUNS, context.finish), {}))
    reports.append(("light: sky, the air changes", timed(air_changes, _RUNS, context.finish), {}))
    reports.append(("light: shadows at 256², the sun moves", timed(lambda: cast(field), _RUNS, context.finish), {}))
    again = [HeightField(field.heights, field.cell_size) for _ in range(2)]
    heights = itertools.cycle(again)
    reports.append(
        (
            "light: shadows at 256² and sky shares, heights change",
            timed(lambda: cast(next(heights)), _RUNS, context.finish),
            {},
        )
    )
    return reports


def _ground(context: Any, renderer: Renderer) -> list[Measured]:
    """Frames of one land of 512² with the demo's texture, with water, materials, stones, and as a map; `ratio` to the
    first, by the fastest run of each.
    """
    scene = scenes.load(scenes.OPENING_PRESET)
    field = generate(scene)
    renderer.show(field)
    materials = {"ground.kind": "materials", "ground.snow_line": 300.0}
    sea = {"water.enabled": True}
    inland = {**sea, "water.lakes": True, "water.rivers": True}
    kinds: dict[str, dict[str, Any]] = {
        "one texture": {"ground.kind": "demo"},
        "one texture, sea": {"ground.kind": "demo", **sea},
        "one texture, sea, lakes and rivers": {"ground.kind": "demo", **inland},
        "materials": materials,
        "materials, sea, lakes and rivers": {**materials, **inland},
        "materials, beds and stones": {**materials, "ground.strata": 0.5, "ground.boulders": 1.0},
        "slope map, contour lines": {"view.mode": "slope", "view.contours": True},
    }
    reports: list[Measured] = []
    first: dict[int, float] = {}
    for (name, changes), samples in itertools.product(kinds.items(), (1, 4)):

        def frame(changes: Any = changes, samples: int = samples) -> None:
            renderer.draw(scene.replace(changes), _SIZE, samples)

        seconds = timed(frame, _RUNS, context.finish)
        ratio = min(seconds) / first.setdefault(samples, min(seconds))
        label = f"ground: {name}, {samples} sample{'s' if samples > 1 else ''}"
        reports.append((label, seconds, {"ratio": round(ratio, 3)}))
    return reports
