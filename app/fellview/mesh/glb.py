"""Binary glTF 2.0: one file with the land's mesh, its coarser levels and its colour map.

Coarser levels are meshes of their own, which the extension MSFT_lod names: readers without it show the finest.
Source: Khronos Group, glTF 2.0 Specification (2021), https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html, section
4 (GLB) and 3.6 (geometry).
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from fellview.core.errors import InputError
from fellview.mesh.land_mesh import Floats, LandMesh
from fellview.version import VERSION

_MAGIC, _GLTF_VERSION, _JSON, _BINARY = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
_LARGEST_FILE = (1 << 32) - 1  # its length is 32 bits
_FLOAT, _UNSIGNED_INT = 5126, 5125
_ARRAY_BUFFER, _ELEMENT_ARRAY_BUFFER = 34962, 34963
_LINEAR, _LINEAR_MIPMAP_LINEAR, _CLAMP_TO_EDGE = 9729, 9987, 33071


@dataclass
class _Buffer:
    """The binary part: what lies in it, and how it is described."""

    parts: list[bytes | memoryview] = field(default_factory=list)
    length: int = 0
    views: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)

    def view(self, data: bytes | memoryview, target: int | None = None) -> int:
        """Return the number of a new view of `data`."""
        aligned = bytes(-self.length % 4)
        self.parts += [aligned, data]
        self.length += len(aligned)
        aimed = {} if target is None else {"target": target}
        self.views.append({"buffer": 0, "byteOffset": self.length, "byteLength": len(data), **aimed})
        self.length += len(data)
        return len(self.views) - 1

    def accessor(self, values: NDArray[Any], kind: str, target: int, extent: bool = False) -> int:
        """Return the number of a new accessor of `values`, which are one element a row."""
        little = np.ascontiguousarray(values, values.dtype.newbyteorder("<")).reshape(-1).view(np.uint8)
        described = {
            "bufferView": self.view(little.data, target),
            "componentType": _FLOAT if values.dtype.kind == "f" else _UNSIGNED_INT,
            "count": len(values),
            "type": kind,
        }
        if extent:
            described |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        self.accessors.append(described)
        return len(self.accessors) - 1


def write(
    file: BinaryIO,
    levels: Sequence[LandMesh],
    coordinates: Sequence[Floats],
    colour: bytes | None,
    name: str,
    extras: Mapping[str, Any],
) -> None:
    """Write the `levels` of a mesh, the finest first, with their texture coordinates, to `file`.

    `colour` is a PNG of the colour map, or None. `extras` are facts that readers show or pass over. `InputError` where
    it would be more than the format holds.
    """
    buffer = _Buffer()
    meshes: list[dict[str, Any]] = []
    for number, (level, places) in enumerate(zip(levels, coordinates, strict=True)):
        attributes = {
            "POSITION": buffer.accessor(level.positions, "VEC3", _ARRAY_BUFFER, extent=True),
            "NORMAL": buffer.accessor(level.normals, "VEC3", _ARRAY_BUFFER),
            "TEXCOORD_0": buffer.accessor(places, "VEC2", _ARRAY_BUFFER),
        }
        indices = buffer.accessor(level.triangles.reshape(-1), "SCALAR", _ELEMENT_ARRAY_BUFFER)
        meshes.append(
            {
                "name": f"{name}_LOD{number}" if len(levels) > 1 else name,
                "primitives": [{"attributes": attributes, "indices": indices, "material": 0}],
                "extras": {"error_m": level.error_m, "mean_error_m": level.mean_error_m},
            }
        )
    nodes: list[dict[str, Any]] = [{"mesh": number, "name": each["name"]} for number, each in enumerate(meshes)]
    surface: dict[str, Any] = {"metallicFactor": 0.0, "roughnessFactor": 1.0}
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": f"Fellview {VERSION}", "extras": dict(extras)},
        "scene": 0,
        "scenes": [{"name": name, "nodes": [0]}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": [{"name": "land", "pbrMetallicRoughness": surface}],
    }
    if colour is not None:
        surface["baseColorTexture"] = {"index": 0}
        document |= {
            "textures": [{"source": 0, "sampler": 0}],
            "images": [{"name": "colour", "mimeType": "image/png", "bufferView": buffer.view(colour)}],
            "samplers": [
                {
                    "magFilter": _LINEAR,
                    "minFilter": _LINEAR_MIPMAP_LINEAR,
                    "wrapS": _CLAMP_TO_EDGE,
                    "wrapT": _CLAMP_TO_EDGE,
                }
            ],
        }
    if len(levels) > 1:
        nodes[0]["extensions"] = {"MSFT_lod": {"ids": list(range(1, len(levels)))}}
        document["extensionsUsed"] = ["MSFT_lod"]
    document |= {
        "buffers": [{"byteLength": buffer.length}],
        "bufferViews": buffer.views,
        "accessors": buffer.accessors,
    }
    _write_chunks(file, document, buffer)


def _write_chunks(file: BinaryIO, document: dict[str, Any], buffer: _Buffer) -> None:
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    padding = bytes(-buffer.length % 4)
    total = 12 + 8 + len(text) + 8 + buffer.length + len(padding)  # headers of the file and of its two chunks
    if total > _LARGEST_FILE:
        raise InputError(
            f"mesh of {total >> 20} MB: a GLB holds at most {_LARGEST_FILE >> 20} MB; ask for fewer triangles"
        )
    file.write(struct.pack("<III", _MAGIC, _GLTF_VERSION, total))
    file.write(struct.pack("<II", len(text), _JSON) + text)
    file.write(struct.pack("<II", buffer.length + len(padding), _BINARY))
    for part in (*buffer.parts, padding):
        file.write(part)
