"""Hydraulic erosion on CPU and GPU: the same step by step to rounding, the same land in the end."""

import numpy as np
import pytest

from fellview.gpu.twin import GpuLand
from fellview.gpu.twins import hydraulic as twin
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.erosion import hydraulic
from fellview.terrain.hydrology import drainage
from fellview.terrain.progress import Progress
from fellview.terrain.steps import erosion, noise
from fellview.terrain.steps.erosion import Erosion
from tests.parity.twins import finished, lent

STOP = np.zeros(1, np.uint8)
USUAL = hydraulic.Hydraulic()


def land(rows, columns, size_x=4000.0):
    where = Domain(Grid(rows=rows, columns=columns, size_z=4000.0, size_x=size_x), 12)
    parameters = noise.Noise(frequency=3.2, octaves=9, amplitude=900.0, gain=0.47, lacunarity=2.03)
    return where, noise.run(parameters, where, np.zeros((rows, columns), np.float32), Progress())


def test_single_steps_are_the_same(passes):
    """Sixty-one steps over wet ground with sediment in it, sixteen slumps among them; edge cells too."""
    rows, columns = 37, 50
    _, heights = land(rows, columns)
    random = np.random.default_rng(1)
    ground = (heights - heights.min()) / np.ptp(heights)
    water, load = random.random((2, rows, columns), np.float32) * np.float32([[[0.02]], [[1.0]]])
    plan = hydraulic.plan(USUAL, rows, columns, (0.8, 1.25), 1.5)
    cpu, gpu = hydraulic.Level(rows, columns, plan, 5), twin.Level(passes, rows, columns, plan, 5)
    for field, values in ((cpu.ground, ground), (cpu.water, water), (cpu.load, load)):
        drainage.inner(field, rows, columns)[:] = values
    gpu.land.write(np.ascontiguousarray(np.stack([ground, water, load, np.zeros_like(load)], axis=-1)))
    for number in range(61):
        cpu.step(STOP)
        gpu.step()
        if number % hydraulic.SLUMP_EVERY == 0:
            cpu.slump(STOP)
            gpu.slump()
        if number in (0, 60):
            found = passes.read(gpu.land)
            wanted = [drainage.inner(field, rows, columns) for field in (cpu.ground, cpu.water)]
            for k, values in enumerate(wanted):
                np.testing.assert_allclose(found[..., k], values, atol=2e-6 if number else 3e-7)
            carried = wanted[1] * drainage.inner(cpu.load, rows, columns)
            np.testing.assert_allclose(found[..., 1] * found[..., 2], carried, atol=5e-6 if number else 3e-7)
            assert np.abs(wanted[0] - ground).max() > 1e-4
    gpu.give_back()


def test_a_run_over_three_levels_makes_the_same_land(passes):
    where, heights = land(150, 110, size_x=3000.0)
    parameters = Erosion(kind="hydraulic", duration=25.0)
    cpu = erosion.run(parameters, where, heights, Progress())
    below = GpuLand(passes.upload(heights))
    gpu, fractions = finished(twin.run(passes, parameters, where, below))
    assert fractions == sorted(fractions) and fractions[-1] <= 1
    np.testing.assert_array_equal(passes.read(below.heights), heights)
    after = passes.read(gpu.heights)
    relief = float(np.ptp(heights))
    change, wanted = after - heights, cpu.heights - heights
    assert np.corrcoef(change.ravel(), wanted.ravel())[0, 1] > 0.99
    assert change.mean() == pytest.approx(wanted.mean(), abs=1e-3 * relief)
    hypsometry = np.abs(np.sort(after, axis=None) - np.sort(cpu.heights, axis=None))
    assert hypsometry.max() < 0.02 * relief
    assert set(gpu.fields) == set(cpu.fields)
    for name, values in cpu.fields.items():
        assert passes.read(gpu.fields[name]).mean() == pytest.approx(values.mean(), rel=0.05)


def test_textures_come_back_when_a_run_is_closed(passes):
    where, heights = land(150, 110)
    below = GpuLand(passes.upload(heights))

    before = lent(passes)
    for turns in (1, 14, 30):  # within each of the three levels
        generator = twin.run(passes, Erosion(kind="hydraulic", duration=25.0), where, below)
        assert len([one for _, one in zip(range(turns), generator, strict=False)]) == turns
        generator.close()
        assert lent(passes) == before
    land_, _ = finished(twin.run(passes, Erosion(kind="hydraulic", duration=0.1), where, below))
    assert lent(passes) == before + 1 + len(land_.fields)


def test_flat_land_stays_and_is_dry(passes):
    flat = np.full((20, 30), 50.0, np.float32)
    gpu, _ = finished(
        twin.run(passes, Erosion(kind="hydraulic"), Domain(Grid(rows=20, columns=30), 1), GpuLand(passes.upload(flat)))
    )
    np.testing.assert_array_equal(passes.read(gpu.heights), flat)
    assert not passes.read(gpu.fields["water_depth"]).any()
