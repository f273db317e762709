"""Recorded outputs of reference programs: each file holds inputs and what a reference gave for them.

A collection beside the checkout is read first, since it may be newer; `golden/` has what a clone alone needs.
"""

from __future__ import annotations

import functools
from pathlib import Path
from types import MappingProxyType

import numpy as np

from fellview.scene.scene import Scene
from fellview.terrain.domain import Domain, Grid
from fellview.terrain.steps.erosion import Erosion
from fellview.terrain.steps.noise import Noise
from fellview.terrain.steps.perturb import Perturb
from fellview.terrain.steps.smooth import Smooth

_OWN = Path(__file__).parent / "golden"
_FOLDERS = (_OWN.parents[2] / "shared" / "golden", _OWN)

TERRAINS = ("terrain_48x64", "terrain_mesh_17x23", "terrain_directx_demo_512")
"""Every terrain of the DirectX demo's own pipeline, stage by stage."""


@functools.cache
def load(name):
    """Return the arrays of a file by name, read-only."""
    path = next(folder / f"{name}.npz" for folder in _FOLDERS if (folder / f"{name}.npz").is_file())
    with np.load(path) as data:
        arrays = {key: data[key] for key in data.files}
    for array in arrays.values():
        array.flags.writeable = False
    return MappingProxyType(arrays)


def terrain_groups(data):
    """Return the parameter groups that a terrain file was recorded with, by step key and `grid`."""
    of = {key: value.item() for key, value in data.items() if value.ndim == 0}
    groups = (
        Grid(rows=of["rows"], columns=of["cols"], size_x=of["size_x"], size_z=of["size_z"]),
        Noise(frequency=of["noise_frequency"], amplitude=of["noise_amplitude"], seed=of["rand_seed"]),
        Perturb(frequency=of["perturb_frequency"], distance=of["perturb_distance"]),
        Erosion(kind="demo", threshold=of["erosion_threshold"], iterations=of["erosion_iterations"]),
        Smooth(iterations=1),
    )
    return Scene().terrain_groups() | {group.key: group for group in groups}


def domain(groups):
    """Return what the steps are told beside their own parameters."""
    return Domain(groups["grid"], groups["noise"].seed)
