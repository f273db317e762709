"""The parts of `gpu_check.py` that hold the GPU engine against the CPU's: whole lands, each step and each noise."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fellview.bench import parity
from fellview.bench.gpu_plan import Clock, Plan, Report, a_context, computed, each
from fellview.bench.parity import NoiseCase
from fellview.core.height_field import HeightField
from fellview.gpu.engine import GpuEngine
from fellview.gpu.noise_map import NoiseMap
from fellview.terrain.pipeline.engine import CpuEngine
from fellview.terrain.pipeline.masks import watered
from fellview.terrain.pipeline.pipeline import STEPS, Pipeline
from fellview.terrain.step import Land

LEAST_CORRELATION = 0.9999
"""Of a scene's heights by both engines."""


def scene_on_cpu(preset: str, side: int) -> HeightField:
    """Return the land of a preset with every mask that it has."""
    scene = parity.scene_of(preset, side)
    field = watered(Pipeline(CpuEngine()).run(scene.terrain_groups()).field, scene.water)
    return HeightField(field.heights, field.cell_size, dict(field.masks))


def lands(plan: Plan, clock: Clock) -> Iterator[Report]:
    """Every scene's heights and masks by both engines."""
    report: Report = {"cells": f"{plan.scene_side}²", "least_correlation": LEAST_CORRELATION}
    wanted = {preset: (preset, plan.scene_side) for preset in plan.presets}
    with a_context() as context, computed(plan, scene_on_cpu, wanted, clock) as on_cpu:
        engine = GpuEngine(context)

        def compared(preset: str) -> Report:
            scene = parity.scene_of(preset, plan.scene_side)
            gpu = Pipeline(engine).run(scene.terrain_groups()).field
            gpu = watered(gpu, scene.water)
            cpu = on_cpu(preset)
            apart = parity.fields_apart(cpu, gpu, tuple(sorted(set(cpu.masks) & set(gpu.masks))))
            if not apart["correlation"] >= LEAST_CORRELATION:
                report.setdefault("beyond", []).append(preset)
            return apart

        items = {preset: functools.partial(compared, preset) for preset in plan.presets}
        yield from each(report, "scenes", items, clock)
        engine.release()


def _step_on_cpu(case: tuple[str, str, str]) -> Land:
    with tempfile.TemporaryDirectory() as folder:
        return step_case(case, Path(folder)).on_cpu()


def step_case(case: tuple[str, str, str], folder: Path) -> parity.StepCase:
    """Return a case of `step_cases` with what it reads in `folder`."""
    key, name, option = case
    return parity.step_case(next(step for step in STEPS if step.key == key), name, option, folder)


def _noise_on_cpu(cases: tuple[NoiseCase, ...]) -> list[Any]:
    return [case.on_cpu() for case in cases]


def noise_cases(kind: str, dimension: int) -> tuple[NoiseCase, ...]:
    """Return a sum of octaves, and a warped one far from the origin."""
    return (
        NoiseCase(kind, dimension, 77, parity.PLACES[1], None, {"octaves": 3}),
        NoiseCase(kind, dimension, 2**32 - 1, parity.PLACES[2], None, {"octaves": 2, "warp": 1.0}),
    )


def step_cases(plan: Plan) -> dict[str, tuple[str, str, str]]:
    """Return every way of every step that does something, by name."""
    return {
        f"{step.key} {option}".strip(): (step.key, name, option)
        for step, name, option in parity.CASES
        if step.key in plan.steps and option != "none"
    }


def twins(plan: Plan, clock: Clock) -> Iterator[Report]:
    """Every way of every step by both engines, and every noise."""
    report: Report = {"noise_excess": "difference as a share of what is allowed"}
    families = {f"{k} {d}": (k, d) for k, d in parity.FAMILIES if k in plan.noises}
    steps = step_cases(plan)
    with a_context() as context, tempfile.TemporaryDirectory() as folder:
        engine, noise_map = GpuEngine(context), NoiseMap(context)

        def step(on_cpu: Callable[[str], Land], name: str) -> Report:
            case = step_case(steps[name], Path(folder))
            gpu = case.on_gpu(engine)
            apart = case.apart(on_cpu(name), gpu)
            if not case.holds(apart):
                report.setdefault("beyond", []).append(name)
            told = {"largest_m": apart.largest_m, "changes_correlate": apart.alike}
            if not case.allowed.alike:
                told["share_beyond"] = apart.share
            more = {"on_the_cpu": True} if engine.twin_of(case.step, case.parameters) is None else {}
            return {key: float(f"{value:.4g}") for key, value in told.items()} | more

        def noise(on_cpu: Callable[[str], list[Any]], name: str) -> float:
            cases = noise_cases(*families[name])
            gpu = [case.on_gpu(noise_map) for case in cases]
            excess = max(case.excess(*both) for case, *both in zip(cases, on_cpu(name), gpu, strict=True))
            if not excess <= 1:
                report.setdefault("beyond", []).append(name)
            return round(excess, 4)

        with computed(plan, _step_on_cpu, {name: (case,) for name, case in steps.items()}, clock) as on_cpu:
            yield from each(report, "steps", {name: functools.partial(step, on_cpu, name) for name in steps}, clock)
        wanted = {name: (noise_cases(*family),) for name, family in families.items()}
        with computed(plan, _noise_on_cpu, wanted, clock) as on_cpu:
            items = {name: functools.partial(noise, on_cpu, name) for name in families}
            yield from each(report, "noises", items, clock)
        engine.release()
