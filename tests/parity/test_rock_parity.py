"""Layers of rock by OpenGL against the CPU's: what lies at the surface, what erosion makes of it, and the fields."""

import numpy as np
import pytest

from fellview.gpu.twin import GpuLand
from fellview.gpu.twins import erosion as erosion_twin
from fellview.gpu.twins import rock as twin
from fellview.terrain.domain import Domain
from fellview.terrain.erosion import rock
from fellview.terrain.erosion.rock import Rock
from fellview.terrain.hydrology import drainage
from fellview.terrain.progress import Progress
from fellview.terrain.steps import erosion
from fellview.terrain.steps.erosion import Erosion
from tests.parity.twins import finished, lent
from tests.terrain.test_erosion_properties import land, pits

STOP = np.zeros(1, np.uint8)
BENT = Rock(enabled=True, thickness=80.0, tilt=4.0, tilt_azimuth=30.0, undulation=60.0, cap_thickness=50.0)


def layered(rows, columns, **changes):
    where, heights = land(rows, columns)
    return Domain(where.grid, where.seed, (BENT.replace(**changes),)), heights


def test_what_lies_at_the_surface_is_the_cpus(passes):
    where, heights = layered(90, 70)
    layers = rock.strata(where, float(heights.min()), float(heights.max()))
    ground = np.minimum(heights, heights.mean())  # the upper half lies under scree
    cpu = rock.Laid(layers, where, 90, 70, 0.0, 1.0, 38.0, 1.0, STOP, drainage.padded(ground, 0))
    gpu = twin.Laid(passes, layers, where, 90, 70, 0.0, 1.0, 38.0, 1.0, passes.upload(ground))
    for now in (heights, heights - 30, heights - 29):  # in the end a metre of scree, on what was cut
        cpu.look_up(drainage.padded(now, 0), STOP)
        gpu.look_up(passes.upload(now))
        ease, tangents = (drainage.inner(f, 90, 70) for f in (cpu.ease, cpu.tangents))
        surface = passes.read(gpu.surface)
        # noise equal to 1e-5 of its range puts a contact, a fifth of a layer thick, up or down by a millimetre
        np.testing.assert_allclose(surface[..., 0], ease, rtol=3e-3)
        np.testing.assert_allclose(surface[..., 1], tangents, rtol=3e-3)
        assert np.ptp(ease) > 1 and np.ptp(tangents) > 1


@pytest.mark.parametrize(("kind", "least"), [("thermal", 0.99999), ("fluvial", 0.99), ("hydraulic", 0.99)])
def test_erosion_makes_the_same_of_layers(passes, kind, least):
    where, heights = layered(96, 110)
    wanted = Erosion(kind=kind, talus_angle=30.0, duration=20.0)
    cpu = erosion.run(wanted, where, heights, Progress())
    given = passes.upload(heights)
    before = lent(passes)
    made, _ = finished(erosion_twin.TWIN.run(passes, wanted, where, GpuLand(given)))
    assert lent(passes) == before + 1 + len(made.fields)
    gpu = passes.read(made.heights)
    assert np.corrcoef((gpu - heights).ravel(), (cpu.heights - heights).ravel())[0, 1] > least
    even = erosion.run(wanted, Domain(where.grid, where.seed), heights, Progress())
    even = even if isinstance(even, np.ndarray) else even.heights
    assert np.abs(cpu.heights - even).mean() > 10 * np.abs(cpu.heights - gpu).mean()
    assert {field.name for field in rock.FIELDS} <= set(made.fields) and set(made.fields) == set(cpu.fields)
    hardness = passes.read(made.fields["rock_hardness"])
    # whether a cliff falls in this step or the next is up to rounding, and moves the rivers below it
    assert np.mean(np.abs(hardness - cpu.fields["rock_hardness"]) > 0.05) < 0.15
    if kind == "fluvial":
        assert pits(gpu) == 0


def test_rivers_on_layers_without_cliffs_are_the_cpus(passes):
    where, heights = layered(96, 110, cliff_angle=1.0)
    wanted = Erosion(kind="fluvial", talus_angle=30.0, duration=20.0)
    cpu = erosion.run(wanted, where, heights, Progress()).heights
    made, _ = finished(erosion_twin.TWIN.run(passes, wanted, where, GpuLand(passes.upload(heights))))
    gpu = passes.read(made.heights)
    even = erosion.run(wanted, Domain(where.grid, where.seed), heights, Progress())
    assert np.abs(gpu - cpu).max() < 0.05  # m, of a relief of a kilometre; 0.0014 where it was measured
    assert np.abs(cpu - even).max() > 100


def test_fields_are_the_cpus(passes):
    where, heights = layered(96, 110)
    cpu = rock.fields(where, heights, STOP)
    gpu = twin.fields(passes, where, passes.upload(heights))
    for name in (field.name for field in rock.FIELDS):
        differing = np.mean(np.abs(passes.read(gpu[name]) - cpu[name]) > 1e-3)
        assert differing < 1e-2, name  # a place between two samples can fall to either side
    assert twin.fields(passes, Domain(where.grid, 1), passes.upload(heights)) == {}
