"""What drawing takes on this machine: each pass, still frames, new heights, and a flight over ever larger lands."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fellview.bench.timing import timed
from fellview.core.height_field import HeightField
from fellview.draw import stopwatch
from fellview.draw.land.height_map import HeightMap
from fellview.draw.light.incident_light import sun_direction
from fellview.draw.light.light_map import LightMap
from fellview.draw.overlay.overlay import DrawData, Overlay, TextureUpdate
from fellview.draw.passes import whole
from fellview.draw.renderer import Renderer
from fellview.draw.sky.atmosphere import Atmosphere
from fellview.draw.target import Size
from fellview.gpu import context as gpu_context
from fellview.io import scenes
from fellview.library import generate
from fellview.scene.groups.camera import Camera
from fellview.scene.scene import Scene
from fellview.view import framing

Measured = tuple[str, list[float], dict[str, Any]]

EVERYTHING: Mapping[str, Any] = {
    "ground.kind": "materials", "ground.boulders": 1.0, "ground.strata": 0.5, "water.enabled": True,
    "water.lakes": True, "sun.shadows": True, "sky.kind": "physical", "air.tone": "filmic", "view.figure": True,
    "view.scale_bar": True,
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Plan:
    """How large pictures and lands are, and how often each is drawn."""

    size: Size = (1280, 720)
    """Of pictures, in pixels."""
    sides: tuple[int, ...] = (256, 512, 1024, 2048)
    """Cells a side of the lands of still frames."""
    flight_sides: tuple[int, ...] = (512, 2048, 4096)
    whole_side: int = 512
    """Cells a side of the land whose every cell is drawn, which the other flights are compared with."""
    scene_side: int | None = None
    """Cells a side of the lands under the lights; as the scenes have it if None."""
    runs: int = 7
    flight_frames: int = 24
    everything_frames: int = 10
    """Of the flight over all there is."""
    everything: Mapping[str, Any] = dataclasses.field(default_factory=lambda: EVERYTHING)
    """What that is."""
    flight_runs: int = 2
    """Of every frame; their mean counts."""
    passes: tuple[tuple[int, int, int], ...] = ((1280, 720, 1024),)
    """Pictures' width and height, and the cells a side of the land, on any OpenGL."""
    hardware_passes: tuple[tuple[int, int, int], ...] = tuple(
        (*size, side) for size in ((1920, 1080), (3840, 2160)) for side in (1024, 4096)
    )


USUAL = Plan()


def measure(plan: Plan = USUAL) -> list[Measured]:
    """Return name, seconds of each run and figures of every benchmark of drawing."""
    context = gpu_context.standalone()
    try:
        renderer = Renderer(context)
        pictures = plan.passes if gpu_context.is_software(context) else plan.passes + plan.hardware_passes
        reports = [report for picture in pictures for report in passes(context, renderer, plan, *picture)]
        reports += [report for side in plan.sides for report in _still(context, renderer, plan, side)]
        reports += flights(renderer, context.finish, plan)
        reports += _light(context, renderer, plan)
        reports += _ground(context, renderer, plan)
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
    whole = framing.fitted(camera.replace(mode="orbit", yaw=45.0, pitch=-30.0), field, aspect)
    above = framing.fitted(whole.replace(yaw=0.0, pitch=-90.0), field, aspect).replace(yaw=45.0, mode="orbit")
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


def passes(
    context: Any, renderer: Renderer, plan: Plan, width: int, height: int, side: int, *, panel: bool = True
) -> list[Measured]:
    """Return what each pass takes of a frame in which heights and sun have changed, and of one in which nothing has.

    With the `panel` over it, which is ImGui's.
    The passes wait for each other, and so their sum is more than a whole frame; `share` is of that sum.
    """
    scene = scenes.load(scenes.MEASURED).replace({**plan.everything, "grid.rows": side, "grid.columns": side})
    field = generate(scene)
    middle = {"view.figure_x": field.size[1] / 2, "view.figure_z": field.size[0] / 2}
    scene = scene.replace({**middle, "water.sea_level": float(np.quantile(field.heights, 0.2))})
    data = _panel(scene, (width, height)) if panel else None
    overlay = Overlay(context)
    seconds: dict[str, list[float]] = {}
    for number in range(1 + plan.runs):
        turned = scene.replace({"sun.azimuth": (scene.sun.azimuth + number) % 360})
        with stopwatch.running(context) as parts:
            renderer.show(dataclasses.replace(field, heights=field.heights.copy()))
            target = renderer.draw(turned, (width, height), 1)
            if data is not None:
                with stopwatch.part("overlay"):
                    overlay.draw(data, target.picture)
        if number:  # the first compiles, and fills caches
            for name, one in parts.items():
                seconds.setdefault(name, []).append(one)
    overlay.release()
    whole = sum(statistics.median(one) for one in seconds.values())
    label = f"passes: {width}×{height}, {side}²"
    reports: list[Measured] = [
        (f"{label}, {name}", one, {"share": round(statistics.median(one) / whole, 3)}) for name, one in seconds.items()
    ]
    for samples, what in ((1, "nothing changed"), (renderer.resting_samples, "resting")):
        frame = timed(lambda samples=samples: renderer.draw(scene, (width, height), samples), 3, context.finish)  # type: ignore[misc]
        name = f"{label}, whole frame, {what}, {samples} sample{'s' if samples > 1 else ''}"
        reports.append((name, frame, {}))
    return reports


def _panel(scene: Scene, size: tuple[int, int]) -> DrawData:
    """Return the panel's triangles as the window draws them over a picture of `size`."""
    # here, so that the rest is measured where ImGui is missing
    from fellview.ui.imgui_host import FRAMES_AFTER_EVENT, Host
    from fellview.ui.panel import Panel
    from fellview.ui.status import Status

    host, panel = Host(), Panel()
    host.resize(size, size)
    updates: list[TextureUpdate] = []
    for _ in range(FRAMES_AFTER_EVENT):
        host.new_frame(1 / 60)
        panel.draw(scene, scene, Status(presets=scenes.presets(), titles=scenes.titles()))
        data = host.end_frame()
        updates += data.textures
    host.close()
    return dataclasses.replace(data, textures=tuple(updates))


def _still(context: Any, renderer: Renderer, plan: Plan, side: int) -> list[Measured]:
    """A still frame of the whole demo land, with one sample and with four; and its heights brought to the GPU."""
    scene = scenes.load("directx-demo").replace({"camera.mode": "orbit", "camera.pitch": -30.0})
    field = _land(scene, side)
    framed = scene.with_group(framing.fitted(scene.camera, field, plan.size[0] / plan.size[1]))
    renderer.show(field)
    reports: list[Measured] = []
    for samples in (1, 4):
        seconds = timed(lambda samples=samples: renderer.draw(framed, plan.size, samples), plan.runs, context.finish)  # type: ignore[misc]
        name = f"draw: {side}², {samples} sample{'s' if samples > 1 else ''}"
        reports.append((name, seconds, {}))
    others = itertools.cycle([dataclasses.replace(field, heights=field.heights.copy()) for _ in range(2)])
    height_map = HeightMap(context)
    upload = timed(lambda: height_map.upload(next(others)), plan.runs, context.finish)
    height_map.release()
    reports.append((f"draw: {side}², upload and normals", upload, {}))
    return reports


def flights(renderer: Renderer, finish: Callable[[], None], plan: Plan = USUAL) -> list[Measured]:
    """Return the flights over the measured scene, one sample a pixel; `ratio` is of worst frames, to one drawn whole.

    Once it flies under light, shadows and air over one texture, and once more, over the least and the largest land,
    over all there is: materials, beds, stones, sea, lakes and a figure. `worst_error_px` is how far levels of detail
    may move any block on the screen in the worst frame, `measured_error_px` how far they move what is seen in it.
    """
    scene = scenes.load(scenes.MEASURED)
    plain, everything = [], []
    sides = ((plan.whole_side, True), *((side, False) for side in plan.flight_sides))
    for side, full in sides:
        field = _land(scene, side)
        renderer.show(field)
        label = f"draw: flight over {side}²{', every cell' if full else ''}"
        plain.append(_flight(renderer, finish, plan, scene, label, plan.flight_frames, full))
        if full or side == plan.flight_sides[-1]:
            middle = {"view.figure_x": field.size[1] / 2, "view.figure_z": field.size[0] / 2}
            sea = {"water.sea_level": float(np.quantile(field.heights, 0.2))}
            seen = scene.replace({**plan.everything, **middle, **sea})
            everything.append(
                _flight(renderer, finish, plan, seen, f"{label}, everything", plan.everything_frames, full)
            )
    for reports in (plain, everything):
        for _, _, figures in reports:
            figures["ratio"] = round(figures["worst_ms"] / reports[0][2]["worst_ms"], 3)
    return plain + everything


def _flight(
    renderer: Renderer, finish: Callable[[], None], plan: Plan, scene: Scene, label: str, frames: int, full: bool
) -> Measured:
    """One flight over the land that is shown."""
    assert renderer.field is not None
    seconds, errors = [], []
    seen = [scene.with_group(one) for one in flight(renderer.field, scene.camera, frames, plan.size[0] / plan.size[1])]
    for one in seen:
        runs = timed(lambda one=one: renderer.draw(one, plan.size, 1, full), plan.flight_runs, finish)  # type: ignore[misc]
        seconds.append(statistics.median(runs))
        errors.append(renderer.error_px)
    figures = {"worst_ms": round(1000 * max(seconds), 3), "worst_error_px": round(max(errors), 3)}
    renderer.draw(seen[int(np.argmax(errors))], plan.size, 1, full)
    figures["measured_error_px"] = 0.0 if full else round(float(renderer.screen_error_px().max()), 3)
    return label, seconds, figures


def _light(context: Any, renderer: Renderer, plan: Plan) -> list[Measured]:
    """Frames under each kind of light, over one land of 512², and what is made anew when sun, air or heights change."""
    scene = scenes.load(scenes.OPENING_PRESET)
    field = generate(scene) if plan.scene_side is None else _land(scene, plan.scene_side)
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
            renderer.draw(scene.replace(changes), plan.size, samples)

        label = f"light: {name}, {samples} sample{'s' if samples > 1 else ''}"
        reports.append((label, timed(frame, plan.runs, context.finish), {}))

    air, height_map, light_map = Atmosphere(context), HeightMap(context), LightMap(context, 256)
    turn = itertools.count()

    def sun_moves() -> None:
        air.update(20.0 + next(turn), 60.0)

    def air_changes() -> None:
        air.update(20.0, 60.0 + next(turn))

    def cast(one: HeightField) -> None:
        if one is not height_map.field:
            height_map.upload(one)
        whole(light_map.passes(height_map, sun_direction(290.0 + next(turn), 20.0), 0.0046, shaded=True))

    reports.append(("light: sky, the sun moves", timed(sun_moves, plan.runs, context.finish), {}))
    reports.append(("light: sky, the air changes", timed(air_changes, plan.runs, context.finish), {}))
    reports.append(("light: shadows at 256², the sun moves", timed(lambda: cast(field), plan.runs, context.finish), {}))
    again = [HeightField(field.heights, field.cell_size) for _ in range(2)]
    heights = itertools.cycle(again)
    reports.append(
        (
            "light: shadows at 256² and sky shares, heights change",
            timed(lambda: cast(next(heights)), plan.runs, context.finish),
            {},
        )
    )
    return reports


def _ground(context: Any, renderer: Renderer, plan: Plan) -> list[Measured]:
    """Frames of one land of 512² with the demo's texture, with water, materials, stones, and as a map; `ratio` to the
    first, by the fastest run of each.
    """
    scene = scenes.load(scenes.OPENING_PRESET)
    field = generate(scene) if plan.scene_side is None else _land(scene, plan.scene_side)
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
            renderer.draw(scene.replace(changes), plan.size, samples)

        seconds = timed(frame, plan.runs, context.finish)
        ratio = min(seconds) / first.setdefault(samples, min(seconds))
        label = f"ground: {name}, {samples} sample{'s' if samples > 1 else ''}"
        reports.append((label, seconds, {"ratio": round(ratio, 3)}))
    return reports
